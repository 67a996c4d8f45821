//! The discipline that a scenario chooses.

use serde::{Deserialize, Serialize};

use super::{ALL, Kind};

/// One of [`ALL`], written as its name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chosen(usize);

/// The names of all disciplines with their titles.
pub const WORDS: &[(&str, &str)] = &{
    let mut words = [("", ""); ALL.len()];
    let mut index = 0;
    while index < ALL.len() {
        words[index] = (ALL[index].name, ALL[index].title);
        index += 1;
    }
    words
};

impl Chosen {
    /// What is to be known of it.
    pub fn kind(self) -> &'static Kind {
        &ALL[self.0]
    }
}

impl TryFrom<String> for Chosen {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let place = ALL.iter().position(|kind| kind.name == name);
        place
            .map(Self)
            .ok_or_else(|| format!("there is no queueing discipline {name}"))
    }
}

impl From<Chosen> for String {
    fn from(chosen: Chosen) -> Self {
        chosen.kind().name.to_owned()
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Chosen {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Qdisc".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one_of: Vec<_> = WORDS
            .iter()
            .map(|(name, title)| {
                serde_json::json!({ "description": title, "type": "string", "const": name })
            })
            .collect();
        schemars::json_schema!({ "description": "A queueing discipline (`tc qdisc`).", "oneOf": one_of })
    }
}

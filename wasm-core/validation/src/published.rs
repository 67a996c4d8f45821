//! What the studies published: entries of numbers, as `published.json` has them, and
//! those that we measured in our own recordings, which have the same form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a study says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Published {
    /// A number.
    Number(f64),
    /// From here to there.
    Range(f64, f64),
    /// In words.
    Words(String),
}

impl Published {
    /// What a place in an entry's values says: a number, two numbers, words, yes or no.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64().map(Self::Number),
            Value::String(words) => Some(Self::Words(words.clone())),
            Value::Bool(is_so) => Some(Self::Words(if *is_so { "yes" } else { "no" }.to_owned())),
            Value::Array(ends) => match ends[..] {
                [ref low, ref high] => Some(Self::Range(low.as_f64()?, high.as_f64()?)),
                _ => None,
            },
            Value::Null | Value::Object(_) => None,
        }
    }
}

/// A table, a sentence or a listing.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PublishedEntry {
    /// The study's name.
    pub(super) paper: String,
    #[serde(rename = "where")]
    pub(super) place: String,
    pub(super) what: String,
    pub(super) unit: String,
    pub(super) conditions: String,
    /// Its numbers by row and column.
    pub(super) values: Value,
    /// The 95 % intervals of those of its numbers whose host told them, in the places that these have in `values`.
    #[serde(default)]
    pub(super) intervals: Value,
    #[serde(rename = "kind")]
    _kind: String,
}

/// All entries of some files by id. An id that two of them have is an error.
pub(super) fn entries(texts: &[&str]) -> Result<BTreeMap<String, PublishedEntry>, String> {
    let mut all = BTreeMap::new();
    for text in texts {
        let part: BTreeMap<String, PublishedEntry> =
            serde_json::from_str(text).map_err(|error| format!("published numbers: {error}"))?;
        for (id, entry) in part {
            if all.contains_key(&id) {
                return Err(format!("published numbers: {id} is there twice"));
            }
            all.insert(id, entry);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn an_id_that_two_files_have_is_refused() {
        let entry = r#"{ "x.a": { "paper": "x", "where": "", "what": "", "unit": "", "conditions": "",
            "kind": "table", "values": {} } }"#;
        let other = entry.replace("x.a", "x.b");
        assert_eq!(entries(&[entry, &other]).unwrap().len(), 2);
        let refused = entries(&[entry, &other, entry]).unwrap_err();
        assert_eq!(refused, "published numbers: x.a is there twice");
    }
}

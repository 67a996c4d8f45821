//! Where a parameter comes from, as the data files say it in `sources`: a text, or a text with what
//! it is worth. A fit is data here, not a phrase inside a sentence, and goes on to whatever is the
//! same as or derived from what was fitted.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::range::Range;

/// Where a parameter comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct Source {
    /// File, function and version; paper and table; or how it was guessed.
    pub text: String,
    /// What it is worth.
    pub standing: Standing,
    /// The published numbers that were in view when it was chosen.
    pub fitted_to: Vec<Fit>,
    /// The published numbers for whose sake alone it is there: a fudge, whatever it is worth.
    pub serves_only: Vec<Fit>,
    /// Within what it lies; a guess has one.
    pub range: Option<Range>,
    /// What it equals; checked.
    pub same_as: Option<Reference>,
    /// What it was made from.
    pub derived_from: Vec<Reference>,
}

/// What a parameter is worth, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It stands there: in a kernel's source, a paper, a data sheet.
    #[default]
    Read,
    /// It was measured on the machine itself.
    Measured,
    /// It follows from what was read, by a calculation that the text tells.
    Derived,
    /// The model leaves something out, or an experiment is free to choose.
    Chosen,
    /// Nobody has published it; the text says what was assumed.
    Guessed,
    /// It was set so that the model gives a published number.
    Fitted,
}

impl Standing {
    /// All, the best first.
    pub const ALL: [Self; 6] = [
        Self::Read,
        Self::Measured,
        Self::Derived,
        Self::Chosen,
        Self::Guessed,
        Self::Fitted,
    ];

    /// As in the data files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Measured => "measured",
            Self::Derived => "derived",
            Self::Chosen => "chosen",
            Self::Guessed => "guessed",
            Self::Fitted => "fitted",
        }
    }
}

/// Published numbers that a parameter was fitted to: all of an entry (`ba.t5`), or those of its
/// numbers whose names have the words behind it one behind the other (`ba.fig5 2.6 UNI`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Fit(pub String);

impl Fit {
    /// The entry's name.
    pub fn entry(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }

    /// The words that narrow it down.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').skip(1)
    }
}

/// Another parameter: `kernels/2.6.3` is the one of the same path in that file,
/// `kernels/2.6.3:paths.schedule` another one of it, `:paths.schedule` one of this file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Reference(pub String);

impl Reference {
    /// The file, none for this one, and the path, none for the same.
    pub fn parts(&self) -> (Option<&str>, Option<&str>) {
        let (file, path) = self.0.split_once(':').unwrap_or((&self.0, ""));
        let named = |text: &'_ str| !text.is_empty();
        (
            Some(file).filter(|it| named(it)),
            Some(path).filter(|it| named(it)),
        )
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Source {
    /// All that it points to.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.same_as.iter().chain(&self.derived_from)
    }
}

/// What a parameter is worth once all that it points to is taken in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worth {
    /// Its standing; fitted as soon as anything it rests on was.
    pub standing: Standing,
    /// All numbers that it was fitted to, itself or by what it rests on.
    pub fits: BTreeSet<Fit>,
}

/// A source that says what it is worth, as the files have it; what is only read is a text.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Told {
    #[serde(default)]
    text: String,
    #[serde(default)]
    standing: Option<Standing>,
    #[serde(default)]
    fitted_to: Vec<Fit>,
    #[serde(default)]
    serves_only: Vec<Fit>,
    #[serde(default)]
    range: Option<Range>,
    #[serde(default)]
    same_as: Option<Reference>,
    #[serde(default)]
    derived_from: Vec<Reference>,
}

impl TryFrom<Value> for Source {
    type Error = String;

    fn try_from(written: Value) -> Result<Self, String> {
        let told = match written {
            Value::String(text) => Told {
                text,
                ..Told::default()
            },
            Value::Object(_) => Told::deserialize(written).map_err(|error| error.to_string())?,
            other => return Err(format!("{other} is neither a text nor an object")),
        };
        let usual = if !told.fitted_to.is_empty() {
            Standing::Fitted
        } else if !told.derived_from.is_empty() {
            Standing::Derived
        } else {
            Standing::Read
        };
        Ok(Self {
            text: told.text,
            standing: told.standing.unwrap_or(usual),
            fitted_to: told.fitted_to,
            serves_only: told.serves_only,
            range: told.range,
            same_as: told.same_as,
            derived_from: told.derived_from,
        })
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Source {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let told = generator.subschema_for::<Told>();
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, told] })
    }
}

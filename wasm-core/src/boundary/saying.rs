//! Sayings as the page gets them (`web/core/saying.ts`).

use std::collections::BTreeMap;

use serde::Serialize;
use tsify::Tsify;

use crate::saying::{Saying, Value};

/// A code and its values.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct SayingView {
    code: &'static str,
    values: BTreeMap<&'static str, ValueView>,
    is_inferred: bool,
}

/// A value: a number, or a name of the trace.
#[derive(Debug, Serialize, Tsify)]
#[serde(untagged)]
pub enum ValueView {
    /// An amount, a count or an index.
    Number {
        /// What kind of value.
        kind: &'static str,
        /// The number.
        value: f64,
    },
    /// A text.
    Name {
        /// What kind of value.
        kind: &'static str,
        /// The text.
        value: String,
    },
}

impl From<&Saying> for SayingView {
    fn from(saying: &Saying) -> Self {
        let view = |(name, value): &(&'static str, Value)| (*name, ValueView::from(value));
        Self {
            code: saying.code,
            values: saying.values.iter().map(view).collect(),
            is_inferred: saying.is_inferred,
        }
    }
}

impl From<&Value> for ValueView {
    fn from(value: &Value) -> Self {
        let kind = value.kind();
        match (value, value.number()) {
            (Value::Name(name), _) => Self::Name {
                kind,
                value: name.clone(),
            },
            (_, number) => Self::Number {
                kind,
                value: number.unwrap_or_default(),
            },
        }
    }
}

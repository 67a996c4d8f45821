//! Sayings as the page gets them (`web/core/saying.ts`).

use std::collections::BTreeMap;

use serde::Serialize;
use tsify::Tsify;

use ringside::journey::Journeys;
use ringside::saying::{Saying, Value};

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
    /// A packet.
    Packet {
        /// What kind of value.
        kind: &'static str,
        /// Which.
        value: u32,
        /// Its short name.
        name: String,
    },
    /// A text.
    Name {
        /// What kind of value.
        kind: &'static str,
        /// The text.
        value: String,
    },
}

impl SayingView {
    /// A saying about a run with these journeys, which know what packets are called.
    pub fn of(saying: &Saying, journeys: &Journeys) -> Self {
        let view = |(name, value): &(&'static str, Value)| (*name, ValueView::of(value, journeys));
        Self {
            code: saying.code,
            values: saying.values.iter().map(view).collect(),
            is_inferred: saying.is_inferred,
        }
    }
}

impl ValueView {
    fn of(value: &Value, journeys: &Journeys) -> Self {
        let kind = value.kind();
        match (value, value.number()) {
            (Value::Name(name), _) => Self::Name {
                kind,
                value: name.clone(),
            },
            (Value::Packet(packet), _) => Self::Packet {
                kind,
                value: packet.0,
                name: journeys.name(*packet).to_string(),
            },
            (_, number) => Self::Number {
                kind,
                value: number.unwrap_or_default(),
            },
        }
    }
}

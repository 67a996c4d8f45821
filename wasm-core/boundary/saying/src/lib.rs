//! Sayings as the page gets them (`web/core/saying.ts`), of a run or thrown: the one way in which a module says
//! that it refuses what it was given.

#![cfg(target_family = "wasm")]

use std::collections::BTreeMap;

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::{JsError, JsValue};

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

/// A value: a number, a text or another saying.
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
    /// A saying within this one.
    Said {
        /// What kind of value.
        kind: &'static str,
        /// It.
        value: SayingView,
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
        Self::with(saying, Some(journeys))
    }

    /// A saying of which there is no run, and which names no packet.
    fn with(saying: &Saying, journeys: Option<&Journeys>) -> Self {
        let view = |(name, value): &(&'static str, Value)| (*name, ValueView::of(value, journeys));
        Self {
            code: saying.code,
            values: saying.values.iter().map(view).collect(),
            is_inferred: saying.is_inferred,
        }
    }
}

impl ValueView {
    fn of(value: &Value, journeys: Option<&Journeys>) -> Self {
        let kind = value.kind();
        match (value, value.number()) {
            (Value::Name(name), _) => Self::Name {
                kind,
                value: name.clone(),
            },
            (Value::Packet(packet), _) => Self::Packet {
                kind,
                value: packet.0,
                name: journeys.map_or_else(String::new, |known| known.name(*packet).to_string()),
            },
            (Value::Unread(why), _) => Self::Name {
                kind,
                value: (*why).to_owned(),
            },
            (Value::Said(part), _) => Self::Said {
                kind,
                value: SayingView::with(part, journeys),
            },
            (_, number) => Self::Number {
                kind,
                value: number.unwrap_or_default(),
            },
        }
    }
}

/// What a function of a module throws.
#[derive(Debug)]
pub enum Thrown {
    /// It refuses what it was given: thrown as a saying.
    Refusal(Saying),
    /// Anything else goes wrong: thrown as an error with these words.
    Failure(JsError),
}

impl<E: std::error::Error> From<E> for Thrown {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        match thrown {
            Thrown::Failure(error) => error.into(),
            Thrown::Refusal(saying) => match SayingView::with(&saying, None).into_ts() {
                Ok(view) => view.js_value(),
                Err(error) => JsError::from(error).into(),
            },
        }
    }
}

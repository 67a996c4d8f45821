//! JSON in which a field that stands twice is a mistake: which of the two is meant, nobody could tell.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess};
use serde_json::{Map, Value};

/// A JSON value without a field that stands twice.
struct Strict(Value);

/// The fields of a text; the error says which line is wrong.
pub fn fields(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::from_str(text)? {
        Strict(Value::Object(fields)) => Ok(fields),
        Strict(_) => Err(de::Error::custom("must be an object")),
    }
}

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Strict;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
                let mut fields = Map::new();
                while let Some((name, Strict(value))) = map.next_entry::<String, Strict>()? {
                    if fields.contains_key(&name) {
                        return Err(de::Error::custom(format!("{name} stands twice")));
                    }
                    fields.insert(name, value);
                }
                Ok(Strict(Value::Object(fields)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
                let mut all = Vec::new();
                while let Some(Strict(item)) = items.next_element()? {
                    all.push(item);
                }
                Ok(Strict(Value::Array(all)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Strict, E> {
                Ok(Strict(text.into()))
            }

            fn visit_bool<E>(self, is: bool) -> Result<Strict, E> {
                Ok(Strict(is.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Strict, E> {
                Ok(Strict(number.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Strict, E> {
                Ok(Strict(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Strict, E> {
                Ok(Strict(number.into()))
            }

            fn visit_unit<E>(self) -> Result<Strict, E> {
                Ok(Strict(Value::Null))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_once_is_read_as_ever() {
        let text = r#"{"a":[1,-2,0.5,"x",true,null],"b":{"a":{}}}"#;
        assert_eq!(Value::Object(fields(text).unwrap()).to_string(), text);
    }

    #[test]
    fn what_stands_twice_is_told_with_its_line() {
        let error = fields("{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}").unwrap_err();
        assert!(
            error.to_string().starts_with("c stands twice at line 2"),
            "{error}"
        );
        assert_eq!(fields("[]").unwrap_err().to_string(), "must be an object");
    }
}

//! The range within which a guess was not found out: of one number its least and largest value, of a group of
//! numbers parts of what stands there, of a word or a choice what else it could be.

use serde::Deserialize;
use serde_json::{Value, json};

/// Within what a parameter lies, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Range {
    /// A number from this to that.
    Numbers([u64; 2]),
    /// Each number of a group from this to that part of what stands there.
    Parts(Parts),
    /// One of these words or choices.
    Among(Vec<Value>),
}

/// Parts of the numbers of a group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Least and largest, in percent of what stands there.
    pub percent: [u64; 2],
}

/// What a parameter is made at an end of its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Every number of it is multiplied by so many thousandths.
    Permille(u64),
    /// It is this.
    Value(Value),
}

impl Range {
    /// What is wrong with it beside a value.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match self {
            Self::Numbers([least, most]) => match value.as_u64() {
                Some(number) if (*least..=*most).contains(&number) && least < most => Ok(()),
                Some(number) => Err(format!("{number} is not in the range {least} to {most}")),
                None => Err("the range of a group is in percent".to_owned()),
            },
            Self::Parts(Parts {
                percent: [least, most],
            }) => {
                if !(*least..=*most).contains(&100) || least == most {
                    return Err(format!(
                        "the range {least} to {most} % does not hold what stands there"
                    ));
                }
                if has_number(value) {
                    Ok(())
                } else {
                    Err("the range is in percent, and there is no number".to_owned())
                }
            }
            Self::Among(all) if all.contains(value) && all.len() > 1 => Ok(()),
            Self::Among(_) => Err(format!("{value} is not one of the range of several")),
        }
    }

    /// Its ends, or what else the parameter could be, each with a word for it.
    pub fn ends(&self, value: &Value) -> Vec<(String, End)> {
        match self {
            Self::Numbers(ends) => {
                let others = ends.iter().filter(|&&end| value.as_u64() != Some(end));
                others
                    .map(|end| (end.to_string(), End::Value(json!(end))))
                    .collect()
            }
            Self::Parts(Parts { percent }) => {
                let others = percent.iter().filter(|&&end| end != 100);
                others
                    .map(|end| (format!("{end} %"), End::Permille(end * 10)))
                    .collect()
            }
            Self::Among(all) => {
                let others = all.iter().filter(|&other| other != value);
                others
                    .map(|other| (word(other), End::Value(other.clone())))
                    .collect()
            }
        }
    }

    /// Its values in order, as text, and whether they are percent.
    pub fn words(&self) -> (Vec<String>, bool) {
        match self {
            Self::Numbers(ends) => (ends.map(|end| end.to_string()).to_vec(), false),
            Self::Parts(Parts { percent }) => (percent.map(|end| end.to_string()).to_vec(), true),
            Self::Among(all) => (all.iter().map(word).collect(), false),
        }
    }

    /// Whether it is a choice among words.
    pub fn is_choice(&self) -> bool {
        matches!(self, Self::Among(_))
    }
}

fn has_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(items) => items.iter().any(has_number),
        Value::Object(fields) => fields.values().any(has_number),
        _ => false,
    }
}

/// A word or a choice as people read it.
fn word(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(word) => word.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(written: Value) -> Range {
        Range::deserialize(written).unwrap()
    }

    #[test]
    fn a_value_lies_in_its_range_or_is_refused() {
        let group = json!({ "lines": 4, "per": "cpu" });
        for (written, value, wrong) in [
            (json!([100, 300]), json!(200), ""),
            (
                json!([100, 300]),
                json!(301),
                "301 is not in the range 100 to 300",
            ),
            (
                json!([200, 200]),
                json!(200),
                "200 is not in the range 200 to 200",
            ),
            (
                json!([100, 300]),
                group.clone(),
                "the range of a group is in percent",
            ),
            (json!({ "percent": [50, 200] }), group.clone(), ""),
            (
                json!({ "percent": [110, 200] }),
                group,
                "the range 110 to 200 % does not hold what stands there",
            ),
            (
                json!({ "percent": [50, 200] }),
                json!("fixed"),
                "the range is in percent, and there is no number",
            ),
            (json!(["fixed", "dynamic"]), json!("fixed"), ""),
            (json!([false, true]), json!(true), ""),
            (
                json!(["fixed", "dynamic"]),
                json!("spread"),
                "\"spread\" is not one of the range of several",
            ),
        ] {
            let answer = range(written).check(&value);
            assert_eq!(answer.err().unwrap_or_default(), wrong);
        }
    }

    #[test]
    fn its_ends_are_what_a_parameter_is_not() {
        let ends = |written: Value, value: Value| {
            let ends = range(written).ends(&value);
            ends.into_iter().map(|(word, _)| word).collect::<Vec<_>>()
        };
        assert_eq!(ends(json!([100, 300]), json!(300)), ["100"]);
        assert_eq!(
            ends(json!({ "percent": [50, 200] }), json!([1])),
            ["50 %", "200 %"]
        );
        assert_eq!(ends(json!([false, true]), json!(true)), ["no"]);
    }
}

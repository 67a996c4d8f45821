//! Parameters of data files with where each comes from, for whoever wants to read them:
//! one for each entry of a file's `sources`.

use serde_json::{Map, Value};

/// A parameter, or a group of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its path in the file ("cache.memory_read_cycles").
    pub path: String,
    /// Its value as text; empty: a group.
    pub value: String,
    /// Where it comes from.
    pub source: String,
}

/// The parameters of a file.
pub fn parameters(fields: &Map<String, Value>) -> Vec<Parameter> {
    let sources = fields.get("sources").and_then(Value::as_object);
    let parameter = |(path, source): (&String, &Value)| Parameter {
        path: path.clone(),
        value: text(at(fields, path)),
        source: source.as_str().unwrap_or_default().to_owned(),
    };
    sources.into_iter().flatten().map(parameter).collect()
}

/// The first source of something that the file does not have, if there is one.
pub fn sources_of_nothing(fields: &Map<String, Value>) -> Option<&str> {
    let sources = fields.get("sources").and_then(Value::as_object);
    let mut paths = sources.into_iter().flatten().map(|(path, _)| path.as_str());
    paths.find(|path| at(fields, path).is_none())
}

/// What stands at a path.
fn at<'a>(fields: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut steps = path.split('.');
    let first = fields.get(steps.next()?);
    steps.fold(first, |value, step| match value? {
        Value::Object(fields) => fields.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::parameters;

    #[test]
    fn a_parameter_has_its_value_and_a_group_none() {
        let file = json!({
            "clock": { "khz": 500_000, "is_stable": true },
            "nics": [{ "rate_mbit": 100 }],
            "sources": { "clock": "a", "clock.khz": "b", "clock.is_stable": "c", "nics.0.rate_mbit": "d", "gone.x": "e" },
        });
        let read: Vec<String> = parameters(file.as_object().unwrap())
            .into_iter()
            .map(|parameter| {
                format!(
                    "{} = {} ({})",
                    parameter.path, parameter.value, parameter.source
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                "clock =  (a)",
                "clock.is_stable = yes (c)",
                "clock.khz = 500000 (b)",
                "gone.x =  (e)",
                "nics.0.rate_mbit = 100 (d)",
            ]
        );
    }
}

//! Paths into data files: `paths.ip_receive.ip_rcv.cycles`. A field is called by its name and an item of a
//! list by its place in it; a step is called by its function wherever no other step of the list is of
//! that one, so that a path means the same step when another is put in before it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

/// What the fields of a file say. The error begins with the path of what is wrong.
pub fn typed<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, String> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let names: Vec<String> = error.path().iter().filter_map(name_in_path).collect();
        match names[..] {
            [] => error.inner().to_string(),
            _ => format!("{}: {}", names.join("."), error.inner()),
        }
    })
}

/// None for the variant of an enumeration, which is no place of its own, and for what is not known.
fn name_in_path(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Map { key } => Some(key.clone()),
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

/// What stands at a path.
pub fn at<'a>(fields: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut names = path.split('.');
    let first = fields.get(names.next()?);
    names.fold(first, |value, name| match value? {
        Value::Object(fields) => fields.get(name),
        Value::Array(items) => items.get(index_of(items, name)?),
        _ => None,
    })
}

/// The same, to be changed.
pub fn at_mut<'a>(fields: &'a mut Map<String, Value>, path: &str) -> Option<&'a mut Value> {
    let mut names = path.split('.');
    let first = fields.get_mut(names.next()?);
    names.fold(first, |value, name| match value? {
        Value::Object(fields) => fields.get_mut(name),
        Value::Array(items) => {
            let index = index_of(items, name)?;
            items.get_mut(index)
        }
        _ => None,
    })
}

/// A path with each step called by its function where it can be; none where nothing stands there.
pub fn spelled(fields: &Map<String, Value>, path: &str) -> Option<String> {
    let mut value: Option<&Value> = None;
    let mut spelled: Vec<String> = Vec::new();
    for name in path.split('.') {
        let (next, called) = match value {
            None => (fields.get(name)?, name.to_owned()),
            Some(Value::Object(fields)) => (fields.get(name)?, name.to_owned()),
            Some(Value::Array(items)) => {
                let index = index_of(items, name)?;
                (items.get(index)?, name_of(items, index))
            }
            Some(_) => return None,
        };
        value = Some(next);
        spelled.push(called);
    }
    Some(spelled.join("."))
}

/// What an item of a list is called in a path.
pub fn name_of(items: &[Value], index: usize) -> String {
    let function = function_of(&items[index]);
    let is_alone = function.is_some_and(|it| count_of(items, it) == 1);
    match function {
        Some(function) if is_alone => function.to_owned(),
        _ => index.to_string(),
    }
}

/// How many steps of a list are of a function.
pub fn count_of(steps: &[Value], function: &str) -> usize {
    let functions = steps.iter().filter_map(function_of);
    functions.filter(|it| *it == function).count()
}

/// The function of a step.
pub fn function_of(step: &Value) -> Option<&str> {
    step.get("function")?.as_str()
}

fn index_of(items: &[Value], name: &str) -> Option<usize> {
    if count_of(items, name) == 1 {
        return items.iter().position(|it| function_of(it) == Some(name));
    }
    name.parse().ok()
}

/// Whether a path is that of a group or of something in it.
pub fn is_below(path: &str, group: &str) -> bool {
    let rest = path.strip_prefix(group);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Paths of all values below `value` that are neither objects nor lists.
pub fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        _ => format!("{path}.{name}"),
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &below(name), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &below(&name_of(items, index)), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file() -> Map<String, Value> {
        let file = json!({ "paths": { "send": [
            { "function": "lock", "cycles": 1 },
            { "function": "copy", "cycles": 2 },
            { "function": "lock", "cycles": 3 },
        ] }, "nics": [{ "rate": 100 }] });
        file.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_wrong_is_said_with_its_path() {
        type Paths = std::collections::BTreeMap<String, Vec<Step>>;
        #[derive(Debug, serde::Deserialize)]
        struct File {
            paths: Paths,
        }
        #[derive(Debug, serde::Deserialize)]
        #[expect(dead_code, reason = "read and no more")]
        struct Step {
            cycles: u32,
        }
        let file = |steps: Value| typed::<File>(Map::from_iter([("paths".to_owned(), steps)]));
        let why = |steps: Value| file(steps).unwrap_err();
        let sound = json!({ "send": [{ "cycles": 1 }] });
        assert_eq!(file(sound).unwrap().paths["send"].len(), 1);
        assert_eq!(
            why(json!({ "send": [{ "cycles": 1 }, { "cycles": 1e308 }] })),
            "paths.send.1.cycles: invalid type: floating point `1e+308`, expected u32"
        );
        assert_eq!(
            why(json!({ "send": [{}] })),
            "paths.send.0: missing field `cycles`"
        );
        assert_eq!(
            typed::<File>(Map::new()).unwrap_err(),
            "missing field `paths`"
        );
    }

    #[test]
    fn a_step_is_called_by_its_function_where_no_other_is_of_it() {
        let file = file();
        let number = |path: &str| at(&file, path).and_then(Value::as_u64);
        assert_eq!(number("paths.send.copy.cycles"), Some(2));
        assert_eq!(number("paths.send.1.cycles"), Some(2));
        assert_eq!(number("paths.send.lock.cycles"), None, "which of the two?");
        assert_eq!(number("paths.send.2.cycles"), Some(3));
        assert_eq!(number("nics.0.rate"), Some(100));
        let spelled = |path: &str| spelled(&file, path);
        assert_eq!(
            spelled("paths.send.1.cycles").as_deref(),
            Some("paths.send.copy.cycles")
        );
        assert_eq!(spelled("paths.send.2"), Some("paths.send.2".to_owned()));
        assert_eq!(spelled("paths.receive"), None);
    }

    #[test]
    fn every_value_is_found_under_the_path_that_leads_to_it() {
        let file = file();
        let mut found = Vec::new();
        leaves(&Value::Object(file.clone()), "", &mut found);
        assert_eq!(
            found,
            [
                "nics.0.rate",
                "paths.send.0.cycles",
                "paths.send.0.function",
                "paths.send.copy.cycles",
                "paths.send.copy.function",
                "paths.send.2.cycles",
                "paths.send.2.function"
            ]
        );
        assert!(found.iter().all(|path| at(&file, path).is_some()));
    }
}

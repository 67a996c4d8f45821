//! Changes to a path of a base: steps put in before or after another, taken out, or changed, each named
//! by its function. A path of a file that is based on another is either such an object or a list, which
//! takes the base's place as a whole.

use serde_json::{Map, Value};

use super::based_on::{merge, takes_away};
use crate::config::field_path::{at_mut, count_of, function_of};

/// What can be done to the steps of a path, in the words of the files.
const EDITS: [&str; 4] = ["before", "after", "change", "without"];

/// What a file says, with each changed path of `paths` as the whole list that it comes to. The error
/// says at which place which step is missing or not the only one of its function.
pub(super) fn resolved(
    base: &Map<String, Value>,
    mut part: Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let Some(Value::Object(paths)) = part.get_mut("paths") else {
        return Ok(part);
    };
    for (name, path) in paths {
        if let Value::Object(edits) = path {
            let steps = base.get("paths").and_then(|paths| paths.get(name));
            let steps = steps.and_then(Value::as_array);
            let steps = steps
                .ok_or_else(|| format!("paths.{name}: there is no path of this name to change"))?;
            let edited = edited(steps, edits).map_err(|why| format!("paths.{name}.{why}"))?;
            *path = Value::Array(edited);
        }
    }
    Ok(part)
}

/// The steps of a path after its edits, which all speak of the steps as they were.
fn edited(steps: &[Value], edits: &Map<String, Value>) -> Result<Vec<Value>, String> {
    for (edit, of) in edits {
        if !EDITS.contains(&edit.as_str()) {
            return Err(format!("{edit}: must be one of {}", EDITS.join(", ")));
        }
        for function in functions(edit, of)? {
            anchored(steps, function).map_err(|why| format!("{edit}.{function}: {why}"))?;
        }
    }
    let put_in = |edit: &str, function: &str| match edits.get(edit).and_then(|it| it.get(function))
    {
        None => Ok(Vec::new()),
        Some(Value::Array(steps)) => Ok(steps.clone()),
        Some(_) => Err(format!("{edit}.{function}: must be a list of steps")),
    };
    let taken_out = edits.get("without").and_then(Value::as_array);
    let is_out = |function: &str| taken_out.is_some_and(|all| all.contains(&function.into()));
    let mut all = Vec::new();
    for step in steps {
        let function = function_of(step).unwrap_or_default();
        all.extend(put_in("before", function)?);
        if !is_out(function) {
            let mut step = step.clone();
            if let Some(change) = edits.get("change").and_then(|it| it.get(function)) {
                let fields = change.as_object().ok_or_else(|| {
                    format!("change.{function}: must be an object of a step's fields")
                })?;
                takes_away(Some(&step), fields, &format!("change.{function}."))?;
                merge(&mut step, change);
            }
            all.push(step);
        }
        all.extend(put_in("after", function)?);
    }
    Ok(all)
}

/// The functions that an edit names.
fn functions<'a>(edit: &str, of: &'a Value) -> Result<Vec<&'a str>, String> {
    match (edit, of) {
        ("without", Value::Array(all)) if all.iter().all(Value::is_string) => {
            Ok(all.iter().filter_map(Value::as_str).collect())
        }
        ("without", _) => Err("without: must be a list of functions".to_owned()),
        (_, Value::Object(all)) => Ok(all.keys().map(String::as_str).collect()),
        _ => Err(format!("{edit}: must be an object of functions")),
    }
}

/// That exactly one step is of a function.
fn anchored(steps: &[Value], function: &str) -> Result<(), String> {
    match count_of(steps, function) {
        1 => Ok(()),
        0 => {
            let known: Vec<&str> = steps.iter().filter_map(function_of).collect();
            Err(format!(
                "no step is of this function; there are {}",
                known.join(", ")
            ))
        }
        count => Err(format!("{count} steps are of this function, not one")),
    }
}

/// Whether this is the place of a path: `paths.ip_receive`.
pub(super) fn is_path(at: &str) -> bool {
    let name = at.strip_prefix("paths.");
    name.is_some_and(|name| !name.contains('.'))
}

/// What a file itself says at a place, be it in a change of a step.
pub(super) fn said_at<'a>(own: &'a mut Map<String, Value>, place: &str) -> Option<&'a mut Value> {
    let mut names = place.splitn(4, '.');
    let (paths, path) = (names.next()?, names.next().unwrap_or_default());
    let (function, field) = (names.next(), names.next());
    let edits = own.get(paths).and_then(|it| it.get(path));
    let Some(function) =
        function.filter(|_| paths == "paths" && edits.is_some_and(Value::is_object))
    else {
        return at_mut(own, place);
    };
    let edits = own.get_mut(paths)?.get_mut(path)?.as_object_mut()?;
    let mut said = edits.iter_mut().filter_map(|(edit, of)| {
        if edit == "change" {
            return of.get_mut(function);
        }
        let mut lists = of.as_object_mut()?.values_mut();
        lists.find_map(|it| {
            let mut steps = it.as_array_mut()?.iter_mut();
            steps.find(|it| function_of(it) == Some(function))
        })
    });
    let step = said.next()?;
    match field {
        None => Some(step),
        Some(field) => at_mut(step.as_object_mut()?, field),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The functions and cycles of a path after its edits, or why it has none.
    fn after(edits: &Value) -> String {
        let base = json!({ "paths": { "receive": [
            { "function": "rcv", "cycles": 10, "probe": "ip_rcv" },
            { "function": "route", "cycles": 20 },
            { "function": "deliver", "cycles": 30 },
        ], "twice": [{ "function": "lock" }, { "function": "lock" }] } });
        let part = json!({ "paths": edits });
        let resolved = resolved(base.as_object().unwrap(), part.as_object().unwrap().clone());
        let all = match resolved {
            Ok(all) => all,
            Err(why) => return why,
        };
        let steps = all["paths"]["receive"].as_array().unwrap();
        let told = steps.iter().map(|step| {
            let probe = step.get("probe").and_then(Value::as_str).unwrap_or("");
            format!("{}{}{probe}", function_of(step).unwrap(), step["cycles"])
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn steps_are_put_in_taken_out_and_changed() {
        for (edits, expected) in [
            (json!({ "receive": {} }), "rcv10ip_rcv route20 deliver30"),
            (
                json!({ "receive": { "after": { "rcv": [{ "function": "filter", "cycles": 5 }] } } }),
                "rcv10ip_rcv filter5 route20 deliver30",
            ),
            (
                json!({ "receive": {
                    "before": { "route": [{ "function": "a", "cycles": 1 }, { "function": "b", "cycles": 2 }] },
                    "without": ["route"],
                    "change": { "rcv": { "cycles": 11, "probe": null }, "deliver": { "probe": "d" } },
                } }),
                "rcv11 a1 b2 deliver30d",
            ),
            (
                json!({ "receive": [{ "function": "all", "cycles": 9 }] }),
                "all9",
            ),
        ] {
            assert_eq!(after(&edits), expected);
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_with_its_place() {
        for (edits, why) in [
            (
                json!({ "recieve": {} }),
                "paths.recieve: there is no path of this name to change",
            ),
            (
                json!({ "receive": { "behind": {} } }),
                "paths.receive.behind: must be one of before, after, change, without",
            ),
            (
                json!({ "receive": { "after": { "rvc": [] } } }),
                "paths.receive.after.rvc: no step is of this function; there are rcv, route, deliver",
            ),
            (
                json!({ "twice": { "change": { "lock": {} } } }),
                "paths.twice.change.lock: 2 steps are of this function, not one",
            ),
            (
                json!({ "receive": { "before": { "rcv": {} } } }),
                "paths.receive.before.rcv: must be a list of steps",
            ),
            (
                json!({ "receive": { "without": "rcv" } }),
                "paths.receive.without: must be a list of functions",
            ),
            (
                json!({ "receive": { "change": { "route": { "probe": null } } } }),
                "paths.receive.change.route.probe: there is nothing to take away",
            ),
            (
                json!({ "receive": { "change": { "route": 3 } } }),
                "paths.receive.change.route: must be an object of a step's fields",
            ),
            (
                json!({ "receive": { "change": ["rcv"] } }),
                "paths.receive.change: must be an object of functions",
            ),
        ] {
            assert_eq!(after(&edits), why);
        }
    }
}

//! Files that are based on others, made complete: an object is merged field by field, a list taken as a
//! whole, null takes a field away (RFC 7396); a path may be changed step by step (`steps.rs`); a source is
//! one thing and never mixed with another.

use serde_json::{Map, Value};

use super::steps::{is_path, resolved};
use super::{CatalogueError, Named, wrong};
use crate::config::field_path::at;

/// The same files, each complete in itself.
pub(super) fn merged(files: &[Named]) -> Result<Vec<Named>, CatalogueError> {
    let complete = |named: &Named| {
        // From the file itself down to the one that is based on none.
        let mut chain = vec![named];
        while let Some(base) = chain[chain.len() - 1].fields.get("based_on") {
            let found = files
                .iter()
                .find(|other| base.as_str() == Some(&other.name));
            let next = found.ok_or_else(|| {
                wrong(&named.file, &format!("based on {base}, which is not there"))
            })?;
            if chain.iter().any(|seen| seen.name == next.name) {
                return Err(wrong(
                    &named.file,
                    &format!("based on itself by way of {base}"),
                ));
            }
            chain.push(next);
        }
        let mut fields = Map::new();
        for part in chain.iter().rev() {
            let put = put(fields, &part.fields);
            fields = put.map_err(|why| wrong(&part.file, &why))?;
        }
        fields.remove("based_on");
        Ok(Named {
            file: named.file.clone(),
            name: named.name.clone(),
            fields,
        })
    };
    files.iter().map(complete).collect()
}

/// Puts what a file says on what it is based on. The error says which of its paths cannot be changed so.
pub(super) fn put(
    base: Map<String, Value>,
    part: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    takes_away(Some(&Value::Object(base.clone())), part, "")?;
    let part = resolved(&base, part.clone())?;
    let own = part.get("sources").and_then(Value::as_object).cloned();
    let mut whole = Value::Object(base);
    merge(&mut whole, &Value::Object(part));
    let Value::Object(mut fields) = whole else {
        return Ok(Map::new());
    };
    forget_sources_of_nothing(&mut fields);
    // A source is one thing: what an earlier one says is not mixed into it.
    if let Some(Value::Object(sources)) = fields.get_mut("sources") {
        let own = own.into_iter().flatten();
        sources.extend(own.filter(|(_, source)| !source.is_null()));
    }
    Ok(fields)
}

/// That whatever a file takes away of its base is there.
pub(super) fn takes_away(
    base: Option<&Value>,
    part: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    for (name, value) in part {
        let at = format!("{place}{name}");
        let of_base = base.and_then(|base| base.get(name));
        match value {
            Value::Null if of_base.is_none() => {
                return Err(format!("{at}: there is nothing to take away"));
            }
            // A path's edits are checked where they are done.
            Value::Object(part) if !is_path(&at) => {
                takes_away(of_base, part, &format!("{at}."))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a file takes away of its base takes its source along.
fn forget_sources_of_nothing(fields: &mut Map<String, Value>) {
    if let Some(Value::Object(mut sources)) = fields.remove("sources") {
        sources.retain(|path, _| at(fields, path).is_some());
        fields.insert("sources".to_owned(), Value::Object(sources));
    }
}

/// RFC 7396 §2, `MergePatch`.
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.remove(name);
            } else {
                merge(target.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
    }
}

//! Files that are based on others, made complete: an object is merged field by field, a list taken as a
//! whole, null takes a field away (RFC 7396); a source is one thing and never mixed with another.

use serde_json::{Map, Value};

use super::{CatalogueError, Named, wrong};
use crate::config::parameters::at;

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
        let mut whole = Value::Null;
        for part in chain.iter().rev() {
            merge(&mut whole, &Value::Object(part.fields.clone()));
            forget_sources_of_nothing(&mut whole);
            // A source is one thing: what an earlier one says is not mixed into it.
            let own = part.fields.get("sources").and_then(Value::as_object);
            for (path, source) in own.into_iter().flatten().filter(|(_, it)| !it.is_null()) {
                whole["sources"][path] = source.clone();
            }
        }
        let mut fields = match whole {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        fields.remove("based_on");
        Ok(Named {
            file: named.file.clone(),
            name: named.name.clone(),
            fields,
        })
    };
    files.iter().map(complete).collect()
}

/// What a file takes away of its base takes its source along.
fn forget_sources_of_nothing(whole: &mut Value) {
    let Some(fields) = whole.as_object_mut() else {
        return;
    };
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

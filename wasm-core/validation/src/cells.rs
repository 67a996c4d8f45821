//! Places of an entry's values: JSON pointers (RFC 6901), with `*` for any name.

use serde_json::Value;

/// A place that a pattern matched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// As a JSON pointer.
    pub(super) place: String,
    /// The names that its stars matched, in order.
    pub(super) names: Vec<String>,
}

/// The places that a pattern matches, rows with numbers for names in the order of these.
pub(super) fn matching(pattern: &str, values: &Value) -> Vec<Cell> {
    let mut found = vec![(Cell::default(), values)];
    for part in pattern.split('/').skip(1) {
        found = found
            .into_iter()
            .flat_map(|(cell, value)| step(part, cell, value))
            .collect();
    }
    found.into_iter().map(|(cell, _)| cell).collect()
}

fn step<'a>(part: &str, cell: Cell, value: &'a Value) -> Vec<(Cell, &'a Value)> {
    if part != "*" {
        let place = format!("{}/{part}", cell.place);
        let next = value.pointer(&format!("/{part}"));
        let cell = Cell { place, ..cell };
        return next.map(|next| (cell, next)).into_iter().collect();
    }
    let mut children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .map(|(at, it)| (at.to_string(), it))
            .collect(),
        _ => Vec::new(),
    };
    children.sort_by_key(|(name, _)| name.parse::<u64>().unwrap_or(u64::MAX));
    let with = |(name, next): (String, &'a Value)| {
        let place = format!("{}/{}", cell.place, escaped(&name));
        let names = cell.names.iter().cloned().chain([name]).collect();
        (Cell { place, names }, next)
    };
    children.into_iter().map(with).collect()
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A place in words: its names one after the other; the last is a number's column
/// where the entry has columns.
pub(super) fn name(place: &str, columns: &[String]) -> String {
    let part = |part: &str| part.replace("~1", "/").replace("~0", "~");
    let mut parts: Vec<String> = place.split('/').skip(1).map(part).collect();
    if let Some(last) = parts.last_mut()
        && let Some(column) = last.parse().ok().and_then(|at: usize| columns.get(at))
    {
        last.clone_from(column);
    }
    parts.join(": ")
}

/// A text with `$1`, `$2` ... replaced by names.
pub(super) fn fill(text: &str, names: &[String]) -> String {
    let mut filled = text.to_owned();
    for (at, name) in names.iter().enumerate() {
        filled = filled.replace(&format!("${}", at + 1), name);
    }
    filled
}

/// Every place that has a number, words, yes or no.
pub(super) fn leaves(values: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![(String::new(), values)];
    while let Some((place, value)) = left.pop() {
        match value {
            Value::Object(_) | Value::Array(_) => {
                let cell = Cell {
                    place,
                    names: Vec::new(),
                };
                let children = step("*", cell, value).into_iter();
                left.extend(children.map(|(cell, value)| (cell.place, value)));
            }
            _ => found.push(place),
        }
    }
    found.sort();
    found
}

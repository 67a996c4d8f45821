//! A log that is kept as JSON, an object a line: the journal's (`journalctl -o json`), a container's (Docker's `json-file`),
//! or a collector's. What was logged is one of its values.

use serde_json::Value;

/// The keys under which it stands (systemd.journal-fields(7); Docker's json-file driver; what collectors use).
const KEYS: [&str; 4] = ["MESSAGE", "log", "message", "msg"];

/// What was logged, where the line is such an object.
pub(super) fn logged(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return None;
    }
    let Ok(Value::Object(record)) = serde_json::from_slice(line) else {
        return None;
    };
    let mut text = match KEYS.iter().find_map(|key| record.get(*key))? {
        Value::String(text) => text.as_bytes().to_vec(),
        // So the journal writes what is not UTF-8.
        Value::Array(bytes) => bytes
            .iter()
            .map(|byte| u8::try_from(byte.as_u64()?).ok())
            .collect::<Option<_>>()?,
        _ => return None,
    };
    text.truncate(text.trim_ascii_end().len());
    Some(text)
}

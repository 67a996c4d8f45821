//! Logs stored as JSON, one object per line: the journal's (`journalctl -o json`), a container's (Docker's
//! `json-file`) or a collector's. The logged text is one of the object's values.

use serde_json::Value;

/// The keys of the logged text (systemd.journal-fields(7); Docker's json-file driver; common collectors).
const KEYS: [&str; 4] = ["MESSAGE", "log", "message", "msg"];

/// The logged text, if the line is such an object.
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
        // The journal writes text that is not UTF-8 in this form.
        Value::Array(bytes) => bytes
            .iter()
            .map(|byte| u8::try_from(byte.as_u64()?).ok())
            .collect::<Option<_>>()?,
        _ => return None,
    };
    text.truncate(text.trim_ascii_end().len());
    Some(text)
}

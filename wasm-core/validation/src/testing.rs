//! A small study for tests: three numbers of one run.

use super::experiments::{self, StudyPlan};
use super::published;

/// Each number's item is told more.
pub fn study(told: [&str; 3]) -> Result<StudyPlan, String> {
    study_with("{}", "", told)
}

/// The same with reasons, and more told of its entry.
pub fn study_with(reasons: &str, entry: &str, told: [&str; 3]) -> Result<StudyPlan, String> {
    let published = published::entries(&[r#"{ "x.a": {
        "paper": "x", "where": "", "what": "", "unit": "us", "conditions": "", "kind": "table",
        "values": { "one": 2.2, "two": 2.2, "three": 9 }
    } }"#])?;
    let items =
        ["one", "two", "three"].map(|name| format!(r#"{{ "at": "/{name}", "scenario": "udp""#));
    experiments::study(
        &format!(
            r#"{{
            "name": "x", "title": "", "authors": "", "year": 2006, "machines": ["recorder"],
            "scenarios": {{ "udp": {{
                "machine": "recorder", "kernel": "6.1", "workload": "paced-udp",
                "instrumentation": ["kperf-kprobes"], "duration_us": 20000, "seed": 1,
                "settings": {{ "connections": 1, "message_bytes": 1400, "probes": true }}
            }} }},
            "reasons": {reasons},
            "entries": [{{ "id": "x.a", "tolerance": 0.1, {entry} "items": [{}] }}]
        }}"#,
            [0, 1, 2]
                .map(|at| format!("{}, {} }}", items[at], told[at]))
                .join(",")
        ),
        &published,
    )
}

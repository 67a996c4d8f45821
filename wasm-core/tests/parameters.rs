//! Every parameter of today's kernel is read: another value of it changes some run. Of older kernels
//! some would need runs of their own, as sizes of buffers and files that these do not have.
//!
//! Paths are left out here, as the catalogue refuses names in them that nobody reads.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// Short runs in which, between them, everything happens that a kernel has a parameter for.
fn scenarios(kernel: &str) -> Vec<Value> {
    let on = |machine: &str, workload: &str, ms: u32, settings: Value| {
        json!({
            "machine": machine, "kernel": kernel, "workload": workload, "settings": settings,
            "duration_us": ms * 1000, "seed": 3,
        })
    };
    vec![
        on(
            "current-server",
            "iperf-link",
            5,
            json!({"connections": 4, "message_bytes": 65_536}),
        ),
        on(
            "xeon-3.2-dual",
            "iperf",
            60,
            json!({"connections": 3, "background_hogs": 5}),
        ),
        // Whole segments that end a write each.
        on("recorder", "paced-tcp", 300, json!({"message_bytes": 1448})),
        // More to do than a CPU can.
        on("recorder", "iperf-link", 40, json!({"message_bytes": 1448})),
        on(
            "piii-700-8way",
            "iperf-link",
            40,
            json!({
                "connections": 8, "watch": "sender", "link_loss_permille": 20, "background_hogs": 3,
            }),
        ),
        on(
            "via-eden-553",
            "kperf-generator-udp",
            40,
            json!({
                "connections": 4, "threads": 4, "message_bytes": 8192,
            }),
        ),
        on(
            "pii-xeon-400-4way",
            "connect-close",
            40,
            json!({"connections": 4}),
        ),
        // A device's queue fills up.
        on(
            "p4-1.6",
            "iperf-link",
            60,
            json!({
                "connections": 16, "watch": "sender", "send_buffer_bytes": 1_000_000,
                "receive_buffer_bytes": 1_000_000,
            }),
        ),
        // Timeouts, until a connection is given up.
        on(
            "recorder",
            "paced-tcp",
            6000,
            json!({"connections": 2, "link_loss_permille": 800}),
        ),
        on(
            "recorder",
            "connect-close",
            20_000,
            json!({"connections": 2, "link_loss_permille": 800}),
        ),
    ]
}

/// What a run comes to, in a word; none where the kernel cannot be run so.
fn outcome(catalogue: &Catalogue, scenario: &Value) -> Option<String> {
    let scenario = Scenario::parse(&scenario.to_string(), catalogue).ok()?;
    let measured = simulate(&scenario, catalogue, false).ok()?.measured;
    Some(format!("{measured:?}"))
}

/// The parameters of a value that are numbers, words or choices, by their JSON pointers.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &format!("{path}/{index}"), found);
            }
        }
        Value::Number(_) | Value::Bool(_) => found.push(path.to_owned()),
        Value::String(_) | Value::Null => {}
    }
}

/// Other values of a parameter.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            vec![json!(number * 3 + 7), json!(number / 5), json!(1)]
        }
        _ => Vec::new(),
    }
}

/// Parameters that what is measured of a run does not show, and who reads them.
const READ_ELSEWHERE: [(&str, &str); 4] = [
    ("/has_tcp_probe", "the record; `tests/tcp_probe.rs`"),
    (
        "/has_drop_reasons",
        "the record; `laws/`: a reason for every drop",
    ),
    (
        "/page_struct_bytes",
        "a quantity of the papers, `mem_map_mb`",
    ),
    (
        "/scheduler/run_to_parity",
        "`sim/sched/tests/fair.rs`: wake-ups of equal deadlines",
    ),
];

/// The parameters that stand in a kernel's own file and change no run.
fn unread(name: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/kernels");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let kernel: Value = serde_json::from_str(&text).unwrap();
    let shipped = Catalogue::shipped().unwrap();
    let scenarios = scenarios(name);
    let plain: Vec<_> = scenarios.iter().map(|it| outcome(&shipped, it)).collect();
    let mut parameters = Vec::new();
    for (field, value) in kernel.as_object().unwrap() {
        if !["paths", "sources"].contains(&field.as_str()) {
            leaves(value, &format!("/{field}"), &mut parameters);
        }
    }
    let is_read = |parameter: &String| {
        let changes = |other: Value| {
            let mut kernel = kernel.clone();
            *kernel.pointer_mut(parameter).unwrap() = other;
            let own = (format!("kernels/{name}.json"), kernel.to_string());
            let Ok(catalogue) = Catalogue::with(&[own]) else {
                return false;
            };
            let mut runs = scenarios.iter().zip(&plain);
            runs.any(|(scenario, plain)| outcome(&catalogue, scenario) != *plain)
        };
        let value = kernel.pointer(parameter).unwrap();
        let mut elsewhere = READ_ELSEWHERE.iter();
        elsewhere.any(|(known, _)| known == parameter) || others(value).into_iter().any(changes)
    };
    parameters.retain(|parameter| !is_read(parameter));
    parameters
}

#[test]
fn another_value_of_a_parameter_of_6_1_changes_some_run() {
    assert_eq!(unread("6.1"), Vec::<String>::new());
}

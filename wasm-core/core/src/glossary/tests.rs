//! That every word is explained, in the form that the page relies on. That the
//! facts are right, no test can say.

use std::collections::BTreeMap;

use super::{Entry, context, drop_reason, field, probe, queue, station, verdict};
use crate::kernel::{Context, DropReason, Field, Probe, QueueKind, Station, VerdictKind};

/// `v6.12` or `v2.6.35`.
fn is_version(text: &str) -> bool {
    text.strip_prefix('v').is_some_and(|numbers| {
        let parts: Vec<&str> = numbers.split('.').collect();
        (2..=3).contains(&parts.len())
            && parts
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// `net/core/dev.c: net_rx_action`: a C file, a colon, a name of C.
fn is_function(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(file, name)| {
        file.contains('/')
            && file
                .rsplit('.')
                .next()
                .is_some_and(|kind| kind == "c" || kind == "h")
            && !file.contains(' ')
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
            && !name.is_empty()
    })
}

/// Checks one list; `ours` are the words behind which there is no kernel function.
fn check<Word: Copy>(
    list: &[Word],
    name: fn(Word) -> &'static str,
    explain: fn(Word) -> Entry,
    ours: &[&str],
) {
    let mut sentences = BTreeMap::new();
    for &word in list {
        let (
            word,
            Entry {
                sentence,
                function,
                version,
            },
        ) = (name(word), explain(word));
        assert!(sentence.ends_with('.'), "{word}: no full stop");
        assert!(
            sentence.len() <= 140,
            "{word}: {} bytes are too long",
            sentence.len()
        );
        assert!(
            sentence.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()),
            "{word}: begins small"
        );
        assert!(
            !sentence.contains("  ") && !sentence.contains('`'),
            "{word}: not plain text"
        );
        if let Some(other) = sentences.insert(sentence, word) {
            panic!("{word} and {other} have the same sentence");
        }
        if ours.contains(&word) {
            assert_eq!(
                (function, version),
                ("", ""),
                "{word}: is said to be ours alone"
            );
        } else {
            assert!(
                is_function(function),
                "{word}: '{function}' is no file and function"
            );
            assert!(is_version(version), "{word}: '{version}' is no version");
        }
    }
}

#[test]
fn every_probe_is_explained() {
    let ours = [
        "wire_rx",
        "wire_tx",
        "rx_dma",
        "rx_itr",
        "cache_line_fill",
        "cache_line_move",
        "cache_line_evict",
        "cache_line_state",
        "run_queue",
        "run_queue_task",
        "time_slice",
        "probe_cost",
    ];
    check(Probe::ALL, Probe::name, probe, &ours);
}

#[test]
fn every_drop_reason_is_explained() {
    check(
        DropReason::ALL,
        DropReason::name,
        drop_reason,
        &["UNRECOGNISED"],
    );
}

#[test]
fn every_station_and_queue_is_explained() {
    check(Station::ALL, Station::name, station, &["wire", "wire out"]);
    check(QueueKind::ALL, QueueKind::name, queue, &[]);
}

#[test]
fn every_context_and_verdict_is_explained() {
    check(Context::ALL, Context::name, context, &["unknown"]);
    check(VerdictKind::ALL, VerdictKind::name, verdict, &["open"]);
}

#[test]
fn every_field_is_explained() {
    // The formats of tracepoints explain the others.
    let has_function = ["cookie"];
    let names = Field::ALL.iter().map(|word| word.name());
    let ours: Vec<&str> = names.filter(|name| !has_function.contains(name)).collect();
    check(Field::ALL, Field::name, field, &ours);
}

#[test]
fn a_probe_of_a_plain_kernel_function_names_that_function() {
    for word in [
        Probe::IpRcvCore,
        Probe::NapiGroReceive,
        Probe::TcpAddBacklog,
        Probe::NetRxAction,
    ] {
        assert!(
            probe(word).function.ends_with(&format!(": {word}")),
            "{word}"
        );
    }
}

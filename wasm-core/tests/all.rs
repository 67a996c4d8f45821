//! All tests that take more than one crate, as one program: each file beside this one is a module of it. As a program
//! each, linked with the whole core, they took twice as long to compile.
//! `cargo test --test all wire::` runs those of `wire.rs`.

mod abreast;
mod alone;
mod board;
mod chrome_trace;
mod cli;
mod code;
mod cut_lines;
mod datagram_readers;
mod datagrams;
mod directions;
mod findings;
mod fingerprints;
mod freed;
mod ftrace;
mod held;
mod holds;
mod joined;
mod kprobes;
mod laws;
mod layers;
mod lost_lines;
mod measures;
mod net_and_skb;
mod noise;
mod offered;
mod others;
mod packetdrill;
mod papers;
mod parameters;
mod pcapng;
mod profile;
mod raw_reads;
mod recorded;
mod recordings;
mod rests;
mod rooms;
mod round_trip;
mod sayings;
mod sequence;
mod shelf;
mod shipped;
mod sim;
mod small_loads;
mod sockets;
mod tcp_probe;
mod tcp_reads;
mod told;
mod tracepoints;
mod trajectories;
mod tunnels;
mod turns;
mod verdicts;
mod wakeups;
mod wire;

/// A file that is no module here would never be run, and nothing else would say so.
#[test]
fn every_file_is_run() {
    let folder = format!("{}/tests", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("it is in the checkout");
    for entry in entries {
        let path = entry.expect("it can be read").path();
        let is_module = path.extension().is_some_and(|it| it == "rs");
        let stem = path.file_stem().expect("it has a name").to_string_lossy();
        assert!(
            !path.join("main.rs").exists(),
            "{stem}/main.rs is mod.rs here"
        );
        if (is_module && stem != "all") || path.join("mod.rs").exists() {
            let line = format!("\nmod {stem};\n");
            assert!(include_str!("all.rs").contains(&line), "no{line}in all.rs");
        }
    }
}

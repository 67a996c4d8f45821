//! Loads on one CPU whose counters are compared, with sizes that no other list has.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. They were defined before any of them had been run, on a host or in the
/// simulator.
pub const COUNTED_LOADS: &[Load] = &[
    load(
        "counted-stream-900",
        "one connection on one CPU, 900 bytes a call",
        Does::Stream,
        Ends::Together,
        900,
    ),
    load(
        "counted-stream-2500",
        "one connection on one CPU, 2500 bytes a call",
        Does::Stream,
        Ends::Together,
        2500,
    ),
    load(
        "counted-stream-5k",
        "one connection on one CPU, 5 KiB a call",
        Does::Stream,
        Ends::Together,
        5120,
    ),
    load(
        "counted-stream-10k",
        "one connection on one CPU, 10 KiB a call",
        Does::Stream,
        Ends::Together,
        10_240,
    ),
    load(
        "counted-stream-20k",
        "one connection on one CPU, 20 KiB a call",
        Does::Stream,
        Ends::Together,
        20_480,
    ),
    Load {
        connections: 2,
        ..load(
            "counted-streams-2",
            "two connections on one CPU, 5 KiB a call",
            Does::Stream,
            Ends::Together,
            5120,
        )
    },
    Load {
        connections: 6,
        ..load(
            "counted-streams-6",
            "six connections on one CPU, 2500 bytes a call",
            Does::Stream,
            Ends::Together,
            2500,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "counted-stream-beside",
            "one connection on one CPU beside a task that computes, 5 KiB a call",
            Does::Stream,
            Ends::Together,
            5120,
        )
    },
    Load {
        send_buffer: Some(65_536),
        ..load(
            "counted-stream-send-buffer",
            "one connection on one CPU with SO_SNDBUF of 64 KiB, 5 KiB a call",
            Does::Stream,
            Ends::Together,
            5120,
        )
    },
    Load {
        receive_buffer: Some(65_536),
        ..load(
            "counted-stream-receive-buffer",
            "one connection on one CPU with SO_RCVBUF of 64 KiB, 2500 bytes a call",
            Does::Stream,
            Ends::Together,
            2500,
        )
    },
    load(
        "counted-gathered-600",
        "one connection on one CPU, 600 bytes a write and 64 KiB a read",
        Does::Gathered,
        Ends::Together,
        600,
    ),
    load(
        "counted-gathered-5k",
        "one connection on one CPU, 5 KiB a write and 64 KiB a read",
        Does::Gathered,
        Ends::Together,
        5120,
    ),
    load(
        "counted-scattered-2500",
        "one connection on one CPU, 64 KiB a write and 2500 bytes a read",
        Does::Scattered,
        Ends::Together,
        2500,
    ),
    load(
        "counted-scattered-10k",
        "one connection on one CPU, 64 KiB a write and 10 KiB a read",
        Does::Scattered,
        Ends::Together,
        10_240,
    ),
    load(
        "counted-undelayed-300",
        "one connection without Nagle's algorithm on one CPU, 300 bytes a call",
        Does::Undelayed,
        Ends::Together,
        300,
    ),
    load(
        "counted-undelayed-5k",
        "one connection without Nagle's algorithm on one CPU, 5 KiB a call",
        Does::Undelayed,
        Ends::Together,
        5120,
    ),
    load(
        "counted-datagrams-300",
        "datagrams of 300 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        300,
    ),
    load(
        "counted-datagrams-900",
        "datagrams of 900 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        900,
    ),
    load(
        "counted-datagrams-3k",
        "datagrams of 3 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        3072,
    ),
    load(
        "counted-datagrams-12k",
        "datagrams of 12 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        12_288,
    ),
    Load {
        connections: 2,
        ..load(
            "counted-datagrams-2",
            "two connections with datagrams of 900 bytes on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            900,
        )
    },
    load(
        "counted-fetched-40k",
        "100 bytes for a response of 40 KiB on one CPU",
        Does::Fetched,
        Ends::Together,
        40_960,
    ),
    load(
        "counted-stored-40k",
        "40 KiB for a response of a byte on one CPU",
        Does::Stored,
        Ends::Together,
        40_960,
    ),
    load(
        "counted-pipelined-900",
        "eight requests of 900 bytes, then eight responses on one CPU",
        Does::Pipelined,
        Ends::Together,
        900,
    ),
    load(
        "counted-visited-40k",
        "a connection for a response of 40 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        40_960,
    ),
];

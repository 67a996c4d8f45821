//! Loads that open a connection for each operation, like a client without keep-alive.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. They were defined before any of them had been run, on a host or in the
/// simulator.
pub const OPENED_LOADS: &[Load] = &[
    load(
        "opened-one-cpu",
        "a connection is opened and closed on one CPU",
        Does::Opened,
        Ends::Together,
        1,
    ),
    load(
        "visited-one-cpu-1",
        "a connection for a response of a byte on one CPU",
        Does::Visited,
        Ends::Together,
        1,
    ),
    load(
        "visited-one-cpu-1k",
        "a connection for a response of 1 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        1024,
    ),
    load(
        "visited-one-cpu-16k",
        "a connection for a response of 16 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        16_384,
    ),
    load(
        "visited-one-cpu-64k",
        "a connection for a response of 64 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        65_536,
    ),
    load(
        "visited-one-cpu-256k",
        "a connection for a response of 256 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        262_144,
    ),
    load(
        "opened-two-cpus",
        "a connection is opened and closed on two CPUs",
        Does::Opened,
        Ends::Apart,
        1,
    ),
    load(
        "visited-two-cpus-1",
        "a connection for a response of a byte on two CPUs",
        Does::Visited,
        Ends::Apart,
        1,
    ),
    load(
        "visited-two-cpus-1k",
        "a connection for a response of 1 KiB on two CPUs",
        Does::Visited,
        Ends::Apart,
        1024,
    ),
    load(
        "visited-two-cpus-16k",
        "a connection for a response of 16 KiB on two CPUs",
        Does::Visited,
        Ends::Apart,
        16_384,
    ),
    load(
        "visited-two-cpus-64k",
        "a connection for a response of 64 KiB on two CPUs",
        Does::Visited,
        Ends::Apart,
        65_536,
    ),
    load(
        "visited-two-cpus-256k",
        "a connection for a response of 256 KiB on two CPUs",
        Does::Visited,
        Ends::Apart,
        262_144,
    ),
    Load {
        connections: 4,
        ..load(
            "four-opened-one-cpu",
            "four clients open and close connections on one CPU",
            Does::Opened,
            Ends::Together,
            1,
        )
    },
    Load {
        connections: 4,
        ..load(
            "four-visited-one-cpu-4k",
            "four clients open a connection for each response of 4 KiB on one CPU",
            Does::Visited,
            Ends::Together,
            4096,
        )
    },
    Load {
        connections: 2,
        cpus: 2,
        ..load(
            "two-opened",
            "two clients open and close connections, each on a CPU of its own",
            Does::Opened,
            Ends::Together,
            1,
        )
    },
    Load {
        connections: 2,
        cpus: 2,
        ..load(
            "two-visited-4k",
            "two clients open a connection for each response of 4 KiB, each on a CPU of its own",
            Does::Visited,
            Ends::Together,
            4096,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "opened-one-cpu-hog",
            "a connection is opened and closed, and a task computes, on one CPU",
            Does::Opened,
            Ends::Together,
            1,
        )
    },
];

//! Streams whose short writes do not wait for ACKs, datagrams in bursts, and further loads of several connections.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. They were defined before any of them had been run, on a host or in the
/// simulator; the model has changed once since, to improve on those without Nagle's algorithm.
pub const BURST_LOADS: &[Load] = &[
    load(
        "undelayed-one-cpu-256",
        "one connection without Nagle's algorithm on one CPU, 256 bytes a call",
        Does::Undelayed,
        Ends::Together,
        256,
    ),
    load(
        "undelayed-one-cpu-1k",
        "one connection without Nagle's algorithm on one CPU, 1 KiB a call",
        Does::Undelayed,
        Ends::Together,
        1024,
    ),
    load(
        "undelayed-one-cpu-4k",
        "one connection without Nagle's algorithm on one CPU, 4 KiB a call",
        Does::Undelayed,
        Ends::Together,
        4096,
    ),
    load(
        "undelayed-one-cpu-16k",
        "one connection without Nagle's algorithm on one CPU, 16 KiB a call",
        Does::Undelayed,
        Ends::Together,
        16_384,
    ),
    load(
        "datagram-burst-one-cpu-1",
        "eight datagrams of a byte, then eight back on one CPU",
        Does::DatagramBurst,
        Ends::Together,
        1,
    ),
    load(
        "datagram-burst-one-cpu-1k",
        "eight datagrams of 1 KiB, then eight back on one CPU",
        Does::DatagramBurst,
        Ends::Together,
        1024,
    ),
    load(
        "datagram-burst-one-cpu-8k",
        "eight datagrams of 8 KiB, then eight back on one CPU",
        Does::DatagramBurst,
        Ends::Together,
        8192,
    ),
    load(
        "undelayed-two-cpus-256",
        "one connection without Nagle's algorithm on two CPUs, 256 bytes a call",
        Does::Undelayed,
        Ends::Apart,
        256,
    ),
    load(
        "undelayed-two-cpus-1k",
        "one connection without Nagle's algorithm on two CPUs, 1 KiB a call",
        Does::Undelayed,
        Ends::Apart,
        1024,
    ),
    load(
        "undelayed-two-cpus-4k",
        "one connection without Nagle's algorithm on two CPUs, 4 KiB a call",
        Does::Undelayed,
        Ends::Apart,
        4096,
    ),
    load(
        "undelayed-two-cpus-16k",
        "one connection without Nagle's algorithm on two CPUs, 16 KiB a call",
        Does::Undelayed,
        Ends::Apart,
        16_384,
    ),
    load(
        "datagram-burst-two-cpus-1",
        "eight datagrams of a byte, then eight back on two CPUs",
        Does::DatagramBurst,
        Ends::Apart,
        1,
    ),
    load(
        "datagram-burst-two-cpus-1k",
        "eight datagrams of 1 KiB, then eight back on two CPUs",
        Does::DatagramBurst,
        Ends::Apart,
        1024,
    ),
    load(
        "datagram-burst-two-cpus-8k",
        "eight datagrams of 8 KiB, then eight back on two CPUs",
        Does::DatagramBurst,
        Ends::Apart,
        8192,
    ),
    Load {
        connections: 4,
        ..load(
            "four-gathered-one-cpu-1k",
            "four connections on one CPU, 1 KiB a write and 64 KiB a read",
            Does::Gathered,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 4,
        ..load(
            "four-undelayed-one-cpu-1k",
            "four connections without Nagle's algorithm on one CPU, 1 KiB a call",
            Does::Undelayed,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 4,
        ..load(
            "four-datagram-burst-one-cpu-1",
            "four connections with eight datagrams of a byte, then eight back on one CPU",
            Does::DatagramBurst,
            Ends::Together,
            1,
        )
    },
    Load {
        connections: 2,
        ..load(
            "two-scattered-two-cpus-4k",
            "two connections, each on both CPUs, 64 KiB a write and 4 KiB a read",
            Does::Scattered,
            Ends::Apart,
            4096,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "gathered-one-cpu-4k-hog",
            "one connection and a task that computes on one CPU, 4 KiB a write and 64 KiB a read",
            Does::Gathered,
            Ends::Together,
            4096,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "pipelined-one-cpu-1k-hog",
            "eight requests of 1 KiB, then eight responses beside a task that computes on one CPU",
            Does::Pipelined,
            Ends::Together,
            1024,
        )
    },
];

//! Streams, datagrams and connections on one CPU with sizes, numbers and competing tasks that no other list
//! has.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. They were defined before any of them had been run, on a host or in the
/// simulator.
pub const MORE_SIZES: &[Load] = &[
    load(
        "stream-one-cpu-128",
        "one connection on one CPU, 128 bytes a call",
        Does::Stream,
        Ends::Together,
        128,
    ),
    load(
        "stream-one-cpu-768",
        "one connection on one CPU, 768 bytes a call",
        Does::Stream,
        Ends::Together,
        768,
    ),
    load(
        "stream-one-cpu-1500",
        "one connection on one CPU, 1500 bytes a call",
        Does::Stream,
        Ends::Together,
        1500,
    ),
    load(
        "stream-one-cpu-3k",
        "one connection on one CPU, 3 KiB a call",
        Does::Stream,
        Ends::Together,
        3072,
    ),
    load(
        "stream-one-cpu-6k",
        "one connection on one CPU, 6 KiB a call",
        Does::Stream,
        Ends::Together,
        6144,
    ),
    load(
        "stream-one-cpu-12k",
        "one connection on one CPU, 12 KiB a call",
        Does::Stream,
        Ends::Together,
        12_288,
    ),
    load(
        "stream-one-cpu-24k",
        "one connection on one CPU, 24 KiB a call",
        Does::Stream,
        Ends::Together,
        24_576,
    ),
    load(
        "stream-one-cpu-48k",
        "one connection on one CPU, 48 KiB a call",
        Does::Stream,
        Ends::Together,
        49_152,
    ),
    Load {
        connections: 3,
        ..load(
            "three-stream-one-cpu-2k",
            "three connections on one CPU, 2 KiB a call",
            Does::Stream,
            Ends::Together,
            2048,
        )
    },
    Load {
        connections: 5,
        ..load(
            "five-stream-one-cpu-512",
            "five connections on one CPU, 512 bytes a call",
            Does::Stream,
            Ends::Together,
            512,
        )
    },
    Load {
        connections: 8,
        ..load(
            "eight-stream-one-cpu-4k",
            "eight connections on one CPU, 4 KiB a call",
            Does::Stream,
            Ends::Together,
            4096,
        )
    },
    Load {
        hogs: 2,
        ..load(
            "stream-one-cpu-1k-2-hogs",
            "one connection on one CPU beside two tasks that compute, 1 KiB a call",
            Does::Stream,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 2,
        hogs: 1,
        ..load(
            "two-stream-one-cpu-2k-hog",
            "two connections on one CPU beside a task that computes, 2 KiB a call",
            Does::Stream,
            Ends::Together,
            2048,
        )
    },
    Load {
        send_buffer: Some(32_768),
        ..load(
            "stream-one-cpu-2k-sndbuf-32k",
            "one connection on one CPU with SO_SNDBUF of 32 KiB, 2 KiB a call",
            Does::Stream,
            Ends::Together,
            2048,
        )
    },
    Load {
        receive_buffer: Some(131_072),
        ..load(
            "stream-one-cpu-4k-rcvbuf-128k",
            "one connection on one CPU with SO_RCVBUF of 128 KiB, 4 KiB a call",
            Does::Stream,
            Ends::Together,
            4096,
        )
    },
    load(
        "gathered-one-cpu-384",
        "one connection on one CPU, 384 bytes a write and 64 KiB a read",
        Does::Gathered,
        Ends::Together,
        384,
    ),
    load(
        "gathered-one-cpu-768",
        "one connection on one CPU, 768 bytes a write and 64 KiB a read",
        Does::Gathered,
        Ends::Together,
        768,
    ),
    load(
        "gathered-one-cpu-3k",
        "one connection on one CPU, 3 KiB a write and 64 KiB a read",
        Does::Gathered,
        Ends::Together,
        3072,
    ),
    Load {
        connections: 3,
        ..load(
            "three-gathered-one-cpu-512",
            "three connections on one CPU, 512 bytes a write and 64 KiB a read",
            Does::Gathered,
            Ends::Together,
            512,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "gathered-one-cpu-1k-hog",
            "one connection on one CPU beside a task that computes, 1 KiB a write and 64 KiB a read",
            Does::Gathered,
            Ends::Together,
            1024,
        )
    },
    load(
        "scattered-one-cpu-1536",
        "one connection on one CPU, 64 KiB a write and 1536 bytes a read",
        Does::Scattered,
        Ends::Together,
        1536,
    ),
    load(
        "scattered-one-cpu-6k",
        "one connection on one CPU, 64 KiB a write and 6 KiB a read",
        Does::Scattered,
        Ends::Together,
        6144,
    ),
    Load {
        connections: 2,
        ..load(
            "two-scattered-one-cpu-2k",
            "two connections on one CPU, 64 KiB a write and 2 KiB a read",
            Does::Scattered,
            Ends::Together,
            2048,
        )
    },
    load(
        "undelayed-one-cpu-128",
        "one connection without Nagle's algorithm on one CPU, 128 bytes a call",
        Does::Undelayed,
        Ends::Together,
        128,
    ),
    load(
        "undelayed-one-cpu-512",
        "one connection without Nagle's algorithm on one CPU, 512 bytes a call",
        Does::Undelayed,
        Ends::Together,
        512,
    ),
    load(
        "undelayed-one-cpu-2k",
        "one connection without Nagle's algorithm on one CPU, 2 KiB a call",
        Does::Undelayed,
        Ends::Together,
        2048,
    ),
    Load {
        connections: 3,
        ..load(
            "three-undelayed-one-cpu-512",
            "three connections without Nagle's algorithm on one CPU, 512 bytes a call",
            Does::Undelayed,
            Ends::Together,
            512,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "undelayed-one-cpu-1k-hog",
            "one connection without Nagle's algorithm on one CPU beside a task that computes, 1 KiB a call",
            Does::Undelayed,
            Ends::Together,
            1024,
        )
    },
    load(
        "udp-one-cpu-128",
        "datagrams of 128 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        128,
    ),
    load(
        "udp-one-cpu-1472",
        "datagrams of 1472 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        1472,
    ),
    load(
        "udp-one-cpu-6k",
        "datagrams of 6 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        6144,
    ),
    Load {
        connections: 3,
        ..load(
            "three-udp-one-cpu-256",
            "three connections with datagrams of 256 bytes on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            256,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "udp-one-cpu-1k-hog",
            "datagrams of 1 KiB on one CPU beside a task that computes, received",
            Does::Datagrams,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 2,
        ..load(
            "two-opened-one-cpu",
            "two clients open and close connections on one CPU",
            Does::Opened,
            Ends::Together,
            1,
        )
    },
    load(
        "visited-one-cpu-2k",
        "a connection for a response of 2 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        2048,
    ),
    load(
        "visited-one-cpu-8k",
        "a connection for a response of 8 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        8192,
    ),
    load(
        "visited-one-cpu-32k",
        "a connection for a response of 32 KiB on one CPU",
        Does::Visited,
        Ends::Together,
        32_768,
    ),
    Load {
        connections: 8,
        ..load(
            "eight-visited-one-cpu-1k",
            "eight clients open a connection for each response of 1 KiB on one CPU",
            Does::Visited,
            Ends::Together,
            1024,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "visited-one-cpu-4k-hog",
            "a connection for a response of 4 KiB on one CPU beside a task that computes",
            Does::Visited,
            Ends::Together,
            4096,
        )
    },
];

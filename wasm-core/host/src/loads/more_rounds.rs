//! Requests and responses on one CPU with sizes, numbers of connections and competing tasks that no other list
//! has.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. They were defined before any of them had been run, on a host or in the
/// simulator.
pub const MORE_ROUNDS: &[Load] = &[
    load(
        "request-one-cpu-64",
        "request and response of 64 bytes on one CPU",
        Does::RequestResponse,
        Ends::Together,
        64,
    ),
    load(
        "request-one-cpu-512",
        "request and response of 512 bytes on one CPU",
        Does::RequestResponse,
        Ends::Together,
        512,
    ),
    load(
        "request-one-cpu-2k",
        "request and response of 2 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        2048,
    ),
    load(
        "request-one-cpu-12k",
        "request and response of 12 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        12_288,
    ),
    load(
        "request-one-cpu-24k",
        "request and response of 24 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        24_576,
    ),
    Load {
        connections: 3,
        ..load(
            "three-request-one-cpu-256",
            "three connections with a request and a response of 256 bytes on one CPU",
            Does::RequestResponse,
            Ends::Together,
            256,
        )
    },
    Load {
        connections: 12,
        ..load(
            "twelve-request-one-cpu-1k",
            "twelve connections with a request and a response of 1 KiB on one CPU",
            Does::RequestResponse,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 4,
        ..load(
            "four-request-one-cpu-4k",
            "four connections with a request and a response of 4 KiB on one CPU",
            Does::RequestResponse,
            Ends::Together,
            4096,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "request-one-cpu-1k-hog",
            "request and response of 1 KiB on one CPU beside a task that computes",
            Does::RequestResponse,
            Ends::Together,
            1024,
        )
    },
    Load {
        hogs: 3,
        ..load(
            "request-one-cpu-1-3-hogs",
            "request and response of a byte on one CPU beside three tasks that compute",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    load(
        "datagram-request-one-cpu-64",
        "a datagram of 64 bytes and one back on one CPU",
        Does::DatagramRequest,
        Ends::Together,
        64,
    ),
    load(
        "datagram-request-one-cpu-512",
        "a datagram of 512 bytes and one back on one CPU",
        Does::DatagramRequest,
        Ends::Together,
        512,
    ),
    load(
        "datagram-request-one-cpu-2k",
        "a datagram of 2 KiB and one back on one CPU",
        Does::DatagramRequest,
        Ends::Together,
        2048,
    ),
    load(
        "datagram-request-one-cpu-12k",
        "a datagram of 12 KiB and one back on one CPU",
        Does::DatagramRequest,
        Ends::Together,
        12_288,
    ),
    Load {
        connections: 4,
        ..load(
            "four-datagram-request-one-cpu-256",
            "four connections with a datagram of 256 bytes and one back on one CPU",
            Does::DatagramRequest,
            Ends::Together,
            256,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "datagram-request-one-cpu-1k-hog",
            "a datagram of 1 KiB and one back on one CPU beside a task that computes",
            Does::DatagramRequest,
            Ends::Together,
            1024,
        )
    },
    load(
        "fetched-one-cpu-2k",
        "100 bytes for a response of 2 KiB on one CPU",
        Does::Fetched,
        Ends::Together,
        2048,
    ),
    load(
        "fetched-one-cpu-8k",
        "100 bytes for a response of 8 KiB on one CPU",
        Does::Fetched,
        Ends::Together,
        8192,
    ),
    load(
        "fetched-one-cpu-24k",
        "100 bytes for a response of 24 KiB on one CPU",
        Does::Fetched,
        Ends::Together,
        24_576,
    ),
    load(
        "fetched-one-cpu-48k",
        "100 bytes for a response of 48 KiB on one CPU",
        Does::Fetched,
        Ends::Together,
        49_152,
    ),
    Load {
        connections: 3,
        ..load(
            "three-fetched-one-cpu-4k",
            "three connections with 100 bytes for a response of 4 KiB on one CPU",
            Does::Fetched,
            Ends::Together,
            4096,
        )
    },
    Load {
        connections: 8,
        ..load(
            "eight-fetched-one-cpu-1k",
            "eight connections with 100 bytes for a response of 1 KiB on one CPU",
            Does::Fetched,
            Ends::Together,
            1024,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "fetched-one-cpu-8k-hog",
            "100 bytes for a response of 8 KiB on one CPU beside a task that computes",
            Does::Fetched,
            Ends::Together,
            8192,
        )
    },
    load(
        "stored-one-cpu-2k",
        "2 KiB for a response of a byte on one CPU",
        Does::Stored,
        Ends::Together,
        2048,
    ),
    load(
        "stored-one-cpu-8k",
        "8 KiB for a response of a byte on one CPU",
        Does::Stored,
        Ends::Together,
        8192,
    ),
    load(
        "stored-one-cpu-32k",
        "32 KiB for a response of a byte on one CPU",
        Does::Stored,
        Ends::Together,
        32_768,
    ),
    Load {
        connections: 4,
        ..load(
            "four-stored-one-cpu-4k",
            "four connections with 4 KiB for a response of a byte on one CPU",
            Does::Stored,
            Ends::Together,
            4096,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "stored-one-cpu-8k-hog",
            "8 KiB for a response of a byte on one CPU beside a task that computes",
            Does::Stored,
            Ends::Together,
            8192,
        )
    },
    load(
        "pipelined-one-cpu-64",
        "eight requests of 64 bytes, then eight responses on one CPU",
        Does::Pipelined,
        Ends::Together,
        64,
    ),
    load(
        "pipelined-one-cpu-512",
        "eight requests of 512 bytes, then eight responses on one CPU",
        Does::Pipelined,
        Ends::Together,
        512,
    ),
    load(
        "pipelined-one-cpu-2k",
        "eight requests of 2 KiB, then eight responses on one CPU",
        Does::Pipelined,
        Ends::Together,
        2048,
    ),
    Load {
        connections: 2,
        ..load(
            "two-pipelined-one-cpu-1k",
            "two connections with eight requests of 1 KiB, then eight responses on one CPU",
            Does::Pipelined,
            Ends::Together,
            1024,
        )
    },
    Load {
        connections: 8,
        ..load(
            "eight-pipelined-one-cpu-256",
            "eight connections with eight requests of 256 bytes, then eight responses on one CPU",
            Does::Pipelined,
            Ends::Together,
            256,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "pipelined-one-cpu-256-hog",
            "eight requests of 256 bytes, then eight responses on one CPU beside a task that computes",
            Does::Pipelined,
            Ends::Together,
            256,
        )
    },
    load(
        "datagram-burst-one-cpu-256",
        "eight datagrams of 256 bytes, then eight back on one CPU",
        Does::DatagramBurst,
        Ends::Together,
        256,
    ),
    load(
        "datagram-burst-one-cpu-4k",
        "eight datagrams of 4 KiB, then eight back on one CPU",
        Does::DatagramBurst,
        Ends::Together,
        4096,
    ),
    Load {
        connections: 3,
        ..load(
            "three-datagram-burst-one-cpu-512",
            "three connections with eight datagrams of 512 bytes, then eight back on one CPU",
            Does::DatagramBurst,
            Ends::Together,
            512,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "datagram-burst-one-cpu-1-hog",
            "eight datagrams of a byte, then eight back on one CPU beside a task that computes",
            Does::DatagramBurst,
            Ends::Together,
            1,
        )
    },
];

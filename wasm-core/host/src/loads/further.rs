//! Loads beside tasks that compute, with buffers that a program has set, of other sizes and numbers of connections.

use super::list::load;
use super::{Does, Ends, Load};

/// Further loads that `--all` runs. The model has since been changed to improve on them.
pub const FURTHER_LOADS: &[Load] = &[
    Load {
        hogs: 1,
        ..load(
            "stream-one-cpu-hog",
            "one connection and a task that computes on one CPU, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        hogs: 3,
        ..load(
            "stream-one-cpu-3-hogs",
            "one connection and three tasks that compute on one CPU, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "request-one-cpu-hog",
            "request and response of a byte and a task that computes on one CPU",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    Load {
        hogs: 1,
        ..load(
            "udp-one-cpu-hog",
            "datagrams of 64 bytes and a task that computes on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            64,
        )
    },
    Load {
        receive_buffer: Some(65_536),
        ..load(
            "stream-one-cpu-rcvbuf-64k",
            "one connection on one CPU with SO_RCVBUF of 64 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        receive_buffer: Some(262_144),
        ..load(
            "stream-one-cpu-rcvbuf-256k",
            "one connection on one CPU with SO_RCVBUF of 256 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        send_buffer: Some(65_536),
        ..load(
            "stream-one-cpu-sndbuf-64k",
            "one connection on one CPU with SO_SNDBUF of 64 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        receive_buffer: Some(65_536),
        ..load(
            "stream-two-cpus-rcvbuf-64k",
            "one connection on two CPUs with SO_RCVBUF of 64 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Apart,
            8_192,
        )
    },
    Load {
        receive_buffer: Some(262_144),
        ..load(
            "stream-two-cpus-rcvbuf-256k",
            "one connection on two CPUs with SO_RCVBUF of 256 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Apart,
            8_192,
        )
    },
    Load {
        send_buffer: Some(65_536),
        ..load(
            "stream-two-cpus-sndbuf-64k",
            "one connection on two CPUs with SO_SNDBUF of 64 KiB, 8 KiB a call",
            Does::Stream,
            Ends::Apart,
            8_192,
        )
    },
    load(
        "stream-one-cpu-256",
        "one connection on one CPU, 256 bytes a call",
        Does::Stream,
        Ends::Together,
        256,
    ),
    load(
        "stream-one-cpu-2k",
        "one connection on one CPU, 2 KiB a call",
        Does::Stream,
        Ends::Together,
        2_048,
    ),
    load(
        "stream-one-cpu-16k",
        "one connection on one CPU, 16 KiB a call",
        Does::Stream,
        Ends::Together,
        16_384,
    ),
    load(
        "stream-one-cpu-256k",
        "one connection on one CPU, 256 KiB a call",
        Does::Stream,
        Ends::Together,
        262_144,
    ),
    load(
        "stream-two-cpus-256",
        "one connection on two CPUs, 256 bytes a call",
        Does::Stream,
        Ends::Apart,
        256,
    ),
    load(
        "stream-two-cpus-4k",
        "one connection on two CPUs, 4 KiB a call",
        Does::Stream,
        Ends::Apart,
        4_096,
    ),
    load(
        "stream-two-cpus-16k",
        "one connection on two CPUs, 16 KiB a call",
        Does::Stream,
        Ends::Apart,
        16_384,
    ),
    load(
        "stream-two-cpus-64k",
        "one connection on two CPUs, 64 KiB a call",
        Does::Stream,
        Ends::Apart,
        65_536,
    ),
    Load {
        connections: 2,
        ..load(
            "two-streams-one-cpu",
            "two connections on one CPU, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        connections: 16,
        ..load(
            "sixteen-streams-one-cpu",
            "sixteen connections on one CPU, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8_192,
        )
    },
    Load {
        connections: 2,
        ..load(
            "two-streams-two-cpus",
            "two connections, each on both CPUs, 8 KiB a call",
            Does::Stream,
            Ends::Apart,
            8_192,
        )
    },
    load(
        "request-one-cpu-4k",
        "request and response of 4 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        4_096,
    ),
    load(
        "request-two-cpus-1k",
        "request and response of 1 KiB on two CPUs",
        Does::RequestResponse,
        Ends::Apart,
        1_024,
    ),
    load(
        "request-two-cpus-4k",
        "request and response of 4 KiB on two CPUs",
        Does::RequestResponse,
        Ends::Apart,
        4_096,
    ),
    Load {
        connections: 32,
        ..load(
            "thirty-two-requests-one-cpu",
            "32 connections with requests of a byte on one CPU",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    Load {
        connections: 2,
        cpus: 2,
        ..load(
            "two-requests",
            "two connections with requests of a byte, each on a CPU of its own",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    Load {
        connections: 8,
        ..load(
            "eight-requests-two-cpus",
            "eight connections with requests of a byte, each on both CPUs",
            Does::RequestResponse,
            Ends::Apart,
            1,
        )
    },
    load(
        "udp-one-cpu-256",
        "datagrams of 256 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        256,
    ),
    load(
        "udp-one-cpu-4k",
        "datagrams of 4 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        4_096,
    ),
    load(
        "udp-one-cpu-16k",
        "datagrams of 16 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        16_384,
    ),
    load(
        "udp-two-cpus-256",
        "datagrams of 256 bytes on two CPUs, received",
        Does::Datagrams,
        Ends::Apart,
        256,
    ),
    load(
        "udp-two-cpus-8k",
        "datagrams of 8 KiB on two CPUs, received",
        Does::Datagrams,
        Ends::Apart,
        8_192,
    ),
    Load {
        connections: 4,
        ..load(
            "four-udp-one-cpu",
            "four senders of datagrams of 64 bytes on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            64,
        )
    },
];

//! All loads, with the names that the command and the board use.

use super::between::BETWEEN_LOADS;
use super::bursts::BURST_LOADS;
use super::counted::COUNTED_LOADS;
use super::drawn::DRAWN_LOADS;
use super::fragments::FRAGMENT_LOADS;
use super::further::FURTHER_LOADS;
use super::more_rounds::MORE_ROUNDS;
use super::more_sizes::MORE_SIZES;
use super::opened::OPENED_LOADS;
use super::uneven::UNEVEN_LOADS;
use super::{Does, Ends, Load};

/// Iterates over all loads.
pub fn all() -> impl Iterator<Item = &'static Load> {
    let lists = [
        LOADS,
        MORE_LOADS,
        FURTHER_LOADS,
        UNEVEN_LOADS,
        BETWEEN_LOADS,
        BURST_LOADS,
        OPENED_LOADS,
        FRAGMENT_LOADS,
        MORE_SIZES,
        MORE_ROUNDS,
        COUNTED_LOADS,
        DRAWN_LOADS.as_slice(),
    ];
    lists.into_iter().flatten()
}

/// The loads that are run by default.
pub const LOADS: &[Load] = &[
    load(
        "stream-one-cpu",
        "one connection on one CPU, 8 KiB a call",
        Does::Stream,
        Ends::Together,
        8192,
    ),
    load(
        "stream-two-cpus",
        "one connection on two CPUs, 8 KiB a call",
        Does::Stream,
        Ends::Apart,
        8192,
    ),
    load(
        "stream-one-cpu-128k",
        "one connection on one CPU, 128 KiB a call",
        Does::Stream,
        Ends::Together,
        131_072,
    ),
    load(
        "stream-two-cpus-128k",
        "one connection on two CPUs, 128 KiB a call",
        Does::Stream,
        Ends::Apart,
        131_072,
    ),
    Load {
        connections: 2,
        cpus: 2,
        ..load(
            "two-streams",
            "two connections, each on a CPU of its own, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8192,
        )
    },
    load(
        "request-one-cpu",
        "request and response of a byte on one CPU",
        Does::RequestResponse,
        Ends::Together,
        1,
    ),
    load(
        "request-two-cpus",
        "request and response of a byte on two CPUs",
        Does::RequestResponse,
        Ends::Apart,
        1,
    ),
    load(
        "udp-one-cpu",
        "datagrams of 64 bytes on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        64,
    ),
    load(
        "udp-two-cpus",
        "datagrams of 64 bytes on two CPUs, received",
        Does::Datagrams,
        Ends::Apart,
        64,
    ),
];

/// Loads of other sizes and numbers of connections, which `--all` also runs. The model has since been changed
/// to improve on them.
pub const MORE_LOADS: &[Load] = &[
    load(
        "stream-one-cpu-1k",
        "one connection on one CPU, 1 KiB a call",
        Does::Stream,
        Ends::Together,
        1024,
    ),
    load(
        "stream-one-cpu-32k",
        "one connection on one CPU, 32 KiB a call",
        Does::Stream,
        Ends::Together,
        32_768,
    ),
    load(
        "stream-one-cpu-512k",
        "one connection on one CPU, 512 KiB a call",
        Does::Stream,
        Ends::Together,
        524_288,
    ),
    load(
        "stream-two-cpus-1k",
        "one connection on two CPUs, 1 KiB a call",
        Does::Stream,
        Ends::Apart,
        1024,
    ),
    load(
        "stream-two-cpus-32k",
        "one connection on two CPUs, 32 KiB a call",
        Does::Stream,
        Ends::Apart,
        32_768,
    ),
    load(
        "stream-two-cpus-512k",
        "one connection on two CPUs, 512 KiB a call",
        Does::Stream,
        Ends::Apart,
        524_288,
    ),
    Load {
        connections: 4,
        ..load(
            "four-streams-one-cpu",
            "four connections on one CPU, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8192,
        )
    },
    load(
        "request-one-cpu-1k",
        "request and response of 1 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        1024,
    ),
    load(
        "request-one-cpu-16k",
        "request and response of 16 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        16_384,
    ),
    load(
        "request-one-cpu-64k",
        "request and response of 64 KiB on one CPU",
        Does::RequestResponse,
        Ends::Together,
        65_536,
    ),
    load(
        "request-two-cpus-16k",
        "request and response of 16 KiB on two CPUs",
        Does::RequestResponse,
        Ends::Apart,
        16_384,
    ),
    load(
        "request-two-cpus-64k",
        "request and response of 64 KiB on two CPUs",
        Does::RequestResponse,
        Ends::Apart,
        65_536,
    ),
    Load {
        connections: 8,
        ..load(
            "eight-requests-one-cpu",
            "eight connections with requests of a byte on one CPU",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    load(
        "udp-one-cpu-1k",
        "datagrams of 1 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        1024,
    ),
    load(
        "udp-one-cpu-8k",
        "datagrams of 8 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        8192,
    ),
    load(
        "udp-one-cpu-32k",
        "datagrams of 32 KiB on one CPU, received",
        Does::Datagrams,
        Ends::Together,
        32_768,
    ),
    load(
        "udp-two-cpus-1k",
        "datagrams of 1 KiB on two CPUs, received",
        Does::Datagrams,
        Ends::Apart,
        1024,
    ),
    load(
        "udp-two-cpus-32k",
        "datagrams of 32 KiB on two CPUs, received",
        Does::Datagrams,
        Ends::Apart,
        32_768,
    ),
];

/// A load with one connection and the kernel's default buffers.
pub(super) const fn load(
    name: &'static str,
    title: &'static str,
    does: Does,
    ends: Ends,
    message_bytes: u32,
) -> Load {
    let cpus = match ends {
        Ends::Together => 1,
        Ends::Apart => 2,
    };
    Load {
        name,
        title,
        does,
        connections: 1,
        cpus,
        ends,
        message_bytes,
        receive_buffer: None,
        send_buffer: None,
        hogs: 0,
        mtu: None,
    }
}

//! All loads, with the names that the command and the boards use.
//!
//! What a name stands for never changes, as it was measured. Which loads were written down before any of them had
//! run, and for which of them the model was changed since, stands with what was measured, in `data/papers`.

use super::connections::CONNECTIONS;
use super::counted::COUNTED_LOADS;
use super::datagrams::DATAGRAMS;
use super::drawn::DRAWN_LOADS;
use super::rounds::ROUNDS;
use super::streams::STREAMS;
use super::{Does, Ends, Load};

/// Iterates over all loads.
pub fn all() -> impl Iterator<Item = &'static Load> {
    let lists = [
        LOADS,
        STREAMS,
        ROUNDS,
        DATAGRAMS,
        CONNECTIONS,
        COUNTED_LOADS,
        DRAWN_LOADS.as_slice(),
    ];
    lists.into_iter().flatten()
}

/// The loads that are run by default.
pub const LOADS: &[Load] = &[
    one("stream-one-cpu", Does::Stream, 8192),
    two("stream-two-cpus", Does::Stream, 8192),
    one("stream-one-cpu-128k", Does::Stream, 131_072),
    two("stream-two-cpus-128k", Does::Stream, 131_072),
    one("two-streams", Does::Stream, 8192)
        .times(2)
        .on_two_cpus(),
    one("request-one-cpu", Does::RequestResponse, 1),
    two("request-two-cpus", Does::RequestResponse, 1),
    one("udp-one-cpu", Does::Datagrams, 64),
    two("udp-two-cpus", Does::Datagrams, 64),
];

/// A load with one connection on one CPU, and the kernel's default buffers.
pub(super) const fn one(name: &'static str, does: Does, message_bytes: u32) -> Load {
    Load {
        name,
        does,
        connections: 1,
        cpus: 1,
        ends: Ends::Together,
        message_bytes,
        receive_buffer: None,
        send_buffer: None,
        hogs: 0,
        mtu: None,
    }
}

/// The same with its ends on two CPUs.
pub(super) const fn two(name: &'static str, does: Does, message_bytes: u32) -> Load {
    Load {
        cpus: 2,
        ends: Ends::Apart,
        ..one(name, does, message_bytes)
    }
}

/// MTU of the loopback device in bytes with which packets are small.
const SMALL: u32 = 1500;

impl Load {
    /// The same with as many connections.
    pub(super) const fn times(self, connections: u32) -> Self {
        Self {
            connections,
            ..self
        }
    }

    /// The same with the next connection on the next CPU.
    pub(super) const fn on_two_cpus(self) -> Self {
        Self { cpus: 2, ..self }
    }

    /// The same with `SO_RCVBUF` of so many bytes.
    pub(super) const fn receive_buffer(self, bytes: u32) -> Self {
        Self {
            receive_buffer: Some(bytes),
            ..self
        }
    }

    /// The same with `SO_SNDBUF` of so many bytes.
    pub(super) const fn send_buffer(self, bytes: u32) -> Self {
        Self {
            send_buffer: Some(bytes),
            ..self
        }
    }

    /// The same beside so many tasks that compute.
    pub(super) const fn beside(self, hogs: u32) -> Self {
        Self { hogs, ..self }
    }

    /// The same over a loopback device with an MTU of 1500 bytes: datagrams are fragmented, and TCP fills segments.
    pub(super) const fn in_small_packets(self) -> Self {
        Self {
            mtu: Some(SMALL),
            ..self
        }
    }
}

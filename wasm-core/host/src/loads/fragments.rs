//! Loads over a loopback device with an MTU of 1500 bytes: datagrams are fragmented, and TCP fills segments.

use super::list::load;
use super::{Does, Ends, Load};

/// MTU of the loopback device in bytes.
pub(super) const MTU: u32 = 1500;

/// Further loads that `--all` runs if the loopback device has this MTU. They were defined before any of them
/// had been run, on a host or in the simulator.
pub const FRAGMENT_LOADS: &[Load] = &[
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-one-cpu-2k-fragments",
            "datagrams of 2 KiB in fragments on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            2048,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-one-cpu-4k-fragments",
            "datagrams of 4 KiB in fragments on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            4096,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-one-cpu-8k-fragments",
            "datagrams of 8 KiB in fragments on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-one-cpu-32k-fragments",
            "datagrams of 32 KiB in fragments on one CPU, received",
            Does::Datagrams,
            Ends::Together,
            32_768,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-one-cpu-2k-fragments",
            "a datagram of 2 KiB in fragments and one back on one CPU",
            Does::DatagramRequest,
            Ends::Together,
            2048,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-one-cpu-8k-fragments",
            "a datagram of 8 KiB in fragments and one back on one CPU",
            Does::DatagramRequest,
            Ends::Together,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-one-cpu-32k-fragments",
            "a datagram of 32 KiB in fragments and one back on one CPU",
            Does::DatagramRequest,
            Ends::Together,
            32_768,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "stream-one-cpu-8k-mtu",
            "one connection on one CPU whose packets have 1500 bytes, 8 KiB a call",
            Does::Stream,
            Ends::Together,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "stream-one-cpu-128k-mtu",
            "one connection on one CPU whose packets have 1500 bytes, 128 KiB a call",
            Does::Stream,
            Ends::Together,
            131_072,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "request-one-cpu-1-mtu",
            "request and response of a byte on one CPU in packets of 1500 bytes",
            Does::RequestResponse,
            Ends::Together,
            1,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "request-one-cpu-16k-mtu",
            "request and response of 16 KiB on one CPU in packets of 1500 bytes",
            Does::RequestResponse,
            Ends::Together,
            16_384,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "fetched-one-cpu-64k-mtu",
            "100 bytes for a response of 64 KiB on one CPU in packets of 1500 bytes",
            Does::Fetched,
            Ends::Together,
            65_536,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-two-cpus-2k-fragments",
            "datagrams of 2 KiB in fragments on two CPUs, received",
            Does::Datagrams,
            Ends::Apart,
            2048,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-two-cpus-4k-fragments",
            "datagrams of 4 KiB in fragments on two CPUs, received",
            Does::Datagrams,
            Ends::Apart,
            4096,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-two-cpus-8k-fragments",
            "datagrams of 8 KiB in fragments on two CPUs, received",
            Does::Datagrams,
            Ends::Apart,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "udp-two-cpus-32k-fragments",
            "datagrams of 32 KiB in fragments on two CPUs, received",
            Does::Datagrams,
            Ends::Apart,
            32_768,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-two-cpus-2k-fragments",
            "a datagram of 2 KiB in fragments and one back on two CPUs",
            Does::DatagramRequest,
            Ends::Apart,
            2048,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-two-cpus-8k-fragments",
            "a datagram of 8 KiB in fragments and one back on two CPUs",
            Does::DatagramRequest,
            Ends::Apart,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "datagram-request-two-cpus-32k-fragments",
            "a datagram of 32 KiB in fragments and one back on two CPUs",
            Does::DatagramRequest,
            Ends::Apart,
            32_768,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "stream-two-cpus-8k-mtu",
            "one connection on two CPUs whose packets have 1500 bytes, 8 KiB a call",
            Does::Stream,
            Ends::Apart,
            8192,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "stream-two-cpus-128k-mtu",
            "one connection on two CPUs whose packets have 1500 bytes, 128 KiB a call",
            Does::Stream,
            Ends::Apart,
            131_072,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "request-two-cpus-1-mtu",
            "request and response of a byte on two CPUs in packets of 1500 bytes",
            Does::RequestResponse,
            Ends::Apart,
            1,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "request-two-cpus-16k-mtu",
            "request and response of 16 KiB on two CPUs in packets of 1500 bytes",
            Does::RequestResponse,
            Ends::Apart,
            16_384,
        )
    },
    Load {
        mtu: Some(MTU),
        ..load(
            "fetched-two-cpus-64k-mtu",
            "100 bytes for a response of 64 KiB on two CPUs in packets of 1500 bytes",
            Does::Fetched,
            Ends::Apart,
            65_536,
        )
    },
];

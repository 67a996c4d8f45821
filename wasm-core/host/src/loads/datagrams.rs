//! Datagrams, alone, and as requests and responses.

use super::list::{one, two};
use super::{Does, Load};

/// Datagrams that are received, that are answered, and that come in bursts.
pub const DATAGRAMS: &[Load] = &[
    one("udp-one-cpu-128", Does::Datagrams, 128),
    one("udp-one-cpu-256", Does::Datagrams, 256),
    one("udp-one-cpu-512", Does::Datagrams, 512),
    one("udp-one-cpu-1k", Does::Datagrams, 1024),
    one("udp-one-cpu-1472", Does::Datagrams, 1472),
    one("udp-one-cpu-2k", Does::Datagrams, 2048),
    one("udp-one-cpu-4k", Does::Datagrams, 4096),
    one("udp-one-cpu-6k", Does::Datagrams, 6144),
    one("udp-one-cpu-8k", Does::Datagrams, 8192),
    one("udp-one-cpu-16k", Does::Datagrams, 16_384),
    one("udp-one-cpu-32k", Does::Datagrams, 32_768),
    one("three-udp-one-cpu-256", Does::Datagrams, 256).times(3),
    one("four-udp-one-cpu", Does::Datagrams, 64).times(4),
    one("four-udp-one-cpu-64", Does::Datagrams, 64).times(4),
    one("udp-one-cpu-hog", Does::Datagrams, 64).beside(1),
    one("udp-one-cpu-1k-hog", Does::Datagrams, 1024).beside(1),
    two("udp-two-cpus-256", Does::Datagrams, 256),
    two("udp-two-cpus-512", Does::Datagrams, 512),
    two("udp-two-cpus-1k", Does::Datagrams, 1024),
    two("udp-two-cpus-4k", Does::Datagrams, 4096),
    two("udp-two-cpus-8k", Does::Datagrams, 8192),
    two("udp-two-cpus-16k", Does::Datagrams, 16_384),
    two("udp-two-cpus-32k", Does::Datagrams, 32_768),
    two("two-udp-two-cpus-64", Does::Datagrams, 64).times(2),
    one("udp-one-cpu-2k-fragments", Does::Datagrams, 2048).in_small_packets(),
    one("udp-one-cpu-4k-fragments", Does::Datagrams, 4096).in_small_packets(),
    one("udp-one-cpu-8k-fragments", Does::Datagrams, 8192).in_small_packets(),
    one("udp-one-cpu-32k-fragments", Does::Datagrams, 32_768).in_small_packets(),
    two("udp-two-cpus-2k-fragments", Does::Datagrams, 2048).in_small_packets(),
    two("udp-two-cpus-4k-fragments", Does::Datagrams, 4096).in_small_packets(),
    two("udp-two-cpus-8k-fragments", Does::Datagrams, 8192).in_small_packets(),
    two("udp-two-cpus-32k-fragments", Does::Datagrams, 32_768).in_small_packets(),
    one("datagram-request-one-cpu-1", Does::DatagramRequest, 1),
    one("datagram-request-one-cpu-64", Does::DatagramRequest, 64),
    one("datagram-request-one-cpu-256", Does::DatagramRequest, 256),
    one("datagram-request-one-cpu-512", Does::DatagramRequest, 512),
    one("datagram-request-one-cpu-1k", Does::DatagramRequest, 1024),
    one("datagram-request-one-cpu-2k", Does::DatagramRequest, 2048),
    one("datagram-request-one-cpu-4k", Does::DatagramRequest, 4096),
    one("datagram-request-one-cpu-8k", Does::DatagramRequest, 8192),
    one(
        "datagram-request-one-cpu-12k",
        Does::DatagramRequest,
        12_288,
    ),
    one(
        "datagram-request-one-cpu-16k",
        Does::DatagramRequest,
        16_384,
    ),
    one(
        "datagram-request-one-cpu-32k",
        Does::DatagramRequest,
        32_768,
    ),
    one(
        "four-datagram-request-one-cpu-256",
        Does::DatagramRequest,
        256,
    )
    .times(4),
    one("eight-datagram-request-one-cpu-1", Does::DatagramRequest, 1).times(8),
    one("datagram-request-one-cpu-1-hog", Does::DatagramRequest, 1).beside(1),
    one(
        "datagram-request-one-cpu-1k-hog",
        Does::DatagramRequest,
        1024,
    )
    .beside(1),
    two("datagram-request-two-cpus-1", Does::DatagramRequest, 1),
    two("datagram-request-two-cpus-256", Does::DatagramRequest, 256),
    two("datagram-request-two-cpus-1k", Does::DatagramRequest, 1024),
    two("datagram-request-two-cpus-4k", Does::DatagramRequest, 4096),
    two("datagram-request-two-cpus-8k", Does::DatagramRequest, 8192),
    two(
        "datagram-request-two-cpus-16k",
        Does::DatagramRequest,
        16_384,
    ),
    two(
        "datagram-request-two-cpus-32k",
        Does::DatagramRequest,
        32_768,
    ),
    one(
        "datagram-request-one-cpu-2k-fragments",
        Does::DatagramRequest,
        2048,
    )
    .in_small_packets(),
    one(
        "datagram-request-one-cpu-8k-fragments",
        Does::DatagramRequest,
        8192,
    )
    .in_small_packets(),
    one(
        "datagram-request-one-cpu-32k-fragments",
        Does::DatagramRequest,
        32_768,
    )
    .in_small_packets(),
    two(
        "datagram-request-two-cpus-2k-fragments",
        Does::DatagramRequest,
        2048,
    )
    .in_small_packets(),
    two(
        "datagram-request-two-cpus-8k-fragments",
        Does::DatagramRequest,
        8192,
    )
    .in_small_packets(),
    two(
        "datagram-request-two-cpus-32k-fragments",
        Does::DatagramRequest,
        32_768,
    )
    .in_small_packets(),
    one("datagram-burst-one-cpu-1", Does::DatagramBurst, 1),
    one("datagram-burst-one-cpu-256", Does::DatagramBurst, 256),
    one("datagram-burst-one-cpu-1k", Does::DatagramBurst, 1024),
    one("datagram-burst-one-cpu-4k", Does::DatagramBurst, 4096),
    one("datagram-burst-one-cpu-8k", Does::DatagramBurst, 8192),
    one("three-datagram-burst-one-cpu-512", Does::DatagramBurst, 512).times(3),
    one("four-datagram-burst-one-cpu-1", Does::DatagramBurst, 1).times(4),
    one("datagram-burst-one-cpu-1-hog", Does::DatagramBurst, 1).beside(1),
    two("datagram-burst-two-cpus-1", Does::DatagramBurst, 1),
    two("datagram-burst-two-cpus-1k", Does::DatagramBurst, 1024),
    two("datagram-burst-two-cpus-8k", Does::DatagramBurst, 8192),
];

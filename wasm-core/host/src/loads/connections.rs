//! Connections that are opened for each operation, as by a client without keep-alive.

use super::list::{one, two};
use super::{Does, Load};

/// Connections that are opened and closed, and those over which a message is fetched.
pub const CONNECTIONS: &[Load] = &[
    one("opened-one-cpu", Does::Opened, 1),
    one("two-opened-one-cpu", Does::Opened, 1).times(2),
    one("four-opened-one-cpu", Does::Opened, 1).times(4),
    one("opened-one-cpu-hog", Does::Opened, 1).beside(1),
    one("two-opened", Does::Opened, 1).times(2).on_two_cpus(),
    two("opened-two-cpus", Does::Opened, 1),
    one("visited-one-cpu-1", Does::Visited, 1),
    one("visited-one-cpu-1k", Does::Visited, 1024),
    one("visited-one-cpu-2k", Does::Visited, 2048),
    one("visited-one-cpu-8k", Does::Visited, 8192),
    one("visited-one-cpu-16k", Does::Visited, 16_384),
    one("visited-one-cpu-32k", Does::Visited, 32_768),
    one("visited-one-cpu-64k", Does::Visited, 65_536),
    one("visited-one-cpu-256k", Does::Visited, 262_144),
    one("four-visited-one-cpu-4k", Does::Visited, 4096).times(4),
    one("eight-visited-one-cpu-1k", Does::Visited, 1024).times(8),
    one("visited-one-cpu-4k-hog", Does::Visited, 4096).beside(1),
    one("two-visited-4k", Does::Visited, 4096)
        .times(2)
        .on_two_cpus(),
    two("visited-two-cpus-1", Does::Visited, 1),
    two("visited-two-cpus-1k", Does::Visited, 1024),
    two("visited-two-cpus-16k", Does::Visited, 16_384),
    two("visited-two-cpus-64k", Does::Visited, 65_536),
    two("visited-two-cpus-256k", Does::Visited, 262_144),
];

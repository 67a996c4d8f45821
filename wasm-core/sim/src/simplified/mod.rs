//! Everything that the model leaves out or does in another way, mechanism by mechanism:
//! what Linux does, what we do, what one sees of it. The page shows these sentences.
//!
//! Data, kept by hand: whoever writes "Simplified" into a comment of `sim` names the entry that says it, and takes it
//! out with the code.

mod caches;
mod host;
mod network;
mod scheduling;
#[cfg(test)]
mod tests;

use super::engine::netfilter;
use super::{qdisc, tcp};

pub use super::simplification::Simplification;

/// The differences of a mechanism.
#[derive(Debug, Clone, Copy)]
pub struct Mechanism {
    /// What it is called.
    pub title: &'static str,
    /// Its differences, the most visible first.
    pub simplifications: &'static [Simplification],
}

/// All differences, in the order in which a learner meets them.
pub const ALL: &[Mechanism] = &[
    Mechanism {
        title: "The host as a whole",
        simplifications: host::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Caches and memory",
        simplifications: caches::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Scheduling and locks",
        simplifications: scheduling::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Devices, links and IP",
        simplifications: network::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Netfilter",
        simplifications: netfilter::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Queueing disciplines",
        simplifications: qdisc::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "Congestion controls",
        simplifications: tcp::congestion::SIMPLIFICATIONS,
    },
    Mechanism {
        title: "TCP",
        simplifications: tcp::SIMPLIFICATIONS,
    },
];

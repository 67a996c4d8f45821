//! Where devices, links and IP are simpler than Linux's (`sim/engine/`).

use crate::sim::simplification::Simplification;

/// The differences.
pub const SIMPLIFICATIONS: &[Simplification] = &[Simplification {
    about: "what is around a packet",
    linux: "Netfilter, routing, neighbours, traffic control and packet taps look at each packet.",
    here: "Their time is in the cycles of the functions that call them; they decide nothing.",
    seen: "No packet is filtered, rerouted or queued by a discipline.",
}];

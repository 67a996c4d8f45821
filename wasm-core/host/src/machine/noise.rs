//! Interruptions of CPUs: timer interrupts and all others.

use serde_json::{Value, json};

use super::Measured;
use crate::host::Host;
use crate::noise::Kind;

impl Measured {
    /// Adds the cost of a timer interrupt, if ticks were found, and the other interruptions.
    pub(super) fn noise(&mut self, host: &Host) {
        let Some(noise) = &host.noise else {
            return;
        };
        let how = "gaps in a loop that reads the clock";
        if let Some(tick) = noise.tick {
            let how = format!("{how}, at the kernel's ticks; what its own steps take is in it");
            self.number("processors.timer_exits_ns", tick, "ns", &how);
        }
        let kind = |kind: &Kind| {
            let (per_second, ns) = (kind.per_second.round() as u64, kind.ns.round() as u64);
            json!({ "per_second": per_second, "ns": ns })
        };
        let kinds: Vec<Value> = noise.kinds.iter().map(kind).collect();
        let text = format!("{how}, by powers of two; neither at ticks nor where another task ran");
        self.put("processors.noise", json!(kinds), &text);
    }
}

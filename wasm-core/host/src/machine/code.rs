//! The cost of the kernel's code: executing instructions, and fetching lines of code.

use serde_json::{Value, json};

use super::{BESIDE_ANOTHER_GUEST, Measured, Parameter, interval};
use crate::host::{Call, Host};
use crate::instructions;
use crate::statistics::Estimate;

impl Measured {
    /// Adds the cost of instructions and of fetching lines of code.
    pub(super) fn code(&mut self, host: &Host) {
        let fetched = instructions::line_cycles(host);
        let line = fetched.as_ref().map_or(0, |(cycles, _)| rounded(*cycles));
        if let (Some((kib, ways)), Some((cycles, how))) = (host.topology.instructions, fetched) {
            let text = "the first cache of instructions in /sys";
            self.put("cache.instructions.kib", json!(kib), text);
            self.put("cache.instructions.ways", json!(ways), text);
            let path = "cache.instructions.line_cycles";
            self.derived_number(path, cycles, "cycles", &how);
        }
        if let Some((permille, how)) = instructions::permille(host, line) {
            let path = "processors.core_permille";
            let unit = "cycles for a thousand instructions";
            self.derived_number(path, permille, unit, &how);
            let row = host
                .row
                .is_none_or(|row| row.alone.is_alone && row.fetched.is_alone);
            let buffer = host.call(Call::PacketBuffer).is_none_or(|it| it.is_alone);
            if !(row && buffer) {
                self.doubt(path, BESIDE_ANOTHER_GUEST);
            }
        }
    }

    /// Adds what was derived from a measured number, rounded, with its interval.
    fn derived_number(&mut self, path: &'static str, number: Estimate, unit: &str, how: &str) {
        self.judge(path, number, unit);
        let text = format!("{how}: {}", interval(number, unit));
        self.derived(path, json!(rounded(number)), &text);
    }

    pub(super) fn derived(&mut self, path: &'static str, value: Value, text: &str) {
        self.parameters.push(Parameter {
            path,
            value,
            source: json!({ "text": text, "standing": "derived" }),
        });
    }
}

/// The median as a whole number; none is negative.
fn rounded(number: Estimate) -> u64 {
    number.median.round().max(0.0) as u64
}

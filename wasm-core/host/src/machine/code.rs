//! The cost of the kernel's code: executing instructions, and fetching lines of code.

use serde_json::json;

use super::{Measured, Parameter};
use crate::host::{Call, Host};
use crate::instructions;

impl Measured {
    /// Adds the cost of instructions and of fetching lines of code.
    pub(super) fn code(&mut self, host: &Host) {
        let fetched = instructions::line_cycles(host);
        let line = fetched.as_ref().map_or(0, |(cycles, _)| *cycles);
        if let (Some((kib, ways)), Some((cycles, how))) = (host.topology.instructions, fetched) {
            let text = "the first cache of instructions in /sys";
            self.put("cache.instructions.kib", json!(kib), text);
            self.put("cache.instructions.ways", json!(ways), text);
            self.derived("cache.instructions.line_cycles", cycles, &how);
        }
        if let Some((permille, how)) = instructions::permille(host, line) {
            self.derived("processors.core_permille", permille, &how);
            let row = host
                .row
                .is_none_or(|row| row.alone.is_alone && row.fetched.is_alone);
            let buffer = host.call(Call::PacketBuffer).is_none_or(|it| it.is_alone);
            if !(row && buffer) {
                self.beside.push("processors.core_permille");
            }
        }
    }

    pub(super) fn derived(&mut self, path: &'static str, value: u64, text: &str) {
        self.parameters.push(Parameter {
            path,
            value: json!(value),
            source: json!({ "text": text, "standing": "derived" }),
        });
    }
}

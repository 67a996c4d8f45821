//! A measured host as a machine file of the simulator: what was measured with how, and what user space
//! cannot measure taken over from a machine that the file is `based_on`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sim::config::machine::Machine;

use crate::host::{Call, Host};
use crate::statistics::Estimate;

mod cache;
mod code;
mod noise;

/// A machine file, as text and as what was found to be wrong with it.
#[derive(Debug, Clone)]
pub struct MachineFile {
    /// The text of the file.
    pub text: String,
    /// Parameters whose interval is so wide that they say nothing: path, cycles or ns.
    pub absurd: Vec<(&'static str, Estimate)>,
}

/// A parameter with its source.
struct Parameter {
    path: &'static str,
    value: Value,
    source: Value,
}

/// Groups of which some stays as the base has it, and what. A parameter that neither was measured nor
/// has a source here keeps that of the base.
const TAKEN_OVER: &[(&str, &str)] = &[
    (
        "processors",
        "user space has no device to interrupt it (interrupt_ns)",
    ),
    ("cache", "what was not measured"),
    ("copy", "what was not measured"),
    (
        "interrupt_routing",
        "user space has no device to interrupt it",
    ),
    ("nics", "user space cannot see what a driver costs"),
];

/// The machine file of a host, `based_on` another machine.
pub fn machine_file(host: &Host, name: &str, base: &Machine) -> MachineFile {
    let mut measured = Measured {
        cycle: host.cycle.median,
        parameters: Vec::new(),
        absurd: Vec::new(),
    };
    measured.processors(host);
    measured.noise(host);
    measured.cache(host);
    measured.copies(host);
    let taken = TAKEN_OVER
        .iter()
        .filter(|(path, _)| *path != "nics" || !base.nics.is_empty());
    let taken = taken.map(|(path, why)| {
        let source = json!({
            "text": format!("taken over from {}: {why}", base.name),
            "derived_from": [format!("machines/{}", base.name)],
        });
        (*path, source)
    });
    let Measured {
        parameters, absurd, ..
    } = measured;
    let mut text = String::from("{\n");
    let kind = if host.topology.is_virtual {
        "virtual machine"
    } else {
        "machine"
    };
    let (model, cpus) = (&host.topology.model, host.topology.cpus.len());
    let about = format!(
        "A {kind} with {cpus} CPUs of the kind {model}, measured from user space under Linux {} by `ringside measure-host`; what user space cannot measure, such as NICs and drivers, is that of {}.",
        host.topology.kernel, base.name
    );
    let heads = [
        ("name", name.to_owned()),
        (
            "title",
            format!("{model}, {cpus} CPUs ({kind}), as measured"),
        ),
        ("about", about),
        ("based_on", base.name.clone()),
    ];
    for (field, value) in heads {
        let _ = writeln!(text, "  \"{field}\": {},", json!(value));
    }
    for group in ["processors", "cache", "copy"] {
        let _ = writeln!(text, "  \"{group}\": {},", fields(group, &parameters));
    }
    let measured = parameters.iter().map(|one| (one.path, one.source.clone()));
    let sources = measured.chain(taken);
    let sources: Vec<String> = sources
        .map(|(path, source)| format!("    {}: {source}", json!(path)))
        .collect();
    let _ = writeln!(text, "  \"sources\": {{\n{}\n  }}", sources.join(",\n"));
    text.push_str("}\n");
    MachineFile { text, absurd }
}

/// What stands below a path as JSON, in the order of the parameters.
fn fields(path: &str, parameters: &[Parameter]) -> String {
    let mut fields: Vec<String> = Vec::new();
    let mut last = "";
    for one in parameters {
        let below = one.path.strip_prefix(path);
        let Some(below) = below.and_then(|below| below.strip_prefix('.')) else {
            continue;
        };
        let name = below.split('.').next().unwrap_or(below);
        if name == below {
            fields.push(format!("\"{name}\": {}", one.value));
        } else if name != last {
            let inner = self::fields(&format!("{path}.{name}"), parameters);
            fields.push(format!("\"{name}\": {inner}"));
        }
        last = name;
    }
    format!("{{ {} }}", fields.join(", "))
}

/// Parameters as they come together.
struct Measured {
    /// ns of a cycle.
    cycle: f64,
    parameters: Vec<Parameter>,
    absurd: Vec<(&'static str, Estimate)>,
}

impl Measured {
    fn put(&mut self, path: &'static str, value: Value, text: &str) {
        self.parameters.push(Parameter {
            path,
            value,
            source: json!({ "text": text, "standing": "measured" }),
        });
    }

    /// A number with its interval, rounded. One is the least, as the simulator takes a time of nothing for one
    /// that is missing: two CPUs that are threads of one core hand each other lines in no time that can be told,
    /// and that it is less than one is certain enough.
    fn number(&mut self, path: &'static str, number: Estimate, unit: &str, how: &str) {
        let is_below_one = -1.0 < number.low && number.high < 1.0;
        if number.is_absurd() && !is_below_one {
            self.absurd.push((path, number));
        }
        let value = number.median.round().max(1.0) as u64;
        let text = format!("{how}: {}", interval(number, unit));
        self.put(path, json!(value), &text);
    }

    /// A time in ns as cycles.
    fn cycles(&mut self, path: &'static str, time: Estimate, how: &str) {
        self.number(path, time.times(1.0 / self.cycle), "cycles", how);
    }

    fn processors(&mut self, host: &Host) {
        let topology = &host.topology;
        let threads = topology.threads_per_core;
        let cores = (topology.cpus.len() / threads).max(1);
        self.put(
            "processors.cores",
            json!(cores),
            "sched_getaffinity and the topology in /sys",
        );
        self.put(
            "processors.threads_per_core",
            json!(threads),
            "the topology in /sys",
        );
        let khz = Estimate {
            median: 1e6 / host.cycle.median,
            low: 1e6 / host.cycle.high,
            high: 1e6 / host.cycle.low,
            ..host.cycle
        };
        let how = "a chain of additions and exclusive-ors, each of a cycle";
        self.number("processors.clock_khz", khz, "kHz", how);
        self.code(host);
        self.cycles(
            "processors.locked_cycles",
            host.locked,
            "atomic additions to one word",
        );
        if let Some(interrupt) = host.call(Call::Interrupt) {
            let ways: Vec<f64> = host.ways.iter().map(|(_, way)| way.median).collect();
            let back = ways.get(ways.len() / 2).copied().unwrap_or(0.0);
            let there = Estimate {
                median: interrupt.median - back,
                low: interrupt.low - back,
                high: interrupt.high - back,
                ..interrupt
            };
            let how =
                "membarrier to a CPU that is busy in user space, less the way of the answer's line";
            self.number("processors.ipi_ns", there, "ns", how);
        }
        self.halted(host);
        let polls = topology.polls_idle.as_deref();
        let how = polls.unwrap_or("no idle=poll and no haltpoll");
        self.put("processors.idle_polls", json!(polls.is_some()), how);
    }

    /// What an interrupt takes that ends another CPU's halt: of a wake-up by a pipe, what it takes more than
    /// one on the same CPU, and what the waker pays of it.
    fn halted(&mut self, host: &Host) {
        let calls = [Call::WakeUp, Call::Switch, Call::Waking].map(|call| host.call(call));
        let [Some(there), Some(here), Some(waking)] = calls else {
            return;
        };
        let more = Estimate {
            median: there.median - here.median,
            low: there.low - here.high,
            high: there.high - here.low,
            ..there
        };
        let how = "to a sleeping task of another CPU by a pipe, less the same on one CPU";
        self.number("processors.halted_ipi_ns", more, "ns", how);
        let how = "a write to a pipe that wakes a task of another CPU, less one that wakes nobody";
        self.number("processors.halted_send_ns", waking, "ns", how);
    }

    /// Of copies whose ends are aligned: no other is made where the NIC aligns frames.
    fn copies(&mut self, host: &Host) {
        let mut both = host.copies.iter().filter(|(_, is_aligned, _)| *is_aligned);
        if let (Some((_, _, from)), Some((_, _, to))) = (both.next(), both.next()) {
            let how = "read() and write() of a file in memory, by the length within a page; the mean of both ways";
            if let Some(time) = Estimate::mean(from.kib, to.kib) {
                self.cycles("copy.movsd_aligned.cycles_per_kib", time, how);
            }
            if let Some(time) = Estimate::mean(from.start, to.start) {
                // A few cycles, often too few to tell from none: its interval is not held against it.
                let cycles = time.times(1.0 / self.cycle);
                let text = format!(
                    "what is left of the same without the bytes, and without a call for one byte: {}",
                    interval(cycles, "cycles")
                );
                let value = cycles.median.round().max(0.0) as u64;
                self.put("copy.movsd_aligned.start_cycles", json!(value), &text);
            }
        }
        self.cycles(
            "copy.checksum.cycles_per_kib",
            host.checksum,
            "64-bit words of a page summed up with their carries in user space",
        );
        // Loads, and what waits for them, are the sum's; stores wait for nothing.
        let value = (host.checksum.median / self.cycle).round() as u64;
        let how = "as long as a sum alone";
        self.derived("copy.checksum_and_copy.cycles_per_kib", value, how);
    }
}

/// `12.3 cycles (95 % 12.1 to 12.6, 41 turns)`.
pub fn interval(estimate: Estimate, unit: &str) -> String {
    let Estimate {
        median,
        low,
        high,
        turns,
        ..
    } = estimate;
    let digits = usize::from(median.abs() < 100.0);
    format!("{median:.digits$} {unit} (95 % {low:.digits$} to {high:.digits$}, {turns} turns)")
}

#[cfg(test)]
mod tests;

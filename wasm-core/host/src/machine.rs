//! A measured host as a machine file of the simulator: each value with how it was measured, and what user space
//! cannot measure taken over from the machine in `based_on`.

use std::fmt::{self, Write as _};

use serde_json::{Value, json};
use sim::config::machine::Machine;

use crate::host::{Call, Host};
use crate::statistics::Estimate;

mod cache;
mod code;
mod noise;

/// A machine file, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct MachineFile {
    /// The text of the file.
    pub text: String,
    /// Parameters that are of no use, and why.
    pub doubts: Vec<Doubt>,
}

/// A parameter that is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The parameter.
    pub path: &'static str,
    /// What is wrong with it, as the end of a sentence that the path begins.
    pub why: String,
}

impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} {}", self.path, self.why)
    }
}

/// What is to be said of a parameter on which all predictions rest, and which a neighbour made dearer.
const BESIDE_ANOTHER_GUEST: &str =
    "was measured while another guest was busy on the same core: it is too dear by up to a third";

/// A parameter and its source.
struct Parameter {
    path: &'static str,
    value: Value,
    source: Value,
}

/// Groups in which some parameters are the base's, and which. A parameter that was neither measured nor has a
/// source here keeps the base's value and source.
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
        doubts: Vec::new(),
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
        parameters, doubts, ..
    } = measured;
    let mut text = String::from("{\n");
    let kind = if host.topology.is_virtual {
        "virtual machine"
    } else {
        "machine"
    };
    let model = &host.topology.model;
    let cpus = match host.topology.cpus.len() {
        1 => "1 CPU".to_owned(),
        several => format!("{several} CPUs"),
    };
    let about = format!(
        "A {kind} with {cpus} of the kind {model}, measured from user space under Linux {} by `ringside measure-host`; what user space cannot measure, such as NICs and drivers, is that of {}.",
        host.topology.kernel, base.name
    );
    let heads = [
        ("name", name.to_owned()),
        ("title", format!("{model}, {cpus} ({kind}), as measured")),
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
    MachineFile { text, doubts }
}

/// The parameters below a path as JSON, in their order.
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

/// The parameters measured so far.
struct Measured {
    /// Duration of a cycle in ns.
    cycle: f64,
    parameters: Vec<Parameter>,
    doubts: Vec<Doubt>,
}

impl Measured {
    fn put(&mut self, path: &'static str, value: Value, text: &str) {
        self.parameters.push(Parameter {
            path,
            value,
            source: json!({ "text": text, "standing": "measured" }),
        });
    }

    fn doubt(&mut self, path: &'static str, why: impl Into<String>) {
        let why = why.into();
        self.doubts.push(Doubt { path, why });
    }

    /// Doubts a number whose interval is too wide. That one is less than 1 is certain enough.
    fn judge(&mut self, path: &'static str, number: Estimate, unit: &str) {
        if number.is_implausible() && !number.is_below_one() {
            self.doubt(
                path,
                format!("is too uncertain: {}", interval(number, unit)),
            );
        }
    }

    /// Adds a number with its interval, rounded, and at least 1, as the simulator takes 0 for a missing time:
    /// two hyper-threads of a core exchange lines in no measurable time.
    fn number(&mut self, path: &'static str, number: Estimate, unit: &str, how: &str) {
        self.judge(path, number, unit);
        let value = number.median.round().max(1.0) as u64;
        let text = format!("{how}: {}", interval(number, unit));
        self.put(path, json!(value), &text);
    }

    /// Adds a time in ns, converted to cycles.
    fn cycles(&mut self, path: &'static str, time: Estimate, how: &str) {
        self.number(path, time.times(1.0 / self.cycle), "cycles", how);
    }

    fn processors(&mut self, host: &Host) {
        let topology = &host.topology;
        let (cores, threads) = (topology.cores, topology.threads_per_core);
        self.put(
            "processors.cores",
            json!(cores),
            "sched_getaffinity and the topology in /sys",
        );
        self.put(
            "processors.threads_per_core",
            json!(threads),
            if threads < topology.siblings {
                "sched_getaffinity and the topology in /sys: not all threads of a core may be used"
            } else {
                "the topology in /sys"
            },
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
            let there = interrupt.plus(-back);
            let how =
                "membarrier to a CPU that is busy in user space, less the way of the answer's line";
            self.number("processors.ipi_ns", there, "ns", how);
        }
        self.halted(host);
        let polls = topology.polls_idle.as_deref();
        let how = polls.unwrap_or("no idle=poll and no haltpoll");
        self.put("processors.idle_polls", json!(polls.is_some()), how);
    }

    /// The cost of an interrupt that ends another CPU's halt: the time of a wake-up through a pipe minus that
    /// on one CPU, and the waker's part of it.
    fn halted(&mut self, host: &Host) {
        let calls = [Call::WakeUp, Call::Switch, Call::Waking].map(|call| host.call(call));
        let [Some(there), Some(here), Some(waking)] = calls else {
            return;
        };
        let more = there.less(here);
        let how = "to a sleeping task of another CPU by a pipe, less the same on one CPU";
        self.number("processors.halted_ipi_ns", more, "ns", how);
        let how = "a write to a pipe that wakes a task of another CPU, less one that wakes nobody";
        self.number("processors.halted_send_ns", waking, "ns", how);
    }

    /// Aligned copies only: other copies do not occur if the NIC aligns frames.
    fn copies(&mut self, host: &Host) {
        let mut both = host.copies.iter().filter(|(_, is_aligned, _)| *is_aligned);
        if let (Some((_, _, from)), Some((_, _, to))) = (both.next(), both.next()) {
            let how = "read() and write() of a file in memory, by the length within a page; the mean of both ways";
            if let Some(time) = Estimate::mean(from.kib, to.kib) {
                self.cycles("copy.movsd_aligned.cycles_per_kib", time, how);
            }
            if let Some(time) = Estimate::mean(from.start, to.start) {
                // A few cycles, often indistinguishable from none: a wide interval is accepted.
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
        // Loads and the instructions that depend on them belong to the checksum; stores delay nothing.
        let value = (host.checksum.median / self.cycle).round() as u64;
        let how = "as long as a sum alone";
        self.derived("copy.checksum_and_copy.cycles_per_kib", json!(value), how);
    }
}

/// `12.3 cycles (95 % 12.1 to 12.6, 41 turns)`, and whether a neighbour was busy meanwhile.
pub fn interval(estimate: Estimate, unit: &str) -> String {
    let Estimate {
        median,
        low,
        high,
        turns,
        is_alone,
        ..
    } = estimate;
    let digits = usize::from(median.abs() < 100.0);
    let beside = if is_alone { "" } else { " beside a neighbour" };
    format!(
        "{median:.digits$} {unit} (95 % {low:.digits$} to {high:.digits$}, {turns} turns{beside})"
    )
}

#[cfg(test)]
mod tests;

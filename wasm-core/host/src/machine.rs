//! A measured host as a machine file of the simulator: what was measured with how, and what user space
//! cannot measure taken over from a machine that the file is `based_on`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sim::config::machine::Machine;

use crate::host::{Call, Host};
use crate::statistics::Estimate;

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

    fn cache(&mut self, host: &Host) {
        let topology = &host.topology;
        if let Some(kib) = topology.own_kib() {
            let how = "the last cache in /sys that a core has for itself";
            self.put("cache.kib", json!(kib), how);
        }
        self.put(
            "cache.line_bytes",
            json!(topology.line_bytes),
            "the cache's line in /sys",
        );
        let levels = |sizes: &[(u32, Estimate)]| {
            let level = |(kib, time): &(u32, Estimate)| {
                format!("{:.1} at {kib} KiB", time.median / host.cycle.median)
            };
            let levels: Vec<String> = sizes.iter().map(level).collect();
            levels.join(", ")
        };
        if let [.., (kib, read)] = host.reads[..] {
            let how = format!(
                "reads that wait for each other over {kib} KiB (cycles by size: {})",
                levels(&host.reads)
            );
            self.cycles("cache.memory_read_cycles", read, &how);
        }
        if let [.., (kib, write)] = host.writes[..] {
            let how = format!(
                "the same with a write to each line over {kib} KiB (cycles by size: {})",
                levels(&host.writes)
            );
            self.cycles("cache.memory_write_cycles", write, &how);
        }
        if let Some(shared) = host.shared {
            for (path, time, how) in [
                (
                    "cache.transfer_read_cycles",
                    shared.read_changed,
                    "reads of lines that another CPU has changed",
                ),
                (
                    "cache.transfer_write_cycles",
                    shared.take_changed,
                    "writes to lines that another CPU has changed, less those to lines that are here",
                ),
                (
                    "cache.upgrade_cycles",
                    shared.upgrade,
                    "writes to lines that two CPUs have read, less those to lines that are here",
                ),
            ] {
                if let Some(time) = time {
                    self.cycles(path, time, how);
                }
            }
        }
        if let Some((kib, more)) = host.handed {
            // A few cycles, often too few to tell from none: its interval is not held against it.
            let cycles = more.times(1.0 / self.cycle);
            let text = format!(
                "a line of read() or write() of a file in memory of {kib} KiB that another CPU went through \
                 before, less one that this CPU did; the mean of both ways: {}",
                interval(cycles, "cycles")
            );
            let value = cycles.median.round().max(0.0) as u64;
            self.put("cache.transfer_stream_cycles", json!(value), &text);
        }
        self.shared_cache(host);
        if let [(_, hot), .., (kib, cold)] = host.streams[..] {
            let more = Estimate {
                median: cold.median - hot.median,
                low: cold.low - hot.high,
                high: cold.high - hot.low,
                ..cold
            };
            let how = format!(
                "a line of read() from a file in memory of {kib} KiB, less one of a small file (cycles by size: {})",
                levels(&host.streams)
            );
            self.cycles("cache.stream_read_cycles", more, &how);
        }
    }

    /// The last cache, which others share: as much of it as this host was found to have, and its prices
    /// in a region of twice a core's own cache.
    fn shared_cache(&mut self, host: &Host) {
        let Some(own) = host.topology.own_kib() else {
            return;
        };
        let beyond = |sizes: &[(u32, Estimate)]| {
            let mut beyond = sizes.iter().copied();
            beyond.find(|(kib, _)| *kib >= 2 * own)
        };
        let (Some((_, small)), Some((_, cold))) = (host.streams.first(), host.streams.last())
        else {
            return;
        };
        let (Some((kib, read)), Some((_, stream))) = (beyond(&host.reads), beyond(&host.streams))
        else {
            return;
        };
        let halfway = f64::midpoint(stream.median, cold.median);
        let mut largest = host.streams.iter().rev();
        let largest = largest.find(|(_, line)| line.median < halfway);
        let Some((most, _)) = largest.filter(|(most, _)| *most >= 2 * own) else {
            return;
        };
        self.put(
            "cache.shared_kib",
            json!(most),
            "the largest region of which a line of a kernel's copy costs less than halfway from one of \
             twice a core's own cache to one of memory",
        );
        let how = format!(
            "reads that wait for each other over {kib} KiB, a part of which is in a core's own cache"
        );
        self.cycles("cache.shared_read_cycles", read, &how);
        let more = |one: f64, small: f64| (one - small).max(0.0) / host.cycle.median;
        let read = more(stream.median, small.median);
        let (Some((_, small)), Some((_, stored))) = (host.stored.first(), beyond(&host.stored))
        else {
            return;
        };
        let stored = more(stored.median, small.median);
        let text = format!(
            "a line of read() from and write() to a file in memory of {kib} KiB, less one of a small file: \
             {read:.1} and {stored:.1} cycles; the mean of both ways"
        );
        let mean = f64::midpoint(read, stored).round() as u64;
        self.put("cache.shared_stream_cycles", json!(mean), &text);
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

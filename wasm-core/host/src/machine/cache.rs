//! The cost of caches and memory: a single line and a sequential one, from memory, from a shared cache and from
//! another CPU.

use serde_json::json;

use super::{Measured, interval};
use crate::host::Host;
use crate::statistics::Estimate;

impl Measured {
    /// The private cache of a core, memory, and the cost of another CPU's lines.
    pub(super) fn cache(&mut self, host: &Host) {
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
        self.first_cache(host);
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
            if kib < 2 * topology.largest_kib() {
                let why = format!(
                    "is of {kib} KiB, and more than half of that may have been in the largest cache ({} KiB): \
                     too little memory was available",
                    topology.largest_kib()
                );
                for path in ["cache.memory_read_cycles", "cache.memory_write_cycles"] {
                    self.doubt(path, why.clone());
                }
            }
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
        if host.was_moved {
            let path = "cache.transfer_read_cycles";
            self.doubt(
                path,
                "was another one afterwards: a hypervisor moved the CPUs",
            );
        }
        if let Some((kib, more)) = host.handed {
            // A few cycles, often indistinguishable from none: a wide interval is accepted.
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
            let more = cold.less(hot);
            let how = format!(
                "a line of read() from a file in memory of {kib} KiB, less one of a small file (cycles by size: {})",
                levels(&host.streams)
            );
            self.cycles("cache.stream_read_cycles", more, &how);
        }
    }

    /// A core's first cache of data, and what a copy takes longer for what is not in it.
    fn first_cache(&mut self, host: &Host) {
        let (Some(first), Some((kib, read, written))) =
            (host.topology.first_kib(), host.beyond_first)
        else {
            return;
        };
        self.put(
            "cache.data.kib",
            json!(first),
            "the first cache of data in /sys",
        );
        let [read, written] = [read, written].map(|more| more.times(1.0 / self.cycle));
        let text = format!(
            "1024 bytes of read() and write() within pages of a file in memory that go round {kib} KiB, and so does \
             the buffer, less those of one page: {} and {}; half of the mean, as neither source nor destination is in \
             the first cache",
            interval(read, "cycles"),
            interval(written, "cycles")
        );
        let half = f64::midpoint(read.median, written.median) / 2.0;
        self.put(
            "cache.data.cycles_per_kib",
            json!(half.round().max(0.0) as u64),
            &text,
        );
    }

    /// The last-level cache, which is shared: the size that this host was found to have, and the costs in a
    /// region of twice a core's private cache.
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
        let more = |one: Estimate, small: &Estimate| one.less(*small).times(1.0 / self.cycle);
        let read = more(stream, small);
        let (Some((_, small)), Some((_, stored))) = (host.stored.first(), beyond(&host.stored))
        else {
            return;
        };
        let stored = more(stored, small);
        // A few cycles, often indistinguishable from none: a wide interval is accepted.
        let text = format!(
            "a line of read() from and write() to a file in memory of {kib} KiB, less one of a small file: \
             {} and {}; the mean of both ways",
            interval(read, "cycles"),
            interval(stored, "cycles")
        );
        let mean = f64::midpoint(read.median.max(0.0), stored.median.max(0.0)).round() as u64;
        self.put("cache.shared_stream_cycles", json!(mean), &text);
    }
}

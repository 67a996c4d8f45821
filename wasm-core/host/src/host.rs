//! All that is measured of a host, one thing after the other, in under a minute.

use std::io;

use crate::calls;
use crate::code::{self, Row};
use crate::copies::{self, Hot, Way};
use crate::cpus::{Topology, pin};
use crate::lines::{self, Shared};
use crate::memory;
use crate::noise::{self, Noise};
use crate::quiet;
use crate::statistics::Estimate;

/// Pairs of more CPUs than this are not all measured: a host of 256 has 32,640 of them.
const MOST_CPUS_IN_PAIRS: usize = 12;
/// CPUs whose noise is looked at, two seconds each.
const MOST_CPUS_FOR_NOISE: usize = 4;
/// Times that a pair is measured while the host of a virtual machine moves its CPUs.
const MOST_MOVES: usize = 2;
/// A line's way is as it was within this part of it.
const AS_BEFORE: f64 = 0.15;
/// The largest region that is read, in KiB.
const LARGEST_KIB: u32 = 256 << 10;

/// What was measured; times in ns.
#[derive(Debug, Clone)]
pub struct Host {
    /// What the kernel tells of its CPUs.
    pub topology: Topology,
    /// A clock cycle.
    pub cycle: Estimate,
    /// Reads by the KiB that are gone through, the smallest region first; the last one is memory.
    pub reads: Vec<(u32, Estimate)>,
    /// The same with a write to each line.
    pub writes: Vec<(u32, Estimate)>,
    /// A line of a copy by the kernel to the user, by the KiB of its source.
    pub streams: Vec<(u32, Estimate)>,
    /// A line of a copy by the kernel from the user, by the KiB of where it goes.
    pub stored: Vec<(u32, Estimate)>,
    /// The kernel's copies within the caches: which way, whether aligned.
    pub copies: Vec<(Way, bool, Hot)>,
    /// A KiB of a checksum.
    pub checksum: Estimate,
    /// A locked instruction.
    pub locked: Estimate,
    /// A line's way between two CPUs, the shortest first.
    pub ways: Vec<((usize, usize), Estimate)>,
    /// What lines of another CPU cost, of the pair in the middle of `ways`; none where there is one CPU only.
    pub shared: Option<Shared>,
    /// What a line of a copy costs more where that CPU had it, in a region of so many KiB, half of a core's
    /// own cache.
    pub handed: Option<(u32, Estimate)>,
    /// Short calls of many kinds, each by itself, and where each has driven out the code of the others.
    pub row: Option<Row>,
    /// Calls into the kernel and ways between tasks: what, how, ns.
    pub calls: Vec<(Call, Estimate)>,
    /// What takes CPUs away for moments; none where that could not be told.
    pub noise: Option<Noise>,
}

/// A way into, out of or through the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A system call that does nothing.
    SystemCall,
    /// Reading the clock.
    Clock,
    /// How much longer a sleep is than was asked.
    Timer,
    /// A page that was never touched.
    Page,
    /// A packet's buffer.
    PacketBuffer,
    /// From a task to another one of the same CPU.
    Switch,
    /// From a task to a sleeping one of another CPU.
    WakeUp,
    /// What the first of them pays for it.
    Waking,
    /// An interrupt to another CPU and its answer.
    Interrupt,
}

impl Host {
    /// Measures the host. Says what it is at with `tell`.
    pub fn measure(mut tell: impl FnMut(&str)) -> io::Result<Self> {
        let topology = Topology::read()?;
        let Some(&first) = topology.cpus.first() else {
            return Err(io::Error::other("no CPU may be used"));
        };
        pin(first)?;
        tell("clock");
        quiet::learn(&[first])?;
        let cycle = needed("a clock cycle", memory::cycle())?;
        tell("memory");
        let sizes = sizes(&topology);
        let by_size = |is_write| {
            let touch = |&kib| needed("reads", memory::touch(kib, is_write)).map(|ns| (kib, ns));
            sizes.iter().map(touch).collect::<io::Result<Vec<_>>>()
        };
        let (reads, writes) = (by_size(false)?, by_size(true)?);
        tell("copies");
        let stream = |way| {
            let line =
                |&kib| needed("a stream", copies::stream_line(kib, way)?).map(|ns| (kib, ns));
            sizes.iter().map(line).collect::<io::Result<Vec<_>>>()
        };
        let (streams, stored) = (stream(Way::ToUser)?, stream(Way::FromUser)?);
        let kinds = [Way::FromUser, Way::ToUser].map(|way| [(way, true), (way, false)]);
        let copy = |(way, is_aligned)| {
            let hot = copies::hot(way, if is_aligned { 0 } else { 3 })?;
            Ok((way, is_aligned, hot))
        };
        let copies = kinds.into_iter().flatten().map(copy);
        let copies = copies.collect::<io::Result<_>>()?;
        let checksum = needed("a checksum", memory::checksum_kib())?;
        let locked = needed("a locked instruction", memory::locked())?;
        tell("cache lines between CPUs");
        let mut ways = Vec::new();
        for pair in pairs(&topology.cpus) {
            ways.push((pair, needed("a line's way", lines::way(pair)?)?));
        }
        // One price for all pairs is what a machine file has: that of the pair in the middle.
        ways.sort_by(|(_, one), (_, other)| one.median.total_cmp(&other.median));
        let apart = ways.get(ways.len() / 2).map(|(pair, _)| *pair);
        let kib = topology.own_kib().map_or(64, |kib| kib / 2);
        let between = apart.map(|pair| Between::measure(pair, kib)).transpose()?;
        tell("code that is there, and code that is fetched");
        let row = code::row()?;
        tell("calls, switches and wake-ups");
        let mut calls = vec![
            (Call::SystemCall, calls::system_call()),
            (Call::Clock, calls::clock()),
            (Call::Timer, calls::timer()),
            (Call::Page, calls::page()),
            (Call::PacketBuffer, calls::packet_buffer()?),
            (Call::Switch, calls::pipe_way((first, first))?),
        ];
        if let (Some(between), Some(middle)) = (&between, ways.len().checked_div(2)) {
            calls.extend(between.calls);
            ways[middle].1 = between.way;
        }
        let told = |(call, estimate): (Call, Option<Estimate>)| estimate.map(|ns| (call, ns));
        let calls = calls.into_iter().filter_map(told).collect();
        tell("what takes CPUs away for moments");
        let some = &topology.cpus[..topology.cpus.len().min(MOST_CPUS_FOR_NOISE)];
        let noise = noise::measure(some)?;
        Ok(Self {
            topology,
            cycle,
            reads,
            writes,
            streams,
            stored,
            copies,
            checksum,
            locked,
            ways,
            shared: between.as_ref().map(|between| between.shared),
            handed: between.and_then(|between| between.handed),
            row,
            calls,
            noise,
        })
    }

    /// What a call takes, where it could be measured.
    pub fn call(&self, which: Call) -> Option<Estimate> {
        let mut calls = self.calls.iter();
        calls
            .find(|(call, _)| *call == which)
            .map(|&(_, estimate)| estimate)
    }
}

/// What lies between the two CPUs of a pair.
struct Between {
    way: Estimate,
    shared: Shared,
    handed: Option<(u32, Estimate)>,
    calls: [(Call, Option<Estimate>); 3],
}

impl Between {
    /// Measures a pair, again where a line's way is another one afterwards: the host of a virtual machine had moved them.
    fn measure(pair: (usize, usize), kib: u32) -> io::Result<Self> {
        let way = || needed("a line's way", lines::way(pair)?);
        let mut before = way()?;
        for _ in 1..MOST_MOVES {
            let between = Self::once(pair, kib, before)?;
            let after = way()?;
            if (after.median / before.median).ln().abs() < AS_BEFORE {
                return Ok(between);
            }
            before = after;
        }
        Self::once(pair, kib, before)
    }

    fn once(pair: (usize, usize), kib: u32, way: Estimate) -> io::Result<Self> {
        Ok(Self {
            way,
            shared: lines::shared(pair)?,
            handed: copies::handed_line(pair, kib)?.map(|more| (kib, more)),
            calls: [
                (Call::WakeUp, calls::pipe_way(pair)?),
                (Call::Waking, calls::waking(pair)?),
                (Call::Interrupt, calls::interrupt(pair)?),
            ],
        })
    }
}

fn needed(what: &str, estimate: Option<Estimate>) -> io::Result<Estimate> {
    estimate.ok_or_else(|| io::Error::other(format!("{what} could not be measured")))
}

/// Half of each cache, from twice the last one that a core has for itself on by doubling through the one
/// behind it, and four times what all of them hold together.
fn sizes(topology: &Topology) -> Vec<u32> {
    let halves = topology.caches.iter().map(|(kib, _)| (kib / 2).max(4));
    let mut sizes: Vec<u32> = halves.collect();
    let last = topology.caches.iter().map(|(kib, _)| *kib).max();
    if let (Some(own), Some(last)) = (topology.own_kib(), last) {
        let doubled = (1..).map(|doubling| own << doubling);
        sizes.extend(doubled.take_while(|kib| *kib <= last.max(2 * own)));
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes.push((4 * topology.all_kib()).clamp(64 << 10, LARGEST_KIB));
    sizes
}

/// Every pair of CPUs, of many CPUs those of some that are spread evenly.
fn pairs(cpus: &[usize]) -> Vec<(usize, usize)> {
    let some = cpus.len().min(MOST_CPUS_IN_PAIRS);
    let step = |index: usize| cpus[index * (cpus.len() - 1) / (some - 1).max(1)];
    let some: Vec<usize> = (0..some).map(step).collect();
    let mut pairs = Vec::new();
    for (index, &one) in some.iter().enumerate() {
        pairs.extend(some[index + 1..].iter().map(|&other| (one, other)));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_of_a_few_cpus_are_measured_and_some_of_many() {
        assert_eq!(pairs(&[0]), []);
        assert_eq!(pairs(&[2, 5]), [(2, 5)]);
        assert_eq!(pairs(&[0, 1, 2, 3]).len(), 6);
        let many: Vec<usize> = (0..256).collect();
        let some = pairs(&many);
        assert_eq!((some.len(), some.last()), (66, Some(&(231, 255))));
    }
}

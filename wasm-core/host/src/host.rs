//! Runs all measurements of a host in sequence, in a minute or two.

use std::io;
use std::time::Duration;

use crate::calls;
use crate::code::{self, Row};
use crate::copies::{self, Hot, Way};
use crate::cpus::{Topology, pin};
use crate::lines::{self, Shared};
use crate::memory;
use crate::noise::{self, Noise};
use crate::quiet;
use crate::statistics::Estimate;

/// With more CPUs than this, not all pairs are measured: a host of 256 has 32,640 of them.
const MOST_CPUS_IN_PAIRS: usize = 12;
/// Number of CPUs whose noise is measured, for two seconds each.
const MOST_CPUS_FOR_NOISE: usize = 4;
/// How often a pair is measured, at most, while a hypervisor moves its CPUs.
const MOST_TRIES: usize = 2;
/// Relative change of a line's transfer time that counts as unchanged.
const AS_BEFORE: f64 = 0.15;
/// The largest region that is read, in KiB, unless a cache is larger than half of that.
const LARGEST_KIB: u32 = 256 << 10;

/// The measurements of a host; times in ns.
#[derive(Debug, Clone)]
pub struct Host {
    /// The kernel's description of its CPUs.
    pub topology: Topology,
    /// Duration of a clock cycle.
    pub cycle: Estimate,
    /// Reading a line, by the size in KiB of the region, smallest first; the last region is in memory.
    pub reads: Vec<(u32, Estimate)>,
    /// The same with a write to each line.
    pub writes: Vec<(u32, Estimate)>,
    /// Copying a line to user memory, by the size in KiB of the source.
    pub streams: Vec<(u32, Estimate)>,
    /// Copying a line from user memory, by the size in KiB of the destination.
    pub stored: Vec<(u32, Estimate)>,
    /// By how much a KiB of a copy takes longer, by direction, where source and destination go round that many KiB
    /// each, a quarter of a core's own cache, which its first one does not hold; `None` if a core has only one cache.
    pub beyond_first: Option<(u32, Estimate, Estimate)>,
    /// Copies within the caches, by direction and whether aligned.
    pub copies: Vec<(Way, bool, Hot)>,
    /// The checksum of a KiB.
    pub checksum: Estimate,
    /// An instruction with the LOCK prefix.
    pub locked: Estimate,
    /// Transfer time of a line between two CPUs, shortest first.
    pub ways: Vec<((usize, usize), Estimate)>,
    /// The cost of another CPU's lines, for the median pair of `ways`; `None` if there is only one CPU.
    pub shared: Option<Shared>,
    /// Whether a hypervisor moved the CPUs of that pair each time that it was measured.
    pub was_moved: bool,
    /// Additional cost of copying a line that the other CPU had, in a region of this many KiB, half of a core's
    /// own cache.
    pub handed: Option<(u32, Estimate)>,
    /// Short calls of many kinds, each repeated, and in a sequence in which each evicts the code of the others.
    pub row: Option<Row>,
    /// System calls, task switches and wake-ups.
    pub calls: Vec<(Call, Estimate)>,
    /// Interruptions of CPUs; `None` if they could not be measured.
    pub noise: Option<Noise>,
}

/// A measured operation of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A system call that does nothing.
    SystemCall,
    /// Reading the clock.
    Clock,
    /// By how much a sleep exceeds the requested time.
    Timer,
    /// The first write to a page.
    Page,
    /// Allocation and release of a packet's buffer.
    PacketBuffer,
    /// A switch to another task on the same CPU.
    Switch,
    /// A wake-up of a task that sleeps on another CPU.
    WakeUp,
    /// The waker's part of it.
    Waking,
    /// An interrupt sent to another CPU, and its answer.
    Interrupt,
}

impl Host {
    /// Measures the host; `tell` reports progress. The values on which every prediction rests wait so long, each, for
    /// turns with an idle sibling.
    pub fn measure(patience: Duration, mut tell: impl FnMut(&str)) -> io::Result<Self> {
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
        let beyond_first = match (topology.first_kib(), topology.own_kib()) {
            (Some(first), Some(own)) if first < own => {
                let beyond = |way| needed("a copy by size", copies::beyond_first(way, own / 4)?);
                Some((own / 4, beyond(Way::ToUser)?, beyond(Way::FromUser)?))
            }
            _ => None,
        };
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
        // A machine file has one cost for all pairs: that of the median pair.
        ways.sort_by(|(_, one), (_, other)| one.median.total_cmp(&other.median));
        let apart = ways.get(ways.len() / 2).map(|(pair, _)| *pair);
        let kib = topology.own_kib().map_or(64, |kib| kib / 2);
        let between = apart.map(|pair| Between::measure(pair, kib)).transpose()?;
        tell("code that is there, and code that is fetched");
        let row = code::row(patience)?;
        tell("calls, switches and wake-ups");
        let system_call = needed("a system call", calls::system_call(patience))?;
        let mut calls = vec![
            (Call::SystemCall, Some(system_call)),
            (Call::Clock, calls::clock()),
            (Call::Timer, calls::timer()),
            (Call::Page, calls::page()),
            (
                Call::PacketBuffer,
                calls::packet_buffer(system_call, patience)?,
            ),
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
            beyond_first,
            copies,
            checksum,
            locked,
            ways,
            shared: between.as_ref().map(|between| between.shared),
            was_moved: between.as_ref().is_some_and(|between| between.was_moved),
            handed: between.and_then(|between| between.handed),
            row,
            calls,
            noise,
        })
    }

    /// The time of an operation, if it could be measured.
    pub fn call(&self, which: Call) -> Option<Estimate> {
        let mut calls = self.calls.iter();
        calls
            .find(|(call, _)| *call == which)
            .map(|&(_, estimate)| estimate)
    }
}

/// The measurements between the two CPUs of a pair.
struct Between {
    way: Estimate,
    shared: Shared,
    handed: Option<(u32, Estimate)>,
    calls: [(Call, Option<Estimate>); 3],
    /// Whether the time of a line was another one afterwards.
    was_moved: bool,
}

impl Between {
    /// Measures a pair, again if its line transfer time has changed meanwhile: a hypervisor had moved the CPUs.
    fn measure(pair: (usize, usize), kib: u32) -> io::Result<Self> {
        let way = || needed("a line's way", lines::way(pair)?);
        let mut before = way()?;
        let mut tries = 0;
        loop {
            let mut between = Self::once(pair, kib, before)?;
            let after = way()?;
            tries += 1;
            between.was_moved = (after.median / before.median).ln().abs() >= AS_BEFORE;
            if !between.was_moved || tries == MOST_TRIES {
                return Ok(between);
            }
            before = after;
        }
    }

    fn once(pair: (usize, usize), kib: u32, way: Estimate) -> io::Result<Self> {
        Ok(Self {
            way,
            was_moved: false,
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

/// Sizes in KiB, smallest first: half of each cache; from twice the last private cache, doubling through the cache
/// behind it; and a region in memory: four times the sum of all caches, or, where that is too large, twice the largest
/// cache, but half of the memory that is available at most.
fn sizes(topology: &Topology) -> Vec<u32> {
    let halves = topology.caches.iter().map(|(kib, _)| (kib / 2).max(4));
    let mut sizes: Vec<u32> = halves.collect();
    let largest = topology.largest_kib();
    if let Some(own) = topology.own_kib() {
        let doubled = (1..).map(|doubling| own << doubling);
        sizes.extend(doubled.take_while(|kib| *kib <= largest.max(2 * own)));
    }
    let memory = (4 * topology.all_kib()).clamp(64 << 10, LARGEST_KIB);
    let most = topology.available_kib.map_or(u32::MAX, |kib| kib / 2);
    let memory = memory.max(2 * largest).min(most);
    sizes.retain(|kib| *kib < memory);
    sizes.push(memory);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// All pairs of CPUs; with many CPUs, the pairs among some that are spread evenly.
pub fn pairs(cpus: &[usize]) -> Vec<(usize, usize)> {
    let some = cpus.len().min(MOST_CPUS_IN_PAIRS);
    let step = |index: usize| cpus[index * (cpus.len() - 1) / some.saturating_sub(1).max(1)];
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

    fn sizes_with(caches: Vec<(u32, usize)>, available_kib: Option<u32>) -> Vec<u32> {
        sizes(&Topology {
            model: String::new(),
            cpus: vec![0, 1],
            cores: 2,
            threads_per_core: 1,
            siblings: 1,
            caches,
            instructions: None,
            line_bytes: 64,
            available_kib,
            is_virtual: true,
            polls_idle: None,
            kernel: String::new(),
        })
    }

    #[test]
    fn the_last_region_is_in_memory_and_each_is_measured_once() {
        let small = || vec![(32, 1), (512, 1), (32_768, 8)];
        let sizes = sizes_with(small(), None);
        let all = 4 * (32 + 512 + 32_768);
        assert_eq!(
            sizes,
            [16, 256, 1024, 2048, 4096, 8192, 16_384, 32_768, all]
        );
        // A cache of 260 MiB, with which 256 MiB had been the last of the doubled sizes and the region in memory too.
        let large = || vec![(48, 1), (2048, 1), (266_240, 64)];
        let sizes = sizes_with(large(), None);
        assert_eq!(sizes[sizes.len() - 3..], [133_120, 262_144, 532_480]);
        assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
    }

    #[test]
    fn no_region_is_larger_than_half_of_the_memory_that_is_available() {
        let sizes = sizes_with(vec![(48, 1), (2048, 1), (266_240, 64)], Some(400_000));
        assert_eq!(sizes[sizes.len() - 2..], [133_120, 200_000]);
    }

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

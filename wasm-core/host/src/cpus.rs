//! The CPUs that this process may run on, their properties according to the kernel, and binding a thread to
//! one.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::context::Context;

/// The CPUs that this thread may run on, in order.
pub fn allowed() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect())
}

/// Binds this thread to one CPU.
pub fn pin(cpu: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(cpu);
    sched_setaffinity(None, &set).context(|| format!("cannot bind a thread to CPU {cpu}"))
}

/// The kernel's description of the CPUs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topology {
    /// Name of the processor in `/proc/cpuinfo`.
    pub model: String,
    /// CPUs that may be used.
    pub cpus: Vec<usize>,
    /// The cores that these are of.
    pub cores: usize,
    /// How many hardware threads of each core may be used. Where that differs from core to core, each CPU counts as
    /// a core of one.
    pub threads_per_core: usize,
    /// The hardware threads that the core of the first CPU has, whether they may be used or not.
    pub siblings: usize,
    /// Data caches of the first CPU, innermost first: KiB, and number of CPUs that share it.
    pub caches: Vec<(u32, usize)>,
    /// KiB of its first-level instruction cache, and lines in a set (associativity); `None` if it has none.
    pub instructions: Option<(u32, u32)>,
    /// Bytes of a line in its first-level cache.
    pub line_bytes: u32,
    /// KiB of memory that could be allocated (`MemAvailable`); `None` if the kernel does not say.
    pub available_kib: Option<u32>,
    /// Whether this is a guest of a hypervisor.
    pub is_virtual: bool,
    /// The setting because of which an idle CPU polls `need_resched` before it halts, so that waking it sends
    /// no interrupt; `None` if it halts at once.
    pub polls_idle: Option<String>,
    /// The kernel's name and version.
    pub kernel: String,
}

impl Topology {
    /// Reads them from `/proc` and `/sys`.
    pub fn read() -> io::Result<Self> {
        let cpus = allowed()?;
        let first = cpus.first().copied().unwrap_or(0);
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let of_cpu = |name: &str| line(&format!("/sys/devices/system/cpu/cpu{first}/{name}"));
        let siblings = |cpu: usize| {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            line(&path).unwrap_or_else(|| cpu.to_string())
        };
        let (cores, threads_per_core) = shape(&cpus, siblings);
        let of_cache = |index: u32, name: &str| of_cpu(&format!("cache/index{index}/{name}"));
        let is_of_code = |index: &u32| of_cache(*index, "type").as_deref() == Some("Instruction");
        let caches = (0..8)
            .filter(|index| !is_of_code(index))
            .filter_map(|index| {
                let cpus = listed(&of_cache(index, "shared_cpu_list")?);
                Some((kib(&of_cache(index, "size")?)?, cpus))
            });
        let of_code = (0..8).find(is_of_code);
        Ok(Self {
            model: field(&info, "model name").unwrap_or_else(|| "processor".to_owned()),
            cores,
            threads_per_core,
            siblings: listed(&siblings(first)).max(1),
            caches: caches.collect(),
            instructions: of_code.and_then(|index| {
                let ways = of_cache(index, "ways_of_associativity")?;
                Some((kib(&of_cache(index, "size")?)?, ways.parse().ok()?))
            }),
            line_bytes: of_cpu("cache/index0/coherency_line_size")
                .and_then(|bytes| bytes.parse().ok())
                .unwrap_or(64),
            available_kib: available_kib(),
            is_virtual: field(&info, "flags")
                .is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor")),
            polls_idle: polls_idle(),
            // The vendor's suffix after the version is dropped.
            kernel: line("/proc/sys/kernel/osrelease")
                .and_then(|text| Some(text.split('-').next()?.to_owned()))
                .unwrap_or_default(),
            cpus,
        })
    }

    /// KiB of the last-level cache that no other core shares.
    pub fn own_kib(&self) -> Option<u32> {
        let mut own = self.caches.iter();
        let own = own.rfind(|(_, cpus)| *cpus <= self.siblings);
        own.map(|(kib, _)| *kib)
    }

    /// KiB of a core's first cache of data.
    pub fn first_kib(&self) -> Option<u32> {
        self.caches.iter().map(|(kib, _)| *kib).min()
    }

    /// KiB of the largest cache; 0 if the kernel tells of none.
    pub fn largest_kib(&self) -> u32 {
        self.caches.iter().map(|(kib, _)| *kib).max().unwrap_or(0)
    }

    /// KiB of all caches of a CPU together.
    pub fn all_kib(&self) -> u32 {
        self.caches.iter().map(|(kib, _)| kib).sum()
    }
}

fn polls_idle() -> Option<String> {
    let options = line("/proc/cmdline").unwrap_or_default();
    if options.split(' ').any(|option| option == "idle=poll") {
        return Some("idle=poll on the kernel's command line".to_owned());
    }
    let governor = line("/sys/devices/system/cpu/cpuidle/current_governor")?;
    let longest = line("/sys/module/haltpoll/parameters/guest_halt_poll_ns")?;
    let polls = governor == "haltpoll" && longest != "0";
    polls.then(|| format!("the governor haltpoll of cpuidle, for {longest} ns at most"))
}

fn available_kib() -> Option<u32> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let available = field(&info, "MemAvailable")?;
    let kib = available.strip_suffix(" kB")?.parse::<u64>().ok()?;
    Some(u32::try_from(kib).unwrap_or(u32::MAX))
}

/// The cores of some CPUs, and the threads of each, by the list of the siblings of each CPU.
fn shape(cpus: &[usize], siblings: impl Fn(usize) -> String) -> (usize, usize) {
    let mut cores: BTreeMap<String, usize> = BTreeMap::new();
    for &cpu in cpus {
        *cores.entry(siblings(cpu)).or_default() += 1;
    }
    let mut threads: Vec<usize> = cores.into_values().collect();
    let count = threads.len();
    threads.dedup();
    match threads[..] {
        [threads] => (count, threads),
        _ => (cpus.len().max(1), 1),
    }
}

/// The first line of a file, without surrounding space.
fn line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.trim().to_owned())
}

/// The value of a field of `/proc/cpuinfo`.
fn field(info: &str, name: &str) -> Option<String> {
    let mut pairs = info.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = pairs.find(|(field, _)| field.trim() == name)?;
    Some(value.trim().to_owned())
}

/// Number of CPUs in a list of the kernel: `0-3,8`.
fn listed(text: &str) -> usize {
    let parts = text.split(',').filter_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        Some((last + 1).saturating_sub(first))
    });
    parts.sum()
}

/// KiB of a size in the kernel's notation: `1024K`.
fn kib(size: &str) -> Option<u32> {
    match size.strip_suffix('M') {
        Some(mib) => mib.parse().ok().map(|mib: u32| mib * 1024),
        None => size.strip_suffix('K')?.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_sizes_of_the_kernel_are_read() {
        assert_eq!(
            (listed("0"), listed("0-3"), listed("0-1,8-9"), listed("")),
            (1, 4, 4, 0)
        );
        assert_eq!(
            (kib("48K"), kib("32M"), kib("many")),
            (Some(48), Some(32_768), None)
        );
    }

    #[test]
    fn cores_are_counted_of_the_cpus_that_may_be_used() {
        // Cores of two hardware threads each: 0 and 4, 1 and 5, 2 and 6, 3 and 7.
        let shape = |cpus: &[usize]| shape(cpus, |cpu| format!("{},{}", cpu % 4, cpu % 4 + 4));
        assert_eq!(shape(&[0, 1, 2, 3, 4, 5, 6, 7]), (4, 2));
        assert_eq!(shape(&[0, 4]), (1, 2));
        // Of two cores, one thread each.
        assert_eq!(shape(&[0, 2]), (2, 1));
        assert_eq!(shape(&[5]), (1, 1));
        // One core has both its threads here, and the other has one.
        assert_eq!(shape(&[0, 2, 4]), (3, 1));
    }

    #[test]
    fn a_field_of_cpuinfo_is_found_by_its_whole_name() {
        let info = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n";
        assert_eq!(field(info, "model name").as_deref(), Some("AMD EPYC"));
        assert_eq!(field(info, "flags"), None);
    }

    #[test]
    fn a_thread_that_is_bound_runs_there() {
        let last = *allowed().unwrap().last().unwrap();
        let there = std::thread::spawn(move || {
            pin(last).unwrap();
            (allowed().unwrap(), rustix::thread::sched_getcpu())
        });
        assert_eq!(there.join().unwrap(), (vec![last], last));
    }

    #[test]
    fn the_cache_of_ones_own_is_the_last_that_is_not_shared() {
        let topology = Topology {
            model: String::new(),
            cpus: vec![0, 1],
            cores: 2,
            threads_per_core: 1,
            siblings: 1,
            caches: vec![(48, 1), (1024, 1), (32_768, 2)],
            instructions: None,
            line_bytes: 64,
            available_kib: None,
            is_virtual: true,
            polls_idle: None,
            kernel: String::new(),
        };
        assert_eq!(topology.own_kib(), Some(1024));
        assert_eq!(topology.first_kib(), Some(48));
    }
}

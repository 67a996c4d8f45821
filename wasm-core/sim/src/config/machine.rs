//! A machine: processors, caches, copies, buses and NICs, as a data file says it.
//!
//! Every parameter has its unit in its name and its source in `sources`, by the
//! path of the parameter ("cache.memory_read_cycles") or of a group ("cache").
//! What such a source says is in `source`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::refusal::{Unfit, says};
use super::source::Source;

mod nic;

pub use nic::{Driver, Nic, RxData};

/// Largest cache, in KiB, whose lines can be counted: 1 GiB.
const MOST_KIB: u64 = 1 << 20;
/// Largest first cache of instructions, in KiB: the engine has each of its lines by itself.
const MOST_CODE_KIB: u64 = 4096;

/// A host's hardware.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// What scenarios call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// Which host of a study or of ours it stands for, and what of it was measured, in sentences.
    pub about: String,
    /// Its CPUs.
    pub processors: Processors,
    /// One cache for each core; absent: no cache costs at all, as in an emulator.
    #[serde(default)]
    pub cache: Option<Cache>,
    /// How fast it copies.
    pub copy: Copies,
    /// I/O buses, from the NIC towards memory.
    #[serde(default)]
    pub buses: Vec<Bus>,
    /// Network interfaces.
    #[serde(default)]
    pub nics: Vec<Nic>,
    /// Which CPU gets a device's interrupt.
    pub interrupt_routing: Routing,
    /// Where each parameter comes from.
    pub sources: BTreeMap<String, Source>,
}

impl Machine {
    /// The objects of a kernel that the steps of its NICs' drivers name.
    pub fn driver_objects(&self) -> impl Iterator<Item = &str> {
        let steps = self.nics.iter().flat_map(|nic| nic.driver.steps());
        let names = steps.flat_map(|step| step.reads.iter().chain(&step.writes));
        names.map(String::as_str)
    }

    /// Whether time, lines and frames can be counted on it; else the parameter that forbids it.
    pub fn check(&self) -> Result<(), Unfit> {
        let processors = &self.processors;
        let cpus = u32::from(processors.cores) * u32::from(processors.threads_per_core);
        let between = |name: &str, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            let [value, least, most] = [value, least, most].map(|number| number.to_string());
            Err(Unfit(says::between(name.to_owned(), value, least, most)))
        };
        between("processors.cores", u64::from(cpus), 1, 64)?;
        between(
            "processors.clock_khz",
            processors.clock_khz,
            1_000,
            100_000_000,
        )?;
        // A core that needs no time never gets on in it.
        let permille = u64::from(processors.core_permille);
        between("processors.core_permille", permille, 1, 1_000_000)?;
        let sibling = u64::from(processors.busy_sibling_permille);
        between("processors.busy_sibling_permille", sibling, 1, 1_000)?;
        for (index, noise) in processors.noise.iter().enumerate() {
            let name = |field: &str| format!("processors.noise.{index}.{field}");
            between(&name("per_second"), noise.per_second.into(), 1, 1_000_000)?;
            between(&name("ns"), noise.ns.into(), 1, 1_000_000_000)?;
        }
        if let Some(cache) = &self.cache {
            between("cache.kib", u64::from(cache.kib), 1, MOST_KIB)?;
            between("cache.line_bytes", u64::from(cache.line_bytes), 16, 256)?;
            between("cache.shared_kib", u64::from(cache.shared_kib), 0, MOST_KIB)?;
            if let Some(code) = cache.instructions {
                between(
                    "cache.instructions.kib",
                    u64::from(code.kib),
                    4,
                    MOST_CODE_KIB,
                )?;
                between("cache.instructions.ways", u64::from(code.ways), 1, 64)?;
            }
            if let Some(data) = cache.data {
                between("cache.data.kib", data.kib.into(), 4, MOST_KIB)?;
                between(
                    "cache.data.cycles_per_kib",
                    data.cycles_per_kib.into(),
                    0,
                    100_000,
                )?;
            }
            let is_missing = cache.transfer_read_cycles == 0 || cache.transfer_write_cycles == 0;
            if processors.cores > 1 && is_missing {
                return Err(
                    "cache.transfer_read_cycles or cache.transfer_write_cycles is missing, and cores hand each other lines"
                        .to_owned()
                        .into(),
                );
            }
        }
        for (index, bus) in self.buses.iter().enumerate() {
            let name = format!("buses.{index}.bytes_per_second");
            between(&name, bus.bytes_per_second, 1, 1_000_000_000_000)?;
        }
        for (index, nic) in self.nics.iter().enumerate() {
            let name = |field: &str| format!("nics.{index}.{field}");
            between(&name("count"), u64::from(nic.count), 1, 64)?;
            between(&name("rate_mbit"), nic.rate_mbit, 1, 1_000_000)?;
            between(&name("rx_ring"), u64::from(nic.rx_ring), 1, 65_536)?;
            between(&name("tx_ring"), u64::from(nic.tx_ring), 1, 65_536)?;
            let rates = [self.copy.movsd_unaligned, self.copy.integer_unaligned];
            if !nic.aligned && rates.iter().any(Option::is_none) {
                let why = format!(
                    "copy.movsd_unaligned or copy.integer_unaligned is missing, and nics.{index} is not aligned"
                );
                return Err(why.into());
            }
        }
        Ok(())
    }
}

/// The CPUs.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Processors {
    /// Physical cores.
    pub cores: u16,
    /// Logical CPUs of a core (2: hyper-threads).
    #[serde(default = "one")]
    pub threads_per_core: u16,
    /// Speed of a hyper-thread while its sibling is busy too, in thousandths.
    #[serde(default = "thousand")]
    pub busy_sibling_permille: u32,
    /// Clock in kHz.
    pub clock_khz: u64,
    /// Cycles of this core for a thousand base cycles of a kernel's steps.
    #[serde(default = "thousand")]
    pub core_permille: u32,
    /// Cycles of an instruction with a bus lock (`lock decb` and the like) whose line is here.
    #[serde(default)]
    pub locked_cycles: u32,
    /// Time from sending an interprocessor interrupt to its entry elsewhere, in ns.
    #[serde(default)]
    pub ipi_ns: u64,
    /// The same to a CPU that has halted, until it goes on, in ns; 0: no longer than to one that runs.
    #[serde(default)]
    pub halted_ipi_ns: u64,
    /// Time for which sending an interrupt to a CPU that has halted keeps its sender busy, in ns: a
    /// virtual machine leaves its guest for it.
    #[serde(default)]
    pub halted_send_ns: u64,
    /// Whether idle CPUs look at their task's `need_resched` all the time (`idle=poll`) and
    /// need no interrupt to begin.
    #[serde(default)]
    pub idle_polls: bool,
    /// Time from a device's interrupt line to the entry of its handler, in ns.
    #[serde(default)]
    pub interrupt_ns: u64,
    /// Whether one thread of an emulator runs all CPUs in turn, each for its part of the time until
    /// the kernel's next timer interrupt; else they work side by side.
    #[serde(default)]
    pub takes_turns: bool,
    /// Time that a timer interrupt takes from what runs besides the kernel's own steps, in ns: a virtual
    /// machine leaves its guest for the timer to fire and to be set again.
    #[serde(default)]
    pub timer_exits_ns: u32,
    /// What else takes a CPU away for a moment: operating system noise (`Documentation/trace/osnoise-tracer.rst`),
    /// of a virtual machine mostly its host's.
    #[serde(default)]
    pub noise: Vec<Noise>,
}

/// Moments of about one length for which a CPU does not get on, whatever runs on it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// How many there are in a second, on average, at random.
    pub per_second: u32,
    /// How long each of them lasts, in ns.
    pub ns: u32,
}

fn one() -> u16 {
    1
}

fn thousand() -> u32 {
    1000
}

/// The cache of a core and what it costs to miss it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Capacity in KiB.
    pub kib: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Cycles to fetch a line from memory for reading.
    pub memory_read_cycles: u32,
    /// Cycles to fetch a line from memory for writing.
    pub memory_write_cycles: u32,
    /// Cycles to fetch a line that another cache has changed, for reading; one core alone does not.
    #[serde(default)]
    pub transfer_read_cycles: u32,
    /// Cycles to take a line that another cache has changed, for writing.
    #[serde(default)]
    pub transfer_write_cycles: u32,
    /// Cycles for a line of packet or user data that another cache has too or has alone, for reading, and for
    /// writing where nobody else may keep it: a copy goes on to the next line before one has come, and its stores
    /// wait in the store buffer. None: the same as `transfer_read_cycles`, `transfer_write_cycles` and
    /// `upgrade_cycles`.
    #[serde(default)]
    pub transfer_stream_cycles: Option<u32>,
    /// Cycles to tell the other caches to forget a line that all share.
    #[serde(default)]
    pub upgrade_cycles: u32,
    /// Cycles that a line keeps the memory bus, which all cores share, busy.
    #[serde(default)]
    pub bus_cycles_per_line: u32,
    /// Cycles for a line of packet or user data from memory, with a routine that has no
    /// `miss_permille`: sequential lines come faster than scattered ones. 0: the same as
    /// `memory_read_cycles`.
    #[serde(default)]
    pub stream_read_cycles: u32,
    /// Capacity in KiB of a last cache that all cores share, which takes what theirs have no room for;
    /// 0: none, and its price is part of what memory costs.
    #[serde(default)]
    pub shared_kib: u32,
    /// Cycles to fetch a line from it.
    #[serde(default)]
    pub shared_read_cycles: u32,
    /// Cycles for a line of packet or user data from it.
    #[serde(default)]
    pub shared_stream_cycles: u32,
    /// Whether caches hand each other lines that nobody changed.
    #[serde(default)]
    pub clean_lines_move: bool,
    /// A core's first cache of instructions; none: what fetching code costs is in the cycles of the steps.
    #[serde(default)]
    pub instructions: Option<InstructionCache>,
    /// A core's first cache of data; none: a copy costs the same wherever in the core's cache its bytes are.
    #[serde(default)]
    pub data: Option<DataCache>,
}

/// The first cache of a core that only data are in (L1d).
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataCache {
    /// Capacity in KiB.
    pub kib: u32,
    /// Cycles by which 1024 bytes of a copy's source or destination take longer if they are not in this cache, but in
    /// the core's next one.
    pub cycles_per_kib: u32,
}

/// The first cache of a core that only instructions are in (L1i).
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InstructionCache {
    /// Capacity in KiB.
    pub kib: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Cycles by which code is slower for each 64 bytes of it that have to be fetched from the next cache.
    pub line_cycles: u32,
}

impl Cache {
    /// Lines of one core's.
    pub fn lines(&self) -> u32 {
        self.kib * 1024 / self.line_bytes
    }
}

/// The cost of moving bytes that are in the cache.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Cycles before the first byte.
    pub start_cycles: u32,
    /// Cycles for 1024 bytes.
    pub cycles_per_kib: u32,
    /// Thousandths of `cache.memory_read_cycles` that a line from memory costs with this
    /// routine, since some keep several misses under way; 0: `cache.stream_read_cycles`.
    #[serde(default)]
    pub miss_permille: u32,
}

/// Copy routines by alignment.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// `rep movsd`, source and destination on 8-byte boundaries.
    pub movsd_aligned: Rate,
    /// `rep movsd`, not aligned; a machine has it whose NICs do not align frames.
    #[serde(default)]
    pub movsd_unaligned: Option<Rate>,
    /// Unrolled integer copy, aligned.
    pub integer_aligned: Rate,
    /// Unrolled integer copy, not aligned; likewise.
    #[serde(default)]
    pub integer_unaligned: Option<Rate>,
    /// `csum_partial`: reading only.
    pub checksum: Rate,
    /// `csum_partial_copy_generic`: one pass for both.
    pub checksum_and_copy: Rate,
}

/// A bus that moves one frame at a time.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// What NICs call it.
    pub name: String,
    /// Bytes a second while it moves a frame.
    pub bytes_per_second: u64,
    /// Time around a frame: arbitration, descriptor, write-back, in ns.
    pub frame_overhead_ns: u64,
    /// The bus behind it, towards memory.
    #[serde(default)]
    pub behind: Option<String>,
}

/// Which CPU gets an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// Always CPU 0.
    Fixed,
    /// The next CPU in turn, idle ones first (I/O APIC, lowest priority).
    Dynamic,
    /// Lowest-priority delivery on the P6 family's APIC bus where the kernel leaves the task
    /// priorities at 0: of the CPUs without an interrupt that waits to be taken the one that
    /// sent nothing on that bus for longest, neither the end of an interrupt nor a message to
    /// another CPU. What it runs does not count, not even a handler (IA-32 SDM volume 3,
    /// "Lowest Priority Delivery Mode": APR; ties by arbitration ID, which sending makes lowest).
    LowestPriority,
    /// A NIC's (or queue's) own CPU.
    Spread,
}

//! A machine: processors, caches, copies, buses and NICs, as a data file says it.
//!
//! Every parameter has its unit in its name and its source in `sources`, by the
//! path of the parameter ("cache.memory_read_cycles") or of a group ("cache").
//! What such a source says is in `source`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::kernel::Step;
use super::path::Path;
use super::source::Source;

/// A host's hardware.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// What scenarios call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it stands for.
    pub about: String,
    /// Its CPUs.
    pub processors: Processors,
    /// One cache for each core.
    pub cache: Cache,
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
    pub fn check(&self) -> Result<(), String> {
        let processors = &self.processors;
        let cpus = u32::from(processors.cores) * u32::from(processors.threads_per_core);
        let between = |name: &str, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(format!(
                "{name}: {value}, but {least} to {most} can be modelled"
            ))
        };
        between("processors.cores", u64::from(cpus), 1, 64)?;
        between(
            "processors.clock_khz",
            processors.clock_khz,
            1_000,
            100_000_000,
        )?;
        let sibling = u64::from(processors.busy_sibling_permille);
        between("processors.busy_sibling_permille", sibling, 1, 1_000)?;
        between(
            "cache.line_bytes",
            u64::from(self.cache.line_bytes),
            16,
            256,
        )?;
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
    /// Capacity in KiB; 0: no cache costs at all.
    pub kib: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Cycles to fetch a line from memory for reading.
    pub memory_read_cycles: u32,
    /// Cycles to fetch a line from memory for writing.
    pub memory_write_cycles: u32,
    /// Cycles to fetch a line that another cache has changed, for reading.
    pub transfer_read_cycles: u32,
    /// Cycles to take a line that another cache has changed, for writing.
    pub transfer_write_cycles: u32,
    /// Cycles to tell the other caches to forget a line that all share.
    pub upgrade_cycles: u32,
    /// Cycles that a line keeps the memory bus, which all cores share, busy.
    #[serde(default)]
    pub bus_cycles_per_line: u32,
    /// Cycles for a line of packet or user data from memory: sequential lines come
    /// faster than scattered ones. 0: the same as `memory_read_cycles`.
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
    /// `rep movsd`, not aligned.
    pub movsd_unaligned: Rate,
    /// Unrolled integer copy, aligned.
    pub integer_aligned: Rate,
    /// Unrolled integer copy, not aligned.
    pub integer_unaligned: Rate,
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

/// A network interface and its driver.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether the chip can do something"
)]
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nic {
    /// Chip.
    pub model: String,
    /// How many of them, eth0 and up.
    #[serde(default = "one")]
    pub count: u16,
    /// Line rate in Mbit/s.
    pub rate_mbit: u64,
    /// Receive descriptors of a queue.
    pub rx_ring: u32,
    /// Transmit descriptors of a queue.
    pub tx_ring: u32,
    /// Longest time that a frame waits for its interrupt, in ns.
    #[serde(default)]
    pub interrupt_delay_ns: u64,
    /// Frames after which the interrupt comes at once; 0: no such limit.
    #[serde(default)]
    pub interrupt_frames: u32,
    /// Whether every frame starts the delay anew, so that a burst has one interrupt.
    #[serde(default)]
    pub delay_restarts: bool,
    /// Sent frames after which the chip interrupts; 0: sent frames wait for another interrupt.
    #[serde(default)]
    pub tx_interrupt_frames: u32,
    /// Longest time that this interrupt waits, in ns.
    #[serde(default)]
    pub tx_interrupt_delay_ns: u64,
    /// Whether the interrupt handler itself takes back what was sent, even while the driver polls
    /// for what was received: then every sent frame interrupts (8139cp, 8139too).
    #[serde(default)]
    pub tx_in_handler: bool,
    /// Whether the driver takes back the interrupt of the frame before when it queues another
    /// (`tx_interrupt_mitigation` of 3c59x), so that only the last one queued makes one.
    #[serde(default)]
    pub tx_interrupt_last: bool,
    /// Receive queues (RSS).
    #[serde(default = "one")]
    pub queues: u16,
    /// The bus of each NIC in order; the last one serves the rest; empty: no bus costs.
    #[serde(default)]
    pub buses: Vec<String>,
    /// Whether it checks and writes TCP and UDP checksums.
    #[serde(default)]
    pub checksum: bool,
    /// Largest piece that it cuts into segments itself, in bytes; 0: none.
    #[serde(default)]
    pub tso_bytes: u32,
    /// Whether received frames lie so that the copy's source is aligned.
    #[serde(default)]
    pub aligned: bool,
    /// Whether the driver polls (NAPI) where the kernel can.
    #[serde(default)]
    pub napi: bool,
    /// Packets of one poll of this driver; 0: what the kernel says.
    #[serde(default)]
    pub napi_weight: u32,
    /// Used descriptors at which the driver refills the ring; 0 or 1: after each frame.
    #[serde(default)]
    pub refill_after: u32,
    /// Whether a driver that does not poll leaves that to a tasklet, which the softirq runs
    /// behind received packets; else its interrupt handler does it.
    #[serde(default)]
    pub refill_in_tasklet: bool,
    /// Whether descriptors hold bare memory and the driver, where it polls, makes an `sk_buff` of a
    /// frame that has come (`build_skb`, since 2.6.38); else each descriptor has one from the start.
    #[serde(default)]
    pub builds_skb: bool,
    /// The driver's code.
    pub driver: Driver,
}

/// What the driver's code costs.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// The interrupt handler, once for each interrupt; counts the frames that are there.
    pub interrupt: Vec<Step>,
    /// For each time that the handler looks at the chip's causes: once an interrupt, and
    /// again when there is a new cause at the end.
    #[serde(default)]
    pub round: Vec<Step>,
    /// Most looks at the causes in one interrupt, where the driver does not poll
    /// (`max_interrupt_work`, `E1000_MAX_INTR`); 0: the first only.
    #[serde(default)]
    pub most_rounds: u32,
    /// For each received frame.
    pub receive: Vec<Step>,
    /// For each bunch of descriptors refilled.
    pub refill: Vec<Step>,
    /// For each frame handed to the chip.
    pub transmit: Vec<Step>,
    /// For each frame that the chip reports as sent.
    pub transmit_done: Vec<Step>,
    /// For each frame that an XDP program is asked about; none: the driver runs no such programs.
    #[serde(default)]
    pub xdp: Vec<Step>,
    /// For each frame that it drops.
    #[serde(default)]
    pub xdp_drop: Vec<Step>,
    /// For each frame put on the XDP send queue.
    #[serde(default)]
    pub xdp_transmit: Vec<Step>,
    /// For each such frame that the chip reports as sent.
    #[serde(default)]
    pub xdp_transmit_done: Vec<Step>,
}

impl Driver {
    /// The steps of one of its paths; none of a path that is the kernel's.
    pub fn steps_of(&self, path: Path) -> Option<&Vec<Step>> {
        match path {
            Path::DriverInterrupt => Some(&self.interrupt),
            Path::DriverRound => Some(&self.round),
            Path::DriverReceive => Some(&self.receive),
            Path::DriverRefill => Some(&self.refill),
            Path::DriverTransmit => Some(&self.transmit),
            Path::DriverTransmitDone => Some(&self.transmit_done),
            Path::DriverXdp => Some(&self.xdp),
            Path::DriverXdpDrop => Some(&self.xdp_drop),
            Path::DriverXdpTransmit => Some(&self.xdp_transmit),
            Path::DriverXdpTransmitDone => Some(&self.xdp_transmit_done),
            _ => None,
        }
    }

    /// The steps of all its paths.
    fn steps(&self) -> impl Iterator<Item = &Step> {
        Path::ALL
            .iter()
            .filter_map(|&path| self.steps_of(path))
            .flatten()
    }
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

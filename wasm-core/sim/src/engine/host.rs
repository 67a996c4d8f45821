//! A host: one kernel on one machine, with what its CPUs share.

use std::ops::Range;
use std::rc::Rc;

use crate::cache::ObjectId;
use crate::config::kernel::Routine;
use crate::config::machine::Machine;
use crate::time::SimTime;
use ringside::run::measured::TcpCounters;

use super::cpu::code::Code;
use super::cpu::profile::Profile;
use super::ids::BufferId;
use super::memory::Memory;
use super::spinlock::HostLocks;
use super::tasks::HostTasks;

/// One kernel on one machine.
#[derive(Debug)]
pub struct Host {
    /// The compiled kernel.
    pub code: Rc<Code>,
    /// The hardware.
    pub machine: Machine,
    /// Its first CPU among those of all hosts.
    pub first_cpu: usize,
    /// Logical CPUs.
    pub cpu_count: usize,
    /// Time between timer ticks.
    pub tick: SimTime,
    /// Which CPU has the turn, where they run one at a time.
    pub turn: Turn,
    /// Its tasks.
    pub tasks: HostTasks,
    /// Its locks.
    pub locks: HostLocks,
    /// Its memory.
    pub memory: Memory,
    /// First cache object of those that exist once in the host.
    pub own_objects: ObjectId,
    /// First cache object of those that each CPU has.
    pub cpu_objects: ObjectId,
    /// Objects of sockets that are gone.
    pub free_sockets: Vec<ObjectId>,
    /// The file that processes read.
    pub file: Option<File>,
    /// Its copy routine.
    pub routine: Routine,
    /// `SO_SNDBUF` of UDP's sockets in bytes.
    pub datagram_send_buffer: u32,
    /// What its probes cost.
    pub probing: Probing,
    /// Its profile.
    pub profile: Profile,
    /// What it counts.
    pub totals: Totals,
}

/// A file in the page cache.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Its pages.
    pub buffer: BufferId,
    /// Its size.
    pub bytes: u32,
    /// First cache object of those that each page has.
    pub page_objects: ObjectId,
}

/// The CPU that may run, on a host whose CPUs run one at a time.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Whether the CPUs take turns; else they run in parallel.
    pub is_taken: bool,
    /// The CPU, among those of all hosts.
    pub cpu: usize,
    /// When its turn is over; `NEVER` while it idles, as a turn begins with work.
    pub ends: SimTime,
}

impl Turn {
    /// A device interrupts a CPU from another thread of the emulator, which ends the current turn.
    pub fn cut_short(&mut self, now: SimTime) {
        self.ends = now;
    }
}

/// What a host's probes cost.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// Whether they cost time.
    pub is_on: bool,
    /// Whether they do nothing for packets without payload.
    pub payload_only: bool,
    /// Whether `kfree_skb` says why.
    pub drop_reasons: bool,
    /// Time of a point of the 2005 toolkit in fs; 0: the kernel's own.
    pub cost: u64,
}

/// What a host counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Frames that NICs put into memory.
    pub frames_received: u64,
    /// Frames that NICs sent.
    pub frames_sent: u64,
    /// Frames lost because no receive descriptor was free.
    pub rx_missed: u64,
    /// Verdicts of XDP programs, by their place in `XdpAction`.
    pub xdp: [u64; 4],
    /// NIC interrupts.
    pub interrupts: u64,
    /// Polls of a queue.
    pub polls: u64,
    /// Network softirqs.
    pub softirqs: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets that a queueing discipline marked in the place of a drop.
    pub ecn_mark: u64,
    /// Switches from task to task.
    pub switches: u64,
    /// Iterations of the loops of all tasks' scripts.
    pub rounds: u64,
    /// Cache-to-cache transfers, in lines.
    pub lines_moved: u64,
    /// Connections that were accepted and closed.
    pub connections: u64,
    /// Connections refused or dropped.
    pub connections_failed: u64,
    /// What TCP counted.
    pub tcp: TcpCounters,
    /// Fewest free descriptors that a receive queue had; `u32::MAX` without NICs.
    pub least_free: u32,
}

impl Host {
    /// Its CPUs among those of all hosts.
    pub fn cpus(&self) -> Range<usize> {
        self.first_cpu..self.first_cpu + self.cpu_count
    }
}

//! What a simulation measured: totals of the run without its warm-up. Serialised
//! only to be handed from one wasm module to another of the same build.

use std::collections::BTreeMap;
use std::ops::{AddAssign, SubAssign};

use serde::{Deserialize, Serialize};

use crate::kernel::Context;

/// The time of one kernel function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionTime {
    /// Times it ran.
    pub calls: u64,
    /// Time in it in fs, waiting for cache lines included.
    pub fs: u64,
    /// Cache lines that came into a cache in it.
    pub lines: u64,
    /// Cache lines that left the cache of the CPU that ran it meanwhile, for another CPU's
    /// write or for want of room. Those that devices took: [`Measured::lines_to_devices`].
    pub lines_out: u64,
}

/// What the tasks of one role did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskTime {
    /// CPU time in fs, in the kernel and in user space.
    pub cpu_fs: u64,
    /// Iterations of the loops of their scripts.
    pub rounds: u64,
    /// Bytes that they read from sockets.
    pub delivered_bytes: u64,
    /// How often one left its CPU to another task or none (`voluntary_ctxt_switches` and
    /// `nonvoluntary_ctxt_switches`).
    pub switches: u64,
}

/// TCP's counters of a host, by the names that they have in `/proc/net/snmp` and `/proc/net/netstat`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpCounters {
    /// `OutSegs`: segments sent, each that GSO makes of a piece.
    pub out_segs: u64,
    /// `TCPOrigDataSent`: those of them that had data or a FIN, when they went for the first time
    /// (`net/ipv4/tcp_output.c: tcp_event_new_data_sent`, v6.18).
    pub orig_data_sent: u64,
    /// `RetransSegs`: those that were sent again.
    pub retrans_segs: u64,
    /// `TCPBacklogCoalesce`: packets that joined one before them in a socket's backlog.
    pub backlog_coalesce: u64,
    /// `TCPRcvCoalesce`: packets that joined one before them in a receive queue.
    pub rcv_coalesce: u64,
}

/// What calls of one kind cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTime {
    /// Calls that returned.
    pub calls: u64,
    /// CPU time of the tasks in them in fs, with the interrupts and softirqs that came
    /// meanwhile, as Linux charges them; sleep excluded.
    pub fs: u64,
}

/// The time of one stack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackTime {
    /// Times its function ran.
    pub calls: u64,
    /// Time in fs, waiting for cache lines included.
    pub fs: u64,
    /// Cache lines that came into a cache in it.
    pub lines: u64,
}

/// Who wanted a lock: a function of the kernel, on a path of the model, on a CPU.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockCaller {
    /// The lock's name in the data files; all sockets' own locks are one.
    pub lock: String,
    /// The CPU.
    pub cpu: u16,
    /// The path's name in the data files; none of what is not the kernel's code.
    pub path: Option<String>,
    /// The function.
    pub function: String,
}

/// What became of a lock that was wanted, as `lockmeter` counted it (Bryant and Hawkes, Lockmeter,
/// ALS 2000).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockUse {
    /// How often it was taken, recursively by its holder included.
    pub holds: u64,
    /// How often another CPU held it, so that this one had to spin.
    pub spins: u64,
    /// Time spun in fs; interrupts that came meanwhile are not part of it.
    pub fs: u64,
}

/// Where a CPU spent time: a function of the kernel, on a path of the model, in a context.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stack {
    /// The CPU.
    pub cpu: u16,
    /// The context.
    pub context: Context,
    /// The path's name in the data files; none of what is not the kernel's code.
    pub path: Option<String>,
    /// The function.
    pub function: String,
}

/// Totals of the watched host in a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Time measured, in fs.
    pub elapsed_fs: u64,
    /// Logical CPUs.
    pub cpus: u32,
    /// Bytes that processes read from their sockets.
    pub delivered_bytes: u64,
    /// Iterations of the loops of all tasks' scripts.
    pub rounds: u64,
    /// CPU time in user space in fs, summed over CPUs.
    pub user_fs: u64,
    /// CPU time of processes in the kernel in fs, summed over CPUs.
    pub kernel_fs: u64,
    /// CPU time in softirqs in fs, summed over CPUs.
    pub softirq_fs: u64,
    /// CPU time in hard interrupts in fs, summed over CPUs.
    pub hardirq_fs: u64,
    /// CPU time spent spinning on locks in fs, summed over CPUs.
    pub spinning_fs: u64,
    /// Cache-to-cache transfers, in lines.
    pub lines_moved: u64,
    /// Switches from task to task.
    pub switches: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets that queueing disciplines marked in the place of a drop (`ecn_mark` of `tc -s qdisc`).
    pub ecn_mark: u64,
    /// Frames that NICs put into memory.
    pub frames_received: u64,
    /// Frames that NICs sent.
    pub frames_sent: u64,
    /// Frames lost for want of a receive descriptor.
    pub rx_missed: u64,
    /// Verdicts of XDP programs: drop, pass, tx, redirect.
    pub xdp: [u64; 4],
    /// NIC interrupts.
    pub interrupts: u64,
    /// Polls of a receive queue (NAPI).
    pub polls: u64,
    /// Network softirqs.
    pub softirqs: u64,
    /// Fewest free descriptors that a receive queue has had since the start; `u32::MAX` without NICs.
    pub rx_ring_least_free: u32,
    /// Connections that the server closed.
    pub connections: u64,
    /// Connections that failed, on either side.
    pub connections_failed: u64,
    /// Frames that the NICs of both hosts sent.
    pub frames_on_link: u64,
    /// Frames of these that the link lost.
    pub lost_on_link: u64,
    /// What TCP counted.
    pub tcp: TcpCounters,
    /// Busy time of each CPU in fs.
    pub cpu_busy_fs: Vec<u64>,
    /// What the tasks did, by role of the workload; "hog" is the background load.
    pub tasks: BTreeMap<String, TaskTime>,
    /// What system calls cost: socket, bind, listen, connect, accept, close, send, receive, read.
    pub calls: BTreeMap<String, CallTime>,
    /// Events that happened, recorded or not. Evictions count
    /// only in a recorded run, since only there they are tracked.
    pub events: u64,
    /// CPU steps ended and events handled by the engine.
    pub steps: u64,
    /// Bytes that processes read from each socket, in the order in which sockets were made.
    pub socket_bytes: Vec<u64>,
    /// Lines that devices' writes took from each CPU's cache.
    pub lines_to_devices: Vec<u64>,
    /// Time in user space of each CPU in fs.
    pub cpu_user_fs: Vec<u64>,
    /// The profile of each CPU.
    pub cpu_functions: Vec<BTreeMap<String, FunctionTime>>,
    /// The profile of all CPUs.
    pub functions: BTreeMap<String, FunctionTime>,
    /// What each CPU did at each site in each context, where it did anything.
    pub stacks: BTreeMap<Stack, StackTime>,
    /// What became of each lock, by who wanted it.
    pub locks: BTreeMap<LockCaller, LockUse>,
}

impl Measured {
    /// Payload throughput in kbit/s.
    pub fn throughput_kbit(&self) -> u64 {
        if self.elapsed_fs == 0 {
            return 0;
        }
        (u128::from(self.delivered_bytes) * 8 * 1_000_000_000_000 / u128::from(self.elapsed_fs))
            as u64
    }

    /// Busy time of all CPUs in fs.
    pub fn busy_fs(&self) -> u64 {
        self.user_fs + self.kernel_fs + self.softirq_fs + self.hardirq_fs + self.spinning_fs
    }

    /// The difference to an earlier measurement of the same run.
    #[must_use]
    pub fn minus(mut self, earlier: &Self) -> Self {
        self.elapsed_fs -= earlier.elapsed_fs;
        self.delivered_bytes -= earlier.delivered_bytes;
        self.rounds -= earlier.rounds;
        self.user_fs -= earlier.user_fs;
        self.kernel_fs -= earlier.kernel_fs;
        self.softirq_fs -= earlier.softirq_fs;
        self.hardirq_fs -= earlier.hardirq_fs;
        self.spinning_fs -= earlier.spinning_fs;
        self.lines_moved -= earlier.lines_moved;
        self.switches -= earlier.switches;
        self.dropped -= earlier.dropped;
        self.ecn_mark -= earlier.ecn_mark;
        self.frames_received -= earlier.frames_received;
        self.frames_sent -= earlier.frames_sent;
        self.rx_missed -= earlier.rx_missed;
        for (verdicts, before) in self.xdp.iter_mut().zip(earlier.xdp) {
            *verdicts -= before;
        }
        self.interrupts -= earlier.interrupts;
        self.polls -= earlier.polls;
        self.softirqs -= earlier.softirqs;
        self.connections -= earlier.connections;
        self.connections_failed -= earlier.connections_failed;
        self.frames_on_link -= earlier.frames_on_link;
        self.lost_on_link -= earlier.lost_on_link;
        self.tcp -= earlier.tcp;
        for (now, then) in self.cpu_busy_fs.iter_mut().zip(&earlier.cpu_busy_fs) {
            *now -= then;
        }
        for (name, then) in &earlier.tasks {
            if let Some(now) = self.tasks.get_mut(name) {
                now.cpu_fs -= then.cpu_fs;
                now.rounds -= then.rounds;
                now.delivered_bytes -= then.delivered_bytes;
                now.switches -= then.switches;
            }
        }
        for (name, then) in &earlier.calls {
            if let Some(now) = self.calls.get_mut(name) {
                now.calls -= then.calls;
                now.fs -= then.fs;
            }
        }
        self.events -= earlier.events;
        self.steps -= earlier.steps;
        for (now, then) in self.socket_bytes.iter_mut().zip(&earlier.socket_bytes) {
            *now -= then;
        }
        for (now, then) in self.cpu_user_fs.iter_mut().zip(&earlier.cpu_user_fs) {
            *now -= then;
        }
        let lines = self.lines_to_devices.iter_mut();
        for (now, then) in lines.zip(&earlier.lines_to_devices) {
            *now -= then;
        }
        for (now, then) in self.cpu_functions.iter_mut().zip(&earlier.cpu_functions) {
            subtract(now, then);
        }
        subtract(&mut self.functions, &earlier.functions);
        subtract(&mut self.stacks, &earlier.stacks);
        subtract(&mut self.locks, &earlier.locks);
        self
    }
}

impl AddAssign for FunctionTime {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.fs += other.fs;
        self.lines += other.lines;
        self.lines_out += other.lines_out;
    }
}

impl SubAssign for FunctionTime {
    fn sub_assign(&mut self, earlier: Self) {
        self.calls -= earlier.calls;
        self.fs -= earlier.fs;
        self.lines -= earlier.lines;
        self.lines_out -= earlier.lines_out;
    }
}

impl TcpCounters {
    /// Segments that only acknowledged, opened connections or reset them.
    pub fn pure_acks(&self) -> u64 {
        self.out_segs - self.orig_data_sent - self.retrans_segs
    }
}

impl SubAssign for TcpCounters {
    fn sub_assign(&mut self, earlier: Self) {
        self.out_segs -= earlier.out_segs;
        self.orig_data_sent -= earlier.orig_data_sent;
        self.retrans_segs -= earlier.retrans_segs;
        self.backlog_coalesce -= earlier.backlog_coalesce;
        self.rcv_coalesce -= earlier.rcv_coalesce;
    }
}

impl SubAssign for StackTime {
    fn sub_assign(&mut self, earlier: Self) {
        self.calls -= earlier.calls;
        self.fs -= earlier.fs;
        self.lines -= earlier.lines;
    }
}

impl SubAssign for LockUse {
    fn sub_assign(&mut self, earlier: Self) {
        self.holds -= earlier.holds;
        self.spins -= earlier.spins;
        self.fs -= earlier.fs;
    }
}

/// Subtracts an earlier profile from a later one.
fn subtract<K: Ord, T: SubAssign + Copy>(later: &mut BTreeMap<K, T>, earlier: &BTreeMap<K, T>) {
    for (name, &then) in earlier {
        if let Some(now) = later.get_mut(name) {
            *now -= then;
        }
    }
}

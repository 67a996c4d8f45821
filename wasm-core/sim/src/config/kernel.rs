//! A kernel: its paths as lists of steps, its queues' limits, its scheduler, locks
//! and choices, as a data file says it. Kernels differ in their files, not in code.
//!
//! `cycles` are base cycles: those of a Pentium III, which a machine scales by its
//! `core_permille`. What a step touches in the cache comes on top.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::path::Path;
use super::source::Source;
use crate::qdisc::Qdiscs;
use crate::sched;
use crate::tcp;
use crate::time::SimTime;

pub use super::drops::DropFunctions;
pub use super::slab::Slab;
pub use super::step::{Copying, Step};
/// A kernel release.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of a kernel, each a key of its file"
)]
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// What scenarios call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it stands for.
    pub about: String,
    /// Timer interrupts a second (HZ).
    pub tick_hz: u64,
    /// Whether a task in the kernel can be preempted (CONFIG_PREEMPT).
    pub preemptible: bool,
    /// Its scheduler with parameters.
    pub scheduler: sched::Config,
    /// How frames come up from the driver.
    pub receive: Receive,
    /// TCP's choices.
    pub tcp: tcp::Parameters,
    /// Send buffer and receive buffer of a socket that is not TCP's, in bytes
    /// (`net.core.wmem_default`, `rmem_default`).
    pub datagram_buffer_bytes: u32,
    /// Most bytes that `SO_SNDBUF` and `SO_RCVBUF` give to a program (`net.core.wmem_max`, `rmem_max`), which counts twice.
    pub largest_buffer_bytes: u32,
    /// Which datagrams a receive buffer of that size takes.
    pub datagram_admission: DatagramAdmission,
    /// Whether a reader gives back receive memory in batches: when it has read a quarter of the buffer, or all
    /// datagrams that waited when it last gave some back (`udp_rmem_release`, from 4.13 on); else with each datagram.
    #[serde(default)]
    pub datagram_releases_in_batches: bool,
    /// What such a socket's buffer counts for a packet beside its data, in bytes (`truesize`).
    pub datagram_overhead_bytes: u32,
    /// How much memory such a packet's data have; none: as much as they are long.
    #[serde(default)]
    pub datagram_data: Option<DatagramData>,
    /// MTU of the loopback device in bytes.
    pub loopback_mtu_bytes: u32,
    /// Most packets in the queue of an Ethernet device: `tx_queue_len`, and one more where `pfifo_fast_enqueue` takes a
    /// packet that finds so many.
    pub tx_queue_packets: u32,
    /// The queueing disciplines that have parameters.
    #[serde(default)]
    pub qdiscs: Qdiscs,
    /// IP reassembly.
    pub ip: Ip,
    /// Copy routine: `movsd` or `integer`.
    pub copy: Routine,
    /// Where the checksum is computed when the NIC does not.
    pub checksum: Checksum,
    /// The same for UDP, where it differs.
    #[serde(default)]
    pub udp_checksum: Option<Checksum>,
    /// Buffers kept on each CPU before they go back to the shared pool, and fetched at once, where
    /// all sizes have the same.
    #[serde(default)]
    pub slab_batch: u32,
    /// The stocks by size, where they differ.
    #[serde(default)]
    pub slab: Option<Slab>,
    /// Locks that reach further than a step.
    #[serde(default)]
    pub locks: Locks,
    /// Bytes of a `struct page`, for the size of `mem_map`.
    pub page_struct_bytes: u64,
    /// What steps touch: how many lines, and one for each what.
    pub objects: BTreeMap<String, Object>,
    /// Which function drops a packet, as `skb:kfree_skb` tells its place.
    pub drop_functions: DropFunctions,
    /// Whether a dropped packet has a reason (`kfree_skb_reason`).
    #[serde(default)]
    pub has_drop_reasons: bool,
    /// Whether `tcp_rcv_established` has the tracepoint `tcp:tcp_probe`.
    #[serde(default)]
    pub has_tcp_probe: bool,
    /// Whether its probes look for payload first and do nothing where there is none, as
    /// those of the 2005 toolkit do; others cost the same for every packet.
    #[serde(default)]
    pub probes_payload_only: bool,
    /// Instructions on a way through the code that lie in 64 bytes of it, where the cycles of its steps are
    /// instructions; none: what fetching code costs is in the cycles.
    #[serde(default)]
    pub instructions_per_line: Option<u32>,
    /// The code.
    pub paths: BTreeMap<String, Vec<Step>>,
    /// Where each parameter comes from.
    pub sources: BTreeMap<String, Source>,
}

impl Kernel {
    /// Time between two ticks of its clock (`1 / CONFIG_HZ`).
    pub fn tick(&self) -> SimTime {
        SimTime(1_000_000_000_000_000 / self.tick_hz)
    }

    /// Whether its file has a path.
    pub fn has(&self, path: Path) -> bool {
        self.paths.contains_key(path.name())
    }
}

/// The memory of a datagram's data: what the allocator gives (`__alloc_skb`, `__ip_append_data`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DatagramData {
    /// Bytes beside the payload: room for headers, and `skb_shared_info`.
    pub beside_bytes: u32,
    /// Bytes that the smallest packet gets.
    pub least_bytes: u32,
    /// Bytes up to which the data are in one piece of memory, a power of two (`SKB_MAX_ALLOC`). Of longer ones
    /// the payload is in pages, beside the least.
    pub linear_most_bytes: u32,
}

impl DatagramData {
    /// Bytes of memory of so much payload.
    pub fn of(&self, payload: u32) -> u32 {
        let linear = payload.saturating_add(self.beside_bytes);
        if linear > self.linear_most_bytes {
            payload.saturating_add(self.least_bytes)
        } else if linear <= self.least_bytes {
            self.least_bytes
        } else {
            linear.next_power_of_two()
        }
    }
}

/// A place in memory that steps read and write as a whole.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Cache lines.
    pub lines: u8,
    /// One of it for each of these.
    pub per: Per,
}

/// What an object belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// One in the host.
    Host,
    /// One for each CPU.
    Cpu,
    /// One for each socket.
    Socket,
    /// One for each `sk_buff`.
    Packet,
    /// One for each task.
    Task,
    /// One for each queue of a NIC.
    Queue,
    /// One for each page of the file that processes read.
    Page,
}

/// How frames reach the protocols.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of a kernel"
)]
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Receive {
    /// Whether drivers can poll (NAPI); else every frame goes through the backlog.
    pub napi: bool,
    /// `netdev_max_backlog` in packets: one that comes is dropped where more than so many wait.
    pub backlog_packets: u32,
    /// Whether a backlog that was full drops all that comes until it is empty (`queue->throttle` of 2.4 to 2.6.12,
    /// `netdev_dropping` of 2.2).
    #[serde(default)]
    pub throttles_backlog: bool,
    /// Whether the softirq takes the whole backlog to a queue of its own, which the limit does not count
    /// (`process_queue`, from 2.6.35 on).
    #[serde(default)]
    pub splices_backlog: bool,
    /// Packets of one poll (`dev->weight`); a kernel that polls has it.
    #[serde(default)]
    pub weight: u32,
    /// Packets of one softirq (`netdev_budget`); 0: no such limit.
    #[serde(default)]
    pub budget: u32,
    /// Rounds of a softirq, the first one included, after which the rest is `ksoftirqd`'s (`MAX_SOFTIRQ_RESTART`,
    /// `--max_restart` in `__do_softirq`; 1 in 2.4, whose `do_softirq` runs no kind twice); 0: there is no `ksoftirqd`.
    pub softirq_rounds: u32,
    /// Whether a round polls each device once and leaves what it still has to the next round,
    /// however little it was (`net_rx_action` from 3.19 on).
    #[serde(default)]
    pub polls_once: bool,
    /// Timer ticks after which a round ends though there is budget: when more than so many have
    /// come (`jiffies - start_time > 1` in 2.6); 0: no such limit.
    #[serde(default)]
    pub round_ticks: u32,
    /// Timer ticks after which no further round begins (`MAX_SOFTIRQ_TIME` from 3.10 on); 0: no such limit.
    #[serde(default)]
    pub softirq_ticks: u32,
    /// Whether no further round begins when a task should be chosen anew (from 3.10 on).
    #[serde(default)]
    pub yields_to_tasks: bool,
    /// Whether a network softirq that is raised while it runs is left to `ksoftirqd`, even if
    /// it found the packet before it ended (`do_softirq` of 2.4 restarts only for kinds that it
    /// has not run yet); else it starts over.
    #[serde(default)]
    pub leaves_raised_again: bool,
    /// Whether softirqs that are pending wait for `ksoftirqd` while it is runnable, whatever returns meanwhile
    /// (`ksoftirqd_running`, from 4.9 until 6.4).
    #[serde(default)]
    pub waits_for_ksoftirqd: bool,
    /// Nice level of `ksoftirqd`.
    #[serde(default)]
    pub ksoftirqd_nice: i8,
    /// Generic receive offload.
    #[serde(default)]
    pub gro: bool,
    /// Packets of one poll of a reader that polls before it sleeps (`BUSY_POLL_BUDGET`); 0: it cannot.
    #[serde(default)]
    pub busy_poll_budget: u32,
    /// Bytes that a merged packet with its headers stays below (`gro_max_size`).
    #[serde(default)]
    pub gro_bytes: u32,
    /// Segments of a poll that go up together, each layer taking the whole list of their packets
    /// (`gro_normal_batch`); 0 or 1: one after the other.
    #[serde(default)]
    pub list_packets: u32,
    /// Whether who wakes a socket's reader promises to sleep soon, so that the reader may stay on its
    /// CPU (`wake_up_interruptible_sync_poll` in `sock_def_readable`, from 2.6.30 on).
    #[serde(default)]
    pub wakes_readers_sync: bool,
    /// Whether all CPUs share one backlog (`backlog` of `net/core/dev.c` before 2.3.43); else each
    /// has its own (`softnet_data`).
    #[serde(default)]
    pub shared_backlog: bool,
}

impl Receive {
    /// Packets of one turn of the backlog: who does not poll works it off whole.
    pub fn backlog_weight(&self) -> u32 {
        if self.napi { self.weight } else { u32::MAX }
    }
}

/// Locks that reach further than a step, by the names that steps know.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Locks {
    /// The lock that a process holds while it is in the kernel and gives up when it sleeps
    /// (`lock_kernel`).
    #[serde(default)]
    pub kernel: Option<String>,
    /// A lock that only one CPU's bottom halves can hold (`global_bh_lock` before 2.4).
    #[serde(default)]
    pub bottom_halves: Option<String>,
    /// Whether that lock stands for the spin lock of each socket, which a process then locks by
    /// keeping bottom halves off (`start_bh_atomic` in `lock_sock` before 2.4).
    #[serde(default)]
    pub sockets_by_bottom_halves: bool,
}

/// By which rule a datagram is queued or dropped, as its socket's receive buffer holds so much already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DatagramAdmission {
    /// With it the buffer holds less than its limit (`sock_queue_rcv_skb` of 2.2 to 2.6).
    BelowLimit,
    /// Without it the buffer does not hold more than its limit, so that the last one may go beyond it
    /// (`__udp_enqueue_schedule_skb` before 6.15).
    UntilFull,
    /// With it the buffer does not hold more than its limit, or it is empty (`__udp_enqueue_schedule_skb` from 6.15 on).
    FitsOrFirst,
}

impl DatagramAdmission {
    /// Whether a buffer that holds `held` of `limit` bytes takes a datagram of `truesize` bytes.
    pub fn takes(self, held: u32, truesize: u32, limit: u32) -> bool {
        let with_it = held.saturating_add(truesize);
        match self {
            Self::BelowLimit => with_it < limit,
            Self::UntilFull => held <= limit,
            Self::FitsOrFirst => with_it <= limit || held == 0,
        }
    }
}

/// IP reassembly.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ip {
    /// `ipfrag_high_thresh` in bytes.
    pub reassembly_bytes: u32,
    /// `ipfrag_time` in ms.
    pub reassembly_ms: u64,
    /// Whether the oldest datagram goes when pieces have more memory than that (`ip_evictor`, which Linux 4.17 has no
    /// more); else whatever piece comes then is dropped (`inet_frag_find`).
    #[serde(default)]
    pub evicts_datagrams: bool,
}

/// A copy routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Routine {
    /// `rep movsd`.
    Movsd,
    /// Unrolled with integer registers.
    Integer,
}

/// Where the checksum is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Checksum {
    /// In the softirq, a pass of its own.
    Softirq,
    /// With the copy to the process.
    WithCopy,
    /// By the NIC.
    Nic,
}

#[cfg(test)]
mod tests {
    use crate::config::catalogue::Catalogue;

    #[test]
    fn a_devices_queue_takes_one_more_than_its_length_before_that_was_mended() {
        let catalogue = Catalogue::shipped().unwrap();
        let most = |kernel| catalogue.kernel(kernel).unwrap().tx_queue_packets;
        assert_eq!(["2.2.14", "2.3.99", "2.4.20"].map(most), [101; 3]);
        assert_eq!(["2.6.3", "6.1"].map(most), [1001, 1000]);
    }

    /// Seen on a host of 6.18 (a reader's longest run of datagrams, of each size).
    #[test]
    fn a_sockets_buffer_has_room_for_as_many_datagrams_as_on_a_host() {
        let catalogue = Catalogue::shipped().unwrap();
        let kernel = catalogue.kernel("6.18").unwrap();
        let most = |payload: u32| {
            let data = kernel.datagram_data.unwrap().of(payload);
            let truesize = data + kernel.datagram_overhead_bytes;
            let mut held = 0;
            while (kernel.datagram_admission).takes(held, truesize, kernel.datagram_buffer_bytes) {
                held += truesize;
            }
            held / truesize
        };
        assert_eq!([64, 1024, 8192, 32_768].map(most), [256, 92, 12, 6]);
    }
}

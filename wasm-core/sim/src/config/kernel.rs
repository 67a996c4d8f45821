//! A kernel: its paths as lists of steps, its queues' limits, its scheduler, locks
//! and choices, as a data file says it. Kernels differ in their files, not in code.
//!
//! `cycles` are base cycles: those of a Pentium III, which a machine scales by its
//! `core_permille`. What a step touches in the cache comes on top.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::source::Source;
use crate::sched;

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
    pub tcp: Tcp,
    /// Send buffer and receive buffer of a socket that is not TCP's, in bytes
    /// (`net.core.wmem_default`, `rmem_default`).
    pub datagram_buffer_bytes: u32,
    /// What such a socket's buffer counts for a packet beside its payload, in bytes (`truesize`).
    pub datagram_overhead_bytes: u32,
    /// MTU of the loopback device in bytes.
    pub loopback_mtu_bytes: u32,
    /// Most packets in the queue of an Ethernet device (`tx_queue_len`).
    pub tx_queue_packets: u32,
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
    /// The code.
    pub paths: BTreeMap<String, Vec<Step>>,
    /// Where each parameter comes from.
    pub sources: BTreeMap<String, Source>,
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
    /// `netdev_max_backlog` in packets.
    pub backlog_packets: u32,
    /// Packets of one poll (`dev->weight`); a kernel that polls has it.
    #[serde(default)]
    pub weight: u32,
    /// Packets of one softirq (`netdev_budget`).
    pub budget: u32,
    /// Times that the softirq starts over before `ksoftirqd` has to (`MAX_SOFTIRQ_RESTART`).
    pub restarts: u32,
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
    /// Nice level of `ksoftirqd`.
    #[serde(default)]
    pub ksoftirqd_nice: i8,
    /// Generic receive offload.
    #[serde(default)]
    pub gro: bool,
    /// Packets of one poll of a reader that polls before it sleeps (`BUSY_POLL_BUDGET`); 0: it cannot.
    #[serde(default)]
    pub busy_poll_budget: u32,
    /// Largest merged packet in bytes.
    #[serde(default)]
    pub gro_bytes: u32,
    /// Packets of a poll that go up together, each layer taking the whole list
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

/// TCP's choices.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of a kernel"
)]
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tcp {
    /// Whether a waiting reader gets segments unprocessed.
    pub prequeue: bool,
    /// `reno` or `cubic`.
    pub congestion: Congestion,
    /// Selective acknowledgements.
    pub sack: bool,
    /// How losses are told with them.
    #[serde(default)]
    pub recovery: Recovery,
    /// Whether a tail loss probe is sent (`tcp_early_retrans`), where RACK tells losses.
    #[serde(default)]
    pub loss_probe: bool,
    /// Whether growing delay ends Cubic's slow start (`hystart` of `tcp_cubic`).
    #[serde(default)]
    pub hystart: bool,
    /// Segments that a large piece has at least, as its size follows the flow's rate
    /// (`tcp_min_tso_segs`, from 3.12 on); 0: it is as large as `gso_bytes` allows.
    #[serde(default)]
    pub min_tso_segments: u32,
    /// The part of the window, as a divisor, that lets a piece go at once, while a smaller one waits for
    /// the next ACK (`tcp_tso_win_divisor`, from 2.6.13 on); 0: no piece waits.
    #[serde(default)]
    pub tso_window_divisor: u32,
    /// Most bytes of a connection between TCP and the wire (`tcp_limit_output_bytes`, from 3.6 on); 0:
    /// as many as the device's queue takes.
    #[serde(default)]
    pub limit_output_bytes: u32,
    /// Whether a piece of several segments has PSH (from 5.4 on).
    #[serde(default)]
    pub pushes_large_pieces: bool,
    /// Initial window in segments.
    pub initial_window_segments: u32,
    /// Delay of an acknowledgement in ms.
    pub delayed_ack_ms: u64,
    /// Least retransmission timeout in ms.
    pub min_rto_ms: u64,
    /// Retransmission timeout before a round trip was measured, in ms (`TCP_TIMEOUT_INIT`).
    pub initial_rto_ms: u64,
    /// Most of it, in ms (`TCP_RTO_MAX`).
    pub max_rto_ms: u64,
    /// Timeouts after which a connection is given up (`tcp_retries2`).
    pub retries: u8,
    /// The same while it is asked for (`tcp_syn_retries`).
    pub syn_retries: u8,
    /// How long a closed connection stays in TIME-WAIT, in ms (`TCP_TIMEWAIT_LEN`).
    pub time_wait_ms: u64,
    /// Bytes of the options in each segment (timestamps).
    pub option_bytes: u32,
    /// Part of the receive buffer that is offered as window, in thousandths.
    pub window_permille: u32,
    /// Nagle's algorithm where the workload does not turn it off.
    pub nagle: bool,
    /// Largest piece that TCP hands down at once where the NIC or GSO cuts it, in bytes; 0: a segment.
    #[serde(default)]
    pub gso_bytes: u32,
    /// Send buffer of a new socket in bytes (`tcp_wmem[1]`).
    pub send_buffer_bytes: u32,
    /// What it grows to with the congestion window in bytes (`tcp_wmem[2]`); 0: it does not.
    #[serde(default)]
    pub send_buffer_most_bytes: u32,
    /// Segments for which it has room as soon as the connection is established.
    #[serde(default)]
    pub send_buffer_segments: u32,
    /// Default receive buffer in bytes.
    pub receive_buffer_bytes: u32,
    /// Largest receive buffer that `tcp_rcv_space_adjust` makes of it as the reader takes more
    /// in a round trip (`tcp_rmem[2]`); 0: it stays as it is.
    #[serde(default)]
    pub receive_buffer_most_bytes: u32,
    /// Whether the part of the receive buffer that is window follows payload over truesize of what comes
    /// (`scaling_ratio`, from 6.6 on).
    #[serde(default)]
    pub scales_window: bool,
    /// Whether `tcp_rcv_space_adjust` goes by the time in which a window comes and by what has left the
    /// queue (from 6.16 on); else by whole milliseconds and all that was read.
    #[serde(default)]
    pub tunes_by_windows: bool,
    /// Segments that one packet of the receive queue takes in (`tcp_try_coalesce`, up to
    /// MAX_SKB_FRAGS): they cost a little when they come, and less when they are read; 0: none.
    #[serde(default)]
    pub coalesced_segments: u32,
    /// Whether a whole segment that ends a write is acknowledged when it is read
    /// (`tcp_measure_rcv_mss` from 6.1.56 and 6.6 on), as shorter ones always are.
    #[serde(default)]
    pub acks_pushed_segments: bool,
    /// Whether segments from the prequeue and the backlog go straight to the buffer of the
    /// reader in whose call they are processed: its call goes on while there are any and room
    /// for them, and the acknowledgement waits for its end (`tcp_recvmsg`, `tcp_rcv_established`
    /// with `eaten`, `cleanup_rbuf` in 2.4). Else a call ends with the first data, and every
    /// second segment asks for an acknowledgement at once.
    #[serde(default)]
    pub reader_takes_segments: bool,
    /// Segments acknowledged at once at the start.
    pub quick_acks: u32,
    /// Segments for which one acknowledgement may count in slow start (RFC 3465's L).
    #[serde(default = "one")]
    pub slow_start_limit_segments: u32,
    /// Segments offered as window at first; it opens as data arrive.
    #[serde(default = "four")]
    pub initial_receive_window_segments: u32,
}

fn one() -> u32 {
    1
}

fn four() -> u32 {
    4
}

/// How losses are told with SACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// RFC 6675.
    #[default]
    Sack,
    /// RFC 8985, with proportional rate reduction (RFC 6937).
    Rack,
}

/// Congestion control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Congestion {
    /// RFC 5681 with RFC 6582.
    Reno,
    /// RFC 9438.
    Cubic,
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

//! What a kernel chooses for TCP, as its file has it. A connection begins with these, as the settings of a scenario and
//! the options of its socket change them: [`TcpConfig`](super::TcpConfig).

use serde::Deserialize;

use super::congestion::{Chosen, CongestionControls};
use super::ecn::EcnMode;
pub use super::receiving::compression::Parameters as CompressedAcks;
use super::rtt::Bounds;
use crate::time::SimTime;

/// What a kernel chooses for TCP: its sysctls and constants, and which of its rules it has.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of a kernel"
)]
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Tcp"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    // How a socket takes segments while a process has it or waits for it. The state machine of this module does not
    // read these, as it has neither processes nor packets.
    /// Whether a waiting reader gets segments unprocessed.
    pub prequeue: bool,
    /// Whether a listening socket takes what comes for it while a process owns it (`tcp_v4_rcv` processes
    /// `TCP_LISTEN` without the socket's lock, from 4.4 on).
    #[serde(default)]
    pub lockless_listeners: bool,
    /// How packets of a receive queue or a backlog become one, which makes them cheaper when they are read; none:
    /// they do not.
    #[serde(default)]
    pub coalescing: Option<Coalescing>,
    /// Whether segments from the prequeue and the backlog go straight to the buffer of the
    /// reader in whose call they are processed: its call goes on while there are any and room
    /// for them, and the acknowledgement waits for its end (`tcp_recvmsg`, `tcp_rcv_established`
    /// with `eaten`, `cleanup_rbuf` in 2.4). Else a call ends with the first data, and every
    /// second segment asks for an acknowledgement at once.
    #[serde(default)]
    pub reader_takes_segments: bool,
    /// Whether what a process takes out of the backlog as it lets go of the socket is acknowledged once, behind the
    /// last of it (`tcp_backlog_ack_defer`, from 6.7 on).
    #[serde(default)]
    pub defers_backlog_acks: bool,

    // Congestion control and recovery.
    /// The congestion control of a connection for which a scenario chooses none (`tcp_congestion_control`).
    pub congestion: Chosen,
    /// The congestion controls that have parameters.
    #[serde(default)]
    pub congestion_controls: CongestionControls,
    /// Whether explicit congestion notification is asked for and agreed to (`tcp_ecn`); none: TCP has none of it.
    #[serde(default)]
    pub ecn: Option<EcnMode>,
    /// Selective acknowledgements (`tcp_sack`).
    pub sack: bool,
    /// How losses are detected with them, and how the congestion window is then reduced.
    #[serde(default)]
    pub recovery: Recovery,
    /// Whether tail loss probes are sent (`tcp_early_retrans`); they require RACK.
    #[serde(default)]
    pub loss_probe: bool,
    /// Initial congestion window in segments: 10 since v2.6.39, 2 to 4 before (`TCP_INIT_CWND`).
    pub initial_window_segments: u32,
    /// Segments that one ACK may count for at most in slow start (L of RFC 3465): 1 up to v3.17, where
    /// `tcp_slow_start` and `tcp_cong_avoid_ai` count ACKs; without limit since.
    #[serde(default = "one")]
    pub slow_start_limit_segments: u32,

    /// How ACKs of data behind a hole wait for each other (from 4.18 on); none: each is sent at once.
    #[serde(default)]
    pub compressed_acks: Option<CompressedAcks>,

    // Timers.
    /// Minimum delay of an acknowledgement in ms (`TCP_ATO_MIN`).
    pub delayed_ack_ms: u64,
    /// Minimum retransmission timeout in ms (`TCP_RTO_MIN`).
    pub min_rto_ms: u64,
    /// Retransmission timeout before a round trip was measured, in ms (`TCP_TIMEOUT_INIT`): 1 s; 3 s before v3.1.
    pub initial_rto_ms: u64,
    /// Maximum retransmission timeout in ms (`TCP_RTO_MAX`).
    pub max_rto_ms: u64,
    /// Unanswered retransmissions before a connection is given up (`tcp_retries2`).
    pub retries: u8,
    /// The same of SYN and SYN-ACK (`tcp_syn_retries`): 6; 5 before v3.7.
    pub syn_retries: u8,
    /// How long a closed connection stays in TIME-WAIT, in ms (`TCP_TIMEWAIT_LEN`).
    pub time_wait_ms: u64,
    /// After how long a timer tries again that finds its socket owned by a process; none: the process does the
    /// timer's work as it lets go (`tcp_release_cb`, `TCP_WRITE_TIMER_DEFERRED`, from 3.6 on).
    #[serde(default)]
    pub owned_retry: Option<OwnedRetry>,

    // What each segment says: its options and its window.
    /// Bytes of the options in each segment; 12 and more: they are timestamps (`tcp_timestamps`).
    pub option_bytes: u32,
    /// Part of the receive buffer that is offered as window, in thousandths (`tcp_adv_win_scale`).
    pub window_permille: u32,
    /// Segments offered as window at first; it opens by two for each that arrives (`rcv_ssthresh`). 0: the window is
    /// all that the buffer allows from the start.
    #[serde(default = "four")]
    pub initial_receive_window_segments: u32,
    /// A window that grows stays within the part of the buffer that is free now (`tcp_grow_window`, from 5.1 on); in
    /// older kernels within the whole.
    #[serde(default)]
    pub grows_into_space: bool,

    // What is sent, and when.
    /// Nagle's algorithm where the program does not turn it off (`TCP_NODELAY`).
    pub nagle: bool,
    /// Largest piece that TCP hands down at once where the NIC or GSO cuts it, in bytes; 0: a segment.
    #[serde(default)]
    pub gso_bytes: u32,
    /// Segments that a large piece has at least, as its size follows the flow's rate
    /// (`tcp_min_tso_segs`, from 3.12 on); 0: it is as large as `gso_bytes` allows.
    #[serde(default)]
    pub min_tso_segments: u32,
    /// Whether a smaller piece takes in what waits behind it, beyond `gso_bytes` too (`tcp_grow_skb`, from
    /// 6.10 on); a device that takes no piece of that size gets its segments.
    #[serde(default)]
    pub grows_pieces: bool,
    /// The part of the window, as a divisor, that lets a piece go at once, while a smaller one waits for
    /// the next ACK (`tcp_tso_win_divisor`, from 2.6.13 on); 0: no piece waits.
    #[serde(default)]
    pub tso_window_divisor: u32,
    /// Most bytes of a connection in the queueing discipline and the device (`tcp_limit_output_bytes`, from 3.6 on);
    /// 0: as many as the device's queue takes.
    #[serde(default)]
    pub limit_output_bytes: u32,
    /// Whether a piece of several segments has PSH (`__tcp_transmit_skb` from 5.4 on).
    #[serde(default)]
    pub pushes_large_pieces: bool,

    // The send buffer.
    /// Send buffer of a new socket in bytes (`tcp_wmem[1]`).
    pub send_buffer_bytes: u32,
    /// What it grows to with the congestion window in bytes (`tcp_wmem[2]`); 0: it does not.
    #[serde(default)]
    pub send_buffer_most_bytes: u32,
    /// Segments for which it has room as soon as the connection is established (`tcp_init_buffer_space`).
    #[serde(default)]
    pub send_buffer_segments: u32,
    /// What the send buffer has to have for each of them, where more than their payload is counted.
    #[serde(default)]
    pub segment_memory: Option<SegmentMemory>,

    // The receive buffer.
    /// Default receive buffer in bytes (`tcp_rmem[1]`).
    pub receive_buffer_bytes: u32,
    /// Largest receive buffer that `tcp_rcv_space_adjust` makes of it as the reader takes more
    /// in a round trip (`tcp_rmem[2]`); 0: it stays as it is.
    #[serde(default)]
    pub receive_buffer_most_bytes: u32,
    /// Whether the receive buffer counts the truesize of what is in it (`sk_rmem_alloc`), grows with a queue that
    /// outgrows it (`tcp_clamp_window`), and offers the share of payload in a packet as its window (`scaling_ratio`,
    /// from 6.6 on). Else it counts payload, and the window is a fixed part of it.
    #[serde(default)]
    pub charges_truesize: bool,
    /// Whether `tcp_rcv_space_adjust` goes by the time in which a window comes and by what has left the
    /// queue (from 6.16 on); else by whole milliseconds and all that was read.
    #[serde(default)]
    pub tunes_by_windows: bool,

    // What is acknowledged, and when.
    /// Segments acknowledged at once at the start and after disorder (`TCP_MAX_QUICKACKS`).
    pub quick_acks: u32,
    /// Whether data behind a hole make the next acknowledgements quick (`tcp_data_queue` before 4.18). Else what fills the
    /// last hole is acknowledged at once, and nothing after it (`ICSK_ACK_NOW`, from 4.19 on).
    #[serde(default)]
    pub quick_acks_after_holes: bool,
    /// Two short segments of a size in a row are taken for whole ones, so that the second is not acknowledged when it is
    /// read (`tcp_measure_rcv_mss`). All kernels since 2.4 do so.
    #[serde(default)]
    pub learns_short_mss: bool,
    /// Whether a second short segment since the last acknowledgement is acknowledged when it is read although the ends
    /// talk in turns (`ICSK_ACK_PUSHED2` in `tcp_cleanup_rbuf`, from 2.6.19 on). Else only one that comes outside of turns is.
    #[serde(default)]
    pub acks_second_short: bool,
    /// Whether a whole segment that ends a write is acknowledged when it is read
    /// (`tcp_measure_rcv_mss` from 6.1.56 and 6.6 on), as shorter ones always are.
    #[serde(default)]
    pub acks_pushed_segments: bool,
}

impl Parameters {
    /// What is wrong with the congestion controls, with the place in the kernel's file.
    pub fn check(&self) -> Result<(), String> {
        let controls = &self.congestion_controls;
        controls
            .check()
            .map_err(|error| format!("tcp.congestion_controls.{error}"))?;
        if !controls.has(self.congestion) {
            return Err(format!(
                "tcp.congestion: {:?} has parameters, and tcp.congestion_controls has none of it",
                self.congestion
            ));
        }
        Ok(())
    }

    /// The largest window in bytes that the receive buffer allows (`tcp_win_from_space`).
    pub(super) fn largest_window(&self) -> u32 {
        let window = u64::from(self.receive_buffer_bytes) * u64::from(self.window_permille) / 1000;
        u32::try_from(window).unwrap_or(u32::MAX)
    }

    /// Lower and upper bound of the retransmission timeout.
    pub(super) fn rto_bounds(&self) -> Bounds {
        Bounds {
            min_rto: SimTime::from_ms(self.min_rto_ms),
            max_rto: SimTime::from_ms(self.max_rto_ms),
        }
    }

    /// Bytes of send buffer that a segment with `payload` bytes takes.
    pub(super) fn memory_of(&self, payload: u32) -> u32 {
        self.segment_memory.map_or(payload, |beside| {
            (payload + beside.header_bytes).next_power_of_two() + beside.skb_bytes
        })
    }
}

/// How losses are told with SACK.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    #[default]
    /// RFC 6675: by the data SACKed above a hole; the window drops to `ssthresh` at once.
    Sack,
    /// RFC 8985: by transmission times, with a tail loss probe; the window shrinks by proportional rate
    /// reduction (RFC 6937).
    Rack,
}

/// When timers try again whose socket a process owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnedRetry {
    /// That of retransmission and window probe, in ms (`tcp_write_timer`: `HZ / 20`).
    pub write_ms: u64,
    /// That of the delayed acknowledgement, in ms (`tcp_delack_timer`: `TCP_DELACK_MIN`).
    pub delayed_ack_ms: u64,
}

/// The memory for which a send buffer has room with each segment (`tcp_sndbuf_expand`, from v3.14 on): payload and
/// header, rounded up to a power of two as an allocator does it, and what describes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SegmentMemory {
    /// Bytes beside the payload that are rounded with it: `MAX_TCP_HEADER` and `skb_shared_info`.
    pub header_bytes: u32,
    /// Bytes of the `sk_buff`.
    pub skb_bytes: u32,
}

/// What `tcp_try_coalesce` and `tcp_add_backlog` make one packet of (`skb_try_coalesce`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Coalescing {
    /// Fragments that a packet has at most (`MAX_SKB_FRAGS`). Each frame that came from a NIC is one.
    pub max_fragments: u16,
    /// Bytes of the pages into which a sender copies its data, each a fragment of the packets on it
    /// (`SKB_FRAG_PAGE_ORDER`).
    pub page_bytes: u32,
}

fn one() -> u32 {
    1
}

fn four() -> u32 {
    4
}

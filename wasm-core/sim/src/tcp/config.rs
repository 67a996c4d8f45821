//! TCP parameters that a kernel and a scenario choose.

use serde::Deserialize;

use super::congestion::{self, CongestionControls};
use super::ecn::EcnMode;
use super::rtt::Bounds;
use crate::time::SimTime;

/// Parameters of a connection; each names the sysctl or constant that it stands for.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of a kernel"
)]
#[derive(Debug, Clone, Copy)]
pub struct TcpConfig {
    /// Largest payload of a segment in bytes, options already taken off; at most 65535.
    pub mss: u32,
    /// Initial congestion window in segments: 10 since v2.6.39, 2 to 4 before (`TCP_INIT_CWND`).
    pub initial_window_segments: u32,
    /// Segments that one ACK may count for at most (L of RFC 3465): 1 up to v3.17, where `tcp_slow_start` and
    /// `tcp_cong_avoid_ai` count ACKs; `u32::MAX` since.
    pub slow_start_limit_segments: u32,
    /// `tcp_congestion_control`.
    pub congestion: congestion::Chosen,
    /// The congestion controls of the kernel, with their parameters.
    pub congestion_controls: CongestionControls,
    /// How losses are detected with SACK, and how the congestion window is then reduced.
    pub recovery: Recovery,
    /// Whether tail loss probes are sent (`tcp_early_retrans`); they require RACK.
    pub loss_probe: bool,
    /// Minimum segments of a TSO packet (`tcp_min_tso_segs`) where its size follows the pacing rate; 0: always
    /// as large as the device takes.
    pub min_tso_segments: u32,
    /// Whether the last packet of the write queue grows up to this limit although more is queued than fits the
    /// device (`tcp_grow_skb`).
    pub grows_pieces: bool,
    /// Divisor of the window: a packet of at least this share is sent at once, a smaller one waits for the next
    /// ACK (`tcp_tso_win_divisor`); 0: none is deferred.
    pub tso_window_divisor: u32,
    /// Most bytes of a connection in the qdisc and the device (`tcp_limit_output_bytes`); 0: no limit.
    pub limit_output_bytes: u32,
    /// Whether a packet of several segments has PSH set (`__tcp_transmit_skb` from v5.4 on).
    pub pushes_large_pieces: bool,
    /// `tcp_ecn`.
    pub ecn: EcnMode,
    /// `tcp_sack`.
    pub sack: bool,
    /// `tcp_timestamps`: then the ACK of a retransmission also ends the back-off of the RTO.
    pub timestamps: bool,
    /// Minimum time that an ACK is delayed: `TCP_ATO_MIN`, 40 ms.
    pub delayed_ack: SimTime,
    /// Period of the tick (`jiffies`): a timer that is set to the current time expires at the next tick.
    pub tick: SimTime,
    /// After how long the retransmission timer and the delayed ACK timer retry if a process owns the socket;
    /// `None`: their work is deferred to `release_sock`.
    pub owned_retry: Option<(SimTime, SimTime)>,
    /// ACKs sent without delay at the start and after disorder: `TCP_MAX_QUICKACKS`, 16.
    pub quick_acks: u32,
    /// Whether out-of-order data enter quick-ACK mode (before 4.18); else the ACK of the segment that fills the last hole is
    /// not delayed (`ICSK_ACK_NOW`, from 4.19 on).
    pub quick_acks_after_holes: bool,
    /// Whether a full-sized segment with PSH is acknowledged when it is read (from 6.1.56, 6.6).
    pub acks_pushed_segments: bool,
    /// Whether a second short segment is acknowledged when it is read even in interactive ("pingpong") mode
    /// (`ICSK_ACK_PUSHED2`, from 2.6.19 on).
    pub acks_second_short: bool,
    /// `TCP_RTO_MIN`, 200 ms.
    pub min_rto: SimTime,
    /// `TCP_RTO_MAX`, 120 s.
    pub max_rto: SimTime,
    /// `TCP_TIMEOUT_INIT`, 1 s; 3 s before v3.1.
    pub initial_rto: SimTime,
    /// `TCP_TIMEWAIT_LEN`, 60 s.
    pub time_wait: SimTime,
    /// Unanswered retransmissions before giving up: `tcp_retries2`, 15.
    pub retries: u8,
    /// The same for SYN and SYN-ACK: `tcp_syn_retries`, 6; 5 before v3.7.
    pub syn_retries: u8,
    /// `tcp_slow_start_after_idle`.
    pub restarts_after_idle: bool,
    /// Whether Nagle's algorithm is on (no `TCP_NODELAY`).
    pub nagle: bool,
    /// Initial size of the send buffer in bytes of payload.
    pub send_buffer: u32,
    /// Size in bytes up to which it grows with the congestion window: `tcp_wmem[2]`; `send_buffer` itself if
    /// the program set it (`SO_SNDBUF`).
    pub send_buffer_most: u32,
    /// Minimum size of the send buffer in segments once the connection is established
    /// (`tcp_init_buffer_space`).
    pub send_buffer_segments: u32,
    /// Memory that each segment takes in the send buffer; `None`: only payload is counted.
    pub segment_memory: Option<SegmentMemory>,
    /// Largest window ever offered in bytes of payload, after `tcp_adv_win_scale`.
    pub receive_buffer: u32,
    /// Size in bytes of memory up to which auto-tuning may grow the receive buffer (`tcp_rmem[2]`); 0: its size
    /// is fixed.
    pub receive_buffer_most: u32,
    /// Whether the receive buffer is charged the memory of packets (`truesize`), not their payload alone.
    pub charges_truesize: bool,
    /// Whether auto-tuning measures the round trip by whole windows and leaves out unread bytes (6.16).
    pub tunes_by_windows: bool,
    /// Whether a growing `rcv_ssthresh` is limited to the free space, not only to the whole buffer (v5.1).
    pub grows_into_space: bool,
    /// Whether two successive short segments of equal length are taken for full-sized ones (`last_seg_size`).
    pub learns_short_mss: bool,
    /// Share of a buffer that is offered as window, in thousandths (`tcp_adv_win_scale`).
    pub window_permille: u32,
    /// Initial receive window in bytes; it grows by two segments for each that arrives (`rcv_ssthresh`) and is
    /// at least one segment. 0: all of `receive_buffer` from the start.
    pub initial_receive_window: u32,
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

impl TcpConfig {
    /// Lower and upper bound of the retransmission timeout.
    pub(super) fn rto_bounds(&self) -> Bounds {
        Bounds {
            min_rto: self.min_rto,
            max_rto: self.max_rto,
        }
    }

    /// Bytes of send buffer that a segment with `payload` bytes takes.
    pub(super) fn segment_memory(&self, payload: u32) -> u32 {
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

//! What a kernel and a scenario choose for TCP.

use super::rtt::Bounds;
use crate::time::SimTime;

/// What a connection is set up with; the sysctl or constant it stands for is named.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of a kernel"
)]
#[derive(Debug, Clone, Copy)]
pub struct TcpConfig {
    /// Largest payload of a segment in bytes, options already taken off; at most 65535.
    pub mss: u32,
    /// First congestion window in segments: 10 since v2.6.39, 2 to 4 before (`TCP_INIT_CWND`).
    pub initial_window_segments: u32,
    /// How many segments one ACK may count for (RFC 3465's L): 1 up to v3.17, where
    /// `tcp_slow_start` and `tcp_cong_avoid_ai` count ACKs; `u32::MAX` since.
    pub slow_start_limit_segments: u32,
    /// `tcp_congestion_control`.
    pub congestion: Congestion,
    /// How losses are told with SACK, and how the window shrinks then.
    pub recovery: Recovery,
    /// Whether a tail loss probe is sent (`tcp_early_retrans`), where RACK tells losses.
    pub loss_probe: bool,
    /// Whether growing delay ends Cubic's slow start (`hystart`).
    pub hystart: bool,
    /// Segments that a large piece has at least (`tcp_min_tso_segs`), as its size follows the flow's
    /// rate; 0: as much as the device takes.
    pub min_tso_segments: u32,
    /// Whether a piece grows to so many segments where more waits than fits a device (`tcp_grow_skb`).
    pub grows_pieces: bool,
    /// The part of the window, as a divisor, that lets a piece go at once, while a smaller one waits for
    /// the next ACK (`tcp_tso_win_divisor`); 0: no piece waits.
    pub tso_window_divisor: u32,
    /// Most bytes of a connection between TCP and the wire (`tcp_limit_output_bytes`); 0: no limit.
    pub limit_output_bytes: u32,
    /// Whether a piece of several segments has PSH (`__tcp_transmit_skb` from v5.4 on).
    pub pushes_large_pieces: bool,
    /// `tcp_sack`.
    pub sack: bool,
    /// `tcp_timestamps`: the ACK of a retransmission too ends the back-off of the timeout.
    pub timestamps: bool,
    /// How long an ACK may wait: `TCP_ATO_MIN`, 40 ms.
    pub delayed_ack: SimTime,
    /// Time between ticks of the kernel's clock (`jiffies`): a timer that is set for now goes off at the next one.
    pub tick: SimTime,
    /// After how long the timer of retransmission and that of the delayed ACK try again that find their socket owned
    /// by a process; none: their work is done when the process lets go.
    pub owned_retry: Option<(SimTime, SimTime)>,
    /// Segments acknowledged at once at the start and after trouble: `TCP_MAX_QUICKACKS`, 16.
    pub quick_acks: u32,
    /// Whether a whole segment with PSH is acknowledged when it is read (from 6.1.56, 6.6).
    pub acks_pushed_segments: bool,
    /// Whether a second short segment is acknowledged when it is read although the ends talk in turns
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
    /// Bytes of payload the write queue holds at first.
    pub send_buffer: u32,
    /// Bytes to which it grows with the congestion window: `tcp_wmem[2]`; no more than
    /// `send_buffer` where the program set it (`SO_SNDBUF`).
    pub send_buffer_most: u32,
    /// Segments that it holds at least once the connection is established
    /// (`tcp_init_buffer_space`).
    pub send_buffer_segments: u32,
    /// What such a segment has in the send buffer beside its payload; none: nothing is counted but payload.
    pub segment_memory: Option<SegmentMemory>,
    /// Largest window ever offered in bytes of payload, after `tcp_adv_win_scale`.
    pub receive_buffer: u32,
    /// Largest receive buffer that the reader's pace may make of it, in bytes of memory
    /// (`tcp_rmem[2]`); 0: it stays as it is.
    pub receive_buffer_most: u32,
    /// Whether it counts the memory of packets (`truesize`), and not their payload alone.
    pub charges_truesize: bool,
    /// Whether it grows by the time that a window takes and what has left the queue (6.16).
    pub tunes_by_windows: bool,
    /// Whether a window that grows stays within what is free now, and not only within the whole buffer (v5.1).
    pub grows_into_space: bool,
    /// Whether two short segments of a size in a row are taken for whole ones (`last_seg_size`).
    pub learns_short_mss: bool,
    /// Part of a buffer that is window, in thousandths (`tcp_adv_win_scale`).
    pub window_permille: u32,
    /// Window offered at first in bytes; it opens by two segments for each that arrives
    /// (`rcv_ssthresh`); at least one is. 0: all of `receive_buffer` at once.
    pub initial_receive_window: u32,
}

/// The memory of a segment for which a send buffer has room (`tcp_sndbuf_expand` from v3.14 on).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentMemory {
    /// Bytes that are rounded up to a power of two together with the payload.
    pub header: u32,
    /// Bytes of the `sk_buff`, which are not.
    pub skb: u32,
}

impl TcpConfig {
    /// Between what the retransmission timeout stays.
    pub(super) fn rto_bounds(&self) -> Bounds {
        Bounds {
            min_rto: self.min_rto,
            max_rto: self.max_rto,
        }
    }

    /// Bytes of the send buffer for a segment with so much payload.
    pub(super) fn segment_memory(&self, payload: u32) -> u32 {
        self.segment_memory.map_or(payload, |beside| {
            (payload + beside.header).next_power_of_two() + beside.skb
        })
    }
}

/// How losses are told with SACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// RFC 6675: by what SACK says has arrived above; the window is the threshold at once.
    Sack,
    /// RFC 8985: by the times of sending, with a tail loss probe; the window shrinks in proportion
    /// (RFC 6937).
    Rack,
}

/// Which rule makes the congestion window grow and what a duplicate ACK means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Congestion {
    /// RFC 5681: without SACK, the first ACK of new data ends fast recovery.
    Reno,
    /// RFC 6582: without SACK, a partial ACK retransmits the next hole. With SACK as Reno.
    NewReno,
    /// RFC 9438. Recovery as with NewReno.
    Cubic,
}

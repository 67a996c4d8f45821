//! The receiving half: readable data, data behind a hole, the advertised window, and when an ACK is due.
//!
//! Facts: RFC 9293 §3.8.6.2.2, RFC 5681 §4.2 and `net/ipv4/tcp_input.c`, `tcp_output.c`
//! (v6.1): `tcp_event_data_recv`, `__tcp_ack_snd_check`, `__tcp_select_window`.

mod acks;

use super::autotune::Autotune;
use super::compression::Compression;
use super::lengths::Lengths;
use super::receive_buffer::{Charge, ReceiveBuffer};
use crate::tcp::ranges::Ranges;
use crate::tcp::segment::timestamp;
use crate::tcp::{Flags, Received, Segment, TcpConfig};
use crate::time::SimTime;

/// The receiving half of a connection.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags, as in the kernel"
)]
#[derive(Debug, Clone)]
pub(in crate::tcp) struct Receiver {
    /// RCV.NXT.
    pub rcv_nxt: u64,
    /// RCV.NXT when the window was last advertised, and that window in bytes.
    pub rcv_wup: u64,
    pub rcv_wnd: u32,
    /// Upper limit of the window that may be advertised now, in bytes (`rcv_ssthresh`).
    rcv_ssthresh: u32,
    /// Whether `rcv_ssthresh` grows within the free space, or within the whole buffer.
    grows_into_space: bool,
    /// Shift of the advertised window in bits (`rcv_wscale`); 0: no scaling.
    scale: u32,
    /// The memory of the receive queue, which limits the window.
    buffer: ReceiveBuffer,
    /// Auto-tuning of the receive buffer.
    autotune: Autotune,
    /// When this half was last called.
    pub clock: SimTime,
    /// The timestamp to echo (`ts_recent`).
    ts_recent: u32,
    /// What the lengths of the sender's segments imply.
    lengths: Lengths,
    advertised_mss: u32,
    /// Bytes received in order and not yet read.
    pub unread: u32,
    /// Ranges received behind a hole.
    pub out_of_order: Ranges,
    /// Starts of the segments that most recently arrived out of order, latest first, for SACK.
    recent: [u64; 3],
    /// Sequence number of the peer's FIN, once received.
    fin_at: Option<u64>,
    /// Remaining ACKs to be sent without delay (`icsk_ack.quick`), and their limit.
    quick: u32,
    pub max_quick: u32,
    /// [`Parameters::quick_acks_after_holes`](crate::tcp::Parameters::quick_acks_after_holes).
    is_quick_after_holes: bool,
    /// Interactive mode, in which an ACK is delayed to be piggybacked on a reply (`pingpong`).
    pub is_pingpong: bool,
    pub is_ack_scheduled: bool,
    /// Whether the next ACK must not be delayed (`ICSK_ACK_NOW`): the last hole was filled.
    is_ack_now: bool,
    /// Whether the delayed ACK timer found the socket owned by a process (`icsk_ack.blocked`).
    pub is_ack_blocked: bool,
    /// ACKs of data behind a hole that wait.
    pub compression: Compression,
    /// When the delayed ACK timer expires.
    pub ack_deadline: SimTime,
    pub delayed_ack: SimTime,
    /// [`TcpConfig::tick`].
    tick: SimTime,
    /// When data last arrived; `NEVER` before the first.
    last_received: SimTime,
}

impl Receiver {
    pub fn new(config: &TcpConfig, mss: u32) -> Receiver {
        let parameters = &config.parameters;
        let capacity = parameters.largest_window().max(1);
        let first = match parameters.initial_receive_window_segments {
            0 => capacity,
            segments => segments.saturating_mul(config.mss).max(mss).min(capacity),
        };
        Receiver {
            rcv_nxt: 0,
            rcv_wup: 0,
            rcv_wnd: first,
            rcv_ssthresh: first,
            grows_into_space: parameters.grows_into_space,
            // `tcp_select_initial_window`: the largest buffer must fit into 16 bits when shifted.
            scale: parameters
                .receive_buffer_most_bytes
                .max(capacity)
                .ilog2()
                .saturating_sub(15),
            buffer: ReceiveBuffer::new(parameters),
            autotune: Autotune::new(parameters, mss, first),
            clock: SimTime::ZERO,
            ts_recent: 0,
            lengths: Lengths::new(config, mss.min(first / 2)),
            advertised_mss: mss,
            unread: 0,
            out_of_order: Ranges::default(),
            recent: [0; 3],
            fin_at: None,
            quick: 0,
            max_quick: parameters.quick_acks,
            is_quick_after_holes: parameters.quick_acks_after_holes,
            is_pingpong: false,
            is_ack_scheduled: false,
            is_ack_now: false,
            is_ack_blocked: false,
            compression: Compression::new(parameters.compressed_acks),
            ack_deadline: SimTime::NEVER,
            delayed_ack: SimTime::from_ms(parameters.delayed_ack_ms),
            tick: config.tick,
            last_received: SimTime::NEVER,
        }
    }

    /// The peer's SYN arrived: its sequence number is the first of the stream.
    pub fn synchronize(&mut self, syn: &Segment) {
        self.rcv_nxt = syn.seq + 1;
        self.rcv_wup = self.rcv_nxt;
    }

    /// A segment arrived: its timestamp is echoed if it covers the last ACK sent, so that the measured round
    /// trip includes delayed ACKs (RFC 7323 §4.3, `tcp_replace_ts_recent`).
    pub fn replace_ts_recent(&mut self, segment: &Segment, now: SimTime) {
        self.clock = now;
        if segment.seq <= self.rcv_wup {
            self.ts_recent = self.ts_recent.max(segment.sent_at);
        }
    }

    /// The right edge of the advertised window: no sequence number at or above it is accepted.
    pub fn right_edge(&self) -> u64 {
        self.rcv_wup + u64::from(self.rcv_wnd)
    }

    /// Whether everything up to and including the peer's FIN has been received.
    pub fn has_received_fin(&self) -> bool {
        self.fin_at.is_some_and(|fin| fin < self.rcv_nxt)
    }

    /// Queues a segment's data: `tcp_data_queue`. `rto` is the sending half's, to recognise an idle peer.
    pub fn queue(&mut self, segment: &Segment, now: SimTime, rto: SimTime, out: &mut Received) {
        let has_fin = segment.flags.contains(Flags::FIN);
        let start = segment.seq.max(self.rcv_nxt);
        let data_end = segment.seq + u64::from(segment.len);
        let edge = self.right_edge();
        let end = data_end.min(edge.max(self.rcv_nxt));
        if segment.end() <= self.rcv_nxt || (end <= start && segment.len > 0 && data_end != start) {
            out.is_duplicate = true;
            self.enter_quick_acks(self.max_quick);
            return;
        }
        if has_fin && end == data_end {
            self.fin_at = Some(data_end);
        }
        if segment.seq > self.rcv_nxt {
            self.queue_out_of_order(start, end, out);
            return;
        }
        let waiting = self.unread;
        self.queue_in_order(end, out);
        if segment.len > 0 {
            self.note_arrival(segment, waiting, now, rto);
        }
    }

    /// Data behind a hole, from `start` to `end` (`tcp_data_queue_ofo`).
    fn queue_out_of_order(&mut self, start: u64, end: u64, out: &mut Received) {
        out.is_out_of_order = true;
        let inserted = if end > start {
            self.out_of_order.insert(start, end)
        } else {
            0
        };
        out.is_duplicate = end > start && inserted == 0;
        if inserted > 0 {
            self.charge(inserted as u32);
        }
        self.note_recent(start);
        if self.is_quick_after_holes {
            self.enter_quick_acks(self.max_quick);
        }
    }

    /// Data up to `end` that are in order (`tcp_queue_rcv`), with what waited behind them and the FIN.
    fn queue_in_order(&mut self, end: u64, out: &mut Received) {
        let before = self.rcv_nxt;
        self.rcv_nxt = end;
        if end > before {
            self.charge((end - before) as u32);
        }
        if !self.out_of_order.is_empty() {
            self.drain(out);
            // RFC 5681 §4.2
            self.is_ack_now = !self.is_quick_after_holes && self.out_of_order.is_empty();
        }
        out.in_order = (self.rcv_nxt - before) as u32;
        self.unread += out.in_order;
        if self.fin_at == Some(self.rcv_nxt) {
            self.rcv_nxt += 1;
            out.fin = true;
        }
    }

    /// Moves what is now in order out of the out-of-order queue (`tcp_ofo_queue`).
    fn drain(&mut self, out: &mut Received) {
        while let Some(range) = self.out_of_order.take_reached(self.rcv_nxt) {
            self.rcv_nxt = self.rcv_nxt.max(range.end);
            out.drained_segments += range.segments;
        }
    }

    fn note_recent(&mut self, start: u64) {
        if self.recent[0] != start {
            self.recent = [start, self.recent[0], self.recent[1]];
        }
    }

    /// `tcp_event_data_recv` and `tcp_grow_window`; `waiting` bytes were unread before the segment.
    fn note_arrival(&mut self, segment: &Segment, waiting: u32, now: SimTime, rto: SimTime) {
        let first = self.last_received == SimTime::NEVER;
        if first || now.0.saturating_sub(self.last_received.0) > rto.0 {
            self.increase_quick_acks(self.max_quick);
        }
        self.last_received = now;
        self.autotune.receives(self.rcv_nxt, self.rcv_wnd, now);
        let len = segment.len.min(self.advertised_mss);
        if len > self.lengths.rcv_mss {
            self.buffer.measure(segment.len);
        }
        if len >= self.lengths.rcv_mss {
            self.autotune.arrives(segment.echoed, waiting, now);
        }
        self.lengths.measure(len, segment.flags);
        let (clamp, free) = (self.buffer.clamp(), self.free());
        if len >= 128 && self.rcv_ssthresh < clamp && self.rcv_ssthresh < free {
            // A merged packet grows it by twice its own length.
            let opened = 2 * segment.len.max(self.advertised_mss);
            let most = if self.grows_into_space {
                free.min(clamp)
            } else {
                clamp
            };
            self.rcv_ssthresh = self.rcv_ssthresh.saturating_add(opened).min(most);
            self.quick |= u32::from(self.max_quick > 0);
        }
    }

    /// Charges a packet to the buffer. If the queue exceeds the buffer, quick ACKs end, and if the buffer may
    /// not grow, the window is clamped to two segments (`tcp_clamp_window`).
    fn charge(&mut self, payload: u32) {
        let charge = self.buffer.charge(payload);
        if charge != Charge::Fits {
            self.quick = 0;
        }
        if charge == Charge::Exceeds {
            self.rcv_ssthresh = self.rcv_ssthresh.min(2 * self.advertised_mss);
        }
    }

    /// The last packet was merged into the one before it (`tcp_try_coalesce`).
    pub fn coalesces(&mut self) {
        self.buffer.coalesce();
    }

    fn free(&self) -> u32 {
        self.buffer
            .free(self.unread + self.out_of_order.bytes() as u32)
    }

    /// The window to advertise in bytes (`__tcp_select_window`): whole segments without scaling, else the free
    /// space in units of the scale; 0 if less than a segment, or with scaling a sixteenth of the buffer, is
    /// free (silly window avoidance, RFC 9293 §3.8.6.2.2).
    fn select_window(&mut self) -> u32 {
        let (clamp, full) = (self.buffer.clamp(), self.buffer.full());
        let mss = self.lengths.rcv_mss.min(clamp);
        let mut free = self.free();
        if free < clamp.min(full) / 2 {
            self.quick = 0;
            // Rounded down, so that scaling does not enlarge it.
            free = free >> self.scale << self.scale;
            if free < mss || (self.scale > 0 && free < full / 16) {
                return 0;
            }
        }
        free = free.min(self.rcv_ssthresh);
        if self.scale > 0 {
            return free.next_multiple_of(1 << self.scale);
        }
        let window = self.rcv_wnd;
        if window.saturating_add(mss) <= free || window > free {
            free / mss * mss
        } else if mss == clamp && free > window.saturating_add(clamp / 2) {
            free
        } else {
            window
        }
    }

    /// Fills in the acknowledgment fields of an outgoing segment, after which no ACK is due
    /// (`tcp_select_window`, `tcp_event_ack_sent`). The right edge of the window never moves left.
    pub fn stamp(&mut self, segment: &mut Segment, sack: bool) {
        let offered = (self.right_edge().max(self.rcv_nxt) - self.rcv_nxt) as u32;
        self.rcv_wnd = self.select_window().max(offered);
        self.rcv_wup = self.rcv_nxt;
        segment.sent_at = timestamp(self.clock);
        segment.echoed = self.ts_recent;
        segment.ack = self.rcv_nxt;
        segment.window = self.rcv_wnd;
        segment.flags = segment.flags | Flags::ACK;
        if sack && !self.out_of_order.is_empty() {
            segment.sack = self.out_of_order.sack_blocks(&self.recent, self.rcv_nxt);
        }
        self.quick = self.quick.saturating_sub(1);
        self.is_ack_scheduled = false;
        self.is_ack_now = false;
        self.is_ack_blocked = false;
        self.lengths.forget_pushes();
        self.ack_deadline = SimTime::NEVER;
        self.compression.sent();
    }

    /// Fills in the acknowledgment fields of a segment that acknowledges what came before `rcv_nxt` alone, after which
    /// an ACK is due as before (`__tcp_send_ack`).
    pub fn stamp_earlier(&self, segment: &mut Segment, rcv_nxt: u64) {
        segment.sent_at = timestamp(self.clock);
        segment.echoed = self.ts_recent;
        segment.ack = rcv_nxt;
        segment.window = (self.right_edge().max(rcv_nxt) - rcv_nxt) as u32;
        segment.flags = segment.flags | Flags::ACK;
    }
}

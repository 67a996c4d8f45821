//! The receiving half: what is readable, what waits behind a hole, the window offered, and
//! when an ACK is owed.
//!
//! Facts: RFC 9293 §3.8.6.2.2, RFC 5681 §4.2 and `net/ipv4/tcp_input.c`, `tcp_output.c`
//! (v6.1): `tcp_event_data_recv`, `__tcp_ack_snd_check`, `__tcp_select_window`.

use super::autotune::Autotune;
use super::lengths::Lengths;
use super::ranges::Ranges;
use super::receive_buffer::{Charge, ReceiveBuffer};
use super::segment::timestamp;
use super::{AckNeed, Flags, Received, Segment, TcpConfig};
use crate::time::SimTime;

/// The receiving half of a connection.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags, as in the kernel"
)]
#[derive(Debug, Clone)]
pub(super) struct Receiver {
    /// RCV.NXT.
    pub rcv_nxt: u64,
    /// RCV.NXT when the window was last offered, and the window offered then.
    pub rcv_wup: u64,
    pub rcv_wnd: u32,
    /// How wide a window may be offered by now (`rcv_ssthresh`).
    rcv_ssthresh: u32,
    /// Whether it grows within what is free, or within the whole buffer.
    grows_into_space: bool,
    /// By how many bits the offered window is shifted (`rcv_wscale`); 0: it is not.
    scale: u32,
    /// How wide a window there is room for.
    buffer: ReceiveBuffer,
    /// What makes it grow.
    autotune: Autotune,
    /// When something last happened here.
    pub clock: SimTime,
    /// The timestamp to echo (`ts_recent`).
    ts_recent: u32,
    /// What the sender's segments are like, and whether one ends a write.
    lengths: Lengths,
    advertised_mss: u32,
    /// Bytes in order, not yet read.
    pub unread: u32,
    /// Bytes behind a hole.
    pub out_of_order: Ranges,
    /// Starts of the segments that came out of order last, the latest first, for SACK.
    recent: [u64; 3],
    /// Sequence number of the other side's FIN, once seen.
    fin_at: Option<u64>,
    /// ACKs to be sent at once (`icsk_ack.quick`), of at most `max_quick`.
    quick: u32,
    max_quick: u32,
    /// Whether both sides talk in turns, so that an ACK can ride on an answer (`pingpong`).
    pub is_pingpong: bool,
    pub is_ack_scheduled: bool,
    /// Whether its timer found the socket owned by a process (`icsk_ack.blocked`).
    pub is_ack_blocked: bool,
    /// When the delayed ACK timer goes off.
    pub ack_deadline: SimTime,
    pub delayed_ack: SimTime,
    /// [`TcpConfig::tick`].
    tick: SimTime,
    /// When data last came; `NEVER` before the first.
    last_received: SimTime,
}

impl Receiver {
    pub fn new(config: &TcpConfig, mss: u32) -> Receiver {
        let capacity = config.receive_buffer.max(1);
        let first = match config.initial_receive_window {
            0 => capacity,
            bytes => bytes.max(mss).min(capacity),
        };
        Receiver {
            rcv_nxt: 0,
            rcv_wup: 0,
            rcv_wnd: first,
            rcv_ssthresh: first,
            grows_into_space: config.grows_into_space,
            // `tcp_select_initial_window`: so that the largest buffer fits into 16 bits.
            scale: config
                .receive_buffer_most
                .max(capacity)
                .ilog2()
                .saturating_sub(15),
            buffer: ReceiveBuffer::new(config),
            autotune: Autotune::new(config, mss, first),
            clock: SimTime::ZERO,
            ts_recent: 0,
            lengths: Lengths::new(config, mss.min(first / 2)),
            advertised_mss: mss,
            unread: 0,
            out_of_order: Ranges::default(),
            recent: [0; 3],
            fin_at: None,
            quick: 0,
            max_quick: config.quick_acks,
            is_pingpong: false,
            is_ack_scheduled: false,
            is_ack_blocked: false,
            ack_deadline: SimTime::NEVER,
            delayed_ack: config.delayed_ack,
            tick: config.tick,
            last_received: SimTime::NEVER,
        }
    }

    /// The other side's SYN came: its sequence number is the stream's first.
    pub fn synchronize(&mut self, syn: &Segment) {
        self.rcv_nxt = syn.seq + 1;
        self.rcv_wup = self.rcv_nxt;
    }

    /// A segment came: its timestamp is echoed if it holds what the last ACK asked for, so that
    /// delayed ACKs are in the time measured (RFC 7323 §4.3, `tcp_replace_ts_recent`).
    pub fn hear(&mut self, segment: &Segment, now: SimTime) {
        self.clock = now;
        if segment.seq <= self.rcv_wup {
            self.ts_recent = self.ts_recent.max(segment.sent_at);
        }
    }

    /// The right edge of the window offered: no sequence number at or above it is accepted.
    pub fn right_edge(&self) -> u64 {
        self.rcv_wup + u64::from(self.rcv_wnd)
    }

    /// Whether all data up to the other side's FIN, and the FIN, have come.
    pub fn has_received_fin(&self) -> bool {
        self.fin_at.is_some_and(|fin| fin < self.rcv_nxt)
    }

    /// Queues a segment's data: `tcp_data_queue`. `rto`: the sender's side's, for idleness.
    pub fn queue(&mut self, segment: &Segment, now: SimTime, rto: SimTime, out: &mut Received) {
        let has_fin = segment.flags.contains(Flags::FIN);
        let start = segment.seq.max(self.rcv_nxt);
        let data_end = segment.seq + u64::from(segment.len);
        let edge = self.right_edge();
        let end = data_end.min(edge.max(self.rcv_nxt));
        if segment.end() <= self.rcv_nxt || (end <= start && segment.len > 0 && data_end != start) {
            out.is_duplicate = true;
            self.enter_quick_acks();
            return;
        }
        if has_fin && end == data_end {
            self.fin_at = Some(data_end);
        }
        if segment.seq > self.rcv_nxt {
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
            self.enter_quick_acks();
            return;
        }
        let before = self.rcv_nxt;
        self.rcv_nxt = end;
        if end > before {
            self.charge((end - before) as u32);
        }
        if !self.out_of_order.is_empty() {
            self.drain(out);
        }
        out.in_order = (self.rcv_nxt - before) as u32;
        let waiting = self.unread;
        self.unread += out.in_order;
        if self.fin_at == Some(self.rcv_nxt) {
            self.rcv_nxt += 1;
            out.fin = true;
        }
        if segment.len > 0 {
            self.note_arrival(segment, waiting, now, rto);
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

    /// `tcp_event_data_recv` and `tcp_grow_window`. So many bytes waited for the reader before it.
    fn note_arrival(&mut self, segment: &Segment, waiting: u32, now: SimTime, rto: SimTime) {
        let first = self.last_received == SimTime::NEVER;
        if first || now.0.saturating_sub(self.last_received.0) > rto.0 {
            self.increase_quick_acks();
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
            // A merged packet opens it by twice its own length.
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

    /// `tcp_incr_quickack`.
    fn increase_quick_acks(&mut self) {
        let wanted = (self.rcv_wnd / (2 * self.lengths.rcv_mss))
            .max(2)
            .min(self.max_quick);
        self.quick = self.quick.max(wanted);
    }

    /// Something is wrong with the order: the sender should hear of it at once
    /// (`tcp_enter_quickack_mode`).
    pub fn enter_quick_acks(&mut self) {
        self.increase_quick_acks();
        self.is_pingpong = false;
    }

    /// Whether the ACK for what came must go now: `__tcp_ack_snd_check`.
    ///
    /// A second full segment only asks for one if the window's right edge can move with it.
    pub fn ack_need(&mut self, now: SimTime) -> AckNeed {
        self.is_ack_scheduled = true;
        let is_second = self.rcv_nxt - self.rcv_wup > u64::from(self.lengths.rcv_mss);
        if (is_second && self.select_window() >= self.rcv_wnd)
            || (self.quick > 0 && !self.is_pingpong)
            || !self.out_of_order.is_empty()
        {
            return AckNeed::Now;
        }
        if self.ack_deadline == SimTime::NEVER {
            // A FIN before any data: no time was measured yet by which it could wait (ato is 0), and
            // `tcp_send_delayed_ack` sets the timer for the tick that is over.
            let is_first = self.last_received == SimTime::NEVER;
            self.ack_deadline = if is_first {
                SimTime((now.0 / self.tick.0 + 1) * self.tick.0)
            } else {
                now + self.delayed_ack
            };
        }
        AckNeed::Delayed
    }

    /// What came goes straight to its reader: whether the ACK waits for the end of the read, as
    /// far as nothing asks for it at once (`tcp_in_quickack_mode`, data behind a hole).
    pub fn leaves_ack_to_reader(&mut self, now: SimTime) -> bool {
        if self.quick > 0 && !self.is_pingpong || !self.out_of_order.is_empty() {
            return false;
        }
        if self.ack_deadline == SimTime::NEVER {
            self.ack_deadline = now + self.delayed_ack;
        }
        true
    }

    /// Data goes out: if soon after data came, the two sides talk in turns
    /// (`tcp_event_data_sent`).
    pub fn note_data_sent(&mut self, now: SimTime) {
        if now.0.saturating_sub(self.last_received.0) < self.delayed_ack.0
            && self.last_received != SimTime::NEVER
        {
            self.is_pingpong = true;
        }
    }

    /// A packet comes into the queue. One that was outgrown asks for no ACK at once, and a buffer that may not grow
    /// with it offers little (`tcp_clamp_window`).
    fn charge(&mut self, payload: u32) {
        let charge = self.buffer.charge(payload);
        if charge != Charge::Fits {
            self.quick = 0;
        }
        if charge == Charge::Exceeds {
            self.rcv_ssthresh = self.rcv_ssthresh.min(2 * self.advertised_mss);
        }
    }

    /// The packet that came last became a part of the one before it (`tcp_try_coalesce`).
    pub fn coalesces(&mut self) {
        self.buffer.coalesce();
    }

    fn free(&self) -> u32 {
        self.buffer
            .free(self.unread + self.out_of_order.bytes() as u32)
    }

    /// The window to offer (`__tcp_select_window`): whole segments where it is not scaled, else what is
    /// free in units of the scale; none when less than a segment is free, RFC 9293 §3.8.6.2.2
    /// against silly windows, or a sixteenth of the buffer.
    fn select_window(&mut self) -> u32 {
        let (clamp, full) = (self.buffer.clamp(), self.buffer.full());
        let mss = self.lengths.rcv_mss.min(clamp);
        let mut free = self.free();
        if free < clamp.min(full) / 2 {
            self.quick = 0;
            // So that the scale does not widen it.
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

    /// Fills in what every segment says about receiving; it is an ACK, so none is owed any
    /// more (`tcp_select_window`, `tcp_event_ack_sent`). The right edge never moves left.
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
        self.is_ack_blocked = false;
        self.lengths.forget_pushes();
        self.ack_deadline = SimTime::NEVER;
    }

    /// The reader took bytes, and so many of a packet of which more is to be read are still in
    /// the buffer: whether the sender should hear of it now (`tcp_cleanup_rbuf`).
    pub fn on_read(&mut self, bytes: u32, read_in_part: u32, now: SimTime) -> bool {
        self.clock = now;
        self.autotune.takes(bytes);
        self.unread = self.unread.saturating_sub(bytes);
        let is_last = self.unread == 0 && self.out_of_order.is_empty();
        self.buffer.read(bytes, read_in_part, is_last);
        if let Some(window) = self.autotune.adjust(self.unread, now) {
            self.buffer.grow(window);
        }
        if self.is_ack_scheduled {
            let is_second = self.rcv_nxt - self.rcv_wup > u64::from(self.lengths.rcv_mss);
            let is_pushed = self.lengths.asks_for_ack(self.is_pingpong);
            if self.is_ack_blocked || is_second || (bytes > 0 && is_pushed && self.unread == 0) {
                return true;
            }
        }
        let offered = (self.right_edge().max(self.rcv_nxt) - self.rcv_nxt) as u32;
        if bytes == 0 || self.has_received_fin() || offered > self.buffer.clamp() / 2 {
            return false;
        }
        let window = self.select_window();
        window > 0 && window >= offered.saturating_mul(2)
    }
}

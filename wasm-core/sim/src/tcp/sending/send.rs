//! The sending half: what may be sent now, in which order, and how much of it.
//!
//! Retransmissions first, then new data as far as the congestion window, the peer's window and Nagle's
//! algorithm allow. Facts: RFC 9293 §3.8.6, RFC 5681, RFC 6675 §5 and `tcp_write_xmit`, `tcp_write_wakeup` of
//! `net/ipv4/tcp_output.c` (v6.1).

use crate::tcp::congestion::CaEvent;
use crate::tcp::{Flags, Segment, State, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// Whether `next_segment` may return a segment.
    pub(in crate::tcp) fn has_something_to_send(&self) -> bool {
        self.is_syn_due
            || !self.earlier_acks.is_empty()
            || self.scoreboard.has_lost()
            || self.rtx.resent < self.rtx.lost
            || (self.snd_una > 0 && self.has_unsent())
    }

    /// Whether data or a FIN were never sent.
    fn has_unsent(&self) -> bool {
        let end = self.write_queue.end();
        self.snd_nxt < end || (self.has_closed && self.snd_nxt == end)
    }

    /// Bytes in flight (`pipe` of RFC 6675).
    pub(in crate::tcp) fn pipe(&self) -> u32 {
        let left_out = if self.uses_rack() {
            self.rtx.left_out()
        } else {
            self.scoreboard.left_out()
        };
        (self.snd_nxt - self.snd_una).saturating_sub(left_out) as u32
    }

    /// The next segment that may be sent, with at most `max_payload` bytes: the MSS, or more where several
    /// segments go down the stack as one packet (TSO, GSO).
    pub fn next_segment(&mut self, now: SimTime, max_payload: u32) -> Option<Segment> {
        let segment = self.choose_segment(now, max_payload);
        if segment.is_none() {
            self.write_queue.end_push();
        }
        segment
    }

    fn choose_segment(&mut self, now: SimTime, max_payload: u32) -> Option<Segment> {
        if self.state == State::Closed {
            return None;
        }
        self.receiver.clock = now;
        if self.is_syn_due {
            self.is_syn_due = false;
            self.last_sent = now;
            return Some(self.syn_segment());
        }
        if self.snd_una == 0 {
            return None;
        }
        if let Some(earlier) = self.earlier_acks.pop_front() {
            return Some(earlier);
        }
        if self.loss_probe.is_due {
            return self.send_loss_probe(now);
        }
        if self.uses_rack() {
            if let Some(segment) = self.rack_retransmission(now, max_payload) {
                return Some(segment);
            }
        } else if let Some((start, end)) = self.scoreboard.next_lost(self.send_mss.min(max_payload))
        {
            return self.retransmission(start, end, now);
        }
        if !self.has_unsent() {
            return None;
        }
        self.new_segment(now, max_payload)
    }

    /// Sends the packet that a write has just filled, without waiting for a larger one (`tcp_push_one`).
    pub fn push_one(&mut self, now: SimTime, max_payload: u32) -> Option<Segment> {
        self.is_push_one = true;
        let segment = self.next_segment(now, max_payload);
        self.is_push_one = false;
        segment
    }

    /// A pure ACK, after which none is due but for those that [`owes_earlier_ack`](Self::owes_earlier_ack) speaks of:
    /// they come first.
    pub fn ack_segment(&mut self) -> Segment {
        if let Some(earlier) = self.earlier_acks.pop_front() {
            return earlier;
        }
        let mut segment = Segment {
            seq: self.snd_nxt,
            departs: self.stamp(),
            ..Segment::default()
        };
        self.stamp_segment(&mut segment);
        segment
    }

    /// Fills in what each segment after the handshake says beside its own.
    fn stamp_segment(&mut self, segment: &mut Segment) {
        self.receiver.stamp(segment, self.sack);
        self.ecn_send(segment);
    }

    /// Retransmits a lost range if the congestion window allows it.
    fn retransmission(&mut self, start: u64, end: u64, now: SimTime) -> Option<Segment> {
        let is_forced = self.scoreboard.is_forced;
        let pipe = u64::from(self.pipe());
        if !is_forced && pipe + (end - start) > u64::from(self.window.cwnd) {
            return None;
        }
        self.scoreboard.is_forced = false;
        let segment = self.copy_of(start, end, now);
        self.scoreboard.retransmit_next = segment.end();
        if start == self.snd_una {
            self.arm_retransmit(now);
        }
        Some(segment)
    }

    /// Retransmits what RACK considers lost, as far as the congestion window allows
    /// (`tcp_xmit_retransmit_queue`).
    fn rack_retransmission(&mut self, now: SimTime, max_payload: u32) -> Option<Segment> {
        let mss = u64::from(self.send_mss);
        let in_flight = u64::from(self.segments(u64::from(self.pipe())));
        let room = (u64::from(self.window.cwnd / self.mss)).saturating_sub(in_flight) * mss;
        if room == 0 {
            return None;
        }
        let most = room.min(u64::from(self.piece_bytes(max_payload.max(self.send_mss))));
        if self.rtx.resent < self.rtx.lost && self.is_throttled(mss, true) {
            return None;
        }
        let piece = self.rtx.resend(most, self.departure(now))?;
        self.prr.out += self.segments(piece.end - piece.start);
        self.note_resent(now);
        if piece.start == self.snd_una && !self.is_reordering_armed() {
            self.arm_retransmit(now);
        }
        Some(self.copy_of(piece.start, piece.end, now))
    }

    /// A retransmission of the given range.
    pub(in crate::tcp) fn copy_of(&mut self, start: u64, end: u64, now: SimTime) -> Segment {
        let written = self.write_queue.end();
        let data_end = end.min(written);
        let has_fin = data_end == written && written < self.snd_nxt;
        if start < self.timed_end {
            // Karn's algorithm: an ACK of a retransmission gives no RTT sample.
            self.timed_end = 0;
        }
        self.last_sent = now;
        let mut flags = if has_fin { Flags::FIN } else { Flags::NONE };
        let ends_write = start < data_end && self.write_queue.ends_write(data_end, self.snd_una);
        if ends_write || self.is_pushed_piece(data_end - start) {
            flags = flags | Flags::PSH;
        }
        let len = (data_end - start) as u32;
        let mut segment = Segment {
            seq: start,
            len,
            flags,
            is_retransmission: true,
            departs: self.pace(len, now),
            ..Segment::default()
        };
        self.stamp_segment(&mut segment);
        segment
    }

    /// Whether a packet has PSH because it consists of several segments, so that a receiver's GRO flushes it at
    /// once.
    fn is_pushed_piece(&self, len: u64) -> bool {
        self.config.parameters.pushes_large_pieces && len > u64::from(self.send_mss)
    }

    /// New data, a FIN, or a window probe.
    fn new_segment(&mut self, now: SimTime, max_payload: u32) -> Option<Segment> {
        let flight = self.snd_nxt - self.snd_una;
        let data = self.write_queue.unsent(self.snd_nxt);
        let right_edge = self.snd_una + u64::from(self.snd_wnd);
        let window_room = right_edge.saturating_sub(self.snd_nxt);
        // A probe of a zero window does not end an idle period.
        if flight == 0 && window_room > 0 {
            self.restart_after_idle(now);
        }
        let pipe = self.pipe();
        let cwnd_room = u64::from(self.window.cwnd.saturating_sub(pipe)).min(self.half_window());
        let mss = u64::from(self.send_mss);
        let most = self.piece_bytes(max_payload.max(1));
        let wanted = data.min(u64::from(most));
        let whole = wanted.min(mss);
        let is_probe = std::mem::take(&mut self.is_probe_due);
        // RFC 9293 §3.8.6.2.1: a full-sized segment or all queued data must fit the window.
        let fits_window = whole <= window_room && (data > 0 || window_room > 0);
        let may_go = fits_window && whole <= cwnd_room;
        let len = if is_probe && flight == 0 {
            // tcp_write_wakeup: as much as fits, with PSH, or else an empty segment with an old sequence
            // number.
            if window_room == 0 || data == 0 {
                return Some(self.window_probe());
            }
            let len = window_room.min(whole);
            self.write_queue.mark_within(self.snd_nxt + len);
            len
        } else if may_go {
            self.whole_segments(wanted.min(window_room).min(cwnd_room), data, flight)
        } else {
            0
        };
        if flight == 0 && len == 0 && (data > 0 || !may_go) {
            self.arm_probe(now);
        }
        if !may_go && len == 0 {
            return None;
        }
        if may_go && self.waits_for_larger(now, max_payload, window_room) {
            return None;
        }
        let has_fin = self.has_closed && len == data && len < window_room;
        if len == 0 && !has_fin {
            return None;
        }
        if self.is_throttled(len, false) {
            return None;
        }
        Some(self.send_new(len as u32, has_fin, pipe, now))
    }

    /// Limits the `len` bytes that may be sent, of `data` queued, to whole segments unless they are all there
    /// is. Nagle's algorithm also holds a short last segment while an earlier short one is unacknowledged
    /// (Minshall's variant, `tcp_nagle_check`).
    fn whole_segments(&self, len: u64, data: u64, flight: u64) -> u64 {
        let mss = u64::from(self.send_mss);
        if len < data {
            return if len > mss { len - len % mss } else { len };
        }
        let waits_for_ack =
            self.config.parameters.nagle && flight > 0 && self.snd_una < self.snd_sml;
        let is_held = self.write_queue.is_held_back() || waits_for_ack;
        if is_held && !self.has_closed && !self.write_queue.is_push_forced() && len != mss {
            len - len % mss
        } else {
            len
        }
    }

    /// Sends `len` bytes of new data and a FIN behind them, where `has_fin`; `pipe` bytes are in flight before.
    pub(in crate::tcp) fn send_new(
        &mut self,
        len: u32,
        has_fin: bool,
        pipe: u32,
        now: SimTime,
    ) -> Segment {
        let mut flags = Flags::NONE;
        let seq = self.snd_nxt;
        self.snd_nxt += u64::from(len) + u64::from(has_fin);
        if has_fin {
            flags = flags | Flags::FIN;
        }
        if len > 0 {
            let is_last = self
                .write_queue
                .ends_write(seq + u64::from(len), self.snd_una);
            if is_last || self.is_pushed_piece(u64::from(len)) {
                flags = flags | Flags::PSH;
            }
            if len < self.send_mss || !len.is_multiple_of(self.send_mss) {
                self.snd_sml = self.snd_nxt;
            }
            self.receiver.note_data_sent(now);
            if pipe == 0 {
                let idle = now.since(self.last_sent);
                let event = CaEvent::TxStart { idle, now };
                self.congestion.cwnd_event(&mut self.window, event);
            }
        }
        let flight = pipe + len;
        let is_limited = flight.saturating_add(self.mss) > self.window.cwnd;
        self.usage
            .note(flight, is_limited, (self.snd_una, self.snd_nxt));
        self.note_sent(seq, len, now);
        let mut segment = Segment {
            seq,
            len,
            flags,
            departs: self.pace(len, now),
            ..Segment::default()
        };
        self.stamp_segment(&mut segment);
        segment
    }

    /// What was sent for the first time, from `seq` on, is timed and its timers run (`tcp_event_new_data_sent`).
    fn note_sent(&mut self, seq: u64, len: u32, now: SimTime) {
        if self.uses_rack() {
            let is_first = self.rtx.first().is_none();
            self.rtx.push(seq, self.snd_nxt, self.departure(now));
            self.prr.out += self.segments(u64::from(len));
            self.arm_for_new_data(now);
            if is_first {
                self.arm_retransmit(now);
            }
            self.schedule_loss_probe(now, false);
        } else {
            if self.timed_end == 0 {
                self.timed_end = self.snd_nxt;
                self.timed_at = self.departure(now);
            }
            self.arm_for_new_data(now);
        }
        self.last_sent = now;
    }

    /// `tcp_slow_start_after_idle_check`.
    fn restart_after_idle(&mut self, now: SimTime) {
        let idle = SimTime(now.0.saturating_sub(self.last_sent.0));
        if self.config.restarts_after_idle && idle > self.rtt.rto {
            let restart = self
                .config
                .parameters
                .initial_window_segments
                .max(1)
                .saturating_mul(self.mss);
            self.window.ssthresh = self.window.current_ssthresh(self.ca_state);
            self.window.restart_after_idle(idle, self.rtt.rto, restart);
        }
    }

    /// An empty segment with an old sequence number, which the peer must answer by an ACK
    /// (`tcp_xmit_probe_skb`).
    fn window_probe(&mut self) -> Segment {
        let mut segment = Segment {
            seq: self.snd_una - 1,
            ..Segment::default()
        };
        self.stamp_segment(&mut segment);
        segment
    }
}

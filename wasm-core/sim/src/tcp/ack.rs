//! ACK processing of a sender without RACK: the send window, what was delivered and what was lost.
//!
//! Facts: RFC 9293 §3.10.7.4 (fifth check), RFC 5681 §3.2, RFC 6582 §3.2, RFC 6675 §5 and
//! `tcp_ack`, `tcp_fastretrans_alert` of `net/ipv4/tcp_input.c` (v6.1).

use super::congestion::{Ack, AckEvent};
use super::{CaState, Received, Segment, State, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// Processes the acknowledgment; `false` if it acknowledges sequence numbers that were never sent.
    pub(super) fn on_ack(&mut self, segment: &Segment, now: SimTime, out: &mut Received) -> bool {
        if segment.ack > self.snd_nxt {
            return false;
        }
        if segment.ack < self.snd_una {
            if self.uses_rack() && !segment.sack.is_empty() {
                self.on_ack_rack(segment, now, out);
            }
            return true;
        }
        let is_window_update = segment.window != self.snd_wnd;
        self.update_window(segment);
        self.timer.probes_out = 0;
        self.ecn_accept_cwr(segment, out);
        if self.uses_rack() {
            self.on_ack_rack(segment, now, out);
        } else {
            self.on_ack_scoreboard(segment, is_window_update, now, out);
        }
        true
    }

    /// Takes the window of an ACK that is not older than what is known of it (`tcp_ack_update_window`,
    /// `tcp_may_update_window`).
    fn update_window(&mut self, segment: &Segment) {
        let is_newer = segment.ack > self.snd_una
            || segment.seq > self.snd_wl1
            || (segment.seq == self.snd_wl1 && segment.window > self.snd_wnd);
        if segment.window != self.snd_wnd && is_newer {
            self.set_window(segment.window);
        }
        self.snd_wl1 = self.snd_wl1.max(segment.seq);
    }

    /// What an ACK says to a sender without RACK: what was delivered, what was lost, and how the window changes.
    fn on_ack_scoreboard(
        &mut self,
        segment: &Segment,
        is_window_update: bool,
        now: SimTime,
        out: &mut Received,
    ) {
        let flight = self.snd_nxt - self.snd_una;
        let acked = segment.ack - self.snd_una;
        let newly_sacked = if self.sack && !segment.sack.is_empty() {
            self.note_sack(segment)
        } else {
            0
        };
        let mut delivered = newly_sacked;
        if acked > 0 {
            delivered += self.on_new_ack(segment.ack, now, out);
        }
        let is_duplicate_ack = if self.sack {
            newly_sacked > 0
        } else {
            acked == 0 && flight > 0 && segment.is_pure_ack() && !is_window_update
        };
        if is_duplicate_ack {
            self.on_duplicate_ack();
        }
        let is_echo = self.ecn.is_echoed_by(segment);
        self.tell_of_ack(delivered, is_echo);
        if is_echo {
            self.enter_cwr();
        }
        if acked > 0 {
            if out.acked > 0 {
                self.grow_window(delivered as u32, now);
            }
            self.make_room();
        }
    }

    /// Enters the SACK blocks into the scoreboard; returns how many bytes were SACKed for the first time.
    fn note_sack(&mut self, segment: &Segment) -> u64 {
        let mut new = 0;
        let una = self.snd_una.max(segment.ack);
        for (start, end) in segment.sack.from_ack(segment.ack) {
            new += self
                .scoreboard
                .sacked
                .insert(start.max(una), end.min(self.snd_nxt));
        }
        new
    }

    /// Grows the congestion window after an ACK of new data, by `delivered`: the bytes that no earlier ACK had
    /// SACKed (`tcp_cong_control`, `tcp_cong_avoid`).
    fn grow_window(&mut self, delivered: u32, now: SimTime) {
        let may_grow = match self.ca_state {
            CaState::Open | CaState::Disorder => self.usage.is_limit(&self.window),
            CaState::Cwr | CaState::Recovery => false,
            CaState::Loss => true,
        };
        if may_grow {
            self.cong_avoid(delivered, now);
        }
    }

    /// `tcp_in_ack_event`
    pub(super) fn tell_of_ack(&mut self, delivered: u64, is_echo: bool) {
        self.congestion.in_ack_event(AckEvent {
            una: self.snd_una,
            nxt: self.snd_nxt,
            delivered,
            is_echo,
        });
    }

    /// The congestion window grows by `delivered` bytes.
    pub(super) fn cong_avoid(&mut self, delivered: u32, now: SimTime) {
        let ack = Ack {
            bytes: delivered,
            now,
            min_rtt: self.rtt.least,
        };
        self.congestion.cong_avoid(&mut self.window, ack);
    }

    /// `tcp_set_ca_state`
    pub(super) fn set_ca_state(&mut self, state: CaState) {
        let from = std::mem::replace(&mut self.ca_state, state);
        self.congestion.set_state(&mut self.window, from, state);
    }

    /// Acknowledged data have left the write queue: the send buffer grows to twice the congestion window, or to the
    /// reordering degree if that is more (`tcp_new_space`).
    pub(super) fn make_room(&mut self) {
        self.widen_send_buffer(
            2 * (self.window.cwnd / self.mss).max(self.scoreboard.reordering + 1),
        );
    }

    /// Advances SND.UNA to `ack`; returns the payload bytes delivered by this ACK and not already SACKed.
    fn on_new_ack(&mut self, ack: u64, now: SimTime, out: &mut Received) -> u64 {
        let old_una = self.snd_una;
        self.snd_una = ack;
        out.acked = self.write_queue.payload(old_una, ack);
        if self.timed_end != 0 && self.timed_end <= ack {
            let sample = SimTime(now.0.saturating_sub(self.timed_at.0));
            let round = (self.snd_una, self.snd_nxt);
            self.rtt
                .sample(sample, round, self.config.parameters.rto_bounds());
            self.timed_end = 0;
            self.timer.backoff = 0;
        }
        if self.config.timestamps {
            // The echoed timestamp makes every ACK a valid sample, RFC 7323 §4.
            self.timer.backoff = 0;
        }
        self.timer.retransmits = 0;
        if self.ca_state == CaState::Disorder {
            self.note_reordering(old_una);
        }
        let no_payload = ack - old_una - u64::from(out.acked);
        let delivered = self.scoreboard.advance(ack, ack - old_una, self.mss);
        if self.snd_una == self.snd_nxt {
            self.timer.stop();
        } else {
            self.arm_retransmit(now);
        }
        match self.ca_state {
            CaState::Open => {}
            CaState::Disorder => self.leave_disorder(),
            CaState::Cwr => {
                self.scoreboard.end_recovery();
                self.leave_cwr();
            }
            CaState::Recovery => self.on_ack_in_recovery(),
            CaState::Loss => {
                if self.scoreboard.high_seq <= self.snd_una {
                    self.end_recovery();
                }
            }
        }
        self.dup_acks = 0;
        if self.has_closed && self.write_queue.end() < ack {
            self.on_fin_acked(now);
        }
        delivered.saturating_sub(no_payload)
    }

    /// All that was sent, FIN included, is acknowledged.
    pub(super) fn on_fin_acked(&mut self, now: SimTime) {
        match self.state {
            State::FinWait1 => self.state = State::FinWait2,
            State::Closing => {
                self.state = State::TimeWait;
                self.arm_time_wait(now);
            }
            State::LastAck => self.become_closed(),
            State::Closed
            | State::Listen
            | State::SynSent
            | State::SynReceived
            | State::Established
            | State::FinWait2
            | State::CloseWait
            | State::TimeWait => {}
        }
    }

    /// The hole that caused the duplicate ACKs was filled without a retransmission: the segments had been
    /// reordered.
    fn note_reordering(&mut self, old_una: u64) {
        let highest = self.scoreboard.sacked.highest();
        if highest > old_una {
            let segments = (highest - old_una).div_ceil(u64::from(self.mss));
            self.scoreboard.note_reordering(segments as u32);
        }
    }

    fn leave_disorder(&mut self) {
        self.scoreboard.end_recovery();
        if self.scoreboard.sacked.is_empty() {
            self.set_ca_state(CaState::Open);
        }
    }

    /// RFC 6582 §3.2 step 3 and RFC 6675 §5: a full or a partial acknowledgment.
    fn on_ack_in_recovery(&mut self) {
        let is_full = self.scoreboard.high_seq <= self.snd_una;
        if is_full {
            if !self.sack {
                self.scoreboard.lost_end = self.snd_una;
            }
            self.window.cwnd = self.window.ssthresh;
            self.end_recovery();
        } else if self.sack {
            self.scoreboard.mark_lost(self.mss);
        } else {
            self.scoreboard.lost_end = self.snd_nxt.min(self.snd_una + u64::from(self.mss));
            self.scoreboard.retransmit_next = self.snd_una;
            self.scoreboard.is_forced = true;
        }
    }

    fn end_recovery(&mut self) {
        self.scoreboard.end_recovery();
        self.set_ca_state(if self.scoreboard.sacked.is_empty() {
            CaState::Open
        } else {
            CaState::Disorder
        });
    }

    /// RFC 5681 §3.2: the first two duplicate ACKs allow new data (limited transmit, RFC 3042, as less is in
    /// flight), the third indicates a loss.
    fn on_duplicate_ack(&mut self) {
        self.dup_acks += 1;
        if self.sack {
            self.scoreboard.mark_lost(self.mss);
        } else {
            self.scoreboard
                .add_reno_sack(self.mss, self.snd_nxt - self.snd_una);
        }
        match self.ca_state {
            CaState::Open | CaState::Disorder | CaState::Cwr => {
                self.set_ca_state(self.ca_state.max(CaState::Disorder));
                let is_loss =
                    self.dup_acks >= self.scoreboard.dup_thresh() || self.scoreboard.has_lost();
                // RFC 6582 §3.2 step 2: no second fast retransmit within the window of the last recovery.
                if is_loss && (self.sack || self.scoreboard.high_seq < self.snd_una) {
                    self.enter_recovery();
                }
            }
            CaState::Recovery | CaState::Loss => {}
        }
    }

    fn enter_recovery(&mut self) {
        if self.ca_state == CaState::Cwr {
            self.set_ca_state(CaState::Recovery);
        } else {
            self.begin_reduction(CaState::Recovery);
        }
        let (una, nxt) = (self.snd_una, self.snd_nxt);
        self.scoreboard.retransmit_next = self.scoreboard.retransmit_next.max(una);
        self.scoreboard.mark_first_lost(una, nxt, self.mss);
        self.scoreboard.is_forced = true;
    }
}

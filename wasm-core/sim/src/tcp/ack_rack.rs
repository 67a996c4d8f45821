//! ACK processing of a sender with SACK and RACK, which knows when each segment was sent: what was delivered,
//! what is lost, and how the congestion window changes.
//!
//! Source: `tcp_ack`, `tcp_fastretrans_alert`, `tcp_cong_control` of `net/ipv4/tcp_input.c` (v6.1).

use super::congestion::Sample;
use super::recovery::rtx_queue::Delivered;
use super::{CaState, Received, Recovery, Segment, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// Whether losses are detected by transmission times (RACK), which requires SACK.
    pub(super) fn uses_rack(&self) -> bool {
        self.sack && self.config.parameters.recovery == Recovery::Rack
    }

    /// Processes an ACK and its SACK blocks; of an ACK below SND.UNA only the blocks count.
    pub(super) fn on_ack_rack(&mut self, segment: &Segment, now: SimTime, out: &mut Received) {
        let old_una = self.snd_una;
        let is_old = segment.ack < old_una;
        let acked = segment.ack.saturating_sub(old_una);
        let lost_before = self.rtx.lost_ever;
        let (sacked, gone) = self.take_delivered(segment, out);
        self.take_rtt(&gone, &sacked, acked > 0, now);
        self.rack_advance(&sacked, now);
        self.rack_advance(&gone, now);
        let newly_sacked = sacked.bytes > 0;
        let is_pure_duplicate = acked == 0 && !newly_sacked && segment.is_pure_ack();
        self.on_loss_probe_ack(segment.ack, is_pure_duplicate);
        let is_echo = !is_old && self.ecn.is_echoed_by(segment);
        if !is_old {
            self.tell_of_ack(sacked.bytes + gone.bytes, is_echo);
        }
        let is_dubious = acked == 0 || newly_sacked || is_echo || self.ca_state != CaState::Open;
        let is_waiting = is_dubious && self.alert(segment, is_echo, old_una, now);
        if acked > 0 && !is_waiting {
            self.set_timer_after_ack(now);
        }
        if !is_old {
            let delivered = sacked.bytes + gone.bytes;
            let newly_lost = self.rtx.lost_ever - lost_before;
            self.control_window(delivered, newly_lost, acked, newly_sacked, now);
        }
        if acked > 0 {
            self.make_room();
            if self.has_closed && self.write_queue.end() < segment.ack {
                self.on_fin_acked(now);
            }
        }
    }

    /// Takes out of the retransmit queue what an ACK acknowledges, and marks what its blocks SACK: what they delivered
    /// that no earlier one had, the SACKed first (`tcp_sacktag_write_queue`, `tcp_clean_rtx_queue`).
    fn take_delivered(&mut self, segment: &Segment, out: &mut Received) -> (Delivered, Delivered) {
        let old_una = self.snd_una;
        let highest = self.rtx.highest_sacked;
        let mut sacked = Delivered::default();
        for (from, to) in segment.sack.from_ack(segment.ack) {
            let (from, to) = (from.max(old_una), to.min(self.snd_nxt));
            self.rtx.tag(from, to, u64::from(self.mss), &mut sacked);
        }
        if self.ca_state != CaState::Loss {
            self.note_overtaken(sacked.overtaken, highest);
        }
        let mut gone = Delivered::default();
        if segment.ack > old_una {
            self.snd_una = segment.ack;
            out.acked = self.write_queue.payload(old_una, segment.ack);
            gone = self.rtx.acknowledge(segment.ack, highest);
            self.note_overtaken(gone.overtaken, self.rtx.highest_sacked);
            self.timer.retransmits = 0;
        }
        (sacked, gone)
    }

    /// Takes an RTT sample from segments that were sent only once, for the RTO and for the congestion control, and ends
    /// the back-off (`tcp_clean_rtx_queue`, `tcp_ack_update_rtt`). An ACK of segments of which one was sent more than once
    /// may be due to that one, and gives no sample. With timestamps every ACK of new data is a valid one (RFC 7323 §4):
    /// what was sent once stands for the echo, which is in whole milliseconds.
    fn take_rtt(&mut self, gone: &Delivered, sacked: &Delivered, is_advancing: bool, now: SimTime) {
        let (bounds, round) = (
            self.config.parameters.rto_bounds(),
            (self.snd_una, self.snd_nxt),
        );
        let is_clear = !gone.has_resent || self.config.timestamps;
        let first_sent = gone.first_sent.filter(|_| is_clear).or(sacked.first_sent);
        if let Some(sent) = first_sent {
            self.rtt.sample(now.since(sent), round, bounds);
        }
        if first_sent.is_some() || self.config.timestamps && is_advancing {
            self.timer.backoff = 0;
        }
        if self.timed_end == 1 && self.snd_una >= 1 {
            // The SYN is not in `rtx`. A handshake that a workload sets to zero time gives no sample.
            self.timed_end = 0;
            if now > self.timed_at {
                self.rtt.sample(now.since(self.timed_at), round, bounds);
            }
        }
        if let Some(sent) = gone.last_sent.filter(|_| is_clear) {
            let sample = Sample {
                rtt: now.since(sent),
                una: self.snd_una,
                nxt: self.snd_nxt,
                ack_delay: self.ack_delay(),
                is_paced: self.is_paced(),
                now,
            };
            self.congestion.pkts_acked(&mut self.window, &sample);
        }
    }

    /// `tcp_set_xmit_timer`
    fn set_timer_after_ack(&mut self, now: SimTime) {
        if self.snd_una == self.snd_nxt {
            self.timer.stop();
        } else if !self.schedule_loss_probe(now, true) {
            self.rearm_retransmit(now);
        }
    }

    /// `tcp_fastretrans_alert`; returns whether the reordering timer was started.
    fn alert(&mut self, segment: &Segment, is_echo: bool, una_before: u64, now: SimTime) -> bool {
        if is_echo {
            self.forget_windows();
        }
        let is_over = self.snd_una >= self.scoreboard.high_seq;
        match self.ca_state {
            CaState::Recovery if is_over => {
                if !self.undo_recovery(segment) {
                    self.window.cwnd = self.window.ssthresh;
                }
                self.set_ca_state(CaState::Open);
            }
            CaState::Loss if is_over => self.set_ca_state(CaState::Open),
            CaState::Recovery => {
                if self.snd_una > una_before && self.undo_partly(segment, una_before) {
                    return false;
                }
            }
            CaState::Cwr => self.leave_cwr(),
            CaState::Open | CaState::Disorder | CaState::Loss => {}
        }
        let is_waiting = self.rtx.first().is_some() && self.rack_mark_lost(now);
        match self.ca_state {
            CaState::Recovery | CaState::Loss => {}
            CaState::Open | CaState::Disorder | CaState::Cwr if self.rtx.lost > 0 => {
                self.begin_recovery(is_echo);
            }
            CaState::Open | CaState::Disorder | CaState::Cwr => {
                // tcp_try_to_open
                if is_echo {
                    self.enter_cwr();
                }
                if self.ca_state != CaState::Cwr {
                    self.keep_open();
                }
            }
        }
        is_waiting
    }

    /// `tcp_try_keep_open`
    pub(super) fn keep_open(&mut self) {
        let is_open = self.rtx.sacked == 0 && self.rtx.resent == 0;
        let state = if is_open {
            CaState::Open
        } else {
            CaState::Disorder
        };
        if self.ca_state != state {
            self.set_ca_state(state);
            self.scoreboard.high_seq = self.snd_nxt;
        }
    }

    /// `tcp_enter_recovery`: a window that is being reduced is not reduced again, and what an echo asks for is not
    /// undone.
    pub(super) fn begin_recovery(&mut self, is_echo: bool) {
        if self.ca_state == CaState::Cwr {
            self.set_ca_state(CaState::Recovery);
            return;
        }
        if is_echo {
            self.forget_windows();
        } else {
            self.remember_windows();
        }
        self.begin_reduction(CaState::Recovery);
    }

    /// `tcp_cong_control`
    fn control_window(
        &mut self,
        delivered: u64,
        newly_lost: u64,
        acked: u64,
        newly_sacked: bool,
        now: SimTime,
    ) {
        if matches!(self.ca_state, CaState::Cwr | CaState::Recovery) {
            self.reduce_window(delivered, newly_lost, acked > 0);
            return;
        }
        // tcp_may_raise_cwnd: with a high reordering degree, newly SACKed data count as progress.
        let is_progress = acked > 0 || (newly_sacked && self.reordering_segments() > 3);
        if is_progress && self.usage.is_limit(&self.window) {
            let delivered = delivered.min(u64::from(u32::MAX)) as u32;
            self.cong_avoid(delivered, now);
        }
    }

    /// The reordering timer expired: `tcp_rack_reo_timeout`.
    pub(super) fn on_reordering_timeout(&mut self, now: SimTime) {
        let before = self.pipe();
        self.rack_detect_loss(now);
        if self.pipe() != before && self.ca_state != CaState::Recovery {
            self.begin_recovery(false);
            self.reduce_window(u64::from(self.mss), 0, false);
        }
        self.rearm_retransmit(now);
    }
}

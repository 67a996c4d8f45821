//! The tail loss probe: if no ACK arrives for two round trips, the sender transmits new data or else the last
//! segment again, so that the ACK reveals a loss at the tail (RFC 8985 §7).
//!
//! Source: `tcp_schedule_loss_probe`, `tcp_send_loss_probe` of `net/ipv4/tcp_output.c`, and
//! `tcp_process_tlp_ack` of `tcp_input.c` (v6.1).

use super::rack::TIMER_SLACK;
use crate::tcp::{CaState, Segment, Tcb};
use crate::time::SimTime;

/// The state of the probe that is due or in flight.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct LossProbe {
    /// Whether the next call of `next_segment` sends the probe.
    pub is_due: bool,
    /// SND.NXT when the probe was sent (`tlp_high_seq`); 0: no probe is in flight.
    high_seq: u64,
    /// Whether the probe was a retransmission (`tlp_retrans`).
    is_copy: bool,
}

impl Tcb {
    /// Arms the probe timer, no later than the RTO; `false` if no probe is to be sent. `is_advancing`: an ACK
    /// of new data has just arrived.
    pub(in crate::tcp) fn schedule_loss_probe(&mut self, now: SimTime, is_advancing: bool) -> bool {
        let has_probes = self.config.parameters.loss_probe && self.uses_rack();
        let is_recovering = !matches!(self.ca_state, CaState::Open | CaState::Cwr);
        if !has_probes || self.rtx.first().is_none() || is_recovering {
            return false;
        }
        let srtt = self.rtt.srtt;
        let mut wait = if srtt == SimTime::ZERO {
            SimTime::from_ms(self.config.parameters.initial_rto_ms)
        } else if self.segments(self.snd_nxt - self.snd_una) == 1 {
            srtt + srtt + self.config.parameters.rto_bounds().min_rto
        } else {
            srtt + srtt + TIMER_SLACK
        };
        let rto = if is_advancing {
            self.rtt.rto
        } else {
            self.rto_left(now)
        };
        if rto > SimTime::ZERO {
            wait = wait.min(rto);
        }
        self.arm_loss_probe(now + wait);
        true
    }

    /// The probe timer expired: a probe becomes due. If one is already in flight, what is left of the RTO is waited for.
    pub(in crate::tcp) fn on_loss_probe_timeout(&mut self, now: SimTime) {
        if self.loss_probe.high_seq == 0 {
            self.stop_timer();
            self.loss_probe.is_due = true;
        } else {
            self.rearm_retransmit(now);
        }
    }

    /// Sends the probe: new data regardless of the congestion window, or else the last segment again.
    pub(in crate::tcp) fn send_loss_probe(&mut self, now: SimTime) -> Option<Segment> {
        self.loss_probe.is_due = false;
        let mss = u64::from(self.send_mss);
        let data = self.write_queue.unsent(self.snd_nxt).min(mss);
        let right_edge = self.snd_una + u64::from(self.snd_wnd);
        let is_new = data > 0 && self.snd_nxt + data <= right_edge;
        let segment = if is_new {
            let is_last = self.snd_nxt + data == self.write_queue.end();
            self.send_new(data as u32, self.has_closed && is_last, self.pipe(), now)
        } else {
            let piece = self.rtx.probe_last(mss, self.departure(now))?;
            self.copy_of(piece.start, piece.end, now)
        };
        self.loss_probe.high_seq = self.snd_nxt;
        self.loss_probe.is_copy = !is_new;
        self.arm_retransmit(now);
        Some(segment)
    }

    /// An ACK arrived while a probe is in flight: decides whether the probe repaired a loss
    /// (`tcp_process_tlp_ack`).
    pub(in crate::tcp) fn on_loss_probe_ack(&mut self, ack: u64, is_pure_duplicate: bool) {
        let probe = &mut self.loss_probe;
        if probe.high_seq == 0 || ack < probe.high_seq {
            return;
        }
        if !probe.is_copy || is_pure_duplicate {
            probe.high_seq = 0;
        } else if ack > probe.high_seq {
            // The original was lost: the window is reduced once, without a recovery.
            probe.high_seq = 0;
            self.reduce_at_once();
            self.ecn.queue_cwr();
            if self.ca_state == CaState::Cwr {
                self.set_ca_state(CaState::Open);
            }
        }
    }

    /// An RTO or a recovery supersedes the probe.
    pub(in crate::tcp) fn forget_loss_probe(&mut self) {
        self.loss_probe = LossProbe::default();
    }
}

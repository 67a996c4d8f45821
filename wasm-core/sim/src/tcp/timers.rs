//! The timers: retransmission, window probe and TIME-WAIT share one, the delayed ACK and the compressed ones have
//! their own.
//!
//! Facts: RFC 6298 §5, RFC 9293 §3.8.6.1, and `net/ipv4/tcp_timer.c` (v6.1), where retransmission and window
//! probe also share one timer (`icsk_retransmit_timer`).

use super::congestion::CaEvent;
use super::{CaState, State, Tcb};
use crate::time::SimTime;

/// The purpose of the shared timer (`icsk_pending`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    Nothing,
    /// `ICSK_TIME_RETRANS`
    Retransmit,
    /// `ICSK_TIME_PROBE0`
    Probe,
    /// `ICSK_TIME_LOSS_PROBE`
    LossProbe,
    /// `ICSK_TIME_REO_TIMEOUT`
    Reordering,
    TimeWait,
}

/// The shared timer.
#[derive(Debug, Clone)]
pub(super) struct Timer {
    pending: Pending,
    deadline: SimTime,
    /// How often the timeout was doubled: the exponent of the back-off.
    pub backoff: u8,
    /// Timeouts since the last ACK of new data.
    pub retransmits: u8,
    /// Window probes since the last ACK.
    pub probes_out: u8,
}

impl Default for Timer {
    fn default() -> Timer {
        Timer {
            pending: Pending::Nothing,
            deadline: SimTime::NEVER,
            backoff: 0,
            retransmits: 0,
            probes_out: 0,
        }
    }
}

impl Timer {
    pub fn stop(&mut self) {
        self.pending = Pending::Nothing;
        self.deadline = SimTime::NEVER;
    }

    fn start(&mut self, pending: Pending, deadline: SimTime) {
        self.pending = pending;
        self.deadline = deadline;
    }
}

/// What the caller has to do after a timer expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimerOutcome {
    /// Nothing: no timer was due.
    Nothing,
    /// The delayed ACK is due: send `ack_segment`.
    SendAck,
    /// Retransmission timeout: call `next_segment` until `None`.
    Retransmit,
    /// A window probe is due: call `next_segment` until `None`.
    Probe,
    /// Too many timeouts without an ACK: the connection is closed (`ETIMEDOUT`).
    GaveUp,
    /// TIME-WAIT has ended: the connection is closed.
    TimeWaitOver,
}

impl Tcb {
    /// When the next timer expires; `NEVER` if none is armed. Every call may change it.
    pub fn next_timer(&self) -> SimTime {
        let receiver = &self.receiver;
        let ack = receiver.ack_deadline.min(receiver.compression.deadline);
        self.timer.deadline.min(ack)
    }

    /// A timer expired while a process owns the socket: the timers that are due are armed again. Returns
    /// `false` in kernels that do not retry but leave the work to `release_sock`. An ACK that was due is sent
    /// at the end of a read at the latest (`icsk_ack.blocked`). Simplified ("an ACK of a socket in use (2.2)"): 2.2
    /// has no `blocked`, so that there a read that ends before the timer expires again sends no ACK for it.
    pub fn put_off_timers(&mut self, now: SimTime) -> bool {
        let is_ack_due = self.receiver.ack_deadline <= now;
        let Some(retry) = self.config.parameters.owned_retry else {
            return false;
        };
        if is_ack_due {
            self.receiver.is_ack_blocked = true;
            self.receiver.ack_deadline = now + SimTime::from_ms(retry.delayed_ack_ms);
        }
        if self.timer.deadline <= now {
            self.timer.deadline = now + SimTime::from_ms(retry.write_ms);
        }
        true
    }

    /// Handles a timer that is due. If both are, `next_timer` is still due after this call.
    pub fn on_timer(&mut self, now: SimTime) -> TimerOutcome {
        self.receiver.clock = now;
        if self.receiver.ack_deadline <= now {
            self.receiver.ack_deadline = SimTime::NEVER;
            // No data were sent that could carry the ACK: tcp_delack_timer_handler.
            self.receiver.is_pingpong = false;
            if self.receiver.is_ack_scheduled {
                return TimerOutcome::SendAck;
            }
        }
        if self.receiver.compression.deadline <= now {
            // `tcp_compressed_ack_kick`
            self.receiver.compression.sent();
            return TimerOutcome::SendAck;
        }
        if self.timer.deadline > now {
            return TimerOutcome::Nothing;
        }
        match self.timer.pending {
            Pending::Nothing => TimerOutcome::Nothing,
            Pending::Retransmit => self.on_retransmission_timeout(now),
            Pending::Probe => self.on_probe_timeout(now),
            Pending::LossProbe => {
                self.on_loss_probe_timeout(now);
                TimerOutcome::Retransmit
            }
            Pending::Reordering => {
                self.on_reordering_timeout(now);
                TimerOutcome::Retransmit
            }
            Pending::TimeWait => {
                self.become_closed();
                TimerOutcome::TimeWaitOver
            }
        }
    }

    /// RFC 6298 (5.4) to (5.6), `tcp_retransmit_timer`, `tcp_enter_loss`.
    fn on_retransmission_timeout(&mut self, now: SimTime) -> TimerOutcome {
        let is_handshake = self.snd_una == 0;
        let most = if is_handshake {
            self.config.parameters.syn_retries
        } else {
            self.config.parameters.retries
        };
        if self.timer.retransmits >= most {
            self.become_closed();
            return TimerOutcome::GaveUp;
        }
        self.timed_end = 0;
        if is_handshake {
            self.is_syn_due = true;
        } else {
            self.enter_loss(now);
        }
        self.timer.retransmits += 1;
        self.timer.backoff = self.timer.backoff.saturating_add(1);
        self.arm_retransmit(now);
        TimerOutcome::Retransmit
    }

    fn enter_loss(&mut self, now: SimTime) {
        // The window is reduced once for what is in flight, but again where an ACK of new data came since the last timeout.
        let is_of_new_flight = self.scoreboard.high_seq <= self.snd_una;
        let is_new_loss = match self.ca_state {
            CaState::Open | CaState::Disorder => true,
            CaState::Cwr | CaState::Recovery => is_of_new_flight,
            CaState::Loss => is_of_new_flight || self.timer.retransmits == 0,
        };
        if is_new_loss {
            self.reduce_threshold();
            self.congestion.cwnd_event(&mut self.window, CaEvent::Loss);
        }
        self.dup_acks = 0;
        self.scoreboard.high_seq = self.snd_nxt;
        if self.uses_rack() {
            self.forget_windows();
            self.forget_loss_probe();
            self.rack_mark_timed_out(now);
            let in_flight = self.segments(u64::from(self.pipe()));
            self.window.enter_loss((in_flight + 1) * self.mss);
        } else {
            self.window.enter_loss(self.mss);
            self.scoreboard.mark_all_lost(self.snd_una, self.snd_nxt);
        }
        self.set_ca_state(CaState::Loss);
        self.ecn.queue_cwr();
    }

    /// `tcp_probe_timer`
    fn on_probe_timeout(&mut self, now: SimTime) -> TimerOutcome {
        if self.timer.probes_out >= self.config.parameters.retries {
            self.become_closed();
            return TimerOutcome::GaveUp;
        }
        self.timer.probes_out += 1;
        self.timer.backoff = self.timer.backoff.saturating_add(1);
        self.is_probe_due = true;
        self.timer.start(Pending::Probe, self.timeout_from(now));
        TimerOutcome::Probe
    }

    /// Restarts the retransmission timer, RFC 6298 (5.3).
    pub(super) fn arm_retransmit(&mut self, now: SimTime) {
        self.timer
            .start(Pending::Retransmit, self.timeout_from(now));
    }

    /// Restarts the retransmission timer; after a probe or reordering timer only the rest of the RTO since the
    /// oldest piece was sent (`tcp_rearm_rto`).
    pub(super) fn rearm_retransmit(&mut self, now: SimTime) {
        let stands_in = matches!(self.timer.pending, Pending::LossProbe | Pending::Reordering);
        if self.snd_una == self.snd_nxt {
            self.timer.stop();
        } else if stands_in {
            let left = self.rto_left(now).max(SimTime::from_us(1));
            self.timer.start(Pending::Retransmit, now + left);
        } else {
            self.arm_retransmit(now);
        }
    }

    /// The rest of the RTO since the oldest piece was sent; zero if it is over (`tcp_rto_delta_us`).
    pub(super) fn rto_left(&self, now: SimTime) -> SimTime {
        let sent = self.rtx.first().map_or(now, |piece| piece.at);
        SimTime((sent + self.rto_backed_off()).0.saturating_sub(now.0))
    }

    /// Nothing is waited for.
    pub(super) fn stop_timer(&mut self) {
        self.timer.stop();
    }

    /// Arms the shared timer for a tail loss probe.
    pub(super) fn arm_loss_probe(&mut self, deadline: SimTime) {
        self.timer.start(Pending::LossProbe, deadline);
    }

    /// Arms the shared timer for RACK's reordering timeout.
    pub(super) fn arm_reordering(&mut self, deadline: SimTime) {
        self.timer.start(Pending::Reordering, deadline);
    }

    /// Whether the shared timer runs for RACK's reordering timeout.
    pub(super) fn is_reordering_armed(&self) -> bool {
        self.timer.pending == Pending::Reordering
    }

    /// RFC 6298 (5.1): starts the retransmission timer if it does not run.
    pub(super) fn arm_for_new_data(&mut self, now: SimTime) {
        if matches!(
            self.timer.pending,
            Pending::Retransmit | Pending::Reordering
        ) {
            return;
        }
        if self.timer.pending == Pending::Probe {
            // The window has opened.
            self.timer.backoff = 0;
        }
        self.arm_retransmit(now);
    }

    /// The window is closed and nothing is in flight whose ACK could report that it opened.
    pub(super) fn arm_probe(&mut self, now: SimTime) {
        if self.timer.pending == Pending::Nothing {
            self.timer.start(Pending::Probe, self.timeout_from(now));
        }
    }

    /// RFC 9293 §3.6.1: TIME-WAIT restarts with each segment that has to be answered.
    pub(super) fn arm_time_wait(&mut self, now: SimTime) {
        debug_assert_eq!(self.state, State::TimeWait);
        let time_wait = SimTime::from_ms(self.config.parameters.time_wait_ms);
        self.timer.start(Pending::TimeWait, now + time_wait);
    }

    /// The retransmission timeout with its back-off (`icsk_rto`).
    pub(super) fn rto_backed_off(&self) -> SimTime {
        let factor = 1_u64 << self.timer.backoff.min(32);
        let most = self.config.parameters.rto_bounds().max_rto;
        SimTime(self.rtt.rto.0.saturating_mul(factor)).min(most)
    }

    fn timeout_from(&self, now: SimTime) -> SimTime {
        SimTime(now.0.saturating_add(self.rto_backed_off().0))
    }
}

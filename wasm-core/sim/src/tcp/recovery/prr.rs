//! Proportional rate reduction: during fast recovery the congestion window shrinks to `ssthresh` in proportion
//! to the delivered data (RFC 6937, and RFC 9937, which obsoletes it).
//!
//! Source: `tcp_init_cwnd_reduction`, `tcp_cwnd_reduction`, `tcp_end_cwnd_reduction` of
//! `net/ipv4/tcp_input.c` (v6.1, so with "tcp: improve PRR loss recovery" of v5.19).

use crate::tcp::{CaState, Tcb};

/// Counters of the current recovery, in segments.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct Prr {
    prior_cwnd: u32,
    delivered: u32,
    /// Segments sent (`prr_out`).
    pub out: u32,
}

impl Prr {
    /// Recovery begins with a window of `cwnd` segments.
    pub fn begin(&mut self, cwnd: u32) {
        *self = Prr {
            prior_cwnd: cwnd,
            ..Prr::default()
        };
    }

    /// How many segments may be sent now that `arrived` more were delivered.
    pub fn allowed(
        &mut self,
        arrived: u32,
        ssthresh: u32,
        in_flight: u32,
        is_good_progress: bool,
    ) -> u32 {
        self.delivered += arrived;
        let allowed = match ssthresh.checked_sub(in_flight) {
            None => {
                let share = (u64::from(ssthresh) * u64::from(self.delivered))
                    .div_ceil(u64::from(self.prior_cwnd.max(1)));
                (share as u32).saturating_sub(self.out)
            }
            Some(room) => {
                let behind = self.delivered.saturating_sub(self.out);
                room.min(behind.max(arrived) + u32::from(is_good_progress))
            }
        };
        // The fast retransmit is sent in any case.
        allowed.max(u32::from(self.out == 0))
    }
}

impl Tcb {
    /// Begins to reduce the window in this state: step by step, or at once where what was delivered is not known by
    /// segments (`tcp_init_cwnd_reduction`, `tcp_set_ca_state`).
    pub(in crate::tcp) fn begin_reduction(&mut self, state: CaState) {
        self.scoreboard.high_seq = self.snd_nxt;
        if self.uses_rack() {
            self.forget_loss_probe();
            self.prr.begin(self.window.cwnd / self.mss);
        }
        self.reduce_threshold();
        self.set_ca_state(state);
        if !self.uses_rack() {
            self.window.cwnd = self.window.ssthresh;
        }
        self.ecn.queue_cwr();
    }

    /// The congestion control sets the threshold.
    pub(in crate::tcp) fn reduce_threshold(&mut self) {
        let ssthresh = self.congestion.ssthresh(&self.window);
        self.window.reduce_threshold(ssthresh);
    }

    /// The window is the threshold at once (RFC 6675 §5 (4.2)).
    pub(in crate::tcp) fn reduce_at_once(&mut self) {
        self.reduce_threshold();
        self.window.cwnd = self.window.ssthresh;
    }

    /// `tcp_cwnd_reduction`
    pub(in crate::tcp) fn reduce_window(
        &mut self,
        delivered: u64,
        newly_lost: u64,
        una_advanced: bool,
    ) {
        if delivered == 0 {
            return;
        }
        let in_flight = self.segments(u64::from(self.pipe()));
        let ssthresh = self.window.ssthresh / self.mss;
        let is_good_progress = una_advanced && newly_lost == 0;
        let arrived = self.segments(delivered);
        let allowed = self
            .prr
            .allowed(arrived, ssthresh, in_flight, is_good_progress);
        self.window.cwnd = (in_flight + allowed).max(1).saturating_mul(self.mss);
    }
}

#[cfg(test)]
mod tests {
    use super::Prr;

    /// RFC 6937 §3.1, above the threshold of 14, from a window of 20: seven are sent for each ten delivered.
    #[test]
    fn it_sends_in_proportion() {
        let mut prr = Prr::default();
        prr.begin(20);
        for _ in 0..10 {
            prr.out += prr.allowed(1, 14, 18, false);
        }
        assert_eq!(prr.out, 7);
    }

    /// RFC 9937 §7, below the threshold of 10: what was delivered and not yet answered by segments sent is sent now, and
    /// one more where the ACK shows good progress.
    #[test]
    fn below_the_threshold_it_catches_up_with_what_was_delivered() {
        let mut prr = Prr::default();
        prr.begin(20);
        // Nothing could be sent for these, as the receiver's window was closed.
        for in_flight in [9, 8, 7, 6] {
            assert!(prr.allowed(1, 10, in_flight, false) > 0);
        }
        assert_eq!(prr.allowed(1, 10, 3, false), 5);
        assert_eq!(prr.allowed(1, 10, 3, true), 7, "and one more");
        assert_eq!(
            prr.allowed(1, 10, 8, true),
            2,
            "no more than there is room for"
        );
    }

    #[test]
    fn the_fast_retransmit_always_goes() {
        let mut prr = Prr::default();
        prr.begin(20);
        assert_eq!(prr.allowed(1, 10, 18, false), 1);
    }
}

//! The round-trip time and the retransmission timeout that follows from it.
//!
//! Facts: RFC 6298 and `tcp_rtt_estimator`, `__tcp_set_rto` in `net/ipv4/tcp_input.c` (v6.1).
//! The exponential back-off belongs to the timers.

use crate::time::SimTime;

/// Smoothed round-trip time, its variation, and the timeout, in femtoseconds.
#[derive(Debug, Clone)]
pub(super) struct Rtt {
    /// SRTT; 0 before the first sample.
    pub srtt: SimTime,
    /// RTTVAR.
    pub rttvar: SimTime,
    /// The least sample; 0 before the first.
    pub least: SimTime,
    /// RTO without back-off.
    pub rto: SimTime,
}

impl Rtt {
    /// No sample yet, RFC 6298 (2.1).
    pub fn new(initial_rto: SimTime) -> Rtt {
        let zero = SimTime(0);
        Rtt {
            srtt: zero,
            rttvar: zero,
            least: zero,
            rto: initial_rto,
        }
    }

    /// Takes a sample of a segment sent once only (Karn), RFC 6298 (2.2) and (2.3).
    ///
    /// The floor is under the variation, as in Linux, not under the whole timeout.
    pub fn sample(&mut self, sample: SimTime, min_rto: SimTime, max_rto: SimTime) {
        let sample = SimTime(sample.0.max(1));
        if self.srtt.0 == 0 {
            self.srtt = sample;
            self.least = sample;
            self.rttvar.0 = sample.0 / 2;
        } else {
            let difference = self.srtt.0.abs_diff(sample.0);
            self.rttvar.0 = self.rttvar.0 - self.rttvar.0 / 4 + difference / 4;
            self.srtt.0 = self.srtt.0 - self.srtt.0 / 8 + sample.0 / 8;
        }
        self.least = self.least.min(sample);
        let variation = self.rttvar.0.saturating_mul(4).max(min_rto.0);
        self.rto = SimTime(self.srtt.0.saturating_add(variation)).min(max_rto);
    }
}

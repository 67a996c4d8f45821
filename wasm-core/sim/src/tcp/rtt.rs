//! The round-trip time and the retransmission timeout that follows from it.
//!
//! Facts: RFC 6298 and `tcp_rtt_estimator`, `__tcp_set_rto` in `net/ipv4/tcp_input.c` (v6.1; so since 2.4).
//! The exponential back-off belongs to the timers.

use crate::time::SimTime;

/// Smoothed round-trip time, its variation, and the timeout, in femtoseconds.
#[derive(Debug, Clone)]
pub(super) struct Rtt {
    /// SRTT; 0 before the first sample.
    pub srtt: SimTime,
    /// Four times the mean deviation (`mdev_us`).
    deviation: SimTime,
    /// Maximum of `deviation` in the current round trip, at least `tcp_rto_min` (`mdev_max_us`).
    most_of_round: SimTime,
    /// The part of the timeout beyond SRTT (`rttvar_us`).
    variation: SimTime,
    /// The current round trip ends when this sequence number is acknowledged (`rtt_seq`).
    round_end: u64,
    /// The minimum sample; 0 before the first.
    pub least: SimTime,
    /// RTO without back-off.
    pub rto: SimTime,
}

/// Bounds of the timeout: a lower one for its variation, an upper one for the whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// `tcp_rto_min`.
    pub min_rto: SimTime,
    /// `TCP_RTO_MAX`.
    pub max_rto: SimTime,
}

impl Rtt {
    /// The estimator before the first sample, RFC 6298 (2.1).
    pub fn new(initial_rto: SimTime) -> Rtt {
        let zero = SimTime(0);
        Rtt {
            srtt: zero,
            deviation: zero,
            most_of_round: zero,
            variation: zero,
            round_end: 0,
            least: zero,
            rto: initial_rto,
        }
    }

    /// Takes a sample from a segment that was sent only once (Karn's algorithm), RFC 6298 (2.2) and (2.3);
    /// `una` and `nxt` are SND.UNA and SND.NXT after the ACK.
    ///
    /// As in Linux, the variation follows a larger deviation at once but falls only once per round trip, by a
    /// quarter of the difference, and a sample below SRTT increases the deviation by an eighth of what one
    /// above it does. The lower bound applies to the variation, not to the whole timeout.
    pub fn sample(&mut self, sample: SimTime, (una, nxt): (u64, u64), bounds: Bounds) {
        let sample = SimTime(sample.0.max(1));
        if self.srtt.0 == 0 {
            self.srtt = sample;
            self.least = sample;
            self.deviation.0 = sample.0.saturating_mul(2);
            self.variation = self.deviation.max(bounds.min_rto);
            self.most_of_round = self.variation;
            self.round_end = nxt;
        } else {
            self.deviate(sample);
            self.srtt.0 = self.srtt.0 - self.srtt.0 / 8 + sample.0 / 8;
            self.most_of_round = self.most_of_round.max(self.deviation);
            self.variation = self.variation.max(self.most_of_round);
            if una > self.round_end {
                self.variation.0 -= self.variation.since(self.most_of_round).0 / 4;
                self.round_end = nxt;
                self.most_of_round = bounds.min_rto;
            }
        }
        self.least = self.least.min(sample);
        let rto = self.srtt.0.saturating_add(self.variation.0);
        self.rto = SimTime(rto).min(bounds.max_rto);
    }

    fn deviate(&mut self, sample: SimTime) {
        let difference = self.srtt.0.abs_diff(sample.0);
        let before = self.deviation.0 / 4;
        let more = difference.saturating_sub(before);
        let less = before.saturating_sub(difference);
        let share = if sample < self.srtt { 8 } else { 1 };
        self.deviation.0 = self.deviation.0 + more / share - less;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        min_rto: SimTime::from_ms(200),
        max_rto: SimTime::from_ms(120_000),
    };

    fn micros(us: u64) -> SimTime {
        SimTime::from_us(us)
    }

    /// Samples of 100 ms, one a round trip.
    fn steady(rounds: u64) -> Rtt {
        let mut rtt = Rtt::new(SimTime::from_ms(1_000));
        for round in 1..=rounds {
            rtt.sample(SimTime::from_ms(100), (round, round), BOUNDS);
        }
        rtt
    }

    #[test]
    fn the_floor_is_under_the_variation() {
        assert_eq!(steady(1).rto, SimTime::from_ms(300), "200 ms are 2 R");
        assert_eq!(steady(100).rto, SimTime::from_ms(300));
    }

    #[test]
    fn the_timeout_rises_at_once_and_falls_by_a_quarter_a_round_trip() {
        let mut rtt = steady(100);
        rtt.sample(SimTime::from_ms(500), (100, 101), BOUNDS);
        assert_eq!(rtt.srtt, SimTime::from_ms(150));
        let high = rtt.rto;
        assert!(high > SimTime::from_ms(540), "{high:?}");
        // The variation does not fall within a round trip.
        rtt.sample(SimTime::from_ms(150), (100, 102), BOUNDS);
        assert_eq!(rtt.rto, high);
        let falls = [103, 105, 107].map(|una| {
            let before = rtt.variation.0;
            rtt.sample(rtt.srtt, (una, una + 1), BOUNDS);
            (before - rtt.variation.0) / 1_000_000_000_000
        });
        assert_eq!(falls[0], 0, "it was as high in the round trip that ends");
        assert!(falls[1] > 0 && falls[2] > 0, "{falls:?}");
    }

    #[test]
    fn a_shorter_round_trip_counts_an_eighth() {
        let deviation_after = |sample: u64| {
            let mut rtt = steady(100);
            rtt.sample(micros(sample), (101, 102), BOUNDS);
            rtt.deviation.0
        };
        let (short, long) = (deviation_after(50_000), deviation_after(150_000));
        assert!(short.abs_diff(long / 8) < long / 100, "{short} {long}");
    }
}

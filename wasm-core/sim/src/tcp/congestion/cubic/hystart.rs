//! HyStart: slow start ends when the round trip grows, or when the ACKs of one round form a train that is as
//! long as half the minimum round trip, or with pacing as long as the whole.
//!
//! Source: `hystart_update`, `cubictcp_acked` of `net/ipv4/tcp_cubic.c` (v6.1); Ha and Rhee, "Taming
//! the elephants", 2011.

use crate::tcp::congestion::Sample;
use crate::time::SimTime;

/// Window in segments from which HyStart is active (`hystart_low_window`).
pub const LOW_WINDOW: u32 = 16;
/// Samples of a round before its delay is evaluated (`HYSTART_MIN_SAMPLES`).
const SAMPLES: u32 = 8;
/// A delay ends slow start if it exceeds the minimum by an eighth of it, clamped to these bounds
/// (`HYSTART_DELAY_MIN`, `HYSTART_DELAY_MAX`).
const LEAST_MORE: SimTime = SimTime::from_ms(4);
const MOST_MORE: SimTime = SimTime::from_ms(16);
/// Longest gap between two ACKs of one train (`hystart_ack_delta_us`).
const TRAIN_GAP: SimTime = SimTime::from_ms(2);

/// HyStart's state: the minimum delay, and the current round.
#[derive(Debug, Default)]
pub struct Hystart {
    /// Minimum delay of the connection (`delay_min`); 0: no sample yet.
    least: SimTime,
    round_start: SimTime,
    last_ack: SimTime,
    /// The round ends when this sequence number is acknowledged.
    end_seq: u64,
    /// The minimum delay of the round, and its number of samples.
    current: SimTime,
    samples: u32,
    /// Slow start has been ended.
    found: bool,
}

impl Hystart {
    /// Restarts after a loss.
    pub fn reset(&mut self) {
        *self = Hystart::default();
    }

    /// Takes an RTT sample into the minimum of the connection.
    pub fn note(&mut self, delay: SimTime) {
        let delay = SimTime(delay.0.max(1));
        if self.least == SimTime::ZERO || delay < self.least {
            self.least = delay;
        }
    }

    /// Takes an RTT sample in slow start, once the window is large enough; returns whether slow start ends.
    pub fn ends(&mut self, sample: &Sample) -> bool {
        let now = sample.now;
        if self.found {
            return false;
        }
        if sample.una > self.end_seq {
            self.round_start = now;
            self.last_ack = now;
            self.end_seq = sample.nxt;
            self.current = SimTime::NEVER;
            self.samples = 0;
        }
        if now.since(self.last_ack) <= TRAIN_GAP {
            self.last_ack = now;
            // Pacing alone may make a train of half a round trip.
            let part = if sample.is_paced { 1 } else { 2 };
            let threshold = (self.least + sample.ack_delay).0 / part;
            let threshold = SimTime(threshold);
            self.found |= now.since(self.round_start) > threshold;
        }
        self.current = self.current.min(sample.rtt);
        if self.samples < SAMPLES {
            self.samples += 1;
        } else {
            let more = SimTime(self.least.0 / 8).max(LEAST_MORE).min(MOST_MORE);
            self.found |= self.current > self.least + more;
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(us: u64) -> SimTime {
        SimTime::from_us(us)
    }

    /// After how many µs a train of ACKs, 10 µs apart, ends slow start where the round trip is 100 µs.
    fn train_ends_after(ack_delay: SimTime, is_paced: bool) -> Option<u64> {
        let mut hystart = Hystart::default();
        hystart.note(micros(100));
        (0..1_000).step_by(10).find(|&at| {
            hystart.ends(&Sample {
                rtt: micros(100),
                una: 1 + at,
                nxt: 1_000,
                ack_delay,
                is_paced,
                now: micros(5_000 + at),
            })
        })
    }

    #[test]
    fn a_train_is_measured_against_half_the_path_and_what_merging_takes() {
        assert_eq!(train_ends_after(SimTime::ZERO, false), Some(60));
        assert_eq!(train_ends_after(micros(1_000), false), Some(560));
    }

    #[test]
    fn a_train_of_paced_segments_may_be_as_long_as_the_path() {
        assert_eq!(train_ends_after(SimTime::ZERO, true), Some(110));
    }
}

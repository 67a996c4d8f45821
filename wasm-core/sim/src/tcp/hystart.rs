//! HyStart: slow start ends when the round trip grows, or when the ACKs of one round come in a train
//! that is as long as the path.
//!
//! Source: `hystart_update`, `cubictcp_acked` of `net/ipv4/tcp_cubic.c` (v6.1); Ha and Rhee, "Taming
//! the elephants", 2011.

use crate::time::SimTime;

/// Segments from which on it looks (`hystart_low_window`).
pub(super) const LOW_WINDOW: u32 = 16;
/// Samples of a round before its delay counts (`HYSTART_MIN_SAMPLES`).
const SAMPLES: u32 = 8;
/// The delay that ends slow start is an eighth more than the least, within these bounds
/// (`HYSTART_DELAY_MIN`, `HYSTART_DELAY_MAX`).
const LEAST_MORE: SimTime = SimTime::from_ms(4);
const MOST_MORE: SimTime = SimTime::from_ms(16);
/// ACKs that are this close belong to one train (`hystart_ack_delta_us`).
const TRAIN_GAP: SimTime = SimTime::from_ms(2);

/// What is known of the round under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Hystart {
    /// The least delay of the connection (`delay_min`); 0: none yet.
    least: SimTime,
    round_start: SimTime,
    last_ack: SimTime,
    /// The round ends when this is acknowledged.
    end_seq: u64,
    /// The least delay of the round, and its samples.
    current: SimTime,
    samples: u32,
    /// Slow start was ended.
    found: bool,
}

impl Hystart {
    /// After a loss.
    pub fn reset(&mut self) {
        *self = Hystart::default();
    }

    /// A round trip was measured: the least of the connection follows.
    pub fn note(&mut self, delay: SimTime) {
        let delay = SimTime(delay.0.max(1));
        if self.least == SimTime::ZERO || delay < self.least {
            self.least = delay;
        }
    }

    /// The same in slow start, behind the first windows: whether slow start ends. `una` and `nxt` are SND.UNA and SND.NXT
    /// after the ACK.
    pub fn ends(
        &mut self,
        delay: SimTime,
        (una, nxt): (u64, u64),
        ack_delay: SimTime,
        now: SimTime,
    ) -> bool {
        if self.found {
            return false;
        }
        if una > self.end_seq {
            self.round_start = now;
            self.last_ack = now;
            self.end_seq = nxt;
            self.current = SimTime::NEVER;
            self.samples = 0;
        }
        if now.since(self.last_ack) <= TRAIN_GAP {
            self.last_ack = now;
            // Without pacing half of it is enough.
            let threshold = SimTime((self.least + ack_delay).0 / 2);
            self.found |= now.since(self.round_start) > threshold;
        }
        self.current = self.current.min(delay);
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
        SimTime(us * 1_000_000_000)
    }

    /// When a train of ACKs, 10 µs apart, ends slow start where the round trip is 100 µs.
    fn train_ends_after(ack_delay: SimTime) -> Option<u64> {
        let mut hystart = Hystart::default();
        hystart.note(micros(100));
        let ack = |at: u64| (1 + at, 1_000);
        (0..1_000)
            .step_by(10)
            .find(|&at| hystart.ends(micros(100), ack(at), ack_delay, micros(5_000 + at)))
    }

    #[test]
    fn a_train_is_measured_against_half_the_path_and_what_merging_takes() {
        assert_eq!(train_ends_after(SimTime::ZERO), Some(60));
        assert_eq!(train_ends_after(micros(1_000)), Some(560));
    }
}

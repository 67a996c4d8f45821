//! Fewer ACKs for data behind a hole: the first tell the sender of the loss, and of those that follow one stands for
//! many.
//!
//! Source: `net/ipv4/tcp_input.c: __tcp_ack_snd_check`, `net/ipv4/tcp_timer.c: tcp_compressed_ack_kick` (v6.1; since
//! v4.18).
//!
//! Simplified ("selective ACKs in a row"): those that wait are not sent when more than two blocks have to be told
//! (`tcp_sack_new_ofo_skb`).

use serde::Deserialize;

use crate::time::SimTime;

/// ACKs of one hole that are sent before the next wait (`TCP_FASTRETRANS_THRESH`).
const FIRST: u32 = 3;

/// They wait for a twentieth of a round trip.
const SHARE_OF_ROUND_TRIP: u64 = 20;

/// How long ACKs of data behind a hole may wait for each other.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// So many wait at most (`tcp_comp_sack_nr`).
    pub acks: u32,
    /// For so long at most, in µs (`tcp_comp_sack_delay_ns`).
    pub delay_us: u32,
}

/// The ACKs of one connection that wait.
#[derive(Debug, Clone)]
pub(in crate::tcp) struct Compression {
    parameters: Option<Parameters>,
    /// So many wait (`compressed_ack`).
    waiting: u32,
    /// The hole that they are of, by RCV.NXT (`compressed_ack_rcv_nxt`), and how many were sent for it at once
    /// (`dup_ack_counter`).
    hole: (u64, u32),
    /// When they are sent; `NEVER` if none wait.
    pub deadline: SimTime,
}

impl Compression {
    pub fn new(parameters: Option<Parameters>) -> Self {
        Self {
            parameters,
            waiting: 0,
            hole: (0, 0),
            deadline: SimTime::NEVER,
        }
    }

    /// Whether the ACK of a segment behind the hole at `rcv_nxt` waits, with a round trip of `rtt`.
    pub fn waits(&mut self, rcv_nxt: u64, rtt: SimTime, now: SimTime) -> bool {
        let Some(Parameters { acks, delay_us }) = self.parameters else {
            return false;
        };
        if self.waiting >= acks {
            return false;
        }
        if self.hole.0 != rcv_nxt {
            self.hole = (rcv_nxt, 0);
        }
        if self.hole.1 < FIRST {
            self.hole.1 += 1;
            return false;
        }
        self.waiting += 1;
        if self.deadline == SimTime::NEVER {
            let delay = SimTime::from_us(delay_us.into());
            self.deadline = now + delay.min(SimTime(rtt.0 / SHARE_OF_ROUND_TRIP));
        }
        true
    }

    /// An ACK is sent, of whatever: none waits any more (`tcp_event_ack_sent`).
    pub fn sent(&mut self) {
        self.waiting = 0;
        self.deadline = SimTime::NEVER;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of the ACKs of segments that come every 10 us behind one hole with a round trip of so many us:
    /// `A` for one that is sent at once, `t` where the timer sends what waits, which it does before the segment.
    fn acks(rtt_us: u64, segments: u64) -> String {
        let parameters = Parameters {
            acks: 4,
            delay_us: 1000,
        };
        let mut compression = Compression::new(Some(parameters));
        let mut picture = String::new();
        for now in (0..segments).map(|at| SimTime::from_us(10 * at)) {
            if compression.deadline <= now {
                compression.sent();
                picture.push('t');
            }
            let waits = compression.waits(100, SimTime::from_us(rtt_us), now);
            picture.push(if waits { '.' } else { 'A' });
            if !waits {
                compression.sent();
            }
        }
        picture
    }

    #[test]
    fn three_tell_of_the_hole_and_then_one_stands_for_many() {
        assert_eq!(acks(10_000, 14), "AAA....A....A.");
        assert_eq!(acks(400, 9), "AAA..t..t..", "a twentieth of 400 us is 20");
        assert_eq!(acks(0, 6), "AAA.t.t.", "no round trip is known");
    }

    #[test]
    fn each_hole_is_told_of_and_without_parameters_every_segment_asks() {
        let parameters = Parameters {
            acks: 44,
            delay_us: 1000,
        };
        let mut compression = Compression::new(Some(parameters));
        let mut waits = |rcv_nxt| compression.waits(rcv_nxt, SimTime::from_ms(1), SimTime::ZERO);
        let found: Vec<bool> = [1, 1, 1, 1, 2, 2, 2, 2].map(&mut waits).into();
        assert_eq!(found, [false, false, false, true].repeat(2));
        let mut compression = Compression::new(None);
        assert!((0..9).all(|_| !compression.waits(1, SimTime::from_ms(1), SimTime::ZERO)));
    }
}

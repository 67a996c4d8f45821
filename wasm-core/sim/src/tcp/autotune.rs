//! The receive buffer that grows with what the reader takes: `tcp_rcv_space_adjust`.
//!
//! Facts: `net/ipv4/tcp_input.c: tcp_rcv_space_adjust, tcp_rcv_rtt_measure_ts` (v6.1),
//! `tcp_rmem[2]`. The window is to be twice what was read in a round trip, and more while that
//! still grows.
//!
//! The round trip is the age of the acknowledgement that a segment's timestamp echoes, in its
//! whole milliseconds.

use super::segment::timestamp;
use crate::time::SimTime;

/// Segments of cushion in the target (`16 * tp->advmss`), and of the first measure (`TCP_INIT_CWND`).
const CUSHION_SEGMENTS: u64 = 16;
const FIRST_SEGMENTS: u32 = 10;
/// Bytes of memory beside a segment's payload: `SKB_TRUESIZE` with `MAX_TCP_HEADER` on 64-bit
/// machines, and the steps in which its share for the window is sought.
const OVERHEAD: u64 = 896;
const STEP: u64 = 128;
/// A timestamp's unit.
const MS: u64 = 1_000_000_000_000;

/// What the receiver knows of its reader's pace.
#[derive(Debug, Clone)]
pub(super) struct Autotune {
    /// Largest buffer in bytes of memory (`tcp_rmem[2]`); 0: the buffer never grows.
    most: u64,
    /// Part of the buffer that is window, in thousandths.
    window_permille: u64,
    mss: u64,
    /// Bytes read, in all and since the measure began.
    copied: u64,
    from: u64,
    since: SimTime,
    /// Bytes read in the last round trip (`rcvq_space.space`).
    space: u64,
    /// The round trip, eight times (`rcv_rtt_est.rtt_us`); 0 before the first.
    rtt8: u64,
    /// The echo of the last sample (`rcv_rtt_last_tsecr`).
    sampled: u32,
}

impl Autotune {
    pub fn new(most: u32, window_permille: u32, mss: u32, first_window: u32) -> Self {
        Self {
            most: u64::from(most),
            window_permille: u64::from(window_permille),
            mss: u64::from(mss.max(1)),
            copied: 0,
            from: 0,
            since: SimTime::ZERO,
            space: u64::from(first_window.min(FIRST_SEGMENTS * mss).max(1)),
            rtt8: 0,
            sampled: 0,
        }
    }

    /// A whole segment came that echoes a timestamp: `tcp_rcv_rtt_measure_ts`.
    pub fn arrives(&mut self, echoed: u32, now: SimTime) {
        if self.most == 0 || self.sampled == echoed {
            return;
        }
        self.sampled = echoed;
        let sample = u64::from(timestamp(now).saturating_sub(echoed).max(1)) * MS;
        self.rtt8 = match self.rtt8 {
            0 => sample * 8,
            before => before + sample - before / 8,
        };
    }

    /// The reader took bytes.
    pub fn takes(&mut self, bytes: u32) {
        self.copied += u64::from(bytes);
    }

    /// The reader has taken all that lay there (`tcp_try_coalesce` makes it one packet): the
    /// window that the buffer allows from now on, if it grows.
    pub fn adjust(&mut self, now: SimTime) -> Option<u32> {
        if self.most == 0 || self.rtt8 == 0 || now.since(self.since).0 < self.rtt8 / 8 {
            return None;
        }
        let copied = self.copied - self.from;
        let mut window = None;
        if copied > self.space {
            window = Some(self.window_for(copied));
            self.space = copied;
        }
        self.from = self.copied;
        self.since = now;
        window
    }

    fn window_for(&self, copied: u64) -> u32 {
        let steady = 2 * copied + CUSHION_SEGMENTS * self.mss;
        let growth = steady * (copied - self.space) / self.space;
        let mut memory = self.mss + OVERHEAD;
        while memory * self.window_permille / 1000 < self.mss {
            memory += STEP;
        }
        let buffer = ((steady + 2 * growth) / self.mss * memory).min(self.most);
        (buffer * self.window_permille / 1000) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two messages of 26,000 bytes 5 ms apart: the recorded kernel's buffer went from 131,072
    /// to 1,617,328 bytes (clean_2005_2_tcp_26000).
    #[test]
    fn a_buffer_grows_as_the_recorded_one_did() {
        let mut tune = Autotune::new(6_291_456, 500, 1448, 63_712);
        tune.arrives(1, SimTime::from_us(50));
        tune.takes(26_000);
        assert_eq!(tune.adjust(SimTime::from_us(100)), None);
        tune.arrives(timestamp(SimTime::from_us(100)), SimTime::from_us(5050));
        tune.takes(26_000);
        let window = tune.adjust(SimTime::from_us(5100));
        assert_eq!(window, Some(1_617_328 / 2));
        tune.takes(10);
        assert_eq!(tune.adjust(SimTime::from_us(5101)), None);
    }
}

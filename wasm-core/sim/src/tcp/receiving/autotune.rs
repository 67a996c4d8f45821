//! Receive buffer auto-tuning: the buffer grows with the reader's rate (`tcp_rcv_space_adjust`).
//!
//! Facts: `net/ipv4/tcp_input.c: tcp_rcv_space_adjust, tcp_rcv_rtt_measure_ts` (v6.1), `tcp_rmem[2]`. The
//! window is to be twice what was read in the last round trip, and more while that amount still grows.
//!
//! The receiver estimates the round trip in two ways: from the age of the timestamp that a segment echoes, in
//! whole milliseconds, and from the time in which a whole window arrived (`tcp_rcv_rtt_measure`). Before v6.16
//! an age of 0 ms counts as 1 ms and raises the estimate; since then it gives no sample, and unread bytes do
//! not count as read.

use super::receive_buffer::PACKET_OVERHEAD;
use crate::tcp::Parameters;
use crate::tcp::segment::{TIMESTAMP_UNIT, timestamp};
use crate::time::SimTime;

/// Segments added to the target as a margin (`16 * tp->advmss`), and those of the initial estimate
/// (`TCP_INIT_CWND`).
const CUSHION_SEGMENTS: u64 = 16;
const FIRST_SEGMENTS: u32 = 10;
/// Step in which the share of a segment's memory for the window is searched.
const STEP: u64 = 128;

/// The receiver's estimates of its reader's rate and of the round trip.
#[derive(Debug, Clone)]
pub(in crate::tcp) struct Autotune {
    /// Largest buffer in bytes of memory (`tcp_rmem[2]`); 0: the buffer never grows.
    most: u64,
    /// Share of the buffer that is offered as window, in thousandths.
    window_permille: u64,
    /// Whether the rules of v6.16 hold: the round trip by whole windows, unread bytes left out.
    by_windows: bool,
    mss: u64,
    /// Bytes read in all, and up to the start of the current measurement.
    copied: u64,
    from: u64,
    since: SimTime,
    /// Bytes read in the last round trip (`rcvq_space.space`).
    space: u64,
    /// The round trip times eight (`rcv_rtt_est.rtt_us`); 0 before the first sample.
    rtt8: u64,
    /// The echoed timestamp of the last sample (`rcv_rtt_last_tsecr`).
    sampled: u32,
    /// The sequence number that ends the measured window, and when its measurement began (`rcv_rtt_est.seq`,
    /// `time`); `None` before the first.
    window: Option<(u64, SimTime)>,
}

impl Autotune {
    pub fn new(parameters: &Parameters, mss: u32, first_window: u32) -> Self {
        Self {
            most: u64::from(parameters.receive_buffer_most_bytes),
            window_permille: u64::from(parameters.window_permille),
            by_windows: parameters.tunes_by_windows,
            mss: u64::from(mss.max(1)),
            copied: 0,
            from: 0,
            since: SimTime::ZERO,
            space: u64::from(first_window.min(FIRST_SEGMENTS * mss).max(1)),
            rtt8: 0,
            sampled: 0,
            window: None,
        }
    }

    /// Data arrived in order, up to `rcv_nxt` and with `rcv_wnd` bytes of window offered:
    /// `tcp_rcv_rtt_measure`. The shortest time in which a window arrived is the round trip.
    pub fn receives(&mut self, rcv_nxt: u64, rcv_wnd: u32, now: SimTime) {
        if self.most == 0 {
            return;
        }
        if let Some((end, began)) = self.window {
            if rcv_nxt < end {
                return;
            }
            let sample8 = now.since(began).0.max(1) * 8;
            if self.rtt8 == 0 || sample8 < self.rtt8 {
                self.rtt8 = sample8;
            }
        }
        self.window = Some((rcv_nxt + u64::from(rcv_wnd), now));
    }

    /// A full-sized segment arrived that echoes a timestamp, with `unread` bytes before it in the queue:
    /// `tcp_rcv_rtt_measure_ts`, which runs before the segment is queued.
    pub fn arrives(&mut self, echoed: u32, unread: u32, now: SimTime) {
        if self.most == 0 || self.sampled == echoed {
            return;
        }
        self.sampled = echoed;
        let age = u64::from(timestamp(now).saturating_sub(echoed));
        let sample = age.max(1) * TIMESTAMP_UNIT;
        if self.by_windows && (age == 0 || (sample * 8 >= self.rtt8 && unread > 0)) {
            return;
        }
        self.rtt8 = match self.rtt8 {
            0 => sample * 8,
            before if self.by_windows && sample * 8 < before => sample * 8,
            before => before + sample - before / 8,
        };
    }

    /// The shorter of the round trip that the receiver has measured and that of the sending half, if both are known; zero
    /// if the first is not.
    pub fn round_trip(&self, of_sender: SimTime) -> SimTime {
        let own = SimTime(self.rtt8 / 8);
        match of_sender {
            SimTime::ZERO => own,
            other => own.min(other),
        }
    }

    /// The reader took `bytes` bytes.
    pub fn takes(&mut self, bytes: u32) {
        self.copied += u64::from(bytes);
    }

    /// After a read that leaves `unread` bytes: the new window in bytes if the buffer grows, else `None`. Before
    /// v6.16 the kernel adjusts only when the queue is empty (`tcp_try_coalesce` makes one packet of all of it).
    pub fn adjust(&mut self, unread: u32, now: SimTime) -> Option<u32> {
        let waits = unread > 0 && !self.by_windows;
        if waits || self.most == 0 || self.rtt8 == 0 || now.since(self.since).0 < self.rtt8 / 8 {
            return None;
        }
        let copied = (self.copied - self.from).saturating_sub(u64::from(unread));
        let mut window = None;
        if copied > self.space {
            window = Some(if self.by_windows {
                self.window_of(copied)
            } else {
                self.window_for(copied)
            });
            self.space = copied;
        }
        self.from = self.copied;
        self.since = now;
        window
    }

    /// `tcp_rcvbuf_grow` (v6.18): twice what was read, increased by twice its relative growth over a round trip.
    fn window_of(&self, copied: u64) -> u32 {
        let steady = 2 * copied;
        let growth = steady * (copied - self.space) / self.space;
        let most = self.most * self.window_permille / 1000;
        (steady + 2 * growth).min(most) as u32
    }

    fn window_for(&self, copied: u64) -> u32 {
        let steady = 2 * copied + CUSHION_SEGMENTS * self.mss;
        let growth = steady * (copied - self.space) / self.space;
        let mut memory = self.mss + PACKET_OVERHEAD;
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
        let mut tune = Autotune::new(&parameters(false), 1448, 63_712);
        tune.arrives(1, 0, SimTime::from_us(50));
        tune.takes(26_000);
        assert_eq!(tune.adjust(0, SimTime::from_us(100)), None);
        tune.arrives(timestamp(SimTime::from_us(100)), 0, SimTime::from_us(5050));
        tune.takes(26_000);
        let window = tune.adjust(0, SimTime::from_us(5100));
        assert_eq!(window, Some(1_617_328 / 2));
        tune.takes(10);
        assert_eq!(tune.adjust(0, SimTime::from_us(5101)), None);
    }

    /// A reader of 0.8 GB/s over a round trip of 50 us: it reads 800 kB in a millisecond, but in a round trip
    /// only one window.
    #[test]
    fn a_short_round_trip_keeps_the_window_small() {
        let window = |by_windows| {
            let mut tune = Autotune::new(&parameters(by_windows), 65_483, 65_536);
            let (mut received, mut largest) = (0, 65_536);
            for turn in 1..200 {
                let now = SimTime::from_us(50 * turn);
                received += 40_000;
                tune.receives(received, largest, now);
                tune.arrives(timestamp(now), 0, now);
                tune.takes(40_000);
                largest = largest.max(tune.adjust(0, now).unwrap_or(0));
            }
            largest
        };
        assert!(
            2 * window(true) < window(false),
            "{}, {}",
            window(true),
            window(false)
        );
    }

    /// Unread bytes do not count as read: `copied -= inq`.
    #[test]
    fn a_queue_that_fills_is_no_pace() {
        let mut tune = Autotune::new(&parameters(true), 1448, 14_480);
        tune.receives(0, 14_480, SimTime::from_us(10));
        tune.receives(14_480, 14_480, SimTime::from_us(60));
        tune.takes(30_000);
        assert_eq!(tune.adjust(20_000, SimTime::from_us(200)), None);
        tune.takes(30_000);
        assert!(tune.adjust(0, SimTime::from_us(400)).is_some());
    }

    fn parameters(tunes_by_windows: bool) -> Parameters {
        Parameters {
            receive_buffer_most_bytes: 6_291_456,
            tunes_by_windows,
            ..crate::tcp::tests::parameters()
        }
    }
}

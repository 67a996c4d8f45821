//! The receive buffer that grows with what the reader takes: `tcp_rcv_space_adjust`.
//!
//! Facts: `net/ipv4/tcp_input.c: tcp_rcv_space_adjust, tcp_rcv_rtt_measure_ts` (v6.1),
//! `tcp_rmem[2]`. The window is to be twice what was read in a round trip, and more while that
//! still grows.
//!
//! The round trip has two measures: the age of the acknowledgement that a segment's timestamp echoes,
//! in its whole milliseconds, and the time in which a whole window came (`tcp_rcv_rtt_measure`). Before v6.16
//! an age of 0 ms counts as 1 and pulls the other measure up; since then it tells nothing, and bytes that
//! lie unread do not count as read.

use super::TcpConfig;
use super::receive_buffer::PACKET_OVERHEAD;
use super::segment::timestamp;
use crate::time::SimTime;

/// Segments of cushion in the target (`16 * tp->advmss`), and of the first measure (`TCP_INIT_CWND`).
const CUSHION_SEGMENTS: u64 = 16;
const FIRST_SEGMENTS: u32 = 10;
/// The steps in which the share of a segment's memory for the window is sought.
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
    /// Whether it goes by windows (v6.16).
    by_windows: bool,
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
    /// The sequence number that ends the window which is measured, and when it began
    /// (`rcv_rtt_est.seq`, `time`); none before the first.
    window: Option<(u64, SimTime)>,
}

impl Autotune {
    pub fn new(config: &TcpConfig, mss: u32, first_window: u32) -> Self {
        Self {
            most: u64::from(config.receive_buffer_most),
            window_permille: u64::from(config.window_permille),
            by_windows: config.tunes_by_windows,
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

    /// Data came in order, up to a sequence number and with so wide a window offered:
    /// `tcp_rcv_rtt_measure`. The least time that a window took is the round trip.
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

    /// A whole segment came that echoes a timestamp, and so many bytes before it lie unread:
    /// `tcp_rcv_rtt_measure_ts`, which is asked before the segment is queued.
    pub fn arrives(&mut self, echoed: u32, unread: u32, now: SimTime) {
        if self.most == 0 || self.sampled == echoed {
            return;
        }
        self.sampled = echoed;
        let age = u64::from(timestamp(now).saturating_sub(echoed));
        let sample = age.max(1) * MS;
        if self.by_windows && (age == 0 || (sample * 8 >= self.rtt8 && unread > 0)) {
            return;
        }
        self.rtt8 = match self.rtt8 {
            0 => sample * 8,
            before if self.by_windows && sample * 8 < before => sample * 8,
            before => before + sample - before / 8,
        };
    }

    /// The reader took bytes.
    pub fn takes(&mut self, bytes: u32) {
        self.copied += u64::from(bytes);
    }

    /// The reader has taken some, and so many bytes lie unread: the window that the buffer allows from
    /// now on, if it grows. Before v6.16 that is asked when nothing is left (`tcp_try_coalesce` makes all
    /// of it one packet).
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

    /// `tcp_rcvbuf_grow` (v6.18): twice what was read, and twice more for what it grew by.
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
        let mut tune = Autotune::new(&config(false), 1448, 63_712);
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

    /// A reader of 0.8 GB/s over a round trip of 50 us: in a millisecond it takes 800 kB, in a window's
    /// time only what came in it.
    #[test]
    fn a_short_round_trip_keeps_the_window_small() {
        let window = |by_windows| {
            let mut tune = Autotune::new(&config(by_windows), 65_483, 65_536);
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

    /// What lies unread was not read: `copied -= inq`.
    #[test]
    fn a_queue_that_fills_is_no_pace() {
        let mut tune = Autotune::new(&config(true), 1448, 14_480);
        tune.receives(0, 14_480, SimTime::from_us(10));
        tune.receives(14_480, 14_480, SimTime::from_us(60));
        tune.takes(30_000);
        assert_eq!(tune.adjust(20_000, SimTime::from_us(200)), None);
        tune.takes(30_000);
        assert!(tune.adjust(0, SimTime::from_us(400)).is_some());
    }

    fn config(tunes_by_windows: bool) -> TcpConfig {
        TcpConfig {
            receive_buffer_most: 6_291_456,
            tunes_by_windows,
            ..super::super::tests::config()
        }
    }
}

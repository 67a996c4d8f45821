//! How large the pieces are that TCP hands down at once where the device or GSO cuts them.
//!
//! Source: `tcp_tso_autosize`, `tcp_cwnd_test`, `tcp_update_pacing_rate` of `net/ipv4/` (v6.1):
//! about a millisecond of the flow's rate, more where the round trip is short, and never more than half
//! of the congestion window.

use super::Tcb;

/// The share of a second that a piece may take: 1/1024 (`sk_pacing_shift`).
const PACING_SHIFT: u32 = 10;
/// Round trips up to 2^9 µs allow a whole piece more, and half of it for each 2^9 µs on
/// (`tcp_tso_rtt_log`).
const RTT_SHIFT: u32 = 9;
/// The rate is that of the window in a round trip, twice that in slow start and 1.2 times
/// in avoidance (`tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`), in percent.
const SLOW_START_PERCENT: u64 = 200;
const AVOIDANCE_PERCENT: u64 = 120;

impl Tcb {
    /// The largest piece in bytes, of at most `most`: whole segments, one at least.
    pub(super) fn piece_bytes(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        if self.config.min_tso_segments == 0 || most <= mss {
            return most;
        }
        let us = |time: crate::time::SimTime| time.0 / 1_000_000_000;
        let srtt = us(self.rtt.srtt);
        let cwnd = u64::from(self.window.cwnd.max(self.max_flight));
        let percent = if self.window.cwnd < self.window.ssthresh / 2 {
            SLOW_START_PERCENT
        } else {
            AVOIDANCE_PERCENT
        };
        let mut bytes = match (cwnd * percent * 10_000).checked_div(srtt) {
            None => u64::from(most),
            Some(rate) => rate >> PACING_SHIFT,
        };
        let shift = us(self.rtt.least) >> RTT_SHIFT;
        if shift < 32 {
            bytes += u64::from(most) >> shift;
        }
        let segments = (bytes.min(u64::from(most)) / u64::from(mss)) as u32;
        segments
            .max(self.config.min_tso_segments)
            .min(most / mss)
            .max(1)
            .saturating_mul(mss)
    }

    /// The part of the congestion window that one new piece may take: half of it, so that two are on
    /// their way at least.
    pub(super) fn half_window(&self) -> u64 {
        let cwnd = u64::from(self.window.cwnd);
        if self.config.min_tso_segments == 0 {
            return cwnd;
        }
        let mss = u64::from(self.mss);
        (cwnd / mss / 2).max(1) * mss
    }
}

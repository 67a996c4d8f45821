//! The size of the packets of several segments that TCP hands down where TSO or GSO splits them.
//!
//! Source: `tcp_tso_autosize`, `tcp_cwnd_test`, `tcp_update_pacing_rate`, `tcp_tso_should_defer` of `net/ipv4/`
//! (v6.1): about a millisecond at the pacing rate, more for a short round trip, at most half of the congestion
//! window, and deferred where the next ACK will soon allow more.

use crate::tcp::{CaState, Tcb};
use crate::time::SimTime;

/// A packet holds what the pacing rate sends in 2^-10 s (`sk_pacing_shift`).
const PACING_SHIFT: u32 = 10;
/// Below a minimum round trip of 2^9 µs a packet may grow by the largest size, and by half as much for each
/// further 2^9 µs (`tcp_tso_rtt_log`).
const RTT_SHIFT: u32 = 9;
/// How long after the last transmission a packet may still be deferred (`tcp_tso_should_defer`).
const RECENT: SimTime = SimTime::from_ms(1);
/// The pacing rate as a percentage of one window per round trip: 200 in slow start, 120 in congestion avoidance
/// (`tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`).
const SLOW_START_PERCENT: u64 = 200;
const AVOIDANCE_PERCENT: u64 = 120;

/// `sk_gso_max_size` of a device without a limit of its own: `GSO_LEGACY_MAX_SIZE` less `MAX_TCP_HEADER` and one.
const GSO_MOST_BYTES: u64 = 65_536 - 321;
/// Upper limit of `hystart_ack_delay`.
const ACK_DELAY_MOST: SimTime = SimTime::from_ms(1);

impl Tcb {
    /// The largest packet in bytes, limited by `most`: whole segments, at least one.
    pub(in crate::tcp) fn piece_bytes(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        let grown = if self.config.parameters.grows_pieces && !self.is_push_one {
            self.config.parameters.min_tso_segments
        } else {
            1
        };
        if self.config.parameters.min_tso_segments == 0
            || most.max(grown.saturating_mul(mss)) <= mss
        {
            return most;
        }
        let mut bytes = self.paced_bytes().unwrap_or(u64::from(most));
        let shift = self.rtt.least.us() >> RTT_SHIFT;
        if shift < 32 {
            bytes += u64::from(most) >> shift;
        }
        let segments = (bytes.min(u64::from(most)) / u64::from(mss)) as u32;
        segments
            .max(self.config.parameters.min_tso_segments)
            .min((most / mss).max(grown))
            .max(1)
            .saturating_mul(mss)
    }

    /// The bytes that the pacing rate sends in 1/1024 s (`sk_pacing_rate >> sk_pacing_shift`); `None` before
    /// the first RTT sample.
    pub(in crate::tcp) fn paced_bytes(&self) -> Option<u64> {
        self.pacing_rate().map(|rate| rate >> PACING_SHIFT)
    }

    /// How much later an ACK may arrive because the segments that it acknowledges were merged: four of the
    /// largest packets at the pacing rate, at most a millisecond (`hystart_ack_delay`).
    pub(in crate::tcp) fn ack_delay(&self) -> SimTime {
        let micros = self
            .pacing_rate()
            .and_then(|rate| (4 * GSO_MOST_BYTES * 1_000_000).checked_div(rate));
        micros.map_or(SimTime::ZERO, |us| SimTime::from_us(us).min(ACK_DELAY_MOST))
    }

    /// The pacing rate in bytes per second (`sk_pacing_rate`); `None` before the first RTT sample.
    pub(in crate::tcp) fn pacing_rate(&self) -> Option<u64> {
        let srtt = self.rtt.srtt.us();
        let cwnd = u64::from(self.window.cwnd.max(self.usage.max_flight()));
        let percent = if self.window.cwnd < self.window.ssthresh / 2 {
            SLOW_START_PERCENT
        } else {
            AVOIDANCE_PERCENT
        };
        (cwnd * percent * 10_000).checked_div(srtt)
    }

    /// Whether a packet is deferred because the next ACK allows a larger one (`tcp_tso_should_defer`): the last
    /// transmission is recent, little of the window is free, and at least half a round trip has passed since
    /// the oldest segment was sent.
    pub(in crate::tcp) fn waits_for_larger(
        &mut self,
        now: SimTime,
        max_payload: u32,
        window_room: u64,
    ) -> bool {
        let divisor = u64::from(self.config.parameters.tso_window_divisor);
        let mss = u64::from(self.send_mss.max(1));
        let data = self.write_queue.unsent(self.snd_nxt);
        let piece = data.min(u64::from(max_payload));
        let is_recovering = matches!(self.ca_state, CaState::Recovery | CaState::Loss);
        if divisor == 0 || piece <= mss || self.is_push_one || is_recovering {
            return false;
        }
        if now.since(self.last_sent.max(self.stamp())) > RECENT {
            return false;
        }
        let cwnd = self.window.cwnd;
        let pipe = self.pipe();
        let cwnd_room = u64::from(cwnd.saturating_sub(pipe));
        let room = window_room.min(cwnd_room);
        let is_last = data <= u64::from(max_payload);
        let largest = u64::from(self.piece_bytes(max_payload.max(1)));
        let chunk = u64::from(self.snd_wnd.min(cwnd)) / divisor;
        if room >= largest || room >= chunk || (!is_last && room >= piece) {
            return false;
        }
        let Some(oldest) = self.rtx.first() else {
            return false;
        };
        if now.since(oldest.at).0 < self.rtt.srtt.0 / 2 {
            return false;
        }
        let is_limited = room <= piece;
        if is_limited && cwnd_room < window_room {
            self.usage.note(pipe, true, (self.snd_una, self.snd_nxt));
        }
        is_limited || !self.has_closed
    }

    /// The part of the congestion window that one new packet may take: half of it, so that at least two are in
    /// flight.
    pub(in crate::tcp) fn half_window(&self) -> u64 {
        let cwnd = u64::from(self.window.cwnd);
        if self.config.parameters.min_tso_segments == 0 {
            return cwnd;
        }
        let mss = u64::from(self.mss);
        (cwnd / mss / 2).max(1) * mss
    }
}

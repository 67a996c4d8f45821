//! How large the pieces are that TCP hands down at once where the device or GSO cuts them.
//!
//! Source: `tcp_tso_autosize`, `tcp_cwnd_test`, `tcp_update_pacing_rate`, `tcp_tso_should_defer` of
//! `net/ipv4/` (v6.1): about a millisecond of the flow's rate, more where the round trip is short, never
//! more than half of the congestion window, and later where an ACK will soon allow more.

use super::{CaState, Tcb};
use crate::time::SimTime;

/// The share of a second that a piece may take: 1/1024 (`sk_pacing_shift`).
const PACING_SHIFT: u32 = 10;
/// Round trips up to 2^9 µs allow a whole piece more, and half of it for each 2^9 µs on
/// (`tcp_tso_rtt_log`).
const RTT_SHIFT: u32 = 9;
/// How long after the last segment a further one still belongs to its burst (`tcp_tso_should_defer`).
const RECENT: SimTime = SimTime::from_ms(1);
/// The rate is that of the window in a round trip, twice that in slow start and 1.2 times
/// in avoidance (`tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`), in percent.
const SLOW_START_PERCENT: u64 = 200;
const AVOIDANCE_PERCENT: u64 = 120;

/// `sk_gso_max_size` of a device without a limit of its own: `GSO_LEGACY_MAX_SIZE` less `MAX_TCP_HEADER` and one.
const GSO_MOST_BYTES: u64 = 65_536 - 321;
/// The most that `hystart_ack_delay` gives.
const ACK_DELAY_MOST: SimTime = SimTime::from_ms(1);

fn micros(time: SimTime) -> u64 {
    time.0 / 1_000_000_000
}

impl Tcb {
    /// The largest piece in bytes, of at most `most`: whole segments, one at least.
    pub(super) fn piece_bytes(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        let grown = if self.config.grows_pieces && !self.is_push_one {
            self.config.min_tso_segments
        } else {
            1
        };
        if self.config.min_tso_segments == 0 || most.max(grown.saturating_mul(mss)) <= mss {
            return most;
        }
        let mut bytes = self.paced_bytes().unwrap_or(u64::from(most));
        let shift = micros(self.rtt.least) >> RTT_SHIFT;
        if shift < 32 {
            bytes += u64::from(most) >> shift;
        }
        let segments = (bytes.min(u64::from(most)) / u64::from(mss)) as u32;
        segments
            .max(self.config.min_tso_segments)
            .min((most / mss).max(grown))
            .max(1)
            .saturating_mul(mss)
    }

    /// What the flow's rate is in 1/1024 s, in bytes (`sk_pacing_rate >> sk_pacing_shift`); none before
    /// a round trip was measured.
    pub(super) fn paced_bytes(&self) -> Option<u64> {
        self.pacing_rate().map(|rate| rate >> PACING_SHIFT)
    }

    /// How much longer an ACK may take because the segments that it acknowledges were merged on their way: four of the
    /// largest packets at the flow's rate, up to a millisecond (`hystart_ack_delay`).
    pub(super) fn ack_delay(&self) -> SimTime {
        let micros = self
            .pacing_rate()
            .and_then(|rate| (4 * GSO_MOST_BYTES * 1_000_000).checked_div(rate));
        micros.map_or(SimTime::ZERO, |us| {
            SimTime(us.saturating_mul(1_000_000_000)).min(ACK_DELAY_MOST)
        })
    }

    /// The flow's rate in bytes a second (`sk_pacing_rate`); none before a round trip was measured.
    fn pacing_rate(&self) -> Option<u64> {
        let srtt = micros(self.rtt.srtt);
        let cwnd = u64::from(self.window.cwnd.max(self.max_flight));
        let percent = if self.window.cwnd < self.window.ssthresh / 2 {
            SLOW_START_PERCENT
        } else {
            AVOIDANCE_PERCENT
        };
        (cwnd * percent * 10_000).checked_div(srtt)
    }

    /// Whether what may go now waits, as the next ACK lets more of it go in one piece
    /// (`tcp_tso_should_defer`): when what was sent last is so recent that the ACKs have not stopped,
    /// little of the window is free, and the ACK of the oldest segment is less than half a round trip
    /// away.
    pub(super) fn waits_for_larger(
        &mut self,
        now: SimTime,
        max_payload: u32,
        window_room: u64,
    ) -> bool {
        let divisor = u64::from(self.config.tso_window_divisor);
        let mss = u64::from(self.send_mss.max(1));
        let data = self.write_end - self.snd_nxt;
        let piece = data.min(u64::from(max_payload));
        let is_recovering = matches!(self.ca_state, CaState::Recovery | CaState::Loss);
        if divisor == 0 || piece <= mss || self.is_push_one || is_recovering {
            return false;
        }
        if now.since(self.last_sent) > RECENT {
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
            self.note_usage(pipe, true);
        }
        is_limited || !self.has_closed
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

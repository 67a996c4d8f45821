//! RACK: a piece is lost when one that was sent after it has arrived, and time enough for mere
//! reordering has passed (RFC 8985).
//!
//! Source: `net/ipv4/tcp_recovery.c` (v6.1 with the timer's 2 ms of 6.1.60, "tcp: fix excessive TLP and
//! RACK timeouts from HZ rounding").

use super::rtx_queue::Delivered;
use super::{CaState, Tcb};
use crate::time::SimTime;

/// Added to the time after which a loss is told (`TCP_TIMEOUT_MIN_US`).
pub(super) const TIMER_SLACK: SimTime = SimTime::from_ms(2);

/// Reordering is believed up to this many segments (`tcp_max_reordering`).
const MOST_REORDERING: u64 = 300;

/// The latest sent of those that arrived (`tp->rack`).
#[derive(Debug, Clone, Default)]
pub(super) struct Rack {
    sent: SimTime,
    end: u64,
    rtt: SimTime,
    /// Whether it is another since losses were looked for.
    has_advanced: bool,
}

impl Rack {
    /// Losses are looked for at the next ACK, whatever it says.
    pub fn look_again(&mut self) {
        self.has_advanced = true;
    }
}

impl Tcb {
    /// Pieces arrived: `tcp_rack_advance` for each.
    pub(super) fn rack_advance(&mut self, delivered: &Delivered, now: SimTime) {
        for piece in &delivered.pieces {
            let rtt = now.since(piece.at);
            if rtt < self.rtt.least && piece.was_resent {
                // The original arrived, not the copy that was sent just now.
                continue;
            }
            let rack = &mut self.rack;
            rack.has_advanced = true;
            rack.rtt = rtt;
            if (piece.at, piece.end) > (rack.sent, rack.end) {
                (rack.sent, rack.end) = (piece.at, piece.end);
            }
        }
    }

    /// How long what was overtaken may still be on its way: `tcp_rack_reo_wnd`.
    fn reordering_window(&self) -> SimTime {
        let segments = self.segments(self.rtx.sacked);
        let is_certain =
            self.ca_state >= CaState::Recovery || segments >= self.reordering_segments();
        if !self.has_seen_reordering() && is_certain {
            return SimTime::ZERO;
        }
        SimTime(self.rtt.least.0 / 4).min(self.rtt.srtt)
    }

    /// Marks what is lost; gives how long to wait before looking again, zero for not at all
    /// (`tcp_rack_detect_loss`).
    pub(super) fn rack_detect_loss(&mut self, now: SimTime) -> SimTime {
        let window = self.reordering_window();
        let rack = self.rack.clone();
        let mut wait = SimTime::ZERO;
        self.rtx.mark_lost(|piece| {
            if (rack.sent, rack.end) <= (piece.at, piece.end) {
                return false;
            }
            let due = piece.at + rack.rtt + window;
            if due <= now {
                return true;
            }
            wait = wait.max(due.since(now));
            false
        });
        wait
    }

    /// After an ACK: `tcp_rack_mark_lost`. Whether the reordering timer runs.
    pub(super) fn rack_mark_lost(&mut self, now: SimTime) -> bool {
        if !std::mem::take(&mut self.rack.has_advanced) {
            return false;
        }
        let wait = self.rack_detect_loss(now);
        if wait == SimTime::ZERO {
            return false;
        }
        self.arm_reordering(now + (wait + TIMER_SLACK).min(self.rtt.rto));
        true
    }

    /// A retransmission timeout: what was sent a round trip ago is lost (`tcp_timeout_mark_lost`).
    pub(super) fn rack_mark_timed_out(&mut self, now: SimTime) {
        let window = self.reordering_window();
        let rtt = self.rack.rtt;
        let first = self.rtx.first().map_or(0, |piece| piece.start);
        let is_recent = |sent: SimTime| sent + rtt + window > now;
        self.rtx
            .mark_lost(|piece| piece.start == first || !is_recent(piece.at));
    }

    /// What had been overtaken arrived: `tcp_check_sack_reordering`, with what SACK had reached before.
    pub(super) fn note_overtaken(&mut self, low: Option<u64>, highest: u64) {
        let Some(low) = low.filter(|&low| low < highest) else {
            return;
        };
        let segments = (highest - low).div_ceil(u64::from(self.mss));
        if highest - low > u64::from(self.reordering_segments()) * u64::from(self.mss) {
            self.scoreboard.reordering = segments.min(MOST_REORDERING) as u32;
        }
        self.reordering_seen += 1;
    }

    /// How many segments may overtake one (`tp->reordering`).
    pub fn reordering_segments(&self) -> u32 {
        self.scoreboard.dup_thresh()
    }

    /// How often something had been overtaken (`tp->reord_seen`).
    pub fn reordering_seen(&self) -> u32 {
        self.reordering_seen
    }

    fn has_seen_reordering(&self) -> bool {
        self.reordering_seen > 0
    }

    /// Bytes as segments of the MSS.
    pub(super) fn segments(&self, bytes: u64) -> u32 {
        bytes.div_ceil(u64::from(self.mss)) as u32
    }
}

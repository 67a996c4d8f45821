//! RACK: a segment is lost if one that was sent later has been delivered and the reordering window has passed
//! (RFC 8985).
//!
//! Source: `net/ipv4/tcp_recovery.c` (v6.1 with the timer's 2 ms of 6.1.60, "tcp: fix excessive TLP and
//! RACK timeouts from HZ rounding").

use super::rtx_queue::Delivered;
use crate::tcp::{CaState, Tcb};
use crate::time::SimTime;

/// Added to the reordering timeout (`TCP_TIMEOUT_MIN_US`).
pub(in crate::tcp) const TIMER_SLACK: SimTime = SimTime::from_ms(2);

/// Upper limit of the reordering degree in segments (`tcp_max_reordering`).
const MOST_REORDERING: u64 = 300;

/// The most recently sent segment that was delivered (`tp->rack`).
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct Rack {
    sent: SimTime,
    end: u64,
    rtt: SimTime,
    /// Whether it has changed since losses were last looked for.
    has_advanced: bool,
}

impl Rack {
    /// Forces loss detection at the next ACK.
    pub fn look_again(&mut self) {
        self.has_advanced = true;
    }
}

impl Tcb {
    /// Segments were delivered: `tcp_rack_advance` for each.
    pub(in crate::tcp) fn rack_advance(&mut self, delivered: &Delivered, now: SimTime) {
        for piece in &delivered.pieces {
            let rtt = now.since(piece.at);
            if rtt < self.rtt.least && piece.was_resent {
                // The ACK is for the original, not for the retransmission sent just now.
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

    /// The reordering window, for which an overtaken segment may still be in flight: `tcp_rack_reo_wnd`.
    fn reordering_window(&self) -> SimTime {
        let segments = self.segments(self.rtx.sacked);
        let is_certain =
            self.ca_state >= CaState::Recovery || segments >= self.reordering_segments();
        if !self.has_seen_reordering() && is_certain {
            return SimTime::ZERO;
        }
        SimTime(self.rtt.least.0 / 4).min(self.rtt.srtt)
    }

    /// Marks lost segments; returns the time after which to look again, zero if none is outstanding
    /// (`tcp_rack_detect_loss`).
    pub(in crate::tcp) fn rack_detect_loss(&mut self, now: SimTime) -> SimTime {
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

    /// Loss detection after an ACK: `tcp_rack_mark_lost`. Returns whether the reordering timer was armed.
    pub(in crate::tcp) fn rack_mark_lost(&mut self, now: SimTime) -> bool {
        if !std::mem::take(&mut self.rack.has_advanced) {
            return false;
        }
        let wait = self.rack_detect_loss(now);
        if wait == SimTime::ZERO {
            return false;
        }
        self.arm_reordering(now + (wait + TIMER_SLACK).min(self.rto_backed_off()));
        true
    }

    /// Retransmission timeout: everything sent more than a round trip ago is lost (`tcp_timeout_mark_lost`).
    pub(in crate::tcp) fn rack_mark_timed_out(&mut self, now: SimTime) {
        let window = self.reordering_window();
        let rtt = self.rack.rtt;
        let first = self.rtx.first().map_or(0, |piece| piece.start);
        let is_recent = |sent: SimTime| sent + rtt + window > now;
        self.rtx
            .mark_lost(|piece| piece.start == first || !is_recent(piece.at));
    }

    /// The segment at `low` was delivered after later ones up to `highest`, without a retransmission:
    /// `tcp_check_sack_reordering`.
    pub(in crate::tcp) fn note_overtaken(&mut self, low: Option<u64>, highest: u64) {
        let Some(low) = low.filter(|&low| low < highest) else {
            return;
        };
        let segments = (highest - low).div_ceil(u64::from(self.mss));
        if highest - low > u64::from(self.reordering_segments()) * u64::from(self.mss) {
            self.scoreboard.reordering = segments.min(MOST_REORDERING) as u32;
        }
        self.reordering_seen += 1;
    }

    /// The reordering degree in segments (`tp->reordering`).
    pub fn reordering_segments(&self) -> u32 {
        self.scoreboard.dup_thresh()
    }

    /// How often reordering was observed (`tp->reord_seen`).
    pub fn reordering_seen(&self) -> u32 {
        self.reordering_seen
    }

    fn has_seen_reordering(&self) -> bool {
        self.reordering_seen > 0
    }

    /// The number of segments of one MSS that hold so many bytes, rounded up.
    pub(in crate::tcp) fn segments(&self, bytes: u64) -> u32 {
        bytes.div_ceil(u64::from(self.mss)) as u32
    }
}

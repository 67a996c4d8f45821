//! Undo of a window reduction after a spurious recovery: an ACK that ends or advances the recovery echoes a
//! timestamp from before the first retransmission, so that it acknowledges the original, which had been
//! reordered (the Eifel detection, RFC 3522).
//!
//! Source: `tcp_packet_delayed`, `tcp_undo_cwnd_reduction`, `tcp_try_undo_recovery`,
//! `tcp_try_undo_partial` of `net/ipv4/tcp_input.c` (v6.1).

use crate::tcp::segment::timestamp;
use crate::tcp::{Segment, Tcb};
use crate::time::SimTime;

/// The state before a recovery, as long as the reduction can be undone.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tcp) struct Undo {
    /// `cwnd` and `ssthresh` before, in bytes; `None`: nothing can be undone (`undo_marker`).
    before: Option<(u32, u32)>,
    /// The timestamp of the first retransmission; 0: no retransmission yet (`retrans_stamp`).
    resent_at: u32,
}

impl Tcb {
    /// Saves the windows as a recovery begins: `tcp_init_undo`, `tcp_init_cwnd_reduction`.
    pub(in crate::tcp) fn remember_windows(&mut self) {
        let cwnd = self.window.cwnd;
        let ssthresh = self.window.current_ssthresh(self.ca_state);
        self.undo = Undo {
            before: Some((cwnd, ssthresh)),
            resent_at: 0,
        };
    }

    /// After an RTO neither its own reduction nor an earlier one can be undone.
    pub(in crate::tcp) fn forget_windows(&mut self) {
        self.undo = Undo::default();
    }

    /// Notes the time of the first retransmission.
    pub(in crate::tcp) fn note_resent(&mut self, now: SimTime) {
        if self.undo.resent_at == 0 {
            self.undo.resent_at = timestamp(now);
        }
    }

    /// Whether an ACK acknowledges data sent before the first retransmission, or nothing was retransmitted at
    /// all, as small queues may prevent it (`tcp_packet_delayed`, as in 6.1.113 and 6.12).
    fn is_for_original(&self, segment: &Segment) -> bool {
        let resent_at = self.undo.resent_at;
        let is_echo_older = 0 < segment.echoed && segment.echoed < resent_at;
        resent_at == 0 || self.config.timestamps && is_echo_older
    }

    /// At the end of a recovery: restores the windows and returns true if the recovery was spurious
    /// (`tcp_try_undo_recovery`).
    pub(in crate::tcp) fn undo_recovery(&mut self, segment: &Segment) -> bool {
        self.is_for_original(segment) && self.restore_windows()
    }

    /// On an ACK of new data during recovery: one that shows a spurious recovery ends it, unless retransmissions are in
    /// flight; then it returns true, and nothing more is marked lost before their ACKs (`tcp_try_undo_partial`).
    pub(in crate::tcp) fn undo_partly(&mut self, segment: &Segment, una_before: u64) -> bool {
        if self.undo.before.is_none() || !self.is_for_original(segment) {
            return false;
        }
        self.note_overtaken(Some(una_before), self.rtx.highest_sacked);
        if self.rtx.resent > 0 {
            return true;
        }
        self.restore_windows();
        self.rtx.unmark_lost();
        self.keep_open();
        false
    }

    /// `tcp_undo_cwnd_reduction`
    fn restore_windows(&mut self) -> bool {
        let Some((cwnd, ssthresh)) = self.undo.before.take() else {
            return false;
        };
        self.window.cwnd = self.congestion.undo_cwnd(&self.window, cwnd);
        if ssthresh > self.window.ssthresh {
            self.window.ssthresh = ssthresh;
            self.ecn.withdraw_cwr();
        }
        self.rack.look_again();
        true
    }
}

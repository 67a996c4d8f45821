//! A reduction of the window is taken back when it shows that nothing was lost: the ACK that ends or
//! furthers a recovery echoes a timestamp from before the first retransmission, so it answers the
//! original, which others had overtaken (the Eifel detection, RFC 3522).
//!
//! Source: `tcp_packet_delayed`, `tcp_undo_cwnd_reduction`, `tcp_try_undo_recovery`,
//! `tcp_try_undo_partial` of `net/ipv4/tcp_input.c` (v6.1).

use super::segment::timestamp;
use super::{CaState, Segment, Tcb};
use crate::time::SimTime;

/// What a recovery changed, as long as it can be taken back.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Undo {
    /// The windows before, in bytes; none: there is nothing to take back (`undo_marker`).
    before: Option<(u32, u32)>,
    /// The timestamp of the first retransmission; 0: none yet (`retrans_stamp`).
    resent_at: u32,
}

impl Tcb {
    /// A recovery begins: `tcp_init_undo`, `tcp_init_cwnd_reduction`.
    pub(super) fn remember_windows(&mut self) {
        let cwnd = self.window.cwnd;
        // tcp_current_ssthresh
        let ssthresh = self.window.ssthresh.max(cwnd / 2 + cwnd / 4);
        self.undo = Undo {
            before: Some((cwnd, ssthresh)),
            resent_at: 0,
        };
    }

    /// A timeout: its reduction stands, and so does what a recovery before it changed.
    pub(super) fn forget_windows(&mut self) {
        self.undo = Undo::default();
    }

    /// A piece is sent again.
    pub(super) fn note_resent(&mut self, now: SimTime) {
        if self.undo.resent_at == 0 {
            self.undo.resent_at = timestamp(now);
        }
    }

    /// Whether an ACK answers what was sent before anything was sent again, or nothing was: small
    /// queues may keep a recovery from sending (`tcp_packet_delayed`, as in 6.1.113 and 6.12).
    fn is_for_original(&self, segment: &Segment) -> bool {
        let resent_at = self.undo.resent_at;
        let is_echo_older = 0 < segment.echoed && segment.echoed < resent_at;
        resent_at == 0 || self.config.timestamps && is_echo_older
    }

    /// The recovery is over: whether it had not been needed, and the windows are as before
    /// (`tcp_try_undo_recovery`).
    pub(super) fn undo_recovery(&mut self, segment: &Segment) -> bool {
        self.is_for_original(segment) && self.restore_windows()
    }

    /// An ACK of new data within a recovery: whether that ended because nothing was lost, or waits
    /// for what was sent again (`tcp_try_undo_partial`).
    pub(super) fn undo_partly(&mut self, segment: &Segment, una_before: u64) -> bool {
        if self.undo.before.is_none() || !self.is_for_original(segment) {
            return false;
        }
        self.note_overtaken(Some(una_before), self.rtx.highest_sacked);
        if self.rtx.resent == 0 {
            self.restore_windows();
            self.rtx.unmark_lost();
            self.ca_state = CaState::Open;
            self.keep_open();
        }
        true
    }

    /// `tcp_undo_cwnd_reduction`
    fn restore_windows(&mut self) -> bool {
        let Some((cwnd, ssthresh)) = self.undo.before.take() else {
            return false;
        };
        self.window.cwnd = self.window.cwnd.max(cwnd);
        self.window.ssthresh = self.window.ssthresh.max(ssthresh);
        self.rack.look_again();
        true
    }
}

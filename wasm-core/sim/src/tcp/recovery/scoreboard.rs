//! The scoreboard of a sender without RACK: which segments in flight were SACKed and which are lost.
//!
//! Everything from `retransmit_next` to `lost_end` that was not SACKed is lost and still to be retransmitted.
//! Facts: RFC 6675 §4, RFC 6582, `net/ipv4/tcp_input.c` (v6.1).

use crate::tcp::ranges::Ranges;

/// The state of the segments between SND.UNA and SND.NXT.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct Scoreboard {
    /// The SACKed ranges.
    pub sacked: Ranges,
    /// Without SACK: bytes that have left the network according to duplicate ACKs (`tcp_add_reno_sack`).
    pub reno_sacked: u32,
    /// The next sequence number to be retransmitted.
    pub retransmit_next: u64,
    /// The end of the data that are considered lost.
    pub lost_end: u64,
    /// SND.NXT when recovery began, whose acknowledgment ends it (`recover` of RFC 6582).
    pub high_seq: u64,
    /// Whether the next retransmission ignores the congestion window.
    pub is_forced: bool,
    /// Reordering degree in segments: duplicate ACKs that indicate a loss, where it exceeds RFC 5681's three
    /// (`tp->reordering`).
    pub reordering: u32,
}

/// RFC 5681 §3.2's three duplicate ACKs.
const DUP_THRESH: u32 = 3;

/// Upper limit of the reordering degree in segments (`TCP_MAX_REORDERING`, 127 in older kernels).
const MOST_REORDERING: u32 = 127;

impl Scoreboard {
    /// How many duplicate ACKs indicate a loss.
    pub fn dup_thresh(&self) -> u32 {
        self.reordering.max(DUP_THRESH)
    }

    /// Whether something waits to be retransmitted.
    pub fn has_lost(&self) -> bool {
        self.retransmit_next < self.lost_end
    }

    /// Bytes that have left the network: SACKed, or lost and not yet retransmitted.
    pub fn left_out(&self) -> u64 {
        let mut lost = 0;
        if self.has_lost() {
            lost = self.lost_end - self.retransmit_next;
            for range in self.sacked.above(self.retransmit_next) {
                if range.start >= self.lost_end {
                    break;
                }
                let start = range.start.max(self.retransmit_next);
                lost -= range.end.min(self.lost_end) - start;
            }
        }
        self.sacked.bytes() + u64::from(self.reno_sacked) + lost
    }

    /// The next lost range to retransmit, at most `mss` bytes long; SACKed ranges are skipped.
    pub fn next_lost(&mut self, mss: u32) -> Option<(u64, u64)> {
        if !self.has_lost() {
            return None;
        }
        let mut start = self.retransmit_next;
        let mut end = self.lost_end;
        for range in self.sacked.above(start) {
            if range.start > start {
                end = end.min(range.start);
                break;
            }
            start = range.end;
        }
        self.retransmit_next = start;
        (start < end).then(|| (start, end.min(start + u64::from(mss))))
    }

    /// RFC 6675 `IsLost`: all holes are lost above which more than `dup_thresh() - 1` segments are SACKed.
    pub fn mark_lost(&mut self, mss: u32) {
        let enough = u64::from(self.dup_thresh() - 1) * u64::from(mss);
        let mut arrived = 0;
        let mut end = 0;
        for range in self.sacked.iter().rev() {
            arrived += range.end - range.start;
            if arrived > enough {
                end = range.start;
                break;
            }
        }
        self.lost_end = self.lost_end.max(end);
    }

    /// Marks the first segment of the first hole as lost, regardless of SACK.
    pub fn mark_first_lost(&mut self, una: u64, nxt: u64, mss: u32) {
        let hole = self.sacked.iter().next().map_or(nxt, |range| range.start);
        self.lost_end = self.lost_end.max(hole.min(una + u64::from(mss)));
    }

    /// Retransmission timeout: everything that was not SACKed is lost (`tcp_enter_loss`).
    pub fn mark_all_lost(&mut self, una: u64, nxt: u64) {
        self.reno_sacked = 0;
        self.retransmit_next = una;
        self.lost_end = nxt;
        self.is_forced = true;
    }

    /// A duplicate ACK without SACK: one more segment has left the network, but never the first
    /// (`tcp_limit_reno_sacked`).
    pub fn add_reno_sack(&mut self, mss: u32, flight: u64) {
        let most = flight.saturating_sub(u64::from(mss));
        self.reno_sacked = (u64::from(self.reno_sacked) + u64::from(mss)).min(most) as u32;
    }

    /// An ACK moved SND.UNA by `acked` bytes to `una`. Without SACK, all of them but the hole had been counted
    /// before (`tcp_remove_reno_sacks`). Returns the bytes newly delivered (what `tcp_clean_rtx_queue` adds to
    /// `tp->delivered`).
    pub fn advance(&mut self, una: u64, acked: u64, mss: u32) -> u64 {
        let told_before = self.sacked.bytes() + u64::from(self.reno_sacked);
        if !self.sacked.is_empty() {
            self.sacked.forget_below(una);
        }
        if self.reno_sacked > 0 {
            let arrived_before = acked.saturating_sub(u64::from(mss));
            self.reno_sacked = u64::from(self.reno_sacked).saturating_sub(arrived_before) as u32;
        }
        self.retransmit_next = self.retransmit_next.max(una);
        acked - (told_before - self.sacked.bytes() - u64::from(self.reno_sacked))
    }

    /// A hole was filled by a segment that was never retransmitted: raises the reordering degree to `segments`
    /// (`tcp_check_sack_reordering`).
    pub fn note_reordering(&mut self, segments: u32) {
        self.reordering = self.reordering.max(segments.min(MOST_REORDERING));
    }

    /// Recovery has ended.
    pub fn end_recovery(&mut self) {
        self.reno_sacked = 0;
        self.is_forced = false;
    }
}

//! What was sent and is not acknowledged, piece by piece, with what is known of each: when it was
//! sent last, whether SACK says that it arrived, whether it counts as lost, whether it was sent again.
//!
//! Source: `tcp_rtx_queue`, `TCP_SKB_CB(skb)->sacked`, `tcp_sacktag_write_queue`, `tcp_clean_rtx_queue`
//! of `net/ipv4/tcp_input.c` (v6.1).

use std::collections::VecDeque;

use crate::time::SimTime;

/// A piece: one segment, or several that were sent as one.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the bits of TCP_SKB_CB(skb)->sacked"
)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub start: u64,
    pub end: u64,
    /// When it was sent last.
    pub at: SimTime,
    /// `TCPCB_SACKED_ACKED`
    pub is_sacked: bool,
    /// `TCPCB_LOST`
    pub is_lost: bool,
    /// `TCPCB_SACKED_RETRANS`: sent again since it was lost.
    pub is_resent: bool,
    /// `TCPCB_EVER_RETRANS`
    pub was_resent: bool,
}

impl Piece {
    fn len(&self) -> u64 {
        self.end - self.start
    }
}

/// What an ACK or its blocks said for the first time.
#[derive(Debug, Clone, Default)]
pub(super) struct Delivered {
    /// Sequence numbers.
    pub bytes: u64,
    /// When the first and the last of them were sent, of those sent once only (Karn).
    pub first_sent: Option<SimTime>,
    pub last_sent: Option<SimTime>,
    /// The lowest that lay in a hole and was sent once only: it had been overtaken.
    pub overtaken: Option<u64>,
    /// The pieces, for RACK.
    pub pieces: Vec<Piece>,
}

/// The pieces in order, and the sums of each kind.
#[derive(Debug, Clone, Default)]
pub(super) struct RtxQueue {
    list: VecDeque<Piece>,
    pub sacked: u64,
    pub lost: u64,
    pub resent: u64,
    /// All that ever was marked lost (`tp->lost`).
    pub lost_ever: u64,
    /// The end of what SACK reached furthest (`tcp_highest_sack_seq`).
    pub highest_sacked: u64,
}

impl RtxQueue {
    /// A new piece was sent.
    pub fn push(&mut self, start: u64, end: u64, at: SimTime) {
        self.list.push_back(Piece {
            start,
            end,
            at,
            is_sacked: false,
            is_lost: false,
            is_resent: false,
            was_resent: false,
        });
    }

    /// The oldest piece.
    pub fn first(&self) -> Option<&Piece> {
        self.list.front()
    }

    /// Bytes that are not in the network: `tcp_left_out` less what was sent again.
    pub fn left_out(&self) -> u64 {
        (self.sacked + self.lost).saturating_sub(self.resent)
    }

    /// SND.UNA moved to `una`; SACK had reached `highest` before this ACK.
    pub fn acknowledge(&mut self, una: u64, highest: u64) -> Delivered {
        let mut delivered = Delivered::default();
        while let Some(first) = self.list.front_mut().filter(|first| first.start < una) {
            let mut gone = *first;
            gone.end = gone.end.min(una);
            let len = gone.len();
            first.start = gone.end;
            if first.start >= first.end {
                self.list.pop_front();
            }
            if gone.is_sacked {
                self.sacked -= len;
                continue;
            }
            if gone.is_lost {
                self.lost -= len;
            }
            if gone.is_resent {
                self.resent -= len;
            }
            if !gone.was_resent && gone.start < highest {
                delivered.overtaken = delivered.overtaken.or(Some(gone.start));
            }
            delivered.add(gone);
        }
        delivered
    }

    /// A SACK block says that these sequence numbers arrived. A piece that it covers in part is cut
    /// at whole segments of `mss` (`tcp_match_skb_to_sack`).
    pub fn tag(&mut self, from: u64, to: u64, mss: u64, delivered: &mut Delivered) {
        let highest = self.highest_sacked;
        let mut at = self.list.partition_point(|piece| piece.end <= from);
        while let Some(&piece) = self.list.get(at).filter(|piece| piece.start < to) {
            if piece.is_sacked {
                at += 1;
                continue;
            }
            if piece.start < from {
                let cut = (from - piece.start).div_ceil(mss) * mss;
                at += 1;
                if cut < piece.len() {
                    self.split(at - 1, piece.start + cut);
                }
                continue;
            }
            if piece.end > to {
                let cut = (to - piece.start) / mss * mss;
                if cut == 0 {
                    break;
                }
                self.split(at, piece.start + cut);
            }
            let piece = &mut self.list[at];
            piece.is_sacked = true;
            let tagged = *piece;
            (piece.is_lost, piece.is_resent) = (false, false);
            let len = tagged.len();
            self.sacked += len;
            if tagged.is_lost {
                self.lost -= len;
            }
            if tagged.is_resent {
                self.resent -= len;
            }
            if !tagged.is_resent && !tagged.was_resent && tagged.start < highest {
                let lowest = delivered.overtaken.unwrap_or(u64::MAX);
                delivered.overtaken = Some(lowest.min(tagged.start));
            }
            self.highest_sacked = self.highest_sacked.max(tagged.end);
            delivered.add(tagged);
            at += 1;
        }
    }

    /// Cuts a piece in two.
    fn split(&mut self, at: usize, seq: u64) {
        let mut second = self.list[at];
        self.list[at].end = seq;
        second.start = seq;
        self.list.insert(at + 1, second);
    }

    /// Marks pieces lost for which `is_lost` says so, those that were sent again included.
    pub fn mark_lost(&mut self, mut is_lost: impl FnMut(&Piece) -> bool) {
        for piece in &mut self.list {
            let is_waiting = piece.is_lost && !piece.is_resent;
            if piece.is_sacked || is_waiting || !is_lost(piece) {
                continue;
            }
            let len = piece.len();
            if piece.is_resent {
                // The copy got lost too.
                piece.is_resent = false;
                self.resent -= len;
            }
            if !piece.is_lost {
                piece.is_lost = true;
                self.lost += len;
            }
            self.lost_ever += len;
        }
    }

    /// Nothing is lost after all (`tcp_undo_cwnd_reduction` with `unmark_loss`).
    pub fn unmark_lost(&mut self) {
        for piece in &mut self.list {
            piece.is_lost = false;
        }
        self.lost = 0;
    }

    /// The first piece that is lost and not sent again, cut to `most` bytes; it counts as sent again.
    pub fn resend(&mut self, most: u64, now: SimTime) -> Option<Piece> {
        if self.resent >= self.lost {
            return None;
        }
        let is_due = |piece: &Piece| piece.is_lost && !piece.is_resent && !piece.is_sacked;
        let at = self.list.iter().position(is_due)?;
        Some(self.resend_at(at, most, now))
    }

    /// The last segment of the last piece is sent again as a probe.
    pub fn probe_last(&mut self, mss: u64, now: SimTime) -> Option<Piece> {
        let last = *self.list.back()?;
        let whole = (last.len() - 1) / mss * mss;
        if whole > 0 {
            self.split(self.list.len() - 1, last.start + whole);
        }
        let at = self.list.len() - 1;
        Some(self.resend_at(at, mss, now))
    }

    fn resend_at(&mut self, at: usize, most: u64, now: SimTime) -> Piece {
        let piece = self.list[at];
        if piece.len() > most {
            self.split(at, piece.start + most);
        }
        let piece = &mut self.list[at];
        if !piece.is_resent {
            piece.is_resent = true;
            self.resent += piece.len();
        }
        piece.was_resent = true;
        piece.at = now;
        *piece
    }
}

impl Delivered {
    fn add(&mut self, piece: Piece) {
        self.bytes += piece.len();
        if !piece.was_resent {
            self.first_sent = self.first_sent.or(Some(piece.at));
            self.last_sent = Some(piece.at);
        }
        self.pieces.push(piece);
    }
}

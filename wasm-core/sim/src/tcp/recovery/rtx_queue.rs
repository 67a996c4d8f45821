//! The retransmit queue: data that were sent and not yet acknowledged, each piece with its last transmission
//! time and whether it was SACKed, is considered lost, or was retransmitted.
//!
//! Source: `tcp_rtx_queue`, `TCP_SKB_CB(skb)->sacked`, `tcp_sacktag_write_queue`, `tcp_clean_rtx_queue`
//! of `net/ipv4/tcp_input.c` (v6.1).

use std::collections::VecDeque;

use crate::time::SimTime;

/// A piece: the data of one `sk_buff`, which is one segment or several that were sent as one.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the bits of TCP_SKB_CB(skb)->sacked"
)]
#[derive(Debug, Clone, Copy)]
pub(in crate::tcp) struct Piece {
    pub start: u64,
    pub end: u64,
    /// When it was last sent.
    pub at: SimTime,
    /// `TCPCB_SACKED_ACKED`
    pub is_sacked: bool,
    /// `TCPCB_LOST`
    pub is_lost: bool,
    /// `TCPCB_SACKED_RETRANS`: retransmitted since it was marked lost.
    pub is_resent: bool,
    /// `TCPCB_EVER_RETRANS`
    pub was_resent: bool,
}

impl Piece {
    fn len(&self) -> u64 {
        self.end - self.start
    }
}

/// What an ACK and its SACK blocks delivered that no earlier ACK had.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct Delivered {
    /// Number of sequence numbers.
    pub bytes: u64,
    /// When the first and the last piece were sent, of those sent only once (Karn's algorithm).
    pub first_sent: Option<SimTime>,
    pub last_sent: Option<SimTime>,
    /// Whether a piece was sent more than once (`FLAG_RETRANS_DATA_ACKED`).
    pub has_resent: bool,
    /// The lowest sequence number below an earlier SACK that was delivered without a retransmission: it was
    /// overtaken.
    pub overtaken: Option<u64>,
    /// The delivered pieces, for RACK.
    pub pieces: Vec<Piece>,
}

/// The pieces in order of sequence, and the bytes in each state.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct RtxQueue {
    list: VecDeque<Piece>,
    pub sacked: u64,
    pub lost: u64,
    pub resent: u64,
    /// Bytes ever marked lost (`tp->lost`).
    pub lost_ever: u64,
    /// The highest SACKed sequence number (`tcp_highest_sack_seq`).
    pub highest_sacked: u64,
}

impl RtxQueue {
    /// Appends a piece that was sent at `at`.
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

    /// Bytes that have left the network: `tcp_left_out` less the retransmitted bytes.
    pub fn left_out(&self) -> u64 {
        (self.sacked + self.lost).saturating_sub(self.resent)
    }

    /// Removes what is below `una`, the new SND.UNA; `highest` is the highest sequence number SACKed before
    /// this ACK.
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

    /// Marks the pieces of a SACK block. A piece that it covers in part is split at whole segments of `mss`
    /// bytes (`tcp_match_skb_to_sack`).
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

    /// Splits a piece in two.
    fn split(&mut self, at: usize, seq: u64) {
        let mut second = self.list[at];
        self.list[at].end = seq;
        second.start = seq;
        self.list.insert(at + 1, second);
    }

    /// Marks as lost the pieces for which `is_lost` holds, retransmitted ones included.
    pub fn mark_lost(&mut self, mut is_lost: impl FnMut(&Piece) -> bool) {
        for piece in &mut self.list {
            let is_waiting = piece.is_lost && !piece.is_resent;
            if piece.is_sacked || is_waiting || !is_lost(piece) {
                continue;
            }
            let len = piece.len();
            if piece.is_resent {
                // The retransmission was lost too.
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

    /// Clears all loss marks (`tcp_undo_cwnd_reduction` with `unmark_loss`).
    pub fn unmark_lost(&mut self) {
        for piece in &mut self.list {
            piece.is_lost = false;
        }
        self.lost = 0;
    }

    /// Returns the first lost piece that was not retransmitted, cut to `most` bytes, and marks it as
    /// retransmitted.
    pub fn resend(&mut self, most: u64, now: SimTime) -> Option<Piece> {
        if self.resent >= self.lost {
            return None;
        }
        let is_due = |piece: &Piece| piece.is_lost && !piece.is_resent && !piece.is_sacked;
        let at = self.list.iter().position(is_due)?;
        Some(self.resend_at(at, most, now))
    }

    /// Splits off the last segment, to be retransmitted as a probe.
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
        if piece.was_resent {
            self.has_resent = true;
        } else {
            self.first_sent = self.first_sent.or(Some(piece.at));
            self.last_sent = Some(piece.at);
        }
        self.pieces.push(piece);
    }
}

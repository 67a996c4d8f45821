//! A TCP segment without its bytes: sequence numbers, lengths, flags, the window and SACK.
//!
//! Sequence numbers are offsets in the stream and never wrap: SYN is 0, the first byte 1.
//! Facts: RFC 9293 §3.1 and §3.4, RFC 2018 (SACK).

use std::fmt;
use std::ops::BitOr;

use crate::ecn::Ecn;
use crate::time::SimTime;

/// The control bits of a segment, RFC 9293 §3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// No flag.
    pub const NONE: Flags = Flags(0);
    /// Synchronize: takes one sequence number.
    pub const SYN: Flags = Flags(1);
    /// The acknowledgment number is valid.
    pub const ACK: Flags = Flags(2);
    /// No more data: takes one sequence number.
    pub const FIN: Flags = Flags(4);
    /// Reset.
    pub const RST: Flags = Flags(8);
    /// Push: set when the segment ends a write.
    pub const PSH: Flags = Flags(16);
    /// A marked segment arrived; on a SYN with CWR: the sender asks for ECN (RFC 3168 §6.1).
    pub const ECE: Flags = Flags(32);
    /// The congestion window was reduced.
    pub const CWR: Flags = Flags(64);

    /// Whether all bits of `other` are set.
    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// These bits without those of `other`.
    #[must_use]
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// The bits in their places in a header (RFC 9293 §3.1).
    pub fn in_header(self) -> u8 {
        let places = [
            (Flags::FIN, 0x01),
            (Flags::SYN, 0x02),
            (Flags::RST, 0x04),
            (Flags::PSH, 0x08),
            (Flags::ACK, 0x10),
            (Flags::ECE, 0x40),
            (Flags::CWR, 0x80),
        ];
        let set = places.into_iter().filter(|&(flag, _)| self.contains(flag));
        set.map(|(_, bit)| bit).sum()
    }

    /// Whether the segment has SYN, FIN or RST, so that GRO does not merge it.
    pub fn is_special(self) -> bool {
        self.has_any(Flags::SYN | Flags::FIN | Flags::RST)
    }

    /// Whether at least one bit of `other` is set.
    pub fn has_any(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl fmt::Display for Flags {
    /// As tcpdump prints them: `S`, `F`, `R`, `P`, `E` for ECE, `W` for CWR, then `.` for ACK.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Flags::SYN, "S"),
            (Flags::FIN, "F"),
            (Flags::RST, "R"),
            (Flags::PSH, "P"),
            (Flags::ECE, "E"),
            (Flags::CWR, "W"),
            (Flags::ACK, "."),
        ];
        for (flag, name) in names {
            if self.contains(flag) {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}

/// At most three blocks of data received above the acknowledgment, RFC 2018 §3: as many as fit beside the
/// timestamp option.
///
/// They are stored as offsets from the acknowledgment number, to keep a segment small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SackBlocks {
    blocks: [(u32, u32); 3],
    count: u8,
}

impl SackBlocks {
    /// Adds a block, given as offsets from the acknowledgment number. A fourth does not fit and is ignored.
    pub fn push(&mut self, from: u32, to: u32) {
        if let Some(block) = self.blocks.get_mut(usize::from(self.count)) {
            *block = (from, to);
            self.count += 1;
        }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The blocks as sequence numbers, the most recent first.
    pub fn from_ack(&self, ack: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.blocks[..usize::from(self.count)]
            .iter()
            .map(move |&(from, to)| (ack + u64::from(from), ack + u64::from(to)))
    }
}

/// One timestamp unit in femtoseconds: Linux's timestamp clock counts milliseconds (`TCP_TS_HZ`).
pub(super) const TIMESTAMP_UNIT: u64 = 1_000_000_000_000;

/// The timestamp clock at `now`; it starts at 1, since 0 means no timestamp.
pub fn timestamp(now: SimTime) -> u32 {
    (now.0 / TIMESTAMP_UNIT) as u32 + 1
}

/// A TCP segment without its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Segment {
    /// Sequence number of the first byte, or of the SYN.
    pub seq: u64,
    /// The next sequence number expected from the peer (RCV.NXT of the sender of the segment).
    pub ack: u64,
    /// Bytes of payload. Above the MSS: several segments as one packet (TSO or GRO).
    pub len: u32,
    /// The advertised window in bytes, after scaling.
    pub window: u32,
    /// SACK blocks.
    pub sack: SackBlocks,
    /// When it was sent, by [`timestamp`] (TSval, RFC 7323 §3.2); 0: no timestamp.
    pub sent_at: u32,
    /// The echoed timestamp (TSecr); 0: none.
    pub echoed: u32,
    /// The MSS option of a SYN, in bytes; 0 on other segments.
    pub mss: u16,
    /// The control bits.
    pub flags: Flags,
    /// The SACK-permitted option of a SYN.
    pub sack_permitted: bool,
    /// Whether these sequence numbers were sent before.
    pub is_retransmission: bool,
    /// What its IP header says of ECN (`ip_dsfield` of `tcp_skb_cb`).
    pub ecn: Ecn,
    /// When it is to leave its host (`skb->tstamp`, which no wire carries); zero: at once.
    pub departs: SimTime,
}

impl Segment {
    /// The sequence number after the last; SYN and FIN take one each.
    pub fn end(&self) -> u64 {
        self.seq
            + u64::from(self.len)
            + u64::from(self.flags.contains(Flags::SYN))
            + u64::from(self.flags.contains(Flags::FIN))
    }

    /// The segments that GSO or TSO cuts it into, of at most `gso_size` bytes of payload; itself, if that is 0. FIN and
    /// PSH are the last one's, and CWR, which tells of one reduction, the first one's (`tcp_gso_segment`).
    pub fn cut(self, gso_size: u32) -> impl Iterator<Item = Segment> {
        let most = if gso_size == 0 { self.len } else { gso_size }.max(1);
        (0..self.len.div_ceil(most).max(1)).map(move |index| {
            let sent = index * most;
            let len = most.min(self.len - sent);
            let mut flags = self.flags;
            if sent + len < self.len {
                flags = flags.without(Flags::PSH | Flags::FIN);
            }
            if index > 0 {
                flags = flags.without(Flags::CWR);
            }
            Segment {
                seq: self.seq + u64::from(sent),
                len,
                flags,
                ..self
            }
        })
    }

    /// Whether its timestamps and SACK blocks equal another's, so that both may be merged.
    pub fn has_options_of(&self, other: &Self) -> bool {
        (self.sent_at, self.echoed) == (other.sent_at, other.echoed) && self.sack == other.sack
    }

    /// Whether its IP header and these flags say of congestion what another's do.
    pub fn has_ecn_of(&self, other: &Self, flags: Flags) -> bool {
        self.ecn == other.ecn && (self.flags.0 ^ other.flags.0) & flags.0 == 0
    }

    /// Whether it carries neither data nor SYN, FIN or RST.
    pub fn is_pure_ack(&self) -> bool {
        self.len == 0 && !self.flags.has_any(Flags::SYN | Flags::FIN | Flags::RST)
    }

    /// The RST in reply to a segment for which there is no socket, RFC 9293 §3.10.7.1.
    pub fn reset_for(segment: &Segment) -> Segment {
        if segment.flags.contains(Flags::ACK) {
            Segment {
                seq: segment.ack,
                flags: Flags::RST,
                ..Segment::default()
            }
        } else {
            let flags = Flags::RST | Flags::ACK;
            Segment {
                ack: segment.end(),
                flags,
                ..Segment::default()
            }
        }
    }
}

impl fmt::Display for Segment {
    /// Close to tcpdump: `[P.] 1:1449 ack 1 win 65535 sack 2897:4345`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}:{}", self.flags, self.seq, self.end())?;
        if self.flags.contains(Flags::ACK) {
            write!(f, " ack {}", self.ack)?;
        }
        write!(f, " win {}", self.window)?;
        for (from, to) in self.sack.from_ack(self.ack) {
            write!(f, " sack {from}:{to}")?;
        }
        match self.ecn {
            Ecn::NotEct => {}
            Ecn::Ect1 => f.write_str(" ect1")?,
            Ecn::Ect0 => f.write_str(" ect0")?,
            Ecn::Ce => f.write_str(" ce")?,
        }
        if self.is_retransmission {
            f.write_str(" retransmission")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(whole: Segment, gso_size: u32) -> Vec<String> {
        let cut = whole.cut(gso_size);
        cut.map(|one| one.to_string().replace(" win 0", ""))
            .collect()
    }

    #[test]
    fn the_last_segment_of_a_piece_ends_it_and_the_first_tells_of_a_reduction() {
        let whole = Segment {
            seq: 1,
            len: 130_000,
            flags: Flags::PSH | Flags::FIN | Flags::CWR,
            ..Segment::default()
        };
        assert_eq!(
            cut(whole, 60_000),
            ["[W] 1:60001", "[] 60001:120001", "[FP] 120001:130002"]
        );
        assert_eq!(cut(whole, 65_000), ["[W] 1:65001", "[FP] 65001:130002"]);
        assert_eq!(cut(whole, 0), [whole.to_string().replace(" win 0", "")]);
    }

    #[test]
    fn a_segment_without_data_stays_one() {
        let fin = Segment {
            seq: 7,
            flags: Flags::FIN,
            ..Segment::default()
        };
        assert_eq!(cut(fin, 1448), ["[F] 7:8"]);
    }
}

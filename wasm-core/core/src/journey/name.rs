//! What a packet is called, everywhere: `7`, or `7 · 3/6` for the third of the six pieces of
//! packet 7's datagram.

use std::collections::BTreeMap;
use std::fmt;

use super::{Fragment, Group, GroupId, Journeys, Packet};
use crate::kernel::{PacketId, Station};
use crate::order;

/// Which piece of which packet a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The packet that was cut, or the one that carries on with the whole; of fragments that
    /// never became whole the first that came.
    pub whole: PacketId,
    /// Its number from 1 on, by place.
    pub number: u16,
    /// How many there are; as many as are known of where the last never came.
    pub of: u16,
    /// Whether the last is known, and with it how many there are.
    pub is_end_known: bool,
}

/// A packet's short name: its number, for a piece that of the whole with the piece's own behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortName {
    packet: PacketId,
    piece: Option<Piece>,
}

impl fmt::Display for ShortName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece {
            None => write!(formatter, "{}", self.packet.0),
            Some(piece) if piece.is_end_known => {
                let Piece {
                    whole, number, of, ..
                } = piece;
                write!(formatter, "{} · {number}/{of}", whole.0)
            }
            Some(Piece { whole, number, .. }) => write!(formatter, "{} · {number}/?", whole.0),
        }
    }
}

impl Journeys {
    /// What a packet is called. The one that carries its datagram on has its plain number.
    pub fn name(&self, packet: PacketId) -> ShortName {
        let piece = self.piece(packet).filter(|piece| piece.whole != packet);
        ShortName { packet, piece }
    }

    /// The numbers of the pieces that a record tells apart within a packet, ascending.
    pub fn told_apart(&self, packet: PacketId) -> Vec<u32> {
        let mut pieces: Vec<u32> = self.stays(packet).iter().map(|stay| stay.piece).collect();
        order::sort(&mut pieces);
        pieces.dedup();
        pieces
    }

    /// Which piece of which packet it is, if it is one.
    pub fn piece(&self, packet: PacketId) -> Option<Piece> {
        self.pieces.get(&packet).copied()
    }

    /// The pieces that a packet was cut into, in order.
    pub fn cut_into(&self, packet: PacketId) -> &[PacketId] {
        self.cut.get(&packet).map_or(&[], Vec::as_slice)
    }

    /// Whether UDP cut the packet into datagrams for a reader that takes one at a time: they begin at UDP
    /// (`net/ipv4/udp.c: udp_queue_rcv_skb`, v6.18).
    pub fn is_cut_for_reader(&self, packet: PacketId) -> bool {
        let first = self.cut_into(packet).first();
        let stay = first.and_then(|&first| self.stays(first).first());
        stay.is_some_and(|stay| matches!(stay.station, Station::Udp | Station::ReceiveQueue))
    }
}

/// What one of the pieces is called that a record tells apart within a packet ([`super::Stay::piece`]), of `all` of them
/// in ascending order: `31 · 2/2`.
pub(super) fn name_of_piece(packet: PacketId, all: &[u32], piece: u32) -> ShortName {
    let rank = all.partition_point(|&other| other < piece);
    let piece = Piece {
        whole: packet,
        number: as_number(rank as u32 + 1),
        of: as_number(all.len() as u32),
        is_end_known: true,
    };
    let piece = (all.len() > 1).then_some(piece);
    ShortName { packet, piece }
}

/// Into what each packet was cut, in the order in which the pieces were sent.
pub(super) fn cut(packets: &[Packet]) -> BTreeMap<PacketId, Vec<PacketId>> {
    let mut cut: BTreeMap<PacketId, Vec<PacketId>> = BTreeMap::new();
    for (id, packet) in (0..).map(PacketId).zip(packets) {
        if packet.cut_from.is_some() {
            cut.entry(packet.cut_from).or_default().push(id);
        }
    }
    cut
}

/// The fragments of each datagram, in order of their coming.
pub(super) fn fragments(packets: &[Packet]) -> BTreeMap<GroupId, Vec<PacketId>> {
    let mut arrived: BTreeMap<GroupId, Vec<PacketId>> = BTreeMap::new();
    for (id, packet) in (0..).map(PacketId).zip(packets) {
        if let Some(fragment) = packet.fragment {
            arrived.entry(fragment.group).or_default().push(id);
        }
    }
    arrived
}

/// The pieces of a run. One that was cut is counted among those of its datagram in their order;
/// a fragment that arrived by its place in the datagram, so that a hole stays one.
pub(super) fn pieces(
    packets: &[Packet],
    groups: &[Group],
    fragments: &BTreeMap<GroupId, Vec<PacketId>>,
    cut: &BTreeMap<PacketId, Vec<PacketId>>,
) -> BTreeMap<PacketId, Piece> {
    let mut pieces = BTreeMap::new();
    for (group, ids) in fragments {
        let place_of = |&id: &PacketId| Some((id, packets[id.at()].fragment?));
        let fragments: Vec<(PacketId, Fragment)> = ids.iter().filter_map(place_of).collect();
        let Group { whole, bytes, .. } = groups[group.0 as usize];
        let whole = if whole.is_some() {
            whole
        } else {
            fragments[0].0
        };
        let (numbers, of) = places(&fragments, bytes);
        for ((id, _), number) in fragments.into_iter().zip(numbers) {
            let piece = Piece {
                whole,
                number: as_number(number),
                of: as_number(of),
                is_end_known: bytes > 0,
            };
            pieces.insert(id, piece);
        }
    }
    for (&whole, ids) in cut {
        let of = as_number(ids.len() as u32);
        for (place, &id) in (1..).zip(ids) {
            let number = as_number(place);
            let is_end_known = true;
            let piece = Piece {
                whole,
                number,
                of,
                is_end_known,
            };
            pieces.insert(id, piece);
        }
    }
    pieces
}

/// The number of each fragment by its place in its datagram of so many bytes, and of how many it is one. A gap counts as what
/// would fill it if it were of the largest fragments: all but the last are of one size (RFC 791 section 3.2), unless a router
/// has cut them again.
fn places(fragments: &[(PacketId, Fragment)], bytes: u32) -> (Vec<u32>, u32) {
    let size = |(_, it): &(PacketId, Fragment)| it.to.saturating_sub(it.from);
    let largest = fragments.iter().map(size).max().unwrap_or(0).max(1);
    let mut by_place: Vec<usize> = (0..fragments.len()).collect();
    order::sort_by_key(&mut by_place, |&at| (fragments[at].1.from, at));
    let mut numbers = vec![0; fragments.len()];
    let (mut number, mut known, mut last) = (0_u32, 0, None);
    for at in by_place {
        let Fragment { from, to, .. } = fragments[at].1;
        if last.replace(from) != Some(from) {
            let missing = from.saturating_sub(known).div_ceil(largest);
            number = number.saturating_add(missing).saturating_add(1);
        }
        known = known.max(to);
        numbers[at] = number;
    }
    let missing = bytes.saturating_sub(known).div_ceil(largest);
    (numbers, number.saturating_add(missing))
}

/// A datagram has at most 8192 fragments (RFC 791); what an input has beyond the largest number
/// of 16 bits is called by that.
fn as_number(count: u32) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

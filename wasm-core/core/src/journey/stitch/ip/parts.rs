//! The fragments that a datagram is put together of, where no probe observes reassembly.

use std::collections::VecDeque;

use super::fragments::Fragments;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::{FRAGMENT_LEAST, UDP_HEADER};
use crate::journey::stitch::survey::interleaved::Part;
use crate::journey::stitch::table::Table;
use crate::kernel::{Direction, EventIdx, PacketId, Station, Verdict};
use crate::run::Run;

impl Fragments {
    /// Removes from `unresolved`, the received packets without a later event, the fragments of the datagram that `last`
    /// completes.
    pub fn take_parts(
        &self,
        last: &Draft,
        first: Option<PacketId>,
        unresolved: &mut VecDeque<PacketId>,
        table: &Table,
    ) -> Vec<PacketId> {
        let parts = self.freed_together(last, first, unresolved, table);
        let parts = parts.unwrap_or_else(|| self.parts(last, first, unresolved, table));
        take(&parts, unresolved);
        parts
    }

    /// Whether it is known what is freed with the datagram that this packet completes.
    pub fn are_freed_together(&self, last: &Draft) -> bool {
        let lists = &self.interleaved.lists;
        came(last).is_some_and(|came| lists.of_whole(came).is_some())
    }

    /// Those of `unresolved` that are freed with the datagram that `last` completes, with its first fragment, if all of them
    /// are there. That one is freed by itself, and the list has a clone of `last` in its place, at an address of its own.
    fn freed_together(
        &self,
        last: &Draft,
        first: Option<PacketId>,
        unresolved: &VecDeque<PacketId>,
        table: &Table,
    ) -> Option<Vec<PacketId>> {
        let together = self.interleaved.lists.of_whole(came(last)?)?;
        let is_of_list = |packet: &PacketId| {
            let part = &table[*packet];
            let is_of_one = is_one_flow(part, last) && came(part) < came(last);
            together.contains(&part.skb) && is_of_one && is_free(part)
        };
        let is_part = |packet: &PacketId| first == Some(*packet) || is_of_list(packet);
        let parts: Vec<PacketId> = unresolved.iter().copied().filter(is_part).collect();
        let is_all = parts.len() == together.len() && first.is_none_or(|it| parts.contains(&it));
        is_all.then_some(parts)
    }

    /// The same for a datagram that is complete at `index` and goes to a socket, without the fragments of another
    /// datagram that came by turns with its own (`survey::interleaved`).
    pub fn take_own_parts(
        &self,
        (last, index): (PacketId, EventIdx),
        first: Option<PacketId>,
        unresolved: &mut VecDeque<PacketId>,
        table: &Table,
        run: &Run,
    ) -> Vec<PacketId> {
        if let Some(parts) = self.freed_together(&table[last], first, unresolved, table) {
            take(&parts, unresolved);
            return parts;
        }
        let mut parts = self.parts(&table[last], first, unresolved, table);
        if let Some(parts) = self.reordered(last, first, (&parts, unresolved), table) {
            take(&parts, unresolved);
            return parts;
        }
        if let [begins, behind @ ..] = &parts[..]
            && first == Some(*begins)
        {
            let others = whole_bytes(last, &[*begins], table);
            let behind: Vec<Part> = behind.iter().map(|part| part_of(&table[*part])).collect();
            let own = self.interleaved.own(run, index, others, &behind);
            let mut own = std::iter::once(true).chain(own);
            parts.retain(|_| own.next() == Some(true));
        }
        take(&parts, unresolved);
        parts
    }

    /// The same where the fragments came in another order than by turns or by their offsets, and no read returned as much
    /// as `in_order` have. Fragments from elsewhere without a hash are recognised by their length, as bare segments are
    /// shorter, and a short end by its free.
    fn reordered(
        &self,
        last: PacketId,
        first: Option<PacketId>,
        (in_order, unresolved): (&[PacketId], &VecDeque<PacketId>),
        table: &Table,
    ) -> Option<Vec<PacketId>> {
        let whole = &table[last];
        let is_long = |part: &Draft| part.headers.network_bytes > FRAGMENT_LEAST;
        let is_read = self.interleaved.is_read(whole_bytes(last, in_order, table));
        if is_read || !self.are_told || first.is_none() && !is_long(whole) {
            return None;
        }
        let is_of_known = whole.hash != 0 || whole.sender.is_some();
        let may_be_part = |packet: &PacketId| {
            let part = &table[*packet];
            let is_one_sender = whole.hash != 0 || part.sender == whole.sender;
            let is_known = is_of_known || is_long(part) || !part.headers.is_cut_evenly();
            let is_before = came(part) < came(whole) && table.may_share_link(part, whole);
            is_one_flow(part, whole) && is_one_sender && is_known && is_free(part) && is_before
        };
        let packets: Vec<PacketId> = unresolved.iter().copied().filter(may_be_part).collect();
        let parts: Vec<Part> = packets.iter().map(|part| part_of(&table[*part])).collect();
        let first = first.map(|first| table[first].skb);
        let last = whole.headers.ip_payload();
        let count = self.interleaved.reordered(last, first, &parts)?;
        let own = &packets[packets.len() - count..];
        let is_certain = |packet: &PacketId| {
            let part = &table[*packet];
            is_of_known || is_long(part) || self.interleaved.is_freed_with_head(&part_of(part))
        };
        own.iter().all(is_certain).then(|| own.to_vec())
    }

    /// Those of `unresolved` that may be the fragments of the datagram that `last` completes. They have one sending
    /// socket: one hash, or, where the socket chose none (unconnected, IPv4), the same sending task on this host. For
    /// fragments from elsewhere without a hash the first fragment must be known. Packets before the first fragment
    /// belong to another datagram, which is still incomplete.
    fn parts(
        &self,
        last: &Draft,
        first: Option<PacketId>,
        unresolved: &VecDeque<PacketId>,
        table: &Table,
    ) -> Vec<PacketId> {
        // The first fragment's `sk_buff` is not freed only if it arrives last (`net/ipv4/inet_fragment.c:
        // inet_frag_reasm_prepare`, v6.18).
        let has_first = self.are_told && first.is_none();
        let may_be_first =
            last.headers.is_cut_evenly() && last.headers.network_bytes > FRAGMENT_LEAST;
        if has_first && !may_be_first {
            return Vec::new();
        }
        let last_came = came(last);
        let mut has_begun = first.is_none_or(|first| !unresolved.contains(&first));
        let may_be_part = |&packet: &PacketId| {
            has_begun |= first == Some(packet);
            let part = &table[packet];
            let is_one_sender = match (last.hash, last.sender) {
                (0, Some(sender)) => {
                    let is_its = part.sender == Some(sender);
                    (is_its || was_held(part, last)) && part.headers.is_cut_evenly()
                }
                (0, None) => {
                    first.is_some() && part.sender.is_none() && part.headers.is_cut_evenly()
                }
                _ => true,
            };
            let is_before = came(part) < last_came && table.may_share_link(part, last);
            let is_behind = !has_first || part.headers.ip_payload() <= last.headers.ip_payload();
            let is_one_flow = is_one_flow(part, last);
            has_begun && is_one_flow && is_one_sender && is_free(part) && is_before && is_behind
        };
        unresolved.iter().copied().filter(may_be_part).collect()
    }
}

/// When the core received the packet last. One that netfilter held for a program completes its datagram when it is
/// accepted; later packets have arrived since.
fn came(draft: &Draft) -> Option<EventIdx> {
    let mut entries = draft.entries.iter().rev();
    let received = entries.find(|entry| entry.station == Some(Station::NetCore));
    received.map(|entry| entry.event)
}

/// What tells of a packet as a fragment.
fn part_of(draft: &Draft) -> Part {
    Part {
        skb: draft.skb,
        came: came(draft),
        bytes: draft.headers.ip_payload(),
    }
}

/// Whether two packets may be of one flow, by what their devices told.
fn is_one_flow(one: &Draft, other: &Draft) -> bool {
    one.hash == other.hash && one.headers.ethertype == other.headers.ethertype
}

/// Whether the packet may be a fragment that waits. A forwarded packet has left the core.
fn is_free(part: &Draft) -> bool {
    matches!(part.outcome.verdict, Verdict::Open | Verdict::Merged { .. })
        && part.station() == Some(Station::NetCore)
        && part.flow.protocol == 0
        && part.fragment.is_none()
}

/// Removes packets from a list that has them in the same order.
fn take(parts: &[PacketId], list: &mut VecDeque<PacketId>) {
    let mut parts = parts.iter().peekable();
    list.retain(|packet| parts.next_if_eq(&packet).is_none());
}

/// Whether the packet waited for neighbour resolution, as the first fragment of a datagram may: it is then sent by
/// the softirq that receives the answer (`net/core/neighbour.c: __neigh_update`, v6.12), not by a task. A fragment is
/// never shorter than the last one.
fn was_held(part: &Draft, last: &Draft) -> bool {
    part.direction == Direction::Transmit
        && part.sender.is_none()
        && part.headers.ip_payload() >= last.headers.ip_payload()
}

/// Payload in bytes of the datagram that the fragment `last` completes.
pub fn whole_bytes(last: PacketId, parts: &[PacketId], table: &Table) -> u32 {
    if parts.is_empty() {
        return table[last].headers.datagram_bytes();
    }
    let all = parts.iter().chain([&last]);
    let all = all.map(|part| table[*part].headers.ip_payload());
    all.fold(0, u32::saturating_add).saturating_sub(UDP_HEADER)
}

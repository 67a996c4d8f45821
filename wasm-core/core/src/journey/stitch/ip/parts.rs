//! The fragments that a datagram is put together of, where no probe observes reassembly.

use std::collections::VecDeque;

use super::fragments::Fragments;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::FRAGMENT_LEAST;
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
        let parts = self.parts(last, first, unresolved, table);
        take(&parts, unresolved);
        parts
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
        let mut parts = self.parts(&table[last], first, unresolved, table);
        if let [begins, behind @ ..] = &parts[..]
            && first == Some(*begins)
        {
            let others = whole_bytes(last, &[*begins], table);
            let part = |packet: &PacketId| Part {
                skb: table[*packet].skb,
                bytes: table[*packet].headers.ip_payload(),
            };
            let behind: Vec<Part> = behind.iter().map(part).collect();
            let own = self.interleaved.own(run, index, others, &behind);
            let mut own = std::iter::once(true).chain(own);
            parts.retain(|_| own.next() == Some(true));
        }
        take(&parts, unresolved);
        parts
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
        // A packet that netfilter held for a program completes its datagram when it is accepted; later packets have
        // arrived since.
        let came = |draft: &Draft| {
            let mut entries = draft.entries.iter().rev();
            let received = entries.find(|entry| entry.station == Some(Station::NetCore));
            received.map(|entry| entry.event)
        };
        let last_came = came(last);
        let mut has_begun = first.is_none_or(|first| !unresolved.contains(&first));
        let may_be_part = |&packet: &PacketId| {
            has_begun |= first == Some(packet);
            let part = &table[packet];
            let is_one_flow =
                part.hash == last.hash && part.headers.ethertype == last.headers.ethertype;
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
            // A forwarded packet has left the core.
            let is_here = part.station() == Some(Station::NetCore);
            let is_free = matches!(part.outcome.verdict, Verdict::Open | Verdict::Merged { .. })
                && is_here
                && part.flow.protocol == 0
                && part.fragment.is_none();
            let is_before = came(part) < last_came && table.may_share_link(part, last);
            let is_behind = !has_first || part.headers.ip_payload() <= last.headers.ip_payload();
            has_begun && is_one_flow && is_one_sender && is_free && is_before && is_behind
        };
        unresolved.iter().copied().filter(may_be_part).collect()
    }
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
    let last = &table[last];
    let bytes = last.headers.datagram_bytes();
    if parts.is_empty() {
        return bytes;
    }
    let parts = parts.iter().map(|part| table[*part].headers.ip_payload());
    let bytes = parts.fold(bytes, u32::saturating_add);
    bytes.saturating_sub(last.headers.fragment_header())
}

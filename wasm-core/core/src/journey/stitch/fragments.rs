//! IP fragments on their way into a datagram.
//!
//! Source: `net/ipv4/ip_fragment.c: ip_defrag`, `net/ipv4/inet_fragment.c:
//! inet_frag_queue_insert`, `inet_frag_reasm_finish`, `inet_frag_kill`, `ip_expire`
//! (v6.1). The kernel puts the whole datagram into the sk_buff of the fragment that
//! came last; the others end merged into that one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::draft::{Draft, Entry, IP_MF, IP_OFFSET};
use super::merges::Odd;
use super::{Stitcher, UDP};
use crate::journey::{Fragment, Group, GroupId};
use crate::kernel::{
    AddrId, Direction, DropReason, Event, EventIdx, Field, PacketId, Probe, Probes, Station,
    Verdict,
};
use crate::run::Run;

/// Bytes of a fragment that is cut for a path of the least length which Linux learns (`net/ipv4/route.c: ip_rt_min_pmtu`,
/// v6.18: 552), but the last.
pub(super) const FRAGMENT_LEAST: u32 = 552 - 8;

/// Bytes of an IPv4 header without options (RFC 791 section 3.1).
const IP_HEADER: u32 = 20;

/// The datagrams under reassembly.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    /// By fragment queue, where the probes name it.
    by_queue: BTreeMap<AddrId, GroupId>,
    /// The fragments of each group so far.
    members: BTreeMap<GroupId, Vec<PacketId>>,
    /// With tracepoints alone: what a datagram that waits to be read is likely made of, and when it
    /// was whole. A read of as many bytes bears it out.
    supposed: BTreeMap<PacketId, (Vec<PacketId>, EventIdx)>,
    /// The recording names who frees a packet (since v6.3), so it tells of each datagram that is put together.
    pub are_told: bool,
    /// It also tells what comes to a socket: what does not is nowhere but in reassembly.
    are_queues_told: bool,
}

impl Fragments {
    /// What a run tells of reassembly, whose events pass these probes.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let mut indices = run.indices();
        let names_function = |index: EventIdx| {
            run.probe[index.at()] == Probe::ConsumeSkb
                && run.field(index, Field::Location).is_some()
        };
        Self {
            are_told: indices.any(names_function),
            are_queues_told: passed.has(Probe::SkDataReady),
            ..Self::default()
        }
    }

    /// These fragments came before `whole` and are likely parts of its datagram.
    pub fn suppose(&mut self, whole: PacketId, parts: Vec<PacketId>, index: EventIdx) {
        if !parts.is_empty() {
            self.supposed.insert(whole, (parts, index));
        }
    }
}

impl Fragments {
    /// Takes out of what came silently before it, since the last datagram, the fragments of the one that
    /// is whole with this packet. They are of one sender's socket, which a hash tells or, where that
    /// socket chose none (unconnected, over IPv4), the task that sent them here; where they came from
    /// elsewhere, the first is told. What came before the first is another datagram's, that waits for the rest of it.
    pub fn take_parts(
        &self,
        last: &Draft,
        first: Option<PacketId>,
        silent: &mut VecDeque<PacketId>,
        drafts: &[Draft],
    ) -> Vec<PacketId> {
        // Only where the first comes last is none told (`net/ipv4/inet_fragment.c: inet_frag_reasm_prepare`, v6.18).
        let has_first = self.are_told && first.is_none();
        let may_be_first = last.is_cut_evenly() && last.network_bytes > FRAGMENT_LEAST;
        if has_first && !may_be_first {
            return Vec::new();
        }
        // What netfilter held for a program is put together, or whole, when it is let pass; others have come since.
        let came = |draft: &Draft| {
            let mut entries = draft.entries.iter().rev();
            let received = entries.find(|entry| entry.station == Some(Station::NetCore));
            received.map(|entry| entry.event)
        };
        let last_came = came(last);
        let mut has_begun = first.is_none_or(|first| !silent.contains(&first));
        let mut parts = Vec::new();
        silent.retain(|&packet| {
            has_begun |= first == Some(packet);
            let part = &drafts[packet.at()];
            let is_one_flow = part.hash == last.hash && part.ethertype == last.ethertype;
            let is_one_sender = match (last.hash, last.sender) {
                (0, Some(sender)) => {
                    let is_its = part.sender == Some(sender);
                    (is_its || was_held(part, last)) && part.is_cut_evenly()
                }
                (0, None) => first.is_some() && part.sender.is_none() && part.is_cut_evenly(),
                _ => true,
            };
            // A router has sent on what came to it.
            let is_here = part.station() == Some(Station::NetCore);
            let is_free = matches!(part.verdict, Verdict::Open | Verdict::Merged { .. })
                && is_here
                && part.protocol == 0
                && part.fragment.is_none();
            let is_before = came(part) < last_came;
            let is_behind = !has_first || part.ip_payload() <= last.ip_payload();
            let is_part =
                has_begun && is_one_flow && is_one_sender && is_free && is_before && is_behind;
            if is_part {
                parts.push(packet);
            }
            !is_part
        });
        parts
    }
}

impl Stitcher<'_> {
    /// `inet_frag_queue_insert`: a fragment takes its place in the queue.
    pub(super) fn queue_fragment(&mut self, packet: PacketId, index: EventIdx) {
        let Some(queue) = self.run.field(index, Field::Q).map(AddrId) else {
            return;
        };
        let from = self.run.field(index, Field::Off).unwrap_or(0);
        let to = self.run.field(index, Field::End).unwrap_or(from);
        let group = if let Some(&group) = self.fragments.by_queue.get(&queue) {
            group
        } else {
            let group = self.new_group();
            self.fragments.by_queue.insert(queue, group);
            group
        };
        if self.drafts[packet.at()].fragment.is_some() {
            self.oddities.add(Odd::SecondDatagram, index);
            return;
        }
        self.join(packet, Fragment { group, from, to });
    }

    /// `inet_frag_reasm_finish`: the datagram is whole and goes on in `packet`.
    pub(super) fn reassemble(&mut self, packet: PacketId, index: EventIdx) {
        let group = self.drafts[packet.at()].group();
        self.complete(group, packet, index);
    }

    /// A fragment reached the transport layer: with few probes that is the only sign
    /// that its datagram is whole. Its parts are those with the same identification.
    pub(super) fn reassemble_unobserved(&mut self, packet: PacketId, index: EventIdx) {
        let draft = &self.drafts[packet.at()];
        if !draft.is_fragment() || draft.fragment.is_some() {
            return;
        }
        let (id, protocol) = (draft.ip_id, draft.protocol);
        let group = self.new_group();
        let newest_first: Vec<PacketId> = (0..=packet.0).rev().map(PacketId).take(MANY).collect();
        for part in newest_first {
            let draft = &self.drafts[part.at()];
            let is_part = draft.is_fragment()
                && draft.ip_id == id
                && draft.protocol == protocol
                && draft.fragment.is_none()
                && (part == packet || !draft.is_queued);
            if is_part {
                let from = u32::from(draft.frag_off & IP_OFFSET) * 8;
                let to = from + draft.bytes.saturating_sub(IP_HEADER).min(0xffff);
                self.join(part, Fragment { group, from, to });
            }
        }
        self.complete(group, packet, index);
    }

    /// If the datagram had as many bytes of payload as was supposed, its fragments are known, in
    /// the order of their coming. They went on in the packet that came last.
    pub(super) fn confirm_fragments(&mut self, whole: PacketId, bytes: u32) {
        let supposed = self.fragments.supposed.get(&whole);
        if supposed.is_some_and(|(parts, _)| whole_bytes(whole, parts, &self.drafts) == bytes) {
            self.join_supposed(whole);
        }
    }

    pub(super) fn join_supposed(&mut self, whole: PacketId) {
        let Some((parts, index)) = self.fragments.supposed.remove(&whole) else {
            return;
        };
        let is_free = |packet: &PacketId| {
            let draft = &self.drafts[packet.at()];
            draft.fragment.is_none() && !matches!(draft.verdict, Verdict::Dropped { .. })
        };
        if !parts.iter().chain([&whole]).all(is_free) {
            return;
        }
        let group = self.new_group();
        let mut from = 0;
        for packet in parts.into_iter().chain([whole]) {
            let to = u32::saturating_add(from, self.drafts[packet.at()].ip_payload());
            self.join(packet, Fragment { group, from, to });
            from = to;
            if packet != whole {
                self.drafts[packet.at()].is_inferred = true;
                self.merge(packet, whole, index);
            }
        }
        self.fragments.members.remove(&group);
        let group = &mut self.groups[group.0 as usize];
        (group.whole, group.bytes) = (whole, from);
    }

    /// The datagram is dropped, from its socket's queue or before it was in one: its fragments end in it.
    pub(super) fn drop_whole(&mut self, whole: PacketId, index: EventIdx, event: &Event) {
        let receiving = &mut self.cpus.entry(event.cpu).or_default().receiving;
        let in_hand = receiving.in_hand(event, |packet| packet == whole);
        if let Some((_, Some(first), silent)) = in_hand {
            let last = &self.drafts[whole.at()];
            let parts = self
                .fragments
                .take_parts(last, Some(first), silent, &self.drafts);
            self.fragments.suppose(whole, parts, index);
        }
        self.join_supposed(whole);
    }

    /// What nobody has read when the recording ends is of the fragments that it was supposed to be of.
    pub(super) fn confirm_unread(&mut self) {
        let supposed: Vec<PacketId> = self.fragments.supposed.keys().copied().collect();
        for whole in supposed {
            let draft = &self.drafts[whole.at()];
            if draft.verdict == Verdict::Open && !draft.is_superseded {
                self.join_supposed(whole);
            }
        }
    }

    /// Fragments of which the rest has not come by the end are in IP's reassembly. With tracepoints alone nothing tells that
    /// of them, but that nothing tells of another place: what was sent here over UDP is read, waits in a socket's queue
    /// or is dropped, all of which is told where the recording has sockets' `sk_data_ready` (`net/core/sock.c:
    /// sock_def_readable`, v6.3). Where it has not, one that was read may leave no trace either: recordings of v6.18 with the
    /// events of `net` and `skb` alone tell nothing of a short one. TCP's segments, which may wait untold in a backlog, have
    /// their socket's hash.
    pub(super) fn leave_in_reassembly(&mut self) {
        if !(self.fragments.are_told && self.fragments.are_queues_told) {
            return;
        }
        let of_udp = self.drafts.iter().filter(|draft| draft.protocol == UDP);
        let of_udp: BTreeSet<u32> = of_udp.map(|draft| draft.hash).collect();
        for packet in (0..self.drafts.len() as u32).map(PacketId) {
            let draft = &self.drafts[packet.at()];
            let is_sent_by_udp = draft.direction == Direction::Transmit
                && (draft.hash == 0 || of_udp.contains(&draft.hash));
            let is_untold = draft.verdict == Verdict::Open
                && draft.protocol == 0
                && draft.station() == Some(Station::NetCore)
                && !(draft.is_held
                    || draft.is_superseded
                    || draft.shared_at.or(draft.parted_at).is_some());
            let is_waiting = is_untold && is_sent_by_udp && draft.may_have_payload();
            if is_waiting && !self.is_lost(packet) {
                self.put_in_reassembly(packet);
            }
        }
    }

    /// Where the packet was seen last IP put it beside the other fragments of its datagram.
    pub(super) fn put_in_reassembly(&mut self, packet: PacketId) {
        let entries = &mut self.drafts[packet.at()].entries;
        if let Some(last) = entries
            .last()
            .filter(|last| last.station == Some(Station::NetCore))
        {
            entries.push(Entry::new(last.event, Some(Station::Reassembly)));
        }
    }

    /// `inet_frag_kill`: the queue is taken out of use, because its datagram is whole
    /// (`inet_frag_reasm_finish` follows) or because it waited too long (`ip_expire`).
    pub(super) fn kill_fragments(&mut self, index: EventIdx, event: &Event) {
        let is_expiring = std::mem::take(&mut self.cpu(event.cpu).is_expiring);
        let Some(queue) = self.run.field(index, Field::Q).map(AddrId) else {
            return;
        };
        let Some(group) = self.fragments.by_queue.remove(&queue) else {
            return;
        };
        if is_expiring {
            let reason = DropReason::FragReasmTimeout;
            for packet in self.fragments.members.remove(&group).unwrap_or_default() {
                self.append(packet, index, event);
                self.close(packet, Verdict::Dropped { reason }, event.time);
            }
        }
    }

    fn new_group(&mut self) -> GroupId {
        self.groups.push(Group {
            whole: PacketId::NONE,
            bytes: 0,
            fragments: 0,
        });
        GroupId(self.groups.len() as u32 - 1)
    }

    fn join(&mut self, packet: PacketId, fragment: Fragment) {
        let draft = &mut self.drafts[packet.at()];
        draft.fragment = Some(fragment);
        let is_last = draft.frag_off & IP_MF == 0 && draft.frag_off & IP_OFFSET != 0;
        let group = &mut self.groups[fragment.group.0 as usize];
        group.fragments += 1;
        if is_last {
            group.bytes = fragment.to;
        }
        self.fragments
            .members
            .entry(fragment.group)
            .or_default()
            .push(packet);
    }

    fn complete(&mut self, group: GroupId, whole: PacketId, index: EventIdx) {
        let Some(members) = self.fragments.members.remove(&group) else {
            return;
        };
        self.groups[group.0 as usize].whole = whole;
        let first = members
            .iter()
            .find(|&&packet| self.drafts[packet.at()].frag_off & IP_OFFSET == 0);
        // Only the first fragment has the ports (RFC 791: the payload is cut, not repeated).
        if let Some(first) = first.map(|packet| self.drafts[packet.at()].clone()) {
            for &packet in &members {
                let draft = &mut self.drafts[packet.at()];
                draft.source_port = first.source_port;
                draft.destination_port = first.destination_port;
            }
        }
        for packet in members {
            if packet != whole {
                self.merge(packet, whole, index);
            }
        }
    }
}

/// How far back the parts of a datagram are looked for when no probe names its
/// queue: more packets than a 64 KiB datagram has fragments, several times over.
const MANY: usize = 512;

/// Whether a packet waited for its neighbour's address, as the first fragment of a datagram may: the softirq that
/// receives the answer sends it (`net/core/neighbour.c: __neigh_update`, v6.12), and no task. No fragment but
/// the last is shorter than another.
fn was_held(part: &Draft, last: &Draft) -> bool {
    part.direction == Direction::Transmit
        && part.sender.is_none()
        && part.ip_payload() >= last.ip_payload()
}

/// Bytes of payload of the datagram that is whole with this packet.
pub(super) fn whole_bytes(last: PacketId, parts: &[PacketId], drafts: &[Draft]) -> u32 {
    let last = &drafts[last.at()];
    let bytes = last.datagram_bytes();
    if parts.is_empty() {
        return bytes;
    }
    let parts = parts.iter().map(|part| drafts[part.at()].ip_payload());
    let bytes = parts.fold(bytes, u32::saturating_add);
    bytes.saturating_sub(last.fragment_header())
}

//! IP fragments and their reassembly.
//!
//! Source: `net/ipv4/ip_fragment.c: ip_defrag`, `net/ipv4/inet_fragment.c: inet_frag_queue_insert`,
//! `inet_frag_reasm_finish`, `inet_frag_kill`, `ip_expire` (v6.1). The kernel puts the whole datagram into the
//! `sk_buff` of the fragment that arrived last; the other fragments end merged into that one.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::whole_bytes;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::{Draft, Entry};
use crate::journey::stitch::packet::headers::{
    FRAGMENT_TIMEOUT, IP_HEADER, IP_MF, IP_OFFSET, UDP, UDP_HEADER,
};
use crate::journey::stitch::packet::location::freeing_function;
use crate::journey::stitch::packet::reported::is_freed_in;
use crate::journey::stitch::survey::interleaved::Interleaved;
use crate::journey::stitch::table::merges::Anomaly;
use crate::journey::{Fragment, Group, GroupId};
use crate::kernel::{
    AddrId, Direction, DropReason, Event, EventIdx, Field, PacketId, Probe, Probes, Station,
    Verdict,
};
use crate::run::Run;

/// The datagrams under reassembly.
#[derive(Debug, Default)]
pub struct Fragments {
    /// The datagrams of which fragments were seen.
    groups: Vec<Group>,
    /// By fragment queue, where the probes name it.
    by_queue: BTreeMap<AddrId, GroupId>,
    /// The fragments of each group so far.
    members: BTreeMap<GroupId, Vec<PacketId>>,
    /// With tracepoints only: the probable fragments of a datagram that waits to be read, and the event that
    /// completed it. A read of the same length confirms them.
    supposed: BTreeMap<PacketId, (Vec<PacketId>, EventIdx)>,
    /// The recording names the function that frees a packet (since v6.3), so every completed reassembly is visible.
    pub(super) are_told: bool,
    /// `sk_data_ready` is recorded too: a datagram that reaches no socket is still in reassembly.
    are_queues_told: bool,
    /// What tells the fragments of two datagrams apart.
    pub(super) interleaved: Interleaved,
}

impl Fragments {
    /// What the recording shows of reassembly; `passed` are the probes it contains.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let mut indices = run.indices();
        let names_function = |index: EventIdx| {
            run.probe[index.at()] == Probe::ConsumeSkb && freeing_function(run, index).is_some()
        };
        Self {
            are_told: indices.any(names_function),
            are_queues_told: passed.has(Probe::SkDataReady),
            interleaved: Interleaved::of(run),
            ..Self::default()
        }
    }

    /// Takes out the datagrams of which fragments were seen.
    pub fn take_groups(&mut self) -> Vec<Group> {
        std::mem::take(&mut self.groups)
    }

    /// The datagram that a packet is a fragment of.
    pub fn group(&self, draft: &Draft) -> Option<&Group> {
        self.groups.get(draft.group().0 as usize)
    }

    fn new_group(&mut self) -> GroupId {
        self.groups.push(Group {
            whole: PacketId::NONE,
            bytes: 0,
            fragments: 0,
        });
        GroupId(self.groups.len() as u32 - 1)
    }

    /// Records the fragments that arrived before `whole` and probably belong to its datagram.
    pub fn suppose(&mut self, whole: PacketId, parts: Vec<PacketId>, index: EventIdx) {
        if !parts.is_empty() {
            self.supposed.insert(whole, (parts, index));
        }
    }
}

impl Stitcher<'_> {
    /// `inet_frag_queue_insert`: the fragment is inserted into its fragment queue.
    pub fn queue_fragment(&mut self, packet: PacketId, index: EventIdx) {
        let Some(queue) = self.run.field(index, Field::Q).map(AddrId) else {
            return;
        };
        let from = self.run.field(index, Field::Off).unwrap_or(0);
        let to = self.run.field(index, Field::End).unwrap_or(from);
        let group = if let Some(&group) = self.fragments.by_queue.get(&queue) {
            group
        } else {
            let group = self.fragments.new_group();
            self.fragments.by_queue.insert(queue, group);
            group
        };
        if self.table[packet].fragment.is_some() {
            self.table.note(Anomaly::SecondDatagram, index);
            return;
        }
        self.join(packet, Fragment { group, from, to });
    }

    /// `inet_frag_reasm_finish`: the datagram is complete and continues as `packet`.
    pub fn reassemble(&mut self, packet: PacketId, index: EventIdx) {
        let group = self.table[packet].group();
        self.complete(group, packet, index);
    }

    /// A fragment reached the transport layer: with few probes the only sign that its datagram is complete. Its other
    /// fragments are inferred to be those with the same IP identification, which another datagram may have too.
    pub fn reassemble_unobserved(&mut self, packet: PacketId, index: EventIdx) {
        let draft = &self.table[packet];
        if !draft.headers.is_fragment() || draft.fragment.is_some() {
            return;
        }
        let (id, protocol) = (draft.headers.ip_id, draft.flow.protocol);
        let (dev, now) = (draft.dev, self.run.time(index));
        let group = self.fragments.new_group();
        let newest_first: Vec<PacketId> = (0..=packet.0)
            .rev()
            .map(PacketId)
            .take(SEARCH_WINDOW)
            .collect();
        for part in newest_first {
            let draft = &self.table[part];
            let is_part = draft.headers.is_fragment()
                && draft.headers.ip_id == id
                && draft.flow.protocol == protocol
                && draft.fragment.is_none()
                && (part == packet || !draft.queues.is_queued())
                && draft.dev == dev
                && draft
                    .entries
                    .last()
                    .is_some_and(|last| now.since(self.run.time(last.event)) <= FRAGMENT_TIMEOUT);
            if is_part {
                let from = u32::from(draft.headers.frag_off & IP_OFFSET) * 8;
                let to = from + draft.bytes.saturating_sub(IP_HEADER).min(0xffff);
                self.join(part, Fragment { group, from, to });
                self.table[part].outcome.is_inferred |= part != packet;
            }
        }
        self.complete(group, packet, index);
    }

    /// If the datagram has as many bytes of payload as the probable fragments add up to, these are its fragments. They are merged into the packet that arrived last.
    pub fn confirm_fragments(&mut self, whole: PacketId, bytes: u32) {
        let supposed = self.fragments.supposed.get(&whole);
        if supposed.is_some_and(|(parts, _)| whole_bytes(whole, parts, &self.table) == bytes) {
            self.join_supposed(whole);
        }
    }

    pub fn join_supposed(&mut self, whole: PacketId) {
        let Some((parts, index)) = self.fragments.supposed.remove(&whole) else {
            return;
        };
        let is_free = |packet: &PacketId| {
            let draft = &self.table[*packet];
            draft.fragment.is_none() && !draft.outcome.is_dropped()
        };
        if !parts.iter().chain([&whole]).all(is_free) {
            return;
        }
        let group = self.fragments.new_group();
        let mut from = 0;
        for packet in self.by_offset(parts, whole) {
            let to = u32::saturating_add(from, self.table[packet].headers.ip_payload());
            self.join(packet, Fragment { group, from, to });
            from = to;
            if packet != whole {
                self.table[packet].outcome.is_inferred = true;
                self.table.merge(packet, whole, index);
            }
        }
        self.fragments.members.remove(&group);
        let group = &mut self.fragments.groups[group.0 as usize];
        (group.whole, group.bytes) = (whole, from);
    }

    /// The fragments of a datagram in the order of their offsets, as far as it is known: which is the first, and which
    /// has another length than all but the last have. The others are in order of arrival.
    fn by_offset(&self, mut fragments: Vec<PacketId>, whole: PacketId) -> Vec<PacketId> {
        let is_first = |packet: &PacketId| {
            let last = self.table[*packet].entries.last();
            last.is_some_and(|last| is_freed_in(self.run, last.event, "inet_frag_reasm_prepare"))
        };
        let has_first = fragments.iter().any(is_first) || !self.fragments.are_told;
        fragments.push(whole);
        fragments.sort_by_key(|packet| {
            let begins = is_first(packet) || !has_first && *packet == whole;
            let ends = !self.table[*packet].headers.is_cut_evenly();
            (!begins, ends)
        });
        fragments
    }

    /// The datagram is dropped, from its socket's queue or earlier: its fragments end merged into it.
    pub fn drop_whole(&mut self, whole: PacketId, index: EventIdx, event: &Event) {
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        let in_hand = receiving.in_hand(event, |packet| packet == whole);
        if let Some((_, first, unresolved)) = in_hand {
            let last = &self.table[whole];
            if first.is_some() || self.fragments.are_freed_together(last) {
                let parts = self
                    .fragments
                    .take_parts(last, first, unresolved, &self.table);
                self.fragments.suppose(whole, parts, index);
            }
        }
        self.join_supposed(whole);
        let draft = &mut self.table[whole];
        if draft.flow.protocol == UDP
            && let Some(group) = self.fragments.group(draft)
        {
            draft.payload = group.bytes.saturating_sub(UDP_HEADER);
        }
    }

    /// The stack has consumed the packet that it is receiving: what is freed with it are its fragments.
    pub fn consume_whole(&mut self, whole: PacketId, index: EventIdx, event: &Event) {
        if !self.fragments.are_freed_together(&self.table[whole]) {
            return;
        }
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        let Some((_, first, unresolved)) = receiving.in_hand(event, |packet| packet == whole)
        else {
            return;
        };
        let last = &self.table[whole];
        let parts = self
            .fragments
            .take_parts(last, first, unresolved, &self.table);
        self.fragments.suppose(whole, parts, index);
        self.join_supposed(whole);
    }

    /// Datagrams that are unread when the recording ends consist of their probable fragments.
    pub fn confirm_unread(&mut self) {
        let supposed: Vec<PacketId> = self.fragments.supposed.keys().copied().collect();
        for whole in supposed {
            let draft = &self.table[whole];
            if draft.outcome.verdict == Verdict::Open && !draft.is_superseded {
                self.join_supposed(whole);
            }
        }
    }

    /// Places fragments whose datagram is incomplete when the recording ends in reassembly. No tracepoint reports
    /// that; it follows from the lack of any other event. UDP datagrams sent on this host are read, wait in a
    /// socket's queue or are dropped, and each of these has an event if the recording contains `sk_data_ready`
    /// (`net/core/sock.c: sock_def_readable`, v6.3). Without it even a read may leave no event: recordings of v6.18
    /// with the `net` and `skb` events alone do not show the read of a short datagram. TCP segments, which may wait
    /// in a backlog without an event, are recognised by their socket's hash.
    pub fn leave_in_reassembly(&mut self) {
        if !(self.fragments.are_told && self.fragments.are_queues_told) {
            return;
        }
        let of_udp = self
            .table
            .drafts()
            .iter()
            .filter(|draft| draft.flow.protocol == UDP);
        let of_udp: BTreeSet<u32> = of_udp.map(|draft| draft.hash).collect();
        for packet in self.table.packets() {
            let draft = &self.table[packet];
            let is_sent_by_udp = draft.direction == Direction::Transmit
                && (draft.hash == 0 || of_udp.contains(&draft.hash));
            let is_untold = draft.outcome.verdict == Verdict::Open
                && draft.flow.protocol == 0
                && draft.station() == Some(Station::NetCore)
                && !(draft.queues.is_held
                    || draft.is_superseded
                    || draft.sharing.is_with_packet_socket());
            let is_waiting = is_untold && is_sent_by_udp && draft.may_have_payload();
            if is_waiting && !self.table.is_lost(packet) {
                self.put_in_reassembly(packet);
            }
        }
    }

    /// Lets a packet whose last station is the core enter reassembly.
    pub fn put_in_reassembly(&mut self, packet: PacketId) {
        let entries = &mut self.table[packet].entries;
        if let Some(last) = entries
            .last()
            .filter(|last| last.station == Some(Station::NetCore))
        {
            entries.push(Entry::new(last.event, Some(Station::Reassembly)));
        }
    }

    /// `inet_frag_kill`: the fragment queue is taken out of use because its datagram is complete
    /// (`inet_frag_reasm_finish` follows) or because it timed out (`ip_expire`).
    pub fn kill_fragments(&mut self, index: EventIdx, event: &Event) {
        let is_expiring = std::mem::take(&mut self.cpus.at(event.cpu).is_expiring);
        let Some(queue) = self.run.field(index, Field::Q).map(AddrId) else {
            return;
        };
        let Some(group) = self.fragments.by_queue.remove(&queue) else {
            return;
        };
        if is_expiring {
            let reason = DropReason::FragReasmTimeout;
            for packet in self.fragments.members.remove(&group).unwrap_or_default() {
                self.table.append(packet, index, event);
                self.table
                    .close(packet, Verdict::Dropped { reason }, event.time);
            }
        }
    }

    fn join(&mut self, packet: PacketId, fragment: Fragment) {
        let draft = &mut self.table[packet];
        draft.fragment = Some(fragment);
        let is_last =
            draft.headers.frag_off & IP_MF == 0 && draft.headers.frag_off & IP_OFFSET != 0;
        let group = &mut self.fragments.groups[fragment.group.0 as usize];
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
        self.fragments.groups[group.0 as usize].whole = whole;
        let first = members
            .iter()
            .find(|&&packet| self.table[packet].headers.frag_off & IP_OFFSET == 0);
        // Only the first fragment has the transport header with the ports (RFC 791 section 3.2).
        if let Some(first) = first.map(|packet| self.table[*packet].clone()) {
            for &packet in &members {
                let draft = &mut self.table[packet];
                draft.flow.source_port = first.flow.source_port;
                draft.flow.destination_port = first.flow.destination_port;
            }
        }
        for packet in members {
            if packet != whole {
                self.table.merge(packet, whole, index);
            }
        }
    }
}

/// How many packets back fragments are searched for when no probe names the fragment queue: several times the number
/// of fragments of a 64 KiB datagram.
const SEARCH_WINDOW: usize = 512;

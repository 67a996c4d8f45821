//! The table of packets: which packet is live at an address, how one is created, gets an event and ends, how packets
//! merge or are cut, and how what was attributed to one by mistake is taken back.
//!
//! It uses `packet`.

pub mod merges;
pub mod undo;

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

use super::packet::draft::{Draft, Entry};
use crate::kernel::{
    AddrId, CpuId, Event, EventIdx, Field, Nanos, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

use merges::Anomalies;

/// How many of a packet's last events are examined: each stacked device adds a return from its driver.
const SEARCH_WINDOW: usize = 4;

/// All packets of a run, where they are, and which events are theirs.
#[derive(Debug)]
pub struct Table<'run> {
    run: &'run Run,
    drafts: Vec<Draft>,
    /// The packet of each event.
    packet_of: Vec<PacketId>,
    /// The live packet at each address.
    live: Vec<PacketId>,
    /// For each CPU the last event that reports lost events.
    lost: BTreeMap<CpuId, EventIdx>,
    anomalies: Anomalies,
}

impl Index<PacketId> for Table<'_> {
    type Output = Draft;

    fn index(&self, packet: PacketId) -> &Draft {
        &self.drafts[packet.at()]
    }
}

impl IndexMut<PacketId> for Table<'_> {
    fn index_mut(&mut self, packet: PacketId) -> &mut Draft {
        &mut self.drafts[packet.at()]
    }
}

impl<'run> Table<'run> {
    /// No packets yet.
    pub fn of(run: &'run Run) -> Self {
        Self {
            run,
            drafts: Vec::new(),
            packet_of: vec![PacketId::NONE; run.len()],
            live: vec![PacketId::NONE; run.addresses.len()],
            lost: BTreeMap::new(),
            anomalies: Anomalies::default(),
        }
    }
}

impl Table<'_> {
    /// The number of packets.
    pub const fn len(&self) -> usize {
        self.drafts.len()
    }

    /// All packets, in the order in which they were created.
    pub fn packets(&self) -> impl Iterator<Item = PacketId> + use<> {
        (0..self.drafts.len() as u32).map(PacketId)
    }

    /// The drafts of all packets, in the same order.
    pub fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The same, to be changed.
    pub fn drafts_mut(&mut self) -> &mut [Draft] {
        &mut self.drafts
    }

    /// The packet of each event, `PacketId::NONE` for events of no packet.
    pub fn packet_of(&self) -> &[PacketId] {
        &self.packet_of
    }

    /// Adds a packet that has no event and no address yet.
    pub fn create(&mut self, draft: Draft) -> PacketId {
        self.drafts.push(draft);
        PacketId(self.drafts.len() as u32 - 1)
    }

    /// Makes a packet the live one at an address, in place of the one before.
    pub fn bind_address(&mut self, packet: PacketId, skb: AddrId) {
        if let Some(place) = self.live.get_mut(skb.0 as usize) {
            let before = std::mem::replace(place, packet);
            if let Some(before) = self.drafts.get_mut(before.at()) {
                before.is_superseded = true;
            }
        }
    }

    /// The live packet at an address.
    pub fn packet_at(&self, skb: AddrId) -> Option<PacketId> {
        self.last_at(skb).filter(|&packet| !self.is_lost(packet))
    }

    /// The live packet at an address, even if events were lost since: it may have been freed then.
    pub fn last_at(&self, skb: AddrId) -> Option<PacketId> {
        let packet = self.live.get(skb.0 as usize).copied();
        packet.filter(|packet| packet.is_some())
    }

    /// The packet had been freed before, and its address has been reused.
    pub fn release_address(&mut self, packet: PacketId) {
        self[packet].is_superseded = true;
        self.clear_address(packet);
    }

    /// Later events at its address no longer belong to the packet.
    pub fn clear_address(&mut self, packet: PacketId) {
        let skb = self[packet].skb;
        if self.live.get(skb.0 as usize) == Some(&packet) {
            self.live[skb.0 as usize] = PacketId::NONE;
        }
    }

    /// The address belongs to no packet any more.
    pub fn vacate(&mut self, address: AddrId) {
        if let Some(place) = self.live.get_mut(address.0 as usize) {
            *place = PacketId::NONE;
        }
    }

    /// Gives the event to the packet, which learns from it and reaches the station of its probe.
    pub fn append(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let draft = &mut self.drafts[packet.at()];
        draft.learn(self.run, index, event);
        let mut station = event.probe.station();
        if draft.queues.is_out_of_order() && station == Some(Station::ReceiveQueue) {
            station = Some(Station::OutOfOrder);
        }
        draft.entries.push(Entry::new(index, station));
        if let Some(of) = self.packet_of.get_mut(index.at()) {
            *of = packet;
        }
    }

    /// Adds an event that several packets share; it stays the event of the first of them.
    pub fn adopt(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let owner = self.packet_of[index.at()];
        let draft = &mut self.drafts[packet.at()];
        let bytes = draft.bytes;
        draft.learn(self.run, index, event);
        draft.bytes = bytes;
        draft.entries.push(Entry::new(index, event.probe.station()));
        self.packet_of[index.at()] = if owner.is_some() { owner } else { packet };
    }

    /// The event is this packet's, or, with `PacketId::NONE`, no packet's.
    pub fn attribute(&mut self, index: EventIdx, packet: PacketId) {
        self.packet_of[index.at()] = packet;
    }

    /// Adds a packet to which the events in this draft went over from another one.
    pub fn split_off(&mut self, from: PacketId, draft: Draft) -> PacketId {
        let packet = self.create(draft);
        for entry in &self.drafts[packet.at()].entries {
            let of = &mut self.packet_of[entry.event.at()];
            if *of == from {
                *of = packet;
            }
        }
        packet
    }

    /// The last event does not change the packet's station.
    pub fn stay_put(&mut self, packet: PacketId) {
        if let Some(last) = self[packet].entries.last_mut() {
            last.station = None;
        }
    }

    /// Ends the packet's journey; no later event belongs to it.
    pub fn close(&mut self, packet: PacketId, verdict: Verdict, end: Nanos) {
        self.unmerge(packet);
        self[packet].outcome.close(verdict, end);
    }

    /// The event that brought the packet to its current place. The sending CPU may return from its driver after that;
    /// such events are skipped.
    pub fn came_by(&self, draft: &Draft) -> Option<EventIdx> {
        let events = draft.entries.iter().rev().map(|entry| entry.event);
        let mut latest = events.take(SEARCH_WINDOW);
        latest.find(|event| self.run.probe[event.at()] != Probe::NetDevXmit)
    }

    /// Whether two packets may have come by one link, so that they can be fragments of one datagram. Devices of two
    /// network namespaces may have one name; those that sent to them tell them apart, as the ports of a bridge do.
    pub fn may_share_link(&self, one: &Draft, other: &Draft) -> bool {
        let dev_at = |draft: &Draft, probe: Probe| {
            let mut events = draft.entries.iter().rev().map(|entry| entry.event);
            let at = events.find(|event| self.run.probe[event.at()] == probe)?;
            self.run.field(at, Field::Dev)
        };
        let [sent, came] = [Probe::NetDevQueue, Probe::NetifReceiveSkb]
            .map(|probe| (dev_at(one, probe), dev_at(other, probe)));
        let is_by_two = matches!(sent, (Some(one), Some(other)) if one != other);
        !is_by_two || came.0 != came.1
    }

    /// A task has read the packet, as inferred: it was copied at `copy`, and the call returned at `index`.
    pub fn read_by(&mut self, packet: PacketId, index: EventIdx, copy: EventIdx, pid: Pid) {
        let draft = &mut self[packet];
        if !draft.outcome.is_open() {
            return;
        }
        draft.outcome.is_inferred = true;
        draft.entries.push(Entry::new(copy, Some(Station::Process)));
        if copy != index {
            draft.entries.push(Entry::new(index, None));
        }
        let verdict = Verdict::Delivered { pid, read: index };
        self.close(packet, verdict, self.run.time(index));
    }

    /// The packet was read by one of several calls, at about this event: all of this task, or of several tasks, if it
    /// is unknown.
    pub fn read_by_some_call(&mut self, packet: PacketId, index: EventIdx, pid: Pid) {
        let draft = &mut self[packet];
        if !draft.outcome.is_open() {
            return;
        }
        draft.outcome.is_inferred = true;
        draft.outcome.is_call_unknown = true;
        let verdict = Verdict::Delivered { pid, read: index };
        self.close(packet, verdict, self.run.time(index));
    }

    /// The kernel lost events of a CPU.
    pub fn note_lost(&mut self, index: EventIdx, cpu: CpuId) {
        self.lost.insert(cpu, index);
    }

    /// Whether no event has been lost yet.
    pub fn are_all_told(&self) -> bool {
        self.lost.is_empty()
    }

    /// Whether the kernel has lost events of the CPU that had the packet last.
    pub fn is_lost(&self, packet: PacketId) -> bool {
        let entry = self[packet].entries.last();
        entry.is_some_and(|entry| {
            let lost = self.lost.get(&self.run.cpu[entry.event.at()]);
            lost.is_some_and(|&lost| lost > entry.event)
        })
    }
}

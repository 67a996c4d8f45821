//! The table of packets: which packet is live at an address, how one is created, gets an event and ends, how packets
//! merge, and how what was attributed to one by mistake is taken back.
//!
//! It uses `packet`.

pub mod lost;
pub mod merges;
pub mod undo;

use super::Stitcher;
use super::packet::draft::{Draft, Entry};
use crate::kernel::{AddrId, Event, EventIdx, Nanos, PacketId, Station, Verdict};

impl Stitcher<'_> {
    pub fn create(&mut self, draft: Draft) -> PacketId {
        self.drafts.push(draft);
        PacketId(self.drafts.len() as u32 - 1)
    }

    /// Makes a packet the live one at an address, in place of the one before.
    pub fn settle(&mut self, packet: PacketId, skb: AddrId) {
        if let Some(place) = self.live.get_mut(skb.0 as usize) {
            let before = std::mem::replace(place, packet);
            if let Some(before) = self.drafts.get_mut(before.at()) {
                before.is_superseded = true;
            }
        }
    }

    /// The live packet at an address.
    pub fn packet_at(&self, skb: AddrId) -> Option<PacketId> {
        self.live
            .get(skb.0 as usize)
            .copied()
            .filter(|&packet| packet.is_some() && !self.is_lost(packet))
    }

    pub fn append(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let draft = &mut self.drafts[packet.at()];
        draft.learn(self.run, index, event);
        let mut station = event.probe.station();
        if draft.is_out_of_order && station == Some(Station::ReceiveQueue) {
            station = Some(Station::OutOfOrder);
        }
        draft.entries.push(Entry::new(index, station));
        if let Some(of) = self.packet_of.get_mut(index.at()) {
            *of = packet;
        }
    }

    /// The last event does not change the packet's station.
    pub fn stay_put(&mut self, packet: PacketId) {
        if let Some(last) = self.drafts[packet.at()].entries.last_mut() {
            last.station = None;
        }
    }

    /// Ends the packet's journey; no later event belongs to it.
    pub fn close(&mut self, packet: PacketId, verdict: Verdict, end: Nanos) {
        self.unmerge(packet);
        let draft = &mut self.drafts[packet.at()];
        draft.verdict = verdict;
        draft.is_closed = true;
        draft.end = Some(end);
    }

    /// The packet had been freed before, and its address has been reused.
    pub fn vacate(&mut self, packet: PacketId) {
        self.drafts[packet.at()].is_superseded = true;
        self.clear_address(packet);
    }

    /// Later events at its address no longer belong to the packet.
    pub fn clear_address(&mut self, packet: PacketId) {
        let skb = self.drafts[packet.at()].skb;
        if self.live.get(skb.0 as usize) == Some(&packet) {
            self.live[skb.0 as usize] = PacketId::NONE;
        }
    }
}

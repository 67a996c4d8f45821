//! Generic receive offload (GRO): segments merged into the head of their flow.

use crate::journey::stitch::Stitcher;
use crate::kernel::{AddrId, Event, EventIdx, Field, PacketId, Station, Verdict};

/// GRO keeps the packet as the head of further ones (`GRO_HELD`, `enum gro_result`, v6.1).
const HELD: u32 = 2;
/// The limit of packets that one NAPI instance holds: `GRO_HASH_BUCKETS` lists of `MAX_GRO_SKBS` (`net/core/gro.c`, v6.1).
const MAX_HELD: usize = 64;

impl Stitcher<'_> {
    /// `napi_gro_receive_entry`: the packet enters GRO. By now the protocols have processed the list that GRO passed
    /// up before (`net/core/gro.c: gro_normal_one`, v6.1); where `tcp_probe` names no segment (`is_unnamed`), this
    /// separates that list from the next.
    pub fn gro_enter(&mut self, packet: PacketId, event: &Event, is_unnamed: bool) {
        let cpu = self.cpus.at(event.cpu);
        cpu.in_gro.push(packet);
        if is_unnamed && cpu.receiving.is_at(event) {
            cpu.receiving.finish();
        }
    }

    /// The packet is merged into the head that the event names, if that was seen.
    pub fn merge_told(&mut self, packet: PacketId, index: EventIdx) -> Option<PacketId> {
        let into = self.run.field(index, Field::Into)?;
        let head = self.table.packet_at(AddrId(into))?;
        self.table.merge(packet, head, index);
        Some(head)
    }

    /// `net/core/gro.c: skb_gro_receive` (v6.1): the packet is merged into its head, which was not seen where the
    /// recording begins in between.
    pub fn merge_in_gro(&mut self, packet: PacketId, index: EventIdx) {
        let is_merged = self.merge_told(packet, index).is_some();
        if !is_merged && self.table[packet].outcome.is_open() {
            let into = PacketId::NONE;
            let end = self.run.time(index);
            self.table.close(packet, Verdict::Merged { into }, end);
        }
    }

    /// The packet that GRO holds on this CPU and into which it merged this one, where no event names it: one of the same
    /// device and hash, which is the flow's where the NIC tells it (`net/core/gro.c: gro_list_prepare`, v6.1); of several
    /// the one that came last. Without a hash it has to be the only one.
    fn held_head(&mut self, packet: PacketId, event: &Event) -> Option<PacketId> {
        let is_held = |&held: &PacketId| {
            let draft = &self.table[held];
            draft.station() == Some(Station::Gro) && !draft.is_superseded && draft.outcome.is_open()
        };
        let all = &mut self.cpus.at(event.cpu).held;
        all.retain(is_held);
        let merged = &self.table[packet];
        let is_of_flow = |&&held: &&PacketId| {
            let draft = &self.table[held];
            held != packet && (draft.dev, draft.hash) == (merged.dev, merged.hash)
        };
        let mut heads = all.iter().rev().filter(is_of_flow);
        let head = heads.next().copied();
        head.filter(|_| merged.hash != 0 || heads.next().is_none())
    }

    /// The result of `napi_gro_receive` (`enum gro_result`, v6.1): 0 merged, 1 merged and freed, 2 held, 3 normal, 4
    /// consumed. The event names no packet; it is the one that entered last on this CPU.
    pub fn gro_exit(&mut self, index: EventIdx, event: &Event) {
        let Some(packet) = self.cpus.at(event.cpu).in_gro.pop() else {
            return;
        };
        let is_merged = matches!(self.run.field(index, Field::Ret), Some(0 | 1));
        match (is_merged, self.table[packet].outcome.verdict) {
            (true, Verdict::Open) => {
                if let Some(head) = self.held_head(packet, event) {
                    self.table[packet].outcome.is_inferred = true;
                    self.table.merge(packet, head, index);
                } else {
                    let into = PacketId::NONE;
                    self.table
                        .close(packet, Verdict::Merged { into }, event.time);
                }
            }
            // GRO could not merge it after all: the packet continues by itself.
            (false, Verdict::Merged { .. }) => {
                self.table.unmerge(packet);
                let draft = &mut self.table[packet];
                draft.outcome.reopen();
            }
            (true, Verdict::Merged { .. }) => self.table.merged_by(packet, event.time),
            _ => {}
        }
        if self.run.field(index, Field::Ret) == Some(HELD) {
            let held = &mut self.cpus.at(event.cpu).held;
            held.push(packet);
            let surplus = held.len().saturating_sub(MAX_HELD);
            held.drain(..surplus);
        }
    }
}

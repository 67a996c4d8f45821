//! Generic receive offload (GRO): segments merged into the head of their flow.

use crate::journey::stitch::Stitcher;
use crate::kernel::{AddrId, Event, EventIdx, Field, PacketId, Verdict};

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

    /// `net/core/gro.c: skb_gro_receive` (v6.1): the packet is merged into its head.
    pub fn merge_told(&mut self, packet: PacketId, index: EventIdx) -> Option<PacketId> {
        let into = self.run.field(index, Field::Into)?;
        let head = self.table.packet_at(AddrId(into))?;
        self.table.merge(packet, head, index);
        Some(head)
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
                let into = PacketId::NONE;
                self.table
                    .close(packet, Verdict::Merged { into }, event.time);
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
    }
}

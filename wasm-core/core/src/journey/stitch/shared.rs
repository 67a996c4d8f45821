//! Flows that packets have from others of which more is known: of one socket, cut from one another, in answer to one
//! another.

use std::collections::BTreeMap;

use super::Stitcher;
use super::packet::draft::Draft;
use crate::journey::stitch::packet::flow::Ends;
use crate::kernel::{Direction, PacketId};

impl Stitcher<'_> {
    /// Packets that one socket of this host sent have one hash (`include/net/sock.h: skb_set_hash_from_sk`, v6.12),
    /// so a flow that is known for one of them holds for all.
    pub(super) fn share_flows(&mut self) {
        let mut by_hash: BTreeMap<u32, Option<(u8, Ends)>> = BTreeMap::new();
        let is_told = |draft: &Draft| draft.direction == Direction::Transmit && draft.hash != 0;
        for draft in self.table.drafts().iter().filter(|draft| is_told(draft)) {
            if draft.flow.source_port != 0 && draft.flow.protocol != 0 {
                let flow = (draft.flow.protocol, draft.ends());
                by_hash
                    .entry(draft.hash)
                    .and_modify(|known| *known = known.filter(|&known| known == flow))
                    .or_insert(Some(flow));
            }
        }
        for draft in self.table.drafts_mut() {
            if !is_told(draft) {
                continue;
            }
            if let Some(&Some((protocol, ends))) = by_hash.get(&draft.hash)
                && draft.flow.source_port == 0
            {
                draft.flow.protocol = protocol;
                draft.take_ends(ends);
            }
        }
    }

    /// What was cut has the flow of its pieces, and all pieces have that of the whole. On its way down no event may tell it
    /// of any, and of those that come up again on this host some do.
    pub(super) fn share_flows_of_pieces(&mut self) {
        for is_from_piece in [true, false] {
            for packet in self.table.packets() {
                let whole = self.table[packet].cut_from;
                if whole.is_some() {
                    let (from, to) = if is_from_piece {
                        (packet, whole)
                    } else {
                        (whole, packet)
                    };
                    self.share_flow(from, to, |ends| ends);
                }
            }
        }
    }

    /// An acknowledgement or a reset has the flow of the segment that it answers, the other way.
    pub(super) fn share_flows_of_answers(&mut self) {
        for packet in self.table.packets() {
            let answered = self.table[packet].answers;
            if answered.is_some() {
                self.share_flow(answered, packet, Ends::turned);
            }
        }
    }

    /// A packet whose flow is not known takes that of another one, if it has ports.
    fn share_flow(&mut self, from: PacketId, to: PacketId, as_its: fn(Ends) -> Ends) {
        let flow = self.table[from].flow;
        let is_known = flow.protocol != 0 && flow.source_port != 0;
        if is_known && self.table[to].may_be_of(flow.protocol) {
            let ends = as_its(self.table[from].ends());
            let draft = &mut self.table[to];
            draft.flow.protocol = flow.protocol;
            draft.take_ends(ends);
        }
    }
}

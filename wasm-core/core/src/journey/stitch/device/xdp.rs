//! Frames that are not an `sk_buff` yet: the verdict of an XDP program, the packet built from a frame, and the return
//! of its memory.
//!
//! Such a frame is identified by the address of the memory to which its descriptor points, until `build_skb` reports
//! the `sk_buff` that takes it over.
//!
//! Source: `drivers/net/ethernet/mellanox/mlx5/core/en_rx.c: mlx5e_skb_from_cqe_linear`, `en/xdp.c:
//! mlx5e_xdp_handle`, `net/core/xdp.c: xdp_return_frame` (v6.1).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::order::Order;
use crate::kernel::{AddrId, DropReason, Event, EventIdx, Field, PacketId, Verdict};

/// The program dropped the frame; the kernel has a drop reason for generic XDP only, which is used here too.
const DROPPED: Verdict = Verdict::Dropped {
    reason: DropReason::Xdp,
};

impl Stitcher<'_> {
    /// `bpf_prog_run_xdp`: a frame is gone if the program drops it or aborts.
    pub fn judge(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let action = self.run.field_name(index, Field::Action);
        if matches!(action, Some("DROP" | "ABORTED")) {
            self.close(packet, DROPPED, event.time);
        }
    }

    /// The driver builds an `sk_buff` from a frame, which has a new address from here on.
    pub fn build(&mut self, index: EventIdx, event: &Event) {
        let data = self.run.field(index, Field::Data).map(AddrId);
        let frame = data.and_then(|data| self.packet_at(data));
        let is_open = |&frame: &PacketId| !self.drafts[frame.at()].is_closed;
        let (Some(frame), Some(data)) = (frame.filter(is_open), data) else {
            self.pass(index, event);
            return;
        };
        if let Some(place) = self.live.get_mut(data.0 as usize) {
            *place = PacketId::NONE;
        }
        self.settle(frame, event.skb);
        self.append(frame, index, event);
        self.drafts[frame.at()].skb = event.skb;
        if let Some(order) = Order::of(event.probe) {
            self.drafts[frame.at()].order = order;
        }
    }

    /// `xdp_return_frame`: a frame that was not sent before found no room.
    pub fn return_frame(&mut self, index: EventIdx, event: &Event) {
        let Some(frame) = self.packet_at(event.skb) else {
            return;
        };
        if self.drafts[frame.at()].is_closed {
            return;
        }
        self.append(frame, index, event);
        let verdict = match self.drafts[frame.at()].verdict {
            Verdict::Open => DROPPED,
            known => known,
        };
        self.close(frame, verdict, event.time);
    }
}

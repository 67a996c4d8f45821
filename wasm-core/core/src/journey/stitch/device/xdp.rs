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
            self.table.close(packet, DROPPED, event.time);
        }
    }

    /// The frame of which the driver builds an `sk_buff` at this event, and the address of its memory; none if the
    /// frame is not known, or has ended.
    pub fn frame_of(&self, index: EventIdx) -> Option<(PacketId, AddrId)> {
        let data = AddrId(self.run.field(index, Field::Data)?);
        let frame = self.table.packet_at(data)?;
        (!self.table[frame].outcome.is_closed).then_some((frame, data))
    }

    /// The driver builds an `sk_buff` from a frame, which has a new address from here on.
    pub fn build(&mut self, (frame, data): (PacketId, AddrId), index: EventIdx, event: &Event) {
        self.table.vacate(data);
        self.table.bind_address(frame, event.skb);
        self.table.append(frame, index, event);
        self.table[frame].skb = event.skb;
        if let Some(order) = Order::of(event.probe) {
            self.table[frame].order = order;
        }
    }

    /// `xdp_return_frame`: a frame that was not sent before found no room.
    pub fn return_frame(&mut self, index: EventIdx, event: &Event) {
        let Some(frame) = self.table.packet_at(event.skb) else {
            return;
        };
        if self.table[frame].outcome.is_closed {
            return;
        }
        self.table.append(frame, index, event);
        let verdict = match self.table[frame].outcome.verdict {
            Verdict::Open => DROPPED,
            known => known,
        };
        self.table.close(frame, verdict, event.time);
    }
}

//! Frames that are no `sk_buff` yet: an XDP program's verdict, the packet that is made of one, and
//! where its memory goes back.
//!
//! Such a frame is known by the address of the memory that its descriptor points to, until
//! `build_skb` says which `sk_buff` has it from now on.
//!
//! Source: `drivers/net/ethernet/mellanox/mlx5/core/en_rx.c: mlx5e_skb_from_cqe_linear`,
//! `en/xdp.c: mlx5e_xdp_handle`, `net/core/xdp.c: xdp_return_frame` (v6.1).

use super::Stitcher;
use super::order::Order;
use crate::kernel::{AddrId, DropReason, Event, EventIdx, Field, PacketId, Verdict};

/// Nobody but the program ends such a frame; the kernel's word for it is that of generic XDP.
const DROPPED: Verdict = Verdict::Dropped {
    reason: DropReason::Xdp,
};

impl Stitcher<'_> {
    /// `bpf_prog_run_xdp`: a frame that the program drops or cannot judge is gone.
    pub(super) fn judge(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let action = self.run.field_name(index, Field::Action);
        if matches!(action, Some("DROP" | "ABORTED")) {
            self.close(packet, DROPPED, event.time);
        }
    }

    /// The driver makes a packet of a frame, which lives at another address from now on.
    pub(super) fn build(&mut self, index: EventIdx, event: &Event) {
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

    /// `xdp_return_frame`: what was not sent by then found no room.
    pub(super) fn return_frame(&mut self, index: EventIdx, event: &Event) {
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

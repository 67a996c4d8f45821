//! Datagrams received as one UDP GSO packet (`UDP_SEGMENT`, over a device that passes large packets on) and segmented
//! for a reader that takes one at a time.
//!
//! `net/ipv4/udp.c: udp_queue_rcv_skb` (v6.18) segments the packet, frees it and queues each segment. The segments'
//! addresses first appear when they are read. `sk_data_ready` follows for each, in order, on that CPU.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::receiving::Cutting;
use crate::journey::stitch::packet::draft::{Draft, Entry};
use crate::journey::stitch::packet::headers::UDP;
use crate::kernel::{Event, EventIdx, Field, PacketId, Station, Verdict};

impl Stitcher<'_> {
    /// The packet is freed by the function that segments it: its segments follow.
    pub fn begin_segments(&mut self, whole: PacketId, index: EventIdx, event: &Event) {
        let is_cut = ["udp_queue_rcv_skb", "udpv6_queue_rcv_skb"]
            .iter()
            .any(|function| self.is_freed_in(index, function));
        if !is_cut || !self.reads.are_inferred(UDP) {
            return;
        }
        let draft = &mut self.drafts[whole.at()];
        draft.protocol = UDP;
        draft.payload = draft.datagram_bytes();
        let left = draft.payload;
        let sizes = draft.entries.iter();
        let sizes = sizes.filter_map(|entry| self.run.field(entry.event, Field::GsoSize));
        let segment = sizes.max().filter(|&segment| segment > 0 && segment < left);
        if let Some(segment) = segment {
            self.cpu(event.cpu).receiving.cutting = Some(Cutting {
                whole,
                freed: index,
                left,
                segment,
            });
        }
    }

    /// The segment that the current `sk_data_ready` reports, and its payload in bytes.
    pub fn next_segment(&mut self, event: &Event) -> Option<(PacketId, u32)> {
        let receiving = &mut self.cpu(event.cpu).receiving;
        let mut cutting = receiving.cutting.take()?;
        let bytes = cutting.segment.min(cutting.left);
        cutting.left -= bytes;
        receiving.cutting = Some(cutting).filter(|cutting| cutting.left > 0);
        let whole = &self.drafts[cutting.whole.at()];
        let mut draft = Draft::new(whole.direction, crate::kernel::AddrId::NONE);
        draft.bytes = whole.bytes.saturating_sub(whole.payload) + bytes;
        draft.payload = bytes;
        draft.ethertype = whole.ethertype;
        draft.order = whole.order;
        draft.dev = whole.dev;
        draft.hash = whole.hash;
        draft.sender = whole.sender;
        draft.is_inferred = true;
        draft
            .entries
            .push(Entry::new(cutting.freed, Some(Station::Udp)));
        let segment = self.create(draft);
        self.cut(cutting.whole, segment);
        self.reads.wait_unaddressed(segment);
        Some((segment, bytes))
    }

    /// `kfree_skb` of a packet in a destroyed socket's queue (`net/ipv4/udp.c: udp_destruct_common`, or for a raw
    /// socket `net/ipv4/af_inet.c: inet_sock_destruct`, v6.18), at an address without a live packet: a segment, if
    /// only segments of one packet wait, or a clone, if no packet has two waiting clones.
    pub fn purge_unaddressed(&mut self, index: EventIdx) {
        let is_raw = self.is_freed_in(index, "inet_sock_destruct");
        if !is_raw && !self.is_freed_in(index, "udp_destruct_common") {
            return;
        }
        let drafts = &self.drafts;
        let waits = |&packet: &PacketId| {
            let draft = &drafts[packet.at()];
            draft.verdict == Verdict::Open && !draft.is_closed
        };
        self.reads.unaddressed.retain(waits);
        let mut waiting = self.reads.unaddressed.iter();
        let Some(&first) = self.reads.unaddressed.first() else {
            return;
        };
        let draft = |packet: &PacketId| &drafts[packet.at()];
        let is_certain = if draft(&first).share.is_some() {
            waiting.is_sorted_by(|one, other| draft(one).share < draft(other).share)
        } else {
            !is_raw && waiting.all(|it| draft(it).cut_from == draft(&first).cut_from)
        };
        if is_certain {
            self.throw_away(first, index);
        }
    }

    /// A read whose copy names an `sk_buff` that was never seen before: a segment or a clone. Returns whether a
    /// waiting one fits.
    pub fn read_unaddressed(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: u32,
        copied: &[(PacketId, EventIdx, u32)],
    ) -> bool {
        let Some(&(named, copy, _)) = copied.last() else {
            return false;
        };
        let skb = self.drafts[named.at()].skb;
        let first = self.drafts[named.at()].entries.first();
        let is_new = first.is_some_and(|first| copied.iter().any(|&(_, at, _)| first.event == at));
        if !self.reads.has_unaddressed || !is_new {
            return false;
        }
        let Some(packet) = self.read_waiting(index, event, bytes, copy) else {
            return false;
        };
        self.disown(copied, event.pid);
        for &(_, copy, _) in copied {
            self.packet_of[copy.at()] = PacketId::NONE;
        }
        let draft = &mut self.drafts[packet.at()];
        // Without a known reader, this copy cannot be attributed to the packet either.
        if draft.entries.iter().any(|entry| entry.event == copy) {
            self.packet_of[copy.at()] = packet;
            draft.skb = skb;
        }
        true
    }
}

//! Datagrams received as one UDP GSO packet (`UDP_SEGMENT`, over a device that passes large packets on) and segmented
//! for a reader that takes one at a time.
//!
//! `net/ipv4/udp.c: udp_queue_rcv_skb` (v6.18) segments the packet, frees it and queues each segment. The segments'
//! addresses first appear when they are read. `sk_data_ready` follows for each, in order, on that CPU.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::receiving::Cutting;
use crate::journey::stitch::packet::draft::{Draft, Entry};
use crate::journey::stitch::packet::headers::UDP;
use crate::journey::stitch::packet::location::{freeing_function, segments_datagram};
use crate::kernel::{Event, EventIdx, Field, PacketId, Station};

impl Stitcher<'_> {
    /// The packet is freed by the function that segments it: its segments follow.
    pub fn begin_segments(&mut self, whole: PacketId, index: EventIdx, event: &Event) {
        let is_cut = freeing_function(self.run, index).is_some_and(segments_datagram);
        if !is_cut || !self.udp.infers_reads() {
            return;
        }
        let draft = &mut self.table[whole];
        draft.flow.protocol = UDP;
        draft.payload = draft.headers.datagram_bytes();
        let left = draft.payload;
        let sizes = draft.entries.iter();
        let sizes = sizes.filter_map(|entry| self.run.field(entry.event, Field::GsoSize));
        let segment = sizes.max().filter(|&segment| segment > 0 && segment < left);
        if let Some(segment) = segment {
            self.cpus.at(event.cpu).receiving.cut(Cutting {
                whole,
                freed: index,
                left,
                segment,
            });
        }
    }

    /// The segment that the current `sk_data_ready` reports, and its payload in bytes.
    pub fn next_segment(&mut self, event: &Event) -> Option<(PacketId, u32)> {
        let (cutting, bytes) = self.cpus.at(event.cpu).receiving.next_segment()?;
        let whole = &self.table[cutting.whole];
        let mut draft = Draft::new(whole.direction, crate::kernel::AddrId::NONE);
        draft.bytes = whole.bytes.saturating_sub(whole.payload) + bytes;
        draft.payload = bytes;
        draft.headers.ethertype = whole.headers.ethertype;
        draft.order = whole.order;
        draft.dev = whole.dev;
        draft.hash = whole.hash;
        draft.sender = whole.sender;
        draft.outcome.is_inferred = true;
        draft
            .entries
            .push(Entry::new(cutting.freed, Some(Station::Udp)));
        let segment = self.table.create(draft);
        self.table.cut(cutting.whole, segment);
        self.udp.wait_unaddressed(segment);
        Some((segment, bytes))
    }
}

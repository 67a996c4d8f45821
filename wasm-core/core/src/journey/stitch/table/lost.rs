//! Packets on a CPU whose events the kernel lost.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::order::is_copy;
use crate::kernel::{CpuId, Event, EventIdx, PacketId, Station, Verdict};

impl Stitcher<'_> {
    /// The kernel lost events of a CPU: packets that it was processing cannot be followed further.
    pub fn lose(&mut self, index: EventIdx, cpu: CpuId) {
        let lost = self.cpus.remove(&cpu);
        // The event that queued the segment which TCP was processing may be lost: it may be in order or behind a gap.
        for packet in lost.iter().flat_map(|cpu| cpu.in_tcp.segments()) {
            let sk = self.drafts[packet.at()].sk;
            if let Some(stream) = self.reads.streams.get_mut(&sk) {
                stream.place_loosely(packet);
            }
        }
        self.lost.insert(cpu, index);
    }

    /// The packet at the copied address if it, or a part of it, waited in a socket's queue when events were lost: no
    /// CPU processes what waits there. It may have been read in the gap and its address reused by another packet from
    /// the gap; in either case it has been read.
    pub fn waited(&mut self, event: &Event) -> Option<PacketId> {
        let &packet = self.live.get(event.skb.0 as usize)?;
        if !is_copy(event.probe) || !packet.is_some() || !self.is_lost(packet) {
            return None;
        }
        let draft = &mut self.drafts[packet.at()];
        let is_queued =
            draft.station() == Some(Station::ReceiveQueue) || draft.is_probed && draft.payload > 0;
        let is_unread = is_queued && draft.verdict == Verdict::Open;
        let is_read_in_part = matches!(draft.verdict, Verdict::Delivered { .. })
            && self
                .reads
                .streams
                .get(&draft.sk)
                .is_some_and(|stream| stream.is_copied(packet));
        let waits = (is_unread || is_read_in_part) && !draft.is_closed;
        draft.is_inferred |= waits;
        waits.then_some(packet)
    }

    /// Whether the kernel has lost events of the CPU that had the packet last.
    pub fn is_lost(&self, packet: PacketId) -> bool {
        let entry = self.drafts[packet.at()].entries.last();
        entry.is_some_and(|entry| {
            let lost = self.lost.get(&self.run.cpu[entry.event.at()]);
            lost.is_some_and(|&lost| lost > entry.event)
        })
    }
}

//! Segments that waited in a socket's queue when the kernel lost events.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::order::is_copy;
use crate::kernel::{CpuId, Event, EventIdx, PacketId, Station, Verdict};

impl Stitcher<'_> {
    /// The kernel lost events of a CPU: packets that it was processing cannot be followed further,
    /// and datagrams may have been queued and read.
    pub fn lose(&mut self, index: EventIdx, cpu: CpuId) {
        let lost = self.cpus.lose(cpu);
        // The event that queued the segment which TCP was processing may be lost: it may be in order or behind a gap.
        for packet in lost.iter().flat_map(|cpu| cpu.in_tcp.segments()) {
            let sk = self.table[packet].sk;
            if let Some(stream) = self.tcp.inferred.get_mut(&sk) {
                stream.place_loosely(packet);
            }
        }
        self.udp.lose(index);
        self.table.note_lost(index, cpu);
    }

    /// The packet at the copied address if it, or a part of it, waited in a socket's queue when events were lost: no
    /// CPU processes what waits there. It may have been read in the gap and its address reused by another packet from
    /// the gap; in either case it has been read.
    pub fn waited(&mut self, event: &Event) -> Option<PacketId> {
        if !is_copy(event.probe) {
            return None;
        }
        let packet = self.table.last_at(event.skb)?;
        if !self.table.is_lost(packet) {
            return None;
        }
        let draft = &mut self.table[packet];
        let is_queued =
            draft.station() == Some(Station::ReceiveQueue) || draft.is_probed && draft.payload > 0;
        let is_unread = is_queued && draft.outcome.verdict == Verdict::Open;
        let is_read_in_part = draft.outcome.is_delivered()
            && self
                .tcp
                .inferred
                .get(&draft.sk)
                .is_some_and(|stream| stream.is_copied(packet));
        let waits = (is_unread || is_read_in_part) && !draft.outcome.is_closed;
        draft.outcome.is_inferred |= waits;
        waits.then_some(packet)
    }
}

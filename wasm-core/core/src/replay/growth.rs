//! The size of a packet over time, in bytes and in frames of the link, as merges (GRO,
//! reassembly, TCP's coalescing) add to it; and the packets that one read took together.

use crate::journey::Journeys;
use crate::kernel::{Event, EventIdx, Nanos, PacketId, Verdict};
use crate::order;
use crate::run::Run;

/// For each packet what merged into it, in order of time.
#[derive(Debug, Clone)]
pub struct Growth {
    /// Where a packet's merges start in `merges`; one entry more than packets.
    from: Vec<u32>,
    merges: Vec<Merge>,
    /// `skb->len` at the packet's first event that has it.
    first_bytes: Vec<u32>,
    /// Every delivered packet by the read that took its last byte.
    read_by: Vec<(EventIdx, PacketId)>,
}

/// The state after one merge.
#[derive(Debug, Clone, Copy)]
struct Merge {
    at: Nanos,
    packet: PacketId,
    /// Bytes added by this merge and those before it.
    bytes: u64,
    /// Frames added by this merge and those before it.
    parts: u32,
}

impl Growth {
    /// Reads the merges off the verdicts.
    pub fn of(run: &Run, journeys: &Journeys) -> Self {
        let mut merged: Vec<(PacketId, Nanos, PacketId)> = journeys
            .ids()
            .filter_map(|id| {
                let into = journeys.goes_on_in(id).next()?;
                Some((into, journeys.packets[id.at()].end, id))
            })
            .collect();
        order::sort(&mut merged);
        let mut growth = Self {
            from: Vec::with_capacity(journeys.packets.len() + 1),
            merges: Vec::with_capacity(merged.len()),
            first_bytes: Vec::with_capacity(journeys.packets.len()),
            read_by: read_by(journeys),
        };
        let mut rest = merged.into_iter().peekable();
        journeys.each(|id| {
            growth.from.push(growth.merges.len() as u32);
            let (mut bytes, mut parts) = (0, 0);
            while let Some((_, at, from)) = rest.next_if(|&(into, ..)| into == id) {
                let packet = &journeys.packets[from.at()];
                bytes += u64::from(if packet.payload > 0 {
                    packet.payload
                } else {
                    packet.bytes
                });
                parts = packet.parts.saturating_add(parts);
                growth.merges.push(Merge {
                    at,
                    packet: from,
                    bytes,
                    parts,
                });
            }
            let lengths = journeys.events(id).iter().map(|&event| run.skb_len(event));
            let first = lengths.into_iter().find(|&len| len != Event::NO_LEN);
            growth.first_bytes.push(first.unwrap_or(0));
        });
        growth.from.push(growth.merges.len() as u32);
        growth
    }

    /// The bytes and the frames of the link that a packet holds at a time.
    pub fn at(&self, journeys: &Journeys, id: PacketId, time: Nanos) -> (u32, u32) {
        let packet = &journeys.packets[id.at()];
        let merges = self.merges_of(id);
        let past = merges.partition_point(|merge| merge.at <= time);
        if past == merges.len() {
            return (packet.bytes, packet.parts);
        }
        let (more_bytes, more_parts) = match past {
            0 => (0, 0),
            _ => (merges[past - 1].bytes, merges[past - 1].parts),
        };
        let all = merges[merges.len() - 1];
        let first = match self.first_bytes[id.at()] {
            0 => u64::from(packet.bytes).saturating_sub(all.bytes),
            known => u64::from(known),
        };
        let bytes = (first + more_bytes).min(u64::from(packet.bytes)) as u32;
        let own_parts = packet.parts.saturating_sub(all.parts).max(1);
        (bytes, (own_parts + more_parts).min(packet.parts))
    }

    /// The packets that merged into this one, in order of time.
    pub fn parts_of(&self, id: PacketId) -> impl DoubleEndedIterator<Item = PacketId> + '_ {
        self.merges_of(id).iter().map(|merge| merge.packet)
    }

    /// The packets whose last byte was taken by the read that ended with this event.
    pub fn read_by(&self, read: EventIdx) -> impl Iterator<Item = PacketId> + '_ {
        let from = self.read_by.partition_point(|&(other, _)| other < read);
        let of_read = self.read_by[from..].iter();
        of_read
            .take_while(move |&&(other, _)| other == read)
            .map(|&(_, packet)| packet)
    }

    fn merges_of(&self, id: PacketId) -> &[Merge] {
        &self.merges[self.from[id.at()] as usize..self.from[id.at() + 1] as usize]
    }
}

fn read_by(journeys: &Journeys) -> Vec<(EventIdx, PacketId)> {
    let mut read_by: Vec<(EventIdx, PacketId)> = journeys
        .ids()
        .filter_map(|id| match journeys.packets[id.at()].verdict {
            Verdict::Delivered { read, .. } => Some((read, id)),
            _ => None,
        })
        .collect();
    order::sort(&mut read_by);
    read_by
}

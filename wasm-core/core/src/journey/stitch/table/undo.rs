//! Copies that were attributed to a packet and turn out to be of a message of another socket family, or to have only
//! peeked.

use super::Table;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::order::is_copy;
use crate::journey::stitch::packet::reported::copied_at;
use crate::kernel::{Field, PacketId, Station, Verdict};
use crate::run::Run;

impl Table<'_> {
    /// A copy was not of the packet that it names but of a message of another socket family (AF_UNIX, netlink),
    /// whose `sk_buff` passes the same probes. It belongs to no journey, and the packet that had this address had been
    /// freed before.
    pub fn undo_foreign_copy(&mut self, copy: CopyOf) {
        let CopyOf { packet, at, bytes } = copy;
        let draft = &mut self.drafts[packet.at()];
        draft.take_copy_back(bytes);
        let first = draft.entries.partition_point(|entry| entry.event < at);
        for entry in draft.entries.drain(first..) {
            self.packet_of[entry.event.at()] = PacketId::NONE;
        }
        if draft.payload == bytes && draft.copied.is_none() {
            let mut before = draft.entries.iter().rev().filter(|_| draft.is_probed);
            let told = before.find_map(|entry| self.run.field(entry.event, Field::Payload));
            draft.payload = told.unwrap_or(0);
        }
        if matches!(draft.outcome.verdict, Verdict::Delivered { read, .. } if read >= at) {
            (draft.outcome.verdict, draft.outcome.end) = (read_before(draft, self.run), None);
        }
        self.release_address(packet);
    }

    /// The last copies from a packet that can be of a message which is freed after them, the latest first, where no
    /// event reports the call that read it. The first copies may have read the packet that had this address before.
    pub fn last_foreign_copies(&self, packet: PacketId) -> Vec<CopyOf> {
        let draft = &self[packet];
        let events = draft.entries.iter().rev().map(|entry| entry.event);
        let copies = events.take_while(|&event| is_copy(self.run.probe[event.at()]));
        let mut copies: Vec<CopyOf> = copies
            .map(|at| CopyOf {
                packet,
                at,
                bytes: copied_at(self.run, at, &self.run.event(at)),
            })
            .collect();
        let mut sum = 0;
        let takes_last_byte = |copy: &CopyOf| {
            sum += u64::from(copy.bytes);
            draft.is_all_read_by(sum)
        };
        let read = copies.iter().rev().position(takes_last_byte);
        let of_others = copies.len() - read.map_or(0, |last| last + 1);
        // The last copy is the freed message's in any case.
        copies.truncate(of_others.max(1));
        copies
    }

    /// A copy only peeked (`MSG_PEEK`): the data that it copied is still in the queue.
    pub fn undo_peek(&mut self, copy: CopyOf) {
        let CopyOf { packet, at, bytes } = copy;
        let draft = &mut self[packet];
        draft.take_copy_back(bytes);
        let is_by_it =
            matches!(draft.outcome.verdict, Verdict::Delivered { read, .. } if read == at);
        if !is_by_it || draft.outcome.is_closed {
            return;
        }
        draft.outcome.verdict = Verdict::Open;
        let is_first_seen = draft.entries.first().is_some_and(|it| it.event == at);
        if let Some(last) = draft.entries.last_mut() {
            last.station = is_first_seen.then_some(Station::ReceiveQueue);
        }
    }
}

/// The verdict that follows from the copies that remain the packet's.
fn read_before(draft: &Draft, run: &Run) -> Verdict {
    let mut entries = draft.entries.iter().rev();
    let copy = entries.find(|entry| entry.station == Some(Station::Process));
    copy.map_or(Verdict::Open, |copy| Verdict::Delivered {
        pid: run.event(copy.event).pid,
        read: copy.event,
    })
}

//! Copies that were attributed to a packet and turn out to be of a message of another socket family, or to have only
//! peeked.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::order::is_copy;
use crate::kernel::{EventIdx, Field, PacketId, Pid, Station, Verdict};
use crate::run::Run;

impl Stitcher<'_> {
    /// The call read no packet but a message of another socket family (AF_UNIX, netlink), whose `sk_buff` passes the
    /// same probes. Its copies belong to no journey, and the packet that had this address had been freed before.
    pub fn undo_foreign_copies(&mut self, copied: &[(PacketId, EventIdx, u32)], pid: Pid) {
        for &(packet, copy, count) in copied {
            self.undo_copy(packet, count, pid);
            let draft = &mut self.drafts[packet.at()];
            let first = draft.entries.partition_point(|entry| entry.event < copy);
            for entry in draft.entries.drain(first..) {
                self.packet_of[entry.event.at()] = PacketId::NONE;
            }
            if draft.payload == count && draft.copied.is_none() {
                let mut before = draft.entries.iter().rev().filter(|_| draft.is_probed);
                let told = before.find_map(|entry| self.run.field(entry.event, Field::Payload));
                draft.payload = told.unwrap_or(0);
            }
            if matches!(draft.verdict, Verdict::Delivered { read, .. } if read >= copy) {
                (draft.verdict, draft.end) = (read_before(draft, self.run), None);
            }
            self.release_address(packet);
        }
    }

    /// The same for a message that is freed after these copies, where no event reports the call that read it. The
    /// first of them may have read the packet that had this address before.
    pub fn undo_last_foreign_copies(&mut self, packet: PacketId) {
        let draft = &self.drafts[packet.at()];
        let events = draft.entries.iter().rev().map(|entry| entry.event);
        let copies = events.take_while(|&event| is_copy(self.run.probe[event.at()]));
        let copies: Vec<_> = copies
            .map(|index| (packet, index, self.copied_at(index, &self.run.event(index))))
            .collect();
        let mut sum = 0;
        let takes_last_byte = |&(.., count): &(PacketId, EventIdx, u32)| {
            sum += u64::from(count);
            draft.is_all_read_by(sum)
        };
        let read = copies.iter().rev().position(takes_last_byte);
        let of_others = copies.len() - read.map_or(0, |last| last + 1);
        // The last copy is the freed message's in any case.
        for copy in &copies[..of_others.max(copies.len().min(1))] {
            self.undo_foreign_copies(&[*copy], self.run.event(copy.1).pid);
        }
    }

    /// Undoes a copy of `count` bytes: the task did not read them from the packet.
    fn undo_copy(&mut self, packet: PacketId, count: u32, pid: Pid) {
        if let Some(task) = self.tasks.get_mut(&pid) {
            task.forget(packet);
        }
        self.drafts[packet.at()].take_copy_back(count);
    }

    /// The call only peeked (`MSG_PEEK`): the data that it copied is still in the queue.
    pub fn undo_peek(&mut self, copied: &[(PacketId, EventIdx, u32)], pid: Pid) {
        for &(packet, copy, count) in copied {
            self.undo_copy(packet, count, pid);
            let draft = &mut self.drafts[packet.at()];
            let is_by_it = matches!(draft.verdict, Verdict::Delivered { read, .. } if read == copy);
            if is_by_it && !draft.is_closed {
                draft.verdict = Verdict::Open;
                let first = draft.entries.first();
                let is_first_seen = first.is_some_and(|first| first.event == copy);
                self.stay_put(packet);
                if is_first_seen && let Some(last) = self.drafts[packet.at()].entries.last_mut() {
                    last.station = Some(Station::ReceiveQueue);
                }
            }
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

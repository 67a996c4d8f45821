//! Copies that a task is no longer held to have read its packets with: they were of a message of another socket
//! family, or only peeked.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::kernel::{PacketId, Pid};

impl Stitcher<'_> {
    /// The call read no packet but a message of another socket family.
    pub fn undo_foreign_copies(&mut self, copied: &[CopyOf], pid: Pid) {
        for &copy in copied {
            self.tasks.forget(pid, copy.packet);
            self.table.undo_foreign_copy(copy);
        }
    }

    /// The same for a message that is freed after these copies. Where events report the calls' returns, one that has returned
    /// told whose the copy was, and the address was given out again after it.
    pub fn undo_last_foreign_copies(&mut self, packet: PacketId, are_returns_told: bool) {
        for copy in self.table.last_foreign_copies(packet) {
            let pid = self.run.pid(copy.at);
            let is_in_call = self.tasks.of(pid).copied.iter().any(|it| it.at == copy.at);
            if is_in_call || !are_returns_told {
                self.undo_foreign_copies(&[copy], pid);
            }
        }
    }

    /// The call only peeked (`MSG_PEEK`).
    pub fn undo_peek(&mut self, copied: &[CopyOf], pid: Pid) {
        for &copy in copied {
            self.tasks.forget(pid, copy.packet);
            self.table.undo_peek(copy);
        }
    }
}

//! Facts that decide whether a waiting datagram may be read, and the reads of which that is asked.

use crate::journey::stitch::packet::datagram::{Datagram, SocketFamily};
use crate::journey::stitch::table::Table;
use crate::kernel::{AddrId, PacketId, Pid, Verdict};
use crate::run::Run;

/// Queries of table and run about waiting datagrams.
pub struct Known<'a> {
    pub table: &'a Table<'a>,
    pub run: &'a Run,
}

impl Known<'_> {
    /// Whether its journey has ended, or its address has been reused.
    pub fn is_gone(&self, packet: PacketId) -> bool {
        let draft = &self.table[packet];
        draft.outcome.is_closed || draft.is_superseded || draft.outcome.verdict != Verdict::Open
    }

    /// The task that its arrival woke, if exactly one was woken.
    pub fn woke(&self, packet: PacketId) -> Pid {
        self.table[packet].woke
    }

    /// The task of this host that sent it, if one did.
    pub fn sender(&self, packet: PacketId) -> Option<Pid> {
        self.table[packet].sender
    }

    /// Whether two tasks may read one socket: threads of a process share its name until they set their own.
    pub fn may_share(&self, one: Pid, other: Pid) -> bool {
        let name = |pid| self.run.comm.get(&pid);
        name(one).is_some() && name(one) == name(other)
    }
}

/// A task's read of a socket.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    pub sk: AddrId,
    /// The family of the socket.
    pub family: SocketFamily,
    /// Bytes that it returned.
    pub bytes: u32,
    pub reader: Pid,
    pub known: &'a Known<'a>,
}

impl Read<'_> {
    /// Whether the datagram is unread and may be in the queue of a socket of this family.
    pub fn may_find(&self, waits: &Datagram) -> bool {
        waits.family.may_be(self.family) && !self.known.is_gone(waits.packet)
    }
}

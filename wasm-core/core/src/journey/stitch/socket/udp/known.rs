//! Facts that decide whether a waiting datagram may be read.

use crate::journey::stitch::packet::draft::Draft;
use crate::kernel::{PacketId, Pid, Verdict};
use crate::run::Run;

/// Queries of drafts and run about waiting datagrams.
pub struct Known<'a> {
    pub drafts: &'a [Draft],
    pub run: &'a Run,
}

impl Known<'_> {
    /// Whether its journey has ended, or its address has been reused.
    pub fn is_gone(&self, packet: PacketId) -> bool {
        let draft = &self.drafts[packet.at()];
        draft.is_closed || draft.is_superseded || draft.verdict != Verdict::Open
    }

    /// The task that its arrival woke, if exactly one was woken.
    pub fn woke(&self, packet: PacketId) -> Pid {
        self.drafts[packet.at()].woke
    }

    /// The task of this host that sent it, if one did.
    pub fn sender(&self, packet: PacketId) -> Option<Pid> {
        self.drafts[packet.at()].sender
    }

    /// Whether two tasks may read one socket: threads of a process share its name until they set their own.
    pub fn may_share(&self, one: Pid, other: Pid) -> bool {
        let name = |pid| self.run.comm.get(&pid);
        name(one).is_some() && name(one) == name(other)
    }
}

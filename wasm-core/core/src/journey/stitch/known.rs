//! Facts that decide whether a waiting datagram may be read.

use std::collections::BTreeMap;

use super::packet::draft::Draft;
use super::packet::headers::UDP;
use crate::kernel::{AddrId, Field, PacketId, Pid, Probe, Verdict};
use crate::run::Run;

/// Queries of drafts and run about waiting datagrams.
pub(super) struct Known<'a> {
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

/// The socket from which each task reads datagrams; `None` if it reads several.
pub(super) fn homes(run: &Run) -> BTreeMap<Pid, Option<AddrId>> {
    let mut homes = BTreeMap::new();
    let returns = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::SockRecvLength);
    for index in returns.filter(|&index| run.field(index, Field::Proto) == Some(UDP.into())) {
        let event = run.event(index);
        let home = homes.entry(event.pid).or_insert(Some(event.sk));
        *home = home.filter(|&home| home == event.sk);
    }
    homes
}

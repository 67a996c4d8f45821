//! What is known of a datagram that waits, when it might be read.

use std::collections::BTreeMap;

use super::UDP;
use super::draft::Draft;
use crate::kernel::{AddrId, Field, PacketId, Pid, Probe, Verdict};
use crate::run::Run;

/// What the drafts and the run tell of waiting datagrams.
pub(super) struct Known<'a> {
    pub drafts: &'a [Draft],
    pub run: &'a Run,
}

impl Known<'_> {
    /// Whether its journey has ended, or its memory has become another packet's.
    pub fn is_gone(&self, packet: PacketId) -> bool {
        let draft = &self.drafts[packet.at()];
        draft.is_closed || draft.is_superseded || draft.verdict != Verdict::Open
    }

    /// The task that its coming woke, if it woke one and no other.
    pub fn woke(&self, packet: PacketId) -> Pid {
        self.drafts[packet.at()].woke
    }

    /// The task of this host that sent it, if one did.
    pub fn sender(&self, packet: PacketId) -> Option<Pid> {
        self.drafts[packet.at()].sender
    }

    /// Whether two tasks may read one socket: threads of a process have its name, until they
    /// choose one.
    pub fn may_share(&self, one: Pid, other: Pid) -> bool {
        let name = |pid| self.run.comm.get(&pid);
        name(one).is_some() && name(one) == name(other)
    }
}

/// The socket of each task's reads of datagrams; none where it reads several.
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

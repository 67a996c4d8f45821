//! Datagrams that are never read, as the kernel frees them with their socket (`survey::unread`).

use std::collections::BTreeMap;

use super::Udp;
use super::datagrams::Datagrams;
use super::known::Read;
use crate::journey::stitch::packet::datagram::Datagram;
use crate::journey::stitch::survey::unread::freed_unread;
use crate::journey::stitch::table::Table;
use crate::kernel::{EventIdx, PacketId, Probe};
use crate::run::Run;

/// Datagrams that were freed unread.
#[derive(Debug, Default)]
pub struct Unread {
    /// The event that freed each, by the one at which the core received it.
    freed: BTreeMap<EventIdx, EventIdx>,
    /// Those in a queue. One of them may have been read after all, if a clone, which passes no probe, was freed at
    /// its address; a read that fits no other datagram then takes it.
    waiting: Datagrams,
}

impl Unread {
    /// Collects those of a run.
    pub fn of(run: &Run) -> Self {
        Self {
            freed: freed_unread(run),
            waiting: Datagrams::default(),
        }
    }

    /// The event at which the kernel frees the packet, as it was received last, with its socket.
    fn freed_at(&self, packet: PacketId, table: &Table<'_>, run: &Run) -> Option<EventIdx> {
        let entries = table[packet].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let received = events.find(|event| run.probe[event.at()] == Probe::NetifReceiveSkb);
        received.and_then(|at| self.freed.get(&at).copied())
    }

    /// The datagram of a read that fits no other one. Its `sk_buff` was then free before the event that says so, which
    /// is of another one at that address: `may_be_another` tells whether there can be one at this event.
    pub fn read(
        &mut self,
        read: Read<'_>,
        may_be_another: impl Fn(EventIdx) -> bool,
    ) -> Option<Datagram> {
        self.waiting.forget(read);
        let found = self.waiting.read(read)?;
        let freed = self.freed_at(found.packet, read.known.table, read.known.run);
        if freed.is_some_and(may_be_another) {
            return Some(found);
        }
        self.waiting.wait(found);
        None
    }
}

impl Udp {
    /// A datagram is in its socket's queue.
    pub fn wait_to_be_read(&mut self, datagram: Datagram, table: &Table<'_>, run: &Run) {
        if self.unread.freed_at(datagram.packet, table, run).is_some() {
            self.unread.waiting.wait(datagram);
        } else {
            self.wait_for_read(datagram, run);
        }
    }

    /// The datagram itself is in the queue of the last of several sockets so far.
    pub fn wait_as_last(&mut self, datagram: Datagram, table: &Table<'_>, run: &Run) {
        if self.unread.freed_at(datagram.packet, table, run).is_some() {
            self.unread.waiting.wait(datagram);
        } else {
            self.datagrams.wait(datagram);
        }
    }

    /// What waits is a clone of the datagram, so the unread free of the packet says nothing about it.
    pub fn may_be_read(&mut self, datagram: Datagram) {
        if self.unread.waiting.withdraw(datagram) {
            self.datagrams.wait(datagram);
        }
    }
}

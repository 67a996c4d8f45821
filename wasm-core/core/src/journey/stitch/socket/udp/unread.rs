//! Datagrams that are never read, as the kernel frees them with their socket (`survey::unread`).

use std::collections::BTreeSet;

use super::Udp;
use super::datagrams::Datagrams;
use super::known::Read;
use crate::journey::stitch::packet::datagram::Datagram;
use crate::journey::stitch::survey::unread::freed_unread;
use crate::journey::stitch::table::Table;
use crate::kernel::{EventIdx, Probe};
use crate::run::Run;

/// Datagrams that were freed unread.
#[derive(Debug, Default)]
pub struct Unread {
    /// The events at which the core received them.
    received: BTreeSet<EventIdx>,
    /// Those in a queue. One of them may have been read after all, if a clone, which passes no probe, was freed at
    /// its address; a read that fits no other datagram then takes it.
    waiting: Datagrams,
}

impl Unread {
    /// Collects those of a run.
    pub fn of(run: &Run) -> Self {
        Self {
            received: freed_unread(run),
            waiting: Datagrams::default(),
        }
    }

    /// The datagram of a read that fits no other one.
    pub fn read(&mut self, read: Read<'_>) -> Option<Datagram> {
        self.waiting.forget(read);
        self.waiting.read(read)
    }
}

impl Udp {
    /// A datagram is in its socket's queue.
    pub fn wait_to_be_read(&mut self, datagram: Datagram, table: &Table<'_>, run: &Run) {
        let entries = table[datagram.packet].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let received = events.find(|event| run.probe[event.at()] == Probe::NetifReceiveSkb);
        if received.is_some_and(|at| self.unread.received.contains(&at)) {
            self.unread.waiting.wait(datagram);
        } else {
            self.wait_for_read(datagram, run);
        }
    }

    /// What waits is a clone of the datagram, so the unread free of the packet says nothing about it.
    pub fn may_be_read(&mut self, datagram: Datagram) {
        if self.unread.waiting.withdraw(datagram) {
            self.datagrams.wait(datagram);
        }
    }
}

//! Datagrams that nobody reads: the kernel tells so when it frees them with their socket.
//!
//! `net/ipv4/udp.c: udp_destruct_common` (v6.18, `udp_destruct_sock` before v6.1) frees what waits in a socket's queue.
//! That comes long after reads which a datagram of the same length might have been taken for, so it is looked for first.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::datagrams::{Datagram, Datagrams};
use super::known::Known;
use crate::kernel::{AddrId, EventIdx, Field, Pid, Probe};
use crate::run::Run;

/// What was freed unread.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// The events at which the core received such datagrams.
    received: BTreeSet<EventIdx>,
    /// Those that wait. A clone of another, which passes no probe, may have been freed at the address of one that was
    /// read: a read that nothing else fits took it after all.
    waiting: Datagrams,
}

/// How the names of the functions begin that do so.
const DESTRUCT: &str = "udp_destruct";

impl Unread {
    /// Those of a run.
    pub fn of(run: &Run) -> Self {
        if !run.names.iter().any(|name| name.starts_with(DESTRUCT)) {
            return Self::default();
        }
        let mut received = BTreeMap::new();
        let mut unread = BTreeSet::new();
        for index in run.indices() {
            let event = run.event(index);
            if !event.skb.is_some() {
                continue;
            }
            match event.probe {
                Probe::NetifReceiveSkb => {
                    received.insert(event.skb, index);
                }
                // A look at it (`MSG_PEEK`) leaves it there.
                Probe::SkbCopyDatagramIovec => {}
                _ => {
                    let received = received.remove(&event.skb);
                    let location = run.field_name(index, Field::Location);
                    let is_with_socket = event.probe == Probe::KfreeSkb
                        && location.is_some_and(|function| function.starts_with(DESTRUCT));
                    unread.extend(received.filter(|_| is_with_socket));
                }
            }
        }
        Self {
            received: unread,
            waiting: Datagrams::default(),
        }
    }

    /// The datagram that a read took which nothing else fits.
    pub fn read(
        &mut self,
        sk: AddrId,
        bytes: u32,
        reader: Pid,
        known: &Known<'_>,
    ) -> Option<Datagram> {
        self.waiting.forget(sk, bytes, known);
        self.waiting.read(sk, bytes, reader, known)
    }
}

impl Stitcher<'_> {
    /// A datagram is in its socket's queue.
    pub(super) fn wait_to_be_read(&mut self, datagram: Datagram) {
        let entries = self.drafts[datagram.packet.at()].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let received = events.find(|event| self.run.probe[event.at()] == Probe::NetifReceiveSkb);
        if received.is_some_and(|at| self.reads.unread.received.contains(&at)) {
            self.reads.unread.waiting.wait(datagram);
        } else {
            self.wait_for_read(datagram);
        }
    }

    /// What waits is a clone of the datagram: that its packet was freed unread tells nothing of it.
    pub(super) fn may_be_read(&mut self, datagram: Datagram) {
        if self.reads.unread.waiting.withdraw(datagram) {
            self.reads.datagrams.wait(datagram);
        }
    }
}

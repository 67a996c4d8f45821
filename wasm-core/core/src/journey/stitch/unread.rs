//! Datagrams that are never read: the kernel frees them with their socket.
//!
//! `net/ipv4/udp.c: udp_destruct_common` (v6.18, `udp_destruct_sock` before v6.1) frees the datagrams in a socket's
//! queue. That is long after reads to which a datagram of the same length might have been attributed, so a pass of
//! its own collects them first.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::datagrams::Datagrams;
use super::known::Known;
use super::packet::datagram::Datagram;
use crate::kernel::{AddrId, EventIdx, Field, Pid, Probe};
use crate::run::Run;

/// Datagrams that were freed unread.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// The events at which the core received them.
    received: BTreeSet<EventIdx>,
    /// Those in a queue. One of them may have been read after all, if a clone, which passes no probe, was freed at
    /// its address; a read that fits no other datagram then takes it.
    waiting: Datagrams,
}

/// The prefix of the functions that free them.
const DESTRUCT: &str = "udp_destruct";

impl Unread {
    /// Collects those of a run.
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
                // A copy with `MSG_PEEK` leaves it in the queue.
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

    /// The datagram of a read that fits no other one.
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

    /// What waits is a clone of the datagram, so the unread free of the packet says nothing about it.
    pub(super) fn may_be_read(&mut self, datagram: Datagram) {
        if self.reads.unread.waiting.withdraw(datagram) {
            self.reads.datagrams.wait(datagram);
        }
    }
}

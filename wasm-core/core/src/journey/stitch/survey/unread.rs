//! Datagrams that the kernel frees with their socket: nobody reads them.
//!
//! `net/ipv4/udp.c: udp_destruct_common` (v6.18, `udp_destruct_sock` before v6.1) frees the datagrams in a socket's
//! queue. That is long after reads to which a datagram of the same length might have been attributed, so a pass of
//! its own collects them first.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{EventIdx, Field, Probe};
use crate::run::Run;

/// The prefix of the functions that free them.
const DESTRUCT: &str = "udp_destruct";

/// The events at which the core received the datagrams that a run frees unread.
pub fn freed_unread(run: &Run) -> BTreeSet<EventIdx> {
    if !run.names.iter().any(|name| name.starts_with(DESTRUCT)) {
        return BTreeSet::new();
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
    unread
}

//! Datagrams that the kernel frees with their socket: nobody reads them.
//!
//! `net/ipv4/udp.c: udp_destruct_common` (v6.18, `udp_destruct_sock` before v6.1) frees the datagrams in a socket's
//! queue. That is long after reads to which a datagram of the same length might have been attributed, so a pass of
//! its own collects them first.

use std::collections::BTreeMap;

use crate::journey::stitch::packet::location::{destroys_udp_socket, freeing_function};
use crate::kernel::{EventIdx, Probe};
use crate::run::Run;

/// The datagrams that a run frees unread: the event that frees each, by the one at which the core received it.
pub fn freed_unread(run: &Run) -> BTreeMap<EventIdx, EventIdx> {
    if !run.names.iter().any(destroys_udp_socket) {
        return BTreeMap::new();
    }
    let mut received = BTreeMap::new();
    let mut unread = BTreeMap::new();
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
                let is_with_socket = event.probe == Probe::KfreeSkb
                    && freeing_function(run, index).is_some_and(destroys_udp_socket);
                let freed = received.filter(|_| is_with_socket);
                unread.extend(freed.map(|received| (received, index)));
            }
        }
    }
    unread
}

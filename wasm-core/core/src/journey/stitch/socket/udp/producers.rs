//! Datagrams that another CPU puts into their socket's queue.
//!
//! CPUs that receive concurrently for one UDP socket add their datagrams to a list. The first of them moves all of
//! the list into the socket's queue and calls `sk_data_ready` for each (`net/ipv4/udp.c: __udp_enqueue_schedule_skb`,
//! v6.18). The CPU that only added a datagram has no further event of it.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::datagram::{Datagram, Doubt, SocketFamily};
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::{TCP, UDP};
use crate::journey::stitch::packet::order::Order;
use crate::kernel::{CpuId, Event, EventIdx, PacketId, Probe, Verdict};

/// Nanoseconds that a datagram stays on such a list at most: the first CPU takes it as soon as it holds the queue's
/// lock.
const LONGEST: u64 = 100_000;

impl Stitcher<'_> {
    /// `sk_data_ready` when no received packet of this CPU is unaccounted for.
    pub fn queue_further(&mut self, index: EventIdx, event: &Event) {
        if !self.queue_of_other_cpu(index, event) {
            self.queue_again(index, event);
        }
    }

    /// The event belongs to the earliest datagram received on another CPU a moment ago without a later event, if
    /// there is one. Returns whether there was.
    fn queue_of_other_cpu(&mut self, index: EventIdx, event: &Event) -> bool {
        if self
            .cpus
            .at(event.cpu)
            .receiving
            .queued_last(event)
            .is_none()
        {
            return false;
        }
        let is_left = |&(cpu, packet): &(CpuId, PacketId)| {
            cpu != event.cpu && self.may_be_left(&self.table[packet], event)
        };
        let Some((cpu, packet)) = self.cpus.came_last().find(is_left) else {
            return false;
        };
        self.cpus.at(cpu).receiving.forget(packet);
        let draft = &mut self.table[packet];
        draft.flow.protocol = UDP;
        let datagram = Datagram {
            packet,
            bytes: draft.headers.datagram_bytes(),
            hash: draft.hash,
            share: None,
            family: SocketFamily::of(self.run, index),
            ready: index,
            doubt: Doubt::None,
        };
        self.queue(packet, index, event);
        self.udp.wait_to_be_read(datagram, &self.table, self.run);
        self.cpus.at(event.cpu).receiving.wait(datagram);
        true
    }

    fn may_be_left(&self, draft: &Draft, event: &Event) -> bool {
        let came = draft.entries.last().map(|last| last.event);
        let has_just_come = came.is_some_and(|came| {
            self.run.probe[came.at()] == Probe::NetifReceiveSkb
                && event.time.since(self.run.time(came)) <= LONGEST
        });
        has_just_come
            && draft.outcome.verdict == Verdict::Open
            && draft.flow.protocol != TCP
            && draft.order < Order::TRANSPORT
            && !(draft.outcome.is_closed || draft.is_superseded || draft.queues.is_held)
            && draft.headers.datagram_bytes() > 0
            && self.tcp.socket_of(draft.hash).is_none()
    }
}

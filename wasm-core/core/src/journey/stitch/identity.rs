//! Which packet an event at an address is of: the live one there, if it can have come that way, or another one.

use super::Stitcher;
use super::packet::headers::TCP;
use super::packet::order::{IDLE_GAP, NEIGHBOUR_WAIT, Order, can_follow, is_copy, is_origin};
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe, Station};

/// How many events ahead the return of a call is searched for.
const SEARCH_WINDOW: usize = 256;

impl Stitcher<'_> {
    /// Whether `event` can be the next one of `packet`, the live packet at its address.
    pub(super) fn is_continuation(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) -> bool {
        let draft = &self.table[packet];
        let is_looked_at_again = event.probe == Probe::TcpProbe && draft.is_probed;
        let is_of_another = self.holds_less(packet, index, event)
            || self.is_other_segment(packet, index, event)
            || self.is_of_earlier_round(packet, event)
            || self.is_read_elsewhere(packet, index, event);
        if draft.outcome.is_closed || draft.queues.is_taken || is_looked_at_again || is_of_another {
            return false;
        }
        if self.enters_another_device(packet, index, event, order)
            || self.comes_back(packet, index, event)
            || self.leaves_cpumap(packet, index, event)
        {
            return true;
        }
        if is_origin(event.probe) && draft.origin == Some(event.probe) {
            return false;
        }
        // The fragments that leave `ip_do_fragment` are new packets; the first has the whole datagram's address.
        let cutting = self.cpus.get(event.cpu).and_then(|cpu| cpu.cutting);
        let is_cut = cutting.is_some_and(|(whole, _)| whole == packet);
        if is_cut && order > draft.order && order < Order::ARRIVE {
            return false;
        }
        let Some(last) = draft.entries.last() else {
            return true;
        };
        let rests = draft.station().is_some_and(Station::is_queue);
        let turns_down = draft.order >= Order::NET_CORE && order <= Order::DRIVER_SEND;
        let longest = if turns_down && self.waited_for_neighbour(packet, event) {
            NEIGHBOUR_WAIT
        } else {
            IDLE_GAP
        };
        if !rests && event.time.since(self.run.time(last.event)) > longest {
            return false;
        }
        if turns_down {
            // A router forwards to another device, from the softirq that received the packet.
            let dev = self.run.field(index, Field::Dev);
            let came = self.table.came_by(draft).unwrap_or(last.event);
            let is_same_cpu = self.run.cpu[came.at()] == event.cpu;
            let is_in_hand = is_same_cpu
                && self.run.context[came.at()] == event.context
                && self
                    .cpus
                    .get(event.cpu)
                    .is_none_or(|cpu| !cpu.receiving.is_known_to_lack(packet, event));
            return can_follow(draft.order, order)
                && (is_in_hand
                    || self.waited_for_neighbour(packet, event)
                    || self.is_let_pass(packet, event))
                && (dev.is_none() || dev != draft.dev);
        }
        if can_follow(draft.order, order) || self.is_handed_over(packet, index, event) {
            return true;
        }
        // With few probes, reception on loopback is recognised by the device's name only.
        let turns_around = draft.order >= Order::DRIVER_SEND
            && draft.order < Order::ARRIVE
            && order >= Order::NET_CORE;
        turns_around && self.run.field_name(index, Field::Dev) == Some("lo")
    }

    /// Whether a call on another socket than the segment's copies here: what is in one TCP socket's queue no other reads.
    /// Only of a segment that is known from copies alone is that not told by its way.
    fn is_read_elsewhere(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let first = draft.entries.first().map(|first| first.event);
        let is_by_copies = first.is_some_and(|first| is_copy(self.run.probe[first.at()]));
        if !is_by_copies || !draft.sk.is_some() || !is_copy(event.probe) {
            return false;
        }
        let behind = index.at() + 1..self.run.len().min(index.at() + SEARCH_WINDOW);
        let mut behind = behind.map(|at| EventIdx(at as u32));
        let returns = behind.find(|&at| {
            self.run.probe[at.at()] == Probe::SockRecvLength && self.run.pid(at) == event.pid
        });
        returns.is_some_and(|at| {
            let is_tcp = self.run.field(at, Field::Proto) == Some(u32::from(TCP));
            is_tcp && self.run.event(at).sk != draft.sk
        })
    }

    /// The packet of an event at an address without a packet that can continue there: it continues as a clone or
    /// copy.
    pub(super) fn found_elsewhere(&mut self, index: EventIdx, event: &Event) -> Option<PacketId> {
        self.cloned(index, event)
            .or_else(|| self.opened_fast(index, event))
            .or_else(|| self.raw_copied(index, event))
    }
}

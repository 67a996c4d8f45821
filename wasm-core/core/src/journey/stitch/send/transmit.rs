//! The send path: the system call of a packet, clones, fragments and segments of a larger packet.
//!
//! Source: `net/ipv4/tcp_output.c: __tcp_transmit_skb` (the original stays in the retransmission queue until it is
//! acknowledged, a clone is sent), `net/ipv4/ip_output.c: ip_do_fragment`, `net/core/dev.c: validate_xmit_skb`
//! (v6.1).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::packet::headers::{IPV6_HEADER, LINK_HEADER, TCP, TCP_HEADER_MOST};
use crate::journey::stitch::packet::location::{freeing_function, is_of_tunnel};
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::packet::reported::Rc;
use crate::journey::stitch::table::merges::Anomaly;
use crate::kernel::{
    Context, DropReason, Event, EventIdx, Field, PacketId, Probe, Station, Verdict,
};

/// Whether a segment of this length, as TCP passes it on, may be in a packet of that length, as far as both are known.
fn is_within(segment: Option<u32>, packet: Option<u32>) -> bool {
    segment.is_none_or(|segment| packet.is_none_or(|packet| segment < packet))
}

impl Stitcher<'_> {
    /// Whether this `__tcp_transmit_skb` sends a clone, at another address than the event names.
    pub fn is_clone_sent(&self, index: EventIdx) -> bool {
        self.run.field(index, Field::Clone) == Some(1)
    }

    /// `tcp_retransmit_skb`: the segment whose clone this CPU gave to IP last was sent again (`net/ipv4/tcp_output.c:
    /// __tcp_retransmit_skb` traces behind `tcp_transmit_skb`; before v6.18 only if that succeeded, since then always,
    /// with its error). The event has the address of the original, which stays in the retransmission queue.
    pub fn note_retransmission(&mut self, index: EventIdx, event: &Event) {
        let has_failed = self
            .run
            .field(index, Field::Error)
            .is_some_and(|it| it != 0);
        let begun = self.cpus.at(event.cpu).begun.take();
        let place = (event.pid, event.context);
        let Some((packet, _)) = begun.filter(|&(_, by)| by == place && !has_failed) else {
            return;
        };
        let draft = &mut self.table[packet];
        let Ends([(_, source), (_, destination)]) = Ends::of(self.run, index);
        let is_same = |own: u16, told: Option<u16>| own == 0 || told.is_none_or(|told| told == own);
        let is_it = matches!(draft.flow.protocol, 0 | TCP)
            && is_same(draft.flow.source_port, source)
            && is_same(draft.flow.destination_port, destination);
        if !is_it {
            return;
        }
        draft.flow.protocol = TCP;
        if draft.outcome.is_closed {
            draft.take_ends(Ends::of(self.run, index));
        } else {
            self.table.append(packet, index, event);
            self.table.stay_put(packet);
        }
    }

    /// Adds what preceded the first event of a packet that is sent.
    pub fn begin_from_call(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) {
        if order <= Order::of(Probe::IpSendSkb).unwrap_or(Order::START) {
            self.prepend_call(packet, event);
        }
        let cutting = self.cutting_at(event, order);
        let cpu = self.cpus.at(event.cpu);
        let transmitting = cpu.transmitting.take();
        let queued = cpu.queued;
        if let Some(transmit) = transmitting {
            let of_original = self.run.event(transmit);
            // IPv6 has no such probe: its segment is the next that is sent there, longer by its headers.
            let is_next = event.probe != Probe::IpSendSkb
                && (of_original.pid, of_original.context) == (event.pid, event.context)
                && is_within(of_original.known_len(), event.known_len())
                && order <= Order::QUEUED;
            if event.probe == Probe::IpQueueXmit || is_next {
                self.table.append(packet, transmit, &of_original);
            }
        }
        if order <= Order::QUEUED {
            self.cpus.at(event.cpu).begun = Some((packet, (event.pid, event.context)));
        }
        let is_first_piece = cutting.is_some_and(|(whole, _)| self.table[whole].skb == event.skb);
        match event.probe {
            _ if is_first_piece => self.cut_by_ip(cutting, packet),
            Probe::IpFinishOutput2 => self.cut_by_ip(cutting, packet),
            Probe::NetDevQueue => {
                self.take_piece(packet, event);
                self.take_changed_ends(packet, index, event);
            }
            Probe::DevHardStartXmit | Probe::NetDevStartXmit | Probe::NdoStartXmit => {
                if let Some(whole) = queued.filter(|&whole| self.may_be_cut(whole, index, event)) {
                    self.table.cut(whole, packet);
                }
            }
            _ => {}
        }
    }

    /// A segment without payload is sent by a connection of which a new state was told just before, say its FIN.
    fn take_changed_ends(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        const MOST: u32 = LINK_HEADER + IPV6_HEADER + TCP_HEADER_MOST;
        let is_bare = event.known_len().is_some_and(|len| len <= MOST);
        let ends = Ends::just_changed(self.run, index, event).filter(|_| is_bare);
        if let Some(ends) = ends {
            let draft = &mut self.table[packet];
            draft.flow.protocol = TCP;
            draft.take_ends(ends);
        }
    }

    /// Whether the packet that a CPU queued or took out of a queue last may be cut into segments, of which one is being
    /// sent: it is longer, on the same device, and nothing has come between in another context (`net/core/dev.c:
    /// validate_xmit_skb`, v6.18).
    fn may_be_cut(&self, whole: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[whole];
        let dev = self.run.field(index, Field::Dev);
        let is_same_device = draft.dev.is_none() || dev.is_none() || draft.dev == dev;
        let last = draft.entries.last().map(|last| self.run.event(last.event));
        let place = |event: &Event| (event.cpu, event.pid, event.context);
        let is_here = last.is_some_and(|last| place(&last) == place(event));
        draft.bytes > event.len && is_same_device && is_here
    }

    /// The datagram that `ip_do_fragment` is fragmenting where a packet begins. Softirqs may send other packets in
    /// between, and a packet that begins above IP is the next one. The first fragment may use the datagram's
    /// `sk_buff`, which is not freed then (`net/ipv4/ip_output.c: ip_do_fragment`, v6.12).
    fn cutting_at(&mut self, event: &Event, order: Order) -> Option<(PacketId, EventIdx)> {
        let cut = self.cpus.at(event.cpu).cutting?;
        let by = self.run.event(cut.1);
        if (by.pid, by.context) != (event.pid, event.context) {
            return None;
        }
        if Some(order) <= Order::of(Probe::IpDoFragment) {
            self.cpus.at(event.cpu).cutting = None;
            return None;
        }
        Some(cut)
    }

    /// `packet` is a fragment from `ip_do_fragment`. The whole datagram ends there and the fragment begins there;
    /// later events at the datagram's address belong to the first fragment.
    fn cut_by_ip(&mut self, cutting: Option<(PacketId, EventIdx)>, packet: PacketId) {
        let Some((whole, index)) = cutting else {
            return;
        };
        let cut = self.run.event(index);
        if !self.table[whole].outcome.is_closed {
            self.table.close(whole, Verdict::Consumed, cut.time);
        }
        self.table.adopt(packet, index, &cut);
        self.table.cut(whole, packet);
    }

    /// Whether the event is of a sent packet and does not change its station: another CPU freed it before the
    /// transmitting CPU reports its return; or the task behind a tun device reads it; or the qdisc segmented and
    /// freed it before it reports the packet as enqueued (`net/sched/sch_tbf.c: tbf_segment`, then `net/core/dev.c:
    /// dev_qdisc_enqueue`, v6.18).
    pub fn stays_sent(&self, packet: PacketId, event: &Event) -> bool {
        let draft = &self.table[packet];
        let is_sent = draft.order >= Order::DRIVER_SEND && draft.order < Order::ARRIVE;
        let queued = self.cpus.get(event.cpu).and_then(|cpu| cpu.queued);
        match event.probe {
            Probe::NetDevXmit => true,
            Probe::QdiscEnqueue => draft.outcome.is_closed && queued == Some(packet),
            probe => is_sent && !draft.outcome.is_closed && self.stacked.is_read(draft.dev, probe),
        }
    }

    /// Whether the packet, received for forwarding, may have waited for neighbour resolution: its CPU is receiving
    /// the answer (`net/core/neighbour.c: __neigh_event_send`, `neigh_update`, v6.18).
    pub fn waited_for_neighbour(&self, packet: PacketId, event: &Event) -> bool {
        let draft = &self.table[packet];
        let receiving = self.cpus.receiving(event.cpu);
        let answer = receiving.and_then(|receiving| receiving.in_hand_last(event));
        let is_answered = answer.is_some_and(|answer| self.table[answer].headers.tells_neighbour());
        let is_whole = event.len == draft.headers.network_bytes + LINK_HEADER;
        is_answered && is_whole && event.probe == Probe::NetDevQueue && !draft.is_superseded
    }

    /// Adds an event that does not change the packet's station.
    pub fn report_sent(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        self.table.append(packet, index, event);
        self.table.stay_put(packet);
        if event.probe == Probe::QdiscEnqueue {
            // Its segments leave the queue later and are not part of what is sent next.
            self.cpus.at(event.cpu).queued = None;
            self.note_cut(packet, index);
        }
    }

    /// `net_dev_xmit`: the driver returned. `before` is the packet's position until then.
    pub fn sent(&mut self, packet: PacketId, index: EventIdx, before: Order) {
        let rc = Rc::at(self.run, index);
        let dev = self.table[packet].dev;
        let is_shared = self.stacked.is_shared(dev);
        let hands_over = self.stacked.hands_over(dev) && !is_shared;
        if is_shared && before < Order::ARRIVE {
            self.table.note(Anomaly::SharedName, index);
        }
        // On loopback the packet is already being received, and a capture on the link may already have seen the
        // frame: the return does not change the station.
        if before >= Order::WIRE_SEND {
            self.table[packet].order = before;
            self.table.stay_put(packet);
        } else if let Some(below) = self.waits_below(packet) {
            self.table[packet].dev = Some(below);
            self.table.stay_put(packet);
        } else if let Some(last) = self.table[packet].entries.last_mut() {
            match rc {
                Rc::Busy => {
                    // The core takes it back into the queue, out of which it goes to the driver again.
                    last.station = Some(Station::Qdisc);
                    self.table[packet].order = Order::QUEUED;
                }
                Rc::Lost if before == Order::DRIVER_SEND => {
                    // The device freed it, and said no more.
                    last.station = None;
                    let reason = DropReason::NotSpecified;
                    self.table[packet].outcome.is_inferred = true;
                    self.table
                        .close(packet, Verdict::Dropped { reason }, self.run.time(index));
                }
                Rc::Taken if hands_over => last.station = Some(Station::Backlog),
                Rc::Taken | Rc::Lost => {}
            }
        }
    }

    /// Whether the packet is freed while the driver's transmit function has it: no softirq runs on a CPU that is
    /// transmitting, so no completed one is freed there (`net/core/dev.c: __dev_queue_xmit`, v6.18).
    pub fn is_freed_by_driver(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let last = draft
            .entries
            .last()
            .map(|entry| self.run.event(entry.event));
        let is_there = last.is_some_and(|last| (last.cpu, last.pid) == (event.cpu, event.pid));
        let function = freeing_function(self.run, index);
        let is_of_tunnel = function.is_some_and(is_of_tunnel);
        draft.order == Order::DRIVER_SEND
            && is_there
            && self.stacked.are_returns_told
            && (is_of_tunnel || !self.stacked.frees_at_once(draft.dev))
    }

    /// The device in whose ring the packet waits for the task that reads it, where the device above has returned now: a
    /// bridge sends through a TAP (`drivers/net/tun.c: tun_net_xmit`, v6.18).
    fn waits_below(&self, packet: PacketId) -> Option<u32> {
        let mut latest = self.table[packet].entries.iter().rev().skip(1);
        let below = latest.next()?.event;
        let dev = self.run.field(below, Field::Dev);
        let has_returned = self.run.probe[below.at()] == Probe::NetDevXmit;
        dev.filter(|_| has_returned && self.stacked.is_read(dev, Probe::SkbCopyDatagramIovec))
    }

    /// Adds the system call under way in the sending task as the packet's origin.
    fn prepend_call(&mut self, packet: PacketId, event: &Event) {
        if event.context != Context::Kernel && event.context != Context::Unknown {
            return;
        }
        let Some(task) = self.tasks.get(event.pid) else {
            return;
        };
        let is_same_socket = !event.sk.is_some() || !task.sk.is_some() || event.sk == task.sk;
        if !is_same_socket {
            return;
        }
        for call in task.sending.clone() {
            let of_call = self.run.event(call);
            // A call on an unknown CPU is accepted.
            if of_call.cpu == event.cpu || !of_call.cpu.is_known() {
                self.table.adopt(packet, call, &of_call);
            }
        }
    }
}

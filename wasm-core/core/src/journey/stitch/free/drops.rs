//! Packets known only from their drop: drops are mostly recorded by `skb:kfree_skb` alone.
//!
//! In a recording that shows receiving and sending, nearly every packet that the device layer has seen was seen before it
//! is dropped; what is freed at an unused address is then a clone, made for a packet socket or a raw socket, or a packet
//! that was queued before the recording began, came just before it, or of which the events were lost. Where the event names
//! the function that dropped it, those differ, and the drop is told as inferred: a journey that begins late. What IP drops
//! on output never reaches the device layer: without probes in IP its drop is its only event.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::packet::headers::TCP;
use crate::journey::stitch::packet::location::{
    freeing_function, frees_clones, frees_others, gives_neighbour_up,
};
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::packet::reported::drop_reason;
use crate::kernel::{
    Context, Direction, DropReason, Event, EventIdx, Field, PacketId, Probe, Probes, Station,
    Verdict,
};
use crate::run::Run;

/// Which parts of the stack the recording has no event of.
#[derive(Debug)]
pub struct UnobservedPaths {
    /// Receiving below the socket.
    receiving: bool,
    /// IP on output.
    output: bool,
    /// Sending from the device layer on.
    pub sending: bool,
}

impl UnobservedPaths {
    /// A recording of one device alone (`ringside-capture -i`) lacks the events of other devices' packets, though not
    /// their drops.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        if run.metadata.contains_key("nic") {
            return Self {
                receiving: true,
                output: true,
                sending: true,
            };
        }
        let recorded = Probe::ALL.iter().filter(|&&probe| passed.has(probe));
        let orders: Vec<Order> = recorded.filter_map(|&probe| Order::of(probe)).collect();
        let has_none = |from, to| !orders.iter().any(|&order| from <= order && order < to);
        Self {
            receiving: has_none(Order::ARRIVE, Order::TRANSPORT),
            output: has_none(Order::IP_OUTPUT, Order::DEV_QUEUE),
            sending: has_none(Order::DEV_QUEUE, Order::ARRIVE),
        }
    }
}

impl Stitcher<'_> {
    /// `kfree_skb` at an address without a live packet: the journey begins and ends here.
    pub fn drop_unseen(&mut self, index: EventIdx, event: &Event) {
        if !self.tells_a_drop(index) {
            return;
        }
        let reason = drop_reason(self.run, index);
        let direction = self.direction(index, event);
        let is_on_output = direction == Direction::Transmit && self.is_before_device(index);
        let packet = self.table.create(Draft::new(direction, event.skb));
        self.table.append(packet, index, event);
        if is_on_output && let Some(last) = self.table[packet].entries.last_mut() {
            last.station = Some(Station::IpSend);
        }
        if is_on_output && event.in_task() {
            self.table[packet].sender = Some(event.pid);
        }
        self.table[packet].outcome.is_inferred = !self.is_way_unobserved(index, event);
        self.learn_place(packet, index);
        // A filter drops the SYN of a connection that has just begun.
        let ends = Ends::just_changed(self.run, index, event);
        if let Some(ends) = ends.filter(|_| is_on_output) {
            let draft = &mut self.table[packet];
            draft.flow.protocol = TCP;
            draft.take_ends(ends);
        }
        self.table
            .close(packet, Verdict::Dropped { reason }, event.time);
    }

    /// Whether the event alone shows that a packet was dropped. Messages of AF_UNIX and netlink have no protocol, and
    /// a packet socket's clone is not a packet. Without a specific reason the packet may have served its purpose,
    /// such as a FIN purged with its socket's queue (`net/core/stream.c: sk_stream_kill_queues`, v6.18). Before v5.17
    /// the event has no reason field, and every `kfree_skb` counts as a drop.
    fn tells_a_drop(&self, index: EventIdx) -> bool {
        let field = |field| self.run.field(index, field);
        let reason = drop_reason(self.run, index);
        let event = self.run.event(index);
        let is_unseen = self.is_way_unobserved(index, &event)
            || self.may_have_been_missed(index, &event, reason);
        let is_packet = field(Field::Protocol).is_some_and(|protocol| protocol != 0);
        let function = freeing_function(self.run, index);
        // A packet that waits for its neighbour is dropped in the function that probes for the neighbour.
        let is_other =
            self.is_share(index) || function.is_some_and(frees_others) && !reason.is_of_sending();
        let is_told = is_own(reason)
            || field(Field::Reason).is_none()
            || function.is_some_and(gives_neighbour_up);
        is_unseen && is_packet && !is_other && is_told
    }

    /// Whether the recording has no event of the way on which the packet was dropped.
    fn is_way_unobserved(&self, index: EventIdx, event: &Event) -> bool {
        let is_sending = self.direction(index, event) == Direction::Transmit;
        match (is_sending, self.is_before_device(index)) {
            (false, _) => self.unobserved.receiving,
            (true, true) => self.unobserved.output,
            (true, false) => self.unobserved.sending,
        }
    }

    /// Whether the drop is of a packet that the recording could have shown and did not: a queue had no room for it, or
    /// held it since before the recording, or the packet came before the recording or while events were lost. While the
    /// CPU receives another one, it may be that one's clone, as each socket of a multicast group gets one (`net/ipv4/udp.c:
    /// __udp4_lib_mcast_deliver`, v6.18); so may be what a task takes up later. And TCP makes `sk_buff`s within its own
    /// queue (`net/ipv4/tcp_input.c: tcp_collapse`, v6.18).
    fn may_have_been_missed(&self, index: EventIdx, event: &Event, reason: DropReason) -> bool {
        let is_receiving = event.context == Context::Softirq || receives(self.run, event);
        let is_on_its_way = is_receiving && is_dropped_as_it_comes(reason);
        let is_of_sending = self.drops_what_is_sent(index);
        let is_of_queue = reason.is_full_queue() || is_of_sending;
        let function = freeing_function(self.run, index);
        let receiving = self.cpus.receiving(event.cpu);
        let is_at_another =
            receiving.is_some_and(|it| it.is_softirq_running() && it.last_at(event).is_some());
        (is_of_queue || is_on_its_way)
            && reason != DropReason::TcpOfoQueuePrune
            && function.is_some_and(|it| !frees_clones(it))
            && (is_of_sending || !is_at_another)
    }

    /// Whether only what is being sent is dropped so.
    fn drops_what_is_sent(&self, index: EventIdx) -> bool {
        drop_reason(self.run, index).is_of_sending() || self.is_given_up(index)
    }

    /// Whether the packet waited for its neighbour's address.
    fn is_given_up(&self, index: EventIdx) -> bool {
        freeing_function(self.run, index).is_some_and(gives_neighbour_up)
    }

    /// Whether IP dropped the packet before it reached the device layer, if it was sent.
    fn is_before_device(&self, index: EventIdx) -> bool {
        is_before_device(drop_reason(self.run, index)) || self.is_given_up(index)
    }

    /// Whether a packet that is sent, or one that is received, was dropped at an address without a live packet.
    /// Netfilter drops both for one reason. In a recording that shows receiving and not IP's output, a received packet
    /// would be known; in others what a program's task drops was sent, as packets are received in softirqs, and in tasks of
    /// the kernel.
    fn direction(&self, index: EventIdx, event: &Event) -> Direction {
        let reason = drop_reason(self.run, index);
        let is_only_output_unseen = self.unobserved.output && !self.unobserved.receiving;
        let is_by_program = event.in_task() && !receives(self.run, event);
        let is_output =
            reason == DropReason::NetfilterDrop && (is_only_output_unseen || is_by_program);
        if is_output || self.drops_what_is_sent(index) {
            Direction::Transmit
        } else {
            Direction::Receive
        }
    }

    /// Whether IP dropped another packet on output than the received one known at its address: that one is no longer
    /// being processed where this one was dropped, and no event freed it, as with most acknowledgements. A packet that
    /// waits for its neighbour, and may be a forwarded one, is dropped elsewhere too.
    pub fn is_of_output(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let is_refused_at_once = matches!(
            drop_reason(self.run, index),
            DropReason::NetfilterDrop | DropReason::IpOutnoroutes | DropReason::BpfCgroupEgress
        );
        let draft = &self.table[packet];
        let is_received = draft.order >= Order::NET_CORE && !draft.queues.is_held;
        let place = |event: &Event| (event.cpu, event.pid, event.context);
        let last = draft.entries.last().map(|last| self.run.event(last.event));
        let is_there = last.is_some_and(|last| place(&last) == place(event));
        let receiving = self.cpus.receiving(event.cpu);
        let is_in_hand = receiving.is_some_and(|it| it.has_in_hand(packet, event));
        is_refused_at_once && is_received && !is_there && !is_in_hand
    }

    /// Whether the dropped packet is not the last one known at its address: that one was freed, or was read by a
    /// task, which rules out a drop with a specific reason; or it was received by a protocol, which rules out that it is
    /// sent. Most of what TCP has read is freed without an event.
    pub fn was_before_drop(&self, packet: PacketId, index: EventIdx) -> bool {
        let draft = &self.table[packet];
        let last = draft.entries.last();
        let probe = last.map(|last| self.run.probe[last.event.at()]);
        let is_freed = matches!(probe, Some(Probe::ConsumeSkb | Probe::KfreeSkb));
        let is_read = draft.outcome.is_delivered();
        let is_received = draft.order >= Order::TRANSPORT;
        let is_gone = draft.outcome.is_closed && is_freed
            || is_read && is_own(drop_reason(self.run, index))
            || is_received && self.drops_what_is_sent(index);
        is_gone && self.tells_a_drop(index)
    }
}

/// Whether the reason is specific, so that the kernel meant a drop.
const fn is_own(reason: DropReason) -> bool {
    !matches!(
        reason,
        DropReason::NotSpecified | DropReason::QueuePurge | DropReason::SocketClose
    )
}

/// Whether the reason tells that a packet came, and that it was dropped within the softirq in which it did. Others are
/// given on the way out too (a full ring, no memory, a program of traffic control), or to what has waited: fragments, and
/// segments out of order.
const fn is_dropped_as_it_comes(reason: DropReason) -> bool {
    is_own(reason)
        && !reason.is_of_sending()
        && !matches!(
            reason,
            DropReason::FragReasmTimeout
                | DropReason::TcpOfoQueuePrune
                | DropReason::TcpOfoDrop
                | DropReason::TcpOfomerge
                | DropReason::UnixDisconnect
                | DropReason::UnixSkipOob
                | DropReason::PacketSockError
                | DropReason::SecurityHook
                | DropReason::SkbCsum
                | DropReason::SkbGsoSeg
                | DropReason::SkbUcopyFault
                | DropReason::DevHdr
                | DropReason::DevReady
                | DropReason::FullRing
                | DropReason::Nomem
                | DropReason::HdrTrunc
                | DropReason::PktTooBig
                | DropReason::TapFilter
                | DropReason::TapTxfilter
                | DropReason::TcCookieError
                | DropReason::TcChainNotfound
                | DropReason::TcReclassifyLoop
                | DropReason::NoTxTarget
                | DropReason::TunnelTxinfo
                | DropReason::PspOutput
                | DropReason::RecursionLimit
                | DropReason::Unrecognised
        )
}

/// Whether IP drops packets for this reason before they reach the device layer, when it sends them: a filter, no route,
/// a neighbour without an address (`net/core/neighbour.c`), or a program at the edge of a cgroup.
const fn is_before_device(reason: DropReason) -> bool {
    matches!(
        reason,
        DropReason::NetfilterDrop
            | DropReason::IpOutnoroutes
            | DropReason::BpfCgroupEgress
            | DropReason::NeighCreatefail
            | DropReason::NeighFailed
            | DropReason::NeighQueuefull
            | DropReason::NeighDead
            | DropReason::NeighHhFillfail
    )
}

/// Whether the event's task is one of the kernel's that receive packets: NAPI in a thread, and that of a virtual
/// machine's NIC (`net/core/dev.c: napi_kthread_create`, `drivers/vhost/vhost.c`, v6.18).
fn receives(run: &Run, event: &Event) -> bool {
    let comm = run.comm(event.pid);
    comm.is_some_and(|comm| {
        ["napi/", "vhost-"]
            .iter()
            .any(|kind| comm.starts_with(kind))
    })
}

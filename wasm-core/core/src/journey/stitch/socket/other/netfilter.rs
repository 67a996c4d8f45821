//! Packets that netfilter holds until a program has decided on them (`NFQUEUE`).
//!
//! `net/netfilter/nfnetlink_queue.c: nfqnl_enqueue_packet` (v6.18) sends the packet being received to a program in a
//! netlink message. `nfqnl_reinject` continues with the packet within the call that delivers the verdict: it is
//! transmitted or queued to a socket, without an event that names it. It is identified as the packet whose message
//! the program has read. Of several the first is taken, and that it may be another is said: a program decides in any order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::{LINK_HEADER, TCP};
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::packet::reported::is_freed_in;
use crate::journey::stitch::packet::uapi::{AF_NETLINK, AF_PACKET};
use crate::kernel::{Context, Event, EventIdx, Field, MPTCP, PacketId, Pid, Probe};
/// The function that puts packets into a netfilter queue.
const ENQUEUES: &str = "nfqnl_enqueue_packet";
/// Upper bound of the bytes in a message besides the packet.
const MESSAGE_HEADERS: u32 = 256;
/// The limit of packets kept, above the default length of a netfilter queue (1024).
const MAX_HELD: usize = 4096;
/// How many messages are searched for one read; those of other programs are among them.
const SEARCH_WINDOW: usize = 64;

/// The packets that netfilter holds.
#[derive(Debug, Default)]
pub struct Netfilter {
    /// Packets whose message no program has read, in order of the messages.
    unread: VecDeque<PacketId>,
    /// Packets whose message each program has read without a verdict so far.
    read: BTreeMap<Pid, VecDeque<PacketId>>,
    /// The programs that have accepted one of several packets since they held at most one.
    mixed: BTreeSet<Pid>,
}

impl Stitcher<'_> {
    /// `sk_data_ready` of a socket outside IP: a packet socket got a clone of the packet being received, or a program
    /// got a netlink message, which may be about a packet that netfilter holds for it.
    pub fn tell_others(&mut self, index: EventIdx, event: &Event) {
        match self.run.field(index, Field::Family) {
            None | Some(AF_PACKET) => self.queue_share(index, event),
            Some(AF_NETLINK) => self.hold(event),
            Some(_) => {}
        }
    }

    /// Marks the packet being received as held, unless a later event contradicts that.
    fn hold(&mut self, event: &Event) {
        let table = &self.table;
        let is_new = |packet: PacketId| {
            let draft = &table[packet];
            !draft.outcome.is_closed && !draft.queues.is_held && draft.order < Order::TRANSPORT
        };
        let receiving = &self.cpus.at(event.cpu).receiving;
        if let Some(packet) = receiving.first_at(event, is_new) {
            self.table[packet].queues.is_held = true;
            let unread = &mut self.netfilter.unread;
            unread.push_back(packet);
            let surplus = unread.len().saturating_sub(MAX_HELD);
            unread.drain(..surplus);
        }
    }

    /// A read of a netlink socket copied `bytes` bytes: it may have been the message with a held packet.
    pub fn read_of_held(&mut self, index: EventIdx, event: &Event, bytes: u32) {
        if self.run.field(index, Field::Family) != Some(AF_NETLINK) {
            return;
        }
        let table = &self.table;
        let unread = &mut self.netfilter.unread;
        while unread
            .pop_front_if(|packet| !is_held(&table[*packet]))
            .is_some()
        {}
        let fits = |packet: &PacketId| {
            let draft = &table[*packet];
            let headers = bytes.checked_sub(draft.headers.network_bytes);
            is_held(draft) && headers.is_some_and(|headers| headers <= MESSAGE_HEADERS)
        };
        let found = unread.iter().take(SEARCH_WINDOW).position(fits);
        let read = self.netfilter.read.entry(event.pid).or_default();
        if let Some(packet) = found.and_then(|at| unread.remove(at)) {
            read.push_back(packet);
            let surplus = read.len().saturating_sub(MAX_HELD);
            read.drain(..surplus);
        }
    }

    /// A program has sent a netlink message: the verdict on the first packet that it read.
    pub fn judge_held(&mut self, index: EventIdx, event: &Event) {
        if self.run.field(index, Field::Family) == Some(AF_NETLINK)
            && let Some(read) = self.netfilter.read.get_mut(&event.pid)
        {
            read.pop_front();
        }
    }

    /// `sk_data_ready` in the call with which a program delivers its verdict: the accepted packet is being received
    /// again. TCP segments need no such step, as `tcp_probe` names them.
    pub fn take_up_held(&mut self, index: EventIdx, event: &Event) {
        let proto = self.run.field(index, Field::Proto);
        let is_unnamed = proto.is_some_and(|proto| proto != u32::from(TCP) && proto != MPTCP);
        if event.context != Context::Kernel || !is_unnamed {
            return;
        }
        let Some(read) = self.netfilter.read.get_mut(&event.pid) else {
            return;
        };
        let waiting = read.iter().copied();
        let mut waiting = waiting.filter(|&packet| is_held(&self.table[packet]));
        let Some(packet) = waiting.next() else {
            return;
        };
        let are_several = waiting.next().is_some();
        // The last that is left of several is any of them, too.
        let mixed = &mut self.netfilter.mixed;
        let is_one_of_several = if are_several {
            mixed.insert(event.pid);
            true
        } else {
            mixed.remove(&event.pid)
        };
        self.table[packet].queues.is_one_of_held = is_one_of_several;
        self.table[packet].queues.is_held = false;
        let place = (event.pid, event.context);
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        receiving.enter(packet, None, place, false);
    }

    /// Whether what is freed was a segment for which the netfilter queue had no room, at a reused address: GSO
    /// packets are segmented for programs that cannot take them whole.
    pub fn refuses_segment(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        is_freed_in(self.run, index, ENQUEUES) && !self.just_comes(packet, event)
    }

    /// Whether the segment that TCP processes reuses the address of a held packet: its length differs.
    pub fn is_other_segment(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        if !draft.queues.is_held || event.probe != Probe::TcpProbe {
            return false;
        }
        let payload = self.run.field(index, Field::Payload).unwrap_or(0);
        !draft.headers.may_carry(payload)
    }

    /// Whether the packet was segmented, and its segments are held.
    pub fn is_cut_for_program(&self, packet: PacketId, index: EventIdx) -> bool {
        self.table[packet].queues.is_held && is_freed_in(self.run, index, ENQUEUES)
    }

    /// Whether this event transmits a held packet after a program's verdict.
    pub fn is_let_pass(&self, packet: PacketId, event: &Event) -> bool {
        let draft = &self.table[packet];
        let header = event.len.checked_sub(draft.headers.network_bytes);
        is_held(draft)
            && matches!(header, Some(0 | LINK_HEADER))
            && event.probe == Probe::NetDevQueue
            && self.netfilter.read.contains_key(&event.pid)
    }
}

/// Whether netfilter may still hold the packet: no later event contradicts that.
fn is_held(draft: &Draft) -> bool {
    let is_below_transport = Order::NET_CORE <= draft.order && draft.order < Order::TRANSPORT;
    draft.queues.is_held && is_below_transport && !draft.outcome.is_closed && !draft.is_superseded
}

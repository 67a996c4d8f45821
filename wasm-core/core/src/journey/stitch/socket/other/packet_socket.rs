//! Packet sockets (`tcpdump`, DHCP clients) beside the protocols: each gets a reference to the packet or a clone of
//! it, here called its share.
//!
//! A packet socket bound to a device is served last (`net/core/dev.c: __netif_receive_skb_core`, v6.18). IP has
//! continued with a clone by then (`net/core/skbuff.h: skb_share_check` in `ip_rcv_core`), and the packet socket
//! keeps the original `sk_buff`. A packet socket for all devices is served first and gets the clone. The end of a
//! packet socket's share is not the end of the packet (`net/packet/af_packet.c: packet_rcv`, `tpacket_rcv`,
//! `packet_release`).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::headers::{
    ETH_P_ARP, ETH_P_IP, ETH_P_IPV6, FRAGMENT_LEAST, TCP,
};
use crate::journey::stitch::packet::location::{
    consumes_what_comes, drops_what_comes, freeing_function, is_of_packet_socket,
};
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::packet::reported::{drop_reason, is_freed_in};
use crate::journey::stitch::packet::uapi::AF_PACKET;
use crate::kernel::{Context, Event, EventIdx, Field, PacketId, Probe, Station, Verdict};

/// How many packets without a later event, or later events, are searched; a recording may have thousands of CPUs.
const SEARCH_WINDOW: usize = 4096;

impl Stitcher<'_> {
    /// Whether a packet socket that does not want the packet frees its share here.
    pub fn is_share(&self, index: EventIdx) -> bool {
        freeing_function(self.run, index).is_some_and(is_of_packet_socket)
    }

    /// The same for a packet that IP receives too: a packet socket without room drops its share only
    /// (`net/packet/af_packet.c: packet_rcv`, `tpacket_rcv`, v6.18: `PACKET_SOCK_ERROR`).
    pub fn is_share_of_ip(&self, index: EventIdx) -> bool {
        let protocol = self.run.field(index, Field::Protocol);
        self.is_share(index)
            && protocol
                .is_some_and(|protocol| [ETH_P_IP, ETH_P_ARP, ETH_P_IPV6].contains(&protocol))
    }

    /// A packet socket frees its share: of the packet being received, or a clone at a reused address.
    pub fn free_share(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        if self.just_comes(packet, event) {
            self.part(packet, index, event);
        } else {
            self.table.release_address(packet);
        }
    }

    /// `sk_data_ready` of a socket outside IP: a packet socket has queued its share of the packet being received. It
    /// is the original `sk_buff` if IP has already had an event of the packet.
    pub fn queue_share(&mut self, index: EventIdx, event: &Event) {
        if self.run.field(index, Field::Protocol) != Some(0) || self.is_of_sent(index, event) {
            return;
        }
        let receiving = &self.cpus.at(event.cpu).receiving;
        let Some(packet) = receiving.last_at(event) else {
            return;
        };
        let is_told = receiving.has_queued(packet) || receiving.has_ended();
        self.table[packet].sharing.tapped_at = Some(index);
        let skb = self.table[packet].skb;
        if is_told && self.table.packet_at(skb) == Some(packet) {
            self.part(packet, index, event);
        }
    }

    /// Whether the packet socket's share is of a packet that the CPU sends meanwhile, say an ICMP error about the one
    /// that it is receiving: its device gets that packet next (`net/core/dev.c: xmit_one`, v6.18).
    fn is_of_sent(&self, index: EventIdx, event: &Event) -> bool {
        let near = index.at() + 1..self.run.len().min(index.at() + SEARCH_WINDOW);
        let mut own = near.map(|at| EventIdx(at as u32)).filter(|&at| {
            let of = (
                self.run.cpu[at.at()],
                self.run.pid(at),
                self.run.context[at.at()],
            );
            of == (event.cpu, event.pid, event.context)
        });
        let is_beside = |at: &EventIdx| match self.run.probe[at.at()] {
            Probe::SchedWaking | Probe::SchedWakeup => true,
            Probe::SkDataReady => self.run.field(*at, Field::Family) == Some(AF_PACKET),
            _ => self.is_share(*at),
        };
        let next = own.find(|at| !is_beside(at));
        let next = next.map(|at| self.run.probe[at.at()]);
        matches!(next, Some(Probe::NetDevStartXmit | Probe::NetDevXmit))
    }

    /// The original `sk_buff` belongs to a packet socket from here on; the packet continues as a clone, or has just
    /// ended as one.
    fn part(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let ended = self.cpus.at(event.cpu).receiving.take_ended();
        if let Some((at, verdict)) = ended {
            let freed = self.run.event(at);
            self.table.append(packet, at, &freed);
            self.table[packet].outcome.is_inferred = true;
            self.table.close(packet, verdict, freed.time);
            self.table.clear_address(packet);
            return;
        }
        self.table.append(packet, index, event);
        self.table.stay_put(packet);
        self.table[packet].sharing.clone_since = Some(index);
        self.udp.expect_unaddressed();
        self.table.clear_address(packet);
    }

    /// The packet's `sk_buff` is freed. Returns whether that was the share in a packet socket's queue, freed by a
    /// read or with the socket.
    pub fn returns_share(&mut self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let is_read = is_freed_in(self.run, index, "packet_recvmsg");
        let is_purged = is_freed_in(self.run, index, "skb_queue_purge_reason");
        let draft = &self.table[packet];
        // The copy to the packet socket's reader named the packet but did not end it; that call's return shows so.
        let is_open =
            !draft.outcome.is_closed && (is_read || draft.outcome.verdict == Verdict::Open);
        let is_share = draft.sharing.tapped_at.is_some() && (is_read || is_purged) && is_open;
        if is_share {
            self.part(packet, index, event);
        }
        is_share
    }

    /// Ends packets whose last event is a packet socket's queue as their share ends. While a packet socket has it, IP
    /// discards a frame for another host without an event (`net/ipv4/ip_input.c: ip_rcv_core`, v6.18: the `sk_buff`
    /// is not freed). TCP segments may wait in a backlog, and large fragments in reassembly: they stay open.
    pub fn leave_shares(&mut self) {
        for packet in self.table.packets() {
            let draft = &self.table[packet];
            let Some(queued) = draft.sharing.tapped_at else {
                continue;
            };
            let may_be_fragment =
                draft.headers.is_cut_evenly() && draft.headers.network_bytes > FRAGMENT_LEAST;
            let is_free = |&at: &EventIdx| {
                matches!(self.run.probe[at.at()], Probe::ConsumeSkb | Probe::KfreeSkb)
            };
            let freed = draft.sharing.clone_since.filter(is_free);
            let is_alone = draft.outcome.verdict == Verdict::Open
                && draft.flow.protocol == 0
                && draft.station() == Some(Station::NetCore)
                && (freed.is_some() || !draft.is_superseded)
                && draft.may_have_payload()
                && !may_be_fragment
                && self.tcp.socket_of(draft.hash).is_none();
            if !is_alone || self.table.is_lost(packet) {
                continue;
            }
            let mut ends = vec![Entry::new(queued, Some(Station::ReceiveQueue))];
            let mut verdict = Verdict::Open;
            if let Some(freed) = freed {
                let (end, station) = self.end_of_share(freed);
                verdict = end;
                ends.push(Entry::new(freed, station));
            }
            for entry in &ends {
                self.table.attribute(entry.event, packet);
            }
            let draft = &mut self.table[packet];
            draft.entries.append(&mut ends);
            (draft.outcome.verdict, draft.outcome.is_inferred) = (verdict, true);
        }
    }

    /// The verdict and station of a packet socket's queued share at this free: read, or dropped with its socket.
    fn end_of_share(&self, freed: EventIdx) -> (Verdict, Option<Station>) {
        if is_freed_in(self.run, freed, "packet_recvmsg") {
            let pid = self.run.event(freed).pid;
            let verdict = Verdict::Delivered { pid, read: freed };
            return (verdict, Some(Station::Process));
        }
        let reason = drop_reason(self.run, freed);
        (Verdict::Dropped { reason }, None)
    }

    /// Whether the packet was received in the CPU's current list.
    pub fn just_comes(&self, packet: PacketId, event: &Event) -> bool {
        let since = self
            .cpus
            .get(event.cpu)
            .and_then(|cpu| cpu.receiving.since(event));
        let draft = &self.table[packet];
        since.is_some_and(|since| {
            let mut entries = draft.entries.iter().rev();
            entries.any(|entry| {
                entry.event >= since
                    && self.run.probe[entry.event.at()] == Probe::NetifReceiveSkb
                    && self.run.cpu[entry.event.at()] == event.cpu
            })
        })
    }

    /// Whether `tcp_probe` names the address of a packet from an earlier list of this CPU. A softirq passes TCP what
    /// it has just received, so that packet was freed without an event, and a clone has its address now.
    pub fn is_of_earlier_round(&self, packet: PacketId, event: &Event) -> bool {
        let draft = &self.table[packet];
        let is_on_its_way = draft.order >= Order::NET_CORE && draft.order < Order::TRANSPORT;
        if event.probe != Probe::TcpProbe || event.context != Context::Softirq || !is_on_its_way {
            return false;
        }
        let cpu = self.cpus.get(event.cpu);
        let since = cpu.and_then(|cpu| cpu.receiving.since(event));
        let mut events = draft.entries.iter().rev().map(|entry| entry.event);
        let came = events.find(|at| self.run.probe[at.at()] == Probe::NetifReceiveSkb);
        !draft.queues.is_held && came.zip(since).is_some_and(|(came, since)| came < since)
    }

    /// `kfree_skb` by a function that drops received packets, or `consume_skb` by one that consumes them, at an
    /// address where no packet is being received: if a packet socket has a share of the current packet, this is that
    /// packet's clone. Returns whether it was.
    pub fn end_clone(&mut self, index: EventIdx, event: &Event) -> bool {
        let function = freeing_function(self.run, index);
        let verdict = match event.probe {
            Probe::KfreeSkb if function.is_some_and(drops_what_comes) => Verdict::Dropped {
                reason: drop_reason(self.run, index),
            },
            Probe::ConsumeSkb if function.is_some_and(consumes_what_comes) => Verdict::Consumed,
            _ => return false,
        };
        let there = self.table.packet_at(event.skb);
        // A reassembled datagram has the address of an earlier fragment.
        let is_there = |packet: PacketId| match verdict {
            Verdict::Consumed => !self.table[packet].outcome.is_closed,
            _ => self.just_comes(packet, event),
        };
        if there.is_some_and(is_there) {
            return false;
        }
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        let Some(last) = receiving.in_hand_last(event) else {
            return false;
        };
        receiving.end_as(index, verdict);
        if let Some(packet) = there.filter(|&packet| packet != last) {
            self.table.release_address(packet);
        }
        true
    }

    /// `tcp_probe` at an address without a packet that can continue there: the clone of the packet being received, or
    /// of one that waited in a backlog.
    pub fn cloned(&mut self, index: EventIdx, event: &Event) -> Option<PacketId> {
        if event.probe != Probe::TcpProbe {
            return None;
        }
        let payload = self.run.field(index, Field::Payload)?;
        let table = &self.table;
        let fits = |packet: &PacketId| {
            let draft = &table[*packet];
            !draft.outcome.is_closed
                && !draft.is_probed
                && draft.order >= Order::NET_CORE
                && draft.order < Order::TRANSPORT
                && matches!(draft.flow.protocol, 0 | TCP)
                && draft.headers.may_carry(payload)
        };
        let receiving = self.cpus.receiving(event.cpu);
        let last = receiving.and_then(|receiving| receiving.in_hand_last(event));
        let waited = || {
            let is_shared = |packet: &PacketId| {
                let draft = &table[*packet];
                draft.sharing.is_with_packet_socket()
            };
            let waiting = self
                .cpus
                .unresolved()
                .take(SEARCH_WINDOW)
                .filter(is_shared)
                .filter(fits);
            let waiting: Vec<PacketId> = waiting.collect();
            let socket = |packet: PacketId| self.tcp.socket_of(table[packet].hash);
            let mut of_socket = waiting
                .iter()
                .copied()
                .filter(|&packet| socket(packet) == Some(event.sk));
            // A segment without payload is processed as soon as the task releases the socket: it was received last.
            let first = (payload > 0).then(|| of_socket.next()).flatten();
            let last = receiving.and_then(|receiving| receiving.unresolved().back().copied());
            let is_free = |packet: PacketId| socket(packet).is_none_or(|sk| sk == event.sk);
            let came_last = last.filter(|&last| waiting.contains(&last) && is_free(last));
            first.or(came_last)
        };
        let packet = last.filter(fits).or_else(waited)?;
        self.table.clear_address(packet);
        let draft = &mut self.table[packet];
        draft.sharing.part();
        draft.skb = event.skb;
        self.table.bind_address(packet, event.skb);
        Some(packet)
    }
}

//! `tcp_probe` of kernels before v6.10, which names no `sk_buff` (`include/trace/events/tcp.h: tcp_probe`, v6.1). Their sockets
//! have no address either: the cookie stands for it.
//!
//! The order tells which segment TCP looks at. A softirq hands TCP what it has just received, in order; a task takes out
//! of its socket's backlog what has come to that and was not told of, in order too (`net/core/sock.c: __release_sock`).
//! `sk_data_ready` and `sock_recv_length` came with v6.3: before, a segment with data is in the stream as soon as it is
//! told of, and a copy reads it.

use std::collections::BTreeMap;

use super::draft::{Draft, Ends, Entry};
use super::order::Order;
use super::received::{TCP_HEADER_LEAST, TCP_HEADER_MOST};
use super::{Stitcher, TCP, UDP};
use crate::kernel::{
    AddrId, Context, CpuId, Event, EventIdx, Field, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

/// So many packets of which nothing was told are looked through: a recording may have thousands of CPUs.
const LOOK: usize = 4096;

/// What a CPU has just received, in which task and context: the hash, or none where several are in hand.
type InHand = (AddrId, u32, Pid, Context);

/// Whether `tcp_probe` names no segment.
pub(super) fn is_unnamed(run: &Run) -> bool {
    let mut probes = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::TcpProbe);
    probes.next().is_some_and(|first| !run.skb(first).is_some())
}

/// The socket to which the packets of each hash come, as most of the probes in softirqs tell that have one packet in hand.
/// It is looked for before all else, as the first of a connection may wait in its backlog.
pub(super) fn sockets_of_hashes(run: &Run) -> BTreeMap<u32, AddrId> {
    let mut hash_of: BTreeMap<AddrId, u32> = BTreeMap::new();
    let mut in_hand: BTreeMap<CpuId, InHand> = BTreeMap::new();
    let mut told: BTreeMap<u32, BTreeMap<AddrId, u32>> = BTreeMap::new();
    for index in run.indices() {
        let event = run.event(index);
        let (skb, place) = (event.skb, (event.pid, event.context));
        match event.probe {
            Probe::NetifReceiveSkb => {
                let hash = hash_of.get(&skb).copied().unwrap_or(0);
                let before = in_hand.get(&event.cpu);
                let is_one = before.is_none_or(|&(other, .., pid, context)| {
                    other == skb || (pid, context) != place
                });
                let hash = if is_one { hash } else { 0 };
                in_hand.insert(event.cpu, (skb, hash, event.pid, event.context));
            }
            Probe::TcpProbe if !skb.is_some() => {
                if let Some((_, hash @ 1.., pid, context)) = in_hand.remove(&event.cpu)
                    && (pid, context) == place
                    && let Some(cookie) = run.field(index, Field::Cookie)
                {
                    *told
                        .entry(hash)
                        .or_default()
                        .entry(AddrId(cookie))
                        .or_default() += 1;
                }
            }
            Probe::NapiPoll | Probe::SoftirqEntry | Probe::SoftirqExit => {
                in_hand.remove(&event.cpu);
            }
            _ => {
                if let Some(hash) = run.field(index, Field::Hash) {
                    hash_of.insert(skb, hash);
                }
            }
        }
    }
    let most = |sockets: BTreeMap<AddrId, u32>| sockets.into_iter().max_by_key(|&(_, times)| times);
    let sockets = told.into_iter();
    sockets
        .filter_map(|(hash, sockets)| most(sockets).map(|(sk, _)| (hash, sk)))
        .collect()
}

/// What `tcp_probe` tells of the segment that it does not name.
#[derive(Debug, Clone, Copy)]
struct Told {
    sk: AddrId,
    /// 16 bits of it.
    payload: u32,
}

impl Told {
    /// How long the TCP header is of a packet that has this payload.
    fn header_of(self, draft: &Draft) -> u32 {
        let headers = draft.ip_header().wrapping_add(self.payload);
        draft.network_bytes.wrapping_sub(headers) & 0xffff
    }

    /// Whether the packet has this payload behind headers that TCP may have.
    fn fits(self, draft: &Draft) -> bool {
        let header = self.header_of(draft);
        (TCP_HEADER_LEAST..=TCP_HEADER_MOST).contains(&header) && header.is_multiple_of(4)
    }

    /// Whether it may have grown to this payload in a backlog (`net/ipv4/tcp_ipv4.c: tcp_add_backlog`, v6.1).
    fn may_have_grown(self, draft: &Draft, header: u32) -> bool {
        let own = draft
            .network_bytes
            .saturating_sub(draft.ip_header() + header);
        0 < own && own < self.payload
    }
}

impl Stitcher<'_> {
    /// `tcp_probe` without an address: about the segment that a kprobe has just seen in `tcp_rcv_established`, or about
    /// the one that the order tells.
    pub(super) fn tell_segment(&mut self, index: EventIdx, event: &Event) {
        let looked_at = self.cpu(event.cpu).in_tcp.at(event);
        let looked_at = looked_at.filter(|packet| !self.drafts[packet.at()].is_probed);
        if let Some(packet) = looked_at {
            self.learn_flow(packet, index);
        }
        let field = |field| self.run.field(index, field);
        let (Some(cookie), Some(payload)) = (field(Field::Cookie), field(Field::Payload)) else {
            return;
        };
        // A kprobe names the socket by its address.
        let named = looked_at.map(|packet| self.drafts[packet.at()].sk);
        let named = named.filter(|sk| sk.is_some());
        let told = Told {
            sk: named.unwrap_or(AddrId(cookie)),
            payload,
        };
        if !self.reads.are_inferred(TCP) {
            return;
        }
        self.settle_stream(told.sk);
        let found = looked_at
            .or_else(|| self.segment_in_hand(event, told))
            .or_else(|| self.segment_in_backlog(event, told));
        let Some(packet) = found else {
            return;
        };
        let named = Event {
            sk: told.sk,
            skb: self.drafts[packet.at()].skb,
            ..*event
        };
        self.append(packet, index, &named);
        let order = Order::of(Probe::TcpProbe).unwrap_or(Order::TRANSPORT);
        self.drafts[packet.at()].order = order;
        self.probe_segment(packet, index, &named);
        let draft = &mut self.drafts[packet.at()];
        if draft.payload > 0 {
            draft
                .entries
                .push(Entry::new(index, Some(Station::ReceiveQueue)));
        }
    }

    /// The probe tells the ends of the flow of a segment; its source is this host.
    fn learn_flow(&mut self, packet: PacketId, index: EventIdx) {
        let ends = Ends::of(self.run, index).turned();
        let draft = &mut self.drafts[packet.at()];
        draft.take_ends(ends);
        if draft.protocol != UDP {
            draft.protocol = TCP;
        }
    }

    /// Whether TCP may have yet to look at the packet.
    fn may_be_told(&self, packet: PacketId) -> bool {
        let draft = &self.drafts[packet.at()];
        !draft.is_closed
            && !draft.is_probed
            && draft.verdict == Verdict::Open
            && (Order::NET_CORE..Order::TRANSPORT).contains(&draft.order)
            && matches!(draft.protocol, 0 | TCP)
    }

    /// The segment that the CPU has just received: the first in its hands, where those are several, that can be.
    fn segment_in_hand(&self, event: &Event, told: Told) -> Option<PacketId> {
        let receiving = &self.cpus.get(&event.cpu)?.receiving;
        if !receiving.is_at(event) {
            return None;
        }
        let are_several = receiving.packets.len() > 1;
        let mut packets = receiving.packets.iter().copied();
        packets.find(|&packet| {
            let draft = &self.drafts[packet.at()];
            let socket = self.reads.socket_of(draft.hash);
            let is_of_socket = !are_several || socket.is_none_or(|sk| sk == told.sk);
            self.may_be_told(packet) && told.fits(draft) && is_of_socket
        })
    }

    /// The segment that waited for the task that owned the socket: the first that came to the socket, or, where no hash tells
    /// what did, the one that came last on the task's CPU.
    fn segment_in_backlog(&mut self, event: &Event, told: Told) -> Option<PacketId> {
        if event.context != Context::Kernel {
            return None;
        }
        let header = self.reads.stream(told.sk).header();
        let came = || {
            let came = self.reads.closing.untold_at(told.sk);
            came.filter(|&packet| self.may_be_told(packet))
        };
        let is_next = |packet: &PacketId| {
            let draft = &self.drafts[packet.at()];
            told.header_of(draft) == header || told.may_have_grown(draft, header)
        };
        let fits = |packet: &PacketId| told.fits(&self.drafts[packet.at()]);
        let next = came().find(is_next).or_else(|| came().find(fits));
        let next = next.or_else(|| self.overtaken(told, header));
        next.or_else(|| {
            let silent = self.cpus.get(&event.cpu)?.receiving.silent();
            let last = silent.back().copied()?;
            let draft = &self.drafts[last.at()];
            let is_free = self.reads.socket_of(draft.hash).is_none();
            (is_free && self.may_be_told(last) && told.fits(draft)).then_some(last)
        })
        .or_else(|| self.joined_unknown(told, header))
    }

    /// The first of those that a CPU has received on end and of which no hash tells the flow, if they have as much payload as TCP
    /// tells of: they joined it.
    fn joined_unknown(&self, told: Told, header: u32) -> Option<PacketId> {
        let own = |packet: PacketId| {
            let draft = &self.drafts[packet.at()];
            let headers = draft.ip_header() + header;
            draft.network_bytes.saturating_sub(headers)
        };
        let is_free = |&packet: &PacketId| {
            self.drafts[packet.at()].hash == 0 && self.may_be_told(packet) && own(packet) > 0
        };
        self.cpus.values().find_map(|cpu| {
            let silent = cpu.receiving.silent().iter().copied();
            let free: Vec<PacketId> = silent.filter(is_free).collect();
            let makes_up = |&at: &usize| {
                let mut sum = 0;
                let sums = free[at..].iter().map(|&packet| {
                    sum += own(packet);
                    sum
                });
                sums.take_while(|&sum| sum <= told.payload)
                    .any(|sum| sum == told.payload)
            };
            (0..free.len()).find(makes_up).map(|at| free[at])
        })
    }

    /// The segment that another of its socket has overtaken: a CPU that has received it may put it into the backlog later than
    /// another puts in what it has received since.
    fn overtaken(&self, told: Told, header: u32) -> Option<PacketId> {
        if !self.reads.closing.knows(told.sk) {
            return None;
        }
        let silent = self.cpus.values().flat_map(|cpu| cpu.receiving.silent());
        let mut silent = silent.copied().take(LOOK);
        silent.find(|&packet| {
            let draft = &self.drafts[packet.at()];
            let is_of_socket = self.reads.socket_of(draft.hash) == Some(told.sk);
            is_of_socket && self.may_be_told(packet) && told.header_of(draft) == header
        })
    }

    /// Whether a copy names the segment that `tcp_probe` tells of here.
    pub(super) fn is_head(&self, packet: PacketId, told: EventIdx) -> bool {
        let entries = self.drafts[packet.at()].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let came = |at: &EventIdx| self.run.probe[at.at()] == Probe::NetifReceiveSkb;
        let at = if self.reads.are_unnamed {
            events.find(came)
        } else {
            Some(told)
        };
        at.is_some_and(|at| self.reads.heads.has(at))
    }

    /// What the probe told of last is in its socket's stream, unless TCP has thrown it away since.
    pub(super) fn settle_stream(&mut self, sk: AddrId) {
        let drafts = &self.drafts;
        let is_dropped =
            |packet: PacketId| matches!(drafts[packet.at()].verdict, Verdict::Dropped { .. });
        if let Some(stream) = self.reads.streams.get_mut(&sk)
            && self.reads.are_settled
        {
            stream.settle(is_dropped);
        }
    }
}

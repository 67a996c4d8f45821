//! Packets while their journeys are being put together.

use super::flow::{Ends, UNKNOWN_FLOW};
use super::frames::Frames;
use super::headers::{ETH_P_IP, ETH_P_IPV6, Headers, TCP, is_tcp_header};
use super::order::Order;
use super::outcome::Outcome;
use super::queues::Queues;
use super::sharing::Sharing;
use crate::journey::{Flow, Fragment, GroupId, Mark};
use crate::kernel::{AddrId, Direction, EventIdx, PacketId, Pid, Probe, Station};

/// A journey under construction.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its events, in the order in which they were attributed.
    pub entries: Vec<Entry>,
    /// The furthest point on its path so far.
    pub order: Order,
    /// The last of the probes that a packet passes only once.
    pub origin: Option<Probe>,
    pub outcome: Outcome,
    pub direction: Direction,
    pub skb: AddrId,
    /// Another packet has its address by now.
    pub is_superseded: bool,
    pub bytes: u32,
    pub payload: u32,
    /// Its payload is known, even if 0: reported by `tcp_probe`, or by the copy of data received with a SYN.
    pub is_probed: bool,
    /// Bytes copied from it by copies that name it; `None` without such a copy.
    pub copied: Option<u32>,
    /// Bytes of its payload that its reader passed over: TCP's urgent byte.
    pub passed_over: u32,
    pub mark: Option<Mark>,
    pub seq: Option<u32>,
    pub headers: Headers,
    pub flow: Flow,
    /// Flow hash: chosen by the sender's socket for packets sent here, by the NIC for others.
    pub hash: u32,
    /// The device named last.
    pub dev: Option<u32>,
    pub fragment: Option<Fragment>,
    pub cut_from: PacketId,
    /// The received segment that it answers, as far as is known.
    pub answers: PacketId,
    pub frames: Frames,
    pub sk: AddrId,
    pub queues: Queues,
    /// TCP has processed its acknowledgement.
    pub is_acknowledging: bool,
    pub sharing: Sharing,
    /// The task that its arrival woke.
    pub woke: Pid,
    /// The task that sent it from this host.
    pub sender: Option<Pid>,
}

/// An event of a packet and the station that it reached with it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub event: EventIdx,
    pub station: Option<Station>,
    pub piece: u32,
}

impl Entry {
    pub const fn new(event: EventIdx, station: Option<Station>) -> Self {
        Self {
            event,
            station,
            piece: 0,
        }
    }
}

impl Draft {
    /// A packet of which only direction and address are known.
    pub fn new(direction: Direction, skb: AddrId) -> Self {
        Self {
            entries: Vec::new(),
            order: Order::START,
            origin: None,
            outcome: Outcome::default(),
            direction,
            skb,
            is_superseded: false,
            bytes: 0,
            payload: 0,
            is_probed: false,
            copied: None,
            passed_over: 0,
            mark: None,
            seq: None,
            headers: Headers::default(),
            flow: UNKNOWN_FLOW,
            hash: 0,
            dev: None,
            fragment: None,
            cut_from: PacketId::NONE,
            answers: PacketId::NONE,
            frames: Frames::default(),
            sk: AddrId::NONE,
            queues: Queues::default(),
            is_acknowledging: false,
            sharing: Sharing::default(),
            woke: Pid::UNKNOWN,
            sender: None,
        }
    }

    /// Adopts the flow's ends as far as an event reports them.
    pub fn take_ends(&mut self, ends: Ends) {
        let [source, destination] = ends.0;
        self.flow.source = source.0.or(self.flow.source);
        self.flow.destination = destination.0.or(self.flow.destination);
        self.flow.source_port = source.1.unwrap_or(self.flow.source_port);
        self.flow.destination_port = destination.1.unwrap_or(self.flow.destination_port);
    }

    /// Whether nothing is known of its flow's ends, and the flow may be of this protocol.
    pub fn may_be_of(&self, protocol: u8) -> bool {
        let flow = &self.flow;
        let is_known = flow.source.is_some() || flow.source_port != 0;
        !is_known && (flow.protocol == 0 || flow.protocol == protocol)
    }

    /// The flow's ends, as far as they are known.
    pub const fn ends(&self) -> Ends {
        Ends([
            (self.flow.source, Some(self.flow.source_port)),
            (self.flow.destination, Some(self.flow.destination_port)),
        ])
    }

    /// Whether it is a TCP segment without payload, as far as is known: `tcp_probe` reports none, or it is as long as
    /// a header can be (RFC 9293 section 3.1: 20 to 60 bytes in words of 4).
    pub fn is_bare_segment(&self) -> bool {
        self.flow.protocol == TCP && self.may_be_bare_segment()
    }

    /// The same, also for a packet whose protocol is still unknown.
    pub fn may_be_bare_segment(&self) -> bool {
        let header = self
            .headers
            .network_bytes
            .saturating_sub(self.headers.ip_header());
        let has_no_payload = if self.is_probed {
            self.payload == 0
        } else {
            is_tcp_header(header)
        };
        matches!(self.flow.protocol, 0 | TCP) && has_no_payload
    }

    /// Whether it can carry payload for a socket: IP, and longer than headers can be.
    pub fn may_have_payload(&self) -> bool {
        let is_ip = matches!(self.headers.ethertype, 0 | ETH_P_IP | ETH_P_IPV6);
        is_ip && !self.may_be_bare_segment()
    }

    /// Bytes of its payload that its reader took.
    pub fn read(&self) -> u32 {
        let is_delivered = self.outcome.is_delivered();
        let most = self.payload.saturating_sub(self.passed_over);
        // Where the receive queue was recorded, a delivered packet has been read to its last byte.
        if is_delivered && (self.queues.is_queued() || self.copied.is_none()) {
            return most;
        }
        self.copied.unwrap_or(0).min(most)
    }

    /// The datagram it is a fragment of.
    pub fn group(&self) -> GroupId {
        self.fragment
            .map_or(GroupId::NONE, |fragment| fragment.group)
    }

    /// The last station that it reached.
    pub fn station(&self) -> Option<Station> {
        self.entries.iter().rev().find_map(|entry| entry.station)
    }
}

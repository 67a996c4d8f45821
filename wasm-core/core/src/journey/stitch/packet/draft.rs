//! Packets while their journeys are being put together.

use std::net::{IpAddr, Ipv4Addr};

use super::headers::{
    ETH_P_ARP, ETH_P_IP, ETH_P_IPV6, FRAGMENT_HEADER, IP_HEADER, IP_MF, IP_OFFSET, IPV6_HEADER,
    LINK_PAYLOAD_LEAST, TCP, TCP_HEADER_LEAST, UDP_HEADER, is_tcp_header,
};
use super::order::Order;
use crate::journey::{Fragment, GroupId, Mark};
use crate::kernel::{
    AddrId, Direction, EventIdx, Field, NameId, Nanos, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about one packet, not states"
)]
/// A journey under construction.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Its events, in the order in which they were attributed.
    pub entries: Vec<Entry>,
    /// The furthest point on its path so far.
    pub order: Order,
    /// The last of the probes that a packet passes only once.
    pub origin: Option<Probe>,
    pub verdict: Verdict,
    /// The verdict is inferred from other events; no event of the packet gives it.
    pub is_inferred: bool,
    /// No later event belongs to this packet.
    pub is_closed: bool,
    /// It may be in a netfilter queue, held for a program.
    pub is_held: bool,
    /// Another packet has its address by now.
    pub is_superseded: bool,
    /// The event that put a packet socket's clone of it into that socket's queue, if one is there.
    pub tapped_at: Option<EventIdx>,
    /// The event since which its original `sk_buff` belongs to a packet socket; the packet itself continues as a
    /// clone.
    pub clone_since: Option<EventIdx>,
    /// Set where something other than its last event ended it; may be later than that event.
    pub end: Option<Nanos>,
    pub direction: Direction,
    pub bytes: u32,
    pub payload: u32,
    /// Bytes copied from it by copies that name it; `None` without such a copy.
    pub copied: Option<u32>,
    /// `skb->len` when the transport layer got it.
    pub transport_bytes: u32,
    pub mark: Option<Mark>,
    pub seq: Option<u32>,
    pub ip_id: Option<u16>,
    /// Flags and offset of the IP header, in host order.
    pub frag_off: u16,
    pub fragment: Option<Fragment>,
    pub cut_from: PacketId,
    /// Link frames that it held before anything was merged into it.
    pub own_parts: u32,
    /// Link frames of the packets merged into it.
    pub took_parts: u64,
    /// Link frames that it contributed to the packet it was merged into.
    pub gave_parts: u32,
    /// When a packet was last merged into it; it still existed then.
    pub grew_at: Option<Nanos>,
    pub sk: AddrId,
    /// The socket in whose backlog it waits.
    pub backlog: Option<AddrId>,
    pub skb: AddrId,
    pub protocol: u8,
    pub source: Option<IpAddr>,
    pub destination: Option<IpAddr>,
    pub source_port: u16,
    pub destination_port: u16,
    /// The device named last.
    pub dev: Option<u32>,
    /// TCP has processed its acknowledgement.
    pub is_acknowledging: bool,
    /// It has reached a socket's receive queue.
    pub is_queued: bool,
    /// It waits in TCP's out-of-order queue.
    pub is_out_of_order: bool,
    /// A tunnel on this host removed its outer headers.
    pub is_unpacked: bool,
    /// `skb->len` when it entered IP; 0 if not recorded.
    pub network_bytes: u32,
    /// IPv4 header length in bytes if a driver's event reports one with options; else 0.
    pub ip_options_header: u32,
    /// The protocol after the link header (IEEE 802 numbers); 0 where unknown.
    pub ethertype: u32,
    /// Flow hash: chosen by the sender's socket for packets sent here, by the NIC for others.
    pub hash: u32,
    /// The call that dequeued it from a datagram socket has returned: later copies are of other packets.
    pub is_taken: bool,
    /// Its payload is known, even if 0: reported by `tcp_probe`, or by the copy of data received with a SYN.
    pub is_probed: bool,
    /// The event that queued its first clone, if several sockets have it.
    pub share: Option<EventIdx>,
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
            verdict: Verdict::Open,
            is_inferred: false,
            is_closed: false,
            is_held: false,
            is_superseded: false,
            tapped_at: None,
            clone_since: None,
            end: None,
            direction,
            bytes: 0,
            payload: 0,
            copied: None,
            transport_bytes: 0,
            mark: None,
            seq: None,
            ip_id: None,
            frag_off: 0,
            fragment: None,
            cut_from: PacketId::NONE,
            own_parts: 1,
            took_parts: 0,
            gave_parts: 0,
            grew_at: None,
            sk: AddrId::NONE,
            backlog: None,
            skb,
            protocol: 0,
            source: None,
            destination: None,
            source_port: 0,
            destination_port: 0,
            dev: None,
            is_acknowledging: false,
            is_queued: false,
            is_out_of_order: false,
            is_unpacked: false,
            network_bytes: 0,
            ip_options_header: 0,
            ethertype: 0,
            hash: 0,
            is_taken: false,
            is_probed: false,
            share: None,
            woke: Pid::UNKNOWN,
            sender: None,
        }
    }

    /// Adopts the flow's ends as far as an event reports them.
    pub fn take_ends(&mut self, ends: Ends) {
        let [source, destination] = ends.0;
        self.source = source.0.or(self.source);
        self.destination = destination.0.or(self.destination);
        self.source_port = source.1.unwrap_or(self.source_port);
        self.destination_port = destination.1.unwrap_or(self.destination_port);
    }

    /// The flow's ends, as far as they are known.
    pub const fn ends(&self) -> Ends {
        Ends([
            (self.source, Some(self.source_port)),
            (self.destination, Some(self.destination_port)),
        ])
    }

    /// UDP payload in bytes, if it is an unfragmented datagram.
    pub fn datagram_bytes(&self) -> u32 {
        self.network_bytes
            .saturating_sub(self.ip_header() + UDP_HEADER)
    }

    /// TCP payload in bytes, if its TCP header has this length. While nothing shows the header's own length, that is
    /// `headers::TCP_HEADER`.
    pub const fn tcp_payload(&self, header: u32) -> u32 {
        let headers = self.ip_header() + header;
        self.network_bytes.saturating_sub(headers)
    }

    /// Length in bytes of its TCP header, if it has this payload, of which only the lower 16 bits are known: so
    /// `tcp_probe` reports it.
    pub const fn tcp_header(&self, payload: u32) -> u32 {
        let headers = self.ip_header().wrapping_add(payload);
        self.network_bytes.wrapping_sub(headers) & 0xffff
    }

    /// Whether it can be a segment with this payload, of which only the lower 16 bits are known.
    pub const fn may_carry(&self, payload: u32) -> bool {
        let shortest = self
            .ip_header()
            .wrapping_add(TCP_HEADER_LEAST)
            .wrapping_add(payload);
        let may_be_padded =
            self.network_bytes == LINK_PAYLOAD_LEAST && shortest <= LINK_PAYLOAD_LEAST;
        is_tcp_header(self.tcp_header(payload)) || may_be_padded
    }

    /// Length of its IP header in bytes, without options unless a driver's event reported them (RFC 791 section 3.1,
    /// RFC 8200 section 3).
    pub const fn ip_header(&self) -> u32 {
        match self.ethertype {
            ETH_P_IPV6 => IPV6_HEADER,
            _ if self.ip_options_header > 0 => self.ip_options_header,
            _ => IP_HEADER,
        }
    }

    /// Length of the IPv6 fragment header in bytes, for a fragment (RFC 8200 section 4.5); 0 for IPv4.
    pub const fn fragment_header(&self) -> u32 {
        if self.ethertype == ETH_P_IPV6 {
            FRAGMENT_HEADER
        } else {
            0
        }
    }

    /// IP payload in bytes, for a fragment.
    pub const fn ip_payload(&self) -> u32 {
        let headers = self.ip_header() + self.fragment_header();
        self.network_bytes.saturating_sub(headers)
    }

    /// Whether it can be a fragment that is not the last: the length of those is a multiple of 8 bytes (RFC 791
    /// section 3.2).
    pub const fn is_cut_evenly(&self) -> bool {
        self.ip_payload() > 0 && self.ip_payload().is_multiple_of(8)
    }

    /// Whether it is a TCP segment without payload, as far as is known: `tcp_probe` reports none, or it is as long as
    /// a header can be (RFC 9293 section 3.1: 20 to 60 bytes in words of 4).
    pub fn is_bare_segment(&self) -> bool {
        self.protocol == TCP && self.may_be_bare_segment()
    }

    /// The same, also for a packet whose protocol is still unknown.
    pub fn may_be_bare_segment(&self) -> bool {
        let header = self.network_bytes.saturating_sub(self.ip_header());
        let has_no_payload = if self.is_probed {
            self.payload == 0
        } else {
            is_tcp_header(header)
        };
        matches!(self.protocol, 0 | TCP) && has_no_payload
    }

    /// Whether it can carry a neighbour's address: ARP, or a neighbour advertisement with no other option (RFC 4861
    /// section 4.4).
    pub const fn tells_neighbour(&self) -> bool {
        self.ethertype == ETH_P_ARP || self.ethertype == ETH_P_IPV6 && self.network_bytes <= 72
    }

    /// Whether it can carry payload for a socket: IP, and longer than headers can be.
    pub fn may_have_payload(&self) -> bool {
        let is_ip = matches!(self.ethertype, 0 | ETH_P_IP | ETH_P_IPV6);
        is_ip && !self.may_be_bare_segment()
    }

    /// Link frames that it holds.
    pub fn parts(&self) -> u32 {
        let parts = u64::from(self.own_parts) + self.took_parts;
        u32::try_from(parts).unwrap_or(u32::MAX)
    }

    /// Something is merged into it at this time; it does not end before.
    pub fn grows(&mut self, at: Nanos) {
        self.grew_at = self.grew_at.max(Some(at));
    }

    /// Bytes of its payload that its reader took.
    pub fn read(&self) -> u32 {
        let is_delivered = matches!(self.verdict, Verdict::Delivered { .. });
        // Where the receive queue was recorded, a delivered packet has been read to its last byte.
        if is_delivered && (self.is_queued || self.copied.is_none()) {
            return self.payload;
        }
        self.copied.unwrap_or(0).min(self.payload)
    }

    /// The datagram it is a fragment of.
    pub fn group(&self) -> GroupId {
        self.fragment
            .map_or(GroupId::NONE, |fragment| fragment.group)
    }

    /// Whether its IP header says that it is a fragment.
    pub const fn is_fragment(&self) -> bool {
        self.frag_off & (IP_MF | IP_OFFSET) != 0
    }

    /// The last station that it reached.
    pub fn station(&self) -> Option<Station> {
        self.entries.iter().rev().find_map(|entry| entry.station)
    }
}

/// A flow's two ends as an event reports them: address and port of source and destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ends(pub [(Option<IpAddr>, Option<u16>); 2]);

impl Ends {
    pub fn of(run: &Run, index: EventIdx) -> Self {
        let mut ends = [(None, None); 2];
        let v6 = |name| run.names.text(NameId(name)).parse().map(IpAddr::V6).ok();
        let v4 = |value| (value != 0).then(|| IpAddr::V4(Ipv4Addr::from_bits(value)));
        for (field, value) in run.fields(index) {
            match field {
                Field::Saddr => ends[0].0 = v4(value).or(ends[0].0),
                Field::Daddr => ends[1].0 = v4(value).or(ends[1].0),
                Field::Saddrv6 => ends[0].0 = v6(value).or(ends[0].0),
                Field::Daddrv6 => ends[1].0 = v6(value).or(ends[1].0),
                Field::Sport => ends[0].1 = Some(value as u16),
                Field::Dport => ends[1].1 = Some(value as u16),
                _ => {}
            }
        }
        Self(ends)
    }

    /// The same from the other end: source and destination exchanged.
    pub const fn turned(self) -> Self {
        let [source, destination] = self.0;
        Self([destination, source])
    }
}

//! Packets while their journeys are being put together.

use std::net::{IpAddr, Ipv4Addr};

use crate::journey::{Fragment, GroupId, Mark};
use crate::kernel::{
    AddrId, Direction, EventIdx, Field, NameId, Nanos, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

use super::TCP;
use super::order::Order;

#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about one packet, not states"
)]
/// A journey in the making.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Its events, in the order in which they were found.
    pub entries: Vec<Entry>,
    /// The furthest place it has been at.
    pub order: Order,
    /// The last probe that only comes once.
    pub origin: Option<Probe>,
    pub verdict: Verdict,
    /// What happened beside it tells the verdict, and no event of it.
    pub is_inferred: bool,
    /// No further event is this packet's.
    pub is_closed: bool,
    /// Netfilter may hold it for a program.
    pub is_held: bool,
    /// Another packet has its address now.
    pub is_superseded: bool,
    /// The event at which a packet socket got a share of it into its queue, if one has it there.
    pub shared_at: Option<EventIdx>,
    /// The event since which its own `sk_buff` is a packet socket's: it goes on with a clone.
    pub parted_at: Option<EventIdx>,
    /// Later than its last event where something else ended it.
    pub end: Option<Nanos>,
    pub direction: Direction,
    pub bytes: u32,
    pub payload: u32,
    /// How much of it copies took that name it; none where no copy does.
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
    /// Frames of the link that it had before anything merged into it.
    pub own_parts: u32,
    /// Those of what merged into it.
    pub took_parts: u64,
    /// Those that it brought into what it merged into.
    pub gave_parts: u32,
    /// When something merged into it last: it was still there.
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
    /// The device that was named last.
    pub dev: Option<u32>,
    /// TCP has looked at its acknowledgement.
    pub is_acknowledging: bool,
    /// It is in a socket's receive queue or further.
    pub is_queued: bool,
    /// It waits in TCP's out-of-order queue.
    pub is_out_of_order: bool,
    /// A tunnel took the outer headers off it on this host.
    pub is_unpacked: bool,
    /// `skb->len` when IP got it; 0 where it was not seen there.
    pub network_bytes: u32,
    /// Bytes of its IP header where that has options, as a driver was told; else 0.
    pub ip_options_header: u32,
    /// What follows the link's header (IEEE 802 numbers); 0 where unknown.
    pub ethertype: u32,
    /// Of its flow: chosen by the sender's socket where it set out here, by the NIC elsewhere.
    pub hash: u32,
    /// A call that took it off a datagram socket's queue has returned: no later copy is of it.
    pub is_taken: bool,
    /// `tcp_probe` has told its payload, so that 0 is none, or the copy of what came with a SYN.
    pub is_probed: bool,
    /// The event at which the first socket got a clone of it, where several sockets have it.
    pub share: Option<EventIdx>,
    /// The task that its coming woke.
    pub woke: Pid,
    /// The task that sent it from this host.
    pub sender: Option<Pid>,
}

/// An event of a packet and where it brought it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
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
    /// A packet of which nothing is known yet.
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
            shared_at: None,
            parted_at: None,
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

    /// Takes what is told of its flow's ends.
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

    /// Bytes of UDP payload in it, if it is a datagram in one piece.
    pub fn datagram_bytes(&self) -> u32 {
        self.network_bytes
            .saturating_sub(self.ip_header() + UDP_HEADER)
    }

    /// Bytes of its IP header, without options unless a driver here was told of them (RFC 791 section 3.1, RFC 8200 section 3).
    pub const fn ip_header(&self) -> u32 {
        match self.ethertype {
            ETH_P_IPV6 => 40,
            _ if self.ip_options_header > 0 => self.ip_options_header,
            _ => 20,
        }
    }

    /// Bytes that its IP header is longer by if it is a fragment (RFC 8200 section 4.5).
    pub const fn fragment_header(&self) -> u32 {
        if self.ethertype == ETH_P_IPV6 { 8 } else { 0 }
    }

    /// Bytes that IP carries in it, if it is a fragment.
    pub const fn ip_payload(&self) -> u32 {
        let headers = self.ip_header() + self.fragment_header();
        self.network_bytes.saturating_sub(headers)
    }

    /// Whether it can be a fragment that others follow: all but the last are multiples of 8 bytes
    /// (RFC 791 section 3.2).
    pub const fn is_cut_evenly(&self) -> bool {
        self.ip_payload() > 0 && self.ip_payload().is_multiple_of(8)
    }

    /// Whether it is a TCP segment without payload, as far as is known: `tcp_probe` said so,
    /// or it is no larger than headers can be (RFC 9293 section 3.1: 60 bytes at most).
    pub fn is_bare_segment(&self) -> bool {
        self.protocol == TCP && self.may_be_bare_segment()
    }

    /// The same of a packet whose protocol nothing has told yet.
    pub fn may_be_bare_segment(&self) -> bool {
        let is_small = 0 < self.network_bytes && self.network_bytes <= self.ip_header() + 60;
        let has_no_payload = if self.is_probed {
            self.payload == 0
        } else {
            is_small
        };
        matches!(self.protocol, 0 | TCP) && has_no_payload
    }

    /// Whether it can tell a neighbour's address: ARP, or a neighbour advertisement with at most its address
    /// (RFC 4861 section 4.4).
    pub const fn tells_neighbour(&self) -> bool {
        self.ethertype == ETH_P_ARP || self.ethertype == ETH_P_IPV6 && self.network_bytes <= 72
    }

    /// Whether it can hold payload for a socket: IP's, and not small.
    pub fn may_have_payload(&self) -> bool {
        let is_ip = matches!(self.ethertype, 0 | ETH_P_IP | ETH_P_IPV6);
        is_ip && !self.may_be_bare_segment()
    }

    /// Frames of the link that it holds.
    pub fn parts(&self) -> u32 {
        let parts = u64::from(self.own_parts) + self.took_parts;
        u32::try_from(parts).unwrap_or(u32::MAX)
    }

    /// Something merges into it: it does not end before that.
    pub fn grows(&mut self, at: Nanos) {
        self.grew_at = self.grew_at.max(Some(at));
    }

    /// How much of its payload its reader took.
    pub fn read(&self) -> u32 {
        let is_delivered = matches!(self.verdict, Verdict::Delivered { .. });
        // Where the socket's queue was seen, what is delivered is read to its last byte.
        if is_delivered && (self.is_queued || self.copied.is_none()) {
            return self.payload;
        }
        self.copied.unwrap_or(0).min(self.payload)
    }

    /// A copy took so many bytes of it.
    pub fn add_copy(&mut self, bytes: u32) {
        self.copied = Some(self.copied.unwrap_or(0).saturating_add(bytes));
    }

    /// A copy took nothing after all: it only looked, or was of another packet.
    pub fn take_copy_back(&mut self, bytes: u32) {
        let left = self.copied.map(|copied| copied.saturating_sub(bytes));
        self.copied = left.filter(|&left| left > 0);
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

/// What an event tells of a flow's two ends: address and port of the source, of the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ends(pub [(Option<IpAddr>, Option<u16>); 2]);

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

    /// The same as the other side tells it.
    pub const fn turned(self) -> Self {
        let [source, destination] = self.0;
        Self([destination, source])
    }
}

/// The ethertype of ARP.
pub(super) const ETH_P_ARP: u32 = 0x0806;
/// The ethertype of IPv4.
pub(super) const ETH_P_IP: u32 = 0x0800;
/// The ethertype of IPv6 (`include/uapi/linux/if_ether.h`).
pub(super) const ETH_P_IPV6: u32 = 0x86dd;
/// Bytes of an IPv4 header with all options that it has room for (RFC 791 section 3.1).
pub(super) const IP_HEADER_MOST: u32 = 60;
/// Bytes of a UDP header (RFC 768).
pub(super) const UDP_HEADER: u32 = 8;

/// "More fragments" in the IP header (RFC 791 section 3.1).
pub(super) const IP_MF: u16 = 0x2000;
/// The fragment offset in units of 8 bytes.
pub(super) const IP_OFFSET: u16 = 0x1fff;

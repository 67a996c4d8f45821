//! Where the kernel saw a frame: the first function on receiving, the last on sending, with the header fields of the
//! events there.
//!
//! An skb passes several functions, and its address is reused. A function further along the path than the last one
//! seen at this address belongs to the same frame; any other begins a new one.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use super::dissect::ETHERNET_HEADER;
use crate::kernel::protocol::{ETH_P_IPV6, TCP};
use crate::kernel::{AddrId, Direction, EventIdx, Field, NameId, Nanos, Probe};
use crate::order;
use crate::run::Run;

/// One frame as the kernel saw it.
#[derive(Debug, Clone)]
pub(super) struct Sighting {
    pub(super) skb: AddrId,
    /// On receiving, the time of the first event; on sending, of the last before the driver has it.
    pub(super) time: Nanos,
    pub(super) dev: Option<NameId>,
    /// `skb->len`; `from` is the outermost header that it includes.
    pub(super) len: Option<u32>,
    pub(super) from: Layer,
    pub(super) protocol: Option<u32>,
    pub(super) ip: Option<IpFacts>,
    /// The IP protocol, where no event reports IPv4's number beside it.
    pub(super) proto: Option<u8>,
    /// Sender and receiver.
    pub(super) hosts: [Option<IpAddr>; 2],
    pub(super) ports: (Option<u16>, Option<u16>),
    pub(super) seq: Option<u32>,
    /// The rank of the furthest function seen.
    rank: u8,
}

/// The IP header fields that the events report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IpFacts {
    pub(super) proto: u8,
    pub(super) id: u16,
    pub(super) frag_off: u16,
}

/// The outermost header included in a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    Link,
    Network,
    Transport,
}

/// The rank of `dev_hard_start_xmit`: a packet below it was never passed to the driver.
const DRIVER: u8 = 3;

/// The ranks on receiving, from the driver to the transport layer.
const fn receive_rank(probe: Probe) -> Option<(u8, Layer)> {
    Some(match probe {
        Probe::NapiGroReceive => (0, Layer::Network),
        Probe::NapiGroReceiveEntry | Probe::NapiGroFragsEntry => (1, Layer::Network),
        Probe::NetifReceiveSkbEntry | Probe::NetifReceiveSkbListEntry => (2, Layer::Network),
        // The tracepoint is inside the function (net/core/dev.c, v6.12).
        Probe::NetifReceiveSkbCore => (3, Layer::Network),
        Probe::NetifReceiveSkb => (4, Layer::Network),
        Probe::IpRcv => (5, Layer::Network),
        Probe::IpRcvCore => (6, Layer::Network),
        Probe::IpLocalDeliver => (7, Layer::Network),
        Probe::TcpV4Rcv => (8, Layer::Transport),
        _ => return None,
    })
}

/// The ranks on sending, from IP to the driver.
const fn transmit_rank(probe: Probe) -> Option<(u8, Layer)> {
    Some(match probe {
        // After fragmentation, and in many probe sets the last with the IP header.
        Probe::IpFinishOutput2 => (0, Layer::Network),
        Probe::DevQueueXmit => (1, Layer::Link),
        Probe::NetDevQueue => (2, Layer::Link),
        Probe::DevHardStartXmit => (DRIVER, Layer::Link),
        Probe::NetDevStartXmit => (4, Layer::Link),
        Probe::NdoStartXmit => (5, Layer::Link),
        Probe::NetDevXmit => (6, Layer::Link),
        _ => return None,
    })
}

/// All sightings of one direction, by time. Loopback is left out, as it has no link.
pub(super) fn sightings(run: &Run, direction: Direction) -> Vec<Sighting> {
    let rank_of = match direction {
        Direction::Receive => receive_rank,
        Direction::Transmit => transmit_rank,
    };
    let mut found: Vec<Sighting> = Vec::new();
    let mut current: BTreeMap<AddrId, usize> = BTreeMap::new();
    for index in run.indices() {
        let (probe, skb) = (run.probe[index.at()], run.skb(index));
        if matches!(probe, Probe::ConsumeSkb | Probe::KfreeSkb) {
            current.remove(&skb);
        }
        if !skb.is_some() {
            continue;
        }
        let Some((rank, from)) = rank_of(probe) else {
            if probe == Probe::TcpProbe
                && direction == Direction::Receive
                && let Some(place) = current.remove(&skb)
            {
                found[place].learn_of_socket(run, index);
            }
            continue;
        };
        let seen = current.get(&skb).map(|&place| &mut found[place]);
        if let Some(sighting) = seen.filter(|sighting| sighting.rank < rank) {
            sighting.rank = rank;
            sighting.learn(run, index);
            if direction == Direction::Transmit && probe != Probe::NetDevXmit {
                sighting.time = run.time(index);
            }
        } else {
            current.insert(skb, found.len());
            found.push(Sighting::new(run, index, rank, from));
        }
        // NETDEV_TX_BUSY and the like: the driver refused the packet.
        let refused = run.field(index, Field::Rc).is_some_and(|rc| rc != 0);
        if probe == Probe::NetDevXmit
            && refused
            && let Some(&place) = current.get(&skb)
        {
            found[place].rank = 0;
        }
    }
    found.retain(|sighting| {
        let dev = sighting.dev.map(|dev| run.names.text(dev));
        dev != Some("lo")
    });
    if direction == Direction::Transmit {
        if found.iter().any(|sighting| sighting.rank >= DRIVER) {
            found.retain(|sighting| sighting.rank >= DRIVER);
        }
        // A queueing discipline may have reordered them.
        order::sort_by_key(&mut found, |sighting| sighting.time);
    }
    found
}

impl Sighting {
    /// Its length in bytes from the network header on, if its length includes that.
    pub(super) fn network_length(&self) -> Option<u32> {
        self.len.and_then(|len| match self.from {
            Layer::Link => len.checked_sub(ETHERNET_HEADER),
            Layer::Network => Some(len),
            Layer::Transport => None,
        })
    }

    fn new(run: &Run, index: EventIdx, rank: u8, from: Layer) -> Self {
        let event = run.event(index);
        let mut sighting = Self {
            skb: event.skb,
            time: event.time,
            dev: None,
            len: (event.len != crate::kernel::Event::NO_LEN).then_some(event.len),
            from,
            protocol: None,
            ip: None,
            proto: None,
            hosts: [None, None],
            ports: (None, None),
            seq: None,
            rank,
        };
        sighting.learn(run, index);
        sighting
    }

    /// Takes what this event reports and no earlier one did.
    fn learn(&mut self, run: &Run, index: EventIdx) {
        let field = |field| run.field(index, field);
        self.dev = self.dev.or(field(Field::Dev).map(NameId));
        self.protocol = self.protocol.or(field(Field::Protocol));
        let proto = field(Field::Proto);
        // If a driver leaves the headers in a page, the first probes read zeros.
        if self.ip.is_none()
            && let (Some(proto @ 1..), Some(id)) = (proto, field(Field::IpId))
        {
            self.ip = Some(IpFacts {
                proto: proto as u8,
                id: id as u16,
                frag_off: field(Field::FragOff).unwrap_or(0) as u16,
            });
        }
        if proto == Some(0) {
            return;
        }
        self.proto = self.proto.or(proto.map(|proto| proto as u8));
        let (hosts, ports) = ends(run, index);
        self.take_ends(hosts, ports);
        // The probes read a TCP header whatever the protocol.
        let is_tcp = proto.map_or(run.probe[index.at()] == Probe::TcpV4Rcv, |proto| {
            proto == u32::from(TCP)
        });
        if is_tcp && !self.is_later_fragment() {
            self.seq = self.seq.or(field(Field::SeqNo));
        }
    }

    /// `tcp_probe` reports the ends of the socket that the segment came to: its own is the segment's destination.
    fn learn_of_socket(&mut self, run: &Run, index: EventIdx) {
        let ([own, peer], (own_port, peer_port)) = ends(run, index);
        self.proto = self.proto.or(Some(TCP));
        self.take_ends([peer, own], (peer_port, own_port));
    }

    fn take_ends(&mut self, hosts: [Option<IpAddr>; 2], ports: (Option<u16>, Option<u16>)) {
        let [source, destination] = hosts;
        self.hosts = [self.hosts[0].or(source), self.hosts[1].or(destination)];
        self.ports = (self.ports.0.or(ports.0), self.ports.1.or(ports.1));
    }

    /// Whether it is known to be of IPv6.
    pub(super) fn is_v6(&self) -> bool {
        let has_address = self.hosts.iter().flatten().any(IpAddr::is_ipv6);
        self.protocol == Some(ETH_P_IPV6) || self.protocol.is_none() && has_address
    }

    /// Whether the events report something by which a frame of its kind is told from others.
    pub(super) fn has_content(&self) -> bool {
        let has_ends = self.hosts.iter().any(Option::is_some) || self.ports.0.is_some();
        self.ip.is_some() || self.seq.is_some() || self.is_v6() && has_ends
    }

    /// Whether it is a fragment other than the first: what the probes read as ports is payload.
    pub(super) fn is_later_fragment(&self) -> bool {
        self.ip
            .is_some_and(|ip| ip.frag_off & super::frame::Ip::OFFSET != 0)
    }
}

/// Addresses and ports, the source's first.
type Ends = ([Option<IpAddr>; 2], (Option<u16>, Option<u16>));

/// The addresses and ports that an event reports.
fn ends(run: &Run, index: EventIdx) -> Ends {
    let field = |field| run.field(index, field);
    let host = |v4, v6| {
        let name = field(v6).map(|name| run.names.text(NameId(name)));
        let v6 = name.and_then(|name| name.parse().ok().map(IpAddr::V6));
        let v4 = field(v4).filter(|&address| address != 0);
        v6.or_else(|| v4.map(|address| IpAddr::V4(Ipv4Addr::from_bits(address))))
    };
    let port = |of| field(of).map(|port| port as u16);
    (
        [
            host(Field::Saddr, Field::Saddrv6),
            host(Field::Daddr, Field::Daddrv6),
        ],
        (port(Field::Sport), port(Field::Dport)),
    )
}

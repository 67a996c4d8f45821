//! Where the kernel saw a frame: the first function on receiving, the last on sending, with the header fields of the
//! events there.
//!
//! An skb passes several functions, and its address is reused. A function further along the path than the last one
//! seen at this address belongs to the same frame; any other begins a new one.

use std::collections::BTreeMap;

use super::dissect::ETHERNET_HEADER;
use crate::kernel::protocol::TCP;
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
        let Some((rank, from)) = rank_of(probe) else {
            continue;
        };
        if !skb.is_some() {
            continue;
        }
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
        let port = |field_of| field(field_of).map(|port| port as u16);
        self.ports.0 = self.ports.0.or(port(Field::Sport));
        self.ports.1 = self.ports.1.or(port(Field::Dport));
        // The probes read a TCP header whatever the protocol.
        let is_tcp = proto.map_or(run.probe[index.at()] == Probe::TcpV4Rcv, |proto| {
            proto == u32::from(TCP)
        });
        if is_tcp && !self.is_later_fragment() {
            self.seq = self.seq.or(field(Field::SeqNo));
        }
    }

    /// Whether it is a fragment other than the first: what the probes read as ports is payload.
    pub(super) fn is_later_fragment(&self) -> bool {
        self.ip
            .is_some_and(|ip| ip.frag_off & super::frame::Ip::OFFSET != 0)
    }
}

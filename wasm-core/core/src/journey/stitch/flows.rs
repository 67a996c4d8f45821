//! The flows of a run, and the addresses that a packet borrows from others with its ports.
//!
//! Two network namespaces of a host may use the same ports at one time, each between hosts of its own. No event names a
//! namespace, but devices and sockets each belong to one: a packet borrows addresses only where these do not tell that it
//! may be another namespace's.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use super::packet::draft::Draft;
use super::packet::headers::is_udp;
use crate::journey::{Flow, FlowId};
use crate::kernel::protocol::has_ports;
use crate::kernel::{AddrId, Field};
use crate::run::Run;

/// Whether it is of a protocol whose packets have no ports.
pub(super) fn is_without_ports(draft: &Draft) -> bool {
    draft.flow.protocol != 0 && !has_ports(draft.flow.protocol)
}

/// A protocol with source and destination port.
type Ports = (u8, u16, u16);

/// The addresses of source and destination.
type Hosts = (Option<IpAddr>, Option<IpAddr>);

/// Whether two hosts that use these ports are most probably the only ones: one port was chosen for the connection. NTP,
/// mDNS and DHCP use a fixed pair, so all their senders have the same.
const fn is_of_one_pair((_, from, to): Ports) -> bool {
    /// The last of the system ports (RFC 6335 section 6).
    const SYSTEM: u16 = 1023;
    from != to && (from > SYSTEM || to > SYSTEM)
}

/// The ports of a packet that has them and no addresses, if it may borrow those of others.
fn borrows(draft: &Draft) -> Option<Ports> {
    let ports = ports_of(draft);
    let may_borrow = ports.1 != 0 && draft.flow.source.is_none() && is_of_one_pair(ports);
    may_borrow.then_some(ports)
}

const fn ports_of(draft: &Draft) -> Ports {
    let flow = &draft.flow;
    (flow.protocol, flow.source_port, flow.destination_port)
}

/// The same for both directions.
const fn either_way((protocol, from, to): Ports) -> Ports {
    if from <= to {
        (protocol, from, to)
    } else {
        (protocol, to, from)
    }
}

/// The devices and sockets of a packet.
#[derive(Debug)]
struct Way {
    devices: BTreeSet<u32>,
    sockets: BTreeSet<AddrId>,
}

impl Way {
    fn of(run: &Run, draft: &Draft) -> Self {
        let events = || draft.entries.iter().map(|entry| entry.event);
        let devices = events().filter_map(|event| run.field(event, Field::Dev));
        let sockets = events().map(|event| run.sk(event));
        Self {
            devices: devices.collect(),
            sockets: sockets.filter(|sk| sk.is_some()).collect(),
        }
    }
}

/// Above the number of namespaces that use the same two ports; of more no way is told from others.
const MAX_WHOLE: usize = 256;

/// What is known of the packets with two ports. Hosts are in the direction of [`either_way`]; of several there are none.
#[derive(Debug, Default)]
struct Known {
    /// The devices of their ways that are a part of no longer way. If there is one, nothing tells of two namespaces.
    whole: Vec<BTreeSet<u32>>,
    /// Those with addresses: by their devices, by their sockets, and by the whole way that theirs is a part of.
    lenders: BTreeSet<(BTreeSet<u32>, Hosts)>,
    by_socket: BTreeMap<AddrId, Option<Hosts>>,
    by_whole: BTreeMap<usize, Option<Hosts>>,
    /// Of each of them a socket is known.
    have_sockets: bool,
}

impl Known {
    fn new() -> Self {
        Self {
            have_sockets: true,
            ..Self::default()
        }
    }

    fn add(&mut self, way: &Way) {
        let devices = &way.devices;
        let is_part = self.whole.iter().any(|it| devices.is_subset(it));
        if !is_part && self.whole.len() <= MAX_WHOLE {
            self.whole.retain(|it| !it.is_subset(devices));
            self.whole.push(devices.clone());
        }
    }

    fn add_lender(&mut self, way: Way, hosts: Hosts) {
        self.add(&way);
        self.have_sockets &= !way.sockets.is_empty();
        for socket in way.sockets {
            learn(&mut self.by_socket, socket, hosts);
        }
        self.lenders.insert((way.devices, hosts));
    }

    /// All packets are known.
    fn settle(&mut self) {
        for (devices, hosts) in std::mem::take(&mut self.lenders) {
            if let Some(whole) = self.whole_of(&devices) {
                learn(&mut self.by_whole, whole, hosts);
            }
        }
    }

    /// The whole way that one through these devices is a part of; `None` if it may be of several.
    fn whole_of(&self, devices: &BTreeSet<u32>) -> Option<usize> {
        let whole = self.whole.iter().enumerate();
        let mut whole = whole.filter(|(_, it)| devices.is_subset(it));
        let (first, _) = whole.next().filter(|_| self.whole.len() <= MAX_WHOLE)?;
        whole.next().is_none().then_some(first)
    }

    /// The addresses that a packet on this way borrows: those of its socket; else the only ones that others on the same
    /// way have.
    fn lend(&self, way: &Way, protocol: u8) -> Option<Hosts> {
        let mut sockets = way.sockets.iter();
        if let Some(of_socket) = sockets.find_map(|socket| self.by_socket.get(socket)) {
            return *of_socket;
        }
        // TCP has several sockets for a connection: the first segments are of the one that listens.
        let is_of_other =
            is_udp(Some(protocol.into())) && self.have_sockets && !way.sockets.is_empty();
        let whole = self.whole_of(&way.devices).filter(|_| !is_of_other)?;
        self.by_whole.get(&whole).copied().flatten()
    }
}

/// Learns the hosts of one of the packets with this key.
fn learn<Key: Ord>(known: &mut BTreeMap<Key, Option<Hosts>>, key: Key, hosts: Hosts) {
    known
        .entry(key)
        .and_modify(|it| *it = it.filter(|&it| it == hosts))
        .or_insert(Some(hosts));
}

/// The flows, without duplicates. A packet without known addresses is assigned to the flow with its ports, if there
/// is exactly one that can be its own.
pub(super) struct Flows {
    pub(super) list: Vec<Flow>,
    by_key: BTreeMap<Flow, FlowId>,
    by_ports: BTreeMap<Ports, Known>,
}

impl Flows {
    pub(super) fn of(run: &Run, drafts: &[Draft]) -> Self {
        let wanted = drafts.iter().filter_map(borrows).map(either_way);
        let mut by_ports: BTreeMap<Ports, Known> =
            wanted.map(|ports| (ports, Known::new())).collect();
        for draft in drafts {
            let ports = ports_of(draft);
            let Some(known) = by_ports.get_mut(&either_way(ports)) else {
                continue;
            };
            let way = Way::of(run, draft);
            if draft.flow.source.is_some() {
                let hosts = turned((draft.flow.source, draft.flow.destination), ports);
                known.add_lender(way, hosts);
            } else {
                known.add(&way);
            }
        }
        by_ports.values_mut().for_each(Known::settle);
        Self {
            list: Vec::new(),
            by_key: BTreeMap::new(),
            by_ports,
        }
    }

    pub(super) fn id(&mut self, run: &Run, draft: &Draft) -> FlowId {
        let has_port = draft.flow.source_port != 0;
        if !has_port && draft.flow.source.is_none() && !is_without_ports(draft) {
            return FlowId::NONE;
        }
        let borrowed = borrows(draft).and_then(|ports| {
            let known = self.by_ports.get(&either_way(ports))?;
            let hosts = known.lend(&Way::of(run, draft), ports.0)?;
            Some(turned(hosts, ports))
        });
        let known = (draft.flow.source, draft.flow.destination);
        let (source, destination) = borrowed.unwrap_or(known);
        let flow = Flow {
            source,
            destination,
            ..draft.flow
        };
        *self.by_key.entry(flow).or_insert_with(|| {
            self.list.push(flow);
            FlowId(self.list.len() as u32 - 1)
        })
    }
}

/// The addresses of a packet with these ports in the direction of [`either_way`], and back.
fn turned((source, destination): Hosts, ports: Ports) -> Hosts {
    if either_way(ports) == ports {
        (source, destination)
    } else {
        (destination, source)
    }
}

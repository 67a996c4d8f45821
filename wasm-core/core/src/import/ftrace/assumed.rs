//! Takes back header fields that kprobes read as IPv4's from packets of another protocol.
//!
//! A kprobe reads at fixed places, whatever the packet is. In IP's own functions those hold; but all that comes passes
//! `napi_gro_receive` and all that is sent `__dev_queue_xmit`: there an IPv6 packet has parts of its addresses where
//! IPv4 has its protocol, its ports and TCP's sequence number, and ARP has a MAC address. What the packet is, another
//! event at its address tells: its ethertype, or that a function of IPv4 gets it. It mostly comes later, so this runs
//! when all events are there. Where none tells, the fields count if the ports are those of a packet that is of IPv4, which
//! a part of an address hardly equals; else they are not observed.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::protocol::{ETH_P_IP, has_ports};
use crate::kernel::{AddrId, Event, EventIdx, Field, Probe, Probes};
use crate::run::Run;

/// The functions that packets of all protocols pass, and of which a kprobe reads header fields.
const OF_ALL: Probes = Probes::of(&[Probe::NapiGroReceive, Probe::DevQueueXmit]);

/// The functions that IPv4 alone has (`net/ipv4`, v6.18).
const OF_IPV4: Probes = Probes::of(&[
    Probe::IpRcv,
    Probe::IpRcvCore,
    Probe::IpLocalDeliver,
    Probe::IpDefrag,
    Probe::IpProtocolDeliverRcu,
    Probe::TcpV4Rcv,
    Probe::UdpRcv,
    Probe::IpQueueXmit,
    Probe::IpSendSkb,
    Probe::IpLocalOut,
    Probe::IpOutput,
    Probe::IpDoFragment,
    Probe::IpFinishOutput2,
]);

/// The fields that are another thing's where the packet is not of IPv4.
const fn is_of_header(field: Field) -> bool {
    matches!(
        field,
        Field::IpId
            | Field::FragOff
            | Field::Proto
            | Field::Sport
            | Field::Dport
            | Field::SeqNo
            | Field::IcmpType
            | Field::IcmpCode
    )
}

/// Takes back the fields of packets that are not of IPv4, as far as is known.
pub(crate) fn take_back(mut run: Run) -> Run {
    let mut packets = Packets::default();
    if run.probe.iter().any(|&probe| OF_ALL.has(probe)) {
        run.each(|index| packets.take(&run, index));
    }
    let unconfirmed = packets.unconfirmed(&run);
    if !unconfirmed.is_empty() {
        let is_it = |index| unconfirmed.binary_search(&index).is_ok();
        run.retain_fields(|index, field| !is_of_header(field) || !is_it(index));
    }
    run
}

/// What events tell of the packets at their addresses.
#[derive(Debug, Default)]
struct Packets {
    /// The event at each address whose fields nothing has confirmed yet.
    open: BTreeMap<AddrId, EventIdx>,
    /// The last event of a function of IPv4 at each address, if no other event came there since.
    of_ipv4: BTreeMap<AddrId, Event>,
    /// The ports that functions of IPv4 told.
    ports: BTreeSet<u32>,
    /// Events whose packets are known to be of another protocol, and those of which nothing is known.
    of_others: Vec<EventIdx>,
    untold: Vec<EventIdx>,
}

impl Packets {
    fn take(&mut self, run: &Run, index: EventIdx) {
        let event = run.event(index);
        if !event.skb.is_some() {
            return;
        }
        let before = self.of_ipv4.remove(&event.skb);
        let is_ipv4 = if OF_IPV4.has(event.probe) {
            self.of_ipv4.insert(event.skb, event);
            let ports = [Field::Sport, Field::Dport].map(|field| run.field(index, field));
            self.ports.extend(ports.into_iter().flatten());
            Some(true)
        } else {
            let ethertype = run.field(index, Field::Protocol).filter(|&it| it != 0);
            ethertype.map(|ethertype| ethertype == ETH_P_IP)
        };
        if OF_ALL.has(event.probe) {
            self.close(event.skb, None);
            if !run.fields(index).any(|(field, _)| is_of_header(field)) {
                return;
            }
            let comes_from_ip = before.filter(|ip| (ip.cpu, ip.pid) == (event.cpu, event.pid));
            match (is_ipv4, comes_from_ip) {
                (Some(true), _) => {}
                (Some(false), _) => self.of_others.push(index),
                (None, Some(ip)) => {
                    if has_no_link_header(&ip, &event) {
                        self.of_others.push(index);
                    }
                }
                (None, None) => {
                    self.open.insert(event.skb, index);
                }
            }
        } else if let Some(is_ipv4) = is_ipv4 {
            self.close(event.skb, Some(is_ipv4));
        } else if matches!(event.probe, Probe::ConsumeSkb | Probe::KfreeSkb) {
            self.close(event.skb, None);
        }
    }

    /// The packet at this address is of IPv4, or of another protocol, or nothing has told.
    fn close(&mut self, skb: AddrId, is_ipv4: Option<bool>) {
        let open = self.open.remove(&skb);
        match is_ipv4 {
            Some(true) => {}
            Some(false) => self.of_others.extend(open),
            None => self.untold.extend(open),
        }
    }

    /// All events whose fields nothing confirmed, in order.
    fn unconfirmed(mut self, run: &Run) -> Vec<EventIdx> {
        self.untold.extend(self.open.into_values());
        let has_known_port = |&index: &EventIdx| {
            let proto = run.field(index, Field::Proto);
            let has_ports = proto.is_some_and(|it| u8::try_from(it).is_ok_and(has_ports));
            let port = run.field(index, Field::Sport).filter(|&port| port != 0);
            has_ports && port.is_some_and(|port| self.ports.contains(&port))
        };
        self.untold.retain(|index| !has_known_port(index));
        let mut all = [self.of_others, self.untold].concat();
        all.sort_unstable();
        all
    }
}

/// Whether `__dev_queue_xmit` gets the packet as IP passed it on: IP tunnel and WireGuard devices add no link header
/// (`include/linux/netdevice.h: net_device::hard_header_len`, v6.18), and the kprobe reads behind an Ethernet header.
fn has_no_link_header(ip: &Event, event: &Event) -> bool {
    ip.probe == Probe::IpFinishOutput2
        && event.probe == Probe::DevQueueXmit
        && ip.known_len().is_some()
        && ip.known_len() == event.known_len()
}

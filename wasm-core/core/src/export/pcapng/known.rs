//! What a run knows of each frame: its time, its way, its headers' fields.

use std::net::{IpAddr, Ipv4Addr};

use crate::journey::{Journeys, Packet};
use crate::kernel::protocol::{ETH_P_IP, TCP};
use crate::kernel::{
    Direction, Event, EventIdx, Field, NameId, Nanos, Origin, PacketId, Probe, Verdict,
};
use crate::opened::Opened;
use crate::order;
use crate::run::Run;

/// The facts of a frame.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) time: Nanos,
    pub(super) device: Option<NameId>,
    pub(super) direction: Direction,
    /// Bytes on the link, where a capture saw them.
    pub(super) length: Option<u32>,
    /// The EtherType.
    pub(super) protocol: u16,
    /// Of IPv4 alone: a run knows no other addresses by number.
    pub(super) ip: Option<Ip>,
    /// A NIC that segments has more than one frame of it.
    pub(super) is_unsegmented: bool,
}

/// The facts of an IPv4 packet.
#[derive(Debug, Clone)]
pub(super) struct Ip {
    pub(super) proto: u8,
    pub(super) source: Ipv4Addr,
    pub(super) destination: Ipv4Addr,
    pub(super) id: Option<u16>,
    /// Flags and offset as in the header.
    pub(super) frag_off: u16,
    pub(super) ports: Option<(u16, u16)>,
    pub(super) seq: Option<u32>,
    pub(super) ack: Option<u32>,
    pub(super) flags: Option<u8>,
    /// The window as it stands in the header.
    pub(super) window: Option<u16>,
    /// The window scale option of a SYN.
    pub(super) scale: Option<u8>,
    /// The blocks of the SACK option.
    pub(super) sack: Vec<(u32, u32)>,
    /// Bytes above the transport header; above IP's in a later fragment.
    pub(super) payload: u32,
    /// Of a fragment bytes above IP in its whole datagram, where known.
    pub(super) datagram: Option<u32>,
    /// The fragment's datagram by a number, for an identification where none is known.
    pub(super) group: u16,
}

/// The frames of a run, by time.
pub(super) struct Frames {
    pub(super) of_link: Vec<Known>,
    /// Frames of which no addresses are known.
    pub(super) left_out: usize,
}

const IPV4: u16 = ETH_P_IP as u16;
const MORE_FRAGMENTS: u16 = 0x2000;

/// The frames that are known: those that a capture saw, or else a simulation's.
pub(super) fn frames(opened: &Opened) -> Frames {
    let run = &opened.run;
    let is_on_link =
        |index: &EventIdx| matches!(run.probe[index.at()], Probe::WireRx | Probe::WireTx);
    let mut of_link: Vec<Known> = run
        .indices()
        .filter(is_on_link)
        .map(|index| seen(run, index))
        .collect();
    let mut left_out = 0;
    if of_link.is_empty() && run.origin == Origin::Simulated {
        for packet in opened.journeys.ids() {
            if let Some(at) = handed_over_at(run, &opened.journeys, packet) {
                match handed_over(run, &opened.journeys, packet, at) {
                    Some(frame) => of_link.push(frame),
                    None => left_out += 1,
                }
            }
        }
        order::sort_by_key(&mut of_link, |frame| frame.time);
    }
    Frames { of_link, left_out }
}

/// A frame that a capture saw.
fn seen(run: &Run, index: EventIdx) -> Known {
    let event = run.event(index);
    let field = |wanted| run.field(index, wanted);
    let small = |wanted| field(wanted).map(|value| value as u16);
    let addresses = field(Field::Saddr).zip(field(Field::Daddr));
    let ip = addresses.zip(field(Field::Proto));
    Known {
        time: event.time,
        device: field(Field::Dev).map(NameId),
        direction: match event.probe {
            Probe::WireRx => Direction::Receive,
            _ => Direction::Transmit,
        },
        length: (event.len != Event::NO_LEN).then_some(event.len),
        protocol: small(Field::Protocol).unwrap_or(0),
        ip: ip.map(|((source, destination), proto)| Ip {
            proto: proto as u8,
            source: source.into(),
            destination: destination.into(),
            id: small(Field::IpId),
            frag_off: small(Field::FragOff).unwrap_or(0),
            ports: small(Field::Sport).zip(small(Field::Dport)),
            seq: field(Field::SeqNo),
            ack: field(Field::AckNo),
            flags: field(Field::TcpFlags).map(|flags| flags as u8),
            window: small(Field::Window),
            scale: field(Field::WindowScale).map(|scale| scale as u8),
            sack: sack(run, index),
            payload: field(Field::Payload).unwrap_or(0),
            datagram: None,
            group: 0,
        }),
        is_unsegmented: false,
    }
}

/// The blocks that a segment acknowledges beyond its number.
fn sack(run: &Run, index: EventIdx) -> Vec<(u32, u32)> {
    let of = |wanted| {
        let fields = run.fields(index).filter(move |&(field, _)| field == wanted);
        fields.map(|(_, value)| value)
    };
    of(Field::SackFrom).zip(of(Field::SackTo)).collect()
}

/// The same of the first event that tells any.
fn first_sack(run: &Run, events: &[EventIdx]) -> Vec<(u32, u32)> {
    let all = events.iter().map(|&index| sack(run, index));
    all.into_iter()
        .find(|blocks| !blocks.is_empty())
        .unwrap_or_default()
}

/// When a device handed a simulated packet over: up with its first event, down when the driver has it.
fn handed_over_at(run: &Run, journeys: &Journeys, id: PacketId) -> Option<Nanos> {
    let mut events = journeys.events(id).iter();
    let is_sent = |index: &&EventIdx| {
        matches!(
            run.probe[index.at()],
            Probe::NdoStartXmit | Probe::NetDevStartXmit | Probe::DevHardStartXmit
        )
    };
    let at = match journeys.packets[id.at()].direction {
        Direction::Receive => events.next(),
        Direction::Transmit => events.find(is_sent),
    };
    at.map(|&index| run.time(index))
}

/// A simulated packet that a device handed over; none where its addresses are not known.
fn handed_over(run: &Run, journeys: &Journeys, id: PacketId, time: Nanos) -> Option<Known> {
    let packet = &journeys.packets[id.at()];
    let events = journeys.events(id);
    let known = |wanted: Field| events.iter().find_map(|&index| run.field(index, wanted));
    let flow = journeys.flows.get(packet.flow.0 as usize);
    let ends = flow.map(|flow| (flow, flow.source, flow.destination));
    let Some((flow, Some(IpAddr::V4(source)), Some(IpAddr::V4(destination)))) = ends else {
        return None;
    };
    let fragment = packet.fragment.map(|fragment| {
        let whole = journeys.groups[fragment.group.0 as usize].bytes;
        let more = if fragment.to < whole || whole == 0 {
            MORE_FRAGMENTS
        } else {
            0
        };
        let is_first = fragment.from == 0;
        let header = if is_first { UDP_HEADER } else { 0 };
        let payload = (fragment.to - fragment.from).saturating_sub(header);
        ((fragment.from / 8) as u16 | more, payload, is_first)
    });
    let (frag_off, payload, is_first) =
        fragment.unwrap_or_else(|| (0, own_payload(run, packet, events), true));
    let ports = (flow.source_port, flow.destination_port);
    let (seq, ack) = numbers(run, journeys, id);
    Some(Known {
        time,
        device: device(run, journeys, id, source),
        direction: packet.direction,
        length: None,
        protocol: IPV4,
        ip: Some(Ip {
            proto: flow.protocol,
            source,
            destination,
            id: packet.ip_id,
            frag_off,
            ports: is_first.then_some(ports),
            seq,
            ack,
            flags: known(Field::TcpFlags).map(|flags| flags as u8),
            window: None,
            scale: None,
            sack: first_sack(run, events),
            payload,
            datagram: packet.fragment.and_then(|fragment| {
                let bytes = journeys.groups[fragment.group.0 as usize].bytes;
                (bytes > 0).then_some(bytes)
            }),
            group: packet
                .fragment
                .map_or(0, |fragment| fragment.group.0 as u16 + 1),
        }),
        is_unsegmented: known(Field::GsoSegs).is_some_and(|segments| segments > 1),
    })
}

const UDP_HEADER: u32 = 8;

/// The payload that a simulated packet had at the device: on its way in what its first event says,
/// as it may grow later; on its way out the least, as some of its events count headers too.
fn own_payload(run: &Run, packet: &Packet, events: &[EventIdx]) -> u32 {
    let lengths = events.iter().map(|&index| run.skb_len(index));
    let mut known = lengths.filter(|&len| len != Event::NO_LEN);
    match packet.direction {
        Direction::Receive => known.next(),
        Direction::Transmit => known.min(),
    }
    .unwrap_or(0)
}

/// The sequence and the acknowledgement number of a TCP segment. GRO merges only what follows each
/// other and acknowledges the same (`net/ipv4/tcp_offload.c: tcp_gro_receive`, v6.12), so that a
/// merged segment's numbers are those of its head and of what merged before.
fn numbers(run: &Run, journeys: &Journeys, id: PacketId) -> (Option<u32>, Option<u32>) {
    let told = |id: PacketId, wanted| {
        let events = journeys.events(id).iter();
        events.copied().find_map(|index| run.field(index, wanted))
    };
    let own = (told(id, Field::SeqNo), told(id, Field::AckNo));
    let packet = &journeys.packets[id.at()];
    let is_tcp = |flow: &crate::journey::Flow| flow.protocol == TCP;
    if own.0.is_some()
        || !journeys
            .flows
            .get(packet.flow.0 as usize)
            .is_some_and(is_tcp)
    {
        return own;
    }
    let Verdict::Merged { into } = packet.verdict else {
        return own;
    };
    let length = |id: PacketId| {
        let packet = &journeys.packets[id.at()];
        own_payload(run, packet, journeys.events(id))
    };
    // Those that merged into it before stand between the two: heads come first.
    let before = (into.0 + 1..id.0).map(PacketId).filter(|other| {
        let verdict = journeys.packets[other.at()].verdict;
        matches!(verdict, Verdict::Merged { into: head } if head == into)
    });
    let offset: u32 = before.map(length).sum::<u32>().wrapping_add(length(into));
    let seq = told(into, Field::SeqNo).map(|seq| seq.wrapping_add(offset));
    (seq, told(into, Field::AckNo))
}

/// The device of a frame, by any of its events; else that of the loopback address, or the first
/// that the run names.
fn device(run: &Run, journeys: &Journeys, id: PacketId, source: Ipv4Addr) -> Option<NameId> {
    let events = journeys.events(id).iter();
    let own = events
        .copied()
        .find_map(|index| run.field(index, Field::Dev));
    let first = || {
        let mut all = run.indices();
        all.find_map(|index| run.field(index, Field::Dev))
    };
    if own.is_none() && source.is_loopback() {
        return None;
    }
    own.or_else(first).map(NameId)
}

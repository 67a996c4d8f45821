//! What the kernel puts aside on a packet's way, or sends over another device or CPU: its journey goes on where it comes
//! back. Stretches in `tests/tracepoints/` of what `ringside-capture -n` recorded of short Python programs over veth
//! between network namespaces, with kernel 6.18; the numbers are those that the programs printed.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;

use ringside::journey::Packet;
use ringside::kernel::{EventIdx, Field, PacketId, Probe, Verdict, VerdictKind};

use crate::recordings::recording;

/// Of 12 datagrams that a router forwards a program drops every third. 12 others, two of each length, and a segment of
/// 6000 bytes come to a host where a program accepts all; the queue has the segment in five pieces.
#[test]
fn a_packet_that_a_program_judges_goes_on_in_its_call() {
    let (_, journeys) = recording("netfilter-queues");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let packets = journeys.packets.iter();
    let of_length = |least: u32, most: u32| {
        packets
            .clone()
            .filter(move |it| (least..=most).contains(&it.bytes))
    };
    let read = |least, most| {
        let read = of_length(least, most).map(|it| (it.verdict.kind(), it.payload));
        let read = read.filter(|&(kind, _)| kind == VerdictKind::Delivered);
        read.map(|(_, payload)| payload).collect::<Vec<_>>()
    };
    assert_eq!(read(142, 153), [100, 101, 103, 104, 106, 107, 109, 110]);
    let accepted: Vec<u32> = (200..206).flat_map(|bytes| [bytes, bytes]).collect();
    assert_eq!(read(242, 247), accepted);
    assert_eq!(
        [read(1448, 1448), read(208, 208)].concat(),
        [1448, 1448, 1448, 1448, 208]
    );
    let dropped = of_length(142, 153).filter(|it| it.verdict.kind() == VerdictKind::Dropped);
    assert_eq!(dropped.count(), 4);
    let whole = of_length(6066, 6066).map(|it| it.verdict.kind());
    assert_eq!(whole.collect::<Vec<_>>(), [VerdictKind::Consumed]);
}

/// Connection tracking on a router gathers 13 datagrams of two and more fragments over IPv4 and IPv6, from sockets with
/// a peer and without; their fragments end in them, and they in the pieces that are sent on. All 21 are read.
#[test]
fn a_datagram_that_a_router_gathers_is_cut_into_pieces_behind_it() {
    let (run, journeys) = recording("udp-fragments-gathered");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let is_read = |at: &_| {
        run.probe[EventIdx::at(*at)] == Probe::SockRecvLength
            && run
                .field(*at, Field::Ret)
                .is_some_and(|ret| ret.cast_signed() > 0)
    };
    let reads = run.indices().filter(is_read).count();
    assert_eq!((reads, journeys.count(VerdictKind::Delivered)), (21, 21));
    let mut pieces: BTreeMap<PacketId, u32> = BTreeMap::new();
    for packet in &journeys.packets {
        if packet.cut_from.is_some() {
            *pieces.entry(packet.cut_from).or_default() += 1;
        }
    }
    assert_eq!(pieces.len(), 13);
    for (whole, pieces) in pieces {
        let whole = &journeys.packets[whole.at()];
        assert_eq!(whole.verdict, Verdict::Consumed);
        assert_eq!(whole.parts, pieces);
    }
}

/// Two CPUs receive 100 datagrams of one length for one socket, and one puts both into its queue where they meet.
#[test]
fn a_datagram_that_another_cpu_queues_is_neither_a_clone_nor_a_fragment() {
    let (_, journeys) = recording("udp-two-cpus");
    let is_read = |packet: &Packet| packet.verdict.kind() == VerdictKind::Delivered;
    assert_eq!(journeys.packets.len(), 100);
    assert!(journeys.packets.iter().all(is_read));
}

/// Each of 30 datagrams is redirected to an intermediate device before its own device sends it, and to another where it
/// comes in.
#[test]
fn a_packet_that_is_redirected_to_an_intermediate_device_comes_back() {
    let (run, journeys) = recording("redirected");
    let mut read = 0;
    for (packet, id) in journeys.packets.iter().zip(journeys.ids()) {
        if packet.verdict.kind() != VerdictKind::Delivered {
            continue;
        }
        let events = journeys.events(id).iter();
        let sent = events.filter(|at| run.probe[at.at()] == Probe::NetDevStartXmit);
        let devices = sent.filter_map(|&at| run.field_name(at, Field::Dev));
        assert_eq!(devices.collect::<Vec<_>>(), ["j2ifa", "j2va", "j2ifb"]);
        read += 1;
    }
    assert_eq!(read, 30);
}

/// A program that is the link of two taps copies what is sent at one into the other. The sender closes its socket at once,
/// so that most acknowledgements find it in FIN-WAIT.
#[test]
fn acknowledgements_to_a_closing_socket_are_consumed() {
    let (run, journeys) = recording("tap-acknowledgements");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let probed = |id: PacketId| {
        let mut events = journeys.events(id).iter();
        events.any(|at| run.probe[at.at()] == Probe::TcpProbe)
    };
    let is_untold = |&(packet, id): &(&Packet, PacketId)| {
        packet.verdict == Verdict::Consumed && packet.is_inferred && !probed(id)
    };
    let packets = journeys.packets.iter().zip(journeys.ids());
    assert!(packets.filter(is_untold).count() >= 15);
    let is_tcp = |packet: &&Packet| {
        let flow = journeys.flows.get(packet.flow.0 as usize);
        let is_read = packet.verdict.kind() == VerdictKind::Delivered;
        is_read && flow.is_some_and(|flow| flow.protocol == 6)
    };
    let payload = journeys.packets.iter().filter(is_tcp);
    assert_eq!(payload.map(|it| it.payload).sum::<u32>(), 100_000);
}

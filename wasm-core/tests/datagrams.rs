//! Datagrams in recordings of tracepoints alone: those that several sockets have, and fragments, in stretches of what
//! `ringside-capture` recorded of short Python programs over veth, between network namespaces. Each ends as it did.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;

use ringside::journey::{GroupId, Journeys, Packet};
use ringside::kernel::{
    AddrId, DropReason, EventIdx, Field, PacketId, Probe, Station, Verdict, VerdictKind,
};
use ringside::run::Run;

use crate::recordings::{import, recording};

/// What each socket's reads returned, in their order, and of what payload the packets are that they are said to have taken.
fn reads(run: &Run, journeys: &Journeys) -> BTreeMap<AddrId, Vec<(u32, Option<u32>)>> {
    let mut reads: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for at in run.indices() {
        if run.probe[at.at()] != Probe::SockRecvLength {
            continue;
        }
        let mut packets = journeys.packets.iter();
        let is_its = |verdict| matches!(verdict, Verdict::Delivered { read, .. } if read == at);
        let packet = packets.find(|packet| is_its(packet.verdict));
        let returned = run.field(at, Field::Ret).unwrap();
        let of_socket = reads.entry(run.event(at).sk).or_default();
        of_socket.push((returned, packet.map(|packet| packet.payload)));
    }
    reads
}

/// Each socket of a group has a clone of what comes to it, and a socket reads none twice.
#[test]
fn each_socket_of_a_group_reads_a_datagram_of_its_own() {
    let (run, journeys) = recording("udp-multicast");
    let reads = reads(&run, &journeys);
    let is_its_own = |&(returned, payload): &(u32, Option<u32>)| payload == Some(returned);
    assert!(reads.values().flatten().all(is_its_own), "{reads:?}");
    let mut lengths: Vec<Vec<u32>> = Vec::new();
    for of_socket in reads.values() {
        lengths.push(of_socket.iter().map(|read| read.0).collect());
    }
    lengths.sort();
    let of_group = vec![100, 101, 102];
    let whole = [&of_group[..], &[300, 3000]].concat();
    let broadcast = vec![200, 201];
    let expected = [of_group, whole.clone(), whole, broadcast.clone(), broadcast];
    assert_eq!(lengths, expected);
    // One of them was closed before it read the last but one.
    let reason = DropReason::SocketClose;
    let thrown_away = |verdict| verdict == Verdict::Dropped { reason };
    let mut packets = journeys.packets.iter();
    let thrown_away = packets.find(|packet| thrown_away(packet.verdict));
    assert!(thrown_away.is_some_and(|packet| packet.bytes == 342 && packet.is_inferred));
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Two of three sockets of a group have room for three datagrams: of two more their clones are dropped.
#[test]
fn a_socket_of_a_group_without_room_drops_its_clone() {
    let (run, journeys) = recording("udp-multicast-full");
    let is_drop = |&at: &EventIdx| {
        run.probe[at.at()] == Probe::KfreeSkb
            && run
                .field_name(at, Field::Location)
                .is_some_and(|by| by.starts_with("udp_"))
    };
    let mut dropped = Vec::new();
    for at in run.indices().filter(is_drop) {
        let packet = &journeys.packets[journeys.packet_of[at.at()].at()];
        dropped.push((packet.bytes, packet.verdict));
    }
    let reason = DropReason::SocketRcvbuff;
    let of = |bytes: u32| (bytes, Verdict::Dropped { reason });
    assert_eq!(dropped, [of(545), of(545), of(546), of(546)]);
    assert_eq!(journeys.count(VerdictKind::Delivered), 11);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// A router's link takes 600 bytes a packet, so that it cuts two of three fragments again.
#[test]
fn fragments_that_a_router_cut_again_are_counted_in_their_order() {
    let (_, journeys) = recording("udp-fragments-routed");
    let mut names: Vec<Vec<(u16, u16)>> = Vec::new();
    for number in 0..journeys.groups.len() {
        let parts = journeys.fragments(GroupId(number as u32)).iter();
        let pieces = parts.filter_map(|&part| journeys.piece(part));
        names.push(pieces.map(|piece| (piece.number, piece.of)).collect());
    }
    let all = |of: u16| -> Vec<(u16, u16)> { (1..=of).map(|number| (number, of)).collect() };
    assert_eq!(names, [all(3), all(7), all(7), all(3)]);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// No socket is there for one, and a socket's buffer is full for two; another waits in a socket that is closed.
#[test]
fn the_fragments_of_a_datagram_that_is_dropped_end_in_it() {
    let (_, journeys) = recording("udp-fragments-refused");
    let verdicts = journeys.packets.iter().map(|packet| packet.verdict);
    let is_unseen = |verdict: &Verdict| {
        *verdict
            == Verdict::Merged {
                into: PacketId::NONE,
            }
    };
    assert!(!verdicts.clone().any(|verdict| is_unseen(&verdict)));
    let groups = journeys.groups.iter().map(|group| {
        let kind = journeys.packets[group.whole.at()].verdict;
        let reason = match kind {
            Verdict::Dropped { reason } => Some(reason),
            _ => None,
        };
        (group.bytes - 8, reason)
    });
    let expected = [
        (5000, Some(DropReason::NoSocket)),
        (4000, None),
        (4100, Some(DropReason::SocketRcvbuff)),
        (4200, Some(DropReason::SocketRcvbuff)),
        (3000, None),
        (3300, Some(DropReason::NotSpecified)),
    ];
    let mut groups: Vec<_> = groups.collect();
    groups.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(groups, expected);
}

/// The rest of two datagrams never comes. A second after the first the kernel gives one of them up.
#[test]
fn fragments_wait_for_the_rest_in_reassembly() {
    let (run, journeys) = recording("udp-fragments-waiting");
    let last_stay = |id: PacketId| journeys.stays(id).last().unwrap();
    let in_reassembly = |id: &PacketId| last_stay(*id).station == Station::Reassembly;
    let waiting: Vec<PacketId> = journeys.ids().filter(in_reassembly).collect();
    let reason = DropReason::FragReasmTimeout;
    let ends: Vec<Verdict> = waiting
        .iter()
        .map(|id| journeys.packets[id.at()].verdict)
        .collect();
    let dropped = Verdict::Dropped { reason };
    assert_eq!(ends, [dropped, dropped, Verdict::Open, Verdict::Open]);
    assert!(
        waiting[2..]
            .iter()
            .all(|&id| last_stay(id).leave == run.end())
    );
    assert_eq!(journeys.count(VerdictKind::Open), 2);
    // Each whole one is made of its own fragments alone.
    let wholes = journeys.groups.iter().map(|group| group.bytes);
    assert_eq!(wholes.collect::<Vec<_>>(), [3008]);
}

/// Options make IP's header 36 bytes long, of each fragment too.
#[test]
fn options_of_ip_are_no_payload() {
    let (run, journeys) = recording("udp-ip-options");
    for (returned, payload) in reads(&run, &journeys).into_values().flatten() {
        assert_eq!(payload, Some(returned));
    }
    let group = journeys.groups.first().map(|group| group.bytes);
    assert_eq!(group, Some(3008));
}

/// A raw socket has a clone of each datagram, which it reads with the headers, also of the one that UDP has no socket for.
#[test]
fn a_raw_socket_of_udp_reads_clones() {
    let (run, journeys) = recording("udp-raw-socket");
    let mut count = 0;
    for of_socket in reads(&run, &journeys).into_values() {
        let is_raw = of_socket.iter().any(|&(returned, _)| returned == 3028);
        let headers = if is_raw { 28 } else { 0 };
        for (returned, payload) in of_socket {
            assert_eq!(payload, Some(returned - headers));
            count += 1;
        }
    }
    assert_eq!(count, 15);
    assert!(journeys.packets.iter().all(|packet| packet.bytes > 28));
    let dropped = journeys
        .packets
        .iter()
        .filter_map(|packet| match packet.verdict {
            Verdict::Dropped { reason } => Some((reason, packet.is_inferred)),
            _ => None,
        });
    let dropped: Vec<_> = dropped.collect();
    let no_socket = (DropReason::NoSocket, false);
    // The raw socket was closed with one in it.
    assert_eq!(dropped, [no_socket, (DropReason::SocketClose, true)]);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// One frame for another host a packet socket reads, two wait in its queue; IP freed none of them, as the socket had them.
#[test]
fn a_frame_that_a_packet_socket_alone_has_ends_in_its_queue() {
    let (run, journeys) = recording("packet-socket-alone");
    let others = [115, 117, 119];
    let is_others = |id: &PacketId| others.contains(&journeys.packets[id.at()].bytes);
    let ends = journeys.ids().filter(is_others).map(|id| {
        let last = journeys.stays(id).last().unwrap();
        let kind = journeys.packets[id.at()].verdict.kind();
        (kind, last.station, last.leave == run.end())
    });
    let waits = (VerdictKind::Open, Station::ReceiveQueue, true);
    let read = (VerdictKind::Delivered, Station::Process, false);
    assert_eq!(ends.collect::<Vec<_>>(), [read, waits, waits]);
    assert_eq!(journeys.count(VerdictKind::Open), 2);
}

/// A token bucket cuts three segments, of 7306, 7306 and 5586 bytes, into such as a link takes.
#[test]
fn what_a_queueing_discipline_cut_are_parts_of_it() {
    let (_, journeys) = recording("tbf-cuts");
    let mut cut: BTreeMap<PacketId, Vec<u32>> = BTreeMap::new();
    for packet in &journeys.packets {
        if packet.cut_from.is_some() {
            cut.entry(packet.cut_from).or_default().push(packet.bytes);
        }
    }
    let wholes = cut.iter().map(|(whole, parts)| {
        let headers = 66 * (parts.len() as u32 - 1);
        let bytes = parts.iter().sum::<u32>() - headers;
        (journeys.packets[whole.at()].bytes, bytes, parts.len())
    });
    let expected = [(7306, 7306, 5), (7306, 7306, 5), (5586, 5586, 4)];
    assert_eq!(wholes.collect::<Vec<_>>(), expected);
    // Each waits in the queue from when the whole was put there.
    let of_first = journeys.cut_into(PacketId(3));
    let waits = of_first.iter().map(|&id| journeys.stays(id)[0]);
    assert!(waits.into_iter().all(|stay| stay.station == Station::Qdisc));
}

/// GRO hands on two datagrams at once, of which the socket has room for the first: the second is no clone of it.
#[test]
fn what_came_along_with_a_datagram_is_refused_as_itself() {
    let trace = "# kperf 2
1 ev napi_gro_receive_entry ts 5.000001 cpu 0 ctx softirq skb a1 len 528 dev eth0 protocol 0x800
2 ev napi_gro_receive_entry ts 5.000002 cpu 0 ctx softirq skb a2 len 529 dev eth0 protocol 0x800
3 ev netif_receive_skb ts 5.000003 cpu 0 ctx softirq skb a1 len 528 dev eth0
4 ev netif_receive_skb ts 5.000004 cpu 0 ctx softirq skb a2 len 529 dev eth0
5 ev sk_data_ready ts 5.000005 cpu 0 ctx softirq proto 17
6 ev kfree_skb ts 5.000006 cpu 0 ctx softirq skb a2 location udp_queue_rcv_one_skb+0x1/0x2 reason SOCKET_RCVBUFF
7 ev sock_recv_length ts 5.000009 cpu 0 sk d5 proto 17 ret 500
";
    let (_, journeys) = import(trace);
    let ends = journeys
        .packets
        .iter()
        .map(|packet| (packet.bytes, packet.verdict.kind()));
    let expected = [(528, VerdictKind::Delivered), (529, VerdictKind::Dropped)];
    assert_eq!(ends.collect::<Vec<_>>(), expected);
}

/// One process has two sockets with a datagram of 64 bytes each. It reads the second and closes the first, whose datagram
/// the kernel frees: that one was not read, though it came first.
#[test]
fn what_was_freed_with_its_socket_was_not_read() {
    let (run, journeys) = recording("udp-two-sockets");
    let of_udp = |packet: &&Packet| packet.bytes == 106;
    let ends: Vec<_> = journeys.packets.iter().filter(of_udp).collect();
    let reason = DropReason::NotSpecified;
    assert_eq!(ends[0].verdict, Verdict::Dropped { reason });
    let Verdict::Delivered { read, .. } = ends[1].verdict else {
        panic!("{:?}", ends[1].verdict);
    };
    assert_eq!(run.probe[read.at()], Probe::SockRecvLength);
    assert!(!ends[0].is_inferred && ends[1].is_inferred);
    assert_eq!(ends.len(), 2);
}

/// A process that hangs has 100 datagrams, as long as each of the 200 that another then reads as it is woken.
#[test]
fn a_process_that_hangs_hides_no_read_of_another() {
    let (_, journeys) = recording("udp-hung-reader");
    let kinds = |kind| {
        let packets = journeys.packets.iter().enumerate();
        let of_udp = packets.filter(|(_, packet)| packet.bytes == 106);
        let of_kind = of_udp.filter(|(_, packet)| packet.verdict.kind() == kind);
        of_kind.map(|(at, _)| at).collect::<Vec<_>>()
    };
    let (open, read) = (kinds(VerdictKind::Open), kinds(VerdictKind::Delivered));
    assert_eq!((open.len(), read.len()), (100, 200));
    assert!(open.last() < read.first());
}

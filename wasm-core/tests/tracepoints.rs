//! Recordings of kernels without kprobes: what can be inferred ends, what cannot stays open.
//!
//! `tests/tracepoints/` has stretches of recordings of kernel 6.18 by `ringside-capture -n`,
//! of programs that nobody here wrote: iperf3 and curl with Python's http.server, over loopback,
//! veth pairs between network namespaces, a bridge and a VXLAN tunnel over a router; and of short programs that read
//! in unusual ways. Events of other tasks were taken out. Those of `tests/tunnels.rs` are of kernel 6.1, and some have kprobes.
//! The golden file says how their packets end.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use expect_test::expect_file;
use ringside::journey::GroupId;
use ringside::kernel::{DropReason, Field, PacketId, Probe, Verdict, VerdictKind};
use ringside::run::Run;

use crate::recordings::{
    folder, import, is_kprobe, packed, packet_of_lines, packets_by_line, recording, text, unpacked,
    without_kprobes,
};

#[test]
fn a_segment_that_is_said_to_be_as_long_as_can_be_is_read() {
    let hostile = text("tcp-backlog").replace("data_len=37 ", "data_len=2147483647 ");
    let (run, journeys) = import(&hostile);
    let longest = run.indices().filter_map(|at| run.field(at, Field::Payload));
    assert_eq!(longest.max(), Some(u32::MAX >> 1));
    assert!(!journeys.packets.is_empty());
}

#[test]
fn how_packets_end() {
    let mut told = String::new();
    for file in packed("tests/tracepoints") {
        let (_, journeys) = import(&unpacked(&file));
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        write!(told, "{name}: {} journeys", journeys.packets.len()).unwrap();
        for &kind in VerdictKind::ALL {
            let inferred = journeys
                .packets
                .iter()
                .filter(|packet| packet.verdict.kind() == kind && packet.is_inferred)
                .count();
            write!(told, ", {} {kind}", journeys.count(kind)).unwrap();
            if inferred > 0 {
                write!(told, " ({inferred} inferred)").unwrap();
            }
        }
        told.push('\n');
        for flow in &journeys.flows {
            writeln!(told, "  {flow}").unwrap();
        }
    }
    expect_file![folder("tests/tracepoints/ends.golden")].assert_eq(&told);
}

#[test]
fn a_whole_recording_leaves_no_more_than_one_in_fifty_open() {
    for name in ["namespaces-curl", "tcp-closed-unread"] {
        let (_, journeys) = recording(name);
        let open = journeys.count(VerdictKind::Open);
        assert!(open * 50 <= journeys.packets.len(), "{name}: {open}");
    }
}

#[test]
fn what_other_kinds_of_sockets_send_is_no_packet() {
    for name in ["unix-sockets", "netlink"] {
        let (run, journeys) = recording(name);
        assert!(run.probe.contains(&Probe::SkbCopyDatagramIovec), "{name}");
        assert_eq!(journeys.packets.len(), 0, "{name}");
    }
}

/// Reads with less room than the datagram has, of empty ones, and by any of several threads that
/// wait at one socket.
#[test]
fn each_read_of_a_datagram_is_the_end_of_one() {
    for name in ["udp-short-reads", "udp-empty", "udp-readers"] {
        let (run, journeys) = recording(name);
        let field = |at, field| run.field(at, field);
        let is_read = |&at: &_| {
            run.event(at).probe == Probe::SockRecvLength
                && field(at, Field::Proto) == Some(17)
                && field(at, Field::Ret).is_some_and(|ret| ret.cast_signed() >= 0)
                && field(at, Field::Flags) != Some(MSG_PEEK)
        };
        let reads: BTreeSet<_> = run.indices().filter(is_read).collect();
        let ends = journeys.packets.iter().filter_map(|packet| {
            let Verdict::Delivered { read, .. } = packet.verdict else {
                return None;
            };
            Some(read)
        });
        let ends: Vec<_> = ends.collect();
        assert!(reads.len() > 20, "{name}");
        // The stretch may begin between a datagram and its read.
        assert!(ends.len() + 1 >= reads.len(), "{name}: {}", ends.len());
        assert!(ends.iter().all(|end| reads.contains(end)), "{name}");
        let distinct: BTreeSet<_> = ends.iter().collect();
        assert_eq!(distinct.len(), ends.len(), "{name}");
    }
}

/// The stretches end while one packet is under way.
#[test]
fn what_closing_sockets_still_receive_has_an_end() {
    for name in ["tcp-half-closed", "tcp-reset-in-backlog"] {
        let (_, journeys) = recording(name);
        assert!(journeys.packets.len() > 15, "{name}");
        assert!(journeys.count(VerdictKind::Open) <= 1, "{name}");
    }
}

/// `include/linux/socket.h`.
const MSG_PEEK: u32 = 0x2;

#[test]
fn a_datagram_over_ipv4_is_read_from_a_dual_stack_socket_in_its_order() {
    let (run, journeys) = recording("udp-dual-stack");
    let mut sockets: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let mut last = None;
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        let Verdict::Delivered { read, .. } = packet.verdict else {
            continue;
        };
        let event = run.event(read);
        if event.probe != Probe::SockRecvLength || packet.payload != 1200 {
            continue;
        }
        assert!(packet.is_inferred);
        assert_eq!(run.field(read, Field::Ret), Some(packet.payload));
        assert!(last < Some(read), "each read takes one datagram, in order");
        last = Some(read);
        let hash = journeys
            .events(id)
            .iter()
            .find_map(|&event| run.field(event, Field::Hash));
        sockets.entry(hash.unwrap()).or_default().insert(event.sk.0);
    }
    let reads = run
        .indices()
        .filter(|&event| {
            run.probe[event.at()] == Probe::SockRecvLength
                && run.field(event, Field::Ret) == Some(1200)
        })
        .count();
    let read = journeys
        .packets
        .iter()
        .filter(|packet| packet.payload == 1200 && packet.verdict.kind() == VerdictKind::Delivered)
        .count();
    assert_eq!(read, reads, "every read of the recording took one");
    assert!(sockets.values().all(|sockets| sockets.len() == 1));
}

/// Three tasks send at once from sockets without a peer, so with no hash: each datagram is put
/// together from what one of them sent, and ends where it is read.
#[test]
fn fragments_of_an_unconnected_socket_end_where_their_datagram_is_read() {
    let (run, journeys) = recording("udp-fragments-unconnected");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    assert_eq!(journeys.groups.len(), 24);
    let sender = |id: PacketId| run.event(journeys.events(id)[0]).pid;
    for (group, number) in journeys.groups.iter().zip(0..) {
        let whole = &journeys.packets[group.whole.at()];
        let Verdict::Delivered { read, .. } = whole.verdict else {
            panic!("{:?}", whole.verdict);
        };
        assert_eq!(run.field(read, Field::Ret), Some(whole.payload));
        assert_eq!(group.bytes, whole.payload + 8, "and the UDP header");
        let parts = journeys.fragments(GroupId(number));
        assert_eq!((parts.len(), whole.parts), (5, 5));
        for &part in parts {
            assert_eq!(sender(part), sender(group.whole));
            let into = journeys.goes_on_in(part).last().unwrap_or(part);
            assert_eq!(into, group.whole);
        }
    }
}

#[test]
fn segments_that_came_together_in_the_socket_are_read_together() {
    let (_, journeys) = recording("tcp-backlog");
    let into_head = |packet: PacketId| match journeys.packets[packet.at()].verdict {
        Verdict::Merged { into } => into.is_some(),
        _ => false,
    };
    let merged: Vec<PacketId> = journeys.ids().filter(|&packet| into_head(packet)).collect();
    assert!(!merged.is_empty());
    for packet in merged {
        let row = &journeys.packets[packet.at()];
        let head = journeys.goes_on_in(packet).last().unwrap();
        let head = &journeys.packets[head.at()];
        assert!(row.is_inferred);
        assert_eq!(row.flow, head.flow);
        assert!(head.payload > row.bytes, "the head has its own and theirs");
    }
}

#[test]
fn what_a_process_did_not_read_before_it_closed_its_socket_is_dropped() {
    let (_, journeys) = recording("tcp-closed-unread");
    let dropped = journeys
        .packets
        .iter()
        .filter(|packet| packet.verdict.kind() == VerdictKind::Dropped);
    let told: Vec<(u32, bool)> = dropped
        .map(|packet| (packet.payload, packet.is_inferred))
        .collect();
    assert!(
        told.iter()
            .all(|&(payload, inferred)| payload > 0 && inferred)
    );
    // iperf3 stopped reading after 14 times 128 KiB less than were sent to it.
    let bytes: u32 = told.iter().map(|&(payload, _)| payload).sum();
    assert_eq!(bytes % (128 << 10), 0);
    assert_eq!(bytes / (128 << 10), 14);
}

/// Two connections wait for a process that accepts none; four more have no room beside them.
#[test]
fn a_syn_that_is_not_answered_was_refused() {
    let (run, journeys) = recording("tcp-refused");
    let is_listener = |packet: PacketId| {
        let last = journeys.events(packet).last();
        let function = last.and_then(|&at| run.field_name(at, Field::Location));
        function.is_some_and(|function| function.starts_with("tcp_rcv_state_process"))
    };
    let (refused, answered): (Vec<_>, Vec<_>) = journeys
        .ids()
        .filter(|&packet| is_listener(packet))
        .map(|packet| &journeys.packets[packet.at()])
        .partition(|packet| packet.verdict.kind() == VerdictKind::Dropped);
    assert_eq!((refused.len(), answered.len()), (4, 2));
    assert!(refused.iter().all(|packet| packet.is_inferred));
    assert!(answered.iter().all(|it| it.verdict == Verdict::Consumed));
}

/// 30 segments of 400 bytes to a connection that no process accepted: 19 of them joined those before them.
#[test]
fn what_joined_another_in_a_queue_that_is_purged_goes_with_it() {
    let (run, journeys) = recording("tcp-never-accepted");
    let has_data = |packet: &PacketId| journeys.packets[packet.at()].payload == 400;
    let mut freed_by = BTreeMap::<_, u32>::new();
    for packet in journeys.ids().filter(has_data) {
        let row = &journeys.packets[packet.at()];
        let reason = DropReason::QueuePurge;
        assert_eq!(row.verdict, Verdict::Dropped { reason });
        let last = *journeys.events(packet).last().unwrap();
        assert_eq!(run.probe[last.at()], Probe::KfreeSkb);
        *freed_by.entry(last).or_default() += 1;
    }
    assert_eq!(freed_by.len(), 11);
    assert_eq!(freed_by.values().sum::<u32>(), 30);
}

/// A bridge hands the same sk_buff from one veth pair to another: one journey.
#[test]
fn a_bridge_forwards_what_it_received() {
    let (run, journeys) = recording("bridge-udp");
    let forwarded = journeys
        .packets
        .iter()
        .zip(journeys.ids())
        .filter(|(packet, _)| packet.payload == 1200);
    let mut count = 0;
    for (packet, id) in forwarded {
        let devices: Vec<&str> = journeys
            .events(id)
            .iter()
            .filter(|event| run.probe[event.at()] == Probe::NetDevStartXmit)
            .filter_map(|&event| run.field_name(event, Field::Dev))
            .collect();
        assert_eq!(devices, ["vc", "pd"]);
        assert_eq!(packet.verdict.kind(), VerdictKind::Delivered);
        count += 1;
    }
    assert!(count > 10);
}

/// A tunnel's device sends through the one below and takes up what is unpacked, at one address: one journey,
/// from the sender's socket over a router to the receiver's.
#[test]
fn a_segment_in_a_tunnel_is_one_packet() {
    let (run, journeys) = recording("vxlan-tcp");
    let mut ways: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for (packet, id) in journeys.packets.iter().zip(journeys.ids()) {
        if packet.verdict.kind() != VerdictKind::Delivered {
            continue;
        }
        let passes = journeys.events(id).iter().filter(|event| {
            let probe = run.probe[event.at()];
            matches!(probe, Probe::NetDevStartXmit | Probe::NetifReceiveSkb)
        });
        let devices = passes.filter_map(|&event| run.field_name(event, Field::Dev));
        *ways.entry(devices.collect()).or_default() += 1;
    }
    let to_the_server = ways.get(&["vx", "c0", "r0", "r1", "d0", "vx"][..]);
    assert!(to_the_server.is_some_and(|&count| count > 10), "{ways:?}");
}

/// `ringside-capture` wrote its own lines before the kernel's header, where Perfetto looks for that.
#[test]
fn a_recording_with_its_own_lines_first_is_the_same_run() {
    let old = text("bridge-udp");
    let (own, rest) = old.split_at(old.find("# tracer:").unwrap());
    let columns = "FUNCTION\n#              | |         |   |||||     |         |\n";
    let (header, events) = rest.split_at(rest.find(columns).unwrap() + columns.len());
    assert!(own.starts_with("# ringside-capture 1\n"));
    let new = [header, own, events].concat();
    let ((old, _), (new, _)) = (import(&old), import(&new));
    assert_eq!(old.fingerprint(), new.fingerprint());
    assert_eq!(old.metadata, new.metadata);
    let lines = |run: &Run| {
        run.indices()
            .map(|index| run.line(index))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&old), lines(&new));
}

/// The same recordings with and without what kprobes saw: an end that tracepoints alone give is the
/// one that kprobes give. Only a fragment is not told from other packets that the stack used up:
/// kernels before 6.3 do not say who freed it.
#[test]
fn packets_end_the_same_without_kprobes() {
    let mut shelf: Vec<PathBuf> = fs::read_dir(folder("../traces"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("trace.txt.gz"))
        .filter(|path| path.exists())
        .collect();
    shelf.sort();
    let mut told = String::new();
    for path in shelf {
        let whole = unpacked(&path);
        if !whole.lines().any(is_kprobe) {
            continue;
        }
        let (run, journeys) = import(&whole);
        let (bare_run, bare_journeys) = import(&without_kprobes(&whole));
        let by_line = packets_by_line(&run, &journeys);
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for id in bare_journeys.ids() {
            let known = packet_of_lines(&bare_run, &bare_journeys, id, &by_line);
            let Some(known) = known else { continue };
            let kind = bare_journeys.packets[id.at()].verdict.kind();
            let should = journeys.packets[known.at()].verdict.kind();
            let as_what = if kind == should {
                "the same".to_owned()
            } else if kind == VerdictKind::Open {
                "not seen".to_owned()
            } else {
                format!("{should} seen as {kind}")
            };
            *counts.entry(as_what).or_default() += 1;
        }
        let name = path.parent().unwrap().file_name().unwrap();
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(what, count)| format!("{count} {what}"))
            .collect();
        writeln!(told, "{}: {}", name.to_string_lossy(), counts.join(", ")).unwrap();
    }
    expect_file![folder("tests/tracepoints/without-kprobes.golden")].assert_eq(&told);
}

//! What is read elsewhere than from a socket of TCP or UDP: raw sockets, and a device whose link is a task.
//!
//! The recordings are stretches by `ringside-capture -n` of kernel 6.18 in `tests/tracepoints/`: ping
//! over IPv4 and IPv6, a program with ping sockets, and a tunnel in user space over a tun device;
//! events of other tasks were taken out.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;

use ringside::kernel::{
    DropReason, EventIdx, Field, PacketId, Pid, Probe, Station, Verdict, VerdictKind,
};

use crate::recordings::{import, recording, text};

const NO_SOCKET: Verdict = Verdict::Dropped {
    reason: DropReason::NoSocket,
};

/// Five runs of ping, as it printed: 8 replies, 5 over IPv6 in three fragments each, 3 errors of this
/// host, which it reads off the error queue and which are no packets of its own, 4 and 4 replies. The kernel frees each with `NO_SOCKET`, as ping's socket is a raw one.
#[test]
fn replies_that_ping_reads_are_delivered_to_it() {
    let (run, journeys) = recording("ping");
    let mut replies: BTreeMap<Pid, usize> = BTreeMap::new();
    for packet in &journeys.packets {
        assert_ne!(packet.verdict, NO_SOCKET);
        if let Verdict::Delivered { pid, read } = packet.verdict {
            *replies.entry(pid).or_default() += 1;
            assert_eq!(
                run.probe[read.at()] == Probe::SockRecvLength,
                packet.is_inferred
            );
        }
    }
    assert_eq!(replies.into_values().collect::<Vec<_>>(), [8, 5, 4, 4]);
    let groups = journeys
        .groups
        .iter()
        .map(|group| (group.fragments, group.bytes));
    // The requests in fragments, which this host answers, and their replies.
    assert_eq!(groups.collect::<Vec<_>>(), [(3, 3008); 10]);
}

#[test]
fn a_reply_that_nobody_reads_is_dropped() {
    let unread = text("ping");
    let unread = unread.lines().filter(|line| !line.contains("recv"));
    let (_, journeys) = import(&unread.collect::<Vec<_>>().join("\n"));
    let dropped = journeys
        .packets
        .iter()
        .filter(|packet| packet.verdict == NO_SOCKET);
    assert_eq!(dropped.count(), 21);
}

/// The socket of a ping without privileges has the packet itself, and the copy names it.
#[test]
fn a_ping_socket_reads_what_came() {
    let (run, journeys) = recording("ping-sockets");
    let is_reply = |packet: &PacketId| {
        let received = Probe::NetifReceiveSkb;
        let mut events = journeys.events(*packet).iter();
        journeys.packets[packet.at()].verdict.kind() == VerdictKind::Delivered
            && events.any(|event| run.probe[event.at()] == received)
    };
    assert_eq!(journeys.ids().filter(is_reply).count(), 24);
    assert_eq!(journeys.count(VerdictKind::Delivered), 24);
}

/// A task that reads what was sent to its tun device reads no socket: the packet is transmitted, and the
/// next datagram that the task reads is another.
#[test]
fn what_a_task_reads_from_its_device_was_transmitted() {
    let (run, journeys) = recording("tun");
    for id in journeys.ids() {
        let mut stays = journeys.stays(id).iter();
        assert_ne!(
            stays.next().map(|stay| stay.station),
            Some(Station::Process)
        );
    }
    let is_read = |event: &_| {
        let field = |field| run.field(*event, field);
        run.event(*event).probe == Probe::SockRecvLength
            && field(Field::Proto) == Some(17)
            && field(Field::Ret).is_some_and(|ret| ret.cast_signed() > 0)
    };
    let ends = journeys
        .packets
        .iter()
        .filter_map(|packet| match packet.verdict {
            Verdict::Delivered { read, .. } => Some(read),
            _ => None,
        });
    assert_eq!(
        ends.filter(is_read).count(),
        run.indices().filter(is_read).count()
    );
}

/// Beside ping another raw socket has a clone of each reply, and of each request; two pings have each a clone of the
/// other's first reply. All are read at once, and nothing else is.
#[test]
fn a_reply_is_its_pings_however_many_raw_sockets_have_it() {
    for (name, replies) in [("raw-two-readers", 2), ("ping-two", 8)] {
        let (run, journeys) = recording(name);
        let waits = journeys.packets.iter().filter_map(|packet| {
            let Verdict::Delivered { pid, .. } = packet.verdict else {
                return None;
            };
            assert_eq!(
                run.comm.get(&pid).map(|&name| run.names.text(name)),
                Some("ping")
            );
            Some(packet.end.since(packet.start))
        });
        let waits: Vec<u64> = waits.collect();
        assert_eq!(waits.len(), replies, "{name}");
        assert!(waits.iter().all(|&nanos| nanos < 1_000_000), "{name}");
        assert!(journeys.packets.iter().all(|packet| packet.bytes > 0));
    }
}

/// Four processes ping at once, with packets of one length: the copy of each reply names the packet, not the oldest of that
/// length. The stretch ends while some replies wait.
#[test]
fn each_of_four_ping_sockets_reads_its_own_replies() {
    let (run, journeys) = recording("ping-four");
    let mut count = 0;
    for id in journeys.ids() {
        let Verdict::Delivered { pid, .. } = journeys.packets[id.at()].verdict else {
            continue;
        };
        let is_copy = |&&event: &&EventIdx| run.probe[event.at()] == Probe::SkbCopyDatagramIovec;
        let copies: Vec<_> = journeys.events(id).iter().filter(is_copy).collect();
        assert_eq!(copies.len(), 1);
        assert_eq!(run.pid(*copies[0]), pid);
        count += 1;
    }
    let copies = run.probe.iter();
    let copies = copies.filter(|&&probe| probe == Probe::SkbCopyDatagramIovec);
    assert_eq!(count, copies.count());
}

//! Small recordings of own load, with tracepoints alone: each packet ends, once, and as it did. Stretches of what
//! `ringside-capture` recorded of curl, iperf3 and short Python programs over loopback, veth, a bridge and VXLAN;
//! each shows one way in which an end was wrong.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::journey::Packet;
use ringside::kernel::{DropReason, EventIdx, Field, PacketId, Probe, Verdict, VerdictKind};
use ringside::opened::Opened;
use ringside::told::{Told, picture};

use crate::recordings::{import, recording, text};

/// The peer's reset closes the socket, and the process that has it reads no more: its socket goes with what waits.
#[test]
fn what_nobody_read_goes_with_the_socket_that_was_reset() {
    let (_, journeys) = recording("tcp-reset-unread");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let reason = DropReason::SocketClose;
    let thrown_away = |packet: &&Packet| packet.verdict == Verdict::Dropped { reason };
    let thrown_away: Vec<_> = journeys.packets.iter().filter(thrown_away).collect();
    assert_eq!(thrown_away.len(), 3);
    assert!(
        thrown_away
            .iter()
            .all(|packet| packet.is_inferred && packet.payload == 2)
    );
}

/// A token bucket that a segment is too large for cuts it and frees it, and then the kernel reports that it is in the
/// queue: that is no packet that waits there for ever.
#[test]
fn what_a_queueing_discipline_cut_does_not_wait_in_it() {
    let (run, journeys) = recording("tbf-cuts");
    let ids = (0..journeys.packets.len()).map(|at| PacketId(at as u32));
    let is_cut = |id: &PacketId| {
        let events = journeys.events(*id);
        let of = |probe| events.iter().position(|&at| run.event(at).probe == probe);
        let freed = of(Probe::ConsumeSkb);
        freed.is_some() && freed < of(Probe::QdiscEnqueue)
    };
    let cut: Vec<_> = ids
        .filter(is_cut)
        .map(|id| &journeys.packets[id.at()])
        .collect();
    assert_eq!(cut.len(), 3);
    assert!(cut.iter().all(|packet| packet.verdict == Verdict::Consumed));
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Of a NIC alone, the acknowledgement that comes to a socket of another one is seen there alone, and told to have no payload.
#[test]
fn what_a_socket_alone_saw_without_payload_ends_in_it() {
    let (run, journeys) = recording("nic-of-one");
    let ids = (0..journeys.packets.len()).map(|at| PacketId(at as u32));
    let is_alone = |id: &PacketId| {
        let mut events = journeys.events(*id).iter();
        events.all(|&at| run.event(at).probe == Probe::TcpProbe)
    };
    let alone: Vec<_> = ids
        .filter(is_alone)
        .map(|id| &journeys.packets[id.at()])
        .filter(|packet| packet.payload == 0)
        .collect();
    assert!(!alone.is_empty());
    assert!(
        alone
            .iter()
            .all(|packet| packet.verdict == Verdict::Consumed && packet.is_inferred)
    );
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// A worker of AF_VSOCK frees its message where an acknowledgement was before.
#[test]
fn a_message_of_another_kind_of_socket_delivers_no_segment() {
    let (_, journeys) = recording("tcp-then-vsock");
    let is_read = |packet: &&Packet| packet.verdict.kind() == VerdictKind::Delivered;
    let read: Vec<u32> = journeys
        .packets
        .iter()
        .filter(is_read)
        .map(|packet| packet.payload)
        .collect();
    assert_eq!(read, [1500]);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// A reader eats the FIN, whose memory is given back later with what was read. The sender changes its own state
/// right behind it.
#[test]
fn a_fin_is_no_ones_read_and_goes_the_way_it_was_sent() {
    let (run, journeys) = recording("tcp-fin-read");
    let freed = run.indices().last().unwrap();
    assert_eq!(run.event(freed).probe, Probe::ConsumeSkb);
    let at_its_address = |packet: &&Packet| packet.skb == run.skb(freed);
    let fin = journeys.packets.iter().rfind(at_its_address).unwrap();
    assert_eq!((fin.verdict, fin.payload), (Verdict::Consumed, 0));
    let flow = journeys.flows[fin.flow.0 as usize].to_string();
    assert!(flow.starts_with("TCP 127.0.0.1:8099 → "), "{flow}");
}

/// A softirq receives a segment while the task looks at the one before, which waited in the backlog: each is read
/// once, by the copy that names it.
#[test]
fn a_segment_that_comes_between_leaves_the_order_as_it_was() {
    let (run, journeys) = recording("tcp-interrupted-backlog");
    let is_copy = |at: &EventIdx| run.event(*at).probe == Probe::SkbCopyDatagramIovec;
    let last = run.indices().filter(is_copy).last().unwrap();
    let packet = &journeys.packets[journeys.packet_of[last.at()].at()];
    assert_eq!((packet.bytes, packet.payload), (30_474, 30_408));
}

/// The tunnel's device sends nothing in the stretch: that it is one its frames tell alone.
#[test]
fn what_a_tunnel_unpacks_is_the_packet_that_came() {
    let (_, journeys) = recording("vxlan-received");
    let ends: Vec<_> = journeys
        .packets
        .iter()
        .map(|packet| packet.verdict)
        .collect();
    // Multicast that nobody joined.
    assert_eq!(ends, [Verdict::Consumed]);
}

/// What a reader has no room for UDP throws away: the calls return less than was sent, in the order of the queue.
#[test]
fn a_read_that_is_shorter_than_its_datagram_takes_it() {
    let sent: [(&str, [u32; 5]); 2] = [
        ("udp-truncated-alike", [400; 5]),
        ("udp-truncated-mixed", [100, 400, 200, 100, 800]),
    ];
    for (name, lengths) in sent {
        let (run, journeys) = recording(name);
        let returns = |at: &EventIdx| run.event(*at).probe == Probe::SockRecvLength;
        let returned: Vec<EventIdx> = run.indices().filter(returns).collect();
        let bytes: Vec<u32> = journeys.packets.iter().map(|packet| packet.read).collect();
        let told = returned
            .iter()
            .map(|&at| run.field(at, Field::Ret).unwrap());
        assert!(told.eq(bytes), "{name}");
        let ends = journeys.packets.iter().map(|packet| {
            let Verdict::Delivered { read, .. } = packet.verdict else {
                return (None, packet.payload);
            };
            (Some(read), packet.payload)
        });
        let expected = returned.into_iter().map(Some).zip(lengths);
        assert!(ends.eq(expected), "{name}");
    }
}

/// The third datagram is as long as the reader's buffer: the second's beginning, which is read before it, is no shorter. Whether
/// the senders' socket is known by its hash, as with a socket that is connected, changes nothing.
#[test]
fn a_read_as_long_as_a_later_datagram_takes_the_first_of_the_queue() {
    let third = [
        ("len=242", "len=192"),
        ("len=228", "len=178"),
        ("length = 200", "length = 150"),
    ];
    let mut text = text("udp-truncated-mixed");
    for (from, to) in third {
        text = text.replace(from, to);
    }
    for hash in ["hash=0x00000000", "hash=0x0badcafe"] {
        let (run, journeys) = import(&text.replace("hash=0x00000000", hash));
        let returns = |at: &EventIdx| run.event(*at).probe == Probe::SockRecvLength;
        let read = journeys.packets.iter().map(|packet| match packet.verdict {
            Verdict::Delivered { read, .. } => (Some(read), packet.payload, packet.is_inferred),
            _ => (None, packet.payload, packet.is_inferred),
        });
        let returned = run.indices().filter(returns).map(Some);
        let sent = [100, 400, 150, 100, 800];
        let expected = returned.zip(sent).map(|(at, bytes)| (at, bytes, true));
        assert!(read.eq(expected), "{hash}");
    }
}

/// The first fragment waits for the neighbour's address, and the softirq that has the answer sends it; what the
/// reader's CPU frees later is memory.
#[test]
fn a_fragment_that_waited_for_an_address_is_part_of_its_datagram() {
    let (_, journeys) = recording("udp-fragments-after-arp");
    let whole = journeys
        .packets
        .iter()
        .find(|packet| packet.verdict.kind() == VerdictKind::Delivered)
        .unwrap();
    assert_eq!(whole.payload, 5000);
    let merged = journeys.count(VerdictKind::Merged);
    assert_eq!(merged, 3);
}

/// The first half minute of a stretch as it is told.
fn told(name: &str) -> String {
    let opened = Opened::from(recording(name).0);
    picture(&opened.replay, &Told::of(&opened.replay, None), 30.0)
}

#[test]
fn what_icmp_uses_up_is_not_told_as_tcp_s() {
    let told = told("ping-sockets");
    assert!(told.contains("ICMP has taken note of it"), "{told}");
    assert!(!told.contains("TCP has taken note of it"), "{told}");
}

/// 20,000 bytes came, of which the process read 5,000 before it closed its socket: the rest went with that.
#[test]
fn of_a_segment_that_is_read_in_part_that_part_is_told_and_counted() {
    let opened = Opened::from(recording("tcp-read-in-part").0);
    let totals = opened.replay.totals.at(opened.run.end());
    assert_eq!((totals.delivered, totals.dropped), (0, 1));
    assert_eq!(totals.bytes_delivered, 5000);
    let told = told("tcp-read-in-part");
    assert!(told.contains("5.00 kB are copied to"), "{told}");
    assert!(!told.contains("20.0 kB are copied to"), "{told}");
}

/// The ends of a stretch's packets, in their order: how many bytes each had on the way, its verdict, its reader's count.
fn ends(name: &str) -> Vec<(u32, Verdict, u32)> {
    let (_, journeys) = recording(name);
    let packets = journeys.packets.iter();
    packets
        .map(|packet| (packet.bytes, packet.verdict, packet.payload))
        .collect()
}

/// What was delivered, by payload, and how many packets had no way here.
fn delivered(name: &str) -> (Vec<u32>, usize) {
    let ends = ends(name);
    let is_read = |verdict: &Verdict| verdict.kind() == VerdictKind::Delivered;
    let read = ends.iter().filter(|(_, verdict, _)| is_read(verdict));
    let phantoms = ends.iter().filter(|(bytes, ..)| *bytes == 0);
    (
        read.map(|&(.., payload)| payload).collect(),
        phantoms.count(),
    )
}

/// A DHCP client's socket takes nothing of what comes: that is no end of it.
#[test]
fn what_a_packet_socket_has_no_use_for_goes_on() {
    let read = vec![100, 101, 102, 1000, 1001, 1002];
    assert_eq!(delivered("packet-socket-dhcp"), (read, 0));
}

/// tcpdump gives a clone back, at an address that was an acknowledgement's.
#[test]
fn what_tcpdump_gives_back_was_read_by_nobody() {
    let read = vec![100, 101, 102, 103, 104, 20_000];
    assert_eq!(delivered("packet-socket-tcpdump"), (read, 0));
}

/// A packet socket is closed with all in its queue that came; each had its own end long before.
#[test]
fn what_a_packet_socket_throws_away_ended_before() {
    assert_eq!(delivered("packet-socket-unread"), (vec![80, 333], 0));
    let (_, journeys) = recording("packet-socket-unread");
    let dropped = journeys
        .packets
        .iter()
        .filter_map(|packet| match packet.verdict {
            Verdict::Dropped { reason } => Some(reason),
            _ => None,
        });
    let reasons = [
        DropReason::IpLocalnet,
        DropReason::IpLocalnet,
        DropReason::PktTooSmall,
        DropReason::UnhandledProto,
        // What is not for this host IP drops without an event while a packet socket has it.
        DropReason::QueuePurge,
        DropReason::QueuePurge,
    ];
    assert!(dropped.eq(reasons));
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// A program that is a device's link closes it with 498 frames in its ring: they were thrown away, and one was read.
#[test]
fn what_is_left_in_a_tun_that_is_closed_was_not_transmitted() {
    let (_, journeys) = recording("tun-closed");
    let reason = DropReason::NotSpecified;
    let thrown_away = |packet: &&Packet| packet.verdict == Verdict::Dropped { reason };
    assert_eq!(journeys.packets.iter().filter(thrown_away).count(), 498);
    assert_eq!(journeys.count(VerdictKind::Transmitted), 1);
}

/// What comes back from the error queue tells of a packet that was sent: it is none that was received.
#[test]
fn a_read_of_the_error_queue_is_none_of_a_packet() {
    assert_eq!(delivered("udp-error-queue"), (vec![66], 0));
    assert_eq!(recording("udp-error-queue").1.packets.len(), 3);
}

/// A router's packet waits for the next hop's address, and the softirq that has the answer sends it on.
#[test]
fn what_a_router_keeps_for_an_address_is_one_packet() {
    assert_eq!(delivered("routed-after-arp"), (vec![100, 50, 1400, 50], 0));
    assert_eq!(recording("routed-after-arp").1.count(VerdictKind::Open), 0);
}

/// The data that came with a SYN are the first that the new socket's reader gets; no acknowledgement is.
#[test]
fn what_comes_with_a_syn_is_read() {
    let read = vec![400, 401, 402];
    assert_eq!(delivered("tcp-fast-open"), (read, 0));
}

/// The urgent byte is read apart from the stream that it lies in.
#[test]
fn what_follows_an_urgent_byte_is_read() {
    assert_eq!(delivered("tcp-urgent"), (vec![100, 1, 100], 0));
}

/// A large datagram with `UDP_SEGMENT` comes whole, and is cut for readers that take one segment at a time; a reader with
/// `UDP_GRO` takes it whole.
#[test]
fn the_segments_of_a_datagram_are_parts_of_it() {
    let reads = vec![500, 500, 500, 500, 300, 2300];
    assert_eq!(delivered("udp-segmented"), (reads, 0));
    assert_eq!(delivered("udp-segmented-other"), (vec![1200; 8], 0));
    let (_, journeys) = recording("udp-segmented");
    let whole = &journeys.packets[0];
    assert_eq!((whole.verdict, whole.payload), (Verdict::Consumed, 2300));
    let is_part = |packet: &Packet| packet.cut_from == PacketId(0) && packet.is_inferred;
    assert!(journeys.packets[1..6].iter().all(is_part));
}

/// By whom each packet of a stretch was read, in their order.
fn readers(name: &str) -> Vec<u32> {
    let (_, journeys) = recording(name);
    let read = journeys.packets.iter().map(|packet| match packet.verdict {
        Verdict::Delivered { pid, .. } => pid.0,
        _ => 0,
    });
    read.collect()
}

/// A datagram wakes its reader, who waited at an empty queue: what came before and still waits is another's, however
/// alike.
#[test]
fn what_waits_when_a_reader_is_woken_is_anothers() {
    let (at_the_end, at_once) = (20_570, 20_571);
    let alternating = [at_the_end, at_once].repeat(3);
    assert_eq!(readers("udp-woken"), alternating);
    let (quick, slow) = (12_280, 12_281);
    let mut expected = [quick; 12];
    for of_slow in [1, 6, 7, 8, 10, 11] {
        expected[of_slow] = slow;
    }
    assert_eq!(readers("udp-reuseport"), expected);
}

/// A socket is closed with three segments in it.
#[test]
fn segments_that_nobody_read_go_with_their_socket() {
    let (_, journeys) = recording("udp-segments-unread");
    let reason = DropReason::SocketClose;
    let thrown_away = |packet: &&Packet| packet.verdict == Verdict::Dropped { reason };
    let thrown_away = journeys.packets.iter().filter(thrown_away);
    assert!(thrown_away.map(|packet| packet.payload).eq([500, 500, 300]));
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Where a packet socket (tcpdump) has no room, its share of what is just sent is dropped, at an address that an acknowledgement had
/// before: that was done with.
#[test]
fn what_a_packet_socket_has_no_room_for_is_not_dropped() {
    let (run, journeys) = recording("packet-socket-full");
    let reason = DropReason::PacketSockError;
    let mut told = run.indices().filter_map(|at| run.field(at, Field::Reason));
    assert!(told.any(|told| DropReason::from_index(told as u8) == Some(reason)));
    let is_refused = |packet: &Packet| packet.verdict == Verdict::Dropped { reason };
    assert!(!journeys.packets.iter().any(is_refused));
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// A macvlan hands on to its lower device, so that no hash tells a socket: what a softirq sends behind a segment is TCP's.
#[test]
fn what_answers_a_segment_is_an_acknowledgement() {
    let (_, journeys) = recording("macvlan-tcp");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Two datagrams are held for a program at a time, both as long as a fragment can be: the later is no part of the one before.
#[test]
fn a_datagram_that_comes_later_is_no_fragment_of_the_one_that_is_held() {
    let (_, journeys) = recording("netfilter-queue-two-held");
    assert_eq!(journeys.packets.len(), 3);
    assert_eq!(journeys.count(VerdictKind::Delivered), 3);
    assert!(journeys.packets.iter().all(|it| it.payload == 1000));
}

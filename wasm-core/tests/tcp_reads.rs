//! Reads of TCP sockets that a kernel without kprobes tells little of: which segments each took.
//!
//! The recordings are stretches by `ringside-capture -n` of kernel 6.18 in `tests/tracepoints/`, of a
//! relay that splices, ncat, iperf3 with lost frames, and ab; events of other tasks were taken out.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::journey::{Journeys, Packet};
use ringside::kernel::{
    Context, DropReason, EventIdx, Field, MPTCP, Nanos, Pid, Probe, Station, Verdict, VerdictKind,
};
use ringside::run::Run;

use crate::recordings::{import, recording, text};

/// `IPPROTO_TCP`, RFC 9293.
const TCP: u32 = 6;

/// `include/linux/socket.h`.
const MSG_PEEK: u32 = 0x2;

/// Nothing is read twice and nothing by nobody: what the calls returned is what was delivered, to the byte.
#[test]
fn what_a_whole_recording_delivers_is_what_its_calls_returned() {
    // In the last, tcp_probe tells nothing of what waits in the backlog of a socket that is closed for sending.
    for name in [
        "namespaces-curl",
        "tcp-closed-unread",
        "tcp-read-in-part",
        "tcp-closing-backlog",
        "tcp-multipath",
    ] {
        let (run, journeys) = recording(name);
        let of_tcp = |packet: &&Packet| {
            let flow = journeys.flows.get(packet.flow.0 as usize);
            flow.is_some_and(|flow| u32::from(flow.protocol) == TCP)
        };
        let read = journeys.packets.iter().filter(of_tcp);
        let delivered: u64 = read.map(|packet| u64::from(packet.read)).sum();
        let returned = run.indices().filter_map(|at| {
            let is_read = run.event(at).probe == Probe::SockRecvLength
                && matches!(run.field(at, Field::Proto), Some(TCP | MPTCP))
                && run
                    .field(at, Field::Flags)
                    .is_none_or(|flags| flags & MSG_PEEK == 0);
            let ret = run.field(at, Field::Ret).filter(|_| is_read)?;
            u64::try_from(ret.cast_signed()).ok()
        });
        assert_eq!(delivered, returned.sum::<u64>(), "{name}");
    }
}

/// What an event returned, if it is no error.
fn returned(run: &Run, event: EventIdx) -> u64 {
    let ret = run.field(event, Field::Ret).map_or(0, u32::cast_signed);
    u64::try_from(ret).unwrap_or(0)
}

/// The event at which the packet was read.
const fn read(packet: &Packet) -> Option<EventIdx> {
    match packet.verdict {
        Verdict::Delivered { read, .. } => Some(read),
        _ => None,
    }
}

/// Bytes that were delivered of the flows whose source port this is.
fn delivered(journeys: &Journeys, source_port: u16) -> u64 {
    let of_flow = journeys.packets.iter().filter(|packet| {
        let flow = journeys.flows.get(packet.flow.0 as usize);
        flow.is_some_and(|flow| flow.source_port == source_port)
    });
    let read = of_flow.filter(|packet| read(packet).is_some());
    read.map(|packet| u64::from(packet.payload)).sum()
}

/// A splice copies nothing and tells no length: its system call does. After each call as many bytes
/// are read as it and those before it moved, up to the end of a segment.
#[test]
fn what_a_splice_moved_was_read_by_it() {
    let (run, journeys) = recording("tcp-splice");
    let is_splice = |&event: &EventIdx| run.field_name(event, Field::Func) == Some("splice");
    let moved = |event: EventIdx| returned(&run, event);
    let data = journeys.packets.iter().filter(|packet| packet.payload > 0);
    let data: Vec<&Packet> = data.collect();
    assert_eq!(data.len(), 30);
    assert!(data.iter().all(|packet| packet.is_inferred));
    let reads: Vec<EventIdx> = data.iter().map(|packet| read(packet).unwrap()).collect();
    assert!(reads.iter().all(is_splice) && reads.is_sorted());
    // Each splice off the socket is followed by one off the pipe, into the file.
    let splices: Vec<EventIdx> = run.indices().filter(is_splice).collect();
    let (mut total, mut of_segments) = (0, 0);
    for &splice in splices.iter().step_by(2) {
        total += moved(splice);
        let by_it = data.iter().filter(|packet| read(packet) == Some(splice));
        of_segments += by_it.map(|packet| u64::from(packet.payload)).sum::<u64>();
        assert!(of_segments <= total && total - of_segments < 2000);
    }
    assert_eq!((total, of_segments), (48_860, 48_860));
}

/// The recording begins where what waits in the queue is not known: nothing is said of such a splice.
#[test]
fn a_splice_of_an_unknown_queue_reads_nothing() {
    let text = text("tcp-splice");
    let unseen = text
        .lines()
        .filter(|line| !line.contains("inet_sock_set_state"));
    let unseen = unseen.collect::<Vec<_>>().join("\n");
    let (_, journeys) = import(&unseen);
    assert_eq!(journeys.count(VerdictKind::Delivered), 0);
}

/// tcp_probe does not sit in what a connection receives that has closed for sending, and one had told
/// of an acknowledgement on that CPU before.
#[test]
fn what_comes_after_an_acknowledgement_to_a_half_closed_socket_is_read() {
    let (_, journeys) = recording("tcp-read-after-shutdown");
    assert_eq!(delivered(&journeys, 9001), 57_344, "what ncat printed");
}

/// Retransmissions fill one hole after another: each is in the stream before all that came later.
#[test]
fn segments_that_fill_holes_are_read() {
    let (run, journeys) = recording("tcp-holes");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let is_read = |&event: &EventIdx| {
        run.probe[event.at()] == Probe::SockRecvLength && run.field(event, Field::Proto) == Some(6)
    };
    let reads = run.indices().filter(is_read);
    let bytes: u64 = reads.map(|event| returned(&run, event)).sum();
    // What waited when the stretch begins was read in it too.
    let ports = [36_062, 36_064, 5201].iter();
    let seen: u64 = ports.map(|&port| delivered(&journeys, port)).sum();
    assert!(
        (bytes - 512 * 1024..=bytes).contains(&seen),
        "{seen} of {bytes}"
    );
}

/// The payload that tcp_probe tells has 16 bits: six segments that waited in the backlog have 327,680
/// bytes, of which it told 0.
#[test]
fn the_payload_of_five_times_64_kib_is_no_empty_segment() {
    let (run, journeys) = recording("tcp-backlog-64k");
    let heads = journeys.ids().filter(|&id| {
        let events = journeys.events(id);
        let told = |event: &EventIdx| run.field(*event, Field::Payload) == Some(0);
        journeys.packets[id.at()].payload == 5 << 16 && events.iter().any(told)
    });
    let parts: Vec<u32> = heads.map(|id| journeys.packets[id.at()].parts).collect();
    assert_eq!(parts, [6]);
}

/// A segment's memory that was not seen to be freed becomes that of an AF_UNIX message, which another
/// task reads: the segment is still the first task's.
#[test]
fn a_message_at_the_address_of_a_segment_takes_no_read_back() {
    let (run, journeys) = recording("tcp-then-unix");
    let head = journeys
        .packets
        .iter()
        .find(|packet| packet.payload == 76_768);
    let Verdict::Delivered { pid, read } = head.unwrap().verdict else {
        panic!("{:?}", head.unwrap().verdict);
    };
    assert_eq!(
        run.comm.get(&pid).map(|&name| run.names.text(name)),
        Some("ab")
    );
    assert_eq!(run.probe[read.at()].station(), Some(Station::Process));
    assert_eq!(run.context[read.at()], Context::Kernel);
}

/// A process reads 10 of a segment's 1000 bytes and closes its socket.
#[test]
fn the_rest_of_a_segment_goes_with_its_socket() {
    let (_, journeys) = recording("tcp-closed-read-in-part");
    let mut data = journeys.packets.iter().filter(|packet| packet.payload > 0);
    let segment = data.next().unwrap();
    let reason = DropReason::SocketClose;
    assert_eq!(segment.verdict, Verdict::Dropped { reason });
    assert!(segment.is_inferred);
    assert_eq!((segment.payload, segment.read), (1000, 10));
    assert!(data.next().is_none());
}

/// A task reads a datagram of 20,000 bytes and then splices what it has of a stream, eight times over. Another CPU frees
/// both when it next receives.
#[test]
fn what_was_read_before_a_splice_ends_at_its_own_read() {
    let recorded = text("tcp-splice-after-recv");
    let untold = recorded
        .lines()
        .filter(|line| !line.contains(" sys_splice"));
    let untold = untold.collect::<Vec<_>>().join("\n");
    assert!(untold.len() < recorded.len() - 100);
    for trace in [&recorded, &untold] {
        let (run, journeys) = import(trace);
        let of_payload = |payloads: &[u32]| {
            let packets = journeys.packets.iter();
            let of_payload = packets.filter(|packet| payloads.contains(&packet.payload));
            of_payload.collect::<Vec<&Packet>>()
        };
        let datagrams = of_payload(&[20_000]);
        for datagram in &datagrams {
            assert_eq!(
                run.probe[read(datagram).unwrap().at()],
                Probe::SkbCopyDatagramIovec
            );
            assert!(datagram.end.since(datagram.start) < 200_000);
        }
        let segments = of_payload(&[1000, 9000]);
        assert_eq!((datagrams.len(), segments.len()), (8, 8));
        for segment in segments {
            assert!(matches!(segment.verdict, Verdict::Delivered { pid, .. } if pid == Pid(4058)));
            assert!(segment.end.since(segment.start) < 200_000);
        }
    }
}

/// A request waits for its server's CPU to receive again before its memory is given back: 9 ms after it was read, in 20 µs.
#[test]
fn a_segment_ends_when_the_call_returns_that_read_it() {
    let (run, journeys) = recording("namespaces-curl");
    let returned = |pid, copy: EventIdx| {
        let mut behind = run.indices().skip(copy.at());
        let returns = behind.find(|&event| {
            run.probe[event.at()] == Probe::SockRecvLength && run.event(event).pid == pid
        });
        returns.map(|event| run.time(event))
    };
    let mut reads = 0;
    for packet in &journeys.packets {
        if let Verdict::Delivered { pid, read } = packet.verdict
            && run.probe[read.at()] == Probe::SkbCopyDatagramIovec
        {
            reads += 1;
            let returned = returned(pid, read).unwrap_or(Nanos(u64::MAX));
            assert!(packet.end <= returned, "{packet:?}");
        }
    }
    assert_eq!(reads, 30);
}

/// Two processes close their sockets with 300 bytes in them that nobody has read; another CPU frees those before the close is
/// told of.
#[test]
fn what_is_freed_before_the_close_of_its_socket_is_told_was_not_read() {
    let (_, journeys) = recording("tcp-closed-freed-elsewhere");
    assert_eq!(journeys.count(VerdictKind::Delivered), 0);
    let reason = DropReason::SocketClose;
    let is_dropped = |packet: &&Packet| packet.verdict == Verdict::Dropped { reason };
    let dropped = journeys.packets.iter().filter(is_dropped);
    let dropped: Vec<(u32, bool)> = dropped
        .map(|packet| (packet.payload, packet.is_inferred))
        .collect();
    assert_eq!(dropped, [(300, true); 2]);
}

/// Three segments were joined in the receive queue: the copy names the first and goes into the second, and the socket is
/// closed with the rest.
#[test]
fn what_a_copy_took_of_the_next_segment_was_read() {
    let (_, journeys) = recording("tcp-closed-read-across");
    let data = journeys.packets.iter().filter(|packet| packet.payload > 0);
    let read: Vec<_> = data
        .map(|packet| (packet.payload, packet.read, packet.verdict.kind()))
        .collect();
    assert_eq!(
        read,
        [
            (1715, 1715, VerdictKind::Delivered),
            (3387, 1021, VerdictKind::Dropped),
            (7163, 0, VerdictKind::Dropped),
        ]
    );
}

/// A multipath TCP socket reads the segments of its subflow, which is another socket. Two of them bring what had come already,
/// as the peer's timer was faster than its acknowledgements.
#[test]
fn what_a_multipath_socket_has_already_it_throws_away() {
    let (_, journeys) = recording("tcp-multipath");
    let dropped = journeys.packets.iter().filter_map(|packet| {
        let is_dropped = packet.verdict.kind() == VerdictKind::Dropped;
        is_dropped.then_some((packet.verdict, packet.payload, packet.is_inferred))
    });
    let reason = DropReason::TcpOldData;
    let repeated = Verdict::Dropped { reason };
    assert_eq!(
        dropped.collect::<Vec<_>>(),
        [(repeated, 1448, true), (repeated, 1, true)]
    );
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Lost segments leave several holes, and what fills the first comes before what fills the next: a copy of more than one segment
/// takes those that joined, and none that another copy names.
#[test]
fn a_segment_behind_the_next_hole_did_not_join_the_one_that_fills_this() {
    let (_, journeys) = recording("tcp-several-holes");
    assert_eq!(delivered(&journeys, 34242), 46_000);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

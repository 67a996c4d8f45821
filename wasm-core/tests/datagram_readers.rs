//! Who read each datagram, in recordings of tracepoints alone where several tasks or sockets may have: stretches of what
//! `ringside-capture` recorded of short Python programs beside their own logs. Where it is told, it is as it was.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;

use ringside::journey::{Journeys, Packet};
use ringside::kernel::{EventIdx, Field, Pid, Probe, Verdict, VerdictKind};
use ringside::run::Run;

use crate::recordings::{import, recording, text};

/// One socket without a peer sends to three others, of which each task reads one, on another CPU: in what order they read
/// their datagrams, all of one length, the CPU tells that frees them.
#[test]
fn what_another_cpu_frees_tells_which_reader_took_it() {
    let (_, journeys) = recording("udp-one-sender");
    let readers = [17691, 17692, 17693].map(Pid);
    let told = readers_in_order(&journeys, readers, 64);
    assert_eq!(told, "ccbcabaccabaaaaaaabaababaabcabbabaabcbcb");
}

/// The same on one CPU, which frees at once: of what came while two tasks were awake nothing tells who read it.
#[test]
fn what_either_of_two_tasks_may_have_read_is_said_to_be_read() {
    let (_, journeys) = recording("udp-one-sender-one-cpu");
    let told = readers_in_order(&journeys, [17871, 17872].map(Pid), 64);
    let truth = "bbabbabaaaaaababbbabbbabbbaababaabababaa";
    assert_eq!(unknown_of(&told, truth), 8);
}

/// Four tasks wait for two of three sockets each, to which three others send without a peer, so that no datagram has a hash. What
/// a read finds no datagram for, and in what order each socket's reads found them, leaves one reader for most.
#[test]
fn the_order_of_three_queues_tells_who_read_what_came_to_them() {
    let (_, journeys) = recording("udp-three-sockets");
    let truth = [
        (64, "aadcbbbbdcbdbbccbccdbbabbd"),
        (100, "dbacdbcbcaaaadaacbadddacdccbaacddc"),
    ];
    let mut unknown = 0;
    for (bytes, truth) in truth {
        let told = readers_in_order(&journeys, [18708, 18709, 18710, 18711].map(Pid), bytes);
        unknown += unknown_of(&told, truth);
    }
    assert_eq!(unknown, 9);
}

/// One task looks at a socket's queue, asks how long its first datagram is, and reads, often with too little room: each read takes
/// the next.
#[test]
fn one_queue_is_read_in_order_with_buffers_of_any_length() {
    let (run, journeys) = recording("udp-looks-and-short-reads");
    let is_read = |at: &EventIdx| {
        let flags = run.field(*at, Field::Flags).unwrap_or(0);
        run.probe[at.at()] == Probe::SockRecvLength && flags & 0x2 == 0
    };
    let reads: Vec<EventIdx> = run.indices().filter(is_read).collect();
    let of = |packet: &Packet| match packet.verdict {
        Verdict::Delivered { read, .. } => Some(read),
        _ => None,
    };
    let told: Vec<Option<EventIdx>> = journeys.packets.iter().map(of).collect();
    assert_eq!(told.len(), 40);
    assert!(told.into_iter().eq(reads.into_iter().map(Some)));
}

/// Two tasks wait at one socket, on two CPUs. Who comes first takes what is first in its queue, whomever that woke, and a read
/// that returns while the other CPU frees what was read before is not of what that frees next.
#[test]
fn one_queue_is_read_in_order_whomever_its_datagrams_woke() {
    let (run, journeys) = recording("udp-two-at-one-socket");
    let told = readers_in_order(&journeys, [17806, 17807].map(Pid), 64);
    assert_eq!(told, "baaaaabbabbbbbbbbbbbabbbbbabbbabbbb");
    check_ends_in_order(&run, &journeys);
}

/// Where the coming of one is not seen, as events were lost, two reads of two CPUs are left for the next, and neither order
/// gives both something.
#[test]
fn a_datagram_of_which_nothing_is_told_leaves_the_others_their_readers() {
    let text = text("udp-two-at-one-socket");
    let lines: Vec<&str> = text.lines().collect();
    let comings = (0..lines.len()).filter(|&at| lines[at].contains(" sk_data_ready: "));
    for lost in comings {
        let rest = [&lines[..lost], &lines[lost + 1..]].concat().join("\n");
        let (_, journeys) = import(&rest);
        assert!(journeys.count(VerdictKind::Delivered) >= 30);
    }
}

/// The same on one CPU, and two sockets without a peer send, whose datagrams have no hash: the socket is the only one that who
/// was woken reads.
#[test]
fn one_queue_without_hashes_is_read_in_order() {
    let (run, journeys) = recording("udp-two-at-one-socket-one-cpu");
    let told = readers_in_order(&journeys, [12233, 12234].map(Pid), 64);
    assert_eq!(told, "bbbaaaababababaaabaaaaaaaaababababaaabab");
    check_ends_in_order(&run, &journeys);
}

/// A connected socket also sends to another than its peer, so that one hash comes to two sockets.
#[test]
fn what_one_hash_sends_to_two_sockets_is_read_by_two() {
    let (_, journeys) = recording("udp-connected-to-two");
    let told = readers_in_order(&journeys, [14130, 14131].map(Pid), 64);
    assert_eq!(told, "aabaaabbbababbabaaabbababaaabaabaabbbbba");
}

/// The kernel computes one hash for both directions of a tunnelled flow whose sockets are not connected. One task asks two
/// servers, which say the same.
#[test]
fn a_reply_through_a_tunnel_is_read_by_who_asked() {
    let (run, journeys) = recording("vxlan-udp");
    let mut ways: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (packet, id) in journeys.packets.iter().zip(journeys.ids()) {
        let sender = run.pid(journeys.events(id)[0]);
        if let Verdict::Delivered { pid, .. } = packet.verdict {
            *ways.entry((sender.0, pid.0)).or_default() += 1;
        }
    }
    let (asks, answers, other) = (20464, 20421, 20422);
    let requests = [((asks, answers), 12), ((asks, other), 4)];
    let replies = [((answers, asks), 12), ((other, asks), 4)];
    assert_eq!(ways, requests.into_iter().chain(replies).collect());
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Segments are cut for the workers of one port and read from memory of which nothing else tells. Of the flows that
/// came first while two workers were awake nothing tells whose they are.
#[test]
fn segments_end_at_one_reader_each() {
    let (_, journeys) = recording("udp-segments-reuseport");
    let told = readers_in_order(&journeys, [3484, 3485, 3486, 3487].map(Pid), 200);
    let truth = "bbbbccbbbbbbbbbbbbccccccccccccccccccbbbbbbbbcccccccbbbbbbbbcc";
    assert_eq!(unknown_of(&told, truth), 27);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Two sockets without a peer send to two others through a bridge, most of it in fragments: those stand in their queue with what
/// came whole.
#[test]
fn a_datagram_in_fragments_has_its_place_in_the_queue() {
    let (_, journeys) = recording("udp-fragments-two-sockets");
    let truth = [
        (64, "bbbababaabaaaaaaba"),
        (2000, "bbabbbbbaaababaaabbabaabbab"),
        (5000, "aabbbbbababbbabb"),
    ];
    assert_eq!(unknown_of_all(&journeys, [9101, 9102], truth), 6);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// The same through a router that spreads what it receives over its CPUs. It computes one hash for the fragments of all, sends a
/// datagram's first on while the next comes, and is done with it before its sender's driver returns.
#[test]
fn fragments_through_a_router_of_several_cpus_end_with_their_datagrams() {
    let (_, journeys) = recording("udp-fragments-steered");
    let truth = [
        (64, "babbbbaababbbabbbabbbbbbaa"),
        (2000, "aabbaabaabbbabbbaabbba"),
        (5000, "aaaaabbbaabbbbbaaa"),
    ];
    assert_eq!(unknown_of_all(&journeys, [17318, 17319], truth), 0);
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

/// Three sockets with a peer each, whose readers rest behind each datagram, so that many wait. The copies name what came in
/// fragments, and that tells who read what stands between.
#[test]
fn copies_that_name_their_datagrams_tell_who_read_those_between() {
    let readers = [(31109, 31107), (31110, 31108), (31111, 31106)];
    assert_eq!(read_by("udp-fragments-slow-readers", &readers), 126);
}

/// The same where no copy names them, as their checksums are computed while they are copied. A CPU frees what others have read, and
/// no read of which the call began later was of that.
#[test]
fn what_is_free_no_later_call_reads() {
    let readers = [(6706, 6704), (6707, 6705), (6708, 6703)];
    assert_eq!(read_by("udp-fragments-resting-readers", &readers), 90);
}

/// How many datagrams are read, each by the task that reads its sender's.
fn read_by(name: &str, readers: &[(u32, u32)]) -> usize {
    let (run, journeys) = recording(name);
    let readers: BTreeMap<u32, u32> = readers.iter().copied().collect();
    let mut right = 0;
    for (packet, id) in journeys.packets.iter().zip(journeys.ids()) {
        let sender = run.pid(journeys.events(id)[0]);
        if let Verdict::Delivered { pid, .. } = packet.verdict
            && readers.contains_key(&sender.0)
        {
            assert_eq!(Some(&pid.0), readers.get(&sender.0));
            right += 1;
        }
    }
    right
}

/// How many readers of two are not told, by the bytes that they read; whoever is told was it.
fn unknown_of_all(journeys: &Journeys, readers: [u32; 2], truth: [(u32, &str); 3]) -> usize {
    let unknown = truth.into_iter().map(|(bytes, truth)| {
        let told = readers_in_order(journeys, readers.map(Pid), bytes);
        unknown_of(&told, truth)
    });
    unknown.sum()
}

/// A letter for the reader of each datagram with so many bytes, in the order of their coming.
fn readers_in_order<const N: usize>(journeys: &Journeys, readers: [Pid; N], bytes: u32) -> String {
    let packets = journeys.packets.iter();
    let of_udp = packets.filter(|packet| packet.payload == bytes);
    let told = of_udp.map(|packet| match packet.verdict {
        Verdict::Delivered { pid, .. } => {
            let at = readers.iter().position(|&reader| reader == pid);
            at.map_or('?', |at| char::from(b'a' + at as u8))
        }
        _ => '-',
    });
    told.collect()
}

/// How many readers are not told; whoever is told was it.
fn unknown_of(told: &str, truth: &str) -> usize {
    assert_eq!(told.len(), truth.len());
    let mut pairs = told.chars().zip(truth.chars());
    assert!(
        pairs.all(|(told, truth)| told == truth || told == '?'),
        "{told}"
    );
    told.matches('?').count()
}

/// Each datagram that was read ends when the call returns that took it, in the order in which they came.
fn check_ends_in_order(run: &Run, journeys: &Journeys) {
    let is_read = |packet: &&Packet| packet.verdict.kind() == VerdictKind::Delivered;
    let ends = journeys.packets.iter().filter(is_read);
    let returns = |at: &EventIdx| run.probe[at.at()] == Probe::SockRecvLength;
    let returned = run.indices().filter(returns).map(|at| run.time(at));
    assert!(ends.map(|packet| packet.end).eq(returned));
}

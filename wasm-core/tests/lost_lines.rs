//! Recordings of which lines are lost at random, with no word of it: what is told to be read of TCP's segments is at most what
//! the reads returned, whose lines are there.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::journey::{Journeys, Packet};
use ringside::kernel::{Field, MPTCP, Probe};
use ringside::run::Run;

use crate::recordings::{import, text};

/// `IPPROTO_TCP`, RFC 9293.
const TCP: u32 = 6;

/// `MSG_PEEK`, `include/linux/socket.h`.
const MSG_PEEK: u32 = 0x2;

/// Of each connection the first segments, or some behind holes, or in its backlog, or sent on by a netns; and one whose kernel
/// lost events itself. Of several the recording begins with a queue that is not empty.
const RECORDINGS: [&str; 9] = [
    "namespaces-curl",
    "packet-socket-full",
    "tcp-closed-read-across",
    "tcp-closed-unread",
    "tcp-fin-read",
    "tcp-interrupted-backlog",
    "tcp-lost-while-it-waits",
    "tcp-read-after-shutdown",
    "tcp-several-holes",
];

#[test]
fn no_more_is_read_than_reads_returned_whatever_else_is_lost() {
    let lines = ["skb_copy_datagram_iovec", "tcp_probe", "sk_data_ready", ""];
    for name in RECORDINGS {
        let whole = text(name);
        check(&whole, name);
        for line in lines {
            for seed in 1..=8 {
                check(
                    &losing(&whole, line, seed),
                    &format!("{name} {line} {seed}"),
                );
            }
        }
    }
}

/// Nothing tells of a segment but that IP got it, and its copy takes those that joined it too: it is as long as what IP got.
#[test]
fn a_segment_of_which_tcp_probe_is_lost_is_none_longer_than_it_came() {
    let whole = text("namespaces-curl");
    let heads = |text: &str| {
        let (_, journeys) = import(text);
        let of_head = |packet: &&Packet| packet.payload == 7240 && packet.read == 7240;
        journeys.packets.iter().filter(of_head).count()
    };
    let told = |line: &&str| line.contains(" tcp_probe: ") && line.contains("data_len=7240 ");
    let untold: Vec<&str> = whole.lines().filter(|line| !told(line)).collect();
    assert!(untold.len() < whole.lines().count());
    assert_eq!(heads(&untold.join("\n")), heads(&whole));
}

/// An acknowledgement of 64 bytes, which are its options, tells what came twice (RFC 2883).
#[test]
fn an_acknowledgement_with_ranges_has_no_payload() {
    let (_, journeys) = import(&text("tcp-several-holes"));
    let sizes = journeys.packets.iter().map(|packet| packet.read);
    assert!(!sizes.clone().any(|read| read == 12));
}

/// About three in ten lines of a kind are lost.
fn losing(text: &str, line: &str, seed: u64) -> String {
    let mut random = seed;
    let mut is_kept = |of: &&str| {
        // Knuth's MMIX generator, of which the upper bits serve.
        random = random.wrapping_mul(6_364_136_223_846_793_005);
        random = random.wrapping_add(1_442_695_040_888_963_407);
        let is_lost = of.contains(line) && (random >> 33) % 10 < 3;
        of.contains("sock_recv_length") || !is_lost
    };
    let kept: Vec<&str> = text.lines().filter(|line| is_kept(line)).collect();
    kept.join("\n")
}

fn check(text: &str, what: &str) {
    let (run, journeys) = import(text);
    let (read, returned) = (read(&run, &journeys), returned(&run));
    assert!(read <= returned, "{what}: {read} of {returned}");
}

/// Bytes of TCP's segments that were read, and of those of which only copies tell.
fn read(run: &Run, journeys: &Journeys) -> u64 {
    let is_of_tcp = |packet: &&Packet| {
        let first = journeys.events[packet.events.start as usize];
        match journeys.flows.get(packet.flow.0 as usize) {
            Some(flow) => u32::from(flow.protocol) == TCP,
            None => run.probe[first.at()] == Probe::SkbCopyDatagramIovec && packet.sk.is_some(),
        }
    };
    let segments = journeys.packets.iter().filter(is_of_tcp);
    segments.map(|packet| u64::from(packet.read)).sum()
}

/// Bytes that reads of TCP sockets returned.
fn returned(run: &Run) -> u64 {
    let reads = run.indices().filter(|&at| {
        run.probe[at.at()] == Probe::SockRecvLength
            && matches!(run.field(at, Field::Proto), Some(TCP | MPTCP))
            && run.field(at, Field::Flags).unwrap_or(0) & MSG_PEEK == 0
    });
    let returned = reads.map(|at| run.field(at, Field::Ret).map_or(0, u32::cast_signed));
    returned
        .map(|bytes| u64::try_from(bytes).unwrap_or(0))
        .sum()
}

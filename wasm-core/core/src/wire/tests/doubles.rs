//! Captures that hold a frame more often than once.

use super::attach::{datagram, join, said};
use super::*;
use crate::wire::attach;

const MICROSECOND: u64 = 1;

/// Three datagrams of which the kernel saw each once, and polled its ring empty after them.
const THREE: &str = "\
# kperf 2
1 ev napi_gro_receive ts 5.000010 cpu 0 skb ffff888000000100 len 44 ip_id 7 frag_off 0x4000 proto 17 sport 40000 dport 5001
2 ev netif_receive_skb ts 5.000012 cpu 0 skb ffff888000000100 len 44 dev eth0
3 ev napi_gro_receive ts 5.000030 cpu 0 skb ffff888000000200 len 44 ip_id 8 frag_off 0x4000 proto 17 sport 40000 dport 5001
4 ev netif_receive_skb ts 5.000031 cpu 0 skb ffff888000000200 len 44 dev eth0
5 ev napi_gro_receive ts 5.000050 cpu 0 skb ffff888000000300 len 44 ip_id 9 frag_off 0x4000 proto 17 sport 40000 dport 5001
6 ev napi_poll ts 5.000060 cpu 0 napi ffff888000000900 dev eth0 work 3 budget 64
7 ev sched_switch ts 5.000900 cpu 0 prev_pid 1 next_pid 0
";

const FRAMES: [(u64, u16); 3] = [(1_000, 7), (1_020, 8), (1_040, 9)];

/// Each frame, and its copy so much later.
fn with_copies(after: u64) -> Vec<(u64, Vec<u8>)> {
    let copies = FRAMES.iter().flat_map(|&(time, id)| {
        let frame = datagram(id, id.into());
        [(time, frame.clone()), (time + after, frame)]
    });
    copies.collect()
}

#[test]
fn what_a_mirror_port_shows_twice_is_no_drop() {
    for after in [0, 3 * MICROSECOND] {
        let (run, attachment) = join(THREE, &with_copies(after), None);
        assert_eq!((attachment.matched_rx, attachment.doubled), (3, 3));
        assert_eq!((attachment.dropped_by_nic, attachment.unmatched_rx), (0, 0));
        let told = said(&attachment);
        assert!(told.contains("more often than once"), "{told}");
        let wire = run
            .indices()
            .filter(|index| run.probe[index.at()] == crate::kernel::Probe::WireRx);
        assert_eq!(wire.count(), 3);
    }
}

/// With tracepoints alone a packet is told by its length and order: the copies take no packet from others.
#[test]
fn copies_take_no_packet_where_lengths_alone_tell_them() {
    let trace = "\
# kperf 2
1 ev netif_receive_skb ts 5.000010 cpu 0 skb ffff888000000100 len 44 dev eth0 protocol 0x800
2 ev netif_receive_skb ts 5.000030 cpu 0 skb ffff888000000200 len 44 dev eth0 protocol 0x800
3 ev netif_receive_skb ts 5.000050 cpu 0 skb ffff888000000300 len 44 dev eth0 protocol 0x800
";
    let (_, attachment) = join(trace, &with_copies(3 * MICROSECOND), None);
    assert_eq!((attachment.matched_rx, attachment.doubled), (3, 3));
    assert_eq!(attachment.dropped_by_nic, 0);
}

/// `netem duplicate` at the sender: the kernel sees both, so the capture has each once.
#[test]
fn what_the_network_doubled_is_two_packets() {
    let again = "\
8 ev napi_gro_receive ts 5.000901 cpu 0 skb ffff888000000400 len 44 ip_id 7 frag_off 0x4000 proto 17 sport 40000 dport 5001
9 ev netif_receive_skb ts 5.000902 cpu 0 skb ffff888000000400 len 44 dev eth0
10 ev napi_gro_receive ts 5.000904 cpu 0 skb ffff888000000500 len 44 ip_id 7 frag_off 0x4000 proto 17 sport 40000 dport 5001
11 ev netif_receive_skb ts 5.000905 cpu 0 skb ffff888000000500 len 44 dev eth0
";
    let mut frames: Vec<_> = FRAMES
        .map(|(time, id)| (time, datagram(id, id.into())))
        .into();
    frames.extend([(1_885, datagram(7, 7)), (1_886, datagram(7, 7))]);
    let trace = [THREE, again].concat();
    let (_, attachment) = join(&trace, &frames, None);
    assert_eq!((attachment.matched_rx, attachment.doubled), (5, 0));
}

/// What a sender repeats has another IP id, and a sender that does nothing but repeat itself shows so.
#[test]
fn what_is_sent_again_is_no_copy() {
    let again = |id| {
        let frames = [
            (1_000, datagram(7, 7)),
            (1_005, datagram(id, 7)),
            (1_040, datagram(9, 9)),
        ];
        join(THREE, &frames, None).1
    };
    assert_eq!(again(70).doubled, 0);
    assert_eq!(again(70).dropped_by_nic, 1);
    let flood: Vec<_> = (0..40)
        .map(|place| (1_000 + place, datagram(7, 7)))
        .collect();
    assert_eq!(join(THREE, &flood, None).1.doubled, 0);
    // No id, as with "don't fragment" where nothing is connected: two answers alike.
    let bare = [(1_000, datagram(0, 7)), (1_003, datagram(0, 7))];
    assert_eq!(join(THREE, &bare, None).1.doubled, 0);
}

/// What is said of a capture is true also where it has nothing to join.
#[test]
fn of_a_capture_without_frames_nothing_is_said_to_be_missing() {
    let told = |file: &[u8]| said(&attach(super::attach::run(THREE), &read(file), None).1);
    let sent = Sent {
        time: 1_000_000,
        bytes: datagram(7, 7),
    };
    let unread = told(&pcap(false, true, 108, &[sent]));
    expect_test::expect![
        "Frames of the capture that are left out, as Ringside does not read link type 108: 1."
    ]
    .assert_eq(&unread);
    expect_test::expect!["The capture holds no frame."].assert_eq(&told(&pcap(
        false,
        true,
        1,
        &[],
    )));
}

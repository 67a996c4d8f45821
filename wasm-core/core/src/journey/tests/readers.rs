//! Segments that more than one process reads.
//!
//! The lines are of kernel 6.18, but for those of kprobes.

use std::fmt::Write as _;

use crate::english::say;
use crate::journey::words;
use crate::opened::Opened;

use super::*;

/// A segment of so many bytes of payload that `tcp_probe` tells of and its socket is told of.
pub(super) fn segment(micros: u32, skb: &str, payload: u32) -> String {
    [told_of(micros, skb, payload), ready(micros + 2)].concat()
}

pub(super) fn told_of(micros: u32, skb: &str, payload: u32) -> String {
    let len = payload + 52;
    format!(
        "
     server-7     [001] ..s1. 46134.{micros:06}: netif_receive_skb: dev=lo skbaddr=00000000e9c0{skb} len={len}
     server-7     [001] ..s2. 46134.{:06}: tcp_probe: family=AF_INET src=127.0.0.1:40759 dest=127.0.0.1:39268 mark=0x0 data_len={payload} snd_nxt=0x56a5b6f snd_una=0x56a5b6f snd_cwnd=10 ssthresh=2147483647 snd_wnd=65536 srtt=22 rcv_wnd=65483 sock_cookie=222 skbaddr=00000000e9c0{skb} skaddr=0000000056cf2f0c",
        micros + 1
    )
}

pub(super) fn ready(micros: u32) -> String {
    format!(
        "
     server-7     [001] ..s2. 46134.{micros:06}: sk_data_ready: family=2 protocol=6 func=sock_def_readable"
    )
}

/// A call of this task on CPU 0 that copies so many bytes from what is at the address.
pub(super) fn read(micros: u32, task: &str, skb: &str, bytes: u32) -> String {
    [
        copied(micros, task, skb, bytes),
        returned(micros + 1, task, bytes),
    ]
    .concat()
}

fn copied(micros: u32, task: &str, skb: &str, bytes: u32) -> String {
    format!(
        "
     {task} [000] ..... 46134.{micros:06}: skb_copy_datagram_iovec: skbaddr=00000000e9c0{skb} len={bytes}"
    )
}

pub(super) fn returned(micros: u32, task: &str, bytes: u32) -> String {
    format!(
        "
     {task} [000] ..... 46134.{micros:06}: sock_recv_length: sk address = 0000000056cf2f0c, family = AF_INET protocol = IPPROTO_TCP, length = {bytes}, error = 0, flags = 0x0"
    )
}

/// How each packet ended, as the command line and as the page say it, and how much of it was read.
pub(super) fn check_ends(lines: &[&str], expected: &Expect) {
    let mut import = crate::import::Import::new();
    import.push(lines.concat().as_bytes());
    let opened = Opened::from(import.finish().expect("a trace"));
    let journeys = &opened.journeys;
    let mut text = String::new();
    for packet in journeys.ids() {
        let row = &journeys.packets[packet.at()];
        let short = picture::ending(&opened.run, journeys, packet);
        let said = say(&words::ended(journeys, packet), &opened.replay);
        let _ = writeln!(text, "{} of {}: {short} | {said}", row.read, row.payload);
    }
    expected.assert_eq(&text);
}

#[test]
fn who_reads_the_last_byte_of_a_segment_has_it_and_who_read_before_is_told() {
    check_ends(
        &[
            &segment(10, "2740", 100),
            &read(20, "first-8", "2740", 40),
            &read(30, "second-9", "2740", 60),
        ],
        &expect![[r#"
            100 of 100: delivered to second (9), parts of it before to first (8) | delivered to second (9); first (8) read a part of it before
        "#]],
    );
}

/// The segments are joined, and the copies name the first: of the second too each process reads a part.
#[test]
fn of_a_segment_that_joined_another_the_readers_are_told_too() {
    check_ends(
        &[
            &segment(10, "2740", 100),
            &segment(14, "2840", 100),
            &read(20, "first-8", "2740", 150),
            &read(25, "third-10", "2740", 10),
            &read(28, "first-8", "2740", 10),
            &read(30, "second-9", "2740", 30),
        ],
        &expect![[r#"
            100 of 100: delivered to first (8) | delivered to first (8)
            100 of 100: delivered to second (9), parts of it before to first (8), third (10) (inferred) | delivered to second (9); 3 readers took parts of it, first (8) first
        "#]],
    );
}

/// `MSG_PEEK` takes nothing: who only looked is no reader.
#[test]
fn who_only_looked_has_read_nothing() {
    let look = read(20, "first-8", "2740", 40).replace("flags = 0x0", "flags = 0x2");
    check_ends(
        &[
            &segment(10, "2740", 100),
            &look,
            &read(30, "second-9", "2740", 100),
        ],
        &expect![[r#"
            100 of 100: delivered to second (9) | delivered to second (9)
        "#]],
    );
}

#[test]
fn with_kprobes_the_readers_of_a_segment_are_told_as_well() {
    check_journeys(
        "
        1 ev tcp_queue_rcv ts 1.000000 cpu 0 ctx softirq pid 0 sk ffff888002000000 skb ffff888001000100 len 64
        2 ev tcp_recvmsg ts 1.000002 cpu 1 ctx kernel pid 534 sk ffff888002000000
        3 ev skb_copy_datagram_iter ts 1.000003 cpu 1 ctx kernel pid 534 skb ffff888001000100 len 64 count 40
        4 ev tcp_recvmsg_ret ts 1.000004 cpu 1 ctx kernel pid 534 ret 40
        5 ev tcp_recvmsg ts 1.000006 cpu 1 ctx kernel pid 535 sk ffff888002000000
        6 ev skb_copy_datagram_iter ts 1.000007 cpu 1 ctx kernel pid 535 skb ffff888001000100 len 64 count 24
        7 ev tcp_recvmsg_ret ts 1.000008 cpu 1 ctx kernel pid 535 ret 24
        ",
        &expect![[r#"
            packet 0: rx 64 B, delivered to pid 535, parts of it before to pid 534: 8 µs, 2 in service
              +0          cpu0  softirq  receive queue      3 = 0 service + 3 wait
              +3          cpu1  kernel   process            5 = 2 service + 3 wait
        "#]],
    );
}

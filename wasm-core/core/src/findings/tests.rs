//! Findings of small runs written by hand: each test shows the events that bear one out, and
//! that a little less does not. The thresholds have a file of their own.

mod at_the_threshold;
mod cutting;
mod drops;
mod merged;
mod responses;
mod trace;

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{Kind, findings};
use crate::english::say;
use crate::kernel::Origin;
use crate::opened::Opened;
use crate::replay::tests::run_of;
use crate::run::RunBuilder;

/// The findings of one kind, in words.
fn check(trace: &str, kind: Kind, expected: &Expect) {
    let opened = Opened::from(run_of(trace));
    let found = findings(&opened);
    let mut text = String::new();
    for one in found.iter().filter(|one| one.kind == kind) {
        let moment = one.moment.since(opened.run.start()) / 1000;
        for saying in [&one.title, &one.detail] {
            text.push_str(&say(saying, &opened.replay));
            text.push('\n');
        }
        writeln!(text, "at +{moment} µs, {}", one.severity.name()).expect("a string takes all");
    }
    expected.assert_eq(&text);
}

/// A datagram that is queued on CPU 0 and read on a CPU, and when.
fn datagram(skb: u32, cpu: u32, came_us: u32, read_us: u32) -> String {
    let time = |micros: u32| format!("1.{micros:06}");
    let (came, queued) = (time(came_us), time(came_us + 2));
    let (read, done) = (time(read_us), time(read_us + 1));
    let skb = format!("ffff8880050{skb:02}000");
    format!(
        "1 ev netif_receive_skb ts {came} cpu 0 ctx softirq pid 0 skb {skb} len 92 dev eth0
         2 ev udp_rcv ts {queued} cpu 0 ctx softirq pid 0 skb {skb} len 72
         3 ev __udp_enqueue_schedule_skb ts {queued} cpu 0 ctx softirq pid 0 sk ffff888007000000 skb {skb} len 64
         4 ev skb_consume_udp ts {read} cpu {cpu} ctx kernel pid 534 sk ffff888007000000 skb {skb} len 64 count 64
         5 ev udp_recvmsg_ret ts {done} cpu {cpu} ctx kernel pid 534 ret 64
        "
    )
}

/// Lines in order of their times.
fn sorted(lines: &[String]) -> String {
    let mut lines: Vec<&str> = lines.iter().flat_map(|text| text.lines()).collect();
    lines.retain(|line| !line.trim().is_empty());
    lines.sort_by_key(|line| line.split("ts ").nth(1).map(|rest| rest[..8].to_owned()));
    lines.join("\n")
}

#[test]
fn nothing_is_found_where_nothing_happened() {
    let empty = Opened::from(RunBuilder::new(Origin::Recorded).finish());
    assert_eq!(findings(&empty), []);
}

#[test]
fn the_longest_wait_is_of_a_packet_that_arrived() {
    let dropped = "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005099000 len 92 dev eth0
        2 ev udp_rcv ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888005099000 len 72
        3 ev __udp_enqueue_schedule_skb ts 1.000002 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005099000 len 64
        4 ev kfree_skb ts 1.009000 cpu 0 ctx softirq pid 0 skb ffff888005099000 reason SOCKET_CLOSE
        ";
    let trace = sorted(&[
        dropped.to_owned(),
        datagram(1, 1, 10, 300),
        datagram(2, 1, 20, 400),
    ]);
    check(
        &trace,
        Kind::LongestWait,
        &expect![[r#"
            The longest wait: 280 µs, receive queue
            Packet 1 lay ready until its process read it: 96 % of its way. The usual wait there is 280 µs.
            at +20 µs, notice
        "#]],
    );
}

#[test]
fn a_hand_over_is_found_only_where_the_cpu_changes() {
    let all = |cpu| sorted(&[datagram(1, cpu, 10, 30), datagram(2, cpu, 40, 70)]);
    check(
        &all(1),
        Kind::HandOver,
        &expect![[r#"
        All 2 packets change CPU
        Mostly from CPU 0 to CPU 1, after 0 ns at this place in the median: receive queue. What CPU 0 had in its cache has to cross.
        at +20 µs, info
    "#]],
    );
    check(&all(0), Kind::HandOver, &expect![[r#""#]]);
}

#[test]
fn a_reader_is_preempted_if_packets_wait_when_it_gets_its_cpu_back() {
    let switch = |time: &str, from: &str, to: &str| {
        format!(
            "9 ev sched_switch ts {time} cpu 1 ctx kernel pid 534 prev_comm a prev_pid {from} prev_state R next_comm b next_pid {to}\n"
        )
    };
    let away = [
        switch("1.000100", "534", "700"),
        switch("1.002100", "700", "534"),
    ]
    .concat();
    let with_packet = sorted(&[
        away.clone(),
        datagram(1, 1, 10, 30),
        datagram(2, 1, 200, 2200),
    ]);
    check(
        &with_packet,
        Kind::PreemptedReader,
        &expect![[r#"
            task 534 is put aside for 2.00 ms with packets waiting
            It could run, but task 700 gets its CPU. It happens 1 time.
            at +90 µs, notice
        "#]],
    );
    let without = sorted(&[away, datagram(1, 1, 10, 30), datagram(2, 1, 2300, 2400)]);
    check(&without, Kind::PreemptedReader, &expect![[r#""#]]);
}

#[test]
fn stillness_is_told_when_it_is_most_of_the_time() {
    let apart = |second| sorted(&[datagram(1, 1, 10, 30), datagram(2, 1, second, second + 20)]);
    check(
        &apart(9_000),
        Kind::Stillness,
        &expect![[r#"
            100 % of the time nothing moves
            1 stretch of a millisecond and more without any movement of a packet; the longest lasts 8.97 ms.
            at +21 µs, info
        "#]],
    );
    check(&apart(900), Kind::Stillness, &expect![[r#""#]]);
}

#[test]
fn the_full_queue_is_the_one_that_the_packet_came_to() {
    // A CPU hands packets to another, whose backlog is full: a drop is written on the first.
    let steered = |skb: u32, at: u32| {
        format!(
            "1 ev netif_receive_skb ts 1.{at:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 92 dev eth0
             2 ev enqueue_to_backlog ts 1.{:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 92 target_cpu 1 depth 2 limit 2
            ",
            at + 1
        )
    };
    let trace = [
        "1 ev enqueue_to_backlog ts 1.000001 cpu 1 ctx softirq pid 0 skb ffff888005099000 len 92 target_cpu 0
         2 ev __netif_receive_skb_core ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888005099000 len 92
         3 ev kfree_skb ts 1.000003 cpu 0 ctx softirq pid 0 skb ffff888005099000 reason NO_SOCKET
        "
        .to_owned(),
        steered(1, 10),
        steered(2, 20),
        "1 ev __netif_receive_skb_core ts 1.000040 cpu 1 ctx softirq pid 0 skb ffff888005001000 len 92
         2 ev kfree_skb ts 1.000023 cpu 0 ctx softirq pid 0 skb ffff888005002000 reason CPU_BACKLOG"
            .to_owned(),
    ];
    check(
        &sorted(&trace),
        Kind::Drops,
        &expect![[r#"
            1 packet dropped: CPU_BACKLOG
            The backlog (CPU 1) held 2 of at most 2. All of it happened within 0 ns.
            at +22 µs, problem
            1 packet dropped: NO_SOCKET
            No socket was open for it: 20 % of all packets.
            at +2 µs, notice
        "#]],
    );
}

#[test]
fn a_qdisc_that_is_over_its_limit_is_the_device_s_own() {
    let sent = |skb: u32, at: u32, device: &str| {
        format!(
            "1 ev net_dev_queue ts 1.{at:06} cpu 0 ctx kernel pid 7 skb ffff8880050{skb:02}000 len 92 dev {device}\n"
        )
    };
    let trace = [
        sent(1, 10, "eth0"),
        sent(2, 11, "eth1"),
        sent(3, 12, "eth1"),
        "1 ev net_dev_start_xmit ts 1.000018 cpu 0 ctx kernel pid 7 skb ffff888005001000 len 92 dev eth0
         2 ev kfree_skb ts 1.000020 cpu 0 ctx kernel pid 7 skb ffff888005003000 reason QDISC_OVERLIMIT
         3 ev net_dev_start_xmit ts 1.000030 cpu 0 ctx kernel pid 7 skb ffff888005002000 len 92 dev eth1"
            .to_owned(),
    ];
    check(
        &sorted(&trace),
        Kind::Drops,
        &expect![[r#"
        1 packet dropped: QDISC_OVERLIMIT
        The qdisc (eth1) held up to 2 while packets were refused, within 0 ns. Its limit was not recorded.
        at +10 µs, problem
    "#]],
    );
}

#[test]
fn bytes_that_come_a_second_time_were_sent_again() {
    let segment = |skb: u32, at: u32, seq: u32| {
        let skb = format!("ffff8880050{skb:02}000");
        format!(
            "1 ev wire_rx ts 1.{at:06} skb {skb} len 1066 dev eth0 protocol 0x800 ip_id 0x14 frag_off 0x4000 proto 6 saddr 192.0.2.1 daddr 192.0.2.2 payload 1000 sport 40001 dport 5002 seq_no {seq} ack_no 9 tcp_flags 0x18
             2 ev netif_receive_skb ts 1.{:06} cpu 0 ctx softirq pid 0 skb {skb} len 1052 dev eth0
             3 ev kfree_skb ts 1.{:06} cpu 0 ctx softirq pid 0 skb {skb} reason TCP_CSUM
            ",
            at + 1,
            at + 2
        )
    };
    // The sequence number wraps after the second; the fourth fills a gap, the last two come again.
    let once = [
        segment(1, 10, 4_294_966_000),
        segment(2, 20, 4_294_967_000),
        segment(3, 30, 1_704),
        segment(4, 40, 704),
    ];
    check(&sorted(&once), Kind::Retransmissions, &expect![[r#""#]]);
    let again = [segment(5, 70, 704), segment(6, 90, 4_294_967_000)];
    check(
        &sorted(&[once.to_vec(), again.to_vec()].concat()),
        Kind::Retransmissions,
        &expect![[r#"
            2 segments bring bytes that had come before
            The sender has sent them again, 30.0 µs after the first copy in the median. Of the first copies this host itself had dropped 2.
            at +60 µs, notice
        "#]],
    );
}

/// Without a reason it is at least said in which function.
#[test]
fn what_was_dropped_without_a_reason_is_told_with_its_place() {
    let freed = |skb: u32, function: &str| {
        format!(
            "1 ev netif_receive_skb ts 1.0000{skb:02} cpu 0 ctx softirq pid 0 skb {skb} len 92 dev eth0
             2 ev kfree_skb ts 1.0001{skb:02} cpu 0 ctx softirq pid 0 skb {skb} reason NOT_SPECIFIED location {function}
            "
        )
    };
    let lines = [
        freed(10, "ip_defrag+0x795/0x820"),
        freed(20, "ip_defrag+0x795/0x820"),
        freed(30, "tbf_enqueue+0x192/0x1c0"),
    ];
    check(
        &sorted(&lines),
        Kind::Drops,
        &expect![[r#"
        3 packets dropped: NOT_SPECIFIED
        The kernel gave no reason: 100 % of all packets, within 20.0 µs. 2 of them were freed in ip_defrag.
        at +100 µs, problem
    "#]],
    );
}

/// A segment of which no more is known than that it is sent again, and what the event says behind it.
fn check_sent_again(more: &str, expected: &Expect) {
    check(
        &format!(
            "1 ev tcp_retransmit_skb ts 1.000001 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb 10{more}"
        ),
        Kind::Retransmissions,
        expected,
    );
}

/// Without kprobes TCP is not seen to send. Kernel 6.18 says how that went.
#[test]
fn a_segment_that_is_sent_again_has_left_its_queue() {
    for more in ["", " error 0"] {
        check_sent_again(
            more,
            &expect![[r#"
                1 segment is sent again
                Of how many that this host sent is not recorded.
                at +0 µs, notice
            "#]],
        );
    }
    // It waits in a queue of this host still (EBUSY).
    check_sent_again(" error -16", &expect![[""]]);
}

/// Read or dropped: what comes up again on the host where it set out has not left it. What a NIC took has.
#[test]
fn what_is_dropped_behind_the_loopback_device_never_left_the_host_either() {
    let sent = |skb: u32, end: &str, comes_up: bool| {
        let skb = format!("ffff8880050{skb:02}000");
        let up = format!(
            "2 ev netif_rx ts 1.000011 cpu 0 ctx kernel pid 7 skb {skb} len 78 dev lo
             3 ev netif_receive_skb ts 1.000013 cpu 0 ctx softirq pid 7 skb {skb} len 78 dev lo
            "
        );
        format!(
            "1 ev net_dev_queue ts 1.000009 cpu 0 ctx kernel pid 7 skb {skb} len 92 dev lo
             1 ev net_dev_start_xmit ts 1.000010 cpu 0 ctx kernel pid 7 skb {skb} len 92 dev lo
             {}4 ev {end} ts 1.000015 cpu 0 ctx softirq pid 7 skb {skb}
            ",
            if comes_up { &up } else { "" }
        )
    };
    let mut trace: Vec<String> = (1..5)
        .map(|skb| sent(skb, "skb_consume_udp", true))
        .collect();
    trace.extend((5..9).map(|skb| sent(skb, "kfree_skb", true)));
    trace.push(sent(9, "consume_skb", false));
    check(
        &sorted(&trace),
        Kind::Loopback,
        &expect![[r#"
        8 packets never leave the host
        What goes down to the driver comes up again at once: 3.00 µs later in the median, 3.00 µs at most.
        at +1 µs, info
    "#]],
    );
}

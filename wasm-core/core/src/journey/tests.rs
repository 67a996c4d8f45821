//! Journeys as pictures: a trace in kperf 2 text goes in, every journey comes out
//! as the command line prints it.

mod any_sockets;
mod beside;
mod bridge;
mod coalesced;
mod cpumap;
mod datagram_lines;
mod extension_headers;
mod families;
mod few_events;
mod flows;
mod freed_together;
mod gaps;
mod gro_heads;
mod groups;
mod held;
mod in_tasks;
mod joined;
mod late;
mod odd;
mod one_device;
mod onward;
mod pairs;
mod qdisc;
mod readers;
mod reassembly;
mod reordered;
mod retransmitted;
mod returned;
mod reused;
mod several_queues;
mod standing;
mod streams;
mod taken_up;
mod tunnels;
mod unnamed;
mod unpacked;
mod unread;
mod urgent;
mod vlan;

use expect_test::{Expect, expect};

use super::*;
use crate::import::kperf::tests::PAPER;
use crate::import::{Ledger, kperf::Kperf};
use crate::kernel::{Origin, Probe};
use crate::run::RunBuilder;

/// The run of a trace in kperf 2 text, in which every line is understood.
fn run_of(trace: &str) -> Run {
    let mut builder = RunBuilder::new(Origin::Recorded);
    let mut ledger = Ledger::default();
    let mut kperf = Kperf::default();
    for (number, line) in (1..).zip(trace.trim().lines()) {
        kperf.line(number, line.trim().as_bytes(), &mut builder, &mut ledger);
    }
    assert_eq!(
        ledger.malformed_kept,
        [],
        "the test's own trace must be sound"
    );
    assert_eq!(ledger.unknown.keys().next(), None);
    builder.finish()
}

fn check_journeys(trace: &str, expected: &Expect) {
    let run = run_of(trace);
    let journeys = Journeys::of(&run);
    let text: String = journeys
        .ids()
        .map(|packet| picture(&run, &journeys, packet))
        .collect();
    expected.assert_eq(&text);
}

#[test]
fn the_papers_sample_is_one_packet_in_two_segments() {
    check_journeys(
        PAPER,
        &expect![[r#"
            packet 0: rx 2000 B, kperf thread 1 number 31 in 2 parts, delivered: 359 µs, 469 in service
              +0          cpu?  unknown  net core           9 = 9 service + 0 wait
              +9          cpu?  unknown  IP                 4 = 4 service + 0 wait
              +13         cpu?  unknown  transport          304 = 304 service + 0 wait
              +179        cpu?  unknown  net core           9 = 9 service + 0 wait 0 · 2/2
              +188        cpu?  unknown  IP                 4 = 4 service + 0 wait 0 · 2/2
              +192        cpu?  unknown  transport          139 = 139 service + 0 wait 0 · 2/2
              +317        cpu?  unknown  receive queue      42 = 0 service + 42 wait
              +331        cpu?  unknown  receive queue      28 = 0 service + 28 wait 0 · 2/2
              +359        cpu?  unknown  process            0 = 0 service + 0 wait
        "#]],
    );
}

#[test]
fn a_datagram_at_one_address_after_another_is_two_packets() {
    check_journeys(
        "
        1 ev napi_gro_receive ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 proto 17 sport 48000 dport 5001
        2 ev netif_receive_skb ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        3 ev ip_rcv_core ts 1.000006 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        4 ev udp_rcv ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 72
        5 ev __udp_enqueue_schedule_skb ts 1.000012 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 64
        6 ev udp_recvmsg ts 1.000020 cpu 1 ctx kernel pid 534 sk ffff888007000000
        7 ev skb_consume_udp ts 1.000025 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000100 len 64 count 64
        8 ev udp_recvmsg_ret ts 1.000027 cpu 1 ctx kernel pid 534 ret 64
        9 ev napi_gro_receive ts 1.000030 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 proto 17 sport 48000 dport 5001
        10 ev netif_receive_skb ts 1.000034 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        11 ev kfree_skb ts 1.000036 cpu 0 ctx softirq pid 0 skb ffff888005000100 reason NETFILTER_DROP
        ",
        &expect![[r#"
            packet 0: rx 92 B UDP ?:48000 → ?:5001, delivered to pid 534: 27 µs, 27 in service
              +0          cpu0  softirq  GRO                4 = 4 service + 0 wait
              +4          cpu0  softirq  net core           2 = 2 service + 0 wait
              +6          cpu0  softirq  IP                 4 = 4 service + 0 wait
              +10         cpu0  softirq  UDP                2 = 2 service + 0 wait
              +12         cpu0  softirq  receive queue      13 = 13 service + 0 wait
              +25         cpu1  kernel   process            2 = 2 service + 0 wait
            packet 1: rx 92 B UDP ?:48000 → ?:5001, dropped: NETFILTER_DROP: 6 µs, 6 in service
              +0          cpu0  softirq  GRO                4 = 4 service + 0 wait
              +4          cpu0  softirq  net core           2 = 2 service + 0 wait
        "#]],
    );
}

#[test]
fn a_packet_that_is_forwarded_to_another_device_is_one_journey_and_transmitted() {
    check_journeys(
        "
        1 ev napi_gro_receive_entry ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        2 ev netif_receive_skb ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        3 ev ip_rcv_core ts 1.000006 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        4 ev ip_output ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        5 ev net_dev_queue ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 106 dev eth1
        6 ev net_dev_start_xmit ts 1.000014 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 106 dev eth1
        7 ev net_dev_xmit ts 1.000016 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 106 dev eth1 rc 0
        8 ev consume_skb ts 1.000030 cpu 0 ctx softirq pid 0 skb ffff888005000100
        ",
        &expect![[r#"
            packet 0: rx 106 B, transmitted: 30 µs, 30 in service
              +0          cpu0  softirq  GRO                4 = 4 service + 0 wait
              +4          cpu0  softirq  net core           2 = 2 service + 0 wait
              +6          cpu0  softirq  IP                 4 = 4 service + 0 wait
              +10         cpu0  softirq  IP send            2 = 2 service + 0 wait
              +12         cpu0  softirq  qdisc              2 = 2 service + 0 wait
              +14         cpu0  softirq  driver send        2 = 2 service + 0 wait
              +16         cpu0  softirq  tx ring            14 = 14 service + 0 wait
        "#]],
    );
}

#[test]
fn each_datagram_ends_with_its_own_return_where_no_call_was_seen_to_begin() {
    check_journeys(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 92
        2 ev skb_consume_udp ts 1.000003 cpu 1 ctx kernel pid 534 skb ffff888001000100 len 64
        3 ev udp_recvmsg_ret ts 1.000004 cpu 1 ctx kernel pid 534 ret 64
        4 ev sys_exit ts 1.000005 cpu 1 ctx kernel pid 534 ret 64
        5 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888001000200 len 92
        6 ev skb_consume_udp ts 1.000013 cpu 1 ctx kernel pid 534 skb ffff888001000200 len 64
        7 ev udp_recvmsg_ret ts 1.000014 cpu 1 ctx kernel pid 534 ret 64
        ",
        &expect![[r#"
            packet 0: rx 92 B, delivered to pid 534: 5 µs, 4 in service
              +0          cpu0  softirq  net core           3 = 3 service + 0 wait
              +3          cpu1  kernel   process            2 = 1 service + 1 wait
            packet 1: rx 92 B, delivered to pid 534: 4 µs, 1 in service
              +0          cpu0  softirq  net core           3 = 0 service + 3 wait
              +3          cpu1  kernel   process            1 = 1 service + 0 wait
        "#]],
    );
}

#[test]
fn a_datagram_that_one_task_looked_at_ends_with_the_task_that_took_it() {
    check_journeys(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        2 ev skb_copy_datagram_iter ts 1.000020 cpu 1 ctx kernel pid 534 skb ffff888005000100 len 64
        3 ev udp_recvmsg_ret ts 1.000027 cpu 1 ctx kernel pid 534 ret 64
        4 ev skb_copy_datagram_iter ts 1.000040 cpu 1 ctx kernel pid 535 skb ffff888005000100 len 64
        ",
        &expect![[r#"
            packet 0: rx 92 B, delivered to pid 535: 40 µs, 7 in service
              +0          cpu0  softirq  net core           20 = 0 service + 20 wait
              +20         cpu1  kernel   process            20 = 7 service + 13 wait
        "#]],
    );
}

#[test]
fn an_ack_ends_when_tcp_puts_it_down_not_when_its_memory_is_heard_of_again() {
    check_journeys(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 52 dev eth0
        2 ev tcp_v4_rcv ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 32
        3 ev tcp_rcv_state_process ts 1.000006 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 32
        4 ev tcp_ack ts 1.000007 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 32
        5 ev softirq_exit ts 1.000012 cpu 0 ctx softirq pid 0 vec 3
        6 ev kfree_skb ts 1.482000 cpu 0 ctx softirq pid 0 skb ffff888005000100 reason NOT_SPECIFIED
        ",
        &expect![[r#"
            packet 0: rx 52 B, consumed by the stack: 12 µs, 12 in service
              +0          cpu0  softirq  net core           4 = 4 service + 0 wait
              +4          cpu0  softirq  TCP                8 = 8 service + 0 wait
        "#]],
    );
}

/// Two datagrams are read, the second after a longer wait; an ACK, a sent packet whose buffer
/// comes back late and a dropped packet have longer times behind them.
const WAITS: &str = "
    1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
    2 ev __udp_enqueue_schedule_skb ts 1.000002 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 64
    3 ev netif_receive_skb ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000200 len 92 dev eth0
    4 ev __udp_enqueue_schedule_skb ts 1.000006 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000200 len 64
    5 ev netif_receive_skb ts 1.000007 cpu 0 ctx softirq pid 0 skb ffff888005000500 len 92 dev eth0
    6 ev enqueue_to_backlog ts 1.000008 cpu 0 ctx softirq pid 0 skb ffff888005000500 len 92
    7 ev softirq_exit ts 1.000009 cpu 0 ctx softirq pid 0 vec 3
    8 ev udp_recvmsg ts 1.000049 cpu 1 ctx kernel pid 534 sk ffff888007000000
    9 ev skb_consume_udp ts 1.000050 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000100 len 64 count 64
    10 ev udp_recvmsg_ret ts 1.000051 cpu 1 ctx kernel pid 534 ret 64
    11 ev udp_recvmsg ts 1.000145 cpu 1 ctx kernel pid 534 sk ffff888007000000
    12 ev skb_consume_udp ts 1.000146 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000200 len 64 count 64
    13 ev udp_recvmsg_ret ts 1.000147 cpu 1 ctx kernel pid 534 ret 64
    14 ev net_dev_queue ts 1.000200 cpu 1 ctx kernel pid 534 skb ffff888005000300 len 106 dev eth0
    15 ev net_dev_xmit ts 1.000203 cpu 1 ctx kernel pid 534 skb ffff888005000300 len 106 dev eth0 rc 0
    16 ev sys_exit ts 1.000204 cpu 1 ctx kernel pid 534
    17 ev consume_skb ts 1.000900 cpu 1 ctx softirq pid 0 skb ffff888005000300
    18 ev kfree_skb ts 1.000999 cpu 0 ctx softirq pid 0 skb ffff888005000500 reason NETFILTER_DROP
";

#[test]
fn waits_are_ranked_of_what_arrived_and_a_freed_buffer_is_no_wait() {
    let run = run_of(WAITS);
    let journeys = Journeys::of(&run);
    let told: Vec<(u32, Station, u64)> = journeys
        .longest_waits(9)
        .iter()
        .map(|wait| (wait.packet.0, wait.stay(&journeys).station, wait.nanos))
        .collect();
    assert_eq!(
        told,
        [
            (1, Station::ReceiveQueue, 139_000),
            (0, Station::ReceiveQueue, 46_000),
        ]
    );
    assert_eq!(journeys.longest_waits(1).len(), 1);
}

const CUT: &str = "
    1 ev ip_send_skb ts 1.000000 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 2028 ip_id 7 proto 17 sport 43139 dport 5001
    2 ev ip_do_fragment ts 1.000005 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 2028
    3 ev ip_finish_output2 ts 1.000007 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1500 ip_id 7 frag_off 8192
    4 ev net_dev_queue ts 1.000009 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1514 dev eth0
    5 ev net_dev_start_xmit ts 1.000010 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1514 dev eth0
    6 ev wire_tx ts 1.000011 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1514
    7 ev net_dev_xmit ts 1.000013 cpu 2 ctx kernel pid 9 skb ffff888006ee8900 len 1514 dev eth0 rc 0
    8 ev ip_finish_output2 ts 1.000014 cpu 2 ctx kernel pid 9 skb ffff888006ee8600 len 548 ip_id 7 frag_off 185
    9 ev net_dev_queue ts 1.000016 cpu 2 ctx kernel pid 9 skb ffff888006ee8600 len 562 dev eth0
    10 ev net_dev_start_xmit ts 1.000017 cpu 2 ctx kernel pid 9 skb ffff888006ee8600 len 562 dev eth0
    11 ev net_dev_xmit ts 1.000020 cpu 2 ctx kernel pid 9 skb ffff888006ee8600 len 562 dev eth0 rc 0
    12 ev wire_tx ts 1.000025 cpu 2 ctx kernel pid 9 skb ffff888006ee8600 len 562
    13 ev consume_skb ts 1.000040 cpu 0 ctx softirq pid 0 skb ffff888006ee8900
    14 ev consume_skb ts 1.000041 cpu 0 ctx softirq pid 0 skb ffff888006ee8600
";

/// `ip_do_fragment` sends the first piece in the sk_buff of the whole (`ip_fraglist`), and the
/// link sees it before the driver's caller returns.
#[test]
fn a_datagram_ends_where_ip_cuts_it_and_its_pieces_begin_there() {
    check_journeys(
        CUT,
        &expect![[r#"
            packet 0: tx 2028 B UDP ?:43139 → ?:5001, consumed by the stack: 5 µs, 5 in service
              +0          cpu2  kernel   IP send            5 = 5 service + 0 wait
            packet 0 · 1/2: tx 1514 B UDP ?:43139 → ?:5001, transmitted: 35 µs, 9 in service
              +0          cpu2  kernel   IP send            4 = 4 service + 0 wait
              +4          cpu2  kernel   qdisc              1 = 1 service + 0 wait
              +5          cpu2  kernel   driver send        1 = 1 service + 0 wait
              +6          cpu2  kernel   wire out           29 = 3 service + 26 wait
            packet 0 · 2/2: tx 562 B UDP ?:43139 → ?:5001, transmitted: 36 µs, 11 in service
              +0          cpu2  kernel   IP send            11 = 2 service + 9 wait
              +11         cpu2  kernel   qdisc              1 = 1 service + 0 wait
              +12         cpu2  kernel   driver send        3 = 3 service + 0 wait
              +15         cpu2  kernel   tx ring            5 = 5 service + 0 wait
              +20         cpu2  kernel   wire out           16 = 0 service + 16 wait
        "#]],
    );
}

#[test]
fn what_a_full_socket_refuses_ends_at_its_queue_also_where_no_probe_saw_it_come() {
    check_journeys(
        "
        1 ev udp_rcv ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 72
        2 ev kfree_skb ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 reason SOCKET_RCVBUFF
        ",
        &expect![[r#"
            packet 0: rx 72 B, dropped: SOCKET_RCVBUFF: 4 µs, 4 in service
              +0          cpu0  softirq  UDP                4 = 4 service + 0 wait
              +4          cpu0  softirq  receive queue      0 = 0 service + 0 wait
        "#]],
    );
}

#[test]
fn a_piece_is_named_by_the_packet_it_was_cut_from() {
    let run = run_of(CUT);
    let journeys = Journeys::of(&run);
    let names: Vec<String> = journeys
        .ids()
        .map(|id| journeys.name(id).to_string())
        .collect();
    assert_eq!(names, ["0", "0 · 1/2", "0 · 2/2"]);
    assert_eq!(journeys.cut_into(PacketId(0)), [PacketId(1), PacketId(2)]);
}

#[test]
fn a_datagram_that_is_first_seen_when_a_task_looks_at_it_waits_in_the_queue() {
    check_journeys(
        "1 ev skb_copy_datagram_iovec ts 1.000020 cpu 1 ctx kernel pid 2 skb ffff888001000001 len 83
         2 ev sock_recv_length ts 1.000030 cpu 1 ctx kernel pid 2 sk ffff888001000002 ret 83 flags 2
         3 ev skb_copy_datagram_iovec ts 1.000040 cpu 1 ctx kernel pid 2 skb ffff888001000001 len 83",
        &expect![[r#"
            packet 0: rx 83 B, delivered to pid 2: 20 µs, 10 in service
              +0          cpu1  kernel   receive queue      20 = 10 service + 10 wait
              +20         cpu1  kernel   process            0 = 0 service + 0 wait
        "#]],
    );
}

#[test]
fn a_reset_over_loopback_ends_in_tcp() {
    check_journeys(
        "1 ev tcp_send_reset ts 1.000000 cpu 1 ctx softirq pid 2 skb ffff888001000001
         2 ev net_dev_queue ts 1.000001 cpu 1 ctx softirq pid 2 skb ffff888001000002 len 74 dev lo
         3 ev net_dev_start_xmit ts 1.000002 cpu 1 ctx softirq pid 2 skb ffff888001000002 len 74 dev lo protocol 34525
         4 ev netif_rx ts 1.000003 cpu 1 ctx softirq pid 2 skb ffff888001000002 len 60 dev lo
         5 ev netif_receive_skb ts 1.000004 cpu 1 ctx softirq pid 2 skb ffff888001000002 len 60 dev lo
         6 ev softirq_exit ts 1.000005 cpu 1 ctx softirq pid 2",
        &expect![[r#"
            packet 0: tx 74 B, consumed by the stack (inferred): 3 µs, 3 in service
              +0          cpu1  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu1  softirq  driver send        1 = 1 service + 0 wait
              +2          cpu1  softirq  backlog            1 = 1 service + 0 wait
              +3          cpu1  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// A datagram that is read so many microseconds after UDP had it.
fn read_after(number: u32, micros: u32) -> String {
    let at = |after: u32| format!("1.{:06}", number * 10_000 + after);
    let skb = format!("skb ffff8880050{number:02}100");
    let sk = "sk ffff888007000000";
    format!(
        "1 ev ip_rcv ts {} cpu 0 ctx softirq pid 0 {skb} len 92
        2 ev udp_rcv ts {} cpu 0 ctx softirq pid 0 {skb} len 72
        3 ev __udp_enqueue_schedule_skb ts {} cpu 0 ctx softirq pid 0 {sk} {skb} len 64
        4 ev udp_recvmsg ts {} cpu 1 ctx kernel pid 534 {sk}
        5 ev skb_consume_udp ts {} cpu 1 ctx kernel pid 534 {sk} {skb} len 64 count 64
        6 ev udp_recvmsg_ret ts {} cpu 1 ctx kernel pid 534 ret 64
        ",
        at(0),
        at(1),
        at(2),
        at(3),
        at(4),
        at(micros),
    )
}

fn typical_of(micros: &[u32]) -> Option<u64> {
    let datagrams = (1..).zip(micros);
    let trace: String = datagrams
        .map(|(number, &micros)| read_after(number, micros))
        .collect();
    let journeys = Journeys::of(&run_of(&trace));
    let packet = &journeys.packets[journeys.typical()?.at()];
    Some(packet.end.since(packet.start) / 1000)
}

#[test]
fn the_typical_journey_is_the_median_and_of_two_in_the_middle_the_shorter() {
    assert_eq!(typical_of(&[900, 20, 300]), Some(300));
    assert_eq!(typical_of(&[900, 300, 50, 20]), Some(50));
    assert_eq!(typical_of(&[300, 50]), Some(50));
    // The first tenth is not yet warm.
    assert_eq!(
        typical_of(&[20, 30, 40, 50, 60, 70, 80, 200, 400, 900]),
        Some(70)
    );
    assert_eq!(typical_of(&[]), None);
}

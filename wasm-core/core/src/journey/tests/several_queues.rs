//! Datagrams alike in the queues of several sockets that one task serves by `poll(2)`, and what stood in queues when the
//! recording began.
//!
//! The lines are of kernel 6.18.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::few_events::opened;
use crate::journey::picture;

/// A datagram of 64 bytes without a hash, sent to a socket of this host.
fn datagram(micros: u32, skb: &str) -> String {
    format!(
        "
     sender-7     [001] b.... 13.{micros:06}: net_dev_queue: dev=lo skbaddr=00000000e9c0{skb} len=106
     sender-7     [001] ..s1. 13.{:06}: netif_receive_skb: dev=lo skbaddr=00000000e9c0{skb} len=92
     sender-7     [001] ..s1. 13.{:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable",
        micros + 1,
        micros + 2
    )
}

fn wakes(micros: u32) -> String {
    format!(
        "
     sender-7     [001] d.s2. 13.{micros:06}: sched_waking: comm=server pid=8 prio=120 target_cpu=000"
    )
}

fn sleeps(micros: u32) -> String {
    format!(
        "
     server-8     [000] d..2. 13.{micros:06}: sched_switch: prev_comm=server prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120"
    )
}

fn runs(micros: u32) -> String {
    format!(
        "
     <idle>-0     [000] d..2. 13.{micros:06}: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=server next_pid=8 next_prio=120"
    )
}

/// A call that does not wait returns so many bytes, or that there are none.
fn returns(micros: u32, socket: &str, bytes: u32) -> String {
    let error = if bytes == 0 { -11 } else { 0 };
    format!(
        "
     server-8     [000] ..... 13.{micros:06}: sock_recv_length: sk address = 00000000aaaa{socket}, family = AF_INET protocol = 0x11, length = {bytes}, error = {error}, flags = 0x40"
    )
}

/// Two datagrams alike that come while the server sleeps, which then reads so.
fn two_read(reads: &[(u32, &str, u32)]) -> Vec<String> {
    let mut lines = vec![
        sleeps(1),
        datagram(10, "2740"),
        wakes(13),
        datagram(20, "2840"),
        runs(30),
    ];
    lines.extend(
        reads
            .iter()
            .map(|&(at, socket, bytes)| returns(at, socket, bytes)),
    );
    lines
}

fn check(lines: &[String], expected: &Expect) {
    let (run, journeys) = opened(&lines.concat());
    let mut text = String::new();
    for packet in journeys.ids() {
        let _ = writeln!(text, "{}", picture::ending(&run, &journeys, packet));
    }
    expected.assert_eq(&text);
}

/// Nothing tells which of the two came to which socket, and so not which call took which.
#[test]
fn of_two_alike_that_came_to_two_sockets_it_is_open_which_call_took_which() {
    check(
        &two_read(&[
            (40, "0001", 64),
            (41, "0001", 0),
            (42, "0002", 64),
            (43, "0002", 0),
        ]),
        &expect![[r#"
            delivered to server (8), by which of its calls is not recorded (inferred)
            delivered to server (8), by which of its calls is not recorded (inferred)
        "#]],
    );
}

/// A queue is read in its order.
#[test]
fn of_two_alike_that_came_to_one_socket_the_first_is_read_first() {
    check(
        &two_read(&[(40, "0001", 64), (42, "0001", 64), (43, "0001", 0)]),
        &expect![[r#"
            delivered to server (8) (inferred)
            delivered to server (8) (inferred)
        "#]],
    );
}

/// The last read before the queue is empty took what came last, so the first took what stood there before.
#[test]
fn what_stood_in_a_queue_when_the_recording_began_is_read_first() {
    let lines = [
        datagram(10, "2740"),
        datagram(20, "2840"),
        runs(30),
        returns(40, "0001", 64),
        returns(41, "0001", 64),
        returns(42, "0001", 64),
        returns(43, "0001", 0),
    ];
    let (run, journeys) = opened(&lines.concat());
    let end_of = |packet: &crate::journey::Packet| packet.end.since(run.start()) / 1000;
    let ends: Vec<u64> = journeys.packets.iter().map(end_of).collect();
    assert_eq!(ends, [31, 32], "microseconds since the first event");
}

/// What is cut from one packet comes to one socket: of the three that follow the first, that which another packet brought is in
/// the other queue.
#[test]
fn what_was_cut_from_one_packet_is_in_one_queue() {
    let other = |line: String| {
        line.replace("server-8 ", "other-9 ")
            .replace("=server", "=other")
    };
    let other = |line: String| other(line).replace("pid=8", "pid=9");
    let whole = "
     sender-7     [001] b.... 13.000020: net_dev_queue: dev=lo skbaddr=00000000e9c02840 len=234
     sender-7     [001] b.... 13.000021: net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr=00000000e9c02840 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=234 data_len=192 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=64 gso_segs=3 gso_type=0x0
     sender-7     [001] ..s1. 13.000022: netif_receive_skb: dev=lo skbaddr=00000000e9c02840 len=220
     sender-7     [001] ..s1. 13.000023: consume_skb: skbaddr=00000000e9c02840 location=udp_queue_rcv_skb+0xfb/0x240";
    let ready = |micros: u32| {
        format!(
            "
     sender-7     [001] ..s1. 13.{micros:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable"
        )
    };
    check(
        &[
            sleeps(1),
            other(sleeps(2)),
            datagram(10, "2740"),
            other(wakes(13)),
            whole.to_owned(),
            ready(24),
            wakes(25),
            ready(26),
            ready(27),
            datagram(30, "2940"),
            other(runs(40)),
            other(returns(41, "0002", 64)),
            other(returns(42, "0002", 64)),
            other(returns(43, "0002", 0)),
            runs(50),
            returns(51, "0001", 64),
            returns(52, "0001", 64),
            returns(53, "0001", 64),
            returns(54, "0001", 0),
        ],
        &expect![[r#"
            delivered to other (9) (inferred)
            consumed by the stack
            delivered to server (8) (inferred)
            delivered to server (8) (inferred)
            delivered to server (8) (inferred)
            delivered to other (9) (inferred)
        "#]],
    );
}

//! Requests that a queue of this host holds.

use super::*;

/// A question that leaves the queueing discipline so many microseconds after it came there, and its answer, which comes
/// 100 µs later and is read so many microseconds after that.
fn question(leaves: u64, read: u64) -> String {
    let time = |micros: u64| format!("1.{micros:06}");
    let question = "cpu 1 ctx kernel pid 7 skb ffff888005001000 len 166 dev eth0";
    let answer = "cpu 0 ctx softirq pid 0 skb ffff888005002000";
    let ends = |from: &str, to: &str| format!("proto 17 saddr 192.0.2.{from} daddr 192.0.2.{to}");
    let (asked, answered) = (ends("1", "2"), ends("2", "1"));
    let (left, came) = (10 + leaves, 110 + leaves);
    let lines = format!(
        "1 ev net_dev_queue ts {} {question} protocol 0x800 {asked} sport 40000 dport 53 payload 100
         2 ev sched_switch ts {} cpu 1 ctx kernel pid 7 prev_comm a prev_pid 7 prev_state S next_comm b next_pid 0
         3 ev net_dev_start_xmit ts {} {question}
         4 ev net_dev_xmit ts {} {question} rc 0
         5 ev netif_receive_skb ts {} {answer} len 92 dev eth0
         6 ev udp_rcv ts {} {answer} len 72 {answered} sport 53 dport 40000
         7 ev __udp_enqueue_schedule_skb ts {} {answer} sk ffff888007000000 len 64
         8 ev sched_switch ts {} cpu 0 ctx softirq pid 0 prev_comm b prev_pid 0 prev_state R next_comm b next_pid 9
         9 ev skb_consume_udp ts {} cpu 1 ctx kernel pid 7 sk ffff888007000000 skb ffff888005002000 len 64 count 64
         10 ev udp_recvmsg_ret ts {} cpu 1 ctx kernel pid 7 ret 64",
        time(10),
        time(11),
        time(left),
        time(left + 1),
        time(came),
        time(came + 1),
        time(came + 2),
        time(came + 3),
        time(came + 2 + read),
        time(came + 2 + read),
    );
    sorted(&[lines])
}

#[test]
fn a_queue_that_holds_a_request_for_longer_than_codels_target_is_told() {
    check(
        &question(5_001, 20),
        Kind::ResponseTime,
        &expect![[r#"
        An answer takes 5.12 ms
        Its request, packet 0, waits 5.00 ms of that here before it leaves: qdisc (eth0). Of all answers (1) this one took the median; the slowest took 5.12 ms.
        at +0 µs, notice
    "#]],
    );
    check(
        &question(5_000, 20),
        Kind::ResponseTime,
        &expect![[r#"
        An answer takes 5.12 ms
        Its request, packet 0, waits 5.00 ms of that here before it leaves: qdisc (eth0). Of all answers (1) this one took the median; the slowest took 5.12 ms.
        at +0 µs, info
    "#]],
    );
}

#[test]
fn so_is_one_that_holds_the_answer() {
    check(
        &question(30, 9_000),
        Kind::ResponseTime,
        &expect![[r#"
        An answer takes 9.13 ms
        The answer, packet 1, waits 9.00 ms of that here before it is read: receive queue (socket ffff888007000000). Of all answers (1) this one took the median; the slowest took 9.13 ms.
        at +0 µs, notice
    "#]],
    );
}

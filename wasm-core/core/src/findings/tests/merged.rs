//! Packets that GRO merged, and what is told of them and of those that only joined another later.

use super::super::{Finding, Kind};
use super::trace::Trace;
use crate::saying::Value;

const FIRST: u64 = 0xffff_8880_0500_0000;

/// On CPU 0 in the softirq.
const SOFTIRQ: &str = "cpu 0 ctx softirq pid 0";

/// Frames of the link that lie in the ring until one poll takes all of them, of which GRO makes one packet. TCP gives it to
/// a reader 10 µs after the poll.
fn merged(trace: &mut Trace, group: u64, came: [u64; 3], polled: u64) {
    let skb = |nth: u64| format!("{:016x}", FIRST + group * 0x1000 + nth * 0x100);
    let head = skb(0);
    for (nth, came) in (0..).zip(came) {
        let rest = format!("skb {} len 1514 dev eth0", skb(nth));
        trace.event(came, "wire_rx", &rest);
        let rest = format!("{SOFTIRQ} skb {} len 1500 dev eth0", skb(nth));
        trace.event(polled + nth * 100, "napi_gro_receive", &rest);
        if nth > 0 {
            let rest = format!("{SOFTIRQ} skb {} len 1500 into {head}", skb(nth));
            trace.event(polled + nth * 100 + 50, "skb_gro_receive", &rest);
        }
    }
    let sk = "sk ffff888007000000";
    let up = format!("{SOFTIRQ} skb {head} len 4396");
    trace.event(polled + 400, "netif_receive_skb", &up);
    let up = format!("{SOFTIRQ} skb {head} len 4376");
    trace.event(polled + 500, "tcp_v4_rcv", &up);
    let queued = format!("{SOFTIRQ} {sk} skb {head} len 4344");
    trace.event(polled + 600, "tcp_queue_rcv", &queued);
    let reader = "cpu 1 ctx kernel pid 534";
    let taken = format!("{reader} skb {head} len 4344");
    trace
        .event(polled + 9_000, "tcp_recvmsg", &format!("{reader} {sk}"))
        .event(polled + 10_000, "skb_copy_datagram_iovec", &taken)
        .event(
            polled + 10_100,
            "tcp_recvmsg_ret",
            &format!("{reader} ret 4344"),
        );
}

fn value(found: &[Finding], kind: Kind, name: &str) -> Value {
    let finding = found.iter().find(|one| one.kind == kind);
    let finding = finding.unwrap_or_else(|| panic!("no {kind} in {found:#?}"));
    let mut values = finding.detail.values.iter();
    let (_, value) = values
        .find(|(its, _)| *its == name)
        .expect("it has the value");
    value.clone()
}

/// What lies longest in the ring is what the others are merged into: of all frames half wait for less than half of that.
#[test]
fn the_usual_wait_at_a_place_is_one_number() {
    let mut trace = Trace::default();
    for group in 0..10 {
        let at = group * 100_000;
        merged(
            &mut trace,
            group,
            [at, at + 48_000, at + 49_000],
            at + 50_000,
        );
    }
    let found = trace.findings();
    let usual = value(&found, Kind::LongestWait, "usual");
    let half = value(&found, Kind::MostOfTheWay, "wait");
    assert_eq!(usual, half);
}

/// A frame by itself: it joins that packet, which waits in the backlog of its socket.
fn joins(trace: &mut Trace, head: u64, skb: u64, at: u64) {
    let skb = format!("{SOFTIRQ} skb {skb:016x} len 1500 dev eth0");
    trace
        .event(at, "napi_gro_receive", &skb)
        .event(at + 100, "netif_receive_skb", &skb)
        .event(at + 200, "tcp_v4_rcv", &skb);
    let into = format!("{skb} sk ffff888007000000 into {head:016x}");
    trace.event(at + 300, "tcp_add_backlog", &into);
}

/// Three frames that GRO merged, and two that the packet takes in while it waits for its socket.
#[test]
fn the_largest_packet_of_gro_is_what_gro_merged() {
    let mut trace = Trace::default();
    merged(&mut trace, 0, [0, 100, 200], 1_000);
    let queued = format!("{SOFTIRQ} sk ffff888007000000 skb {FIRST:016x} len 4396");
    trace.event(1_550, "tcp_add_backlog", &queued);
    joins(&mut trace, FIRST, FIRST + 0xa000, 2_000);
    joins(&mut trace, FIRST, FIRST + 0xb000, 3_000);
    trace
        .lines
        .retain(|(_, line)| !line.contains("tcp_queue_rcv"));
    let taken = format!("cpu 1 ctx kernel pid 534 sk ffff888007000000 skb {FIRST:016x} len 7292");
    trace.event(4_000, "tcp_v4_do_rcv", &taken);
    let found = trace.findings();
    assert_eq!(value(&found, Kind::Gro, "frames"), Value::Count(3));
    assert_eq!(value(&found, Kind::Gro, "bytes"), Value::Bytes(3 * 1_514));
}

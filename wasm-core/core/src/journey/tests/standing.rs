//! Datagrams that stand in a socket's queue when the recording begins, or when events are lost: their reads are none of
//! the datagrams behind them. With tracepoints alone.

use crate::journey::tests::few_events::opened;
use crate::kernel::VerdictKind::{self, Delivered, Open};

/// A datagram with so many bytes of payload comes to a socket's queue.
fn comes(micros: u32, skb: &str, payload: u32) -> String {
    let len = payload + 28;
    format!(
        "
  send-10    [000] ..s1.    10.{micros:06}: netif_receive_skb: dev=vb skbaddr=00000000000000{skb} len={len}
  send-10    [000] ..s1.    10.{:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable",
        micros + 5
    )
}

/// A call that does not wait returns so many bytes, or this error.
fn returns(micros: u32, bytes: u32, error: i32) -> String {
    format!(
        "
  read-11    [001] .....    10.{micros:06}: sock_recv_length: sk address = 00000000000000f2, family = AF_INET protocol = 0x11, length = {bytes}, error = {error}, flags = 0x40"
    )
}

/// The same, of a flow that this host sends.
fn of_flow(micros: u32, skb: &str, payload: u32) -> String {
    let len = payload + 28;
    format!(
        "
  send-10    [000] b....    10.{micros:06}: netif_rx_entry: dev=vb napi_id=0x0 queue_mapping=0 skbaddr=00000000000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0xab712dfc l4_hash=1 len={len} data_len=0 truesize=835 mac_header_valid=1 mac_header=-14 nr_frags=1 gso_size=0 gso_type=0x1"
    ) + &comes(micros + 1, skb, payload)
}

const LOST: &str = "\nCPU:0 [LOST 5 EVENTS]";

/// How each packet ends, and how much of its payload was read.
fn ends(lines: &[String]) -> Vec<(VerdictKind, u32, u32)> {
    let (_, journeys) = opened(&lines.concat());
    let packets = journeys.packets.iter();
    packets
        .map(|packet| (packet.verdict.kind(), packet.read, packet.payload))
        .collect()
}

#[test]
fn what_stood_before_the_recording_is_no_truncated_read() {
    let lines = [
        comes(0, "aa", 396),
        returns(10_000, 124, 0),
        returns(20_000, 128, 0),
    ];
    assert_eq!(ends(&lines), [(Open, 0, 0)]);
}

#[test]
fn a_read_of_a_queue_that_was_empty_is_a_truncated_one() {
    let lines = [
        returns(0, 0, -11),
        comes(10, "aa", 396),
        returns(10_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Delivered, 124, 396)]);
}

#[test]
fn behind_a_datagram_that_was_read_whole_a_shorter_read_is_a_truncated_one() {
    let lines = [
        comes(0, "aa", 396),
        comes(10, "bb", 400),
        returns(10_000, 396, 0),
        returns(20_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Delivered, 396, 396), (Delivered, 124, 400)]);
}

/// Nothing else says whether something stood there: that all return as much says that the reader's buffer is that long.
#[test]
fn reads_that_all_return_as_much_are_truncated_ones() {
    let lines = [
        comes(0, "aa", 396),
        comes(10, "bb", 400),
        returns(10_000, 124, 0),
        returns(20_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Delivered, 124, 396), (Delivered, 124, 400)]);
}

/// There is no datagram for the third read: what the others took stood there before, too.
#[test]
fn reads_of_more_than_was_recorded_are_of_what_stood_before() {
    let lines = [
        comes(0, "aa", 396),
        comes(10, "bb", 400),
        returns(10_000, 124, 0),
        returns(20_000, 124, 0),
        returns(30_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Open, 0, 0), (Open, 0, 0)]);
}

/// Among the events that were lost, datagrams may have come and stand before the recorded one.
#[test]
fn what_came_among_lost_events_is_no_truncated_read() {
    let lines = [
        comes(0, "aa", 300),
        returns(10_000, 300, 0),
        LOST.to_string(),
        comes(20_000, "bb", 396),
        returns(30_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Delivered, 300, 300), (Open, 0, 0)]);
}

/// What waited when events were lost may have been read among them, so that a shorter read after them is none of it.
#[test]
fn what_was_read_among_lost_events_is_not_read_again() {
    let lines = [
        returns(0, 0, -11),
        comes(10, "aa", 396),
        LOST.to_string(),
        returns(10_000, 0, -11),
        comes(20_000, "bb", 400),
        returns(30_000, 124, 0),
    ];
    assert_eq!(ends(&lines), [(Open, 0, 0), (Delivered, 124, 400)]);
}

/// Whatever stood in the queue before: the sender's first two had left it when its third was read.
#[test]
fn as_many_shorter_reads_as_older_datagrams_before_a_whole_one_are_truncated_ones() {
    let came = [
        of_flow(0, "aa", 396),
        of_flow(10, "bb", 400),
        of_flow(20, "cc", 404),
    ];
    let read = [
        returns(10_000, 100, 0),
        returns(20_000, 124, 0),
        returns(30_000, 404, 0),
    ];
    assert_eq!(
        ends(&[came.as_slice(), &read].concat()),
        [
            (Delivered, 100, 396),
            (Delivered, 124, 400),
            (Delivered, 404, 404)
        ]
    );
    assert_eq!(
        ends(&[came.as_slice(), &read[1..]].concat()),
        [(Open, 0, 0), (Open, 0, 0), (Delivered, 404, 404)]
    );
}

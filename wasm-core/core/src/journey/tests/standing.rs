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

//! Recordings by tracepoints of kernels before v6.10, whose `tcp_probe` names neither `sk_buff` nor socket, and which have no
//! `sk_data_ready` and no `sock_recv_length`.
//!
//! The lines are of Debian's kernel 6.1.192: busybox's httpd answers curl over the loopback device, and two pings.

use crate::journey::tests::few_events::opened;
use crate::kernel::Verdict;

/// A packet of the flow with this hash is handed over by loopback, and its softirq receives it.
fn comes(micros: u32, skb: &str, hash: u32, len: u32) -> String {
    let frame = len + 14;
    format!(
        "
  httpd-2543    [000] b.... 200.{micros:06}: net_dev_queue: dev=lo skbaddr=00000000{skb} len={frame}
  httpd-2543    [000] b.... 200.{micros:06}: netif_rx_entry: dev=lo napi_id=0x1 queue_mapping=0 skbaddr=00000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash={hash:#x} l4_hash=1 len={len} data_len=0 truesize=1280 mac_header_valid=1 mac_header=-14 nr_frags=1 gso_size=0 gso_type=0x1
  httpd-2543    [000] ..s1. 200.{micros:06}: softirq_entry: vec=3 [action=NET_RX]
  httpd-2543    [000] ..s1. 200.{:06}: netif_receive_skb: dev=lo skbaddr=00000000{skb} len={len}",
        micros + 1
    )
}

/// TCP looks at a segment with so much payload: curl's socket in the softirq, httpd's when that lets go of its own.
fn curl_is_told(micros: u32, payload: u32) -> String {
    format!(
        "
  httpd-2543    [000] ..s2. 200.{micros:06}: tcp_probe: family=AF_INET src=127.0.0.1:41984 dest=127.0.0.1:80 mark=0x0 data_len={payload} snd_nxt=0x411e7dd9 snd_una=0x411e7dd9 snd_cwnd=10 ssthresh=2147483647 snd_wnd=65536 srtt=2773 rcv_wnd=65536 sock_cookie=101e"
    )
}

fn httpd_is_told(micros: u32, context: &str, payload: u32) -> String {
    format!(
        "
  httpd-2543    [000] ..{context}. 200.{micros:06}: tcp_probe: family=AF_INET6 src=[::ffff:127.0.0.1]:80 dest=[::ffff:127.0.0.1]:41984 mark=0x0 data_len={payload} snd_nxt=0xa8a80123 snd_una=0xa8a80066 snd_cwnd=10 ssthresh=2147483647 snd_wnd=65536 srtt=788 rcv_wnd=65536 sock_cookie=101d"
    )
}

fn softirq_ends(micros: u32) -> String {
    format!("\n  httpd-2543    [000] ..s1. 200.{micros:06}: softirq_exit: vec=3 [action=NET_RX]")
}

/// Of which flow the packets are, by their hashes.
const TO_CURL: u32 = 0x7ddd_4211;
const TO_HTTPD: u32 = 0x84dc_d3d3;

/// Two segments of an answer: the second joins the first, as only a copy that is longer than that tells.
fn answer() -> String {
    [
        comes(893_880, "6fddd7b5", TO_CURL, 241),
        curl_is_told(894_027, 189),
        softirq_ends(894_145),
        comes(894_472, "b24711c2", TO_CURL, 30052),
        curl_is_told(894_518, 30000),
        softirq_ends(894_645),
    ]
    .concat()
}

/// How the journeys of these lines end: to whom, or the kind of their end.
fn ends(trace: &str) -> Vec<String> {
    let (_, journeys) = opened(trace);
    let packets = journeys.packets.iter();
    let end = |verdict: Verdict| match verdict {
        Verdict::Delivered { pid, .. } => format!("delivered to {}", pid.0),
        Verdict::Dropped { reason } => format!("dropped: {}", reason.name()),
        _ => verdict.kind().to_string(),
    };
    packets.map(|packet| end(packet.verdict)).collect()
}

#[test]
fn a_copy_reads_what_has_joined_its_segment() {
    let read = "
  curl-2542    [001] ..... 200.898405: skb_copy_datagram_iovec: skbaddr=000000006fddd7b5 len=30189";
    assert_eq!(
        ends(&(answer() + read)),
        ["delivered to 2542", "delivered to 2542"]
    );
}

#[test]
fn what_nobody_has_read_goes_with_its_socket() {
    let destroyed = "
  curl-2542    [001] b..1. 200.898405: tcp_destroy_sock: family=AF_INET sport=41984 dport=80 saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 daddrv6=::ffff:127.0.0.1 sock_cookie=101e";
    assert_eq!(
        ends(&(answer() + destroyed)),
        ["dropped: SOCKET_CLOSE", "dropped: SOCKET_CLOSE"]
    );
}

/// Both wait in the backlog of httpd's socket, which tells of them in the task's own context. The segment with a single byte is
/// as long as one without any whose header has an option of a byte would be, but headers are multiples of four bytes.
#[test]
fn what_waits_in_a_backlog_is_told_in_order() {
    let trace = [
        comes(893_000, "e0d4bfac", TO_HTTPD, 126),
        httpd_is_told(893_004, "s2", 74),
        softirq_ends(893_145),
        comes(894_000, "03eccd29", TO_HTTPD, 52),
        comes(894_010, "03eccd2a", TO_HTTPD, 53),
        softirq_ends(894_145),
        httpd_is_told(894_201, "..", 0),
        httpd_is_told(894_202, "..", 1),
        "
  httpd-2543    [000] ..... 200.894418: skb_copy_datagram_iovec: skbaddr=00000000e0d4bfac len=75"
            .to_owned(),
    ];
    assert_eq!(
        ends(&trace.concat()),
        ["delivered to 2543", "consumed", "delivered to 2543"]
    );
}

/// A raw socket has a clone of the answer to ping, which the protocol's handler frees for want of a socket.
#[test]
fn a_raw_socket_reads_what_is_freed_for_want_of_one() {
    let over_ipv4 = "
   ping-2170    [001] ..s1. 166.840575: netif_receive_skb: dev=e0 skbaddr=0000000037552db3 len=84
   ping-2170    [001] ..s1. 166.841701: kfree_skb: skbaddr=0000000037552db3 protocol=2048 location=0000000039c0c1c0 reason: NO_SOCKET
   ping-2170    [001] ..s1. 166.841764: softirq_exit: vec=3 [action=NET_RX]
   ping-2170    [001] ..... 166.842920: skb_copy_datagram_iovec: skbaddr=000000004c1ceada len=84
   ping-2170    [001] ..... 166.843053: consume_skb: skbaddr=000000004c1ceada";
    assert_eq!(ends(over_ipv4), ["delivered to 2170"]);
    let over_ipv6 = "
   ping-2568    [000] ..s1. 223.399938: netif_receive_skb: dev=e0 skbaddr=000000002c41ecf6 len=104
   ping-2568    [000] ..s1. 223.402822: kfree_skb: skbaddr=000000002c41ecf6 protocol=34525 location=000000003e6d9267 reason: NO_SOCKET
   ping-2568    [000] ..s1. 223.402893: softirq_exit: vec=3 [action=NET_RX]
   ping-2568    [000] ..... 223.403099: skb_copy_datagram_iovec: skbaddr=00000000aae5c0d0 len=64
   ping-2568    [000] ..... 223.403167: consume_skb: skbaddr=00000000aae5c0d0";
    assert_eq!(ends(over_ipv6), ["delivered to 2568"]);
}

/// Nobody reads it: it ends as it was freed.
#[test]
fn what_no_raw_socket_reads_is_dropped() {
    let trace = "
   ping-2170    [001] ..s1. 166.840575: netif_receive_skb: dev=e0 skbaddr=0000000037552db3 len=84
   ping-2170    [001] ..s1. 166.841701: kfree_skb: skbaddr=0000000037552db3 protocol=2048 location=0000000039c0c1c0 reason: NO_SOCKET
   ping-2170    [001] ..s1. 166.841764: softirq_exit: vec=3 [action=NET_RX]";
    assert_eq!(ends(trace), ["dropped: NO_SOCKET"]);
}

/// The function that frees is a hashed pointer. GRO had the packet last, which frees so with the one that it has joined.
#[test]
fn what_gro_has_is_freed_with_what_it_has_joined() {
    let trace = "
   ksoftirqd/1-21      [001] ..s1. 100.000001: napi_gro_receive_entry: dev=wg0 napi_id=0x0 queue_mapping=0 skbaddr=00000000d9eaa82b vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=1 hash=0x00000000 l4_hash=0 len=1420 data_len=0 truesize=2304 mac_header_valid=1 mac_header=0 nr_frags=0 gso_size=0 gso_type=0x0
   ksoftirqd/1-21      [001] ..s1. 100.000400: kfree_skb: skbaddr=00000000d9eaa82b protocol=2048 location=00000000bec81ccd reason: NOT_SPECIFIED";
    assert_eq!(ends(trace), ["merged"]);
}

/// A router solicitation that a timer sends answers no segment, though the task is the one whose softirq before received one: it is
/// no ACK, with which TCP is done when it frees it without a reason.
#[test]
fn what_the_next_softirq_sends_answers_no_segment() {
    let solicitation = "
  httpd-2543    [000] ..s.. 200.896417: softirq_entry: vec=1 [action=TIMER]
  httpd-2543    [000] b.s.. 200.896564: net_dev_queue: dev=vb skbaddr=000000008ecab078 len=70
  httpd-2543    [000] b.s.. 200.896591: netif_rx_entry: dev=e0 napi_id=0x2 queue_mapping=0 skbaddr=000000008ecab078 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=0 hash=0x00000000 l4_hash=0 len=56 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
  httpd-2543    [000] ..s.. 200.898151: netif_receive_skb: dev=e0 skbaddr=000000008ecab078 len=56
  httpd-2543    [000] ..s.. 200.898213: kfree_skb: skbaddr=000000008ecab078 protocol=34525 location=000000009829f7ee reason: NOT_SPECIFIED";
    let trace = answer() + solicitation;
    assert_eq!(ends(&trace)[2..], ["dropped: NOT_SPECIFIED"]);
}

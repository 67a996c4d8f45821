//! Fragments that a task of this host sends, at addresses that other tasks' packets had before. The lines are of kernel
//! 6.18.

use super::super::few_events::opened;
use crate::kernel::{Nanos, Verdict};

/// A packet of this task goes over loopback.
fn crosses(micros: u32, pid: u32, (skb, len, hash): (&str, u32, &str)) -> String {
    let (framed, skb) = (len + 14, format!("skbaddr=00000000{skb}"));
    let fields = "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=0";
    let task = format!("\n   iperf3-{pid} [000] b.... 5.{micros:06}: ");
    let softirq = format!("\n   iperf3-{pid} [000] ..s1. 5.{micros:06}: ");
    [
        &*task,
        &format!("net_dev_queue: dev=lo {skb} len={framed}"),
        &task,
        &format!("net_dev_start_xmit: dev=lo queue_mapping=0 {skb} {fields} len={framed} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=62 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0"),
        &task,
        &format!("netif_rx_entry: dev=lo napi_id=0x0 queue_mapping=0 {skb} {fields} hash={hash} l4_hash=1 len={len} data_len=0 truesize=2304 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0"),
        &task,
        &format!("net_dev_xmit: dev=lo {skb} len={framed} rc=0"),
        &softirq,
        &format!("netif_receive_skb: dev=lo {skb} len={len}"),
    ]
    .concat()
}

/// What the softirq does, or the reader.
fn happens(micros: u32, flags: &str, event: &str) -> String {
    format!("\n   iperf3-14810 [000] {flags} 5.{micros:06}: {event}")
}

/// A datagram of 4000 bytes in three fragments at these addresses, and its read from this socket.
fn datagram(micros: u32, [first, second, last]: [&str; 3], hash: &str, sk: &str) -> String {
    let prepares = "inet_frag_reasm_prepare+0xeb/0x340";
    let freed = format!("consume_skb: skbaddr=00000000{first} location={prepares}");
    let read = format!(
        "sock_recv_length: sk address = 00000000{sk}, family = AF_INET6 protocol = 0x11, length = 4000, error = 0, flags = 0x0"
    );
    let ready = "sk_data_ready: family=10 protocol=17 func=sock_def_readable";
    let ended = "softirq_exit: vec=3 [action=NET_RX]";
    [
        crosses(micros, 14810, (first, 1496, hash)),
        happens(micros + 1, "..s1.", ended),
        crosses(micros + 1, 14810, (second, 1496, hash)),
        happens(micros + 2, "..s1.", ended),
        crosses(micros + 2, 14810, (last, 1160, hash)),
        happens(micros + 3, "..s2.", &freed),
        happens(micros + 3, "..s1.", ready),
        happens(micros + 4, "..s1.", ended),
        format!("\n   iperf3-13584 [000] ..... 5.{:06}: {read}", micros + 9),
    ]
    .concat()
}

/// Two sockets of one task. A datagram's first fragment has the address of a segment that another task sent.
#[test]
fn a_fragment_is_of_the_task_that_sends_it() {
    let ended = "softirq_exit: vec=3 [action=NET_RX]";
    // Nothing tells of what TCP received.
    let over_loopback = [
        crosses(150, 25105, ("f5ccdfb0", 72, "0x11111111")),
        happens(152, "..s1.", ended),
    ];
    // What a NIC has sent is freed.
    let by_nic = [
        happens(
            150,
            "b....",
            "net_dev_queue: dev=eth0 skbaddr=00000000f5ccdfb0 len=66",
        ),
        happens(
            151,
            "b....",
            "net_dev_xmit: dev=eth0 skbaddr=00000000f5ccdfb0 len=66 rc=0",
        ),
        happens(
            152,
            "..s1.",
            "consume_skb: skbaddr=00000000f5ccdfb0 location=__free_old_xmit+0x71/0x150",
        ),
        happens(153, "..s1.", ended),
    ];
    let by_nic = by_nic.concat().replace("14810", "25105");
    for segment in [over_loopback.concat(), by_nic] {
        let (one, other) = (("0x71068c9b", "21f569b9"), ("0x4eb9c8f9", "6eaf7d3e"));
        let trace = [
            datagram(100, ["a0000001", "a0000002", "a0000003"], one.0, one.1),
            segment,
            datagram(200, ["b0000001", "b0000002", "b0000003"], other.0, other.1),
            datagram(300, ["f5ccdfb0", "c0000002", "c0000003"], one.0, one.1),
        ];
        let (run, journeys) = opened(&trace.concat());
        let micros = |time: Nanos| time.0 / 1000 % 1000;
        let read = journeys
            .packets
            .iter()
            .filter_map(|packet| match packet.verdict {
                Verdict::Delivered { read, .. } => {
                    Some((micros(packet.start), micros(run.time(read)), packet.parts))
                }
                _ => None,
            });
        let read: Vec<_> = read.collect();
        assert_eq!(read, [(102, 109, 3), (202, 209, 3), (302, 309, 3)]);
    }
}

//! Extension headers of IPv6, of which the driver's event tells where they end: they are no payload.
//!
//! The lines are as kernel 6.18 prints them, shortened.

use super::few_events::opened;

/// What is sent over loopback: so many bytes from its IPv6 header on, which has this length with its extensions.
fn sent(at: u32, skb: &str, len: u32, header: u32) -> String {
    let (framed, transport) = (len + 14, header + 14);
    format!(
        "
    a-5 [000] b.... 1.{at:06}: net_dev_queue: dev=lo skbaddr={skb} len={framed}
    a-5 [000] b.... 1.{at:06}: net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr={skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=3 len={framed} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset={transport} tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
    a-5 [000] b.... 1.{at:06}: netif_rx_entry: dev=lo napi_id=0x1 queue_mapping=0 skbaddr={skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=3 hash=0x8a5f3c21 l4_hash=1 len={len} data_len=0 truesize=1280 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    a-5 [000] b.... 1.{at:06}: netif_rx: dev=lo skbaddr={skb} len={len}
    a-5 [000] ..s1. 1.{at:06}: netif_receive_skb: dev=lo skbaddr={skb} len={len}"
    )
}

const READY: &str = "
    a-5 [000] ..s1. 1.000150: sk_data_ready: family=10 protocol=17 func=sock_def_readable
    a-5 [000] ..s1. 1.000151: softirq_exit: vec=3 [action=NET_RX]";

/// A reader takes so many bytes.
fn read(bytes: u32) -> String {
    format!(
        "
    b-7 [001] ..... 1.000303: sock_recv_length: sk address = ffff888002000000, family = AF_INET6 protocol = 0x11, length = {bytes}, error = 0, flags = 0x0
"
    )
}

/// Payload, and bytes of it that were read, of each packet.
fn payloads(trace: &str) -> Vec<(u32, u32)> {
    let (_, journeys) = opened(trace);
    let packets = journeys.packets.iter();
    packets.map(|it| (it.payload, it.read)).collect()
}

/// A hop-by-hop header of 8 bytes, destination options and a routing header of 40.
#[test]
fn a_datagram_behind_extension_headers_is_as_long_as_its_read() {
    for header in [40, 48, 80] {
        let datagram = sent(100, "ffff888001000100", header + 8 + 100, header);
        let trace = [&datagram, READY, &read(100)].concat();
        assert_eq!(payloads(&trace), [(100, 100)], "{header}");
        // It is not read yet when the recording ends.
        let waits = payloads(&[&datagram, READY].concat());
        assert_eq!(
            waits,
            payloads(&[&sent(100, "ffff888001000100", 148, 40), READY].concat())
        );
    }
}

/// The same address is given out for one with a header and for one without.
#[test]
fn each_datagram_has_its_own_headers() {
    let skb = "ffff888001000100";
    let freed = "
    a-5 [000] ..s1. 1.000400: consume_skb: skbaddr=ffff888001000100 location=skb_defer_free_flush+0x70/0xb0";
    let again = [
        sent(500, skb, 40 + 8 + 100, 40),
        READY.replace("0001", "0005"),
        read(100).replace("0003", "0006"),
    ];
    let trace = [
        sent(100, skb, 48 + 8 + 100, 48),
        READY.to_owned(),
        read(100),
        freed.to_owned(),
    ];
    let trace = [trace.concat(), again.concat()].concat();
    assert_eq!(payloads(&trace), [(100, 100); 2]);
}

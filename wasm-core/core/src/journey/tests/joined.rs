//! Segments that joined in a socket's backlog, and what a header tells of a segment.
//!
//! The lines are as kernel 6.18 prints them, shortened.

use super::few_events::opened;
use crate::kernel::VerdictKind;

/// A segment over loopback: so many bytes from its IP header on, which has this length itself.
fn sent(at: u32, skb: &str, len: u32, ip_header: u32) -> String {
    let (framed, transport) = (len + 14, ip_header + 14);
    let flow = "hash=0x8a5f3c21 l4_hash=1";
    format!(
        "
    a-5 [000] b.... 1.{at:06}: net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr={skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len={framed} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset={transport} tx_flags=0 gso_size=0 gso_segs=1 gso_type=0x0
    a-5 [000] b.... 1.{at:06}: netif_rx_entry: dev=lo napi_id=0x1 queue_mapping=0 skbaddr={skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 {flow} len={len} data_len=0 truesize=1280 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    a-5 [000] b.... 1.{at:06}: netif_rx: dev=lo skbaddr={skb} len={len}
    a-5 [000] ..s1. 1.{at:06}: netif_receive_skb: dev=lo skbaddr={skb} len={len}
    a-5 [000] ..s1. 1.{at:06}: softirq_exit: vec=3 [action=NET_RX]"
    )
}

/// A reader that had its socket takes so many bytes out of the first segment.
fn read(bytes: u32) -> String {
    format!(
        "
    b-7 [000] ..... 1.000300: tcp_probe: family=AF_INET src=127.0.0.1:5201 dest=127.0.0.1:54156 mark=0x0 data_len={bytes} snd_nxt=0x3d9d1e06 snd_una=0x3d9d1e06 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64896 srtt=11630 rcv_wnd=64296 sock_cookie=1 skbaddr=ffff888001000100 skaddr=ffff888002000000
    b-7 [000] ..... 1.000301: sk_data_ready: family=2 protocol=6 func=sock_def_readable
    b-7 [000] ..... 1.000302: skb_copy_datagram_iovec: skbaddr=ffff888001000100 len={bytes}
    b-7 [000] ..... 1.000303: sock_recv_length: sk address = ffff888002000000, family = AF_INET protocol = IPPROTO_TCP, length = {bytes}, error = 0, flags = 0x0
"
    )
}

fn ends(trace: &str) -> Vec<VerdictKind> {
    let (_, journeys) = opened(trace);
    let packets = journeys.packets.iter();
    packets.map(|it| it.verdict.kind()).collect()
}

/// Its IP options are not the other's, and the lengths of both count.
#[test]
fn a_segment_that_joined_has_its_own_ip_header() {
    let trace = [
        sent(100, "ffff888001000100", 1052, 20),
        sent(200, "ffff888001000200", 1056, 24),
        read(2000),
    ];
    assert_eq!(
        ends(&trace.concat()),
        [VerdictKind::Delivered, VerdictKind::Merged]
    );
}

/// Ten bytes that joined would make a header of 22, and a header is a multiple of 4.
#[test]
fn a_few_bytes_that_joined_are_no_shorter_header() {
    let trace = [
        sent(100, "ffff888001000100", 1052, 20),
        sent(200, "ffff888001000200", 62, 20),
        read(1010),
    ];
    assert_eq!(
        ends(&trace.concat()),
        [VerdictKind::Delivered, VerdictKind::Merged]
    );
}

/// The shortest frame of Ethernet carries 46 bytes: an acknowledgement without options has 40 of them, and `tcp_probe`
/// of kernels before 6.10 does not name it.
#[test]
fn what_ethernet_padded_is_a_segment() {
    let trace = "
     <idle>-0 [000] ..s1. 1.000001: netif_receive_skb: dev=eth0 skbaddr=ffff888001000100 len=46
     <idle>-0 [000] ..s1. 1.000004: tcp_probe: family=AF_INET src=192.0.2.2:5201 dest=192.0.2.1:54156 mark=0x0 data_len=0 snd_nxt=0x3d9d1e06 snd_una=0x3d9d1e06 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64896 srtt=11630 rcv_wnd=64296 sock_cookie=1
";
    let (_, journeys) = opened(trace);
    let flow = &journeys.flows[journeys.packets[0].flow.0 as usize];
    assert_eq!((flow.protocol, flow.source_port), (6, 54156));
}

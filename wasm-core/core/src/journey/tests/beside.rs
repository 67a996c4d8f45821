//! Datagrams that a packet socket (AF_PACKET, as `tcpdump` has) takes a share of: its copy is no read of the datagram's socket,
//! and the other way round.
//!
//! The lines are of kernel 6.18.

use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// A datagram of 100 bytes of payload comes at this address; the packet socket is told of it first, or last.
fn comes(skb: &str, is_packets_first: bool) -> String {
    let received = format!(
        "
     sender-7     [000] ..s1. 13.000010: netif_receive_skb: dev=eth0 skbaddr=00000000e9c0{skb} len=128"
    );
    let mut told = ["family=17 protocol=0", "family=2 protocol=17"];
    if !is_packets_first {
        told.reverse();
    }
    let told = told.map(|whom| {
        format!(
            "
     sender-7     [000] ..s1. 13.000011: sk_data_ready: {whom} func=sock_def_readable"
        )
    });
    received + &told.concat()
}

/// `tcpdump` reads its share with the link's header, or a socket without it (SOCK_DGRAM).
fn captured(micros: u32, skb: &str, bytes: u32) -> String {
    format!(
        "
     tcpdump-9    [001] ..... 13.{micros:06}: skb_copy_datagram_iovec: skbaddr=00000000e9c0{skb} len={bytes}
     tcpdump-9    [001] ..... 13.{:06}: consume_skb: skbaddr=00000000e9c0{skb} location=packet_recvmsg+0x256/0x5a0
     tcpdump-9    [001] ..... 13.{:06}: sock_recv_length: sk address = 0000000056cf2f0c, family = 0x11 protocol = 0x0, length = {bytes}, error = 0, flags = 0x0",
        micros + 1,
        micros + 2
    )
}

/// The datagram's reader; with the copy that names its `sk_buff`, or without, as where the sum is computed while it is copied.
fn read(micros: u32, skb: Option<&str>) -> String {
    let copied = skb.map(|skb| {
        format!(
            "
     reader-8     [001] ..... 13.{micros:06}: skb_copy_datagram_iovec: skbaddr=00000000e9c0{skb} len=100
     reader-8     [001] ..... 13.{:06}: consume_skb: skbaddr=00000000e9c0{skb} location=skb_consume_udp+0x5c/0x110",
            micros + 1
        )
    });
    let returned = format!(
        "
     reader-8     [001] ..... 13.{:06}: sock_recv_length: sk address = 000000005e769b64, family = AF_INET protocol = IPPROTO_UDP, length = 100, error = 0, flags = 0x0",
        micros + 2
    );
    copied.unwrap_or_default() + &returned
}

/// Whom the datagram went to, of everything that is told of its 100 bytes.
fn readers(trace: &str) -> Vec<Option<Pid>> {
    let (_, journeys) = opened(trace);
    let datagrams = journeys.packets.iter().filter(|it| it.bytes == 128);
    let reader = |verdict| match verdict {
        Verdict::Delivered { pid, .. } => Some(pid),
        _ => None,
    };
    datagrams.map(|it| reader(it.verdict)).collect()
}

/// The packet comes as 2740. Whoever reads first, of these addresses the datagram has its own reader.
fn check_readers(is_packets_first: bool, datagrams: &str, packet_sockets: &str) {
    for bytes in [142, 128, 100] {
        for with_copy in [true, false] {
            let read = |at| read(at, with_copy.then_some(datagrams));
            let captured = |at| captured(at, packet_sockets, bytes);
            for behind in [[captured(20), read(30)], [read(20), captured(30)]] {
                let trace = [comes("2740", is_packets_first), behind.concat()].concat();
                assert_eq!(readers(&trace), [Some(Pid(8))], "{trace}");
            }
        }
    }
}

#[test]
fn a_packet_sockets_clone_takes_no_datagrams_read() {
    check_readers(true, "2740", "2840");
}

/// A socket that is bound to a device has the packet's own `sk_buff`, and the datagram's a clone of it.
#[test]
fn a_packet_sockets_own_sk_buff_takes_no_datagrams_read() {
    check_readers(false, "2840", "2740");
}

/// A raw socket (`IPPROTO_UDP`) has a clone of a datagram to a port where nobody listens, and a packet socket its share of the
/// ICMP error about it, which is sent while the datagram is being received.
#[test]
fn a_packet_sockets_share_of_an_answer_is_none_of_what_it_answers() {
    let (_, journeys) = opened(
        "
    s3-23434 [000] ..s1. 875.862192: netif_receive_skb: dev=vB skbaddr=00000000662ba04f len=188
    s3-23434 [000] ..s1. 875.862193: sk_data_ready: family=17 protocol=0 func=sock_def_readable
    s3-23434 [000] .Ns1. 875.862205: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    s3-23434 [000] dNs4. 875.862205: sched_waking: comm=rawU pid=23426 prio=120 target_cpu=000
    s3-23434 [000] bNs2. 875.862218: icmp_send: icmp_send: type=3, code=3. From 10.9.0.1:59258 to 10.9.0.2:5003 ulen=168 skbaddr=00000000662ba04f
    s3-23434 [000] bNs2. 875.862223: net_dev_queue: dev=vB skbaddr=00000000a364a3bd len=230
    s3-23434 [000] bNs2. 875.862224: sk_data_ready: family=17 protocol=0 func=sock_def_readable
    s3-23434 [000] dNs4. 875.862224: sched_waking: comm=snB pid=23423 prio=120 target_cpu=000
    s3-23434 [000] bNs2. 875.862224: sk_data_ready: family=17 protocol=0 func=sock_def_readable
    s3-23434 [000] bNs2. 875.862225: net_dev_start_xmit: dev=vB queue_mapping=0 skbaddr=00000000a364a3bd vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len=230 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
    s3-23434 [000] bNs2. 875.862227: net_dev_xmit: dev=vB skbaddr=00000000a364a3bd len=230 rc=0
    s3-23434 [000] .Ns1. 875.862227: kfree_skb: skbaddr=00000000662ba04f rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET
    rawU-23426 [000] ..... 875.862306: skb_copy_datagram_iovec: skbaddr=000000000417dd98 len=188
    rawU-23426 [000] ..... 875.862306: consume_skb: skbaddr=000000000417dd98 location=raw_recvmsg+0xac/0x1d0
    rawU-23426 [000] ..... 875.862307: sock_recv_length: sk address = 0000000072ce9cd9, family = AF_INET protocol = 0x11, length = 188, error = 0, flags = 0x40
",
    );
    let ends = journeys.packets.iter();
    let ends: Vec<_> = ends.map(|packet| packet.verdict.kind().name()).collect();
    assert_eq!(ends, ["dropped", "delivered", "transmitted"]);
}

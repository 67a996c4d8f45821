//! Drops of packets whose arrival was not recorded: their journeys begin late, with their end.
//!
//! The lines are of kernel 6.18.

use super::few_events::opened;
use crate::journey::ending;

/// What CPU 1 is recorded to receive.
const RECEIVED: &str = "
   <idle>-0      [001] ..s1.    13.000001: netif_receive_skb: dev=eth0 skbaddr=ffff888000000100 len=92
   <idle>-0      [001] ..s1.    13.000003: kfree_skb: skbaddr=ffff888000000100 rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET
   <idle>-0      [001] ..s1.    13.000004: softirq_exit: vec=3 [action=NET_RX]";

/// A drop at an address of which nothing is known, in this task and context of a CPU.
fn dropped(place: &str, location: &str, reason: &str) -> String {
    format!(
        "
   {place}    13.000013: kfree_skb: skbaddr=ffff888000000200 rx_sk=0000000000000000 protocol=2048 location={location} reason: {reason}"
    )
}

/// Direction and end of the packets beside the one that was received.
fn others(trace: &str) -> Vec<String> {
    let (run, journeys) = opened(&[RECEIVED, trace].concat());
    let told = journeys.ids().skip(1).map(|id| {
        let way = journeys.packets[id.at()].direction.name();
        format!("{way} {}", ending(&run, &journeys, id))
    });
    told.collect()
}

const SOFTIRQ: &str = "<idle>-0      [000] ..s1.";

#[test]
fn a_packet_that_came_before_the_recording_is_told_with_its_drop() {
    for (location, reason) in [
        ("__udp4_lib_rcv+0x4bc/0xd00", "NO_SOCKET"),
        ("__udp4_lib_rcv+0x4bc/0xd00", "UDP_CSUM"),
        ("udp_queue_rcv_one_skb+0xa6/0xf0", "SOCKET_RCVBUFF"),
        ("tcp_v4_rcv+0x1a/0xd70", "TCP_CSUM"),
        ("ip_rcv_core+0x22c/0x350", "OTHERHOST"),
        ("ip_rcv_finish_core+0x22c/0x350", "IP_RPFILTER"),
    ] {
        let told = others(&dropped(SOFTIRQ, location, reason));
        assert_eq!(told, [format!("rx dropped: {reason} (inferred)")]);
    }
}

/// The address is of a packet that has ended.
#[test]
fn the_next_packet_at_an_address_is_told_with_its_drop() {
    let again = dropped(SOFTIRQ, "tcp_v4_rcv+0x1a/0xd70", "NO_SOCKET").replace("0200", "0100");
    assert_eq!(others(&again), ["rx dropped: NO_SOCKET (inferred)"]);
}

/// IP's output is recorded, and the packet was not there.
#[test]
fn what_a_chain_drops_that_was_not_sent_came_in() {
    let sent = "
   a-5           [002] .....    13.000010: ip_send_skb: (ip_send_skb+0x4/0x90) skb=0xffff888000000900 len=92 ipid_be=0x1 frag_be=0x0 proto=17";
    let filtered = dropped(SOFTIRQ, "nft_do_chain+0x46f/0x690", "NETFILTER_DROP");
    let told = others(&[sent, &filtered].concat());
    assert_eq!(told[1..], ["rx dropped: NETFILTER_DROP (inferred)"]);
}

/// Clones, what TCP throws out of its queues later, what nobody missed, and what is no packet.
#[test]
fn what_may_be_anothers_clone_is_not_told() {
    for (place, location, reason) in [
        // A raw socket's, a packet socket's, one of a group.
        (SOFTIRQ, "raw_rcv+0x91/0x3f0", "SOCKET_RCVBUFF"),
        (SOFTIRQ, "packet_rcv+0x91/0x3f0", "PACKET_SOCK_ERROR"),
        (SOFTIRQ, "__udp4_lib_mcast_deliver+0x91/0x3f0", "NO_SOCKET"),
        // A packet socket may have shared what waited in a backlog, in reassembly or out of order.
        (
            "a-5           [000] .....",
            "tcp_rcv_established+0x91/0x3f0",
            "TCP_OLD_DATA",
        ),
        (
            SOFTIRQ,
            "inet_frag_rbtree_purge+0x4d/0xa0",
            "FRAG_REASM_TIMEOUT",
        ),
        (SOFTIRQ, "tcp_ofo_queue+0x4d/0xa0", "TCP_OFO_DROP"),
        // Dropped on its way out or in, which the reason does not say.
        (SOFTIRQ, "tun_net_xmit+0x4d/0xa0", "FULL_RING"),
        // No function is named.
        (SOFTIRQ, "00000000a1b2c3d4", "NO_SOCKET"),
    ] {
        let told = others(&dropped(place, location, reason));
        assert!(told.is_empty(), "{location} {reason}: {told:?}");
    }
}

/// It may be a clone of the packet that the CPU is receiving.
#[test]
fn a_drop_within_the_softirq_that_receives_another_packet_is_not_told() {
    let received = RECEIVED
        .replace("000100", "000300")
        .replace("13.00000", "13.00001");
    let (received, exit) = received.rsplit_once('\n').expect("three lines");
    let place = "<idle>-0      [001] ..s1.";
    let drop = dropped(place, "icmp_rcv+0x91/0x3f0", "NO_SOCKET");
    assert_eq!(others(&[received, &drop].concat()).len(), 1);
    let drop = drop.replace("13.000013", "13.000015");
    assert_eq!(others(&[received, "\n", exit, &drop].concat()).len(), 2);
}

//! Packets that go on out of another device: after a wait for a neighbour, to the task behind a TAP, and back to where
//! they came from.

use expect_test::expect;

use super::few_events::check;

/// A router asks for the next hop's neighbour, which answers at the second request: the datagram waits longer than any
/// packet elsewhere but in a queue.
#[test]
fn a_forwarded_datagram_waits_for_its_next_hops_neighbour() {
    check(
        "
        python3-24541   [001] b.s1.  2283.125277: net_dev_queue: dev=va skbaddr=000000006c741fb9 len=142
        python3-24541   [001] b.s1.  2283.125278: net_dev_start_xmit: dev=va queue_mapping=0 skbaddr=000000006c741fb9 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        python3-24541   [001] b.s1.  2283.125278: netif_rx_entry: dev=ra napi_id=0x0 queue_mapping=0 skbaddr=000000006c741fb9 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
        python3-24541   [001] b.s1.  2283.125279: netif_rx: dev=ra skbaddr=000000006c741fb9 len=128
        python3-24541   [001] b.s1.  2283.125279: net_dev_xmit: dev=va skbaddr=000000006c741fb9 len=142 rc=0
        python3-24541   [001] ..s1.  2283.125282: netif_receive_skb: dev=ra skbaddr=000000006c741fb9 len=128
        ksoftirqd/1-22      [001] b.s..  2284.152140: net_dev_queue: dev=vb skbaddr=00000000ac916cf6 len=42
        ksoftirqd/1-22      [001] b.s..  2284.152141: net_dev_start_xmit: dev=vb queue_mapping=0 skbaddr=00000000ac916cf6 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0806 ip_summed=0 len=42 data_len=0 network_offset=14 transport_offset_valid=0 transport_offset=0 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        ksoftirqd/1-22      [001] b.s..  2284.152141: netif_rx_entry: dev=rb napi_id=0x0 queue_mapping=0 skbaddr=00000000ac916cf6 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0806 ip_summed=0 hash=0x00000000 l4_hash=0 len=28 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
        ksoftirqd/1-22      [001] b.s..  2284.152142: netif_rx: dev=rb skbaddr=00000000ac916cf6 len=28
        ksoftirqd/1-22      [001] b.s..  2284.152142: net_dev_xmit: dev=vb skbaddr=00000000ac916cf6 len=42 rc=0
        ksoftirqd/1-22      [001] ..s..  2284.152169: netif_receive_skb: dev=rb skbaddr=00000000ac916cf6 len=28
        ksoftirqd/1-22      [001] b.s..  2284.152171: net_dev_queue: dev=rb skbaddr=000000006c741fb9 len=142
        ksoftirqd/1-22      [001] b.s..  2284.152171: net_dev_start_xmit: dev=rb queue_mapping=0 skbaddr=000000006c741fb9 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        ksoftirqd/1-22      [001] b.s..  2284.152171: netif_rx_entry: dev=vb napi_id=0x0 queue_mapping=0 skbaddr=000000006c741fb9 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
        ksoftirqd/1-22      [001] b.s..  2284.152171: netif_rx: dev=vb skbaddr=000000006c741fb9 len=128
        ksoftirqd/1-22      [001] b.s..  2284.152172: net_dev_xmit: dev=rb skbaddr=000000006c741fb9 len=142 rc=0
        ksoftirqd/1-22      [001] ..s..  2284.152211: netif_receive_skb: dev=vb skbaddr=000000006c741fb9 len=128
        ksoftirqd/1-22      [001] ..s..  2284.152219: sk_data_ready: family=2 protocol=17 func=sock_def_readable
        ",
        &expect![[r#"
            packet 0: tx 142 B, end not observed: 1026942 µs, 1026911 in service
              +0          cpu1  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu1  softirq  driver send        0 = 0 service + 0 wait
              +1          cpu1  softirq  backlog            4 = 4 service + 0 wait
              +5          cpu1  softirq  net core           1026889 = 1026858 service + 31 wait
              +1026894    cpu1  softirq  qdisc              0 = 0 service + 0 wait
              +1026894    cpu1  softirq  driver send        0 = 0 service + 0 wait
              +1026894    cpu1  softirq  backlog            40 = 40 service + 0 wait
              +1026934    cpu1  softirq  net core           8 = 8 service + 0 wait
              +1026942    cpu1  softirq  receive queue      0 = 0 service + 0 wait
            packet 1: tx 42 B, end not observed: 29 µs, 29 in service
              +0          cpu1  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu1  softirq  driver send        0 = 0 service + 0 wait
              +1          cpu1  softirq  backlog            28 = 28 service + 0 wait
              +29         cpu1  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// A bridge sends through a TAP and returns after it: the program behind the TAP reads what was sent.
#[test]
fn what_a_bridge_sends_through_a_tap_is_read_by_its_task() {
    check(
        "
        python3-31423   [000] b....  2604.744276: net_dev_queue: dev=br0 skbaddr=0000000056490d76 len=142
        python3-31423   [000] b....  2604.744277: net_dev_start_xmit: dev=br0 queue_mapping=0 skbaddr=0000000056490d76 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        python3-31423   [000] b....  2604.744279: net_dev_queue: dev=tp0 skbaddr=0000000056490d76 len=142
        python3-31423   [000] b..1.  2604.744280: net_dev_start_xmit: dev=tp0 queue_mapping=0 skbaddr=0000000056490d76 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        python3-31423   [000] b..1.  2604.744282: sk_data_ready: family=0 protocol=0 func=sock_def_readable
        python3-31423   [000] b..1.  2604.744282: net_dev_xmit: dev=tp0 skbaddr=0000000056490d76 len=142 rc=0
        python3-31423   [000] b....  2604.744283: net_dev_xmit: dev=br0 skbaddr=0000000056490d76 len=142 rc=0
        python3-31423   [000] .....  2604.744332: skb_copy_datagram_iovec: skbaddr=0000000056490d76 len=142
        python3-31423   [000] .....  2604.744332: consume_skb: skbaddr=0000000056490d76 location=tun_do_read+0x23d/0xa10
        ",
        &expect![[r#"
            packet 0: tx 142 B, transmitted: 56 µs, 56 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   driver send        2 = 2 service + 0 wait
              +3          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +4          cpu0  kernel   driver send        2 = 2 service + 0 wait
              +6          cpu0  kernel   tx ring            50 = 50 service + 0 wait
        "#]],
    );
}

/// A generic XDP program at one end of a veth pair sends a datagram back (`XDP_TX`), where IP refuses it.
#[test]
fn what_a_generic_xdp_program_sends_back_is_one_journey() {
    check(
        "
        python3-12065   [000] b....  6904.353076: net_dev_queue: dev=va skbaddr=00000000927afa37 len=654
        python3-12065   [000] b....  6904.353078: net_dev_start_xmit: dev=va queue_mapping=0 skbaddr=00000000927afa37 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=654 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
        python3-12065   [000] b....  6904.353079: netif_rx_entry: dev=vb napi_id=0x0 queue_mapping=0 skbaddr=00000000927afa37 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=640 data_len=0 truesize=1280 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
        python3-12065   [000] b....  6904.353080: netif_rx: dev=vb skbaddr=00000000927afa37 len=640
        python3-12065   [000] D..1.  6904.353081: softirq_raise: vec=3 [action=NET_RX]
        python3-12065   [000] b....  6904.353082: netif_rx_exit: ret=0
        python3-12065   [000] b....  6904.353083: net_dev_xmit: dev=va skbaddr=00000000927afa37 len=654 rc=0
        python3-12065   [000] ..s1.  6904.353083: softirq_entry: vec=3 [action=NET_RX]
        python3-12065   [000] ..s1.  6904.353085: netif_receive_skb: dev=vb skbaddr=00000000927afa37 len=640
        python3-12065   [000] ..s11  6904.353087: netif_rx_entry: dev=va napi_id=0x0 queue_mapping=0 skbaddr=00000000927afa37 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=640 data_len=0 truesize=1280 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
        python3-12065   [000] ..s11  6904.353088: netif_rx: dev=va skbaddr=00000000927afa37 len=640
        python3-12065   [000] ..s11  6904.353088: netif_rx_exit: ret=0
        python3-12065   [000] ..s1.  6904.353089: netif_receive_skb: dev=va skbaddr=00000000927afa37 len=640
        python3-12065   [000] ..s1.  6904.353102: kfree_skb: skbaddr=00000000927afa37 rx_sk=0000000000000000 protocol=2048 location=ip_rcv_core+0x22c/0x350 reason: OTHERHOST
        ",
        &expect![[r#"
            packet 0: tx 654 B, dropped: OTHERHOST: 26 µs, 21 in service
              +0          cpu0  kernel   qdisc              2 = 2 service + 0 wait
              +2          cpu0  kernel   driver send        1 = 1 service + 0 wait
              +3          cpu0  kernel   backlog            6 = 2 service + 4 wait
              +9          cpu0  softirq  net core           2 = 2 service + 0 wait
              +11         cpu0  softirq  backlog            2 = 1 service + 1 wait
              +13         cpu0  softirq  net core           13 = 13 service + 0 wait
        "#]],
    );
}

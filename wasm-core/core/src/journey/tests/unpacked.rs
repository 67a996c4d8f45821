//! What becomes of packets that a tunnel has unpacked, and of what waits at a socket that is closed over it.
//!
//! The lines are of kernel 6.12, shortened.

use expect_test::expect;

use super::few_events::{check, opened};
use crate::kernel::VerdictKind;

/// L2TP over UDP: one packet passes UDP twice, and `netif_rx` tells no more of the second time than its device.
#[test]
fn what_l2tp_unpacks_passes_udp_again() {
    check(
        "
          <idle>-0       [001] ..s1.   173.811987: netif_receive_skb: dev=vb skbaddr=ffff8da5bfed4500 len=1082
          <idle>-0       [001] ..s1.   173.811990: ip_rcv: (ip_rcv+0x4/0x1f0) skb=0xffff8da5bfed4500 len=1082 ipid_be=0xf3f4 frag_be=0x0 proto=17 sport_be=0x8813 dport_be=0x8813
          <idle>-0       [001] ..s1.   173.812210: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bfed4500 len=1062 sport_be=0x8813 dport_be=0x8813
          <idle>-0       [001] ..s1.   173.812216: udp_queue_rcv_one_skb: (udp_queue_rcv_one_skb+0x0/0x510) sk=0xffff8da581ee7600 skb=0xffff8da5bfed4500 len=1062
          <idle>-0       [001] ..s1.   173.812231: netif_rx: dev=l2tpeth0 skbaddr=ffff8da5bfed4500 len=1028
          <idle>-0       [001] ..s1.   173.812238: netif_receive_skb: dev=l2tpeth0 skbaddr=ffff8da5bfed4500 len=1028
          <idle>-0       [001] ..s1.   173.812240: ip_rcv: (ip_rcv+0x4/0x1f0) skb=0xffff8da5bfed4500 len=1028 ipid_be=0xf326 frag_be=0x40 proto=17 sport_be=0xbacf dport_be=0x5114
          <idle>-0       [001] ..s1.   173.812251: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bfed4500 len=1008 sport_be=0xbacf dport_be=0x5114
          <idle>-0       [001] ..s1.   173.812262: __udp_enqueue_schedule_skb: (__udp_enqueue_schedule_skb+0x4/0x260) sk=0xffff8da5822e8000 skb=0xffff8da5bfed4500 len=1000
          <idle>-0       [001] ..s1.   173.911987: netif_receive_skb: dev=vb skbaddr=ffff8da5bfed4600 len=1082
          <idle>-0       [001] ..s1.   173.911990: ip_rcv: (ip_rcv+0x4/0x1f0) skb=0xffff8da5bfed4600 len=1082 ipid_be=0xf3f4 frag_be=0x0 proto=17 sport_be=0x8813 dport_be=0x8813
          <idle>-0       [001] ..s1.   173.912210: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bfed4600 len=1062 sport_be=0x8813 dport_be=0x8813
          <idle>-0       [001] ..s1.   173.912216: udp_queue_rcv_one_skb: (udp_queue_rcv_one_skb+0x0/0x510) sk=0xffff8da581ee7600 skb=0xffff8da5bfed4600 len=1062
          <idle>-0       [001] ..s1.   173.912231: netif_rx: dev=l2tpeth0 skbaddr=ffff8da5bfed4600 len=1028
          <idle>-0       [001] ..s1.   173.912238: netif_receive_skb: dev=l2tpeth0 skbaddr=ffff8da5bfed4600 len=1028
          <idle>-0       [001] ..s1.   173.912240: ip_rcv: (ip_rcv+0x4/0x1f0) skb=0xffff8da5bfed4600 len=1028 ipid_be=0xf326 frag_be=0x40 proto=17 sport_be=0xbacf dport_be=0x5114
          <idle>-0       [001] ..s1.   173.912251: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bfed4600 len=1008 sport_be=0xbacf dport_be=0x5114
          <idle>-0       [001] ..s1.   173.912262: __udp_enqueue_schedule_skb: (__udp_enqueue_schedule_skb+0x4/0x260) sk=0xffff8da5822e8000 skb=0xffff8da5bfed4600 len=1000
        ",
        &expect![[r#"
            packet 0: rx 1082 B UDP ?:53178 → ?:5201, end not observed: 100275 µs, 100000 in service
              +0          cpu1  softirq  net core           3 = 3 service + 0 wait
              +3          cpu1  softirq  IP                 220 = 220 service + 0 wait
              +223        cpu1  softirq  UDP                21 = 21 service + 0 wait
              +244        cpu1  softirq  backlog            7 = 7 service + 0 wait
              +251        cpu1  softirq  net core           2 = 2 service + 0 wait
              +253        cpu1  softirq  IP                 11 = 11 service + 0 wait
              +264        cpu1  softirq  UDP                11 = 11 service + 0 wait
              +275        cpu1  softirq  receive queue      100000 = 99725 service + 275 wait
            packet 1: rx 1082 B UDP ?:53178 → ?:5201, end not observed: 275 µs, 275 in service
              +0          cpu1  softirq  net core           3 = 3 service + 0 wait
              +3          cpu1  softirq  IP                 220 = 220 service + 0 wait
              +223        cpu1  softirq  UDP                21 = 21 service + 0 wait
              +244        cpu1  softirq  backlog            7 = 7 service + 0 wait
              +251        cpu1  softirq  net core           2 = 2 service + 0 wait
              +253        cpu1  softirq  IP                 11 = 11 service + 0 wait
              +264        cpu1  softirq  UDP                11 = 11 service + 0 wait
              +275        cpu1  softirq  receive queue      0 = 0 service + 0 wait
        "#]],
    );
}

/// WireGuard's device has no link header: where `__dev_queue_xmit` is recorded as with one of Ethernet's, it tells of no
/// protocol 81.
#[test]
fn what_has_no_link_header_keeps_its_protocol() {
    check(
        "
          iperf3-494     [000] .....    21.230290: ip_finish_output2: (ip_finish_output2+0x4/0x570) sk=0xffff8da581b88000 skb=0xffff8da5819320e8 len=60 ipid_be=0x26d4 frag_be=0x40 proto=6 sport_be=0x1aaa dport_be=0x5114
          iperf3-494     [000] .....    21.230297: __dev_queue_xmit: (__dev_queue_xmit+0x4/0xf50) skb=0xffff8da5819320e8 len=60 ipid_be=0x200 frag_be=0x14aa proto=81 seq_be=0x4020000 sport_be=0x5cfd
          iperf3-494     [000] b....    21.230299: net_dev_queue: dev=wg0 skbaddr=ffff8da5819320e8 len=60
          iperf3-494     [000] .....    21.230390: ip_finish_output2: (ip_finish_output2+0x4/0x570) sk=0xffff8da581b88000 skb=0xffff8da5819321e8 len=60 ipid_be=0x26d4 frag_be=0x40 proto=6 sport_be=0x1aaa dport_be=0x5114
          iperf3-494     [000] .....    21.230397: __dev_queue_xmit: (__dev_queue_xmit+0x4/0xf50) skb=0xffff8da5819321e8 len=74 ipid_be=0x26d4 frag_be=0x40 proto=6 seq_be=0x4020000 sport_be=0x1aaa
          iperf3-494     [000] b....    21.230399: net_dev_queue: dev=eth0 skbaddr=ffff8da5819321e8 len=74
        ",
        &expect![[r#"
            packet 0: tx 60 B TCP ?:43546 → ?:5201, end not observed: 109 µs, 100 in service
              +0          cpu0  kernel   IP send            7 = 7 service + 0 wait
              +7          cpu0  kernel   qdisc              102 = 93 service + 9 wait
            packet 1: tx 74 B TCP ?:43546 → ?:5201, end not observed: 9 µs, 9 in service
              +0          cpu0  kernel   IP send            7 = 7 service + 0 wait
              +7          cpu0  kernel   qdisc              2 = 2 service + 0 wait
        "#]],
    );
}

/// Nor does it tell of which version the header is: that of IPv6 has neither a number nor an offset.
#[test]
fn what_is_ipv6_has_no_ip_id() {
    let way = |at: u32| {
        format!(
            "
          <idle>-0       [001] ..s1.    81.{at}0: __dev_queue_xmit: (__dev_queue_xmit+0x4/0xf50) skb=0xffff8b1405920600 len=86 ipid_be=0x2000 frag_be=0x4006 proto=1
          <idle>-0       [001] b.s1.    81.{at}1: net_dev_queue: dev=e{at} skbaddr=ffff8b1405920600 len=86
          <idle>-0       [001] b.s1.    81.{at}2: net_dev_start_xmit: dev=e{at} queue_mapping=0 skbaddr=ffff8b1405920600 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=3 len=86 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=54 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0"
        )
    };
    let again = "
          <idle>-0       [001] b.s1.    81.210793: netif_rx_entry: dev=vb napi_id=0x2 queue_mapping=0 skbaddr=ffff8b1405920600 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=3 hash=0x00000000 l4_hash=0 len=72 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
          <idle>-0       [001] b.s1.    81.210794: netif_rx: dev=vb skbaddr=ffff8b1405920600 len=72
          <idle>-0       [001] ..s1.    81.210795: netif_receive_skb: dev=vb skbaddr=ffff8b1405920600 len=72";
    let (_, journeys) = opened(&[&way(21078), again, &way(21080)].concat());
    let ids: Vec<_> = journeys.packets.iter().map(|it| it.ip_id).collect();
    assert_eq!(ids, [None]);
}

/// A segment that its reader left when it closed the connection, with a probe at the queue as without one.
#[test]
fn what_is_unread_goes_with_a_socket_that_is_closed() {
    check(
        "
          <idle>-0       [001] ..s1.    21.356400: tcp_v4_rcv: (tcp_v4_rcv+0x4/0x1250) skb=0xffff8da5bf815700 len=1400
          <idle>-0       [001] ..s1.    21.356480: tcp_queue_rcv: (tcp_queue_rcv+0x0/0x140) sk=0xffff8da581b9a900 skb=0xffff8da5bf815700 len=1368
          iperf3-273     [000] .....    21.366924: inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=5201 dport=43546 saddr=10.9.0.2 daddr=10.9.0.1 saddrv6=::ffff:10.9.0.2 daddrv6=::ffff:10.9.0.1 oldstate=TCP_ESTABLISHED newstate=TCP_CLOSE
          iperf3-273     [000] .....    21.367133: tcp_send_reset: skbaddr=0000000000000000 skaddr=ffff8da581b9a900 src=10.9.0.2:5201 dest=10.9.0.1:43546 state=TCP_CLOSE reason=TCP_ABORT_ON_CLOSE
        ",
        &expect![[r#"
            packet 0: rx 1400 B, dropped: SOCKET_CLOSE (inferred): 10733 µs, 80 in service
              +0          cpu1  softirq  TCP                80 = 80 service + 0 wait
              +80         cpu1  softirq  receive queue      10653 = 0 service + 10653 wait
        "#]],
    );
}

/// Acknowledgements that wait for the task which owns their socket join each other (`net/ipv4/tcp_ipv4.c: tcp_add_backlog`):
/// once one is served from the softirq, none waits.
#[test]
fn acknowledgements_that_joined_in_the_backlog_are_done() {
    check(
        "
     kworker/0:4-499     [000] ..s2.    33.320540: ip_protocol_deliver_rcu: (ip_protocol_deliver_rcu+0x4/0x180) skb=0xffff8da5bf82c900 proto=6 len=32
     kworker/0:4-499     [000] ..s2.    33.320549: tcp_add_backlog: (tcp_add_backlog+0x4/0x5f0) sk=0xffff8da581b9dc40 skb=0xffff8da5bf82c900 len=32
     kworker/0:4-499     [000] ..s2.    33.320600: ip_protocol_deliver_rcu: (ip_protocol_deliver_rcu+0x4/0x180) skb=0xffff8da5bf82c500 proto=6 len=32
     kworker/0:4-499     [000] ..s2.    33.320604: tcp_add_backlog: (tcp_add_backlog+0x4/0x5f0) sk=0xffff8da581b9dc40 skb=0xffff8da5bf82c500 len=32
          iperf3-742     [001] .....    33.320700: tcp_v4_do_rcv: (tcp_v4_do_rcv+0x4/0x280) sk=0xffff8da581b9dc40 skb=0xffff8da5bf82c900 len=32
     kworker/0:4-499     [000] ..s2.    33.320800: ip_protocol_deliver_rcu: (ip_protocol_deliver_rcu+0x4/0x180) skb=0xffff8da5bf82c300 proto=6 len=32
     kworker/0:4-499     [000] ..s2.    33.320804: tcp_v4_do_rcv: (tcp_v4_do_rcv+0x4/0x280) sk=0xffff8da581b9dc40 skb=0xffff8da5bf82c300 len=32
     kworker/0:4-499     [000] ..s2.    33.320900: ip_protocol_deliver_rcu: (ip_protocol_deliver_rcu+0x4/0x180) skb=0xffff8da5bf82c100 proto=6 len=32
     kworker/0:4-499     [000] ..s2.    33.320904: tcp_add_backlog: (tcp_add_backlog+0x4/0x5f0) sk=0xffff8da581b9dc40 skb=0xffff8da5bf82c100 len=32
        ",
        &expect![[r#"
            packet 0: rx 32 B, consumed by the stack: 160 µs, 60 in service
              +0          cpu0  softirq  IP                 9 = 9 service + 0 wait
              +9          cpu0  softirq  socket backlog     151 = 51 service + 100 wait
              +160        cpu1  kernel   TCP                0 = 0 service + 0 wait
            packet 1: rx 32 B, end not observed: 304 µs, 200 in service
              +0          cpu0  softirq  IP                 4 = 4 service + 0 wait
              +4          cpu0  softirq  socket backlog     300 = 196 service + 104 wait
            packet 2: rx 32 B, consumed by the stack: 4 µs, 4 in service
              +0          cpu0  softirq  IP                 4 = 4 service + 0 wait
              +4          cpu0  softirq  TCP                0 = 0 service + 0 wait
            packet 3: rx 32 B, end not observed: 4 µs, 4 in service
              +0          cpu0  softirq  IP                 4 = 4 service + 0 wait
              +4          cpu0  softirq  socket backlog     0 = 0 service + 0 wait
        "#]],
    );
}

/// What this host sends through WireGuard to itself, as tracepoints alone tell it.
fn sent_through_wireguard(at: u32, skb: &str, len: u32) -> String {
    let padded = len.next_multiple_of(16);
    let fields = "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3";
    let rest = "data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0";
    let skb = format!("skbaddr=00000000{skb}");
    let (outer, framed) = (padded + 60, padded + 74);
    format!(
        "
     kworker/0:3-598     [000] b..1.    31.{at:03}570: net_dev_queue: dev=va {skb} len={framed}
     kworker/0:3-598     [000] b..1.    31.{at:03}575: net_dev_start_xmit: dev=va queue_mapping=0 {skb} {fields} len={framed} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=1 gso_type=0x0
     kworker/0:3-598     [000] b..1.    31.{at:03}584: netif_rx_entry: dev=vb napi_id=0x1 queue_mapping=0 {skb} {fields} hash=0x5f350ca2 l4_hash=1 len={outer} {rest}
     kworker/0:3-598     [000] b..1.    31.{at:03}586: netif_rx: dev=vb {skb} len={outer}
     kworker/0:3-598     [000] b..1.    31.{at:03}595: net_dev_xmit: dev=va {skb} len={framed} rc=0
     kworker/0:3-598     [000] ..s1.    31.{at:03}607: netif_receive_skb: dev=vb {skb} len={outer}
     kworker/0:3-598     [000] ..s1.    31.{at:03}656: napi_poll: napi poll on napi struct 00000000b6e33783 for device (no_device) work 1 budget 64
     ksoftirqd/0-14      [000] ..s..    31.{at:03}749: napi_gro_receive_entry: dev=wg0 napi_id=0x0 queue_mapping=0 {skb} {fields} hash=0x00000000 l4_hash=0 len={len} {rest}
     ksoftirqd/0-14      [000] ..s..    31.{at:03}756: napi_gro_receive_exit: ret=3
     ksoftirqd/0-14      [000] ..s..    31.{at:03}761: netif_receive_skb: dev=wg0 {skb} len={len}"
    )
}

/// Nothing is told of an acknowledgement but that it came; a tunnel's sender has no socket whose hash it has.
#[test]
fn acknowledgements_that_wireguard_unpacked_are_tcps() {
    let sent: String = ["d54cb390", "77aeda38", "ebd7907c"]
        .iter()
        .zip(100..)
        .map(|(skb, at)| sent_through_wireguard(at, skb, 52))
        .collect();
    let (_, journeys) = opened(&sent);
    let verdicts = journeys.packets.iter();
    let verdicts: Vec<_> = verdicts
        .map(|it| (it.verdict.kind(), it.is_inferred))
        .collect();
    assert_eq!(verdicts, [(VerdictKind::Consumed, true); 3]);
}

/// Segments without a hash that joined in the backlog of a socket, which tells how long the joined one is.
#[test]
fn segments_that_wireguard_unpacked_join_in_the_backlog() {
    let mut trace: String = ["d54cb390", "77aeda38", "ebd7907c"]
        .iter()
        .zip(100..)
        .map(|(skb, at)| sent_through_wireguard(at, skb, 1052))
        .collect();
    trace += "
          iperf3-132     [000] .....    31.200000: tcp_probe: family=AF_INET src=10.9.0.2:5201 dest=10.9.0.1:54156 mark=0x0 data_len=2000 snd_nxt=0x3d9d1e06 snd_una=0x3d9d1e06 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64896 srtt=11630 rcv_wnd=64296 sock_cookie=1 skbaddr=00000000d54cb390 skaddr=00000000d98e3a51
          iperf3-132     [000] .....    31.200001: sk_data_ready: family=2 protocol=6 func=sock_def_readable
          iperf3-132     [000] .....    31.200002: skb_copy_datagram_iovec: skbaddr=00000000d54cb390 len=2000
          iperf3-132     [000] .....    31.200003: sock_recv_length: sk address = 00000000d98e3a51, family = AF_INET protocol = IPPROTO_TCP, length = 2000, error = 0, flags = 0x0
";
    let (_, journeys) = opened(&trace);
    let kinds: Vec<_> = journeys
        .packets
        .iter()
        .map(|it| it.verdict.kind())
        .collect();
    assert_eq!(
        kinds,
        [
            VerdictKind::Delivered,
            VerdictKind::Merged,
            VerdictKind::Open
        ]
    );
}

/// The outer packet of VXLAN came in two fragments: what was put together of them is longer than either.
#[test]
fn what_was_put_together_of_fragments_is_unpacked() {
    let fragment = |at: u32, skb: &str, len: u32, frag: &str| {
        format!(
            "
          iperf3-2213    [000] ..s1.    96.585{at}0: netif_receive_skb: dev=vb skbaddr=ffff8da5bf9d{skb} len={len}
          iperf3-2213    [000] ..s1.    96.585{at}1: ip_rcv: (ip_rcv+0x4/0x1f0) skb=0xffff8da5bf9d{skb} len={len} ipid_be=0x928a frag_be={frag} proto=17
          iperf3-2213    [000] ..s2.    96.585{at}2: inet_frag_queue_insert: (inet_frag_queue_insert+0x4/0x1b0) q=0xffff8da5bb1b2708 skb=0xffff8da5bf9d{skb} off={} end={} len={}",
            if len == 70 { 1480 } else { 0 },
            if len == 70 { 1530 } else { 1480 },
            len - 20
        )
    };
    let whole = [fragment(10, "d400", 1500, "0x20"), fragment(20, "d100", 70, "0xb900")].concat()
        + "
          iperf3-2213    [000] ..s2.    96.585300: inet_frag_reasm_finish: (inet_frag_reasm_finish+0x4/0x2f0) q=0xffff8da5bb1b2708 skb=0xffff8da5bf9dd100
          iperf3-2213    [000] ..s1.    96.585301: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bf9dd100 len=1530 sport_be=0xc1e5 dport_be=0xb512
          iperf3-2213    [000] ..s1.    96.585302: udp_queue_rcv_one_skb: (udp_queue_rcv_one_skb+0x0/0x510) sk=0xffff8da581ee4480 skb=0xffff8da5bf9dd100 len=1530
          iperf3-2213    [000] ..s1.    96.585400: napi_gro_receive: (napi_gro_receive+0x4/0x220) napi=0xfffff46affc04430 skb=0xffff8da5bf9dd100 len=1500
          iperf3-2213    [000] ..s1.    96.585401: napi_gro_receive_entry: dev=vx0 napi_id=0x0 queue_mapping=0 skbaddr=ffff8da5bf9dd100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=1480 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
          iperf3-2213    [000] ..s1.    96.585402: netif_receive_skb: dev=vx0 skbaddr=ffff8da5bf9dd100 len=1480
          iperf3-2213    [000] ..s1.    96.585403: tcp_v4_rcv: (tcp_v4_rcv+0x4/0x1380) skb=0xffff8da5bf9dd100 len=1460";
    // Two that come whole tell that the device is a tunnel's.
    let in_one = |at: u32, skb: &str| {
        format!(
            "
          iperf3-2213    [000] ..s1.    96.{at}00: netif_receive_skb: dev=vb skbaddr=ffff8da5bf9e{skb} len=150
          iperf3-2213    [000] ..s1.    96.{at}01: udp_rcv: (udp_rcv+0x4/0x30) skb=0xffff8da5bf9e{skb} len=130
          iperf3-2213    [000] ..s1.    96.{at}02: napi_gro_receive: (napi_gro_receive+0x4/0x220) napi=0xfffff46affc04430 skb=0xffff8da5bf9e{skb} len=100
          iperf3-2213    [000] ..s1.    96.{at}03: napi_gro_receive_entry: dev=vx0 napi_id=0x0 queue_mapping=0 skbaddr=ffff8da5bf9e{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=100 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
          iperf3-2213    [000] ..s1.    96.{at}04: netif_receive_skb: dev=vx0 skbaddr=ffff8da5bf9e{skb} len=100"
        )
    };
    let (_, journeys) = opened(&[in_one(5840, "a100"), in_one(5841, "a200"), whole].concat());
    let parts = journeys.packets.iter().map(|it| (it.bytes, it.parts));
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [(150, 1), (150, 1), (1500, 1), (1530, 2)]
    );
}

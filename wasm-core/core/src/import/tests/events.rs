//! The arguments of events in the spellings of kernels 5.x to 6.18.

use expect_test::expect;

use super::check;

#[test]
fn a_protocol_of_another_family_is_none_of_ip() {
    check(
        "\
            a-1  [000] ..s..     1.000001: sk_data_ready: family=2 protocol=17 func=sock_def_readable
            a-1  [000] ..s..     1.000002: sk_data_ready: family=16 protocol=12 func=sock_def_readable
            a-1  [000] ..s..     1.000003: sk_data_ready: family=10 protocol=58 func=sock_def_readable
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev sk_data_ready ts 1.000001000 cpu 0 ctx softirq pid 1 sk_family 2 proto 17 func sock_def_readable
            2 ev sk_data_ready ts 1.000002000 cpu 0 ctx softirq pid 1 sk_family 16 protocol 0x0 func sock_def_readable
            3 ev sk_data_ready ts 1.000003000 cpu 0 ctx softirq pid 1 sk_family 10 proto 58 func sock_def_readable
        "#]],
    );
}

/// An LLC frame, as STP's, has a 4 in place of an ethertype: as a protocol of IP that were IPIP. A packet socket takes all.
#[test]
fn an_ethertype_is_none_of_ip_however_small() {
    check(
        "\
            a-1  [000] ..s..     1.000001: napi_gro_receive_entry: dev=eth0 skbaddr=00000000a8d1a4d6 protocol=0x0004 len=38
            a-1  [000] ..s..     1.000002: kfree_skb: skbaddr=00000000a8d1a4d6 rx_sk=0000000000000000 protocol=4 location=__netif_receive_skb_core+0x1/0x2 reason: UNHANDLED_PROTO
            a-1  [000] ..s..     1.000003: sk_data_ready: family=2 protocol=4 func=sock_def_readable
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev napi_gro_receive_entry ts 1.000001000 cpu 0 ctx softirq pid 1 skb a8d1a4d6 len 38 dev eth0 protocol 0x4
            2 ev kfree_skb ts 1.000002000 cpu 0 ctx softirq pid 1 skb a8d1a4d6 protocol 0x4 location __netif_receive_skb_core+0x1/0x2 reason UNHANDLED_PROTO
            3 ev sk_data_ready ts 1.000003000 cpu 0 ctx softirq pid 1 sk_family 2 proto 4 func sock_def_readable
        "#]],
    );
}

#[test]
fn network_order_fields_are_turned_and_the_marker_guards_its_numbers() {
    check(
        "\
          <idle>-0       [000] ..s1.    40.964670: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476400 len=92 ipid_be=0xe146 frag_be=0x40 proto=17 sport_be=0xb9be dport_be=0x8913
          <idle>-0       [000] ..s1.    40.965318: udp_rcv: (udp_rcv+0x0/0x20) skb=0xffff888008476400 len=72 sport_be=0xb9be dport_be=0x8913 mark=0xffffffffffffffff thr_be=0x1000000 pkt_be=0x74000000
          <idle>-0       [000] ..s1.    88.052591: tcp_v4_rcv: (tcp_v4_rcv+0x0/0xee0) skb=0xffff888008a0b500 len=40 sport_be=0x8a13 dport_be=0x1c86 seq_be=0x175106c1 ack_be=0x13afb6cb mark=0x7030301d86098f8 thr_be=0x0 pkt_be=0x0
",
        &expect![[r#"
            ftrace
            1 ev napi_gro_receive ts 40.964670000 cpu 0 ctx softirq pid 0 skb ffff888008476400 len 92 napi ffff88800694ec30 ip_id 0x46e1 frag_off 0x4000 proto 17 sport 48825 dport 5001
            2 ev udp_rcv ts 40.965318000 cpu 0 ctx softirq pid 0 skb ffff888008476400 len 72 sport 48825 dport 5001 thread 1 packet 116
            3 ev tcp_v4_rcv ts 88.052591000 cpu 0 ctx softirq pid 0 skb ffff888008a0b500 len 40 seq_no 3238416663 ack_no 3417747219 sport 5002 dport 34332
        "#]],
    );
}

#[test]
fn ports_of_a_later_fragment_are_payload_and_left_out() {
    check(
        "\
          <idle>-0       [000] ..s1.    60.823: ip_defrag: (ip_defrag+0x0/0x830) skb=0xffff88800515c300 len=1500 ipid_be=0x94e4 frag_be=0x20 proto=17 sport_be=0x94b9 dport_be=0x8913 user=0
          <idle>-0       [000] ..s1.    60.824: ip_defrag: (ip_defrag+0x0/0x830) skb=0xffff88800515c400 len=1500 ipid_be=0x94e4 frag_be=0xb920 proto=17 sport_be=0x6162 dport_be=0x6364 user=0
",
        &expect![[r#"
            ftrace
            1 ev ip_defrag ts 60.823000000 cpu 0 ctx softirq pid 0 skb ffff88800515c300 len 1500 ip_id 0xe494 frag_off 0x2000 proto 17 sport 47508 dport 5001
            2 ev ip_defrag ts 60.824000000 cpu 0 ctx softirq pid 0 skb ffff88800515c400 len 1500 ip_id 0xe494 frag_off 0x20b9 proto 17
        "#]],
    );
}

/// What receive packet steering, or a NIC, computes of a fragment is of its two hosts (`net/core/flow_dissector.c:
/// __skb_get_hash_net`, v6.18): it tells no flow.
#[test]
fn a_hash_of_two_hosts_is_none_of_a_flow() {
    check(
        "\
            a-1  [000] .....     1.000001: netif_rx_entry: dev=vb napi_id=0x0 queue_mapping=0 skbaddr=00000000a8d1a4d6 protocol=0x0800 hash=0xf8f240af l4_hash=0 len=1500
            a-1  [000] .....     1.000002: netif_rx_entry: dev=vb napi_id=0x0 queue_mapping=0 skbaddr=00000000a8d1a4d6 protocol=0x0800 hash=0xce12fd6f l4_hash=1 len=92
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev netif_rx_entry ts 1.000001000 cpu 0 ctx kernel pid 1 skb a8d1a4d6 len 1500 dev vb queue 0 protocol 0x800 hash 0x0
            2 ev netif_rx_entry ts 1.000002000 cpu 0 ctx kernel pid 1 skb a8d1a4d6 len 92 dev vb queue 0 protocol 0x800 hash 0xce12fd6f
        "#]],
    );
}

#[test]
fn kfree_skb_and_consume_skb_through_the_years() {
    check(
        "\
            a-1  [000] .....     1.000001: kfree_skb: skbaddr=00000000a8d1a4d6 protocol=2048 location=00000000a1b2c3d4
            a-1  [000] .....     1.000002: kfree_skb: skbaddr=ffff88800523f000 protocol=0 location=ffffffff8190db88 reason: NOT_SPECIFIED
            a-1  [000] .....     1.000003: kfree_skb: skbaddr=ffff88800523f000 protocol=2048 location=ip_rcv_core+0x1a2/0x310 reason: NO_SOCKET
            a-1  [000] .....     1.000004: kfree_skb: skbaddr=ffff88800523f000 rx_sk=ffff8880051e5a00 protocol=2048 location=udp_queue_rcv_one_skb+0x2d4/0x570 reason: SOCKET_RCVBUFF
            a-1  [000] .....     1.000005: kfree_skb: skbaddr=ffff88800523f000 rx_sk=(nil) protocol=2048 location=x+0x1 reason: SKB_DROP_REASON_TCP_OFOMERGE
            a-1  [000] .....     1.000006: kfree_skb: skbaddr=(____ptrval____) protocol=2048 location=x+0x1/0x2 reason: 0x10003
            a-1  [000] .....     1.000007: consume_skb: skbaddr=ffff88800523f000
            a-1  [000] .....     1.000008: consume_skb: skbaddr=ffff88800523f000 location=skb_consume_udp+0x6c/0xd0
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev kfree_skb ts 1.000001000 cpu 0 ctx kernel pid 1 skb a8d1a4d6 protocol 0x800 location 00000000a1b2c3d4
            2 ev kfree_skb ts 1.000002000 cpu 0 ctx kernel pid 1 skb ffff88800523f000 protocol 0x0 location ffffffff8190db88 reason NOT_SPECIFIED
            3 ev kfree_skb ts 1.000003000 cpu 0 ctx kernel pid 1 skb ffff88800523f000 protocol 0x800 location ip_rcv_core+0x1a2/0x310 reason NO_SOCKET
            4 ev kfree_skb ts 1.000004000 cpu 0 ctx kernel pid 1 skb ffff88800523f000 sk ffff8880051e5a00 protocol 0x800 location udp_queue_rcv_one_skb+0x2d4/0x570 reason SOCKET_RCVBUFF
            5 ev kfree_skb ts 1.000005000 cpu 0 ctx kernel pid 1 skb ffff88800523f000 protocol 0x800 location x+0x1 reason TCP_OFOMERGE
            6 ev kfree_skb ts 1.000006000 cpu 0 ctx kernel pid 1 protocol 0x800 location x+0x1/0x2 reason UNRECOGNISED name 0x10003
            7 ev consume_skb ts 1.000007000 cpu 0 ctx kernel pid 1 skb ffff88800523f000
            8 ev consume_skb ts 1.000008000 cpu 0 ctx kernel pid 1 skb ffff88800523f000 location skb_consume_udp+0x6c/0xd0
        "#]],
    );
}

#[test]
fn tcp_tracepoints_through_the_years() {
    check(
        "\
            a-1  [000] ..s..     1.000001: tcp_probe: family=AF_INET src=192.0.2.2:5002 dest=192.0.2.1:53202 mark=0x0 data_len=1448 snd_nxt=0x22ee3e49 snd_una=0x22ee3e49 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64256 srtt=6760 rcv_wnd=65160 sock_cookie=1
            a-1  [000] ..s..     1.000002: tcp_probe: family=AF_INET6 src=[2001:db8::1]:5002 dest=[2001:db8::2]:53202 mark=0 data_len=0 snd_nxt=0x1 snd_una=0x1 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64256 srtt=6760 rcv_wnd=65160 sock_cookie=1 skbaddr=00000000aabbccdd skaddr=0000000011223344
            a-1  [000] ..s..     1.000003: tcp_retransmit_skb: family=AF_INET sport=5002 dport=48076 saddr=192.0.2.2 daddr=192.0.2.1 saddrv6=::ffff:192.0.2.2 daddrv6=::ffff:192.0.2.1 state=TCP_ESTABLISHED
            a-1  [000] ..s..     1.000004: tcp_retransmit_skb: skbaddr=00000000aabbccdd skaddr=0000000011223344 family=AF_INET sport=5002 dport=48076 saddr=192.0.2.2 daddr=192.0.2.1 saddrv6=::ffff:192.0.2.2 daddrv6=::ffff:192.0.2.1 state=TCP_ESTABLISHED err=-11
            a-1  [000] ..s..     1.000005: tcp_send_reset: skbaddr=00000000aabbccdd skaddr=0000000011223344 src=192.0.2.1:40000 dest=192.0.2.2:81 state=UNKNOWN reason=NO_SOCKET
            a-1  [000] .....     1.000006: tcp_sendmsg_locked: skb_addr 00000000aabbccdd skb_len 1448 msg_left 16384 size_goal 65160
            a-1  [000] .....     1.000007: inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=0 dport=5002 saddr=192.0.2.2 daddr=192.0.2.1 saddrv6=::ffff:192.0.2.2 daddrv6=::ffff:192.0.2.1 oldstate=TCP_CLOSE newstate=TCP_SYN_SENT
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev tcp_probe ts 1.000001000 cpu 0 ctx softirq pid 1 saddr 192.0.2.2 sport 5002 daddr 192.0.2.1 dport 53202 snd_nxt 586038857 snd_una 586038857 snd_cwnd 10 ssthresh 2147483647 snd_wnd 64256 srtt 6760 rcv_wnd 65160 cookie 1 payload 1448
            2 ev tcp_probe ts 1.000002000 cpu 0 ctx softirq pid 1 skb aabbccdd sk 11223344 saddrv6 2001:db8::1 sport 5002 daddrv6 2001:db8::2 dport 53202 snd_nxt 1 snd_una 1 snd_cwnd 10 ssthresh 2147483647 snd_wnd 64256 srtt 6760 rcv_wnd 65160 cookie 1 payload 0
            3 ev tcp_retransmit_skb ts 1.000003000 cpu 0 ctx softirq pid 1 sport 5002 dport 48076 saddr 192.0.2.2 daddr 192.0.2.1
            4 ev tcp_retransmit_skb ts 1.000004000 cpu 0 ctx softirq pid 1 skb aabbccdd sk 11223344 sport 5002 dport 48076 saddr 192.0.2.2 daddr 192.0.2.1 error -11
            5 ev tcp_send_reset ts 1.000005000 cpu 0 ctx softirq pid 1 skb aabbccdd sk 11223344 saddr 192.0.2.1 sport 40000 daddr 192.0.2.2 dport 81 reset_reason NO_SOCKET
            6 ev tcp_sendmsg_locked ts 1.000006000 cpu 0 ctx kernel pid 1 skb aabbccdd len 1448 size 16384
            7 ev inet_sock_set_state ts 1.000007000 cpu 0 ctx kernel pid 1 proto 6 sport 0 dport 5002 saddr 192.0.2.2 daddr 192.0.2.1 oldstate TCP_CLOSE newstate TCP_SYN_SENT
        "#]],
    );
}

/// Kprobes read what would be ports at IP whatever follows: an ICMP error, a packet of ESP.
#[test]
fn only_protocols_with_ports_have_some() {
    check(
        "\
            a-1  [000] b.s2.    19.456315: ip_finish_output2: (ip_finish_output2+0x0/0x560) sk=0xffff888005615400 skb=0xffff88807ff1e400 len=120 ipid_be=0x1c99 frag_be=0x0 proto=1 sport_be=0x303 dport_be=0x5a81
            a-1  [000] b.s2.    19.456316: ip_rcv: (ip_rcv+0x0/0x560) skb=0xffff88807ff1e400 len=120 ipid_be=0x1c99 frag_be=0x0 proto=50 sport_be=0x303 dport_be=0x5a81
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev ip_finish_output2 ts 19.456315000 cpu 0 ctx softirq pid 1 skb ffff88807ff1e400 sk ffff888005615400 len 120 ip_id 0x991c frag_off 0x0 proto 1 icmp_type 3 icmp_code 3
            2 ev ip_rcv ts 19.456316000 cpu 0 ctx softirq pid 1 skb ffff88807ff1e400 len 120 ip_id 0x991c frag_off 0x0 proto 50
        "#]],
    );
}

/// A segment that a rule rejects, a datagram, and resets of IPv4 and IPv6: who is told and by whom.
#[test]
fn flows_of_what_is_refused() {
    check(
        "\
            a-1  [000] ..s..     1.000001: icmp_send: icmp_send: type=3, code=10. From 192.0.2.1:0 to 192.0.2.2:0 ulen=0 skbaddr=ffff88807ff1e700
            a-1  [000] ..s..     1.000002: icmp_send: icmp_send: type=3, code=3. From 192.0.2.1:4000 to 192.0.2.2:5001 ulen=8 skbaddr=ffff88807ff1e700
            a-1  [000] ..s..     1.000003: tcp_send_reset: skbaddr=(null) skaddr=0000000011223344 src=[2001:db8::1]:40000 dest=[2001:db8::2]:81 state=TCP_CLOSE_WAIT reason=TCP_ABORT_ON_DATA
            a-1  [000] ..s..     1.000004: tcp_send_reset: skbaddr=00000000aabbccdd skaddr=0000000000000000 src=[::ffff:192.0.2.1]:40000 dest=[::ffff:192.0.2.2]:81 state=UNKNOWN
            a-1  [000] ..s..     1.000005: tcp_send_reset: sport=5002 dport=48076 saddr=192.0.2.2 daddr=192.0.2.1 saddrv6=::ffff:192.0.2.2 daddrv6=::ffff:192.0.2.1
            a-1  [000] ..s..     1.000006: tcp_send_reset: skbaddr=0000000000000000 skaddr=0000000011223344 src=192.0.2.1:40000 dest=192.0.2.2:81 state=TCP_FIN_WAIT2 reason=TCP_STATE
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev icmp_send ts 1.000001000 cpu 0 ctx softirq pid 1 skb ffff88807ff1e700 saddr 192.0.2.1 daddr 192.0.2.2
            2 ev icmp_send ts 1.000002000 cpu 0 ctx softirq pid 1 skb ffff88807ff1e700 saddr 192.0.2.1 sport 4000 daddr 192.0.2.2 dport 5001
            3 ev tcp_send_reset ts 1.000003000 cpu 0 ctx softirq pid 1 sk 11223344 saddrv6 2001:db8::1 sport 40000 daddrv6 2001:db8::2 dport 81 reset_reason TCP_ABORT_ON_DATA
            4 ev tcp_send_reset ts 1.000004000 cpu 0 ctx softirq pid 1 skb aabbccdd saddr 192.0.2.1 sport 40000 daddr 192.0.2.2 dport 81
            5 ev tcp_send_reset ts 1.000005000 cpu 0 ctx softirq pid 1 sport 5002 dport 48076 saddr 192.0.2.2 daddr 192.0.2.1
            6 ev tcp_send_reset ts 1.000006000 cpu 0 ctx softirq pid 1 sk 11223344 saddr 192.0.2.1 sport 40000 daddr 192.0.2.2 dport 81 reset_reason TCP_STATE
        "#]],
    );
}

#[test]
fn prose_of_sockets_polls_queues_and_icmp() {
    check(
        "\
            a-1  [000] .....     1.000001: sock_recv_length: sk address = 00000000aabbccdd, family = AF_INET protocol = 0x11, length = 64, error = 0, flags = 0x0
            a-1  [000] .....     1.000002: sock_send_length: sk address = 0xffff8880aabbccdd, family = AF_INET protocol = IPPROTO_TCP, length = 0, error = -11, flags = 0x40
            a-1  [000] ..s..     1.000003: napi_poll: napi poll on napi struct ffff88800694ec30 for device eth0 work 4 budget 64
            a-1  [000] ..s..     1.000004: napi_poll: napi poll on napi struct ffff88800694ec30 for device (no_device) work 1 budget 64
            a-1  [000] b....     1.000005: qdisc_enqueue: enqueue ifindex=2 qdisc handle=0x0 parent=0xFFFFFFFF skbaddr=ffff88807ff1e700
            a-1  [000] b....     1.000006: qdisc_dequeue: dequeue ifindex=2 qdisc handle=0x0 parent=0xFFFFFFFF txq_state=0x0 packets=0 skbaddr=0000000000000000
            a-1  [000] ..s..     1.000007: icmp_send: icmp_send: type=3, code=3. From 192.0.2.1:4000 to 192.0.2.2:5001 ulen=36 skbaddr=ffff88807ff1e700
            a-1  [000] d.h..     1.000008: irq_handler_entry: irq=30 name=virtio1 requests
            a-1  [000] d.h..     1.000009: irq_handler_exit: irq=30 ret=handled
            a-1  [000] d.h..     1.000010: __napi_schedule: (__napi_schedule+0x0/0xa0) napi=0xffff88800694ec30 dev=\"eth0\"
            a-1  [000] b....     1.000011: net_dev_xmit: dev=eth0 skbaddr=ffff88807ff1e700 len=74 rc=-12
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev sock_recv_length ts 1.000001000 cpu 0 ctx kernel pid 1 sk aabbccdd ret 64 sk_family 2 proto 17 flags 0x0
            2 ev sock_send_length ts 1.000002000 cpu 0 ctx kernel pid 1 sk ffff8880aabbccdd ret -11 sk_family 2 proto 6 flags 0x40
            3 ev napi_poll ts 1.000003000 cpu 0 ctx softirq pid 1 napi ffff88800694ec30 dev eth0 work 4 budget 64
            4 ev napi_poll ts 1.000004000 cpu 0 ctx softirq pid 1 napi ffff88800694ec30 dev (no_device) work 1 budget 64
            5 ev qdisc_enqueue ts 1.000005000 cpu 0 ctx kernel pid 1 skb ffff88807ff1e700
            6 ev qdisc_dequeue ts 1.000006000 cpu 0 ctx kernel pid 1 packets 0
            7 ev icmp_send ts 1.000007000 cpu 0 ctx softirq pid 1 skb ffff88807ff1e700 saddr 192.0.2.1 sport 4000 daddr 192.0.2.2 dport 5001
            8 ev irq_handler_entry ts 1.000008000 cpu 0 ctx hardirq pid 1 irq 30 name virtio1%20requests
            9 ev irq_handler_exit ts 1.000009000 cpu 0 ctx hardirq pid 1 irq 30 ret 1
            10 ev __napi_schedule ts 1.000010000 cpu 0 ctx hardirq pid 1 napi ffff88800694ec30 dev eth0
            11 ev net_dev_xmit ts 1.000011000 cpu 0 ctx kernel pid 1 skb ffff88807ff1e700 len 74 dev eth0 rc -12
        "#]],
    );
}

#[test]
fn the_scheduler_in_its_own_words_and_in_trace_cmds() {
    check(
        "\
            a-1  [000] d..2.     1.000001: sched_switch: prev_comm=my prev_pid=7 prev_pid=325 prev_prio=120 prev_state=R+ ==> next_comm=CPU 0/KVM next_pid=9 next_prio=98
            a-1  [000] d..2.     1.000002: sched_switch:         swapper/0:0 [120] R ==> tmux: server:17 [120]
            a-1  [000] d..2.     1.000002: sched_switch: prev_comm=dl prev_pid=5 prev_prio=-1 prev_state=S ==> next_comm=a next_pid=1 next_prio=120
            a-1  [000] d..2.     1.000003: sched_wakeup: comm=tmux: server pid=17 prio=120 success=1 target_cpu=003
            a-1  [000] d..2.     1.000004: sched_wakeup:         sleep:89142 [120] CPU:001
            a-1  [000] d..2.     1.000005: sched_wakeup:         sleep:89142 [120] success=1 CPU:001
            a-1  [000] d..2.     1.000006: sched_migrate_task: comm=bash pid=474 prio=120 orig_cpu=3 dest_cpu=2
            a-1  [000] .....     1.000007: sched_process_fork: comm=bash pid=474 child_comm=bash child_pid=475
            a-1  [000] .....     1.000008: sched_process_exec: filename=/usr/bin/sleep pid=475 old_pid=475
            a-1  [000] .....     1.000009: sched_process_exit: comm=sleep pid=475 prio=120 group_dead=true
",
        &expect![[r#"
            trace-cmd
            # comm 1 a
            # comm 5 dl
            # comm 9 CPU%200/KVM
            # comm 17 tmux:%20server
            # comm 325 my%20prev_pid=7
            # comm 474 bash
            # comm 475 sleep
            # comm 89142 sleep
            1 ev sched_switch ts 1.000001000 cpu 0 ctx kernel pid 1 prev_pid 325 prev_prio 120 prev_state R+ next_pid 9 next_prio 98
            2 ev sched_switch ts 1.000002000 cpu 0 ctx kernel pid 1 prev_pid 0 prev_prio 120 prev_state R next_pid 17 next_prio 120
            3 ev sched_switch ts 1.000002000 cpu 0 ctx kernel pid 1 prev_pid 5 prev_prio 0 prev_state S next_pid 1 next_prio 120
            4 ev sched_wakeup ts 1.000003000 cpu 0 ctx kernel pid 1 target_pid 17 prio 120 target_cpu 3
            5 ev sched_wakeup ts 1.000004000 cpu 0 ctx kernel pid 1 target_pid 89142 prio 120 target_cpu 1
            6 ev sched_wakeup ts 1.000005000 cpu 0 ctx kernel pid 1 target_pid 89142 prio 120 target_cpu 1
            7 ev sched_migrate_task ts 1.000006000 cpu 0 ctx kernel pid 1 target_pid 474 prio 120 orig_cpu 3 dest_cpu 2
            8 ev sched_process_fork ts 1.000007000 cpu 0 ctx kernel pid 1 target_pid 474 child_pid 475
            9 ev sched_process_exec ts 1.000008000 cpu 0 ctx kernel pid 1 name /usr/bin/sleep target_pid 475
            10 ev sched_process_exit ts 1.000009000 cpu 0 ctx kernel pid 1 target_pid 475 prio 120
        "#]],
    );
}

#[test]
fn system_calls_in_three_spellings() {
    check(
        "\
            a-1  [000] .....     1.000001: sys_sendto(fd: a, buff: 7ffe12345678, len: 5a, flags: 0, addr: 0, addr_len: 0)
            a-1  [000] .....     1.000002: sys_sendto -> 0x5a
            a-1  [000] .....     1.000003: sys_enter_recvfrom: fd: 0x00000005, ubuf: 0x7ffe12345678, size: 0x00010000, flags: 0x00000000
            a-1  [000] .....     1.000004: sys_exit_recvfrom: 0xfffffffffffffff5
            a-1  [000] .....     1.000005: sys_recvfrom -> -11
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev sys_enter ts 1.000001000 cpu 0 ctx kernel pid 1 func sendto fd 10 size 90
            2 ev sys_exit ts 1.000002000 cpu 0 ctx kernel pid 1 func sendto ret 90
            3 ev sys_enter ts 1.000003000 cpu 0 ctx kernel pid 1 func recvfrom fd 5 size 65536
            4 ev sys_exit ts 1.000004000 cpu 0 ctx kernel pid 1 func recvfrom ret -11
            5 ev sys_exit ts 1.000005000 cpu 0 ctx kernel pid 1 func recvfrom ret -11
        "#]],
    );
}

#[test]
fn drivers_by_what_the_kernel_calls_them_through() {
    check(
        "\
            a-1  [000] d.h..     1.000001: e1000_intr: (e1000_intr+0x0/0xf0 [e1000]) irq=11
            a-1  [000] ..s..     1.000002: virtnet_poll: (virtnet_poll+0x0/0x4c3 [virtio_net]) napi=0xffff88800740c508 budget=64
            a-1  [000] ..s..     1.000003: virtnet_poll_ret: (__napi_poll+0x28/0x160 <- virtnet_poll) work=1
            a-1  [000] b....     1.000004: veth_xmit: (veth_xmit+0x0/0x270 [veth]) skb=0xffff88800916ee00 len=42
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev driver_irq ts 1.000001000 cpu 0 ctx hardirq pid 1 func e1000_intr irq 11
            2 ev driver_poll ts 1.000002000 cpu 0 ctx softirq pid 1 func virtnet_poll napi ffff88800740c508 budget 64
            3 ev driver_poll_ret ts 1.000003000 cpu 0 ctx softirq pid 1 func virtnet_poll work 1
            4 ev ndo_start_xmit ts 1.000004000 cpu 0 ctx kernel pid 1 skb ffff88800916ee00 len 42 func veth_xmit
        "#]],
    );
}

#[test]
fn probes_under_other_names_are_known_by_form_or_place() {
    check(
        "\
            a-1  [000] ..s..     1.000001: p_ip_rcv_0: (ip_rcv+0x0/0x1d0) skb=0xffff88800916ee00
            a-1  [000] .....     1.000002: r_tcp_recvmsg_0: (inet_recvmsg+0x52/0x130 <- tcp_recvmsg) ret=-11
            a-1  [000] ..s..     1.000003: mine: (udp_rcv+0x0/0x20) skb=0xffff88800916ee00
            a-1  [000] ..s..     1.000004: core: (__netif_receive_skb_core.constprop.0+0x0/0xef0) skb=0xffff88800916ee00
            a-1  [000] ..s..     1.000005: yours: (some_function+0x0/0x20) skb=0xffff88800916ee00
            a-1  [000] ..s..     1.000006: middle: (udp_rcv+0x8/0x20) skb=0xffff88800916ee00
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev ip_rcv ts 1.000001000 cpu 0 ctx softirq pid 1 skb ffff88800916ee00
            2 ev tcp_recvmsg_ret ts 1.000002000 cpu 0 ctx kernel pid 1 ret -11
            3 ev udp_rcv ts 1.000003000 cpu 0 ctx softirq pid 1 skb ffff88800916ee00
            4 ev __netif_receive_skb_core ts 1.000004000 cpu 0 ctx softirq pid 1 skb ffff88800916ee00
            unknown: middle 1
            unknown: yours 1
        "#]],
    );
}

#[test]
fn hashed_and_real_pointers_of_one_packet_are_one() {
    check(
        "\
          <idle>-0  [000] ..s1.     1.000001: napi_gro_receive_entry: dev=eth0 napi_id=0x2001 queue_mapping=0 skbaddr=0000000021c3e752 len=92
          <idle>-0  [000] ..s1.     1.000002: napi_gro_receive_exit: ret=3
          <idle>-0  [000] ..s1.     1.000003: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff8880070e2c30 skb=0xffff8880088b9000 len=92
          <idle>-0  [000] ..s1.     1.000004: napi_gro_receive_entry: dev=eth0 napi_id=0x2001 queue_mapping=0 skbaddr=0000000021c3e752 len=92
",
        &expect![[r#"
            ftrace
            1 ev napi_gro_receive_entry ts 1.000001000 cpu 0 ctx softirq pid 0 skb ffff8880088b9000 len 92 dev eth0 queue 0
            2 ev napi_gro_receive_exit ts 1.000002000 cpu 0 ctx softirq pid 0 ret 3
            3 ev napi_gro_receive ts 1.000003000 cpu 0 ctx softirq pid 0 skb ffff8880088b9000 len 92 napi ffff8880070e2c30
            4 ev napi_gro_receive_entry ts 1.000004000 cpu 0 ctx softirq pid 0 skb ffff8880088b9000 len 92 dev eth0 queue 0
        "#]],
    );
}

#[test]
fn a_kprobe_at_a_tracepoint_and_a_text_with_blanks() {
    check(
        "\
            a-1  [000] .....     1.000001: sched_switch: (sched_switch+0x0/0x10) prev_pid=1 next_pid=0
            a-1  [000] .....     1.000002: __napi_schedule: (__napi_schedule+0x0/0xa0) napi=0xffff88800628ec30 dev=\"my dev\" name=\"a b\" work=1
            a-1  [000] .....     1.000003: sched_wakeup: (sd-pam):12 [120] CPU:000
            a-1  [000] .....     1.000004: sched_switch: prev_comm=a prev_pid=1 prev_prio=? prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=?
            a-1  [000] .....     1.000005: sched_switch: prev_comm=a prev_pid=1 prev_prio=x prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
            a-1  [000] .....     1.000005: sched_switch: prev_comm=a prev_pid=0x71c1 (29121) prev_prio=0x78 (120) prev_state=0x0 (0) next_comm=b next_pid=0x71c5 (29125) next_prio=0x78 (120)
            a-1  [000] .....     1.000006: contention_begin: (contention_begin) .ctx=spinning .lock=a%20b waited=7
",
        &expect![[r#"
            ftrace
            # comm 1 a
            # comm 12 (sd-pam)
            1 ev sched_switch ts 1.000001000 cpu 0 ctx kernel pid 1 prev_pid 1 next_pid 0
            2 ev __napi_schedule ts 1.000002000 cpu 0 ctx kernel pid 1 napi ffff88800628ec30 dev my%20dev name a%20b work 1
            3 ev sched_wakeup ts 1.000003000 cpu 0 ctx kernel pid 1 target_pid 12 prio 120 target_cpu 0
            4 ev sched_switch ts 1.000004000 cpu 0 ctx kernel pid 1 prev_pid 1 prev_state S next_pid 0
            5 ev contention_begin ts 1.000006000 cpu 0 ctx spinning pid 1 lock a%20b waited 7
            line 5: sched_switch without the arguments it always has
            line 6: printed with ftrace's option fields: turn it off and record again
        "#]],
    );
}

/// `echo fields > trace_options`: `kernel/trace/trace_output.c: print_fields` (v6.18) prints what the events hold.
#[test]
fn what_is_printed_by_its_fields_is_refused_as_such() {
    check(
        "\
         python3-8331    [001] b....     1.000001: net_dev_queue: skbaddr=0xffff88810a672700 (-131387170019584) len=0x8e (142) name=lo
         python3-8331    [001] b....     1.000002: net_dev_start_xmit: name=lo queue_mapping=0x0 (0) skbaddr=0xffff88810a672700 (-131387170019584) len=0x8e (142) gso_type=0x0 (0)
         python3-8331    [001] ..s1.     1.000003: tcp_destroy_sock: skaddr=0xffff888102a3a500 (-131387300272896) sport=0xb75c (46940) saddr=0x100007f (16777343) daddr=0x100007f (16777343) saddr_v6=<INVALID-SIZE>
         a=0x1 (2)-8331  [001] d..2.     1.000004: sched_switch: prev_comm=a=0x1 (2) prev_pid=8331 prev_prio=120 prev_state=S ==> next_comm=b=0x1 (2) next_pid=7 next_prio=120
",
        &expect![[r#"
            ftrace
            # comm 7 b=0x1%20(2)
            # comm 8331 a=0x1%20(2)
            1 ev sched_switch ts 1.000004000 cpu 1 ctx kernel pid 8331 prev_pid 8331 prev_prio 120 prev_state S next_pid 7 next_prio 120
            line 1: printed with ftrace's option fields: turn it off and record again
            line 2: printed with ftrace's option fields: turn it off and record again
            line 3: printed with ftrace's option fields: turn it off and record again
        "#]],
    );
}

//! Flows: what is told of their two ends.

use super::*;

/// One packet of a fixed pair of ports has told its hosts, and so has one of a connection: only that one's others have the
/// same two, as many hosts talk by NTP's.
#[test]
fn ports_that_all_use_tell_no_hosts() {
    let flows = |from: u16, to: u16| {
        let run = run_of(&format!(
            "
        1 ev ip_rcv ts 0.000001000 cpu 0 ctx softirq pid 9 skb 10 len 120 proto 17 sport {from} dport {to} saddr 192.0.2.1 daddr 192.0.2.2
        2 ev ip_rcv ts 0.000002000 cpu 0 ctx softirq pid 9 skb 20 len 120 proto 17 sport {from} dport {to}
        "
        ));
        let journeys = Journeys::of(&run);
        let sources = journeys.packets.iter().map(|it| journeys.flow(it.flow));
        let sources: Vec<_> = sources.map(|flow| flow.unwrap().source.is_some()).collect();
        sources
    };
    assert_eq!(flows(123, 123), [true, false]);
    assert_eq!(flows(5353, 5353), [true, false]);
    assert_eq!(flows(67, 68), [true, false]);
    assert_eq!(flows(40000, 53), [true, true]);
}

/// An ICMP error has a type and a code where a datagram has its ports, and ESP has neither. The events of an input in
/// kperf 2 may call them ports all the same.
#[test]
fn a_packet_of_a_protocol_without_ports_has_none() {
    check_journeys(
        "
        1 ev ip_rcv ts 0.000001000 cpu 0 ctx softirq pid 9 skb 10 len 120 proto 1 sport 771 dport 33114
        2 ev ip_rcv ts 0.000002000 cpu 0 ctx softirq pid 9 skb 20 len 120 proto 50 sport 771 saddr 192.0.2.1 daddr 192.0.2.2
        3 ev ip_rcv ts 0.000003000 cpu 0 ctx softirq pid 9 skb 30 len 120 proto 1 icmp_type 8 icmp_code 0 saddr 192.0.2.1 daddr 192.0.2.2
        4 ev ip_rcv ts 0.000004000 cpu 0 ctx softirq pid 9 skb 40 len 120 proto 17 saddr 192.0.2.1 sport 5001 daddr 192.0.2.2
        ",
        &expect![[r#"
            packet 0: rx 120 B ICMP ? → ?, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  IP                 0 = 0 service + 0 wait
            packet 1: rx 120 B protocol 50 192.0.2.1 → 192.0.2.2, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  IP                 0 = 0 service + 0 wait
            packet 2: rx 120 B ICMP 192.0.2.1 → 192.0.2.2, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  IP                 0 = 0 service + 0 wait
            packet 3: rx 120 B UDP 192.0.2.1:5001 → 192.0.2.2, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  IP                 0 = 0 service + 0 wait
        "#]],
    );
}

/// The addresses of the sources of a run's packets, as text.
fn sources(trace: &str) -> Vec<String> {
    let run = run_of(trace);
    let journeys = Journeys::of(&run);
    let flows = journeys.packets.iter().map(|it| journeys.flow(it.flow));
    let sources = flows.map(|flow| flow.and_then(|it| it.source));
    let told = sources.map(|it| it.map_or("?".to_owned(), |it| it.to_string()));
    told.collect()
}

/// A datagram that one device of a pair sends and the other receives; of some an event tells the addresses.
fn over_pair(micros: u32, pair: [&str; 2], ends: &str) -> String {
    format!(
        "
        1 ev net_dev_queue ts 0.{micros:06} cpu 0 ctx kernel pid 9 skb {micros} len 134 dev {0} proto 17 sport 40000 dport 5001
        2 ev netif_rx ts 0.{micros:06} cpu 0 ctx kernel pid 9 skb {micros} len 120 dev {1}
        3 ev netif_receive_skb ts 0.{micros:06} cpu 0 ctx softirq pid 9 skb {micros} len 120 dev {1}{ends}",
        pair[0], pair[1]
    )
}

/// Two namespaces send from the same port to the same one, each to a host of its own.
#[test]
fn namespaces_with_the_same_ports_lend_each_other_no_addresses() {
    let (one, other) = (["va", "vb"], ["vc", "vd"]);
    let told = |first: &str| format!(" saddr 10.0.{first}.1 daddr 10.0.{first}.2");
    let of_one = [over_pair(100, one, &told("1")), over_pair(200, one, "")].concat();
    assert_eq!(sources(&of_one), ["10.0.1.1", "10.0.1.1"]);
    let of_two = [&of_one[..], &over_pair(300, other, "")].concat();
    assert_eq!(sources(&of_two), ["10.0.1.1", "10.0.1.1", "?"]);
    // Each has its own.
    let told_of_two = [&of_two[..], &over_pair(400, other, &told("2"))].concat();
    assert_eq!(
        sources(&told_of_two),
        ["10.0.1.1", "10.0.1.1", "10.0.2.1", "10.0.2.1"]
    );
    // Of which it is that no device tells of stays open.
    let without = "
        1 ev udp_rcv ts 0.000500 cpu 0 ctx softirq pid 9 skb 500 len 100 proto 17 sport 40000 dport 5001";
    assert_eq!(sources(&[&of_one[..], without].concat())[2], "10.0.1.1");
    assert_eq!(sources(&[&told_of_two[..], without].concat())[4], "?");
}

/// A reply goes the same way back, and of a longer way a part is recorded of some packets.
#[test]
fn packets_on_one_way_lend_each_other_addresses() {
    let trace = "
        1 ev netif_receive_skb ts 0.000001 cpu 0 ctx softirq pid 9 skb 10 len 120 dev eth0 proto 6 sport 40000 dport 80
        2 ev net_dev_queue ts 0.000002 cpu 0 ctx softirq pid 9 skb 10 len 134 dev veth1
        3 ev net_dev_queue ts 0.000003 cpu 0 ctx softirq pid 9 skb 20 len 134 dev veth1 proto 6 sport 80 dport 40000 saddr 10.0.0.2 daddr 192.0.2.1
        4 ev net_dev_queue ts 0.000004 cpu 0 ctx softirq pid 9 skb 30 len 134 dev eth0 proto 6 sport 80 dport 40000";
    assert_eq!(sources(trace), ["192.0.2.1", "10.0.0.2", "10.0.0.2"]);
}

/// Sockets of two namespaces, without any device.
#[test]
fn a_socket_lends_its_packets_addresses_and_no_other_sockets() {
    let sent = |micros: u32, sk: &str, proto: u32, ends: &str| {
        format!(
            "
        1 ev ip_send_skb ts 0.{micros:06} cpu 0 ctx kernel pid 9 sk {sk} skb {micros} len 120 proto {proto} sport 40000 dport 5001{ends}"
        )
    };
    let told = " saddr 10.0.1.1 daddr 10.0.1.2";
    let of = |proto| {
        let lines = [
            sent(100, "ffff888007000000", proto, told),
            sent(200, "ffff888007000000", proto, ""),
            sent(300, "ffff888007000900", proto, ""),
        ];
        sources(&lines.concat())
    };
    assert_eq!(of(17), ["10.0.1.1", "10.0.1.1", "?"]);
    // A connection's first segments are of the socket that listens.
    assert_eq!(of(6), ["10.0.1.1", "10.0.1.1", "10.0.1.1"]);
}

/// A change of a connection's state, told directly before what is sent for it.
fn changed(old: &str, new: &str, source: u16) -> String {
    format!(
        "
   curl-6495     [001] .....    85.524908: inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport={source} dport=8080 saddr=10.9.0.1 daddr=10.9.0.2 saddrv6=::ffff:10.9.0.1 daddrv6=::ffff:10.9.0.2 oldstate={old} newstate={new}"
    )
}

/// What the task sends next, after an event of another CPU.
fn sends_next(len: u32) -> String {
    format!(
        "
   server-7      [000] .....    85.524909: net_dev_queue: dev=eth1 skbaddr=ffff888000000900 len=66
   curl-6495     [001] b....    85.524913: net_dev_queue: dev=eth0 skbaddr=ffff888000000100 len={len}"
    )
}

#[test]
fn a_fin_is_of_the_connection_that_has_just_begun_to_close() {
    let flows = |trace: &str| {
        let (_, journeys) = super::few_events::opened(trace);
        let flow = |id: PacketId| {
            journeys
                .flow(journeys.packets[id.at()].flow)
                .map(ToString::to_string)
        };
        journeys.ids().filter_map(flow).collect::<Vec<String>>()
    };
    let closes = changed("TCP_ESTABLISHED", "TCP_FIN_WAIT1", 33260);
    let own = ["TCP 10.9.0.1:33260 → 10.9.0.2:8080"];
    assert_eq!(flows(&[&*closes, &*sends_next(66)].concat()), own);
    // It may be data of another connection: the window of this one is full.
    assert_eq!(flows(&[&*closes, &*sends_next(1514)].concat()), [""; 0]);
    // Something else happened in the task.
    let between = "
   curl-6495     [001] .....    85.524910: consume_skb: skbaddr=ffff888000000700 location=unix_stream_read_generic+0x5c/0x110";
    assert_eq!(
        flows(&[&*closes, between, &*sends_next(66)].concat()),
        [""; 0]
    );
    // A state that asks for nothing.
    let ended = changed("TCP_LAST_ACK", "TCP_CLOSE", 33260);
    assert_eq!(flows(&[&*ended, &*sends_next(66)].concat()), [""; 0]);
}

#[test]
fn a_syn_that_a_filter_drops_has_its_addresses() {
    let opens = changed("TCP_CLOSE", "TCP_SYN_SENT", 0);
    let other = "
   server-7      [000] .....    85.524901: net_dev_queue: dev=eth1 skbaddr=ffff888000000900 len=66
   server-7      [000] ..s1.    85.524902: netif_receive_skb: dev=eth1 skbaddr=ffff888000000800 len=66";
    let dropped = "
   curl-6495     [001] .....    85.524913: kfree_skb: skbaddr=ffff888000000100 rx_sk=0000000000000000 protocol=2048 location=nf_hook_slow+0xa6/0xf0 reason: NETFILTER_DROP";
    let (_, journeys) = super::few_events::opened(&[other, &*opens, dropped].concat());
    let flow = journeys
        .packets
        .last()
        .and_then(|packet| journeys.flow(packet.flow));
    let flow = flow.expect("it has one").to_string();
    assert_eq!(flow, "TCP 10.9.0.1 → 10.9.0.2:8080");
}

/// The flows of a trace's packets, `?` for those that have none.
fn flows_of(run: &Run) -> Vec<String> {
    let journeys = Journeys::of(run);
    let flow = |packet: &Packet| {
        let flow = journeys.flow(packet.flow);
        flow.map_or_else(|| "?".to_owned(), ToString::to_string)
    };
    journeys.packets.iter().map(flow).collect()
}

/// Of an acknowledgement that a NIC sends no event tells the ends; what is sent by a timer in a later softirq answers nothing.
#[test]
fn an_acknowledgement_has_the_flow_of_what_it_answers() {
    let run = run_of(
        "
        1 ev softirq_entry ts 0.000001000 cpu 0 ctx softirq pid 8 vec 3
        2 ev netif_receive_skb ts 0.000002000 cpu 0 ctx softirq pid 8 skb 31 len 1500 dev eth0
        3 ev tcp_probe ts 0.000003000 cpu 0 ctx softirq pid 8 skb 31 payload 1448 sport 80 dport 4000 saddr 192.0.2.1 daddr 192.0.2.2
        4 ev net_dev_queue ts 0.000004000 cpu 0 ctx softirq pid 8 skb 40 len 66 dev eth0
        5 ev net_dev_start_xmit ts 0.000005000 cpu 0 ctx softirq pid 8 skb 40 len 66 dev eth0
        6 ev softirq_exit ts 0.000006000 cpu 0 ctx softirq pid 8 vec 3
        7 ev softirq_entry ts 0.000007000 cpu 0 ctx softirq pid 8 vec 1
        8 ev net_dev_queue ts 0.000008000 cpu 0 ctx softirq pid 8 skb 50 len 66 dev eth0
        ",
    );
    let (came, answer) = (
        "TCP 192.0.2.2:4000 → 192.0.2.1:80",
        "TCP 192.0.2.1:80 → 192.0.2.2:4000",
    );
    assert_eq!(flows_of(&run), [came, answer, "?"]);
}

/// A socket that listens has no peer to tell, and other events told of the segment.
#[test]
fn a_reset_has_the_flow_of_what_it_answers() {
    let run = run_of(
        "
        1 ev ip_rcv ts 0.000001000 cpu 0 ctx softirq pid 9 skb 10 len 60 proto 6 sport 4000 dport 80 saddr 192.0.2.2 daddr 192.0.2.1
        2 ev tcp_send_reset ts 0.000002000 cpu 0 ctx softirq pid 9 skb 10 sk 77 sport 80 dport 0
        3 ev net_dev_queue ts 0.000003000 cpu 0 ctx softirq pid 9 skb 20 len 54 dev eth0
        ",
    );
    let (came, answer) = (
        "TCP 192.0.2.2:4000 → 192.0.2.1:80",
        "TCP 192.0.2.1:80 → 192.0.2.2:4000",
    );
    assert_eq!(flows_of(&run), [came, answer]);
}

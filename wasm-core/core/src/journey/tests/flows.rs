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

//! A veth pair: what one end sends the other receives, at one address, without having left by a NIC.

mod polled;

use super::*;

/// A request and its answer, of which neither `net_dev_start_xmit` nor `netif_rx` was recorded.
#[test]
fn what_crosses_a_pair_is_one_journey() {
    check_journeys(
        "
        1 ev net_dev_queue ts 7.474512 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a
        2 ev net_dev_xmit ts 7.474519 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a rc 0
        3 ev netif_receive_skb ts 7.474523 cpu 0 ctx softirq pid 15 skb 28d2 len 60 dev v2b
        4 ev net_dev_queue ts 7.474547 cpu 0 ctx softirq pid 15 skb 9eae len 74 dev v2b
        5 ev net_dev_xmit ts 7.474548 cpu 0 ctx softirq pid 15 skb 9eae len 74 dev v2b rc 0
        6 ev consume_skb ts 7.474549 cpu 0 ctx softirq pid 15 skb 28d2 location tcp_rcv_state_process+0x804
        7 ev netif_receive_skb ts 7.474550 cpu 0 ctx softirq pid 15 skb 9eae len 60 dev v2a
        8 ev net_dev_queue ts 7.474566 cpu 0 ctx kernel pid 15 skb bc33 len 66 dev v2a
        9 ev net_dev_xmit ts 7.474567 cpu 0 ctx kernel pid 15 skb bc33 len 66 dev v2a rc 0
        ",
        &expect![[r#"
            packet 0: tx 74 B, consumed by the stack: 35 µs, 35 in service
              +0          cpu0  kernel   qdisc              7 = 7 service + 0 wait
              +7          cpu0  kernel   backlog            4 = 4 service + 0 wait
              +11         cpu0  softirq  net core           24 = 24 service + 0 wait
            packet 1: tx 74 B, end not observed: 3 µs, 2 in service
              +0          cpu0  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu0  softirq  backlog            2 = 1 service + 1 wait
              +3          cpu0  softirq  net core           0 = 0 service + 0 wait
            packet 2: tx 66 B, end not observed: 1 µs, 1 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            0 = 0 service + 0 wait
        "#]],
    );
}

/// `netif_rx` comes from within the driver's call, of which nothing else was recorded.
#[test]
fn a_pair_is_told_by_netif_rx_too() {
    check_journeys(
        "
        1 ev net_dev_queue ts 7.474512 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a
        2 ev netif_rx ts 7.474515 cpu 0 ctx kernel pid 15 skb 28d2 len 60 dev v2b
        3 ev net_dev_xmit ts 7.474519 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a rc 0
        4 ev netif_receive_skb ts 7.474523 cpu 0 ctx softirq pid 15 skb 28d2 len 60 dev v2b
        5 ev net_dev_queue ts 7.474547 cpu 0 ctx kernel pid 15 skb 9eae len 80 dev lo
        6 ev netif_rx ts 7.474548 cpu 0 ctx kernel pid 15 skb 9eae len 66 dev lo
        ",
        &expect![[r#"
            packet 0: tx 74 B, end not observed: 11 µs, 11 in service
              +0          cpu0  kernel   qdisc              3 = 3 service + 0 wait
              +3          cpu0  kernel   backlog            8 = 8 service + 0 wait
              +11         cpu0  softirq  net core           0 = 0 service + 0 wait
            packet 1: tx 80 B, end not observed: 1 µs, 1 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            0 = 0 service + 0 wait
        "#]],
    );
}

/// A container's `eth0` passes on to the host what it sends, and the host's is a NIC, whose poll frees what it sent.
#[test]
fn a_name_that_a_nic_and_a_pair_have_is_told_apart_by_packet() {
    let crossing = |number: u32| {
        let at = |micros: u32| format!("1.{:06}", number * 100 + micros);
        format!(
            "
        1 ev net_dev_queue ts {} cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev eth0
        2 ev net_dev_start_xmit ts {} cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev eth0
        3 ev netif_rx ts {} cpu 0 ctx kernel pid 15 skb 28d2 len 60 dev veth7
        4 ev net_dev_xmit ts {} cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev eth0 rc 0
        5 ev netif_receive_skb ts {} cpu 0 ctx softirq pid 15 skb 28d2 len 60 dev veth7
        6 ev consume_skb ts {} cpu 0 ctx softirq pid 15 skb 28d2",
            at(1),
            at(2),
            at(3),
            at(4),
            at(5),
            at(6)
        )
    };
    let trace: String = (0..20).map(crossing).collect();
    let sent = "
        1 ev net_dev_queue ts 1.010001 cpu 0 ctx kernel pid 15 skb 9eae len 90 dev eth0
        2 ev net_dev_start_xmit ts 1.010002 cpu 0 ctx kernel pid 15 skb 9eae len 90 dev eth0
        3 ev net_dev_xmit ts 1.010003 cpu 0 ctx kernel pid 15 skb 9eae len 90 dev eth0 rc 0
        4 ev consume_skb ts 1.010008 cpu 0 ctx softirq pid 0 skb 9eae";
    let polled = |dev: &str| {
        let poll = format!(
            "
        5 ev napi_poll ts 1.010009 cpu 0 ctx softirq pid 0 napi 77 dev {dev} work 0 budget 64"
        );
        let run = run_of(&format!("{trace}{sent}{poll}"));
        let journeys = Journeys::of(&run);
        let last = journeys.ids().last().unwrap();
        let stays = journeys.stays(last);
        let station = stays.last().map(|stay| stay.station);
        let verdict = journeys.packets[last.at()].verdict;
        (verdict, station, journeys.warnings.len())
    };
    assert_eq!(
        polled("eth0"),
        (Verdict::Transmitted, Some(Station::TxRing), 1)
    );
    // A pair that frees something by itself is none.
    assert_eq!(
        polled("eth3"),
        (Verdict::Consumed, Some(Station::Backlog), 0)
    );
}

/// A NIC gives the addresses of what it has sent back to what arrives, of the same length too.
#[test]
fn an_address_that_a_nic_gives_back_is_another_packets() {
    check_journeys(
        "
        1 ev net_dev_queue ts 1.000000 cpu 0 ctx kernel pid 15 skb 10 len 60 dev eth1
        2 ev net_dev_xmit ts 1.000001 cpu 0 ctx kernel pid 15 skb 10 len 60 dev eth1 rc 0
        3 ev consume_skb ts 1.000004 cpu 0 ctx softirq pid 15 skb 10 location napi_consume_skb
        4 ev netif_receive_skb ts 1.000005 cpu 0 ctx softirq pid 15 skb 10 len 46 dev eth0
        5 ev net_dev_queue ts 1.000006 cpu 0 ctx kernel pid 15 skb 20 len 60 dev eth1
        6 ev net_dev_xmit ts 1.000007 cpu 0 ctx kernel pid 15 skb 20 len 60 dev eth1 rc 0
        7 ev netif_receive_skb ts 1.000009 cpu 0 ctx softirq pid 15 skb 20 len 46 dev eth0
        ",
        &expect![[r#"
            packet 0: tx 60 B, transmitted: 4 µs, 4 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   tx ring            3 = 3 service + 0 wait
            packet 1: rx 46 B, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  net core           0 = 0 service + 0 wait
            packet 2: tx 60 B, transmitted: 1 µs, 1 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   tx ring            0 = 0 service + 0 wait
            packet 3: rx 46 B, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// Nothing tells when a NIC's driver gives an address back where the recording has no frees: its packets may be others'.
#[test]
fn without_frees_nothing_tells_a_pair_from_two_nics() {
    check_journeys(
        "
        1 ev net_dev_queue ts 1.000006 cpu 0 ctx softirq pid 15 skb 20 len 60 dev eth1
        2 ev net_dev_xmit ts 1.000007 cpu 0 ctx softirq pid 15 skb 20 len 60 dev eth1 rc 0
        3 ev netif_receive_skb ts 1.000009 cpu 0 ctx softirq pid 15 skb 20 len 46 dev eth0
        ",
        &expect![[r#"
            packet 0: tx 60 B, transmitted: 1 µs, 1 in service
              +0          cpu0  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu0  softirq  tx ring            0 = 0 service + 0 wait
            packet 1: rx 46 B, end not observed: 0 µs, 0 in service
              +0          cpu0  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// RPS gives what came over a pair to another CPU's backlog (`net/core/dev.c: enqueue_to_backlog`), where an interrupt has it
/// received: the driver may return before or after that. No free comes between.
#[test]
fn what_a_pair_hands_to_another_cpu_is_one_journey() {
    check_journeys(
        "
        1 ev net_dev_queue ts 7.474512 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a
        2 ev net_dev_xmit ts 7.474519 cpu 0 ctx kernel pid 15 skb 28d2 len 74 dev v2a rc 0
        3 ev netif_receive_skb ts 7.474523 cpu 1 ctx softirq pid 0 skb 28d2 len 60 dev v2b
        4 ev consume_skb ts 7.474529 cpu 1 ctx softirq pid 0 skb 28d2 location tcp_rcv_established+0x804
        5 ev net_dev_queue ts 7.474532 cpu 0 ctx kernel pid 15 skb 9eae len 74 dev v2a
        6 ev netif_receive_skb ts 7.474533 cpu 1 ctx softirq pid 0 skb 9eae len 60 dev v2b
        7 ev net_dev_xmit ts 7.474534 cpu 0 ctx kernel pid 15 skb 9eae len 74 dev v2a rc 0
        8 ev consume_skb ts 7.474539 cpu 1 ctx softirq pid 0 skb 9eae location tcp_rcv_established+0x804
        ",
        &expect![[r#"
            packet 0: tx 74 B, consumed by the stack: 17 µs, 17 in service
              +0          cpu0  kernel   qdisc              7 = 7 service + 0 wait
              +7          cpu0  kernel   backlog            4 = 4 service + 0 wait
              +11         cpu1  softirq  net core           6 = 6 service + 0 wait
            packet 1: tx 74 B, consumed by the stack: 7 µs, 7 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu1  softirq  net core           6 = 6 service + 0 wait
        "#]],
    );
}

/// What a NIC received on one CPU is received by the protocols on another.
#[test]
fn what_a_nic_hands_to_another_cpu_is_one_journey() {
    check_journeys(
        "
        1 ev napi_gro_receive_entry ts 7.474512 cpu 0 ctx softirq pid 0 skb 28d2 len 60 dev eth0
        2 ev napi_gro_receive_entry ts 7.474513 cpu 0 ctx softirq pid 0 skb 28d3 len 60 dev eth0
        3 ev netif_receive_skb ts 7.474523 cpu 1 ctx softirq pid 0 skb 28d2 len 60 dev eth0
        4 ev netif_receive_skb ts 7.474525 cpu 1 ctx softirq pid 0 skb 28d3 len 60 dev eth0
        ",
        &expect![[r#"
            packet 0: rx 60 B, end not observed: 11 µs, 1 in service
              +0          cpu0  softirq  GRO                11 = 1 service + 10 wait
              +11         cpu1  softirq  net core           0 = 0 service + 0 wait
            packet 1: rx 60 B, end not observed: 12 µs, 0 in service
              +0          cpu0  softirq  GRO                12 = 0 service + 12 wait
              +12         cpu1  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// A pair of containers has one name, that of the host's NIC too, which sends ten times as much. Neither
/// `net_dev_start_xmit` nor `netif_rx` was recorded.
#[test]
fn a_pair_of_one_name_is_found_beside_a_busy_nic_of_that_name() {
    let given = |number: u32, skb: &str| {
        let at = |micros: u32| format!("1.{:06}", number * 100 + micros);
        format!(
            "
        1 ev net_dev_queue ts {} cpu 0 ctx kernel pid 15 skb {skb} len 74 dev eth0
        2 ev net_dev_xmit ts {} cpu 0 ctx kernel pid 15 skb {skb} len 74 dev eth0 rc 0",
            at(1),
            at(2)
        )
    };
    let crossing = |number: u32| {
        let at = |micros: u32| format!("1.{:06}", number * 100 + micros);
        let came = format!(
            "
        3 ev netif_receive_skb ts {} cpu 0 ctx softirq pid 15 skb 28d2 len 60 dev eth0
        4 ev consume_skb ts {} cpu 0 ctx softirq pid 15 skb 28d2 location tcp_rcv_established+0x804",
            at(5),
            at(6)
        );
        given(number, "28d2") + &came
    };
    let sent = |number: u32| {
        let at = |micros: u32| format!("1.{:06}", number * 100 + micros);
        let freed = format!(
            "
        3 ev consume_skb ts {} cpu 0 ctx softirq pid 0 skb 9eae
        4 ev napi_poll ts {} cpu 0 ctx softirq pid 0 napi 77 dev eth0 work 0 budget 64",
            at(8),
            at(9)
        );
        given(number, "9eae") + &freed
    };
    let each = |number: u32| {
        if number.is_multiple_of(10) {
            crossing(number)
        } else {
            sent(number)
        }
    };
    let run = run_of(&(0..100).map(each).collect::<String>());
    let journeys = Journeys::of(&run);
    let count = |verdict: Verdict| {
        let packets = journeys.packets.iter();
        packets.filter(|packet| packet.verdict == verdict).count()
    };
    assert_eq!(journeys.packets.len(), 100);
    assert_eq!(
        (count(Verdict::Consumed), count(Verdict::Transmitted)),
        (10, 90)
    );
}

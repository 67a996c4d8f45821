//! What the findings say of drops, by their reason.

use expect_test::expect;

use super::{check, run_of, sorted};
use crate::findings::{Kind, Severity};
use crate::kernel::{PacketId, Station};
use crate::opened::Opened;

#[test]
fn drops_are_told_by_reason_and_a_wanted_one_is_no_problem() {
    let dropped = |skb: u32, at: u32, reason: &str| {
        format!(
            "1 ev netif_receive_skb ts 1.{at:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 92 dev eth0
             2 ev kfree_skb ts 1.{:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 reason {reason}
            ",
            at + 3
        )
    };
    let trace = sorted(&[
        dropped(1, 10, "NO_SOCKET"),
        dropped(2, 20, "UDP_CSUM"),
        dropped(3, 30, "NO_SOCKET"),
    ]);
    check(
        &trace,
        Kind::Drops,
        &expect![[r#"
            1 packet dropped: UDP_CSUM
            Its checksum was wrong, so it was damaged on its way: 33 % of all packets.
            at +13 µs, problem
            2 packets dropped: NO_SOCKET
            No socket was open for them: 67 % of all packets, within 20.0 µs.
            at +3 µs, notice
        "#]],
    );
}

/// A queue that marks tells of it where the packet leaves; whether something was dropped beside is a part of it.
#[test]
fn marks_are_told_and_whether_nothing_was_dropped_beside() {
    let sent = |skb: u32, at: u32, ecn: &str| {
        format!(
            "1 ev __tcp_transmit_skb ts 1.{at:06} cpu 0 ctx kernel pid 9 skb ffff8880050{skb:02}000 len 1448
             2 ev qdisc_enqueue ts 1.{:06} cpu 0 ctx kernel pid 9 skb ffff8880050{skb:02}000 len 1500 dev eth0 depth 1
             3 ev qdisc_dequeue ts 1.{:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 1500 dev eth0 depth 0{ecn}
             4 ev net_dev_xmit ts 1.{:06} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 1500 dev eth0 rc 0
            ",
            at + 1,
            at + 5,
            at + 6
        )
    };
    let packets = [
        sent(1, 10, " ecn 3"),
        sent(2, 20, ""),
        sent(3, 30, " ecn 3"),
        sent(4, 40, ""),
    ];
    check(
        &sorted(&packets),
        Kind::Marks,
        &expect![[r#"
            2 packets marked: CE
            They had waited too long, which the queueing discipline says by marks and not by drops, as both ends know ECN. The receivers echo that, and the senders slow down. 50 % of all packets, within 20.0 µs; none was dropped.
            at +5 µs, notice
        "#]],
    );
    let dropped =
        "1 ev netif_receive_skb ts 1.000050 cpu 0 ctx softirq pid 0 skb ffff888005005000 len 92 dev eth0
         2 ev kfree_skb ts 1.000053 cpu 0 ctx softirq pid 0 skb ffff888005005000 reason NO_SOCKET
        ";
    let with_drop = [&packets[..], &[dropped.to_owned()]].concat();
    check(
        &sorted(&with_drop),
        Kind::Marks,
        &expect![[r#"
            2 packets marked: CE
            They had waited too long, which the queueing discipline says by marks and not by drops, as both ends know ECN. The receivers echo that, and the senders slow down. 40 % of all packets, within 20.0 µs.
            at +5 µs, notice
        "#]],
    );
    check(&sorted(&packets[1..2]), Kind::Marks, &expect![[r#""#]]);
}

/// What every switched network brings, and a policy drops, alarms nobody.
#[test]
fn what_nobody_misses_is_no_problem() {
    for (reason, is_problem) in [
        ("OTHERHOST", false),
        ("UNHANDLED_PROTO", false),
        ("UNICAST_IN_L2_MULTICAST", false),
        ("SOCKET_CLOSE", false),
        ("TCP_OLD_ACK", false),
        ("TC_INGRESS", false),
        ("BPF_CGROUP_EGRESS", false),
        ("IP_RPFILTER", false),
        ("UDP_CSUM", true),
        ("SOCKET_RCVBUFF", true),
        ("TCP_RFC7323_PAWS", true),
        ("NOMEM", true),
    ] {
        let trace = format!(
            "1 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
             2 ev kfree_skb ts 1.000013 cpu 0 ctx softirq pid 0 skb ffff888005001000 reason {reason}"
        );
        let opened = Opened::from(run_of(&trace));
        let drops: Vec<_> = crate::findings::findings(&opened)
            .into_iter()
            .filter(|it| it.kind == Kind::Drops)
            .map(|it| it.severity == Severity::Problem)
            .collect();
        assert_eq!(drops, [is_problem], "{reason}");
    }
}

/// Neighbours' reports of groups that they have joined, and of each packet one that no group explains.
#[test]
fn multicast_that_nobody_joined_is_no_drop() {
    let is_problem = |location: &str| {
        let trace = format!(
            "1 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
             2 ev kfree_skb ts 1.000013 cpu 0 ctx softirq pid 0 skb ffff888005001000 location {location} reason NOT_SPECIFIED"
        );
        let found = crate::findings::findings(&Opened::from(run_of(&trace)));
        let drop = found.into_iter().find(|it| it.kind == Kind::Drops);
        drop.map(|it| it.severity == Severity::Problem)
    };
    assert_eq!(is_problem("ip6_mc_input+0x15e/0x270"), None);
    assert_eq!(is_problem("__udp4_lib_rcv+0xbbf/0xd00"), None);
    assert_eq!(is_problem("tcp_v6_rcv+0x79/0x13b0"), Some(true));
}

/// Kernel 6.1 prints an address, which says nothing to anybody.
#[test]
fn a_function_is_named_only_where_the_kernel_names_it() {
    let detail = |location: &str| {
        let trace = format!(
            "1 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
             2 ev kfree_skb ts 1.000013 cpu 0 ctx softirq pid 0 skb ffff888005001000 location {location} reason NOT_SPECIFIED"
        );
        let opened = Opened::from(run_of(&trace));
        let found = crate::findings::findings(&opened);
        let drop = found.iter().find(|it| it.kind == Kind::Drops);
        drop.map(|it| crate::english::say(&it.detail, &opened.replay))
    };
    let named = detail("tcp_v4_rcv.part.0+0x51/0x70").unwrap();
    assert!(
        named.contains("tcp_v4_rcv") && !named.contains(".part"),
        "{named}"
    );
    for address in ["00000000a1b2c3d4", "ffffffff8190db88", "0xffffffff8190db88"] {
        let unnamed = detail(address).unwrap();
        assert!(
            !unnamed.contains("ffff") && !unnamed.contains("a1b2"),
            "{unnamed}"
        );
    }
}

/// A packet that waits for its neighbour is known by its drop alone.
#[test]
fn a_neighbour_that_does_not_answer_is_named() {
    check(
        "
        1 ev kfree_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005001000 protocol 0800 reason NEIGH_FAILED
        2 ev kfree_skb ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888005001000 protocol 0800 reason NEIGH_FAILED
        3 ev kfree_skb ts 1.000002 cpu 0 ctx kernel pid 9 skb ffff888005001000 protocol 0800 reason IP_OUTNOROUTES
        ",
        Kind::Drops,
        &expect![[r#"
            2 packets dropped: NEIGH_FAILED
            The next hop did not answer when asked for its link address (ARP, neighbour discovery): 67 % of all packets, within 1.00 µs.
            at +0 µs, problem
            1 packet dropped: IP_OUTNOROUTES
            The routing table has no way to its destination: 33 % of all packets.
            at +2 µs, problem
        "#]],
    );
}

/// `tcp_ofo_queue` throws away what waited in the out-of-order queue and came a second time.
#[test]
fn a_segment_whose_data_have_come_by_others_was_not_refused_by_a_full_queue() {
    let segment = |skb: u32, at: u32, seq: u32, length: u32| {
        let skb = format!("ffff8880050{skb:02}000");
        format!(
            "1 ev tcp_v4_rcv ts 1.{at:06} cpu 0 ctx softirq pid 0 skb {skb} len {length}
             2 ev tcp_rcv_established ts 1.{at:06} cpu 0 ctx softirq pid 0 sk ffff888007000000 skb {skb} len {length} seq_no {seq}
             3 ev tcp_data_queue ts 1.{at:06} cpu 0 ctx softirq pid 0 sk ffff888007000000 skb {skb} len {length}
            "
        )
    };
    let queued = |skb: u32, at: u32, payload: u32| {
        format!(
            "4 ev tcp_queue_rcv ts 1.{at:06} cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff8880050{skb:02}000 len {payload}\n"
        )
    };
    let trace = [
        segment(1, 10, 1, 132),
        queued(1, 11, 100),
        segment(2, 20, 201, 132),
        // It fills the gap and has the data of the second, too.
        segment(3, 30, 101, 232),
        queued(3, 31, 200),
        "5 ev kfree_skb ts 1.000032 cpu 0 ctx softirq pid 0 skb ffff888005002000 reason TCP_OFO_DROP"
            .to_owned(),
    ];
    check(
        &sorted(&trace),
        Kind::Drops,
        &expect![[r#"
            1 packet dropped: TCP_OFO_DROP
            Its data had arrived before: 33 % of all packets. Nothing is missing.
            at +22 µs, notice
        "#]],
    );
    let opened = Opened::from(run_of(&sorted(&trace)));
    let dropped = PacketId(1);
    let stays = opened.journeys.stays(dropped);
    let station = stays.last().map(|stay| stay.station);
    assert_eq!(station, Some(Station::OutOfOrder));
    assert_eq!(opened.journeys.lost_to_full_queue(dropped), None);
    let last = opened.journeys.packets[dropped.at()].stays.end - 1;
    assert!(!opened.journeys.is_refused(dropped, last));
}

#[test]
fn a_reason_that_is_not_known_is_told_as_the_kernel_spelled_it() {
    let dropped = |skb: u32, name: &str| {
        format!(
            "1 ev netif_receive_skb ts 1.0000{skb:02} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 len 92 dev eth0
             2 ev kfree_skb ts 1.0001{skb:02} cpu 0 ctx softirq pid 0 skb ffff8880050{skb:02}000 reason UNRECOGNISED name {name}
            "
        )
    };
    let trace = [dropped(10, "NEW_REASON"), dropped(20, "0x10002")];
    check(
        &sorted(&trace),
        Kind::Drops,
        &expect![[r#"
        2 packets dropped: UNRECOGNISED
        The kernel named reasons that Ringside does not know, 0x10002, NEW_REASON: 100 % of all packets, within 10.0 µs.
        at +100 µs, problem
    "#]],
    );
}

//! Journeys of odd input: what no kernel records, and what of it is told.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::english::say;
use crate::opened::Opened;

/// The journeys as pictures, and under them what the ledger says of them.
fn check_odd(trace: &str, expected: &Expect) {
    let mut import = crate::import::Import::new();
    import.push(b"# kperf 2\n");
    import.push(trace.trim_start().as_bytes());
    let opened = Opened::from(import.finish().expect("a trace"));
    let mut text = String::new();
    for packet in opened.journeys.ids() {
        text += &picture(&opened.run, &opened.journeys, packet);
    }
    for warning in &opened.ledger.warnings {
        let _ = writeln!(text, "{}", say(warning, &opened.replay));
    }
    expected.assert_eq(&text);
}

#[test]
fn a_packet_does_not_merge_into_itself() {
    check_odd(
        "
        1 ev napi_gro_receive_entry ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 1514
        2 ev skb_gro_receive ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888001000100 into ffff888001000100
        3 ev netif_receive_skb ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 1514
        ",
        &expect![[r#"
            packet 0: rx 1514 B, end not observed: 2 µs, 2 in service
              +0          cpu0  softirq  GRO                2 = 2 service + 0 wait
              +2          cpu0  softirq  net core           0 = 0 service + 0 wait
            In line 3 a packet merges into itself; it is taken not to have merged. Such lines: 1.
        "#]],
    );
}

/// Both ends of a veth pair may have one name, each in its network namespace.
#[test]
fn devices_of_one_name_are_told_of() {
    check_odd(
        "
        1 ev net_dev_start_xmit ts 1.000000 cpu 0 ctx kernel pid 9 skb 10 len 42 dev eth0 protocol 0806
        2 ev netif_rx_entry ts 1.000001 cpu 0 ctx kernel pid 9 skb 10 len 28 dev eth0
        3 ev netif_rx ts 1.000002 cpu 0 ctx kernel pid 9 skb 10 len 28 dev eth0
        4 ev netif_receive_skb ts 1.000003 cpu 0 ctx softirq pid 9 skb 10 len 28 dev eth0
        5 ev net_dev_start_xmit ts 1.000004 cpu 0 ctx kernel pid 9 skb 20 len 42 dev lo protocol 0800
        6 ev netif_rx ts 1.000005 cpu 0 ctx kernel pid 9 skb 20 len 28 dev lo
        ",
        &expect![[r#"
            packet 0: tx 42 B, end not observed: 3 µs, 3 in service
              +0          cpu0  kernel   driver send        1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            2 = 2 service + 0 wait
              +3          cpu0  softirq  net core           0 = 0 service + 0 wait
            packet 1: tx 42 B, end not observed: 1 µs, 1 in service
              +0          cpu0  kernel   driver send        1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            0 = 0 service + 0 wait
            In line 3 a packet comes in by a device of the same name as the one that sent it: two network namespaces each have one, and this recording tells them by name alone, so they stand as one. Such lines: 1.
        "#]],
    );
}

#[test]
fn merges_in_a_circle_stop_at_the_one_that_has_ended() {
    check_odd(
        "
        1 ev napi_gro_receive_entry ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 1514
        2 ev napi_gro_receive_entry ts 1.000001 cpu 1 ctx softirq pid 0 skb ffff888001000200 len 1514
        3 ev skb_gro_receive ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888001000100 into ffff888001000200
        4 ev skb_gro_receive ts 1.000003 cpu 1 ctx softirq pid 0 skb ffff888001000200 into ffff888001000100
        5 ev netif_receive_skb ts 1.000009 cpu 1 ctx softirq pid 0 skb ffff888001000200 len 1514
        ",
        &expect![[r#"
            packet 0: rx 1514 B, merged into packet 1: 2 µs, 2 in service
              +0          cpu0  softirq  GRO                2 = 2 service + 0 wait
            packet 1: rx 1514 B in 2 parts, merged into a head that was not observed: 2 µs, 2 in service
              +0          cpu1  softirq  GRO                2 = 2 service + 0 wait
            packet 2: rx 1514 B, end not observed: 0 µs, 0 in service
              +0          cpu1  softirq  net core           0 = 0 service + 0 wait
            In line 5 a packet merges into one that had ended; what took it in is taken not to have been observed. Such lines: 1.
        "#]],
    );
}

#[test]
fn what_a_reader_has_taken_takes_nothing_in() {
    check_odd(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 92
        2 ev skb_consume_udp ts 1.000003 cpu 1 ctx kernel pid 534 sk ffff888002000000 skb ffff888001000100 len 64
        3 ev napi_gro_receive_entry ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888001000200 len 1514
        4 ev skb_gro_receive ts 1.000005 cpu 0 ctx softirq pid 0 skb ffff888001000200 into ffff888001000100
        5 ev consume_skb ts 1.000009 cpu 1 ctx kernel pid 534 skb ffff888001000100
        ",
        &expect![[r#"
            packet 0: rx 92 B, delivered to pid 534: 9 µs, 9 in service
              +0          cpu0  softirq  net core           3 = 3 service + 0 wait
              +3          cpu1  kernel   process            6 = 6 service + 0 wait
            packet 1: rx 1514 B, merged into a head that was not observed: 1 µs, 1 in service
              +0          cpu0  softirq  GRO                1 = 1 service + 0 wait
            In line 5 a packet merges into one that had ended; what took it in is taken not to have been observed. Such lines: 1.
        "#]],
    );
}

#[test]
fn a_packet_has_one_datagram() {
    check_odd(
        "
        1 ev ip_rcv ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 1500 frag_off 8192
        2 ev inet_frag_queue_insert ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888001000100 q ffff888003000000 off 0 end 1480
        3 ev inet_frag_queue_insert ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888001000100 q ffff888003000100 off 0 end 1480
        4 ev inet_frag_reasm_finish ts 1.000003 cpu 0 ctx softirq pid 0 skb ffff888001000100
        ",
        &expect![[r#"
            packet 0: rx 1500 B, end not observed: 3 µs, 3 in service
              +0          cpu0  softirq  IP                 1 = 1 service + 0 wait
              +1          cpu0  softirq  reassembly         2 = 2 service + 0 wait
              +3          cpu0  softirq  IP                 0 = 0 service + 0 wait
            In line 4 a fragment is put into a second datagram; it stays in its first. Such lines: 1.
        "#]],
    );
}

#[test]
fn a_packet_is_nowhere_after_its_end() {
    check_odd(
        "
        1 ev tcp_queue_rcv ts 1.000000 cpu 0 ctx softirq pid 0 sk ffff888002000000 skb ffff888001000100 len 64
        2 ev tcp_recvmsg ts 1.000002 cpu 1 ctx kernel pid 534 sk ffff888002000000
        3 ev skb_copy_datagram_iter ts 1.000003 cpu 1 ctx kernel pid 534 skb ffff888001000200 len 64
        4 ev tcp_recvmsg_ret ts 1.000004 cpu 1 ctx kernel pid 534 ret 64
        5 ev tcp_queue_rcv ts 1.000008 cpu 0 ctx softirq pid 0 sk ffff888002000000 skb ffff888001000100 len 64
        ",
        &expect![[r#"
            packet 0: rx 64 B, delivered to pid 534: 4 µs, 3 in service
              +0          cpu0  softirq  receive queue      3 = 3 service + 0 wait
              +3          cpu1  kernel   process            1 = 0 service + 1 wait
            packet 1: rx 64 B, delivered to pid 534: 1 µs, 1 in service
              +0          cpu1  kernel   process            1 = 1 service + 0 wait
            In line 6 a packet is somewhere after its end; that is left out. Such lines: 1.
        "#]],
    );
}

/// Probes with which journeys begin, merge, are cut, queue, are read and end.
const PROBES: &[Probe] = &[
    Probe::WireRx,
    Probe::WireTx,
    Probe::RxMissed,
    Probe::LostEvents,
    Probe::NapiGroReceiveEntry,
    Probe::NapiGroReceiveExit,
    Probe::SkbGroReceive,
    Probe::NetifReceiveSkb,
    Probe::IpRcv,
    Probe::InetFragQueueInsert,
    Probe::InetFragReasmFinish,
    Probe::InetFragKill,
    Probe::IpExpire,
    Probe::UdpRcv,
    Probe::TcpV4Rcv,
    Probe::TcpAddBacklog,
    Probe::TcpV4DoRcv,
    Probe::TcpRcvEstablished,
    Probe::TcpDataQueue,
    Probe::TcpQueueRcv,
    Probe::UdpEnqueueScheduleSkb,
    Probe::SkbCopyDatagramIter,
    Probe::SkbConsumeUdp,
    Probe::TcpRecvmsg,
    Probe::TcpRecvmsgRet,
    Probe::UdpRecvmsgRet,
    Probe::SysEnter,
    Probe::SysExit,
    Probe::UdpSendmsg,
    Probe::IpQueueXmit,
    Probe::TcpTransmitSkb,
    Probe::IpOutput,
    Probe::IpDoFragment,
    Probe::IpFinishOutput2,
    Probe::DevQueueXmit,
    Probe::NetDevStartXmit,
    Probe::NetDevXmit,
    Probe::ConsumeSkb,
    Probe::KfreeSkb,
];

/// Fields that the stitcher goes by, each with values that mean something to it.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "into",
        &["ffff888001000000", "ffff888001000100", "ffff888001000200"],
    ),
    ("q", &["ffff888003000000", "ffff888003000100"]),
    ("off", &["0", "1480", "4294967295"]),
    ("end", &["0", "1480", "2960", "4294967295"]),
    ("frag_off", &["0", "8192", "185", "8377"]),
    ("ip_id", &["7"]),
    ("proto", &["6", "17"]),
    ("seq_no", &["0", "64", "128", "4294967295"]),
    ("payload", &["0", "64"]),
    ("gso_segs", &["2", "45", "4294967295"]),
    ("count", &["0", "64", "4294967295"]),
    ("clone", &["0", "1"]),
    ("rc", &["0", "1"]),
    ("ret", &["0", "1", "3", "64", "4096"]),
    (
        "reason",
        &["NOT_SPECIFIED", "SOCKET_RCVBUFF", "TCP_OFO_QUEUE"],
    ),
    (
        "location",
        &[
            "inet_frag_reasm_prepare+0x1",
            "skb_defer_free_flush+0x1",
            "skb_release_data+0x1",
        ],
    ),
    ("dev", &["eth0", "lo"]),
    ("func", &["sendto", "recvfrom"]),
];

fn event() -> impl Strategy<Value = String> {
    let field = prop::sample::select(FIELDS).prop_flat_map(|(name, values)| {
        prop::sample::select(values).prop_map(move |value| format!(" {name} {value}"))
    });
    let columns = (
        0..2_u8,
        prop::sample::select(vec!["softirq", "kernel"]),
        prop::sample::select(vec!["0", "9", "534"]),
        0..4_u8,
        0..3_u8,
        prop::sample::select(vec!["", " len 64", " len 96", " len 1514"]),
    );
    let event = (
        prop::sample::select(PROBES),
        columns,
        prop::collection::vec(field, 0..4),
    );
    event.prop_map(|(probe, (cpu, context, pid, skb, sk, len), fields)| {
        let skb = if skb == 3 {
            String::new()
        } else {
            format!(" skb ffff88800100{skb}00")
        };
        let sk = if sk == 2 {
            String::new()
        } else {
            format!(" sk ffff88800200{sk}00")
        };
        let name = probe.name();
        let fields = fields.concat();
        format!("cpu {cpu} ctx {context} pid {pid}{skb}{sk}{len}{fields}\n{name}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn what_holds_for_any_events(events in prop::collection::vec((0..4_u32, event()), 1..60)) {
        let mut trace = String::from("# kperf 2\n");
        let mut micros = 0;
        for (gap, event) in events {
            micros += gap;
            let (columns, name) = event.split_once('\n').expect("an event and its name");
            let _ = writeln!(trace, "1 ev {name} ts 1.{micros:06} {columns}");
        }
        let mut import = crate::import::Import::new();
        import.push(trace.as_bytes());
        let opened = Opened::from(import.finish().expect("a trace"));
        let broken = invariants::broken(&opened.run, &opened.journeys);
        prop_assert!(broken.is_empty(), "{broken:?}\n{trace}");
    }
}

/// Only its socket saw it, which tells that there is no payload, and not how long it was.
#[test]
fn a_length_that_nothing_tells_is_not_0() {
    check_journeys(
        "
        1 ev tcp_probe ts 0.000001000 cpu 0 ctx softirq pid 9 skb 10 payload 0
        ",
        &expect![[r#"
            packet 0: rx ? B, consumed by the stack (inferred): 0 µs, 0 in service
              +0          cpu0  softirq  TCP                0 = 0 service + 0 wait
        "#]],
    );
}

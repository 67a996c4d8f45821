//! Who cut a packet: the lines are of kernel 6.18, with tracepoints alone.

use super::{Kind, Opened, findings};
use crate::english::say;
use crate::import::Import;

/// What is found of this kind.
fn found(trace: &str, kind: Kind) -> Vec<String> {
    let mut import = Import::new();
    import.push(trace.as_bytes());
    let run = import.finish().expect("it is a trace").run;
    let opened = Opened::from(run);
    let found = findings(&opened);
    let of_kind = found.iter().filter(|one| one.kind == kind);
    of_kind
        .flat_map(|one| [&one.title, &one.detail])
        .map(|saying| say(saying, &opened.replay))
        .collect()
}

/// A program sends three datagrams in one packet (`UDP_SEGMENT`), and their reader takes one at a time.
#[test]
fn udp_cuts_what_its_reader_does_not_take_at_once() {
    let trace = "
    s3-15851 [000] b.... 654.079459: net_dev_queue: dev=vA skbaddr=00000000864cf661 len=1043
    s3-15851 [000] b.... 654.079461: net_dev_start_xmit: dev=vA queue_mapping=0 skbaddr=00000000864cf661 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=1043 data_len=1001 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=400 gso_segs=3 gso_type=0x0
    s3-15851 [000] b.... 654.079463: netif_rx_entry: dev=vB napi_id=0x0 queue_mapping=0 skbaddr=00000000864cf661 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=1029 data_len=1001 truesize=1833 mac_header_valid=1 mac_header=-14 nr_frags=1 gso_size=400 gso_type=0x0
    s3-15851 [000] b.... 654.079464: netif_rx: dev=vB skbaddr=00000000864cf661 len=1029
    s3-15851 [000] b.... 654.079467: net_dev_xmit: dev=vA skbaddr=00000000864cf661 len=1043 rc=0
    s3-15851 [000] ..s1. 654.079471: netif_receive_skb: dev=vB skbaddr=00000000864cf661 len=1029
    s3-15851 [000] ..s1. 654.079501: consume_skb: skbaddr=00000000864cf661 location=udp_queue_rcv_skb+0xfb/0x240
    s3-15851 [000] ..s1. 654.079506: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    s3-15851 [000] ..s1. 654.079512: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    s3-15851 [000] ..s1. 654.079513: sk_data_ready: family=2 protocol=17 func=sock_def_readable
";
    let [title, detail] = &found(trace, Kind::SoftwareSegmentation)[..] else {
        panic!("one is found");
    };
    assert_eq!(title, "UDP cuts 1 packet into 3 datagrams");
    assert!(detail.contains("UDP_GRO"), "{detail}");
}

/// A frame that one device sends and the device of another network namespace receives.
fn sent(micros: u32, (from, to): (&str, &str), skb: &str, len: u32) -> String {
    let packet = len - 14;
    format!(
        "
    s-8 [001] b.... 885.{micros:06}: net_dev_queue: dev={from} skbaddr=00000000{skb} len={len}
    s-8 [001] b.... 885.{micros:06}: netif_rx_entry: dev={to} napi_id=0x0 queue_mapping=0 skbaddr=00000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len={packet} data_len=0 truesize=2304 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    s-8 [001] b.... 885.{micros:06}: net_dev_xmit: dev={from} skbaddr=00000000{skb} len={len} rc=0"
    )
}

/// It comes to IP.
fn comes(micros: u32, dev: &str, skb: &str, len: u32) -> String {
    format!(
        "
    s-8 [001] ..s1. 885.{micros:06}: netif_receive_skb: dev={dev} skbaddr=00000000{skb} len={len}"
    )
}

/// A router that tracks connections puts a datagram's fragments together and cuts it again.
#[test]
fn ip_cuts_what_it_had_put_together() {
    let way = ("a1", "r1");
    let on = ("r2", "b1");
    let [first, second, third, fourth] = ["5816f22b", "b2b800ca", "35153d9a", "934c6945"];
    let whole = "
    s-8 [001] b.s2. 885.000060: consume_skb: skbaddr=000000005816f22b location=inet_frag_reasm_prepare+0xe2/0x330";
    let trace = [
        &sent(0, way, first, 1514),
        &comes(10, "r1", first, 1500),
        &sent(20, way, second, 1514),
        &comes(30, "r1", second, 1500),
        &sent(40, way, third, 1083),
        &comes(50, "r1", third, 1069),
        &whole.to_owned(),
        &sent(70, on, third, 1514).replace("b....", "b.s1."),
        &sent(80, on, second, 1514).replace("b....", "b.s1."),
        &sent(90, on, fourth, 1083).replace("b....", "b.s1."),
    ]
    .map(String::as_str)
    .concat();
    assert_eq!(found(&trace, Kind::SoftwareSegmentation), [""; 0]);
    assert_eq!(
        found(&trace, Kind::Fragmentation),
        [
            "IP cuts 1 datagram into 3 fragments",
            "Packet 2, 4.01 kB, is too long for the link and becomes 3 fragments.",
        ]
    );
}

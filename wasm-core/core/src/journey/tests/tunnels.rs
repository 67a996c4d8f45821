//! Tunnels on the way up, where a recording begins within a packet or lines were lost, and WireGuard.

use super::few_events::opened;
use crate::kernel::VerdictKind;

/// A packet that a NIC receives and a tunnel's device takes up, with so many bytes before and behind it: what begins with
/// `#` is left out where the recording begins within it.
fn unpacked(number: u32, device: &str, headers: u32) -> [String; 5] {
    let at = |micros: u32| format!("{}.{micros:06}", 10 + number);
    let skb = format!("skbaddr=ffff888001{number:02x}000");
    let fields = "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0";
    let rest = "data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0";
    let entry = |dev: &str, len: u32| {
        format!(
            "napi_gro_receive_entry: dev={dev} napi_id=0x0 queue_mapping=1 {skb} {fields} len={len} {rest}"
        )
    };
    let idle = "               <idle>-0 [000] ..s1.";
    let outer = 128 + headers;
    [
        format!("{idle} {}: {}", at(1), entry("eth0", outer)),
        format!(
            "{idle} {}: netif_receive_skb: dev=eth0 {skb} len={outer}",
            at(3)
        ),
        format!("{idle} {}: {}", at(6), entry(device, 128)),
        format!(
            "{idle} {}: netif_receive_skb: dev={device} {skb} len=128",
            at(8)
        ),
        format!(
            "{idle} {}: consume_skb: {skb} location=skb_consume_udp+0x2a/0x60",
            at(40)
        ),
    ]
}

/// How many journeys a trace of such packets has, and how many of them have no end.
fn journeys(lines: &[String]) -> (usize, usize) {
    let (_, journeys) = opened(&format!("# tracer: nop\n#\n{}\n", lines.join("\n")));
    let packets = journeys.packets.iter();
    let open = packets.filter(|it| it.verdict.kind() == VerdictKind::Open);
    (journeys.packets.len(), open.count())
}

#[test]
fn a_packet_that_was_cut_costs_no_other_its_tunnel() {
    let packets: Vec<_> = (0..4)
        .map(|number| unpacked(number, "flannel.1", 50))
        .collect();
    let whole: Vec<String> = packets.concat();
    assert_eq!(journeys(&whole), (4, 0));
    assert_eq!(journeys(&whole[2..]), (4, 0), "it begins within the first");
    let mut holed = whole.clone();
    holed[5] = "CPU:0 [LOST 2 EVENTS]".to_owned();
    holed.remove(6);
    assert_eq!(journeys(&holed).0, 4, "lines of the second were lost");
}

#[test]
fn what_wireguard_unpacks_is_one_packet() {
    for headers in [60, 71, 80, 92] {
        let packets: Vec<_> = (0..3)
            .map(|number| unpacked(number, "wg0", headers))
            .collect();
        assert_eq!(journeys(&packets.concat()), (3, 0), "{headers}");
    }
    // Nothing that is a tunnel's: two packets at one address.
    let packets: Vec<_> = (0..3).map(|number| unpacked(number, "eth1", 33)).collect();
    assert_eq!(journeys(&packets.concat()).0, 6);
}

/// A length that was not recorded speaks neither for a tunnel nor against it.
#[test]
fn packets_without_a_length_cost_no_other_its_tunnel() {
    for (device, headers) in [("flannel.1", 50), ("wg0", 71)] {
        let mut packets: Vec<_> = (0..6)
            .map(|number| unpacked(number, device, headers))
            .collect();
        for [.., inner, _, _] in &mut packets[..4] {
            *inner = inner.replace(" len=128", "");
        }
        assert_eq!(journeys(&packets[4..].concat()), (2, 0), "{device}");
        let (all, _) = journeys(&packets.concat());
        assert!(all <= 6, "{device}: {all}");
    }
}

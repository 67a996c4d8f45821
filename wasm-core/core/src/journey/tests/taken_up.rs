//! What tunnels take up on another CPU or at the same device, PPPoE, and a veth pair with NAPI where no free was
//! recorded. The lines are of kernel 6.18.

use super::few_events::opened;
use crate::journey::Journeys;

/// A packet that comes at an address: by what, at which device, with so many bytes, on a CPU.
fn comes(micros: u32, cpu: u32, by: &str, dev: &str, skb: u32, len: u32) -> String {
    let fields = "napi_id=0x0 queue_mapping=1";
    let rest = "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0";
    let tail = "data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0";
    let skb = format!("skbaddr=ffff8880010{skb:02x}000");
    let what = if by.ends_with("_entry") {
        format!("dev={dev} {fields} {skb} {rest} len={len} {tail}")
    } else {
        format!("dev={dev} {skb} len={len}")
    };
    format!("          <idle>-0 [00{cpu}] ..s1. 10.{micros:06}: {by}: {what}\n")
}

/// A NIC's packet, from GRO on.
fn received(micros: u32, cpu: u32, dev: &str, skb: u32, len: u32) -> String {
    comes(micros, cpu, "napi_gro_receive_entry", dev, skb, len)
        + &comes(micros + 2, cpu, "netif_receive_skb", dev, skb, len)
}

fn polled(micros: u32, cpu: u32, napi: u32, dev: &str) -> String {
    format!(
        "          <idle>-0 [00{cpu}] ..s1. 10.{micros:06}: napi_poll: napi poll on napi struct ffff88800{napi}000000 \
         for device {dev} work 1 budget 64\n"
    )
}

fn freed(micros: u32, cpu: u32, skb: u32) -> String {
    format!(
        "          <idle>-0 [00{cpu}] ..s1. 10.{micros:06}: consume_skb: skbaddr=ffff8880010{skb:02x}000 \
         location=skb_consume_udp+0x2a/0x60\n"
    )
}

/// Dropped, which tells nothing of what is consumed.
fn dropped(micros: u32, cpu: u32, skb: u32) -> String {
    format!(
        "          <idle>-0 [00{cpu}] ..s1. 10.{micros:06}: kfree_skb: skbaddr=ffff8880010{skb:02x}000 \
         rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0x900 reason: NO_SOCKET\n"
    )
}

fn journeys(lines: &str) -> Journeys {
    opened(&format!("# tracer: nop\n#\n{lines}")).1
}

/// How many there are, and of how many something is inferred.
fn counted(lines: &str) -> (usize, usize) {
    let journeys = journeys(lines);
    let inferred = journeys.packets.iter().filter(|it| it.is_inferred);
    (journeys.packets.len(), inferred.count())
}

#[test]
fn what_wireguard_decrypts_on_another_cpu_is_one_packet() {
    let packet = |number: u32, whole: u32, inner: u32| {
        let at = number * 100;
        received(at, 1, "eth0", number, whole)
            + &polled(at + 5, 1, 4, "eth0")
            + &received(at + 30, 0, "wg0", number, inner)
            + &dropped(at + 34, 0, number)
            + &polled(at + 35, 0, 1, "wg0")
    };
    // Filled up to 16 bytes, by IPv4 and by IPv6, and up to the most that the device takes.
    for (whole, inner) in [
        (188, 128),
        (204, 129),
        (208, 128),
        (1480, 1420),
        (1480, 1418),
    ] {
        let packets: String = (0..3).map(|it| packet(it, whole, inner)).collect();
        assert_eq!(counted(&packets), (3, 3), "{whole} {inner}");
        let freed: String = packets + &freed(900, 0, 9);
        assert_eq!(counted(&freed), (3, 0), "{whole} {inner}");
    }
    // It begins within the first, whose outer packet is not told.
    let cut = received(30, 0, "wg0", 0, 128) + &packet(1, 188, 128) + &packet(2, 188, 128);
    assert_eq!(counted(&cut).0, 3);
    // No filling makes this of that, one alone tells nothing, and what is freed between is another packet.
    let packets: String = (0..3).map(|it| packet(it, 187, 128)).collect();
    assert_eq!(counted(&packets).0, 6);
    assert_eq!(counted(&packet(0, 188, 128)).0, 2);
    let ended = |it: u32| {
        received(it * 100, 1, "eth0", it, 188)
            + &freed(it * 100 + 9, 1, it)
            + &received(it * 100 + 30, 0, "eth1", it, 128)
    };
    assert_eq!(counted(&(0..3).map(ended).collect::<String>()).0, 6);
}

#[test]
fn by_chance_two_nics_have_one_address_and_are_no_wireguard() {
    // One of three fits, at addresses that are free again.
    let packets: String = [(0, 188, 128), (1, 400, 128), (2, 90, 128)]
        .map(|(it, first, next)| {
            received(it * 100, 1, "eth0", it, first) + &received(it * 100 + 30, 0, "eth1", it, next)
        })
        .concat();
    assert_eq!(counted(&packets).0, 6);
}

/// A packet of ESP, received in the poll of a NIC, and taken up in that of a NAPI of such a device.
fn unpacked(at: u32, whole: u32, inner: u32, napi: u32, of: &str) -> String {
    received(at, 0, "eth0", 7, whole)
        + &polled(at + 5, 0, 5, "eth0")
        + &received(at + 6, 0, "eth0", 7, inner)
        + &dropped(at + 9, 0, 7)
        + &polled(at + 10, 0, napi, of)
}

#[test]
fn what_esp_unpacks_at_its_device_is_one_packet() {
    // AES-GCM and HMAC-SHA2-256, NAT-T, IPv6, at one address that is used again and again.
    for whole in [184, 188, 200, 204, 212, 228] {
        let packets: String = (0..4)
            .map(|it| unpacked(it * 100, whole, 128, 7, "(no_device)"))
            .collect();
        assert_eq!(counted(&packets), (4, 4), "{whole}");
        let ended =
            |it: u32| unpacked(it * 100, whole, 128, 7, "dummy#") + &freed(it * 100 + 40, 0, 9);
        assert_eq!(
            counted(&(0..4).map(ended).collect::<String>()),
            (4, 0),
            "{whole}"
        );
    }
}

#[test]
fn what_esp_unpacks_for_a_device_of_its_own_is_one_packet() {
    let packet = |it: u32, first: &str, of: &str| {
        received(it * 100, 0, "eth0", it, 184)
            + &polled(it * 100 + 5, 0, 5, first)
            + &received(it * 100 + 6, 0, "vti0", it, 128)
            + &polled(it * 100 + 10, 0, 7, of)
    };
    let packets = |first: &str, of: &str| -> usize {
        let lines = (0..3).map(|it| packet(it, first, of));
        counted(&lines.collect::<String>()).0
    };
    assert_eq!(packets("eth0", "(no_device)"), 3);
    // A NIC has polls of its own, and drivers may have one dummy for the polls of all their NICs.
    assert_eq!(packets("eth0", "vti0"), 6);
    assert_eq!(packets("dummy#", "dummy#"), 6);
}

#[test]
fn two_packets_of_a_nic_at_one_address_are_no_esp() {
    let twice = |it: u32| unpacked(it * 100, 184, 128, 5, "eth0");
    assert_eq!(
        counted(&(0..4).map(twice).collect::<String>()).0,
        8,
        "one queue"
    );
    let queues = |it: u32| unpacked(it * 100, 184, 128, 6, "eth0");
    assert_eq!(
        counted(&(0..4).map(queues).collect::<String>()).0,
        8,
        "two queues"
    );
    let plain = |it: u32| unpacked(it * 100, 185, 128, 7, "(no_device)");
    assert_eq!(
        counted(&(0..4).map(plain).collect::<String>()).0,
        8,
        "no whole words"
    );
    let unpolled = received(1, 0, "eth0", 7, 184) + &received(6, 0, "eth0", 7, 128);
    assert_eq!(counted(&unpolled).0, 2, "no poll was recorded");
    let first = received(1, 0, "eth0", 7, 184) + &polled(5, 0, 5, "eth0");
    let next = received(16, 0, "eth0", 7, 128) + &polled(20, 0, 7, "(no_device)");
    let ended = format!("{first}{}{next}", freed(9, 0, 7));
    assert_eq!(counted(&ended).0, 2, "an end is between");
    let holed = format!("{first}CPU:0 [LOST 2 EVENTS]\n{next}");
    assert_eq!(counted(&holed).0, 2, "a hole is between");
}

#[test]
fn what_pppoe_unpacks_is_one_packet() {
    let packet = |it: u32, headers: u32, by: &[&str]| {
        let at = it * 100;
        let entries = by.iter().map(|by| comes(at + 4, 0, by, "ppp0", it, 128));
        let entries: String = entries.collect();
        received(at, 0, "eth0", it, 128 + headers)
            + &entries
            + &comes(at + 8, 0, "netif_receive_skb", "ppp0", it, 128)
    };
    let packets = |headers: u32, by: &[&str]| -> usize {
        let lines: String = (0..3).map(|it| packet(it, headers, by)).collect();
        counted(&lines).0
    };
    assert_eq!(packets(8, &["netif_rx_entry"]), 3);
    assert_eq!(packets(8, &["netif_rx"]), 3);
    assert_eq!(packets(8, &["netif_rx_entry", "netif_rx"]), 3);
    // Nothing but PPP's `netif_rx` tells so few bytes from another packet's length.
    assert_eq!(packets(8, &["napi_gro_receive_entry"]), 6);
    assert_eq!(packets(9, &["netif_rx_entry"]), 6);
}

/// What a task sends by a device, and what comes by another in a softirq that interrupts no task, with lines between.
fn crosses(it: u32, from: &str, to: &str, between: &str) -> String {
    let at = it * 100;
    let sent = |micros: u32, what: &str, rest: &str| {
        format!(
            "         python3-100 [000] b..2. 10.{:06}: {what}: dev={from} \
             skbaddr=ffff8880010{it:02x}000 len=142{rest}\n",
            at + micros
        )
    };
    let softirq = format!(
        "          <idle>-0 [000] ..s1. 10.{:06}: softirq_entry: vec=3 [action=NET_RX]\n",
        at + 7
    );
    sent(0, "net_dev_queue", "")
        + &sent(5, "net_dev_xmit", " rc=0")
        + between
        + &softirq
        + &received(at + 8, 0, to, it, 128)
        + &dropped(at + 11, 0, it)
        + &polled(at + 12, 0, 4, to)
}

#[test]
fn what_a_pair_with_napi_hands_over_is_one_packet_where_no_free_is_recorded() {
    let packets: String = (0..3).map(|it| crosses(it, "veth0", "veth1", "")).collect();
    assert_eq!(counted(&packets), (3, 3));
}

#[test]
fn what_a_nic_can_have_freed_before_is_no_pairs() {
    let packets = |between: &dyn Fn(u32) -> String| -> usize {
        let lines = (0..3).map(|it| crosses(it, "eth1", "eth0", &between(it * 100 + 6)));
        counted(&lines.collect::<String>()).0
    };
    assert_eq!(packets(&|at| polled(at, 0, 3, "eth1")), 6, "its poll frees");
    let softirq = |at: u32| {
        format!("          <idle>-0 [000] ..s1. 10.{at:06}: softirq_entry: vec=2 [action=NET_TX]\n")
    };
    assert_eq!(packets(&softirq), 6, "NET_TX frees");
    let next = |at: u32| {
        format!(
            "         python3-100 [000] b..2. 10.{at:06}: net_dev_xmit: dev=eth1 skbaddr=ffff888001099000 len=60 rc=0\n"
        )
    };
    assert!(packets(&next) >= 6, "the next packet frees it");
}

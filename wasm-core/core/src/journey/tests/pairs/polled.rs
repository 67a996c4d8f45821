//! A veth pair whose ends poll (`drivers/net/veth.c: veth_poll`, v6.18), as they do with GRO: what one end sends is received by
//! `napi_gro_receive_entry` on the other, after its driver's call has returned. The lines are of kernel 6.18.

use expect_test::expect;

use super::super::few_events::{check, opened};

/// A line of this CPU, with its context's flags.
fn on(cpu: u32, flags: &str, micros: u32, event: &str) -> String {
    format!(
        "
    python3-3071{cpu} [00{cpu}] {flags}  3094.{micros:06}: {event}"
    )
}

/// The core gives the packet to the device, whose driver returns.
fn sent(cpu: u32, flags: &str, micros: u32, (dev, skb, len): (&str, &str, u32)) -> String {
    let fields = format!(
        "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len={len} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0"
    );
    let skb = format!("skbaddr=00000000{skb}");
    [
        on(
            cpu,
            flags,
            micros,
            &format!("net_dev_queue: dev={dev} {skb} len={len}"),
        ),
        on(
            cpu,
            flags,
            micros,
            &format!("net_dev_start_xmit: dev={dev} queue_mapping=0 {skb} {fields}"),
        ),
        on(
            cpu,
            flags,
            micros,
            &format!("net_dev_xmit: dev={dev} {skb} len={len} rc=0"),
        ),
    ]
    .concat()
}

const IN_POLL: &str = "..s1.";

/// The other end polls it.
fn polled(micros: u32, (dev, skb, len): (&str, &str, u32), hash: &str) -> String {
    let fields = format!(
        "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash={hash} l4_hash=1 len={len} data_len=0 truesize=2280 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0"
    );
    on(
        0,
        IN_POLL,
        micros,
        &format!(
            "napi_gro_receive_entry: dev={dev} napi_id=0x104 queue_mapping=0 skbaddr=00000000{skb} {fields}"
        ),
    )
}

fn received(micros: u32, (dev, skb, len): (&str, &str, u32)) -> String {
    let event = format!("netif_receive_skb: dev={dev} skbaddr=00000000{skb} len={len}");
    on(0, IN_POLL, micros, &event)
}

fn raised(micros: u32) -> String {
    on(0, IN_POLL, micros, "softirq_entry: vec=3 [action=NET_RX]")
}

fn ended(micros: u32, dev: &str) -> String {
    let poll = format!(
        "napi_poll: napi poll on napi struct 00000000d75523ef for device {dev} work 1 budget 64"
    );
    on(0, IN_POLL, micros, &poll) + &on(0, IN_POLL, micros, "softirq_exit: vec=3 [action=NET_RX]")
}

/// A datagram over a pair with these names, and its read.
fn datagram(dev: &str, other: &str) -> String {
    [
        sent(0, "b....", 10, (dev, "9f7b8fc6", 247)),
        raised(12),
        polled(13, (other, "9f7b8fc6", 233), "0xb8cef42a"),
        received(14, (other, "9f7b8fc6", 233)),
        on(0, IN_POLL, 15, "sk_data_ready: family=2 protocol=17 func=sock_def_readable"),
        ended(16, other),
        on(0, ".....", 20, "sock_recv_length: sk address = 000000005e769b64, family = AF_INET protocol = 0x11, length = 205, error = 0, flags = 0x40"),
        on(0, ".....", 21, "consume_skb: skbaddr=00000000fcf62d56 location=unix_stream_read_generic+0x5c/0x110"),
    ]
    .concat()
}

#[test]
fn a_datagram_over_a_pair_that_polls_is_one_journey() {
    let picture = expect![[r#"
        packet 0: tx 247 B, delivered to python3 (30710) (inferred): 10 µs, 5 in service
          +0          cpu0  kernel   qdisc              0 = 0 service + 0 wait
          +0          cpu0  kernel   driver send        0 = 0 service + 0 wait
          +0          cpu0  kernel   backlog            3 = 2 service + 1 wait
          +3          cpu0  softirq  GRO                1 = 1 service + 0 wait
          +4          cpu0  softirq  net core           1 = 1 service + 0 wait
          +5          cpu0  softirq  receive queue      5 = 1 service + 4 wait
          +10         cpu0  kernel   process            0 = 0 service + 0 wait
    "#]];
    check(&datagram("va", "vb"), &picture);
    // Each end may be its network namespace's `eth0`.
    check(&datagram("eth0", "eth0"), &picture);
}

#[test]
fn one_name_of_both_ends_is_told() {
    let warnings = |trace: &str| opened(trace).1.warnings.len();
    assert_eq!(warnings(&datagram("va", "vb")), 0);
    assert_eq!(warnings(&datagram("eth0", "eth0")), 1);
}

/// A NIC frees what it has sent, and receives other packets at those addresses.
#[test]
fn a_nic_of_one_name_gives_addresses_back() {
    let freed = "consume_skb: skbaddr=000000009f7b8fc6 location=napi_consume_skb+0x5c/0x110";
    let trace = [
        sent(0, "b....", 10, ("eth0", "9f7b8fc6", 247)),
        raised(12),
        on(0, IN_POLL, 13, freed),
        polled(14, ("eth0", "9f7b8fc6", 233), "0x00000000"),
        received(15, ("eth0", "9f7b8fc6", 233)),
        ended(16, "eth0"),
    ];
    let (_, journeys) = opened(&trace.concat());
    assert_eq!(journeys.packets.len(), 2);
    // Where no free is recorded nothing tells it from one end of a pair.
    let (_, journeys) = opened(&[&trace[..2], &trace[3..]].concat().concat());
    assert_eq!(journeys.packets.len(), 2);
}

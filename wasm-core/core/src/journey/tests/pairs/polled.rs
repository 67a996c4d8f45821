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

/// One of a NIC's addresses comes back without an event: that is no pair of this name.
#[test]
fn a_nic_is_not_said_to_share_its_name() {
    let leaves = |micros: u32, skb: &str| {
        let freed =
            format!("consume_skb: skbaddr=00000000{skb} location=napi_consume_skb+0x5c/0x110");
        [
            sent(0, "b....", micros, ("eth0", skb, 247)),
            raised(micros + 2),
            on(0, IN_POLL, micros + 3, &freed),
            ended(micros + 4, "eth0"),
        ]
        .concat()
    };
    let trace = [
        leaves(10, "9f7b8fc6"),
        sent(0, "b....", 20, ("eth0", "a0463d08", 247)),
        raised(22),
        polled(23, ("eth0", "a0463d08", 233), "0x00000000"),
        received(24, ("eth0", "a0463d08", 233)),
        ended(25, "eth0"),
        leaves(30, "5f7f9a4c"),
    ];
    let (_, journeys) = opened(&trace.concat());
    assert_eq!(journeys.warnings, []);
    assert_eq!(journeys.packets.len(), 4);
}

/// What TCP tells of a segment that it has sent again stands between its driver's return and its reception.
#[test]
fn a_segment_sent_again_crosses_the_pair() {
    let again = "tcp_retransmit_skb: skbaddr=000000001fb88dd1 skaddr=00000000e784fb47 family=AF_INET state=TCP_FIN_WAIT1 sport=56542 dport=6001 saddr=10.6.0.1 daddr=10.6.0.2 saddrv6=::ffff:10.6.0.1 daddrv6=::ffff:10.6.0.2 err=0";
    let gone = "consume_skb: skbaddr=00000000fcf62d56 location=unix_stream_read_generic+0x5c/0x110";
    check(
        &[
            sent(0, "b.s1.", 50, ("xa", "5f7f9a4c", 1226)),
            on(0, IN_POLL, 54, again),
            raised(59),
            polled(61, ("xb", "5f7f9a4c", 1212), "0x06adc606"),
            received(62, ("xb", "5f7f9a4c", 1212)),
            ended(64, "xb"),
            on(0, ".....", 80, gone),
        ]
        .concat(),
        &expect![[r#"
            packet 0: tx 1226 B TCP 10.6.0.1:56542 → 10.6.0.2:6001, end not observed: 12 µs, 10 in service
              +0          cpu0  softirq  qdisc              0 = 0 service + 0 wait
              +0          cpu0  softirq  driver send        0 = 0 service + 0 wait
              +0          cpu0  softirq  backlog            11 = 9 service + 2 wait
              +11         cpu0  softirq  GRO                1 = 1 service + 0 wait
              +12         cpu0  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// Two segments that GRO passes on as a list. Tasks on two CPUs have sent them.
#[test]
fn what_a_pair_passes_on_as_a_list_is_processed_in_order() {
    let probed = |micros: u32, port: u16, sk: &str, skb: &str| {
        let probe = format!(
            "tcp_probe: family=AF_INET src=10.6.0.2:6001 dest=10.6.0.1:{port} mark=0x0 data_len=1448 snd_nxt=0xc7a65b17 snd_una=0xc7a65b17 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64512 srtt=17 rcv_wnd=96256 sock_cookie=13ff skbaddr=00000000{skb} skaddr=00000000{sk}"
        );
        let ready = "sk_data_ready: family=2 protocol=6 func=sock_def_readable";
        on(0, "..s2.", micros, &probe) + &on(0, "..s2.", micros, ready)
    };
    let gone = "consume_skb: skbaddr=00000000fcf62d56 location=unix_stream_read_generic+0x5c/0x110";
    let (first, second) = ("4137475c", "efb04ce8");
    check(
        &[
            sent(0, "b....", 25, ("xa", first, 1514)),
            raised(26),
            polled(27, ("xb", first, 1500), "0xf46dd9de"),
            sent(1, "b....", 28, ("xa", second, 1514)),
            polled(33, ("xb", second, 1500), "0xb8cef42a"),
            received(37, ("xb", first, 1500)),
            received(37, ("xb", second, 1500)),
            probed(38, 56546, "cecb8b3f", first),
            probed(40, 56562, "d83ad3e1", second),
            ended(50, "xb"),
            on(0, ".....", 80, gone),
        ]
        .concat(),
        &expect![[r#"
            packet 0: tx 1514 B TCP 10.6.0.1:56546 → 10.6.0.2:6001, end not observed: 55 µs, 9 in service
              +0          cpu0  kernel   qdisc              0 = 0 service + 0 wait
              +0          cpu0  kernel   driver send        0 = 0 service + 0 wait
              +0          cpu0  kernel   backlog            2 = 1 service + 1 wait
              +2          cpu0  softirq  GRO                10 = 6 service + 4 wait
              +12         cpu0  softirq  net core           1 = 0 service + 1 wait
              +13         cpu0  softirq  TCP                0 = 0 service + 0 wait
              +13         cpu0  softirq  receive queue      42 = 2 service + 40 wait
            packet 1: tx 1514 B TCP 10.6.0.1:56562 → 10.6.0.2:6001, end not observed: 52 µs, 15 in service
              +0          cpu1  kernel   qdisc              0 = 0 service + 0 wait
              +0          cpu1  kernel   driver send        0 = 0 service + 0 wait
              +0          cpu1  kernel   backlog            5 = 0 service + 5 wait
              +5          cpu0  softirq  GRO                4 = 4 service + 0 wait
              +9          cpu0  softirq  net core           3 = 1 service + 2 wait
              +12         cpu0  softirq  TCP                0 = 0 service + 0 wait
              +12         cpu0  softirq  receive queue      40 = 10 service + 30 wait
        "#]],
    );
}

/// Of a list the first segment goes to the backlog of its socket, which a task owns, and has no event. The connection whose
/// state changes is that of the second, of which TCP has just told.
#[test]
fn what_is_left_of_a_list_has_not_the_ends_of_another() {
    let told = "tcp_probe: family=AF_INET src=10.6.0.2:6001 dest=10.6.0.1:57842 mark=0x0 data_len=0 snd_nxt=0x38e025b0 snd_una=0x38e025b0 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64512 srtt=13 rcv_wnd=89088 sock_cookie=467 skbaddr=00000000bea17409 skaddr=00000000cecb8b3f";
    let changed = "inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=6001 dport=57842 saddr=10.6.0.2 daddr=10.6.0.1 saddrv6=::ffff:10.6.0.2 daddrv6=::ffff:10.6.0.1 oldstate=TCP_ESTABLISHED newstate=TCP_CLOSE_WAIT";
    let (first, second) = (("xb", "08e3251b", 52), ("xb", "bea17409", 52));
    let trace = [
        raised(0),
        polled(1, first, "0x22f4f469"),
        polled(2, second, "0x206bfe43"),
        received(3, first),
        received(3, second),
        on(0, "..s2.", 5, told),
        on(0, "..s2.", 5, changed),
        ended(6, "xb"),
    ];
    let (_, journeys) = opened(&trace.concat());
    let flows = journeys.packets.iter().map(|it| journeys.flow(it.flow));
    let flows: Vec<Option<String>> = flows.map(|it| it.map(ToString::to_string)).collect();
    let own = "TCP 10.6.0.1:57842 → 10.6.0.2:6001".to_owned();
    assert_eq!(flows, [None, Some(own)]);
}

//! Segments that end a connection: they have nothing for a reader, who frees them with what they have. The lines are of
//! kernel 6.18.

use expect_test::expect;

use super::super::few_events::check;

fn comes(micros: u32, skb: &str, len: u32) -> String {
    format!(
        "
    python3-6495 [001] ..s1. 3285.{micros:06}: netif_receive_skb_entry: dev=eth0 napi_id=0x0 queue_mapping=0 skbaddr=00000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x6d88a71b l4_hash=1 len={len} data_len=0 truesize=704 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    python3-6495 [001] ..s1. 3285.{micros:06}: netif_receive_skb: dev=eth0 skbaddr=00000000{skb} len={len}"
    )
}

/// `tcp_probe` does not tell of the FIN that answers this side's own.
#[test]
fn a_fin_that_answers_one_is_not_delivered_to_whom_frees_it() {
    let told = "
    python3-6495 [001] ..s1. 3285.500002: tcp_probe: family=AF_INET src=10.9.0.2:6001 dest=10.9.0.1:43922 mark=0x0 data_len=100 snd_nxt=0xba476bc6 snd_una=0xba476bc6 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64512 srtt=25 rcv_wnd=64512 sock_cookie=1c1 skbaddr=00000000ecc82bb7 skaddr=00000000cecb8b3f
    python3-6495 [001] ..s1. 3285.500002: sk_data_ready: family=2 protocol=6 func=sock_def_readable
    python3-6495 [001] ..s1. 3285.500003: softirq_exit: vec=3 [action=NET_RX]
    python3-1407 [001] ..... 3285.500010: inet_sock_set_state: family=AF_INET protocol=IPPROTO_TCP sport=43922 dport=6001 saddr=10.9.0.1 daddr=10.9.0.2 saddrv6=::ffff:10.9.0.1 daddrv6=::ffff:10.9.0.2 oldstate=TCP_ESTABLISHED newstate=TCP_FIN_WAIT1";
    let ended = "
    python3-6495 [001] ..s1. 3285.500024: softirq_exit: vec=3 [action=NET_RX]
    python3-6499 [001] ..s1. 3285.534607: consume_skb: skbaddr=000000009410c0ed location=skb_defer_free_flush+0x70/0xb0";
    let (data, fin) = (
        comes(500_001, "ecc82bb7", 152),
        comes(500_020, "9410c0ed", 52),
    );
    check(
        &[&data, told, &fin, ended].concat(),
        &expect![[r#"
        packet 0: rx 152 B TCP 10.9.0.1:43922 → 10.9.0.2:6001, end not observed: 34606 µs, 2 in service
          +0          cpu1  softirq  net core           1 = 1 service + 0 wait
          +1          cpu1  softirq  TCP                0 = 0 service + 0 wait
          +1          cpu1  softirq  receive queue      34605 = 1 service + 34604 wait
        packet 1: rx 52 B, consumed by the stack (inferred): 0 µs, 0 in service
          +0          cpu1  softirq  net core           0 = 0 service + 0 wait
    "#]],
    );
}

//! Streams: what is left of one whose socket is gone, and what is no payload.
//!
//! The lines are of kernel 6.18.

mod fins;

use super::readers::{check_ends, read, segment, told_of};
use super::*;

fn of_socket(micros: u32, event: &str, cookie: &str) -> String {
    format!(
        "
     server-7     [000] ..... 46134.{micros:06}: {event}: family=AF_INET sport=40759 dport=39268 saddr=127.0.0.1 daddr=127.0.0.1 saddrv6=::ffff:127.0.0.1 daddrv6=::ffff:127.0.0.1 sock_cookie={cookie}"
    )
}

/// The next connection, at the same address of its socket.
fn of_next(lines: &str) -> String {
    lines.replace("sock_cookie=222", "sock_cookie=223")
}

fn reset(micros: u32, cookie: &str) -> String {
    let reset = of_socket(micros, "tcp_receive_reset", cookie);
    reset + &of_socket(micros + 1, "tcp_destroy_sock", cookie)
}

/// A splice may have taken it.
#[test]
fn the_next_connection_has_nothing_of_the_one_before() {
    check_ends(
        &[
            &segment(10, "2740", 100),
            &of_socket(20, "tcp_rcv_space_adjust", "222"),
            &of_socket(30, "tcp_destroy_sock", "222"),
            &of_next(&segment(40, "2840", 50)),
            &reset(50, "223"),
        ],
        &expect![[r#"
            0 of 100: end not observed | end not observed
            0 of 50: dropped: SOCKET_CLOSE (inferred) | dropped: SOCKET_CLOSE
        "#]],
    );
}

/// iSCSI and others in the kernel read within the softirq, and no event tells how much (`net/ipv4/tcp.c: tcp_read_sock`,
/// v6.18).
#[test]
fn what_the_kernel_may_have_read_is_not_unread() {
    let adjusted = of_socket(20, "tcp_rcv_space_adjust", "222").replace(" ..... ", " ..s1. ");
    check_ends(
        &[&segment(10, "2740", 100), &adjusted, &reset(50, "222")],
        &expect![[r#"
            0 of 100: end not observed | end not observed
        "#]],
    );
}

#[test]
fn another_cookie_at_the_address_is_another_connection() {
    check_ends(
        &[
            &segment(10, "2740", 100),
            &of_next(&segment(40, "2840", 50)),
            &reset(50, "223"),
        ],
        &expect![[r#"
            0 of 100: end not observed | end not observed
            0 of 50: dropped: SOCKET_CLOSE (inferred) | dropped: SOCKET_CLOSE
        "#]],
    );
}

/// A packet of the flow comes, with so many bytes at IP.
fn comes(micros: u32, skb: &str, len: u32) -> String {
    format!(
        "
     server-7     [001] b.... 46134.{micros:06}: netif_rx_entry: dev=lo napi_id=0x0 queue_mapping=0 skbaddr=00000000e9c0{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0xab712dfc l4_hash=1 len={len} data_len=0 truesize=835 mac_header_valid=1 mac_header=-14 nr_frags=1 gso_size=0 gso_type=0x1"
    )
}

/// The socket is closed for sending, so that no `tcp_probe` tells how much each segment carries. The second is an
/// acknowledgement with 12 bytes of options more than the others.
#[test]
fn options_are_no_payload_where_the_socket_is_told_of_none() {
    let closed = of_socket(20, "inet_sock_set_state", "222");
    let closed = closed.replace("family=AF_INET", "family=AF_INET protocol=IPPROTO_TCP")
        + " oldstate=TCP_ESTABLISHED newstate=TCP_FIN_WAIT1";
    let untold = |lines: String| -> String {
        let is_told = |line: &&str| !line.contains("tcp_probe");
        let lines: Vec<&str> = lines.lines().filter(is_told).collect();
        lines.join("\n")
    };
    check_ends(
        &[
            &comes(8, "2740", 152),
            &segment(10, "2740", 100),
            &closed,
            &comes(28, "2840", 64),
            &untold(told_of(30, "2840", 12)),
            &comes(38, "2940", 152),
            &untold(segment(40, "2940", 100)),
            &read(50, "first-8", "2740", 100),
            &read(60, "first-8", "2940", 100),
        ],
        &expect![[r#"
            100 of 100: delivered to first (8) | delivered to first (8)
            0 of 0: consumed by the stack (inferred) | consumed by the stack
            100 of 100: delivered to first (8) | delivered to first (8)
        "#]],
    );
}

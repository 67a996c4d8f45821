//! Numbers that are too large: clipped and told of, or no number at all; never another number.

use expect_test::expect;

use super::{check, import};
use crate::english::say_of_file;
use crate::export;

const MOST: u64 = u64::MAX;

#[test]
fn a_number_that_does_not_fit_is_clipped_and_told_of_once() {
    check(
        "\
          <idle>-0       [000] ..s1.     1.000001: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=4294967296
          <idle>-0       [000] ..s1.     1.000002: softirq_raise: vec=18446744073709551617 [action=NET_RX]
          <idle>-0       [000] ..s1.     1.000003: net_dev_queue: dev=lo skbaddr=fffff88800916ee00 len=60
",
        &expect![[r#"
            ftrace
            1 ev net_dev_queue ts 1.000001000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 dev lo
            2 ev softirq_raise ts 1.000002000 cpu 0 ctx softirq pid 0 vec 4294967295
            3 ev net_dev_queue ts 1.000003000 cpu 0 ctx softirq pid 0 len 60 dev lo
            warning: A number in line 1 does not fit into 32 bits. It and any like it count as the largest number that does.
            warning: In line 1 a length is larger than any packet: it counts as not told. Such lines: 1.
        "#]],
    );
    check(
        "\
# kperf 2
1 ev kfree_skb ts 1.000001 ret -9999999999
2 ev kfree_skb ts 1.000002 budget 4294967296 ret 2147483648
",
        &expect![[r#"
            kperf2
            1 ev kfree_skb ts 1.000001000 ret -2147483648
            2 ev kfree_skb ts 1.000002000 budget 4294967295 ret 2147483647
            warning: A number in line 2 does not fit into 32 bits. It and any like it count as the largest number that does.
        "#]],
    );
}

/// Somebody changed it, for no kernel prints one.
#[test]
fn a_negative_length_counts_as_not_told_and_is_told_of() {
    check(
        "\
          <idle>-0       [000] ..s1.     1.000001: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=-142
          <idle>-0       [000] ..s1.     1.000003: net_dev_queue: dev=lo skbaddr=ffff88800916ef00 len=60
",
        &expect![[r#"
            ftrace
            1 ev net_dev_queue ts 1.000001000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 dev lo
            2 ev net_dev_queue ts 1.000003000 cpu 0 ctx softirq pid 0 skb ffff88800916ef00 len 60 dev lo
            warning: In line 1 a length is larger than any packet: it counts as not told. Such lines: 1.
        "#]],
    );
}

#[test]
fn a_time_that_no_clock_shows_is_none() {
    check(
        "\
# kperf 2
1 ev kfree_skb ts 9223372036.854775807
2 ev kfree_skb ts 9223372036.854775808
3 ev kfree_skb ts 1.000000
",
        &expect![[r#"
            kperf2
            1 ev kfree_skb ts 1.000000000
            2 ev kfree_skb ts 9223372036.854775807
            line 3: a time is seconds up to 9223372036, a point and 6 or 9 digits, not `9223372036.854775808`
            warning: From the first event to the last it is 9,223,372,036 s: perhaps one of the times is wrong. Up to 104 days are kept exact to the nanosecond.
            warning: 1 line comes after a later one, by 9,223,372,036 s. The run is in the order of times: a file that was joined or turned over may hold different moments.
        "#]],
    );
    check(
        "\
          <idle>-0       [000] ..s1.     1.000001: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [000] ..s1. 9223372036.854775808: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [000] ..s1. 18446744073709551617: softirq_raise: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            1 ev softirq_raise ts 1.000001000 cpu 0 ctx softirq pid 0 vec 3
            line 2: no line of a trace
            line 3: no line of a trace
        "#]],
    );
}

#[test]
fn lost_events_are_counted_beyond_32_bits_and_not_around() {
    let known =
        "          <idle>-0       [000] ..s1.     1.000001: softirq_raise: vec=3 [action=NET_RX]";
    let marked = |lost: u64| {
        let trace = import(&format!(
            "{known}\nCPU:1 [LOST {lost} EVENTS]\nCPU:1 [LOST 4294967295 EVENTS]\n"
        ))
        .expect("a trace");
        let sum = trace.ledger.lost();
        assert_eq!(trace.ledger.warnings, []);
        for write in [export::kperf2, export::ftrace] {
            let mut again = Vec::new();
            write(&trace.run, &mut again).expect("memory takes all");
            let again = String::from_utf8(again).expect("text");
            assert_eq!(
                import(&again).expect("a trace").ledger.lost(),
                sum,
                "{again}"
            );
        }
        sum
    };
    assert_eq!(marked(4_294_967_296), 8_589_934_591);
    assert_eq!(marked(MOST), MOST);
}

/// `skb->len` is less than 2^31 for all that the kernel allocates (`include/linux/skbuff.h`: lengths are compared as `int`).
#[test]
fn a_length_that_no_packet_has_is_told_of_and_not_believed() {
    check(
        "\
          <idle>-0       [000] ..s1.     1.000001: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=2147483647
          <idle>-0       [000] ..s1.     1.000002: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=2147483648
          <idle>-0       [000] ..s1.     1.000003: skb_copy_datagram_iovec: skbaddr=ffff88800916ee00 len=4294967294
          <idle>-0       [000] ..s1.     1.000003: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=4294967295
          <idle>-0       [000] ..s1.     1.000004: tcp_probe: family=AF_INET src=127.0.0.1:1 dest=127.0.0.1:2 mark=0x0 data_len=4294967290 snd_nxt=0x1 snd_una=0x1 snd_cwnd=10 ssthresh=2147483647 snd_wnd=65536 srtt=22 rcv_wnd=65483 sock_cookie=222 skbaddr=ffff88800916ee00 skaddr=ffff88800916ff00
",
        &expect![[r#"
            ftrace
            1 ev net_dev_queue ts 1.000001000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 len 2147483647 dev lo
            2 ev net_dev_queue ts 1.000002000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 dev lo
            3 ev skb_copy_datagram_iovec ts 1.000003000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00
            4 ev net_dev_queue ts 1.000003000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 dev lo
            5 ev tcp_probe ts 1.000004000 cpu 0 ctx softirq pid 0 skb ffff88800916ee00 sk ffff88800916ff00 saddr 127.0.0.1 sport 1 daddr 127.0.0.1 dport 2 snd_nxt 1 snd_una 1 snd_cwnd 10 ssthresh 2147483647 snd_wnd 65536 srtt 22 rcv_wnd 65483 cookie 222
            warning: In line 2 a length is larger than any packet: it counts as not told. Such lines: 4.
        "#]],
    );
    check(
        "\
# kperf 2
1 ev net_dev_queue ts 1.000001 skb ffff88800916ee00 len 2147483648
2 ev skb_copy_datagram_iter ts 1.000002 skb ffff88800916ee00 len 64 count 2147483648
",
        &expect![[r#"
            kperf2
            1 ev net_dev_queue ts 1.000001000 skb ffff88800916ee00
            2 ev skb_copy_datagram_iter ts 1.000002000 skb ffff88800916ee00 len 64
            warning: In line 2 a length is larger than any packet: it counts as not told. Such lines: 2.
        "#]],
    );
}

/// IFNAMSIZ is 16 (`include/uapi/linux/if.h`), so no device has such a name: the line stays, with the name's beginning.
#[test]
fn a_device_name_that_no_device_has_is_told_of_and_not_kept() {
    let name = "x".repeat(60_000);
    let trace = format!(
        "          <idle>-0       [000] ..s1.     1.000001: net_dev_queue: dev={name} skbaddr=ffff88800916ee00 len=60\n"
    );
    let imported = import(&trace).expect("a trace");
    let longest = imported.run.names.iter().map(str::len).max();
    assert_eq!(longest, Some(512));
    let said: Vec<String> = imported.ledger.warnings.iter().map(say_of_file).collect();
    let told = "In line 1 a name is longer than any that the kernel gives: its first 512 bytes stand for it. Such lines: 1.";
    assert_eq!(said, [told]);
}

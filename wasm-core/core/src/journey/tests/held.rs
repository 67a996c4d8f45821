//! Packets that netfilter holds for a program, which decides on them in any order. The lines are of kernel 6.18.

use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// A datagram comes, and the program that decides on it reads its message.
fn comes(micros: u32, skb: &str) -> String {
    format!(
        "
    cli-5 [000] ..s1. 1.{micros:06}: netif_receive_skb: dev=vb skbaddr=00000000{skb} len=92
    cli-5 [000] b.s2. 1.{micros:06}: sk_data_ready: family=16 protocol=12 func=sock_def_readable
    cli-5 [000] ..s1. 1.{micros:06}: softirq_exit: vec=3 [action=NET_RX]
    q-6 [001] ..... 1.{micros:06}: skb_copy_datagram_iovec: skbaddr=00000000b7c681fe len=152
    q-6 [001] ..... 1.{micros:06}: consume_skb: skbaddr=00000000b7c681fe location=netlink_recvmsg+0x143/0x2b0
    q-6 [001] ..... 1.{micros:06}: sock_recv_length: sk address = 00000000326a4b06, family = 0x10 protocol = 0xc, length = 152, error = 0, flags = 0x0"
    )
}

/// The program accepts one, and it is read.
fn accepted_and_read(micros: u32) -> String {
    format!(
        "
    q-6 [001] b.... 1.{micros:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    q-6 [001] ..... 1.{micros:06}: sock_send_length: sk address = 00000000326a4b06, family = 0x10 protocol = 0xc, length = 32, error = 0, flags = 0x0
    srv-7 [000] ..... 1.{micros:06}: sock_recv_length: sk address = 000000002d1dcc53, family = AF_INET protocol = 0x11, length = 64, error = 0, flags = 0x0"
    )
}

/// Which call read each is told only where no other was held.
#[test]
fn of_several_that_a_program_holds_any_may_be_accepted_first() {
    let (run, journeys) = opened(
        &[
            comes(100, "b9b18f6d"),
            accepted_and_read(110),
            comes(120, "dc543f3e"),
            comes(130, "daa33abc"),
            accepted_and_read(140),
            accepted_and_read(150),
        ]
        .concat(),
    );
    let ids = journeys.ids();
    let of_datagrams = ids.filter(|id| journeys.packets[id.at()].bytes == 92);
    let told: Vec<bool> = of_datagrams
        .map(|id| {
            let verdict = journeys.packets[id.at()].verdict;
            let is_read = matches!(verdict, Verdict::Delivered { pid: Pid(7), .. });
            assert!(is_read, "{verdict:?} of {}", run.len());
            journeys.is_call_unknown(id)
        })
        .collect();
    assert_eq!(told, [false, true, true]);
}

//! Sockets of AF_INET beside sockets of AF_INET6: what is signalled at a socket of one family is read from none of the other.
//!
//! The lines are of kernel 6.18.

use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// A datagram of 100 bytes of payload comes over IPv4 to a socket of this family.
fn comes(micros: u32, skb: &str, family: u32) -> String {
    format!(
        "
     sender-7     [000] ..s1. 13.{micros:06}: netif_receive_skb: dev=eth0 skbaddr=00000000e9c0{skb} len=128
     sender-7     [000] ..s1. 13.{:06}: sk_data_ready: family={family} protocol=17 func=sock_def_readable",
        micros + 1
    )
}

/// A task reads 100 bytes from its socket of this family.
fn read(micros: u32, task: u32, sk: &str, family: &str) -> String {
    format!(
        "
     reader-{task}     [001] ..... 13.{micros:06}: sock_recv_length: sk address = 00000000{sk}, family = {family} protocol = 0x11, length = 100, error = 0, flags = 0x0"
    )
}

/// The reader of each packet.
fn readers(lines: &[String]) -> Vec<Option<Pid>> {
    let (_, journeys) = opened(&lines.concat());
    let reader = |verdict| match verdict {
        Verdict::Delivered { pid, .. } => Some(pid),
        _ => None,
    };
    let packets = journeys.packets.iter();
    packets.map(|it| reader(it.verdict)).collect()
}

/// Task 9 reads what came to its socket before the recording began, before the datagram's own reader, task 8.
#[test]
fn a_socket_of_another_family_takes_no_datagram() {
    for (ready, own, other) in [(2, "AF_INET", "AF_INET6"), (10, "AF_INET6", "AF_INET")] {
        let lines = [
            comes(10, "2740", ready),
            read(20, 9, "56cf2f0c", other),
            read(30, 8, "5e769b64", own),
        ];
        assert_eq!(readers(&lines), [Some(Pid(8))], "{own}");
        assert_eq!(readers(&lines[..2]), [None], "{own}");
    }
}

/// What was longer is neither cut short by a read of the other family.
#[test]
fn a_read_of_another_family_cuts_no_datagram_short() {
    let short = |line: String| line.replace("length = 100", "length = 60");
    let lines = |own| {
        [
            comes(10, "2740", 2),
            read(20, 8, "5e769b64", own),
            comes(30, "2840", 2),
            short(read(40, 8, "5e769b64", own)),
        ]
    };
    assert_eq!(readers(&lines("AF_INET")), [Some(Pid(8)), Some(Pid(8))]);
    assert_eq!(readers(&lines("AF_INET6")), [None, None]);
}

/// Two datagrams of one length come to two sockets: the order in which these are read tells nothing, their families do.
#[test]
fn each_family_has_its_own_of_two_datagrams() {
    let lines = [
        comes(10, "2740", 2),
        comes(12, "2840", 10),
        read(20, 9, "56cf2f0c", "AF_INET6"),
        read(30, 8, "5e769b64", "AF_INET"),
    ];
    assert_eq!(readers(&lines), [Some(Pid(8)), Some(Pid(9))]);
}

/// A recording that names no family, as one of kperf 2 text, says nothing against a reader.
#[test]
fn a_family_that_is_not_told_rules_out_no_reader() {
    let unknown = |line: String| line.replace("family=2 ", "").replace("family=10 ", "");
    let lines = [
        unknown(comes(10, "2740", 2)),
        read(20, 9, "56cf2f0c", "AF_INET6"),
    ];
    assert_eq!(readers(&lines), [Some(Pid(9))]);
}

//! Datagrams that nobody reads, beside those that somebody does: with tracepoints alone.
//!
//! The lines are of kernel 6.18.

use std::fmt::Write as _;

use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// How many bytes of payload the datagrams have.
const BYTES: u32 = 100;

/// What a host records.
#[derive(Default)]
struct Trace {
    text: String,
    micros: u32,
}

impl Trace {
    fn line(&mut self, task: &str, event: &str) {
        self.micros += 10;
        let Self { text, micros } = self;
        let _ = writeln!(text, "{task} 13.{micros:06}: {event}");
    }

    fn received(&mut self, event: &str) {
        self.line("ksoftirqd/0-15 [000] ..s1.", event);
    }

    /// A datagram comes to so many sockets.
    fn comes(&mut self, skb: u32, sockets: usize) {
        let len = BYTES + 28;
        self.received(&format!(
            "netif_receive_skb: dev=eth0 skbaddr={skb:016x} len={len}"
        ));
        for _ in 0..sockets {
            self.received("sk_data_ready: family=2 protocol=17 func=sock_def_readable");
        }
    }

    /// A task reads a datagram of its own socket.
    fn read(&mut self, reader: u32) {
        self.line(&format!("r{reader}-{reader} [001] ....."), &format!("sock_recv_length: sk address = 00000000aaaa{reader:04x}, family = AF_INET protocol = 0x11, length = {BYTES}, error = 0, flags = 0x0"));
    }

    /// Freed with its socket.
    fn freed(&mut self, skb: u32) {
        self.received(&format!("kfree_skb: skbaddr={skb:016x} rx_sk=0000000000000000 protocol=2048 location=udp_destruct_common+0xb9/0xf0 reason: NOT_SPECIFIED"));
    }

    /// How each packet ended.
    fn ends(&self) -> Vec<String> {
        let (_, journeys) = opened(&self.text);
        let packets = journeys.packets.iter();
        let end = |verdict: Verdict| match verdict {
            Verdict::Delivered {
                pid: Pid::UNKNOWN, ..
            } => "delivered to somebody".to_string(),
            Verdict::Delivered { pid, .. } => format!("delivered to {}", pid.0),
            Verdict::Dropped { reason } => format!("dropped: {}", reason.name()),
            _ => verdict.kind().to_string(),
        };
        packets.map(|packet| end(packet.verdict)).collect()
    }
}

/// The read was of something that was not recorded.
#[test]
fn what_is_freed_unread_was_not_read() {
    let mut trace = Trace::default();
    trace.comes(0x1000, 1);
    trace.read(7);
    trace.freed(0x1000);
    assert_eq!(trace.ends(), ["dropped: NOT_SPECIFIED"]);
}

#[test]
fn of_as_many_as_reads_each_was_read_by_somebody() {
    let mut trace = Trace::default();
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 1);
    }
    trace.read(7);
    trace.read(8);
    assert_eq!(trace.ends(), ["delivered to somebody"; 2]);
}

/// The last of the three sockets has the datagrams themselves, and reads none; the first reads one clone of two.
#[test]
fn what_sockets_of_a_group_leave_is_unread_and_the_rest_is_read() {
    let mut trace = Trace::default();
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 3);
    }
    for reader in [7, 7, 8] {
        trace.read(reader);
    }
    for skb in [0x1000, 0x1001, 0x5000] {
        trace.freed(skb);
    }
    assert_eq!(
        trace.ends(),
        [
            "dropped: NOT_SPECIFIED",
            "delivered to 8",
            "delivered to 7",
            "dropped: NOT_SPECIFIED",
            "dropped: SOCKET_CLOSE",
            "delivered to 7"
        ]
    );
}

/// UDP-Lite's sockets are UDP's.
#[test]
fn reads_of_udp_lite_take_its_datagrams() {
    let mut trace = Trace::default();
    trace.comes(0x1000, 1);
    trace.read(7);
    trace.text = trace.text.replace("protocol=17", "protocol=136");
    trace.text = trace.text.replace("protocol = 0x11", "protocol = 0x88");
    assert_eq!(trace.ends(), ["delivered to 7"]);
}

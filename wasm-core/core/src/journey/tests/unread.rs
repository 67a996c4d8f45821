//! Datagrams that nobody reads, beside those that somebody does: with tracepoints alone.
//!
//! The lines are of kernel 6.18.

use super::datagram_lines::Lines;
use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// How many bytes of payload the datagrams have.
const BYTES: u32 = 100;

impl Lines {
    /// A datagram comes to so many sockets.
    fn comes(&mut self, skb: u32, sockets: usize) {
        self.frame(skb, BYTES + 28);
        for _ in 0..sockets {
            self.queued();
        }
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
    let mut trace = Lines::default();
    trace.comes(0x1000, 1);
    trace.read(7, BYTES);
    trace.freed(0x1000);
    assert_eq!(trace.ends(), ["dropped: NOT_SPECIFIED"]);
}

#[test]
fn of_as_many_as_reads_each_was_read_by_somebody() {
    let mut trace = Lines::default();
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 1);
    }
    trace.read(7, BYTES);
    trace.read(8, BYTES);
    assert_eq!(trace.ends(), ["delivered to somebody"; 2]);
}

/// The last of the three sockets has the datagrams themselves, and reads none; the first reads one clone of two.
#[test]
fn what_sockets_of_a_group_leave_is_unread_and_the_rest_is_read() {
    let mut trace = Lines::default();
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 3);
    }
    for reader in [7, 7, 8] {
        trace.read(reader, BYTES);
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
    let mut trace = Lines::default();
    trace.comes(0x1000, 1);
    trace.read(7, BYTES);
    trace.text = trace.text.replace("protocol=17", "protocol=136");
    trace.text = trace.text.replace("protocol = 0x11", "protocol = 0x88");
    assert_eq!(trace.ends(), ["delivered to 7"]);
}

//! Datagrams that nobody reads, beside those that somebody does: with tracepoints alone.
//!
//! The lines are of kernel 6.18.

use super::datagram_lines::Lines;
use super::few_events::opened;
use crate::journey::picture;
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

    /// A read that does not wait finds the queue of the task's socket empty.
    fn finds_none(&mut self, reader: u32) {
        let before = self.text.len();
        self.read(reader, 0);
        let line = self.text.split_off(before);
        self.text += &line.replace("error = 0", "error = -11");
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

/// One of the two was for a socket that nobody read, and nothing tells which.
#[test]
fn which_of_more_than_were_read_is_open() {
    let mut trace = Lines::default();
    trace.finds_none(7);
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 1);
    }
    trace.read(7, BYTES);
    let may_wait = trace.text.clone();
    trace.finds_none(7);
    trace.comes(0x1002, 1);
    trace.read(7, BYTES);
    assert_eq!(trace.ends(), ["open", "open", "delivered to 7"]);
    let (run, journeys) = opened(&trace.text);
    let said = journeys
        .ids()
        .map(|id| picture::ending(&run, &journeys, id));
    let open = "end not observed: more like it came than were read";
    assert_eq!(said.take(2).collect::<Vec<_>>(), [open; 2]);
    // The second may still wait when the recording ends.
    trace.text = may_wait;
    assert_eq!(trace.ends(), ["delivered to 7", "open"]);
}

/// Another length, and what came before the queue was last found empty, are told as before.
#[test]
fn what_is_open_opens_nothing_else() {
    let mut trace = Lines::default();
    trace.comes(0x0fff, 1);
    trace.read(7, BYTES);
    trace.finds_none(7);
    for skb in [0x1000, 0x1001] {
        trace.comes(skb, 1);
    }
    trace.frame(0x1002, 228);
    trace.queued();
    trace.read(7, BYTES);
    trace.read(7, 200);
    trace.finds_none(7);
    assert_eq!(
        trace.ends(),
        ["delivered to 7", "open", "open", "delivered to 7"]
    );
}

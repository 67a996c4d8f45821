//! Reno: a segment more for each round trip, half of the window after a loss.
//!
//! Source: RFC 5681 §3.1; `tcp_reno_ssthresh`, `tcp_reno_cong_avoid` of `net/ipv4/tcp_cong.c` (v6.1). That a partial
//! ACK retransmits the next hole (NewReno, RFC 6582) is not its decision, but TCP's with any congestion control.

use super::{Ack, CongestionControl, Kind, Window};
use crate::simplification::Simplification;

/// The textbook's, and each kernel's where no other is there.
pub const KIND: Kind = Kind {
    name: "reno",
    start: |_| Some(Box::new(Reno)),
    check: |_| Ok(()),
    left_out: Simplification {
        about: "reno",
        linux: "Up to 3.18 adds a segment after one ACK more than the window has segments (reno_cong_avoid).",
        here: "Adds it after as many, whatever the kernel.",
        seen: "In old kernels a small window grows a little faster than on Linux: one of 10 segments in 10 ACKs, not 11.",
    },
};

/// It has no state of its own.
#[derive(Debug)]
pub struct Reno;

impl CongestionControl for Reno {
    fn ssthresh(&mut self, window: &Window) -> u32 {
        window.cwnd / 2
    }

    fn cong_avoid(&mut self, window: &mut Window, ack: Ack) {
        window.grow_as_reno(ack.bytes);
    }
}

#[cfg(test)]
mod tests;

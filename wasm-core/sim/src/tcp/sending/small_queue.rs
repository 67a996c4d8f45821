//! TCP small queues: a limit on the data of a connection that are in the qdisc and the device. The rest stays
//! in the socket's write queue, where TCP can still decide about it.
//!
//! Source: `tcp_small_queue_check` of `net/ipv4/tcp_output.c` (v6.1), from 3.6 on. Simplified ("small queues"):
//! payload bytes count, not an skb's truesize, so that slightly more is handed down.

use crate::tcp::Tcb;

/// The data of a connection below TCP.
#[derive(Debug, Clone, Default)]
pub(in crate::tcp) struct SmallQueue {
    /// Bytes handed down and not yet freed by TX completion (`sk_wmem_alloc`).
    below: u32,
    /// Whether a segment waits until TX completion has freed some of them (`TSQ_THROTTLED`).
    is_throttled: bool,
}

impl Tcb {
    /// Sets the number of bytes that were handed down and not yet freed.
    pub fn set_below(&mut self, bytes: u32) {
        self.small_queue.below = bytes;
    }

    /// Returns and clears whether a segment waits for TX completion.
    pub fn take_throttled(&mut self) -> bool {
        std::mem::take(&mut self.small_queue.is_throttled)
    }

    /// Whether a packet of `len` bytes has to wait: below TCP lie more than two such packets and more than a
    /// millisecond at the pacing rate, or, unless it is paced, more than the kernel's limit. With nothing
    /// unacknowledged a connection always sends; for retransmissions the limit is doubled.
    pub(in crate::tcp) fn is_throttled(&mut self, len: u64, is_retransmission: bool) -> bool {
        let most = u64::from(self.config.parameters.limit_output_bytes);
        if most == 0 {
            return false;
        }
        let paced = self.paced_bytes().unwrap_or(u64::MAX);
        let mut limit = (2 * len).max(paced);
        if !self.is_paced() {
            limit = limit.min(most);
        }
        let limit = limit.saturating_mul(if is_retransmission { 2 } else { 1 });
        let is_over = u64::from(self.small_queue.below) > limit && self.snd_una < self.snd_nxt;
        self.small_queue.is_throttled |= is_over;
        is_over
    }
}

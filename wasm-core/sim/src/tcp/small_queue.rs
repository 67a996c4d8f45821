//! TCP small queues: how much of a connection may lie between TCP and the wire. The rest waits in the
//! socket, where TCP still decides about it, and not in the device's queue.
//!
//! Source: `tcp_small_queue_check` of `net/ipv4/tcp_output.c` (v6.1), from 3.6 on. Simplified here: payload
//! bytes count, not an skb's truesize, so that a little more is let down.

use super::Tcb;

/// What lies below a connection's TCP.
#[derive(Debug, Clone, Default)]
pub(super) struct SmallQueue {
    /// Bytes handed down that are not yet sent (`sk_wmem_alloc`).
    below: u32,
    /// Something waits until less lies there (`TSQ_THROTTLED`).
    is_throttled: bool,
}

impl Tcb {
    /// So many bytes that were handed down are not yet on the wire.
    pub fn set_below(&mut self, bytes: u32) {
        self.small_queue.below = bytes;
    }

    /// Whether a segment that could go waits until some of what lies below is sent; asked once.
    pub fn take_throttled(&mut self) -> bool {
        std::mem::take(&mut self.small_queue.is_throttled)
    }

    /// Whether a piece of `len` bytes has to wait: more than two such pieces, and more than a millisecond
    /// of the flow's rate, lie below, or more than the kernel's limit. A connection of which nothing is
    /// on its way always sends; what is sent again may find twice as much.
    pub(super) fn is_throttled(&mut self, len: u64, is_retransmission: bool) -> bool {
        let most = u64::from(self.config.limit_output_bytes);
        if most == 0 {
            return false;
        }
        let paced = self.paced_bytes().unwrap_or(u64::MAX);
        let limit = (2 * len).max(paced).min(most) << u32::from(is_retransmission);
        let is_over = u64::from(self.small_queue.below) > limit && self.snd_una < self.snd_nxt;
        self.small_queue.is_throttled |= is_over;
        is_over
    }
}

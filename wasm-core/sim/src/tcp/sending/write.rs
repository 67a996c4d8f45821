//! What a program asks of the sending half: writes, the ends of writes, what is to wait for more (`TCP_CORK`, `MSG_MORE`,
//! `TCP_NODELAY`), and the send buffer.
//!
//! Source: `tcp_sendmsg_locked`, `tcp_push`, `tcp_xmit_size_goal` of `net/ipv4/tcp.c` (v6.1).

use super::write_queue::{Appended, Progress};
use crate::tcp::Tcb;

impl Tcb {
    /// Appends bytes to the write queue; the caller has checked for room.
    pub fn write(&mut self, bytes: u32) {
        self.write_queue.write(bytes);
    }

    /// Appends a part of a write of which `left` bytes remain: what fits into the last packet, of at most
    /// `most` bytes. `None` if the writer has to wait for memory: only a new packet is checked against the send
    /// buffer, so that the last one may exceed it.
    pub fn append(&mut self, left: u32, most: u32) -> Option<Appended> {
        let goal = self.size_goal(most);
        let sent = Progress {
            una: self.snd_una,
            nxt: self.snd_nxt,
        };
        self.write_queue
            .append(left, goal, self.max_window / 2, sent)
    }

    /// The size in bytes up to which a packet of the write queue is filled, of at most `most`: whole segments,
    /// and no more than half of the largest window that the peer offered (`tcp_xmit_size_goal`,
    /// `tcp_bound_to_half_wnd`).
    pub fn size_goal(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        let half = (self.max_window / 2).max(mss);
        (most.min(half) / mss).max(1) * mss
    }

    /// The next push also sends what Nagle's algorithm or a cork holds back, since its writer waits for memory
    /// and cannot write more until some is acknowledged (`tcp_push` with `TCP_NAGLE_PUSH`).
    pub fn push_for_memory(&mut self) {
        self.write_queue.push_for_memory(self.snd_nxt);
    }

    /// Marks the last packet as the end of a write, unless it has been sent: `tcp_mark_push`.
    pub fn mark_push(&mut self) {
        self.write_queue.mark_push(self.snd_nxt);
    }

    /// Sets whether more data will follow soon, so that a short last segment is held back (`MSG_MORE`).
    pub fn hold_back(&mut self, has_more: bool) {
        self.write_queue.hold_back(has_more);
    }

    /// Sets whether short segments are held back (`TCP_CORK`). Clearing it sends what was held.
    pub fn set_cork(&mut self, on: bool) {
        self.write_queue.set_cork(on);
    }

    /// Turns Nagle's algorithm off (`TCP_NODELAY`), which sends at once whatever is held back.
    pub fn set_no_delay(&mut self, on: bool) {
        self.config.parameters.nagle = !on;
        if on {
            self.write_queue.release();
        }
    }

    /// Fixes the size of the send buffer, in bytes (`SO_SNDBUF`).
    pub fn set_send_buffer(&mut self, bytes: u32) {
        self.write_queue.set_buffer(bytes);
        self.config.parameters.send_buffer_most_bytes = 0;
    }

    /// Free bytes in the send buffer.
    pub fn send_room(&self) -> u32 {
        self.write_queue.room(self.snd_una)
    }

    /// Whether a writer that sleeps for memory may continue: a third of the buffer is free
    /// (`sk_stream_write_space`).
    pub fn has_write_space(&self) -> bool {
        self.write_queue.has_write_space(self.snd_una)
    }

    /// Grows the send buffer to `segments` segments, within `tcp_wmem[2]`.
    pub(in crate::tcp) fn widen_send_buffer(&mut self, segments: u32) {
        let parameters = &self.config.parameters;
        let wanted = segments.saturating_mul(parameters.memory_of(self.mss));
        let wanted = wanted.min(parameters.send_buffer_most_bytes);
        self.write_queue.widen(wanted);
    }
}

//! The tail of the write queue: how large a packet grows before the next begins, what ends a write (PSH), and
//! what is held back for more data (`TCP_CORK`, `MSG_MORE`).
//!
//! Source: `tcp_sendmsg_locked`, `tcp_push`, `forced_push`, `__tcp_sock_set_cork`,
//! `__tcp_sock_set_nodelay` of `net/ipv4/tcp.c`, `tcp_nagle_check` of `tcp_output.c` (v6.1).

use crate::tcp::Tcb;

/// What to send after a part of a write was appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    /// Nothing: the packet is not full yet.
    Nothing,
    /// One packet: it is the head of the send queue (`tcp_push_one`).
    One,
    /// All that may be sent: much was written without PSH (`forced_push`).
    All,
}

/// The part of a write that was appended to the write queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// Its length in bytes.
    pub bytes: u32,
    /// Whether it begins a new packet; else it was added to the last one.
    pub begins: bool,
    /// What to send now.
    pub push: Push,
}

impl Tcb {
    /// Appends a part of a write of which `left` bytes remain: what fits into the last packet, of at most
    /// `most` bytes. `None` if the writer has to wait for memory: only a new packet is checked against the send
    /// buffer (`sk_stream_memory_free`), so that the last one may exceed it.
    pub fn append(&mut self, left: u32, most: u32) -> Option<Appended> {
        let goal = u64::from(self.size_goal(most));
        let mut held = self.write_end - self.tail_start.max(self.snd_nxt).min(self.write_end);
        let begins = held == 0 || held >= goal;
        if begins {
            if self.send_room() == 0 {
                return None;
            }
            self.tail_start = self.write_end;
            held = 0;
        }
        let bytes = u64::from(left).min(goal - held);
        let is_marked = held > 0 && self.marks.back() == Some(&self.write_end);
        self.write(bytes as u32);
        self.is_unpushed = true;
        if is_marked {
            // PSH belongs to the packet: what is added to it is sent with PSH too.
            self.marks.pop_back();
            self.marks.push_back(self.write_end);
        }
        let push = if held + bytes < goal || bytes == u64::from(left) {
            Push::Nothing
        } else if self.write_end > self.pushed_end + u64::from(self.max_window / 2) {
            self.push_for_memory();
            Push::All
        } else if self.tail_start <= self.snd_nxt {
            Push::One
        } else {
            Push::Nothing
        };
        Some(Appended {
            bytes: bytes as u32,
            begins,
            push,
        })
    }

    /// The next push also sends what Nagle's algorithm or a cork holds back, since its writer waits for memory
    /// and cannot write more until some is acknowledged (`tcp_push` with `TCP_NAGLE_PUSH`).
    pub fn push_for_memory(&mut self) {
        self.mark_push();
        self.is_push_forced = true;
    }

    /// The size in bytes up to which a packet of the write queue is filled, of at most `most`: whole segments,
    /// and no more than half of the largest window that the peer offered (`tcp_xmit_size_goal`,
    /// `tcp_bound_to_half_wnd`).
    pub fn size_goal(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        let half = (self.max_window / 2).max(mss);
        (most.min(half) / mss).max(1) * mss
    }

    /// Marks the last packet as the end of a write, unless it has been sent: `tcp_mark_push`.
    pub fn mark_push(&mut self) {
        if self.snd_nxt >= self.write_end {
            return;
        }
        self.pushed_end = self.write_end;
        if self.marks.back() != Some(&self.write_end) {
            self.marks.push_back(self.write_end);
        }
    }

    /// Whether a segment that ends at `end` has PSH.
    pub(in crate::tcp) fn ends_write(&mut self, end: u64) -> bool {
        while self.marks.front().is_some_and(|&mark| mark <= self.snd_una) {
            self.marks.pop_front();
        }
        self.marks.contains(&end) || (end == self.write_end && !self.is_unpushed)
    }

    /// Sets whether more data will follow soon, so that a short last segment is held back (`MSG_MORE`).
    pub fn hold_back(&mut self, has_more: bool) {
        self.has_more = has_more;
    }

    /// Sets whether short segments are held back (`TCP_CORK`). Clearing it sends what was held.
    pub fn set_cork(&mut self, on: bool) {
        self.is_corked = on;
    }

    /// Turns Nagle's algorithm off (`TCP_NODELAY`), which sends at once whatever is held back.
    pub fn set_no_delay(&mut self, on: bool) {
        self.config.parameters.nagle = !on;
        self.is_released |= on;
    }

    /// Whether a short segment is held back for more data.
    pub(in crate::tcp) fn is_held_back(&self) -> bool {
        (self.is_corked || self.has_more) && !self.is_released
    }
}

//! The write queue's tail: how large a piece grows before the next begins, what ends a write (PSH),
//! and what waits for more to be written (`TCP_CORK`, `MSG_MORE`).
//!
//! Source: `tcp_sendmsg_locked`, `tcp_push`, `forced_push`, `__tcp_sock_set_cork`,
//! `__tcp_sock_set_nodelay` of `net/ipv4/tcp.c`, `tcp_nagle_check` of `tcp_output.c` (v6.1).

use super::Tcb;

/// What is to be done after a part of a write was appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    /// Nothing: the piece is not full yet.
    Nothing,
    /// Send one piece: the queue had been empty.
    One,
    /// Send what may go: much was written without PSH.
    All,
}

/// A part of a write that went into the write queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// How much of it, in bytes.
    pub bytes: u32,
    /// Whether a piece begins with it; else it joined the last one.
    pub begins: bool,
    /// What is to be sent then.
    pub push: Push,
}

impl Tcb {
    /// Appends a part of a write of `left` bytes: what fits into the last piece, of `most` bytes at most. None where
    /// the writer has to wait for memory: the send buffer is asked only for a piece that begins
    /// (`sk_stream_memory_free`), so that the last one may reach beyond it.
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
            // The mark is the piece's: what joins it goes with PSH, too.
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

    /// The next push lets out what Nagle's algorithm or a cork holds back, as its writer waits for memory and will not
    /// write more until some of it is acknowledged (`tcp_push` with `TCP_NAGLE_PUSH`).
    pub fn push_for_memory(&mut self) {
        self.mark_push();
        self.is_push_forced = true;
    }

    /// To how many bytes a piece of the write queue is filled, of `most` at most: whole segments, and no more than half
    /// of the widest window that was offered (`tcp_xmit_size_goal`, `tcp_bound_to_half_wnd`).
    pub fn size_goal(&self, most: u32) -> u32 {
        let mss = self.send_mss.max(1);
        let half = (self.max_window / 2).max(mss);
        (most.min(half) / mss).max(1) * mss
    }

    /// The last piece ends a write, if it was not sent before: `tcp_mark_push`.
    pub fn mark_push(&mut self) {
        if self.snd_nxt >= self.write_end {
            return;
        }
        self.pushed_end = self.write_end;
        if self.marks.back() != Some(&self.write_end) {
            self.marks.push_back(self.write_end);
        }
    }

    /// Whether a segment that ends here has PSH.
    pub(super) fn ends_write(&mut self, end: u64) -> bool {
        while self.marks.front().is_some_and(|&mark| mark <= self.snd_una) {
            self.marks.pop_front();
        }
        self.marks.contains(&end) || (end == self.write_end && !self.is_unpushed)
    }

    /// Whether more is to come soon, so that what was written last waits for it as long as it is
    /// less than a segment (`MSG_MORE`).
    pub fn hold_back(&mut self, has_more: bool) {
        self.has_more = has_more;
    }

    /// Whether what is less than a segment waits (`TCP_CORK`). What waited goes when that ends.
    pub fn set_cork(&mut self, on: bool) {
        self.is_corked = on;
    }

    /// Whether Nagle's algorithm is off (`TCP_NODELAY`); what waits goes now, whatever it waits for.
    pub fn set_no_delay(&mut self, on: bool) {
        self.config.nagle = !on;
        self.is_released |= on;
    }

    /// Whether less than a segment waits for more.
    pub(super) fn is_held_back(&self) -> bool {
        (self.is_corked || self.has_more) && !self.is_released
    }
}

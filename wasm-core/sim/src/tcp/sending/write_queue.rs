//! The write queue: how much a program has written and where its packets end, what ends a write (PSH), what is held
//! back for more data (`TCP_CORK`, `MSG_MORE`), and how much of it the send buffer takes.
//!
//! It has sequence numbers and no bytes. What of it was sent and acknowledged is the sender's (SND.NXT, SND.UNA), which
//! hands that in. Source: `tcp_sendmsg_locked`, `tcp_push`, `forced_push`, `tcp_mark_push`, `__tcp_sock_set_cork`,
//! `__tcp_sock_set_nodelay` of `net/ipv4/tcp.c`, `tcp_nagle_check` of `tcp_output.c` (v6.1).

use std::collections::VecDeque;

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

/// How far the sender has come with what is in the queue.
#[derive(Debug, Clone, Copy)]
pub(in crate::tcp) struct Progress {
    /// SND.UNA and SND.NXT.
    pub una: u64,
    pub nxt: u64,
}

/// What was written and has not been acknowledged, as sequence numbers.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each a question of its own"
)]
#[derive(Debug)]
pub(in crate::tcp) struct WriteQueue {
    /// The sequence number after the last byte written (`write_seq`). The first byte is 1, behind the SYN; a FIN has
    /// the number that follows the last byte.
    end: u64,
    /// Where the last packet begins, which may have been sent. Not beyond `end`.
    tail_start: u64,
    /// Where packets with PSH end, in the order in which they were marked; none beyond `end`.
    marks: VecDeque<u64>,
    /// The last end of a write (`pushed_seq`).
    pushed_end: u64,
    /// What was written last said that more is to come: it has no PSH.
    is_unpushed: bool,
    /// A short segment waits until more is written (`TCP_CORK`, `MSG_MORE`).
    is_corked: bool,
    has_more: bool,
    /// What waits goes, whatever it waits for, until more is written.
    is_released: bool,
    /// This push lets out what waits (`TCP_NAGLE_PUSH` of one call).
    is_push_forced: bool,
    /// Bytes that the queue may hold now (`sk_sndbuf`). The last packet may go beyond it.
    buffer: u32,
}

impl WriteQueue {
    /// An empty queue that may hold `buffer` bytes.
    pub fn new(buffer: u32) -> Self {
        Self {
            end: 1,
            tail_start: 1,
            marks: VecDeque::new(),
            pushed_end: 1,
            is_unpushed: false,
            is_corked: false,
            has_more: false,
            is_released: false,
            is_push_forced: false,
            buffer,
        }
    }

    /// The sequence number after the last byte written.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Bytes that were never sent, with SND.NXT.
    pub fn unsent(&self, nxt: u64) -> u64 {
        self.end.saturating_sub(nxt.max(1))
    }

    /// Bytes of payload between two sequence numbers: SYN and FIN take one each and are none.
    pub fn payload(&self, from: u64, to: u64) -> u32 {
        (to.min(self.end) - from.max(1).min(to)) as u32
    }

    /// Free bytes in the send buffer, with SND.UNA.
    pub fn room(&self, una: u64) -> u32 {
        let queued = self.end - una.clamp(1, self.end);
        u64::from(self.buffer).saturating_sub(queued) as u32
    }

    /// Whether a writer that sleeps for memory may continue: a third of the buffer is free
    /// (`sk_stream_write_space`).
    pub fn has_write_space(&self, una: u64) -> bool {
        self.room(una) >= self.buffer / 3
    }

    /// Sets the size of the buffer in bytes.
    pub fn set_buffer(&mut self, bytes: u32) {
        self.buffer = bytes;
    }

    /// Grows the buffer to so many bytes, if it is smaller.
    pub fn widen(&mut self, bytes: u32) {
        self.buffer = self.buffer.max(bytes);
    }

    /// Appends bytes, the last of which end a write.
    pub fn write(&mut self, bytes: u32) {
        self.end += u64::from(bytes);
        self.is_unpushed = false;
        self.is_released = false;
    }

    /// Appends a part of a write of which `left` bytes remain: what fits into the last packet, of at most `goal` bytes.
    /// `None` if the writer has to wait for memory: only a new packet is checked against the buffer
    /// (`sk_stream_memory_free`). More than `unmarked_most` bytes without PSH are pushed (`forced_push`).
    pub fn append(
        &mut self,
        left: u32,
        goal: u32,
        unmarked_most: u32,
        sent: Progress,
    ) -> Option<Appended> {
        let goal = u64::from(goal);
        let mut held = self.end - self.tail_start.max(sent.nxt).min(self.end);
        let begins = held == 0 || held >= goal;
        if begins {
            if self.room(sent.una) == 0 {
                return None;
            }
            self.tail_start = self.end;
            held = 0;
        }
        let bytes = u64::from(left).min(goal - held);
        let is_marked = held > 0 && self.marks.back() == Some(&self.end);
        self.write(bytes as u32);
        self.is_unpushed = true;
        if is_marked {
            // PSH belongs to the packet: what is added to it is sent with PSH too.
            self.marks.pop_back();
            self.marks.push_back(self.end);
        }
        let push = if held + bytes < goal || bytes == u64::from(left) {
            Push::Nothing
        } else if self.end > self.pushed_end + u64::from(unmarked_most) {
            self.push_for_memory(sent.nxt);
            Push::All
        } else if self.tail_start <= sent.nxt {
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

    /// Marks the last packet as the end of a write, unless it has been sent: `tcp_mark_push`.
    pub fn mark_push(&mut self, nxt: u64) {
        if nxt >= self.end {
            return;
        }
        self.pushed_end = self.end;
        if self.marks.back() != Some(&self.end) {
            self.marks.push_back(self.end);
        }
    }

    /// The next push also sends what is held back: its writer waits for memory and cannot write more until some is
    /// acknowledged (`tcp_push` with `TCP_NAGLE_PUSH`).
    pub fn push_for_memory(&mut self, nxt: u64) {
        self.mark_push(nxt);
        self.is_push_forced = true;
    }

    /// Whether this push sends what is held back.
    pub fn is_push_forced(&self) -> bool {
        self.is_push_forced
    }

    /// Nothing more may be sent: a forced push is over.
    pub fn end_push(&mut self) {
        self.is_push_forced = false;
    }

    /// A segment that ends at `end`, within a packet, has PSH (`tcp_write_wakeup`).
    pub fn mark_within(&mut self, end: u64) {
        self.marks.push_back(end);
    }

    /// Whether a segment that ends at `end` has PSH; marks up to SND.UNA are forgotten.
    pub fn ends_write(&mut self, end: u64, una: u64) -> bool {
        while self.marks.front().is_some_and(|&mark| mark <= una) {
            self.marks.pop_front();
        }
        self.marks.contains(&end) || (end == self.end && !self.is_unpushed)
    }

    /// Sets whether more data will follow soon (`MSG_MORE`).
    pub fn hold_back(&mut self, has_more: bool) {
        self.has_more = has_more;
    }

    /// Sets whether short segments are held back (`TCP_CORK`).
    pub fn set_cork(&mut self, on: bool) {
        self.is_corked = on;
    }

    /// What is held back goes, until more is written.
    pub fn release(&mut self) {
        self.is_released = true;
    }

    /// Whether a short segment is held back for more data.
    pub fn is_held_back(&self) -> bool {
        (self.is_corked || self.has_more) && !self.is_released
    }
}

#[cfg(test)]
mod tests;

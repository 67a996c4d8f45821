//! A socket's protocol: its queues, TCP's state, who owns it.

use std::collections::VecDeque;

use crate::engine::ids::{BufferId, SkbId, SockId, TaskId};
use crate::tcp::{Appended, Probed, Segment, Tcb};
use crate::time::SimTime;

/// A socket.
#[derive(Debug)]
pub struct Socket {
    /// TCP's state.
    pub tcb: Tcb,
    /// Its place among listening, connecting and closed sockets.
    pub life: Life,
    /// The task that owns it (`sk_lock.owned`).
    pub owner: Option<TaskId>,
    /// Tasks that wait until nobody owns it.
    pub owner_waiters: VecDeque<TaskId>,
    /// `sk_receive_queue`: packets with unread bytes.
    pub receive_queue: VecDeque<SkbId>,
    /// Bytes readable.
    pub readable: u32,
    /// Memory in bytes of the datagrams that wait, and of those read whose memory was not given back yet
    /// (`sk_rmem_alloc`).
    pub rmem_alloc: u32,
    /// The latter's (`forward_deficit` of `struct udp_sock`).
    pub forward_deficit: u32,
    /// How many datagrams at the head of the receive queue the reader has moved to a queue of its own
    /// (`reader_queue`).
    pub reader_queue: usize,
    /// Bytes that were read of the packet which is read now, with all that joined it.
    pub read_in_part: u32,
    /// Out-of-order segments.
    pub out_of_order: Vec<SkbId>,
    /// `sk_backlog`.
    pub backlog: VecDeque<SkbId>,
    /// Prequeue.
    pub prequeue: VecDeque<SkbId>,
    /// The task in `recv` for which segments wait there (`ucopy.task`).
    pub prequeues_for: Option<TaskId>,
    /// The write queue.
    pub chunks: VecDeque<Chunk>,
    /// Its timer.
    pub timer: Timer,
    /// A throttled TCP may send again: its owner calls it when it releases the socket (`TCP_TSQ_DEFERRED`).
    pub is_push_deferred: bool,
    /// Segments that its owner takes out of the backlog are
    /// acknowledged once, after the last (`TCP_ACK_DEFERRED`).
    pub is_ack_deferred: bool,
    /// The connection as the segment in work found it, until `tcp_probe` has told it.
    pub probed: Option<Probed>,
    /// CPU that last processed it.
    pub cpu: usize,
    /// Bytes that processes read from it.
    pub delivered: u64,
}

/// How far a socket's life has come, beside TCP's state.
#[derive(Debug, Default)]
pub struct Life {
    /// Whether connections arrive at it.
    pub is_listening: bool,
    /// Connections that wait for `accept`, of a listening socket.
    pub accept_queue: VecDeque<SockId>,
    /// The listening socket that it came from, until it is accepted.
    pub parent: Option<SockId>,
    /// Whether the process has closed it.
    pub is_closed: bool,
    /// Whether its memory was given back.
    pub is_gone: bool,
}

/// The timer of a socket in the event queue.
#[derive(Debug)]
pub struct Timer {
    /// When its scheduled event is due; `NEVER` without one.
    pub at: SimTime,
    /// Whether that event has come and the softirq has not run
    /// the timer yet, or has left it to the socket's owner.
    pub is_due: bool,
    /// Whether the socket's owner runs the timer when it releases the
    /// socket (`TCP_WRITE_TIMER_DEFERRED`, `TCP_DELACK_TIMER_DEFERRED`).
    pub is_deferred: bool,
}

impl Timer {
    /// Arms the timer for `next` and returns the time for which to schedule an event: none where an earlier
    /// one is scheduled, or where a timer that has expired still waits for the softirq or the socket's owner.
    pub fn arm(&mut self, next: SimTime, now: SimTime) -> Option<SimTime> {
        let is_needed = next != SimTime::NEVER && next < self.at && !self.is_due;
        is_needed.then(|| {
            self.at = next.max(now);
            self.at
        })
    }
}

/// A piece of the write queue.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// Sequence number of its first byte.
    pub from: u64,
    /// Bytes in it.
    pub len: u32,
    /// Bytes it can hold.
    pub room: u32,
    /// Its memory.
    pub buffer: BufferId,
    /// Whether a segment was sent from it.
    pub is_sent: bool,
}

impl Socket {
    /// A socket without data.
    pub fn new(tcb: Tcb, cpu: usize) -> Self {
        Self {
            tcb,
            life: Life::default(),
            owner: None,
            owner_waiters: VecDeque::new(),
            receive_queue: VecDeque::new(),
            readable: 0,
            rmem_alloc: 0,
            forward_deficit: 0,
            reader_queue: 0,
            read_in_part: 0,
            out_of_order: Vec::new(),
            backlog: VecDeque::new(),
            prequeue: VecDeque::new(),
            prequeues_for: None,
            chunks: VecDeque::new(),
            timer: Timer {
                at: SimTime::NEVER,
                is_due: false,
                is_deferred: false,
            },
            is_push_deferred: false,
            is_ack_deferred: false,
            probed: None,
            cpu,
            delivered: 0,
        }
    }

    /// Where the data of a segment are: the buffer and the place in it of its first byte. All of them are sent
    /// from now on.
    pub fn data_of(&mut self, segment: &Segment) -> Option<(BufferId, u32)> {
        let end = segment.seq + u64::from(segment.len);
        let mut first = None;
        for chunk in &mut self.chunks {
            if segment.len == 0 || chunk.from >= end {
                break;
            }
            if segment.seq < chunk.from + u64::from(chunk.len) {
                chunk.is_sent = true;
                let offset = segment.seq.saturating_sub(chunk.from) as u32;
                first = first.or(Some((chunk.buffer, offset)));
            }
        }
        first
    }

    /// Whether a part of a write needs memory of its own: a piece begins with it, or the last piece has none left,
    /// as it was sent in part or may be larger now.
    pub fn needs_chunk(&self, part: Appended) -> bool {
        part.begins
            || self
                .chunks
                .back()
                .is_none_or(|last| last.is_sent || last.room - last.len < part.bytes)
    }

    /// Forgets what was sent and acknowledged; the memory that it took.
    pub fn forget_acknowledged(&mut self) -> impl Iterator<Item = BufferId> {
        let una = self.tcb.snd_una();
        let is_over = |chunk: &&Chunk| chunk.is_sent && chunk.from + u64::from(chunk.len) <= una;
        let count = self.chunks.iter().take_while(is_over).count();
        self.chunks.drain(..count).map(|chunk| chunk.buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_is_scheduled_again_only_for_an_earlier_time() {
        let mut timer = Timer {
            at: SimTime::NEVER,
            is_due: false,
            is_deferred: false,
        };
        let now = SimTime(50);
        assert_eq!(timer.arm(SimTime::NEVER, now), None);
        assert_eq!(timer.arm(SimTime(200), now), Some(SimTime(200)));
        assert_eq!(timer.arm(SimTime(300), now), None, "that one comes first");
        assert_eq!(timer.arm(SimTime(100), now), Some(SimTime(100)));
        assert_eq!(timer.arm(SimTime(40), now), Some(now), "it is late");
        timer.is_due = true;
        assert_eq!(timer.arm(SimTime(60), now), None);
    }
}

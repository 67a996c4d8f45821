//! Reads of TCP sockets by `splice(2)`, which do not call `recvmsg` and have no event with their length.
//!
//! Recorded are `tcp_rcv_space_adjust` in the task's context, with the socket's cookie (`net/ipv4/tcp.c:
//! tcp_splice_read`, `__tcp_read_sock`, v6.12), and the system call's return with the number of bytes moved. These
//! bytes are taken from the socket's stream in order. As no copy names a packet, that is done only if nothing
//! unrecorded can stand before them: the start of the connection was recorded, or a splice found more bytes than are
//! known, or an empty queue.

use std::collections::{BTreeMap, BTreeSet};

use super::stream::ReadSegment;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::task::Splice;
use crate::journey::stitch::packet::flow::Ends;
use crate::kernel::{AddrId, Context, Event, EventIdx, Field, Pid};

/// The system call's name at its return.
const SPLICE: &str = "splice";
/// What a non-blocking splice returns, negated, for an empty queue (`include/uapi/asm-generic/errno-base.h`).
const EAGAIN: i32 = 11;

/// Relates splices to sockets.
#[derive(Debug, Default)]
pub struct Splices {
    /// The socket of each cookie.
    socket_of: BTreeMap<u32, AddrId>,
    /// The last cookie at the address of each socket.
    cookie_at: BTreeMap<AddrId, u32>,
    /// Connections whose start was recorded, local end first.
    begun: BTreeSet<Ends>,
    /// Sockets of which all waiting data is known.
    known: BTreeSet<AddrId>,
    /// The task that last took data from each socket without a copy, and the event.
    by: BTreeMap<AddrId, (Pid, EventIdx)>,
    /// The cookies of sockets read without a copy: the number of bytes may be unknown.
    left: BTreeSet<u32>,
    /// The cookies of sockets reset by their peers.
    reset: BTreeSet<u32>,
}

impl Splices {
    /// `inet_sock_set_state`: a connection begins.
    pub fn begin(&mut self, ends: Ends) {
        self.begun.insert(ends);
    }

    /// `tcp_probe` reports the cookie, socket and ends. Returns whether another socket was at this address before.
    pub fn know(&mut self, cookie: u32, sk: AddrId, ends: Ends) -> bool {
        if self.socket_of.insert(cookie, sk) == Some(sk) {
            return false;
        }
        let before = self.cookie_at.insert(sk, cookie);
        let is_other = before.is_some_and(|before| before != cookie);
        if is_other {
            self.forget(sk);
        }
        if self.begun.contains(&ends) {
            self.known.insert(sk);
        }
        is_other
    }

    /// The socket at this address is gone.
    fn forget(&mut self, sk: AddrId) {
        self.known.remove(&sk);
        self.by.remove(&sk);
    }

    /// The task that last took data from a socket without a copy, and the event.
    pub fn last_by(&self, sk: AddrId) -> Option<(Pid, EventIdx)> {
        self.by.get(&sk).copied()
    }

    /// `tcp_receive_reset`.
    pub fn reset(&mut self, cookie: u32) {
        self.reset.insert(cookie);
    }

    /// The socket of a cookie is destroyed. Returns it, and whether what is left of its stream is known to be unread:
    /// every read of it reported its bytes, and it was reset by its peer or this event alone (`is_told_alone`) shows
    /// that it was closed with unread data.
    pub fn end(&mut self, cookie: u32, is_told_alone: bool) -> Option<(AddrId, bool)> {
        let sk = self.socket_of.remove(&cookie);
        let (is_reset, is_left) = (self.reset.remove(&cookie), self.left.remove(&cookie));
        let sk = sk.filter(|sk| self.cookie_at.get(sk) == Some(&cookie))?;
        Some((sk, (is_reset || is_told_alone) && !is_left))
    }
}

impl Stitcher<'_> {
    /// `tcp_rcv_space_adjust`: a task has taken data from a stream, or found none.
    pub fn adjust_space(&mut self, index: EventIdx, event: &Event) {
        let Some(cookie) = self.run.field(index, Field::Cookie) else {
            return;
        };
        if event.context != Context::Kernel {
            // A reader within the kernel: iSCSI, KCM, kTLS before v6.2 (`net/ipv4/tcp.c: tcp_read_sock`). It tells of no
            // packet, and of no length.
            self.tcp.splices.left.insert(cookie);
            return;
        }
        let splice = &mut self.tasks.of(event.pid).splice;
        if std::mem::take(&mut splice.has_copied) {
            return;
        }
        let splices = &mut self.tcp.splices;
        splices.left.insert(cookie);
        if let Some(&sk) = splices.socket_of.get(&cookie) {
            splices.by.insert(sk, (event.pid, index));
        }
        if splice.cookie != cookie {
            splice.adjusted.clear();
        }
        splice.cookie = cookie;
        if splice.adjusted.len() < MAX_ADJUSTED {
            splice.adjusted.push(index);
        }
    }

    /// A system call returns: the bytes that a splice from a stream moved are read. Returns whether it was a splice.
    pub fn leave_splice(&mut self, index: EventIdx, pid: Pid) -> bool {
        let is_splice = self.run.field_name(index, Field::Func) == Some(SPLICE);
        if is_splice {
            self.move_spliced(index, pid);
        }
        is_splice
    }

    fn move_spliced(&mut self, index: EventIdx, pid: Pid) {
        let Some(task) = self.tasks.get_mut(pid) else {
            return;
        };
        task.forget_calls();
        let Splice {
            cookie, adjusted, ..
        } = std::mem::take(&mut task.splice);
        let splices = &mut self.tcp.splices;
        let (Some(&first), Some(&sk)) = (adjusted.first(), splices.socket_of.get(&cookie)) else {
            return;
        };
        let moved = self
            .run
            .field(index, Field::Ret)
            .map_or(0, u32::cast_signed);
        if moved == -EAGAIN {
            splices.known.insert(sk);
        }
        let Ok(moved) = u64::try_from(moved) else {
            return;
        };
        let is_known = splices.known.contains(&sk);
        self.leave_closing_backlog(pid, sk);
        let stream = self.tcp.inferred(sk);
        let taken = stream.read(moved);
        let found = taken.last().map_or(0, |last| last.last_byte);
        if found < moved && stream.is_read() {
            self.tcp.splices.known.insert(sk);
        } else if !is_known {
            return;
        }
        self.tcp.leave_part(sk, pid);
        for ReadSegment { packet, .. } in taken {
            let last = self.table[packet].entries.last();
            let came = last.map_or(first, |entry| entry.event);
            let left = adjusted.iter().find(|&&at| at > came);
            self.table
                .read_by(packet, index, left.copied().unwrap_or(index), pid);
        }
    }
}

/// The limit of events kept for one splice; a pipe holds fewer segments.
const MAX_ADJUSTED: usize = 64;

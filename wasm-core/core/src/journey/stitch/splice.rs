//! Reads of TCP sockets by `splice(2)`, which pass no `recvmsg` and so tell no length of their own.
//!
//! What is told: `tcp_rcv_space_adjust` in the task's context, with the socket's cookie
//! (`net/ipv4/tcp.c: tcp_splice_read`, `__tcp_read_sock`, v6.12), and the return of the system call
//! with the bytes moved. They are taken off the socket's stream in order. No copy names a packet, so
//! that is only done where nothing unseen can stand before: the connection was seen to begin, or a
//! splice found more than is known, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::draft::Ends;
use super::reads::Reads;
use super::stream::Taken;
use crate::kernel::{AddrId, Context, Event, EventIdx, Field, Pid};

/// The system call, as its return is named.
const SPLICE: &str = "splice";
/// What a splice without blocking returns from an empty queue (`include/uapi/asm-generic/errno-base.h`).
const EAGAIN: i32 = 11;

/// What joins a splice to its socket.
#[derive(Debug, Default)]
pub(super) struct Splices {
    /// The socket of each cookie.
    socket_of: BTreeMap<u32, AddrId>,
    /// The ends of connections that were seen to begin, as their own socket has them.
    begun: BTreeSet<Ends>,
    /// Sockets of which all that waits is known.
    known: BTreeSet<AddrId>,
    /// The task that took something off each socket last without a copy, and when.
    by: BTreeMap<AddrId, (Pid, EventIdx)>,
    /// The cookies of sockets that were left without a copy: how much was taken may be unknown.
    left: BTreeSet<u32>,
    /// The cookies of sockets that their peers have reset.
    reset: BTreeSet<u32>,
}

impl Splices {
    /// `inet_sock_set_state`: a connection begins.
    pub fn begin(&mut self, ends: Ends) {
        self.begun.insert(ends);
    }

    /// `tcp_probe` tells the cookie and the ends of a socket that it names.
    pub fn know(&mut self, cookie: u32, sk: AddrId, ends: Ends) {
        if self.socket_of.insert(cookie, sk) != Some(sk) && self.begun.contains(&ends) {
            self.known.insert(sk);
        }
    }

    /// Who took something off a socket last without a copy, and when.
    pub fn last_by(&self, sk: AddrId) -> Option<(Pid, EventIdx)> {
        self.by.get(&sk).copied()
    }

    /// `tcp_receive_reset`.
    pub fn reset(&mut self, cookie: u32) {
        self.reset.insert(cookie);
    }

    /// The socket of a cookie is destroyed: which one, if every read of it told what it took, and its peer had reset it or
    /// nothing else tells that it was closed with data in it.
    pub fn end(&mut self, cookie: u32, is_told_alone: bool) -> Option<AddrId> {
        let sk = self.socket_of.remove(&cookie);
        let (is_reset, is_left) = (self.reset.remove(&cookie), self.left.remove(&cookie));
        sk.filter(|_| (is_reset || is_told_alone) && !is_left)
    }
}

/// A task's read of a socket that is not yet known to be another call than `splice`.
#[derive(Debug, Default)]
pub(super) struct Splice {
    /// It was another call: a copy was seen.
    pub has_copied: bool,
    cookie: u32,
    /// When the socket's stream was left, each time.
    adjusted: Vec<EventIdx>,
}

impl Stitcher<'_> {
    /// `tcp_rcv_space_adjust`: a task has taken something off a stream, or looked.
    pub(super) fn adjust_space(&mut self, index: EventIdx, event: &Event) {
        if event.context != Context::Kernel {
            return;
        }
        let Some(cookie) = self.run.field(index, Field::Cookie) else {
            return;
        };
        let splice = &mut self.tasks.entry(event.pid).or_default().splice;
        if std::mem::take(&mut splice.has_copied) {
            return;
        }
        let splices = &mut self.reads.splices;
        splices.left.insert(cookie);
        if let Some(&sk) = splices.socket_of.get(&cookie) {
            splices.by.insert(sk, (event.pid, index));
        }
        if splice.cookie != cookie {
            splice.adjusted.clear();
        }
        splice.cookie = cookie;
        if splice.adjusted.len() < MANY {
            splice.adjusted.push(index);
        }
    }

    /// A system call returns: if it was a splice off a stream, what it moved is read. Whether it was a splice.
    pub(super) fn leave_splice(&mut self, index: EventIdx, pid: Pid) -> bool {
        let is_splice = self.run.field_name(index, Field::Func) == Some(SPLICE);
        if is_splice {
            self.move_spliced(index, pid);
        }
        is_splice
    }

    fn move_spliced(&mut self, index: EventIdx, pid: Pid) {
        let Some(task) = self.tasks.get_mut(&pid) else {
            return;
        };
        task.forget_calls();
        let Splice {
            cookie, adjusted, ..
        } = std::mem::take(&mut task.splice);
        let Reads { splices, .. } = &mut self.reads;
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
        let stream = self.reads.stream(sk);
        let taken = stream.read(moved);
        let found = taken.last().map_or(0, |last| last.last_byte);
        if found < moved && stream.is_read() {
            self.reads.splices.known.insert(sk);
        } else if !is_known {
            return;
        }
        self.leave_part(sk, pid);
        for Taken { packet, .. } in taken {
            let last = self.drafts[packet.at()].entries.last();
            let came = last.map_or(first, |entry| entry.event);
            let left = adjusted.iter().find(|&&at| at > came);
            self.read_by(packet, index, left.copied().unwrap_or(index), pid);
        }
    }
}

/// So many rounds of one splice are kept: a pipe has no more room than that of segments.
const MANY: usize = 64;

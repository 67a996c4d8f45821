//! The earlier readers of a segment; the one that read its last byte counts as its reader.
//!
//! A TCP socket is a byte stream: a call takes as many bytes as its buffer holds (`net/ipv4/tcp.c:
//! tcp_recvmsg_locked`, v6.18). If processes share the socket, for instance after a fork, the next reader takes the
//! rest of a segment.

use std::collections::BTreeMap;

use super::Tcp;
use super::stream::Stream;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::kernel::{AddrId, PacketId, Pid, Verdict};

/// The limit of readers kept for one segment.
const MAX_READERS: usize = 64;

/// The tasks that read a packet in part, each once, in order.
#[derive(Debug, Default)]
pub struct Readers(BTreeMap<PacketId, Vec<Pid>>);

impl Readers {
    /// A task has read a part of a packet and left the rest.
    pub fn leave(&mut self, packet: PacketId, pid: Pid) {
        let readers = self.0.entry(packet).or_default();
        if !readers.contains(&pid) && readers.len() < MAX_READERS {
            readers.push(pid);
        }
    }

    /// The tasks that read parts of the packet before its final reader; `None` without any.
    pub fn before(&self, packet: PacketId, draft: &Draft) -> Option<Vec<Pid>> {
        let Verdict::Delivered { pid: last, .. } = draft.outcome.verdict else {
            return None;
        };
        let readers = self.0.get(&packet)?.iter().copied();
        let before: Vec<Pid> = readers.filter(|&pid| pid != last).collect();
        (!before.is_empty()).then_some(before)
    }
}

impl Tcp {
    /// Records the task whose read of this socket ended inside a segment.
    pub fn leave_part(&mut self, sk: AddrId, pid: Pid) {
        if let Some(packet) = self.inferred(sk).take_left() {
            self.readers.leave(packet, pid);
        }
    }
}

impl Stitcher<'_> {
    /// Records how much was read of segments of which nothing shows whether the rest was.
    pub fn leave_open(&mut self, left: Vec<(PacketId, u32)>) {
        for (packet, read) in left.into_iter().filter(|&(_, read)| read > 0) {
            self.table[packet].copied.get_or_insert(read);
        }
    }

    /// Records how much was read of segments that were partly unread when the recording ended; no copy names a
    /// coalesced segment.
    pub fn keep_parts(&mut self) {
        let streams = self.tcp.inferred.values_mut();
        let left = streams.flat_map(Stream::unread).collect();
        self.leave_open(left);
    }
}

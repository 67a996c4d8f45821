//! Who read parts of a segment before the one that read its last byte, which has it.
//!
//! A TCP socket is a stream of bytes: a call takes as many as it has room for (`net/ipv4/tcp.c: tcp_recvmsg_locked`, v6.18),
//! and where processes share the socket, as after a fork, the next takes what is left of a segment.

use std::collections::BTreeMap;

use super::Stitcher;
use super::draft::Draft;
use crate::kernel::{AddrId, PacketId, Pid, Verdict};

/// So many readers of one segment are told apart.
const MANY: usize = 64;

/// Who left something of a packet to be read, each once, in order.
#[derive(Debug, Default)]
pub(super) struct Readers(BTreeMap<PacketId, Vec<Pid>>);

impl Readers {
    /// A task has read a part of a packet and left the rest.
    pub fn leave(&mut self, packet: PacketId, pid: Pid) {
        let readers = self.0.entry(packet).or_default();
        if !readers.contains(&pid) && readers.len() < MANY {
            readers.push(pid);
        }
    }

    /// Those that had read before the packet's reader did, if others had.
    pub fn before(&self, packet: PacketId, draft: &Draft) -> Option<Vec<Pid>> {
        let Verdict::Delivered { pid: last, .. } = draft.verdict else {
            return None;
        };
        let readers = self.0.get(&packet)?.iter().copied();
        let before: Vec<Pid> = readers.filter(|&pid| pid != last).collect();
        (!before.is_empty()).then_some(before)
    }
}

impl Stitcher<'_> {
    /// Of a segment that joined another no copy told. What was read of it, where the end of the recording found the rest unread.
    pub(super) fn keep_parts(&mut self) {
        for stream in self.reads.streams.values_mut() {
            for (packet, read) in stream.unread().filter(|&(_, read)| read > 0) {
                self.drafts[packet.at()].copied.get_or_insert(read);
            }
        }
    }

    /// What a task left of the segment in which its read of this socket ended.
    pub(super) fn leave_part(&mut self, sk: AddrId, pid: Pid) {
        if let Some(packet) = self.reads.stream(sk).take_left() {
            self.readers.leave(packet, pid);
        }
    }
}

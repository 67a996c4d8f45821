//! What the copies of a receive call tell about its socket's stream where the recording is incomplete.
//!
//! - A segment that a copy names was in the stream, even if `tcp_probe` did not report it.
//! - The bytes before that segment have been read, but no more of them than reads returned that are otherwise
//!   unexplained: reads without a recorded copy, and copies naming an `sk_buff` that no other event reported, into
//!   which other segments had been coalesced.

use std::collections::VecDeque;

use super::stream::ReadSegment;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::headers::TCP;
use crate::kernel::{AddrId, Event, EventIdx, PacketId, Pid, Verdict};

/// Bytes that reads took from a stream and that are not yet attributed to a segment.
#[derive(Debug, Default)]
pub struct UnattributedReads {
    /// Whether reads report how many bytes they returned.
    are_told: bool,
    /// Bytes by the packet that the copies name, `PacketId::NONE` for reads without a copy; in order of the reads.
    bytes: VecDeque<(PacketId, u64)>,
    /// Bytes that the returning call read without a recorded copy.
    now: u64,
    /// Bytes that copies naming these packets took from other packets.
    others: Vec<(PacketId, u64)>,
}

/// The limit of entries kept.
const MAX_ENTRIES: usize = 1024;

impl UnattributedReads {
    /// A read took `bytes` bytes by copies that name this packet, or without a recorded copy.
    pub fn add(&mut self, packet: PacketId, bytes: u64) {
        match self.bytes.back_mut() {
            Some((last, sum)) if *last == packet => *sum = sum.saturating_add(bytes),
            _ => self.bytes.push_back((packet, bytes)),
        }
        if self.bytes.len() > MAX_ENTRIES {
            self.bytes.pop_front();
        }
    }

    /// A call returns that read `bytes` bytes without a recorded copy.
    pub fn return_more(&mut self, bytes: u64) {
        self.are_told = true;
        let before = std::mem::replace(&mut self.now, bytes);
        self.add(PacketId::NONE, before);
    }

    /// Attributes `bytes` bytes that stood before a copied segment to unexplained reads; false if these did not read
    /// enough. The latest reads are used, since bytes from before the recording were read first. Bytes of the copy's
    /// own call may come before or after the copied segment; which is unknown.
    pub fn take(&mut self, bytes: u32) -> bool {
        if !self.are_told {
            return true;
        }
        let mut left = u64::from(bytes);
        let sum = |sum: u64, &(_, bytes): &(_, u64)| sum.saturating_add(bytes);
        if self.bytes.iter().fold(self.now, sum) < left {
            return false;
        }
        while left > 0
            && let Some((packet, sum)) = self.bytes.back_mut()
        {
            let taken = left.min(*sum);
            (left, *sum) = (left - taken, *sum - taken);
            self.others.push((*packet, taken));
            if *sum == 0 {
                self.bytes.pop_back();
            }
        }
        self.now = self.now.saturating_sub(left);
        true
    }
}

impl Stitcher<'_> {
    /// A call returns that read `bytes` bytes from a TCP socket by these copies.
    pub fn return_stream(&mut self, sk: AddrId, bytes: u32, copied: &[CopyOf]) {
        for copy in copied {
            self.enqueue_copied(copy.packet, sk);
        }
        let by_these: u64 = copied.iter().map(|copy| u64::from(copy.bytes)).sum();
        let more = u64::from(bytes).saturating_sub(by_these);
        self.tcp.inferred(sk).unattributed.return_more(more);
    }

    /// A copy names a segment whose arrival at this socket no event reported. Its payload follows from its length at
    /// IP; any further bytes copied came from segments coalesced into it.
    fn enqueue_copied(&mut self, packet: PacketId, sk: AddrId) {
        let header = self.tcp.inferred(sk).header();
        let draft = &mut self.table[packet];
        if draft.is_probed || draft.sk.is_some() {
            return;
        }
        draft.sk = sk;
        let payload = draft.headers.tcp_payload(header);
        if payload > 0 {
            (draft.payload, draft.flow.protocol) = (payload, TCP);
            self.tcp.inferred(sk).enqueue_late(packet, payload);
        }
    }

    /// A copy takes `bytes` bytes off a stream. Returns the segments that are now read to their end. Copies that name
    /// a packet known from copies only may prove to have taken bytes of segments coalesced into it; its payload is
    /// then corrected.
    pub fn copy_from(&mut self, packet: PacketId, bytes: u32, sk: AddrId) -> Vec<ReadSegment> {
        let taken = self.tcp.inferred(sk).copy(packet, bytes);
        for (packet, bytes) in std::mem::take(&mut self.tcp.inferred(sk).unattributed.others) {
            if !packet.is_some() {
                continue;
            }
            let draft = &mut self.table[packet];
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            if !draft.is_probed && draft.headers.network_bytes == 0 {
                draft.payload = draft.payload.saturating_sub(bytes);
                draft.take_copy_back(bytes);
            }
        }
        taken
    }

    /// A copy took bytes from the stream: the segments whose last byte is among them are read.
    pub fn copy_stream(&mut self, copy: CopyOf, index: EventIdx, pid: Pid) {
        let CopyOf { packet, at, bytes } = copy;
        let sk = self.table[packet].sk;
        self.step_over_urgent(sk, copy, pid);
        for taken in self.copy_from(packet, bytes, sk) {
            if taken.packet != packet && self.are_of_one_flow(taken.packet, packet) {
                self.table.read_by(taken.packet, index, at, pid);
            }
        }
        self.tcp.leave_part(sk, pid);
    }

    /// Whether both packets are of one flow; the address of a socket may have been reused.
    pub fn are_of_one_flow(&self, one: PacketId, other: PacketId) -> bool {
        let (one, other) = (&self.table[one], &self.table[other]);
        one.hash == other.hash || one.ends() == other.ends()
    }

    /// A call returns that copied from the packet: if the packet was delivered to that task, its journey ends here.
    pub fn end_with_call(&mut self, packet: PacketId, event: &Event) {
        let draft = &mut self.table[packet];
        if matches!(draft.outcome.verdict, Verdict::Delivered { pid, .. } if pid == event.pid) {
            draft.outcome.end = draft.outcome.end.or(Some(event.time));
        }
    }
}

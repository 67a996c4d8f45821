//! What a read that returns tells of its socket's stream by its copies, where not all was recorded.
//!
//! - What a copy names was there, also where `tcp_probe` did not tell of it.
//! - What stood before that has been read, but no more of it than reads returned of which nothing else tells: those without a
//!   copy, and copies that name what nothing has told of, in whose `sk_buff` others had joined it.

use std::collections::VecDeque;

use super::stream::Taken;
use super::{Stitcher, TCP};
use crate::kernel::{AddrId, EventIdx, PacketId};

/// What reads of a stream took of which it is not told what it was.
#[derive(Debug, Default)]
pub(super) struct Untold {
    /// Reads say what they returned.
    are_told: bool,
    /// So many bytes by copies that name this packet, or by none, in order.
    bytes: VecDeque<(PacketId, u64)>,
    /// So many by the call that returns now, by no copy that was seen.
    now: u64,
    /// What turned out to be another's, of copies that name these packets.
    others: Vec<(PacketId, u64)>,
}

/// So many of the latest copies are kept.
const MANY: usize = 1024;

impl Untold {
    /// A read took so many bytes, by a copy that names this packet or by none that was seen.
    pub fn add(&mut self, packet: PacketId, bytes: u64) {
        match self.bytes.back_mut() {
            Some((last, sum)) if *last == packet => *sum = sum.saturating_add(bytes),
            _ => self.bytes.push_back((packet, bytes)),
        }
        if self.bytes.len() > MANY {
            self.bytes.pop_front();
        }
    }

    /// A call returns that read so many bytes by no copy that was seen.
    pub fn return_more(&mut self, bytes: u64) {
        self.are_told = true;
        let before = std::mem::replace(&mut self.now, bytes);
        self.add(PacketId::NONE, before);
    }

    /// Whether such reads can have taken so many bytes of what stood before a copy: then the latest have, as what came before
    /// the recording began was read first. Of the copy's own call it is not known whether it took more before or behind that.
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
    /// A call returns that read so many bytes of a TCP socket, by these copies.
    pub(super) fn return_stream(
        &mut self,
        sk: AddrId,
        bytes: u32,
        copied: &[(PacketId, EventIdx, u32)],
    ) {
        for &(packet, ..) in copied {
            self.hear_copied(packet, sk);
        }
        let by_these: u64 = copied.iter().map(|&(.., count)| u64::from(count)).sum();
        let more = u64::from(bytes).saturating_sub(by_these);
        self.reads.stream(sk).untold.return_more(more);
    }

    /// A copy names a segment of which nothing told that it came to this socket. It is as long as what IP got of it; what else
    /// was copied had joined it.
    fn hear_copied(&mut self, packet: PacketId, sk: AddrId) {
        let header = self.reads.stream(sk).header();
        let draft = &mut self.drafts[packet.at()];
        if draft.is_probed || draft.sk.is_some() {
            return;
        }
        draft.sk = sk;
        let headers = draft.ip_header() + header;
        let payload = draft.network_bytes.saturating_sub(headers);
        if payload > 0 {
            (draft.payload, draft.protocol) = (payload, TCP);
            self.reads.stream(sk).hear_late(packet, payload);
        }
    }

    /// A copy takes so many bytes off a stream: what is read to its end by it, or was before. What copies took that name a packet
    /// of which only they tell may turn out to be others' which had joined it.
    pub(super) fn copy_from(&mut self, packet: PacketId, bytes: u32, sk: AddrId) -> Vec<Taken> {
        let taken = self.reads.stream(sk).copy(packet, bytes);
        for (packet, bytes) in std::mem::take(&mut self.reads.stream(sk).untold.others) {
            let Some(draft) = self.drafts.get_mut(packet.at()) else {
                continue;
            };
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            if !draft.is_probed && draft.network_bytes == 0 {
                draft.payload = draft.payload.saturating_sub(bytes);
                draft.take_copy_back(bytes);
            }
        }
        taken
    }
}

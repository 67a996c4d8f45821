//! A TCP socket's receive side: segments become a byte stream, and a read takes bytes, not segments.
//!
//! Source: `net/ipv4/tcp_input.c: tcp_data_queue`, `tcp_ofo_queue`, `tcp_queue_rcv` and `net/ipv4/tcp_ipv4.c:
//! tcp_add_backlog` (v6.1). Segments may be coalesced into one `sk_buff` (`tcp_try_coalesce`); their bytes stay in
//! order, so a queue of lengths suffices to find the read that took a segment's last byte.

mod urgent;

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use super::copied::UnattributedReads;
use super::subflows::PassedOver;
use crate::kernel::protocol::is_after;
use crate::kernel::{AddrId, PacketId};

/// The received and unread segments of a socket.
#[derive(Debug, Default)]
pub struct Stream {
    in_order: VecDeque<Segment>,
    out_of_order: BTreeMap<u32, Segment>,
    /// The next sequence number expected; `None` until a segment showed one.
    rcv_nxt: Option<u32>,
    /// Segments in the socket backlog, in order of arrival.
    pub(super) backlog: VecDeque<PacketId>,
    /// Segments that `tcp_probe` reported and `sk_data_ready` did not (yet): they are after a gap, or about to be
    /// queued.
    early: VecDeque<Segment>,
    /// The `sk_buff` from which the last read copied; others may have been coalesced into it.
    copied_from: Option<PacketId>,
    /// The segment inside which the last read ended.
    left: Option<PacketId>,
    /// Of a multipath TCP socket: segments that stood before a copied one and were not copied.
    pub(super) passed: Vec<PassedOver>,
    /// The multipath TCP socket that reads this stream, if any: its copies name every `sk_buff`.
    pub(super) reader: AddrId,
    /// TCP header length of this connection's data segments, in bytes; 0 until a segment shows it.
    pub(super) header_bytes: u32,
    /// Bytes that reads took and that are not attributed to a segment.
    pub(super) unattributed: UnattributedReads,
    /// Segments that stood before a copied one but that no read can have taken.
    elsewhere: VecDeque<Segment>,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    packet: PacketId,
    unread: u32,
    /// Bytes already read.
    read: u32,
    /// A copy names it, now or later: it was not coalesced into another.
    is_head: bool,
    /// There was no gap before it when it arrived: later segments are queued after it.
    is_placed: bool,
    /// Its last byte is urgent, and nobody has fetched it.
    is_urgent: bool,
}

impl Segment {
    /// A segment without a gap before it, with `unread` bytes.
    const fn placed(packet: PacketId, unread: u32) -> Self {
        Self {
            packet,
            unread,
            read: 0,
            is_head: false,
            is_placed: true,
            is_urgent: false,
        }
    }
}

/// An arriving segment: its payload in bytes, and whether a copy will name it.
#[derive(Debug, Clone, Copy)]
pub struct ArrivedSegment {
    pub packet: PacketId,
    pub bytes: u32,
    pub is_head: bool,
}

/// A segment that a read took up to its last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSegment {
    pub packet: PacketId,
    /// The position of its last byte in the read, from 1.
    pub last_byte: u64,
}

impl ArrivedSegment {
    /// A segment that `tcp_probe` did not report, so that it is unknown whether a copy names it.
    pub const fn unreported(packet: PacketId, bytes: u32) -> Self {
        Self {
            packet,
            bytes,
            is_head: false,
        }
    }
}

impl Stream {
    /// Whether there is a gap before a segment that starts at `seq`.
    pub fn is_out_of_order(&self, seq: u32) -> bool {
        self.rcv_nxt.is_some_and(|next| is_after(seq, next))
    }

    /// Adds a segment to the out-of-order queue.
    pub fn insert_out_of_order(&mut self, packet: PacketId, seq: u32, bytes: u32) {
        self.out_of_order
            .entry(seq)
            .or_insert(Segment::placed(packet, bytes));
    }

    /// Appends a segment to the stream and returns the segments of the out-of-order queue that now follow without a
    /// gap.
    pub fn queue(&mut self, packet: PacketId, seq: Option<u32>, bytes: u32) -> Vec<PacketId> {
        self.in_order.push_back(Segment::placed(packet, bytes));
        let Some(seq) = seq else {
            return Vec::new();
        };
        let mut next = seq.wrapping_add(bytes);
        if let Some(known) = self.rcv_nxt
            && is_after(known, next)
        {
            next = known;
        }
        let mut moved = Vec::new();
        while let Some(seq) = self.first_not_after(next) {
            let Some(segment) = self.out_of_order.remove(&seq) else {
                break;
            };
            let end = seq.wrapping_add(segment.unread);
            // Bytes that an earlier segment already delivered are not counted again.
            let fresh = if is_after(end, next) {
                end.wrapping_sub(next)
            } else {
                0
            };
            next = next.wrapping_add(fresh);
            let segment = Segment::placed(segment.packet, fresh);
            self.in_order.push_back(segment);
            moved.push(segment.packet);
        }
        self.rcv_nxt = Some(next);
        moved
    }

    /// Adds a segment for which it is unknown whether there is a gap before it. The previous one is removed if it was
    /// dropped since: it held duplicate data.
    pub fn enqueue_tentative(
        &mut self,
        arrived: ArrivedSegment,
        is_dropped: impl Fn(PacketId) -> bool,
    ) {
        self.early.pop_back_if(|last| is_dropped(last.packet));
        self.early.push_back(Segment {
            packet: arrived.packet,
            unread: arrived.bytes,
            read: 0,
            is_head: arrived.is_head,
            is_placed: false,
            is_urgent: false,
        });
    }

    /// Queues the last segment in order, where no `sk_data_ready` is recorded, unless it was dropped.
    pub fn commit_tentative(&mut self, is_dropped: impl Fn(PacketId) -> bool) {
        self.early.pop_back_if(|last| is_dropped(last.packet));
        self.ready();
    }

    /// `sk_data_ready` after the last segment: there is no gap before it, and the earlier segments without that event
    /// follow it.
    pub fn ready(&mut self) {
        let last = self.early.pop_back();
        self.in_order.extend(last.map(|last| Segment {
            is_placed: true,
            ..last
        }));
        self.in_order.append(&mut self.early);
    }

    /// Moves a segment to the in-order queue when its `sk_data_ready` may have been lost; whether there was a gap is
    /// unknown.
    pub fn place_loosely(&mut self, packet: PacketId) {
        let mut latest = self.early.iter().rev().take(SEARCH_WINDOW);
        if let Some(behind) = latest.position(|segment| segment.packet == packet) {
            let segment = self.early.remove(self.early.len() - 1 - behind);
            self.in_order.extend(segment);
        }
    }

    /// Whether the last read copied from this packet's `sk_buff` and left unread bytes in it.
    pub fn is_copied(&self, packet: PacketId) -> bool {
        let first = self.in_order.front();
        self.copied_from == Some(packet)
            && first.is_some_and(|first| first.packet == packet || !first.is_head)
    }

    /// Copies `bytes` from the `sk_buff` of `packet`, which may hold coalesced segments. Returns the segments that
    /// are read to their end by now; none if the packet is not in the stream.
    pub fn copy(&mut self, packet: PacketId, bytes: u32) -> Vec<ReadSegment> {
        let is_it = |segment: &Segment| segment.packet == packet;
        let mut taken = Vec::new();
        if self.copied_from != Some(packet) {
            if let Some(at) = self.early.iter().take(SEARCH_WINDOW).position(is_it) {
                self.in_order.extend(self.early.drain(..=at));
            }
            let near = self.in_order.iter().take(SEARCH_WINDOW).position(is_it);
            let Some(at) = near.or_else(|| self.catch_up(packet)) else {
                self.unattributed.add(packet, bytes.into());
                return taken;
            };
            // The segments certainly before it have been read. One that arrived after a gap may be after another gap
            // now.
            let before: Vec<Segment> = self.in_order.drain(..at).collect();
            let (read, behind) = before
                .iter()
                .partition::<Vec<Segment>, _>(|it| it.is_placed && !it.is_head);
            if self.reader.is_some() {
                self.passed.extend(read.iter().map(|segment| PassedOver {
                    packet: segment.packet,
                    behind: packet,
                    reader: self.reader,
                }));
            } else {
                // Segments that no read can have taken are elsewhere: after a gap that was not recorded.
                for segment in read {
                    if self.unattributed.take(segment.unread) {
                        taken.push(ReadSegment {
                            packet: segment.packet,
                            last_byte: 0,
                        });
                    } else {
                        self.elsewhere.push_back(segment);
                    }
                }
            }
            let head = self.in_order.pop_front();
            for &segment in head.iter().chain(&behind).rev() {
                self.in_order.push_front(segment);
            }
            self.copied_from = Some(packet);
        }
        taken.append(&mut self.read_joined(packet, bytes));
        taken
    }

    /// Adds a segment that a copy names and whose arrival no event reported, before the segments that arrived later.
    pub fn enqueue_late(&mut self, packet: PacketId, bytes: u32) {
        let is_it = |segment: &Segment| segment.packet == packet;
        let is_heard =
            self.copied_from == Some(packet) || self.in_order.iter().chain(&self.early).any(is_it);
        if !is_heard {
            let later = self
                .in_order
                .iter()
                .position(|segment| segment.packet > packet);
            let at = later.unwrap_or(self.in_order.len());
            self.in_order.insert(at, Segment::placed(packet, bytes));
        }
    }

    /// Reads bytes from the `sk_buff` of `packet`: first its own, then those of segments coalesced into it.
    fn read_joined(&mut self, packet: PacketId, bytes: u32) -> Vec<ReadSegment> {
        let mut left = bytes;
        let mut taken = Vec::new();
        let has = |segment: &Segment| segment.packet == packet || !segment.is_head;
        while left > 0 {
            let at = self.in_order.iter().take(WIDE_WINDOW).position(has);
            let joined = at.and_then(|at| self.in_order.remove(at));
            let Some(mut segment) = joined.or_else(|| self.elsewhere.pop_front()) else {
                break;
            };
            let read = segment.unread.min(left);
            left -= read;
            if read < segment.unread {
                segment.unread -= read;
                segment.read += read;
                self.left = Some(segment.packet);
                self.in_order.push_front(segment);
            } else {
                taken.push(ReadSegment {
                    packet: segment.packet,
                    last_byte: u64::from(bytes - left),
                });
            }
        }
        taken
    }

    /// A segment is read that has more segments before it than a queue can hold: their reads were not recorded, for
    /// instance because one CPU's buffer begins later than another's. They are removed without a read. Returns the
    /// segment's position.
    fn catch_up(&mut self, packet: PacketId) -> Option<usize> {
        let mut latest = self.in_order.iter().rev().take(WIDE_WINDOW);
        let behind = latest.position(|segment| segment.packet == packet)?;
        let before = self.in_order.len() - 1 - behind;
        self.in_order.drain(..before);
        Some(0)
    }

    /// Whether this segment is the first with unread bytes.
    pub fn begins_with(&self, packet: PacketId) -> bool {
        let first = self.in_order.front().or(self.early.front());
        first.is_some_and(|first| first.packet == packet)
    }

    /// Removes and returns all segments with unread bytes, with the number of bytes read of each.
    pub fn unread(&mut self) -> impl Iterator<Item = (PacketId, u32)> {
        let queues = [&mut self.in_order, &mut self.early, &mut self.elsewhere];
        let unread = queues.map(std::mem::take).into_iter().flatten();
        unread.map(|segment| (segment.packet, segment.read))
    }

    /// The socket is gone. Removes and returns all segments with unread bytes, with the number of bytes read of each.
    pub fn end(&mut self) -> Vec<(PacketId, u32)> {
        let left = self.unread().collect();
        *self = Self {
            passed: std::mem::take(&mut self.passed),
            ..Self::default()
        };
        left
    }

    /// The lowest sequence number in the out-of-order queue that is not after `next`.
    fn first_not_after(&self, next: u32) -> Option<u32> {
        let oldest = next.wrapping_sub(1 << 31);
        let first = |range: RangeInclusive<u32>| self.out_of_order.range(range).next();
        let found = if oldest <= next {
            first(oldest..=next)
        } else {
            first(0..=next).or_else(|| first(oldest..=u32::MAX))
        };
        found.map(|(&seq, _)| seq)
    }

    /// The segment inside which the last read ended; returned once.
    pub const fn take_left(&mut self) -> Option<PacketId> {
        self.left.take()
    }

    /// Whether no segment is known to wait in order.
    pub fn is_read(&self) -> bool {
        self.in_order.is_empty()
    }

    /// Reads `bytes` bytes and returns the segments that are read to their end by that.
    pub fn read(&mut self, bytes: u64) -> Vec<ReadSegment> {
        let mut left = bytes;
        let mut taken = Vec::new();
        while let Some(first) = self.in_order.front_mut() {
            if u64::from(first.unread) > left {
                first.unread -= left as u32;
                first.read += left as u32;
                self.left = Some(first.packet).filter(|_| left > 0).or(self.left);
                break;
            }
            left -= u64::from(first.unread);
            taken.push(ReadSegment {
                packet: first.packet,
                last_byte: bytes - left,
            });
            self.in_order.pop_front();
            if left == 0 {
                break;
            }
        }
        taken
    }
}

/// How many segments are searched for the one that a copy names.
const SEARCH_WINDOW: usize = 64;
/// How many of the latest segments are searched if it is not among the first.
const WIDE_WINDOW: usize = 1024;

#[cfg(test)]
mod tests;

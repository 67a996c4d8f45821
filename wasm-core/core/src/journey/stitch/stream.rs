//! A TCP socket's receive side: segments become a byte stream, and a read takes
//! bytes, not segments.
//!
//! Source: `net/ipv4/tcp_input.c: tcp_data_queue`, `tcp_ofo_queue`, `tcp_queue_rcv`
//! and `net/ipv4/tcp_ipv4.c: tcp_add_backlog` (v6.1). Two segments may be joined in
//! one sk_buff on the way (`tcp_try_coalesce`); their bytes stay in order, so a
//! queue of lengths is enough to know which read took a segment's last byte.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use super::copied::Untold;
use super::subflows::PassedOver;
use crate::kernel::{AddrId, PacketId};

/// Received and not yet read.
#[derive(Debug, Default)]
pub(super) struct Stream {
    in_order: VecDeque<Segment>,
    out_of_order: BTreeMap<u32, Segment>,
    /// The next byte expected, once a segment's number was seen.
    rcv_nxt: Option<u32>,
    /// Segments in the socket backlog, in order of arrival.
    pub backlog: VecDeque<PacketId>,
    /// Segments that `tcp_probe` told and nobody was told of: behind a hole, or about to be.
    early: VecDeque<Segment>,
    /// The sk_buff from which the last read copied; others may have been joined to it.
    copied_from: Option<PacketId>,
    /// The segment in which the last read ended, if it left something of that.
    left: Option<PacketId>,
    /// Segments that stood before one that was copied and that no copy had taken, of a multipath TCP socket.
    pub passed: Vec<PassedOver>,
    /// The multipath TCP socket that reads it, if one does: all its copies name their segments.
    pub reader: AddrId,
    /// Bytes of TCP header in this connection's data segments.
    pub header_bytes: u32,
    /// What reads took of which it is not told what it was.
    pub untold: Untold,
    /// Segments that stood before one that was copied, and that no read can have taken.
    elsewhere: VecDeque<Segment>,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    packet: PacketId,
    unread: u32,
    /// Bytes of it that were read.
    read: u32,
    /// A copy names it, now or later: it joined no other.
    is_head: bool,
    /// It left no hole when it came: whatever comes into the queue later stands behind it.
    is_placed: bool,
}

impl Segment {
    /// A segment that left no hole.
    const fn placed(packet: PacketId, unread: u32) -> Self {
        Self {
            packet,
            unread,
            read: 0,
            is_head: false,
            is_placed: true,
        }
    }
}

/// A segment that comes: with so many bytes, and whether a copy will name it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heard {
    pub packet: PacketId,
    pub bytes: u32,
    pub is_head: bool,
}

/// A segment that a read took to its last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Taken {
    pub packet: PacketId,
    /// Where its last byte lies in the read, from 1.
    pub last_byte: u64,
}

impl Heard {
    /// One that `tcp_probe` has not told of, so that it is not known whether a copy names it.
    pub const fn untold(packet: PacketId, bytes: u32) -> Self {
        Self {
            packet,
            bytes,
            is_head: false,
        }
    }
}

impl Stream {
    /// Whether a segment that starts at `seq` leaves a hole before it.
    pub fn leaves_hole(&self, seq: u32) -> bool {
        self.rcv_nxt.is_some_and(|next| is_after(seq, next))
    }

    /// Takes a segment into the out-of-order queue.
    pub fn queue_out_of_order(&mut self, packet: PacketId, seq: u32, bytes: u32) {
        self.out_of_order
            .entry(seq)
            .or_insert(Segment::placed(packet, bytes));
    }

    /// Appends a segment to the stream and gives the segments of the out-of-order
    /// queue that follow it without a hole now.
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
            // What an earlier segment already brought is not read twice.
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

    /// Takes a segment of which it is not known whether it leaves a hole. The one before may have been
    /// thrown away meanwhile: its bytes had come already.
    pub fn hear(&mut self, heard: Heard, is_dropped: impl Fn(PacketId) -> bool) {
        self.early.pop_back_if(|last| is_dropped(last.packet));
        self.early.push_back(Segment {
            packet: heard.packet,
            unread: heard.bytes,
            read: 0,
            is_head: heard.is_head,
            is_placed: false,
        });
    }

    /// Places what came last, of which no reader is told, unless it was thrown away.
    pub fn settle(&mut self, is_dropped: impl Fn(PacketId) -> bool) {
        self.early.pop_back_if(|last| is_dropped(last.packet));
        self.ready();
    }

    /// The reader is told of the segment that came last: it leaves no hole, and what came before
    /// it without that follows it.
    pub fn ready(&mut self) {
        let last = self.early.pop_back();
        self.in_order.extend(last.map(|last| Segment {
            is_placed: true,
            ..last
        }));
        self.in_order.append(&mut self.early);
    }

    /// Whether the reader was told of this segment, that left no hole then, was not seen: it may have.
    pub fn place_loosely(&mut self, packet: PacketId) {
        let mut latest = self.early.iter().rev().take(LOOK);
        if let Some(behind) = latest.position(|segment| segment.packet == packet) {
            let segment = self.early.remove(self.early.len() - 1 - behind);
            self.in_order.extend(segment);
        }
    }

    /// Whether the last read copied from the sk_buff of this packet, and left something of what that has.
    pub fn is_copied(&self, packet: PacketId) -> bool {
        let first = self.in_order.front();
        self.copied_from == Some(packet)
            && first.is_some_and(|first| first.packet == packet || !first.is_head)
    }

    /// Copies `bytes` from the sk_buff of `packet`, to which others may have been joined, and
    /// gives the segments that are read to their end by it or have been before. None where the packet
    /// was not heard of.
    pub fn copy(&mut self, packet: PacketId, bytes: u32) -> Vec<Taken> {
        let is_it = |segment: &Segment| segment.packet == packet;
        let mut taken = Vec::new();
        if self.copied_from != Some(packet) {
            if let Some(at) = self.early.iter().take(LOOK).position(is_it) {
                self.in_order.extend(self.early.drain(..=at));
            }
            let near = self.in_order.iter().take(LOOK).position(is_it);
            let Some(at) = near.or_else(|| self.catch_up(packet)) else {
                self.untold.add(packet, bytes.into());
                return taken;
            };
            // What surely stands before it has been read. What came behind a hole may stand behind another.
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
                // What no read can have taken stands elsewhere: behind a hole that was not seen.
                for segment in read {
                    if self.untold.take(segment.unread) {
                        taken.push(Taken {
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

    /// Takes a segment that a read's copy names and of which nothing told when it came: it stands before those that came later.
    pub fn hear_late(&mut self, packet: PacketId, bytes: u32) {
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

    /// Reads bytes of what the `sk_buff` of `packet` has, its own and then those of what joined it.
    fn read_joined(&mut self, packet: PacketId, bytes: u32) -> Vec<Taken> {
        let mut left = bytes;
        let mut taken = Vec::new();
        let has = |segment: &Segment| segment.packet == packet || !segment.is_head;
        while left > 0 {
            let at = self.in_order.iter().take(MANY).position(has);
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
                taken.push(Taken {
                    packet: segment.packet,
                    last_byte: u64::from(bytes - left),
                });
            }
        }
        taken
    }

    /// A segment is read that stands behind more than can be: reads of what stands before it were not recorded, as where a
    /// CPU's buffer begins later than another's. When they were is not known. Gives its place.
    fn catch_up(&mut self, packet: PacketId) -> Option<usize> {
        let mut latest = self.in_order.iter().rev().take(MANY);
        let behind = latest.position(|segment| segment.packet == packet)?;
        let before = self.in_order.len() - 1 - behind;
        self.in_order.drain(..before);
        Some(0)
    }

    /// Takes the urgent byte out of what waits and gives its segment, if that had nothing else: most often it is sent
    /// alone. In a longer segment that waits it is the last one's.
    pub fn take_urgent(&mut self, bytes: u32) -> Option<PacketId> {
        let is_alone = |segment: &Segment| segment.unread == bytes;
        if bytes == 0 {
            return None;
        }
        if let Some(at) = self.in_order.iter().take(LOOK).position(is_alone) {
            return self.in_order.remove(at).map(|segment| segment.packet);
        }
        let last = self.in_order.back_mut()?;
        last.unread = last.unread.saturating_sub(bytes);
        None
    }

    /// Whether this segment is the first that nobody has read to its end.
    pub fn begins_with(&self, packet: PacketId) -> bool {
        let first = self.in_order.front().or(self.early.front());
        first.is_some_and(|first| first.packet == packet)
    }

    /// All that nobody has read to its end, with how much of it was read.
    pub fn unread(&mut self) -> impl Iterator<Item = (PacketId, u32)> {
        let queues = [&mut self.in_order, &mut self.early, &mut self.elsewhere];
        let unread = queues.map(std::mem::take).into_iter().flatten();
        unread.map(|segment| (segment.packet, segment.read))
    }

    /// The lowest number in the out-of-order queue that does not come after `next`.
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

    /// The segment in which the last read ended, if it left something of that: once.
    pub const fn take_left(&mut self) -> Option<PacketId> {
        self.left.take()
    }

    /// Whether nothing is known to wait in order.
    pub fn is_read(&self) -> bool {
        self.in_order.is_empty()
    }

    /// Reads `bytes` and gives the segments that are read to their end by it.
    pub fn read(&mut self, bytes: u64) -> Vec<Taken> {
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
            taken.push(Taken {
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

/// So many segments are looked at for one copy.
const LOOK: usize = 64;
/// So many of the latest segments are looked at where that one is not among them.
const MANY: usize = 1024;

/// Whether sequence number `a` comes after `b` (RFC 9293 section 3.4: modulo 2^32).
pub(super) const fn is_after(a: u32, b: u32) -> bool {
    a != b && a.wrapping_sub(b) < 1 << 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_behind_more_than_can_wait_leaves_what_stands_before_it() {
        let mut stream = Stream::default();
        for packet in 0..200 {
            stream.hear(Heard::untold(PacketId(packet), 10), |_| false);
            stream.ready();
        }
        let read = |taken: Vec<Taken>| taken.into_iter().map(|taken| taken.packet.0);
        let first = read(stream.copy(PacketId(150), 20));
        assert_eq!(first.collect::<Vec<_>>(), [150, 151]);
        let next = read(stream.copy(PacketId(152), 10));
        assert_eq!(next.collect::<Vec<_>>(), [152]);
        assert_eq!(stream.unread().count(), 47);
    }
}

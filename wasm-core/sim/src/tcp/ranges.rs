//! Sorted, disjoint ranges of sequence numbers: a receiver's out-of-order queue and a sender's SACKed data.
//!
//! Nothing is allocated before the first hole.

use std::collections::VecDeque;

use super::SackBlocks;

/// A contiguous range of sequence numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    /// First sequence number.
    pub start: u64,
    /// First sequence number after the range.
    pub end: u64,
    /// Number of segments that it was received in.
    pub segments: u32,
}

/// Sorted ranges that neither overlap nor adjoin.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranges {
    list: VecDeque<Range>,
    bytes: u64,
}

impl Ranges {
    /// Whether there is no range.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of sequence numbers in all ranges.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The ranges, lowest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Range> {
        self.list.iter()
    }

    /// The end of the highest range; 0 if there is none.
    pub fn highest(&self) -> u64 {
        self.list.back().map_or(0, |range| range.end)
    }

    /// The range that contains `seq`.
    pub fn containing(&self, seq: u64) -> Option<&Range> {
        let at = self.list.partition_point(|range| range.end <= seq);
        self.list.get(at).filter(|range| range.start <= seq)
    }

    /// The ranges that end above `seq`, lowest first.
    pub fn above(&self, seq: u64) -> impl Iterator<Item = &Range> {
        let at = self.list.partition_point(|range| range.end <= seq);
        self.list.range(at..)
    }

    /// Adds the range of one segment; returns how many of its sequence numbers are new.
    pub fn insert(&mut self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        let first = self.list.partition_point(|range| range.end < start);
        let mut merged = Range {
            start,
            end,
            segments: 1,
        };
        let mut known = 0;
        let mut last = first;
        while let Some(range) = self.list.get(last).filter(|range| range.start <= end) {
            if range.start <= start && end <= range.end {
                return 0;
            }
            known += range.end - range.start;
            merged.start = merged.start.min(range.start);
            merged.end = merged.end.max(range.end);
            merged.segments += range.segments;
            last += 1;
        }
        if first == last {
            self.list.insert(first, merged);
        } else {
            self.list[first] = merged;
            self.list.drain(first + 1..last);
        }
        let new = (merged.end - merged.start) - known;
        self.bytes += new;
        new
    }

    /// Removes and returns the lowest range if it starts at or below `seq`.
    pub fn take_reached(&mut self, seq: u64) -> Option<Range> {
        let range = *self.list.front().filter(|range| range.start <= seq)?;
        self.list.pop_front();
        self.bytes -= range.end - range.start;
        Some(range)
    }

    /// Removes all sequence numbers below `seq`.
    pub fn forget_below(&mut self, seq: u64) {
        while let Some(range) = self.take_reached(seq) {
            if range.end > seq {
                self.bytes += range.end - seq;
                self.list.push_front(Range {
                    start: seq,
                    ..range
                });
                return;
            }
        }
    }

    /// The SACK blocks of a receiver whose RCV.NXT is `rcv_nxt`: the most recently received ranges first (RFC
    /// 2018 §4), then the lowest.
    pub fn sack_blocks(&self, recent: &[u64], rcv_nxt: u64) -> SackBlocks {
        let mut blocks = SackBlocks::default();
        let mut starts = [u64::MAX; 3];
        let latest = recent.iter().filter_map(|&seq| self.containing(seq));
        for range in latest.chain(self.iter().take(3)) {
            if blocks.len() == 3 {
                break;
            }
            if !starts.contains(&range.start) {
                starts[blocks.len()] = range.start;
                blocks.push((range.start - rcv_nxt) as u32, (range.end - rcv_nxt) as u32);
            }
        }
        blocks
    }
}

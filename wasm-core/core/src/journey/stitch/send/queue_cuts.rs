//! Packets segmented by a queueing discipline: a token bucket (TBF) takes none longer than its burst.
//!
//! `net/sched/sch_tbf.c: tbf_segment` (v6.18) segments the packet, frees it and queues its segments. They have no
//! event before they leave the queue, in order. A segment has the packet's headers and a part of its payload; all but
//! the last are as long as the first.

use std::collections::{BTreeMap, VecDeque};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::headers::{
    LINK_HEADER, TCP_HEADER, TCP_HEADER_LEAST, UDP_HEADER,
};
use crate::journey::stitch::packet::location::{freeing_function, is_of_token_bucket};
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe};

/// The limit of segmented packets that wait at one device, above the length of its queue.
const MAX_WAITING: usize = 4096;

/// Lengths in bytes of the transport headers of large packets: TCP with and without timestamps (RFC 7323 section 3.2,
/// RFC 9293 section 3.1), UDP (RFC 768).
const HEADERS: [u32; 3] = [TCP_HEADER, TCP_HEADER_LEAST, UDP_HEADER];

/// The segmented packets by device, in the order of its queue.
#[derive(Debug, Default)]
pub struct QueueCuts(BTreeMap<u32, VecDeque<QueueCut>>);

#[derive(Debug)]
struct QueueCut {
    whole: PacketId,
    /// The event that reports the packet as enqueued.
    queued: EventIdx,
    /// Set when the first segment has left: its length, and the bytes of headers in each segment.
    first: Option<(u32, u32)>,
    /// Length in bytes of the remaining segments, as if they were one packet.
    left: u32,
}

impl Stitcher<'_> {
    /// Records that the device's qdisc segmented the packet; its enqueue event comes afterwards.
    pub fn note_cut(&mut self, whole: PacketId, index: EventIdx) {
        let draft = &self.table[whole];
        let freed = draft.entries.iter().rev().map(|entry| entry.event);
        let is_by_it =
            |&at: &EventIdx| freeing_function(self.run, at).is_some_and(is_of_token_bucket);
        let freed = freed.take(2).find(is_by_it);
        if let (Some(_), Some(dev)) = (freed, draft.dev) {
            let queue = self.queue_cuts.0.entry(dev).or_default();
            queue.push_back(QueueCut {
                whole,
                queued: index,
                first: None,
                left: draft.bytes,
            });
            let surplus = queue.len().saturating_sub(MAX_WAITING);
            queue.drain(..surplus);
        }
    }

    /// A packet without an enqueue event reaches a driver: the next segment of the packet segmented at that device.
    pub fn take_segment(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let draft = &self.table[packet];
        let comes_out = |probe| matches!(probe, Probe::QdiscDequeue | Probe::NetDevStartXmit);
        let mut probes = draft.entries.iter().map(|it| self.run.probe[it.event.at()]);
        let is_new = probes.len() <= 2 && probes.all(comes_out) && !draft.cut_from.is_some();
        let dev = self.run.field(index, Field::Dev);
        let queue = dev.and_then(|dev| self.queue_cuts.0.get_mut(&dev));
        let Some(queue) = queue.filter(|_| is_new && event.len != Event::NO_LEN) else {
            return;
        };
        // A longer one is of the next packet; the remaining segments of this one were not recorded.
        let is_longer = |cut: &QueueCut| cut.first.is_some_and(|(first, _)| event.len > first);
        queue.pop_front_if(|cut| is_longer(cut));
        let Some(cut) = queue.front_mut().filter(|cut| event.len <= cut.left) else {
            return;
        };
        let below = LINK_HEADER + draft.headers.ip_header();
        let left = cut.left;
        let (first, headers) = *cut.first.get_or_insert_with(|| {
            let all = HEADERS.map(|header| below + header);
            let cuts_evenly = |&header: &u32| {
                let payload = event.len.checked_sub(header).filter(|&payload| payload > 0);
                payload.is_some_and(|payload| (left - header).is_multiple_of(payload))
            };
            (
                event.len,
                all.into_iter().find(cuts_evenly).unwrap_or(all[0]),
            )
        });
        cut.left -= event.len.saturating_sub(headers);
        let (whole, queued) = (cut.whole, cut.queued);
        if event.len < first || cut.left <= headers {
            queue.pop_front();
        }
        let of_whole = self.run.event(queued);
        self.table.adopt(packet, queued, &of_whole);
        self.table.cut(whole, packet);
    }
}

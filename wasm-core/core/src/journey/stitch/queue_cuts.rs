//! Packets that a queueing discipline cuts: a token bucket takes none that is longer than its burst.
//!
//! `net/sched/sch_tbf.c: tbf_segment` (v6.18) cuts the packet, frees it and queues its segments, of which no event tells
//! before they leave the queue. They leave it in order. A segment is the packet's headers with a part of its payload, all
//! but the last as long as the first.

use std::collections::{BTreeMap, VecDeque};

use super::Stitcher;
use super::transmit::LINK_HEADER;
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe};

/// So many that are cut wait at one device: more than its queue holds.
const MANY: usize = 4096;

/// Bytes of the transport's headers that large packets have: TCP's with timestamps and without (RFC 7323 section 3.2, RFC
/// 9293 section 3.1), UDP's (RFC 768).
const HEADERS: [u32; 3] = [32, 20, 8];

/// What was cut, by device, in the order of its queue.
#[derive(Debug, Default)]
pub(super) struct QueueCuts(BTreeMap<u32, VecDeque<QueueCut>>);

#[derive(Debug)]
struct QueueCut {
    whole: PacketId,
    /// The event that reports that it is in the queue.
    queued: EventIdx,
    /// Once the first segment has left: its length, and bytes of headers in each.
    first: Option<(u32, u32)>,
    /// Bytes of the segments that have not left, if they were one.
    left: u32,
}

impl Stitcher<'_> {
    /// The packet was cut by its device's queueing discipline, which reports now that it is in the queue.
    pub(super) fn note_cut(&mut self, whole: PacketId, index: EventIdx) {
        let draft = &self.drafts[whole.at()];
        let freed = draft.entries.iter().rev().map(|entry| entry.event);
        let freed = freed.take(2).find(|at| {
            let location = self.run.field_name(*at, Field::Location);
            location.is_some_and(|function| function.starts_with("tbf_"))
        });
        if let (Some(_), Some(dev)) = (freed, draft.dev) {
            let queue = self.queue_cuts.0.entry(dev).or_default();
            queue.push_back(QueueCut {
                whole,
                queued: index,
                first: None,
                left: draft.bytes,
            });
            let surplus = queue.len().saturating_sub(MANY);
            queue.drain(..surplus);
        }
    }

    /// A packet that was in no queue comes to a driver: it is the next segment of what was cut at that device.
    pub(super) fn take_segment(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let draft = &self.drafts[packet.at()];
        let comes_out = |probe| matches!(probe, Probe::QdiscDequeue | Probe::NetDevStartXmit);
        let mut probes = draft.entries.iter().map(|it| self.run.probe[it.event.at()]);
        let is_new = probes.len() <= 2 && probes.all(comes_out) && !draft.cut_from.is_some();
        let dev = self.run.field(index, Field::Dev);
        let queue = dev.and_then(|dev| self.queue_cuts.0.get_mut(&dev));
        let Some(queue) = queue.filter(|_| is_new && event.len != Event::NO_LEN) else {
            return;
        };
        // Longer than the first it is another's, and what is missing of that one was not seen.
        let is_longer = |cut: &QueueCut| cut.first.is_some_and(|(first, _)| event.len > first);
        queue.pop_front_if(|cut| is_longer(cut));
        let Some(cut) = queue.front_mut().filter(|cut| event.len <= cut.left) else {
            return;
        };
        let below = LINK_HEADER + draft.ip_header();
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
        self.adopt(packet, queued, &of_whole);
        self.cut(whole, packet);
    }
}

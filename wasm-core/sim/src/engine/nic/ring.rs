//! Descriptor rings: posted buffers, received frames, and packets being sent.

use std::collections::VecDeque;

use crate::engine::ids::{BufferId, SkbId};
use crate::engine::memory::skbuff::RxBuffer;
use crate::qdisc::Discipline;
use crate::time::SimTime;

use super::byte_limit::ByteLimit;

/// A receive ring.
#[derive(Debug, Default)]
pub struct RxRing {
    /// Number of descriptors.
    pub limit: u32,
    /// Buffers posted to the NIC.
    pub posted: VecDeque<RxBuffer>,
    /// Received frames in memory that the driver has not processed.
    pub ready: VecDeque<RxBuffer>,
    /// Number of frames that are crossing the buses.
    pub in_dma: u32,
}

impl RxRing {
    /// Takes the descriptor for an arriving frame and returns its buffer; `None`: the frame is missed
    /// (`rx_missed_errors`).
    pub fn take_descriptor(&mut self) -> Option<RxBuffer> {
        let buffer = self.posted.pop_front()?;
        self.in_dma += 1;
        Some(buffer)
    }

    /// A frame has been written to memory; returns how many now wait for the driver.
    pub fn received(&mut self, rx: RxBuffer) -> u32 {
        self.in_dma -= 1;
        self.ready.push_back(rx);
        self.ready.len() as u32
    }

    /// Number of descriptors with a posted buffer.
    pub fn free(&self) -> u32 {
        self.posted.len() as u32
    }

    /// Number of descriptors without a buffer, whose frames the driver has taken.
    pub fn empty(&self) -> u32 {
        let full = self.posted.len() as u32 + self.ready.len() as u32 + self.in_dma;
        self.limit.saturating_sub(full)
    }

    /// Posts a buffer to the NIC; false if no descriptor is empty.
    pub fn post(&mut self, buffer: RxBuffer) -> bool {
        let has_room = self.empty() > 0;
        if has_room {
            self.posted.push_back(buffer);
        }
        has_room
    }

    /// The frame was not written to memory after all: its buffer is posted again.
    pub fn give_back(&mut self, rx: RxBuffer) {
        self.in_dma -= 1;
        self.posted.push_front(rx);
    }

    /// Resizes the ring to `limit` descriptors; returns the buffers that no longer fit. Received frames stay;
    /// additional descriptors get buffers at the driver's next refill.
    pub fn resize(&mut self, limit: u32) -> VecDeque<RxBuffer> {
        self.limit = limit.max(1);
        let full = self.ready.len() as u32 + self.in_dma;
        let room = self.limit.saturating_sub(full) as usize;
        self.posted.split_off(self.posted.len().min(room))
    }
}

/// Transmit descriptors, and the qdisc in front of them.
#[derive(Debug, Default)]
pub struct TxRing {
    /// Number of descriptors.
    pub limit: u32,
    /// Packets posted to the NIC and not yet sent.
    pub in_flight: u32,
    /// Packets sent and not yet freed by TX completion.
    pub sent: VecDeque<SkbId>,
    /// The qdisc.
    pub qdisc: Box<dyn Discipline>,
    /// When the qdisc's watchdog goes off, if it is set.
    pub watchdog: Option<SimTime>,
    /// The limit of the bytes posted and not yet freed, if there is one (BQL).
    pub byte_limit: Option<ByteLimit>,
    /// Bytes freed by the TX completion under way.
    pub freed_bytes: u64,
}

impl TxRing {
    /// Whether a packet may be posted: a descriptor is free, as those of sent packets are once TX completion has
    /// freed the packets, and the limit of bytes is not exceeded.
    pub fn has_room(&self) -> bool {
        self.in_flight + (self.sent.len() as u32) < self.limit
            && self.byte_limit.is_none_or(|limit| limit.has_room())
    }

    /// A packet of so many bytes is posted.
    ///
    /// Simplified ("descriptors of a large packet"): it takes one descriptor.
    pub fn post(&mut self, bytes: u32) {
        self.in_flight += 1;
        if let Some(limit) = &mut self.byte_limit {
            limit.sent(bytes);
        }
    }

    /// TX completion frees a packet of so many bytes, which is no longer among those sent.
    pub fn free(&mut self, bytes: u32) {
        self.freed_bytes += u64::from(bytes);
    }

    /// A TX completion has ended: the limit of bytes is told all that it has freed (`netdev_tx_completed_queue`).
    pub fn completed(&mut self, now: SimTime) {
        let freed = std::mem::take(&mut self.freed_bytes);
        if let Some(limit) = self.byte_limit.as_mut().filter(|_| freed > 0) {
            limit.completed(freed, now);
        }
    }

    /// Whether a packet may leave the qdisc and a descriptor is free.
    pub fn can_go_on(&self, now: SimTime) -> bool {
        self.qdisc.is_ready(now) && self.has_room()
    }

    /// Sets the qdisc's watchdog where packets wait and none may leave yet; returns when it is to go off, unless it
    /// goes off before that anyway.
    pub fn set_watchdog(&mut self, now: SimTime) -> Option<SimTime> {
        let due = self
            .qdisc
            .watchdog()
            .filter(|_| !self.qdisc.is_ready(now))?;
        if self.watchdog.is_some_and(|set| set <= due) {
            return None;
        }
        self.watchdog = Some(due);
        Some(due)
    }
}

/// The XDP send queue: transmit descriptors for frames without an `sk_buff`. There is no qdisc in front of it;
/// a frame that finds no descriptor is dropped.
#[derive(Debug, Default)]
pub struct XdpRing {
    /// Number of descriptors.
    pub limit: u32,
    /// Frames posted to the NIC and not yet sent.
    pub in_flight: u32,
    /// Frames sent whose memory has not been returned.
    pub sent: VecDeque<BufferId>,
}

impl XdpRing {
    /// Takes a descriptor; false if none is free.
    pub fn take(&mut self) -> bool {
        let is_free = self.free() > 0;
        self.in_flight += u32::from(is_free);
        is_free
    }

    /// Number of free descriptors.
    pub fn free(&self) -> u32 {
        let used = self.in_flight + self.sent.len() as u32;
        self.limit.saturating_sub(used)
    }

    /// A frame has been sent.
    pub fn has_sent(&mut self, buffer: BufferId) {
        self.in_flight -= 1;
        self.sent.push_back(buffer);
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::ids::Id as _;

    use super::*;
    use crate::qdisc::{PfifoFast, Queued, Skb};

    fn skbs(count: usize) -> impl Iterator<Item = SkbId> {
        (0..count).map(SkbId::from_index)
    }

    fn buffer(index: usize) -> RxBuffer {
        RxBuffer {
            buffer: BufferId::from_index(index),
            skb: None,
        }
    }

    fn ring(limit: usize) -> RxRing {
        RxRing {
            limit: limit as u32,
            posted: (0..limit).map(buffer).collect(),
            ..RxRing::default()
        }
    }

    #[test]
    fn a_descriptor_is_free_in_dma_full_and_empty_in_turn() {
        let mut ring = ring(2);
        let [one, two] = [ring.take_descriptor(), ring.take_descriptor()];
        assert_eq!(ring.take_descriptor(), None, "a third frame is missed");
        assert_eq!((ring.in_dma, ring.empty()), (2, 0));
        assert_eq!(one.map(|skb| ring.received(skb)), Some(1));
        assert_eq!(two.map(|skb| ring.received(skb)), Some(2));
        assert_eq!(ring.empty(), 0, "the driver has not taken them");
        ring.ready.pop_front();
        assert_eq!(ring.empty(), 1);
        assert!(ring.post(buffer(7)));
        assert!(!ring.post(buffer(8)), "no descriptor is empty");
    }

    #[test]
    fn a_ring_that_shrinks_keeps_the_frames_that_are_in() {
        let mut ring = ring(8);
        for _ in 0..3 {
            let skb = ring.take_descriptor();
            skb.map(|skb| ring.received(skb));
        }
        assert_eq!(
            ring.resize(4).len(),
            4,
            "one free descriptor is left of five"
        );
        assert_eq!(
            (ring.ready.len(), ring.posted.len(), ring.empty()),
            (3, 1, 0)
        );
        assert_eq!(ring.resize(0).len(), 1, "a ring has at least one");
        assert_eq!(ring.ready.len(), 3);
        assert_eq!(ring.resize(16).len(), 0);
        assert_eq!(ring.empty(), 13, "more wait for the driver");
    }

    #[test]
    fn a_frame_that_is_not_there_after_all_frees_its_descriptor() {
        let mut ring = ring(1);
        let taken = ring.take_descriptor().unwrap();
        ring.give_back(taken);
        assert_eq!((ring.free(), ring.in_dma), (1, 0));
    }

    #[test]
    fn an_xdp_ring_has_no_queue_in_front_of_it() {
        let mut xdp = XdpRing {
            limit: 2,
            ..XdpRing::default()
        };
        assert!(xdp.take() && xdp.take());
        assert!(!xdp.take(), "a third frame has no descriptor");
        xdp.has_sent(BufferId::from_index(0));
        assert!(!xdp.take(), "its memory has not gone back");
        xdp.sent.clear();
        assert!(xdp.take());
    }

    #[test]
    fn sent_packets_keep_their_descriptors_until_they_are_cleaned_up() {
        let waits = Queued::of(Skb(7));
        let mut tx = TxRing {
            limit: 2,
            in_flight: 1,
            ..TxRing::default()
        };
        assert!(tx.has_room());
        tx.sent.extend(skbs(1));
        assert!(!tx.has_room());
        tx.qdisc = Box::new(PfifoFast::new(1));
        tx.qdisc.enqueue(waits);
        assert!(!tx.can_go_on(SimTime::ZERO));
        tx.sent.clear();
        assert!(tx.can_go_on(SimTime::ZERO));
    }
}

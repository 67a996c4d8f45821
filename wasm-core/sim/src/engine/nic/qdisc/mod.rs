//! Queueing disciplines: the queue between IP and a device's transmit ring.
//!
//! A discipline decides which packet leaves next and which are dropped; [`Net`](crate::engine::net::Net) tells it
//! of packets, and frees what it drops.

mod codel;
pub mod fq_codel;

use std::collections::VecDeque;

use crate::engine::ids::SkbId;
use crate::time::SimTime;
use fq_codel::FqCodel;
use ringside::kernel::DropReason;

/// A packet as a queueing discipline sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// The packet.
    pub skb: SkbId,
    /// The flow that it belongs to (`skb_get_hash`).
    pub flow: u32,
    /// Bytes that it occupies on the wire, with the headers of each frame (`qdisc_pkt_len`).
    pub bytes: u32,
    /// Bytes of memory that it occupies (`truesize`).
    pub memory: u32,
    /// When it was enqueued.
    pub at: SimTime,
}

#[cfg(test)]
impl Queued {
    /// A packet of one byte.
    pub fn of(skb: SkbId) -> Self {
        Self {
            skb,
            flow: 0,
            bytes: 1,
            memory: 1,
            at: SimTime::ZERO,
        }
    }
}

/// The queueing discipline of a device.
#[derive(Debug)]
pub enum Qdisc {
    /// `pfifo_fast` with packets of one priority.
    PfifoFast(Fifo),
    /// `fq_codel`.
    FqCodel(Box<FqCodel>),
}

/// One queue, first in first out.
#[derive(Debug, Default)]
pub struct Fifo {
    packets: VecDeque<Queued>,
    /// Maximum number of packets (`tx_queue_len`).
    limit: u32,
}

impl Default for Qdisc {
    fn default() -> Self {
        Self::pfifo_fast(0)
    }
}

impl Qdisc {
    /// A `pfifo_fast` of at most `limit` packets.
    pub fn pfifo_fast(limit: u32) -> Self {
        Self::PfifoFast(Fifo {
            packets: VecDeque::new(),
            limit,
        })
    }

    /// Enqueues a packet; returns those that are dropped for lack of room, the packet itself perhaps among them.
    pub fn enqueue(&mut self, packet: Queued) -> Vec<SkbId> {
        match self {
            Self::PfifoFast(fifo) if fifo.packets.len() as u32 >= fifo.limit => vec![packet.skb],
            Self::PfifoFast(fifo) => {
                fifo.packets.push_back(packet);
                Vec::new()
            }
            Self::FqCodel(fq) => fq.enqueue(packet),
        }
    }

    /// Dequeues the next packet to send at `now`; appends to `dropped` those that are dropped on the way to it.
    pub fn dequeue(&mut self, now: SimTime, dropped: &mut Vec<SkbId>) -> Option<SkbId> {
        match self {
            Self::PfifoFast(fifo) => fifo.packets.pop_front().map(|packet| packet.skb),
            Self::FqCodel(fq) => fq.dequeue(now, dropped),
        }
    }

    /// Number of packets.
    pub fn len(&self) -> u32 {
        match self {
            Self::PfifoFast(fifo) => fifo.packets.len() as u32,
            Self::FqCodel(fq) => fq.len(),
        }
    }

    /// Whether it holds no packet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Maximum number of packets.
    pub fn limit(&self) -> u32 {
        match self {
            Self::PfifoFast(fifo) => fifo.limit,
            Self::FqCodel(fq) => fq.limit(),
        }
    }

    /// Its packets.
    pub fn packets(&self) -> Box<dyn Iterator<Item = SkbId> + '_> {
        match self {
            Self::PfifoFast(fifo) => Box::new(fifo.packets.iter().map(|packet| packet.skb)),
            Self::FqCodel(fq) => Box::new(fq.packets()),
        }
    }

    /// Why a packet is dropped that there is no room for.
    pub fn overlimit(&self) -> DropReason {
        match self {
            Self::PfifoFast(_) => DropReason::QdiscDrop,
            Self::FqCodel(fq) => fq.reasons().overlimit,
        }
    }

    /// Why a packet is dropped while packets are dequeued.
    pub fn congested(&self) -> DropReason {
        match self {
            Self::PfifoFast(_) => DropReason::QdiscDrop,
            Self::FqCodel(fq) => fq.reasons().congested,
        }
    }
}

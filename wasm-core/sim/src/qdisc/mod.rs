//! Queueing disciplines: what waits for a device, which packet leaves next and which are dropped.
//!
//! A discipline is a folder with its parameters, what is wrong with them, its state and its tests, and a line in
//! [`ALL`]. The choice in a scenario, its words and its schema, the check of a kernel's file and the refusal of what
//! a kernel does not have follow from that list. Disciplines know neither the engine nor a clock; time is an argument.

mod codel;
mod fq;
mod fq_codel;
mod pfifo_fast;

use std::fmt;

use ringside::kernel::DropReason;
use serde::{Deserialize, Deserializer, de};

use crate::chosen::chosen;
use crate::ecn::Ecn;
use crate::simplification::Simplification;
use crate::time::SimTime;

pub use pfifo_fast::PfifoFast;

/// Every discipline. The first is that of a device for which a scenario chooses none.
pub const ALL: &[Kind] = &[pfifo_fast::KIND, fq_codel::KIND, fq::KIND];

/// What is to be known of a discipline beside its state.
#[derive(Debug)]
pub struct Kind {
    /// Its name (`struct Qdisc_ops: id`).
    pub name: &'static str,
    /// One that holds no packet, for a device; `None` where the kernel does not have it.
    pub start: fn(&Qdiscs, Device) -> Option<Box<dyn Discipline>>,
    /// What is wrong with its parameters in a kernel's file: the field and why.
    pub check: fn(&Qdiscs) -> Result<(), String>,
    /// What it leaves out or does in another way than Linux.
    pub left_out: Simplification,
}

chosen!(
    "queueing discipline",
    "Qdisc",
    "A queueing discipline (`tc qdisc`)."
);

/// The disciplines of a kernel that have parameters. Each kernel has `pfifo_fast`, which has none.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Qdiscs {
    /// `fq_codel`, from 3.5 on.
    pub fq_codel: Option<fq_codel::Parameters>,
    /// `fq`, from 3.12 on.
    pub fq: Option<fq::Parameters>,
}

impl Qdiscs {
    /// The names of all that a device of this kernel can have.
    pub fn names(&self, device: Device) -> impl Iterator<Item = &'static str> {
        let kinds = ALL
            .iter()
            .filter(move |kind| (kind.start)(self, device).is_some());
        kinds.map(|kind| kind.name)
    }

    /// What is wrong with the parameters, with the place.
    pub fn check(&self) -> Result<(), String> {
        ALL.iter().try_for_each(|kind| {
            (kind.check)(self).map_err(|error| format!("qdiscs.{}.{error}", kind.name))
        })
    }
}

/// What a discipline has to know of its device.
#[derive(Debug, Clone, Copy)]
pub struct Device {
    /// Bytes of a whole frame without what the wire adds (`psched_mtu`).
    pub frame_bytes: u32,
    /// Most packets in its queue (`tx_queue_len`).
    pub queue_packets: u32,
}

/// A packet, by its number at whoever enqueued it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skb(pub u32);

/// A packet as a discipline sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// The packet.
    pub skb: Skb,
    /// The flow that it belongs to (`skb_get_hash`).
    pub flow: u32,
    /// Bytes that it occupies on the wire, with the headers of each frame (`qdisc_pkt_len`).
    pub bytes: u32,
    /// Bytes of memory that it occupies (`truesize`).
    pub memory: u32,
    /// When it is to leave (`tstamp`); zero, or any time that is over: as soon as it can.
    pub departs: SimTime,
    /// When it was enqueued.
    pub at: SimTime,
    /// What its IP header says of ECN.
    pub ecn: Ecn,
}

#[cfg(test)]
impl Queued {
    /// A packet of one byte.
    pub fn of(skb: Skb) -> Self {
        Self {
            skb,
            flow: 0,
            bytes: 1,
            memory: 1,
            departs: SimTime::ZERO,
            at: SimTime::ZERO,
            ecn: Ecn::NotEct,
        }
    }
}

/// A packet that a discipline does not take, or that gives way to one that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// The packet.
    pub skb: Skb,
    /// Why it is dropped.
    pub reason: DropReason,
}

/// What became of packets as the next one was dequeued.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Those that were dropped before it.
    pub dropped: Vec<Skb>,
    /// Whether it is marked itself in the place of a drop (`ecn_mark`).
    pub is_marked: bool,
}

/// What waits for a device.
pub trait Discipline: fmt::Debug {
    /// Enqueues a packet; returns those that are dropped for it, the packet itself perhaps among them.
    fn enqueue(&mut self, packet: Queued) -> Vec<Dropped>;

    /// Dequeues the next packet to send at `now`; enters what becomes of packets on the way to it.
    fn dequeue(&mut self, now: SimTime, verdicts: &mut Verdicts) -> Option<Skb>;

    /// Number of packets.
    fn len(&self) -> u32;

    /// Whether it holds no packet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Maximum number of packets.
    fn limit(&self) -> u32;

    /// Its packets.
    fn packets(&self) -> Box<dyn Iterator<Item = Skb> + '_>;

    /// Whether one of its packets may leave at `now`.
    fn is_ready(&self, _now: SimTime) -> bool {
        !self.is_empty()
    }

    /// When it is to be asked again, where none of its packets may leave yet (`qdisc_watchdog`); `None`: it lets none
    /// wait for their time.
    fn watchdog(&self) -> Option<SimTime> {
        None
    }

    /// Whether it keeps to the departure times of packets, so that TCP gives them some (`SK_PACING_FQ`).
    fn paces(&self) -> bool {
        false
    }

    /// Whether a packet that finds it empty goes past it (`TCQ_F_CAN_BYPASS`).
    fn can_bypass(&self) -> bool {
        true
    }

    /// Why packets are dropped while others are dequeued, and the function that frees them; `None`: none are.
    fn congested(&self) -> Option<(DropReason, &str)> {
        None
    }
}

impl Default for Box<dyn Discipline> {
    fn default() -> Self {
        Box::new(PfifoFast::new(0))
    }
}

/// A drop reason by the kernel's name, as a kernel's file has it.
fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DropReason, D::Error> {
    let name = String::deserialize(deserializer)?;
    DropReason::from_name(&name)
        .ok_or_else(|| de::Error::custom(format!("{name} is no reason of a drop")))
}

#[cfg(test)]
mod tests;

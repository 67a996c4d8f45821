//! Replay: the state of everything at any moment of a run.
//!
//! Everything on screen is a step function of time. Each is built once from the
//! run and its journeys, and [`Replay::at`] reads it by binary search, so playing,
//! stepping, seeking and rewinding are the same thing and give the same frames.

mod counters;
mod counts;
mod frame;
mod given;
mod growth;
mod lane_state;
mod lanes;
mod live;
pub mod machine;
mod places;
mod polls;
mod queues;
mod step;
mod strips;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::journey::Journeys;
use crate::kernel::{EventIdx, PacketId};
use crate::run::Run;

pub use counters::{Counters, RecordedTotals, Totals};
pub use counts::{Basis, Counts};
pub use frame::{CpuColumns, Frame, NO_WORD, NONE, PacketColumns};
pub use growth::Growth;
pub use lanes::{ContextTimes, Doing, Lane, Lanes};
pub use machine::{Machine, MachineColumns};
pub use places::{NO_QUEUE, Places, Visit};
pub use queues::{Queue, QueueKey, sockets};
pub use step::{Step, StepKind};
pub use strips::{Depths, Strip, column_bounds};

/// A run made ready to be looked at at any time.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The run.
    pub run: Rc<Run>,
    /// Its journeys.
    pub journeys: Rc<Journeys>,
    /// What each CPU did.
    pub lanes: Lanes,
    /// The queues; frames give depths and limits in this order.
    pub queues: Vec<Queue>,
    /// Where packets stand, over the whole run.
    pub places: Places,
    /// The polls of network devices, in order.
    pub polls: Vec<EventIdx>,
    /// The running totals.
    pub totals: Totals,
    /// What merged into what.
    pub growth: Growth,
    /// The drops, in order of time.
    pub drops: Vec<Step>,
    /// What only a model knows.
    pub machine: Machine,
    given: given::Given,
    live: live::Live,
    /// The pieces of each packet whose record tells several apart, ascending.
    pieces: BTreeMap<PacketId, Vec<u32>>,
}

impl Replay {
    /// Builds every step function once.
    pub fn new(run: Rc<Run>, journeys: Rc<Journeys>) -> Self {
        let pieces = |id| {
            let mut pairs = journeys.stays(id).windows(2);
            let are_several = pairs.any(|pair| pair[0].piece != pair[1].piece);
            are_several.then(|| journeys.told_apart(id))
        };
        let pieces = journeys
            .ids()
            .filter_map(|id| Some((id, pieces(id)?)))
            .collect();
        let of_stays = queues::of_stays(&run, &journeys);
        let waits = machine::Waits::of(&run);
        let queues = queues::of(&run, &journeys, &of_stays, &waits);
        let polls = polls::device_polls(&run);
        Self {
            lanes: Lanes::of(&run),
            places: Places::of(&run, &journeys, &queues, &of_stays),
            queues,
            totals: Totals::of(&run, &journeys, &polls),
            polls,
            growth: Growth::of(&run, &journeys),
            drops: step::drops_of(&run, &journeys),
            machine: Machine::of(&run, &journeys, waits, queues::socket_names(&run)),
            given: given::Given::of(&run),
            live: live::Live::of(&journeys),
            pieces,
            run,
            journeys,
        }
    }

    /// The queue that a stay is in, by the stay's place in [`Journeys::stays`], with its own place
    /// in [`Replay::queues`]; none outside of any.
    pub fn queue_of_stay(&self, stay: u32) -> Option<(u32, &Queue)> {
        let place = self.places.queue(stay as usize);
        Some((place, self.queues.get(place as usize)?))
    }

    /// Whether a packet's record tells several pieces of it apart.
    pub fn has_pieces(&self, packet: PacketId) -> bool {
        self.pieces.contains_key(&packet)
    }
}

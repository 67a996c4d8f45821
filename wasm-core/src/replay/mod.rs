//! Replay: the state of everything at any moment of a run.
//!
//! Everything on screen is a step function of time. Each is built once from the
//! run and its journeys, and [`Replay::at`] reads it by binary search, so playing,
//! stepping, seeking and rewinding are the same thing and give the same frames.

mod counters;
mod frame;
mod growth;
mod lane_state;
mod lanes;
mod live;
pub mod machine;
mod places;
mod queues;
mod step;
mod strips;
#[cfg(test)]
pub(crate) mod tests;

use std::rc::Rc;

use crate::journey::Journeys;
use crate::journey::service::{self, Work};
use crate::kernel::PacketId;
use crate::run::Run;

pub use counters::{Counters, Told, Totals};
pub use frame::{CpuColumns, Frame, NO_WORD, NONE, PacketColumns};
pub use growth::Growth;
pub use lanes::{ContextTimes, Doing, Lane, Lanes};
pub use machine::{Machine, MachineColumns};
pub use places::{NO_QUEUE, Places, Visit};
pub use queues::{Queue, QueueKey, sockets};
pub use step::{Step, StepKind, Steps};
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
    /// What each CPU worked on, in the order of the lanes.
    pub work: Vec<Work>,
    /// The queues; frames give depths and limits in this order.
    pub queues: Vec<Queue>,
    /// Where packets stand, over the whole run.
    pub places: Places,
    /// The running totals.
    pub totals: Totals,
    /// What merged into what.
    pub growth: Growth,
    /// Hops and drops in order.
    pub steps: Steps,
    /// What only a model knows.
    pub machine: Machine,
    live: live::Live,
    /// For each packet whether its record tells several pieces apart.
    has_pieces: Vec<bool>,
}

impl Replay {
    /// Builds every step function once.
    pub fn new(run: Rc<Run>, journeys: Rc<Journeys>) -> Self {
        let has_pieces = journeys
            .ids()
            .map(|id| {
                let stays = journeys.stays(id);
                stays.windows(2).any(|pair| pair[0].piece != pair[1].piece)
            })
            .collect();
        let queues = queues::of(&run, &journeys);
        Self {
            lanes: Lanes::of(&run),
            work: service::work(&run, &journeys),
            places: Places::of(&run, &journeys, &queues),
            queues,
            totals: Totals::of(&run, &journeys),
            growth: Growth::of(&run, &journeys),
            steps: Steps::of(&run, &journeys),
            machine: Machine::of(&run, &journeys, queues::socket_names(&run)),
            live: live::Live::of(&journeys),
            has_pieces,
            run,
            journeys,
        }
    }

    /// Whether a packet's record tells several pieces of it apart.
    pub fn has_pieces(&self, packet: PacketId) -> bool {
        self.has_pieces[packet.at()]
    }
}

//! Which devices are NICs, as far as a run tells: their rings are polled (`napi:napi_poll`). A tunnel, a VRF or a dummy
//! device has none, and what it does with a packet that it is given, no event tells.

use std::collections::BTreeSet;

use crate::kernel::{EventIdx, Field, NameId, PacketId, Probe};
use crate::replay::Replay;
use crate::run::Run;

/// The devices whose polls a run shows.
#[derive(Debug, Clone, Default)]
pub struct Nics {
    polled: BTreeSet<u32>,
}

/// What the event names as the device of a CPU's backlog.
const BACKLOG: &str = "(no_device)";

impl Nics {
    /// Collects them from a run.
    pub fn of(run: &Run) -> Self {
        let polls = run
            .indices()
            .filter(|index| run.probe[index.at()] == Probe::NapiPoll);
        let polled = polls.filter_map(|index| run.field(index, Field::Dev));
        let is_device = |&dev: &u32| run.names.text(NameId(dev)) != BACKLOG;
        Self {
            polled: polled.filter(is_device).collect(),
        }
    }

    /// The name of the device to which a packet was given, if that is none of the NICs of a run that shows polls.
    pub fn other(&self, replay: &Replay, packet: PacketId) -> Option<String> {
        let run = &replay.run;
        let mut events = replay.journeys.events(packet).iter().rev();
        let is_given = |event: &&EventIdx| {
            matches!(
                run.probe[event.at()],
                Probe::NetDevStartXmit | Probe::NetDevXmit
            )
        };
        let dev = run.field(*events.find(is_given)?, Field::Dev)?;
        let is_other = !self.polled.is_empty() && !self.polled.contains(&dev);
        is_other.then(|| run.names.text(NameId(dev)).to_owned())
    }
}

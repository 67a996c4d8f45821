//! The polls of a run's network devices: the one place that says which events are polls.

use crate::kernel::{CpuId, EventIdx, Field, Probe};
use crate::run::Run;

/// The polls of network devices, in order; each event is the poll's return, with its `work`.
///
/// `napi:napi_poll` tells them; where a recording lacks it, the returns of the drivers' own poll
/// functions do. A poll of `(no_device)` is of a CPU's backlog, not of a NIC
/// (`net/core/dev.c: process_backlog`, v6.1).
pub(super) fn device_polls(run: &Run) -> Vec<EventIdx> {
    let of = |probe: Probe| -> Vec<EventIdx> {
        let passed = run.indices().filter(|at| run.probe[at.at()] == probe);
        let of_device = |at: &EventIdx| run.field_name(*at, Field::Dev) != Some("(no_device)");
        passed.filter(of_device).collect()
    };
    let polls = of(Probe::NapiPoll);
    if polls.is_empty() {
        of(Probe::DriverPollRet)
    } else {
        polls
    }
}

impl super::Replay {
    /// The poll of a network device that returned on a CPU first after an event.
    pub fn poll_after(&self, event: EventIdx, cpu: CpuId) -> Option<EventIdx> {
        let after = self.polls.partition_point(|&poll| poll < event);
        let mut after = self.polls[after..].iter().copied();
        after.find(|poll| self.run.cpu[poll.at()] == cpu)
    }
}

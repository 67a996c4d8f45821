//! Run queues: the tasks of a CPU that could run and do not, counted. The task that runs is not
//! counted, nor is the idle one.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, Nanos, Probe, QueueKind};
use crate::replay::machine::Waits;
use crate::run::Run;

use super::{QueueKey, Steps};

/// Counts the tasks that wait for each CPU; one that switches tasks has a queue, empty or not.
pub(super) fn steps(run: &Run, waits: &Waits) -> Steps {
    let mut changes: BTreeMap<CpuId, Vec<(Nanos, i64)>> = BTreeMap::new();
    let switches = run.indices();
    for event in switches.filter(|event| run.probe[event.at()] == Probe::SchedSwitch) {
        let cpu = run.cpu[event.at()];
        if cpu.is_known() && !changes.contains_key(&cpu) {
            changes.insert(cpu, vec![(run.time(event), 0)]);
        }
    }
    for (cpu, from, to) in waits.all() {
        let changes = changes.entry(cpu).or_default();
        changes.push((from, 1));
        changes.extend(to.map(|to| (to, -1)));
    }
    let mut steps = Steps::default();
    for (cpu, changes) in changes {
        steps.count((QueueKind::RunQueue, QueueKey::Cpu(cpu)), changes);
    }
    steps
}

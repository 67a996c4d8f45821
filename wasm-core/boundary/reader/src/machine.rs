//! What only a model knows: once for the run its names, with every frame its columns, in
//! the order of `web/core/unpack.ts`.

use serde::Serialize;
use tsify::Tsify;

use super::columns::Columns;
use ringside::kernel::NameId;
use ringside::measure::MachineMeasures;
use ringside::replay::{MachineColumns, Replay};
use ringside::run::Run;

/// The names behind the columns; all empty in a recording.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MachineView {
    caches: Vec<Vec<u16>>,
    cache_lines: u32,
    line_bytes: u32,
    objects: Vec<String>,
    most_lines: Vec<u32>,
    clock_khz: f64,
    locks: Vec<String>,
    timers: Vec<String>,
    tells_states: bool,
    has_tasks: bool,
    longest_slice: f64,
    has_probe_costs: bool,
}

/// What of it was measured between two times.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MachineMeasuresView {
    moved: Vec<MovedView>,
    locks: Vec<LockWaitView>,
    probe_costs: Vec<ProbeCostView>,
}

/// Lines of one kind that went from one CPU's cache to another's.
#[derive(Debug, Serialize, Tsify)]
pub struct MovedView {
    object: String,
    from: u16,
    to: u16,
    lines: f64,
    cycles: f64,
}

/// How often and how long a lock was waited for.
#[derive(Debug, Serialize, Tsify)]
pub struct LockWaitView {
    lock: String,
    waits: f64,
    nanos: f64,
}

/// What probes cost a CPU.
#[derive(Debug, Serialize, Tsify)]
pub struct ProbeCostView {
    cpu: u16,
    nanos: f64,
    probes: f64,
}

impl MachineView {
    /// The names of a run.
    pub(super) fn of(replay: &Replay) -> Self {
        let (run, machine) = (&replay.run, &replay.machine);
        let cpus = |group: &Vec<ringside::kernel::CpuId>| group.iter().map(|cpu| cpu.0).collect();
        Self {
            caches: machine.caches.groups.iter().map(cpus).collect(),
            cache_lines: machine.caches.capacity,
            line_bytes: machine.line_bytes,
            objects: names(run, &machine.caches.objects),
            most_lines: machine.caches.most(),
            clock_khz: machine.copies.clock_khz as f64,
            locks: machine.locks.names.clone(),
            timers: names(run, &machine.moderation.devices),
            tells_states: machine.caches.tells_states,
            has_tasks: !machine.slices.is_empty(),
            longest_slice: machine.slices.longest as f64,
            has_probe_costs: !machine.probe_costs.is_empty(),
        }
    }
}

impl MachineMeasuresView {
    /// The measures with their names.
    pub(super) fn of(replay: &Replay, measures: &MachineMeasures) -> Self {
        let objects = names(&replay.run, &replay.machine.caches.objects);
        Self {
            moved: measures
                .moved
                .iter()
                .map(|moved| MovedView {
                    object: objects[usize::from(moved.object)].clone(),
                    from: moved.from.0,
                    to: moved.to.0,
                    lines: moved.lines as f64,
                    cycles: moved.cycles as f64,
                })
                .collect(),
            locks: measures
                .locks
                .iter()
                .map(|wait| LockWaitView {
                    lock: wait.lock.clone(),
                    waits: wait.waits as f64,
                    nanos: wait.nanos as f64,
                })
                .collect(),
            probe_costs: measures
                .probe_costs
                .iter()
                .map(|cost| ProbeCostView {
                    cpu: cost.cpu.0,
                    nanos: cost.nanos as f64,
                    probes: cost.probes as f64,
                })
                .collect(),
        }
    }
}

fn names(run: &Run, ids: &[Option<NameId>]) -> Vec<String> {
    let text = |id: &Option<NameId>| id.map_or("", |id| run.names.text(id)).to_owned();
    ids.iter().map(text).collect()
}

/// Appends the columns of a moment.
pub(super) fn push(columns: Columns, machine: &MachineColumns) -> Columns {
    let MachineColumns {
        held,
        flows,
        moves,
        fills,
        copies,
        locks,
        spins,
        lock_totals,
        tasks,
        waits,
        timers,
        costs,
    } = machine;
    columns
        .push(&held.cache)
        .push(&held.object)
        .push(&held.lines)
        .push(&held.modified)
        .push(&held.exclusive)
        .push(&held.shared)
        .push(&held.invalidated)
        .push(&flows.from)
        .push(&flows.to)
        .push(&flows.lines)
        .push(&flows.cycles)
        .push(&flows.recent_lines)
        .push(&flows.recent_cycles)
        .push(&moves.from)
        .push(&moves.to)
        .push(&moves.object)
        .push(&moves.lines)
        .push(&moves.cycles)
        .push(&moves.at)
        .push(&fills.cpu)
        .push(&fills.lines)
        .push(&fills.cycles)
        .push(&copies.cpu)
        .push(&copies.packet)
        .push(&copies.start)
        .push(&copies.end)
        .push(&copies.interrupted)
        .push(&copies.from)
        .push(&copies.moved_lines)
        .push(&copies.moved_cycles)
        .push(&copies.filled_lines)
        .push(&copies.filled_cycles)
        .push(&locks.lock)
        .push(&locks.holder)
        .push(&spins.lock)
        .push(&spins.cpu)
        .push(&spins.since)
        .push(lock_totals)
        .push(&tasks.pid)
        .push(&tasks.left)
        .push(&tasks.preempted)
        .push(&tasks.preempted_at)
        .push(&waits.cpu)
        .push(&waits.pid)
        .push(&waits.since)
        .push(&waits.why)
        .push(&waits.by)
        .push(&waits.place)
        .push(&waits.standing)
        .push(&waits.amount)
        .push(&timers.since)
        .push(&timers.until)
        .push(&timers.held)
        .push(&costs.cpu)
        .push(&costs.nanos)
        .push(&costs.recent)
        .push(&costs.probes)
}

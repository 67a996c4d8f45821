//! In which order the scheduler of each CPU would take the tasks that wait, and by what: what is
//! left of their slices, how much they have run, or when their requests are due. Only a model tells it
//! (`run_queue_task`), by places: which task stands where once those before it are known.
//!
//! A place is another one whenever somebody before it goes or comes. So a task keeps a *rank*
//! instead, a number between those of its neighbours, and a moment needs no more than the ranks
//! of the tasks that wait then.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, EventIdx, Field, Nanos, Pid, Probe};
use crate::run::Run;

use super::track::Track;

/// More tasks on a queue than this have no place of their own: nobody could read them, and a
/// queue is searched.
const MOST: usize = 512;
/// Between two neighbours at the end of a queue.
const APART: u64 = 1 << 40;

/// What a waiting task has to show for itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Claim {
    /// What is left of its slice, in nanoseconds.
    Slice(f64),
    /// Its virtual runtime, in nanoseconds.
    Vruntime(f64),
    /// When its request is due and what it is owed, in nanoseconds of virtual time.
    Virtual { deadline: f64, lag: f64 },
}

/// A task's place in a queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Queued {
    pub cpu: CpuId,
    /// Lower ranks come first.
    pub rank: u64,
    /// None where only the place is told.
    pub claim: Option<Claim>,
}

/// The places of all tasks of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    tasks: BTreeMap<Pid, Track<Queued>>,
    /// While the events are read: each CPU's queue, and on whose queue each task is.
    queues: BTreeMap<CpuId, Vec<(u64, Pid)>>,
    queue_of: BTreeMap<Pid, CpuId>,
}

impl Order {
    /// Takes the next event; those of other probes say nothing here.
    pub(super) fn pass(&mut self, run: &Run, index: EventIdx) {
        let pid = |field| run.field(index, field).map(Pid);
        match run.probe[index.at()] {
            Probe::RunQueueTask => {
                let cpu = run.cpu[index.at()];
                if let (Some(pid), true) = (pid(Field::TargetPid), cpu.is_known()) {
                    let place = run.field(index, Field::Depth).unwrap_or(u32::MAX);
                    self.leave(pid);
                    self.enter(run.time(index), cpu, pid, place, claim(run, index));
                }
            }
            Probe::SchedSwitch => {
                if let Some(next) = pid(Field::NextPid) {
                    self.leave(next);
                }
            }
            _ => {}
        }
    }

    fn leave(&mut self, pid: Pid) {
        let Some(cpu) = self.queue_of.remove(&pid) else {
            return;
        };
        if let Some(queue) = self.queues.get_mut(&cpu) {
            queue.retain(|&(_, other)| other != pid);
        }
    }

    fn enter(&mut self, time: Nanos, cpu: CpuId, pid: Pid, place: u32, claim: Option<Claim>) {
        let queue = self.queues.entry(cpu).or_default();
        if queue.len() >= MOST {
            return;
        }
        let place = queue.len().min(place as usize);
        if rank_at(queue, place).is_none() {
            // No number is left between two: all move apart.
            for (at, (rank, pid)) in queue.iter_mut().enumerate() {
                *rank = rank_of(at);
                let track = self.tasks.entry(*pid).or_default();
                if let Some(&old) = track.last() {
                    track.set(time, Queued { rank: *rank, ..old });
                }
            }
        }
        let rank = rank_at(queue, place).unwrap_or(rank_of(place));
        queue.insert(place, (rank, pid));
        self.queue_of.insert(pid, cpu);
        let track = self.tasks.entry(pid).or_default();
        track.set(time, Queued { cpu, rank, claim });
    }

    /// The place of a task that waits for a CPU since some time; none where it was not told since.
    pub(super) fn at(&self, time: Nanos, pid: Pid, cpu: CpuId, since: Nanos) -> Option<&Queued> {
        let (at, queued) = self.tasks.get(&pid)?.at(time)?;
        (at >= since && queued.cpu == cpu).then_some(queued)
    }
}

/// A rank for whoever comes to a place; none where its neighbours' leave no number between them.
fn rank_at(queue: &[(u64, Pid)], place: usize) -> Option<u64> {
    let before = place.checked_sub(1).map(|at| queue[at].0);
    let after = queue.get(place).map(|&(rank, _)| rank);
    match (before, after) {
        (None, None) => Some(rank_of(0)),
        (Some(before), None) => before.checked_add(APART),
        (None, Some(after)) => after.checked_sub(APART),
        (Some(before), Some(after)) => (after - before >= 2).then(|| u64::midpoint(before, after)),
    }
}

/// Ranks far from each other and from both ends.
const fn rank_of(place: usize) -> u64 {
    (1 << 62) + place as u64 * APART
}

fn claim(run: &Run, index: EventIdx) -> Option<Claim> {
    let micros = |field| run.field(index, field).map(|us| f64::from(us as i32) * 1e3);
    if let (Some(deadline), Some(lag)) = (micros(Field::Deadline), micros(Field::Lag)) {
        return Some(Claim::Virtual { deadline, lag });
    }
    if let Some(vruntime) = micros(Field::Vruntime) {
        return Some(Claim::Vruntime(vruntime));
    }
    let left = run.field(index, Field::Slice)?;
    Some(Claim::Slice(f64::from(left) * 1e3))
}

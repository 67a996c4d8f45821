//! Tasks that wait for a CPU: since when, and who made them wait:
//! who woke them, or who took the CPU from them.
//!
//! Read off `sched_waking`, `sched_wakeup`, `sched_migrate_task` and `sched_switch`, so a
//! recording tells it as well as a model. A task that waits since before the recording is not
//! known until it runs; one whose coming to a CPU was lost would wait for ever, so a wait also
//! ends where its task is seen to leave a CPU or to wait anew. In which order they will run only
//! a model tells (`order`).

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{Context, CpuId, EventIdx, Field, Nanos, Pid, Probe};
use crate::order;
use crate::run::Run;

use super::order::{Claim, Order, Queued};
use super::{MachineColumns, Moment};

/// Why a task waits. The numbers cross to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Another task woke it.
    Task = 0,
    /// A softirq woke it.
    Softirq = 1,
    /// A hard interrupt woke it.
    Hardirq = 2,
    /// It could go on, but another task got its CPU.
    Preempted = 3,
}

#[derive(Debug, Clone)]
struct Wait {
    cpu: CpuId,
    pid: Pid,
    /// Since when its task waits, for this CPU or for the one it was moved from.
    from: Nanos,
    /// Since when it waits for this CPU.
    begins: Nanos,
    to: Nanos,
    why: Why,
    by: Pid,
}

/// The end of a wait that was not seen to end.
const FOREVER: Nanos = Nanos(u64::MAX);

/// All waits of a run, in the order in which they began; one whose task was moved is two.
#[derive(Debug, Clone, Default)]
pub struct Waits {
    rows: Vec<Wait>,
    /// For each wait the first one that was not over when it began.
    oldest: Vec<u32>,
    order: Order,
}

/// The tasks that wait now, the longest waiting first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WaitColumns {
    /// For which CPU.
    pub cpu: Vec<u16>,
    /// Who.
    pub pid: Vec<u32>,
    /// Since when.
    pub since: Vec<f64>,
    /// A [`Why`].
    pub why: Vec<u8>,
    /// The task that woke it, that was interrupted by what woke it, or that got its CPU.
    pub by: Vec<u32>,
    /// Its place in the order in which its CPU's scheduler would take the tasks that wait, from
    /// 1; 0 where that is not told.
    pub place: Vec<u16>,
    /// By what it has that place, a [`Standing`].
    pub standing: Vec<u8>,
    /// In nanoseconds: what its standing says.
    pub amount: Vec<f64>,
}

/// What decides on a waiting task's place. The numbers cross to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// That is not told.
    Unknown = 0,
    /// What is left of its slice.
    Slice = 1,
    /// How much later its request is due than that of the first, in virtual time.
    Due = 2,
    /// How much more than its share it has had, in virtual time: others come first.
    Ahead = 3,
    /// How much more it has run, by its weight, than the task of the queue that has run least.
    Ran = 4,
}

#[derive(Debug, Default)]
struct Follower {
    found: Waits,
    /// Where the wait of a task that waits is.
    waiting: BTreeMap<Pid, usize>,
    open: BTreeSet<usize>,
    running: BTreeMap<CpuId, Pid>,
}

impl Waits {
    /// Follows the scheduler's events of a run.
    pub fn of(run: &Run) -> Self {
        let mut follower = Follower::default();
        run.each(|index| {
            follower.pass(run, index);
        });
        follower.found
    }

    /// For which CPU each wait was, from when to when; a wait that was not seen to end has no end.
    pub fn all(&self) -> impl Iterator<Item = (CpuId, Nanos, Option<Nanos>)> + '_ {
        self.rows.iter().map(|wait| {
            let end = Some(wait.to).filter(|&to| to != FOREVER);
            (wait.cpu, wait.begins, end)
        })
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        let begun = self.rows.partition_point(|wait| wait.begins <= moment.time);
        let Some(last) = begun.checked_sub(1) else {
            return;
        };
        let columns = &mut columns.waits;
        let begun = self.rows[self.oldest[last] as usize..begun].iter();
        let mut now: Vec<&Wait> = begun.filter(|wait| wait.to > moment.time).collect();
        order::sort_by_key(&mut now, |wait| wait.from);
        let places = self.places(&now, moment.time);
        for (wait, (place, standing, amount)) in now.into_iter().zip(places) {
            columns.place.push(place);
            columns.standing.push(standing as u8);
            columns.amount.push(amount);
            columns.cpu.push(wait.cpu.0);
            columns.pid.push(wait.pid.0);
            columns.since.push(moment.since_start(wait.from));
            columns.why.push(wait.why as u8);
            columns.by.push(wait.by.0);
        }
    }
}

impl Waits {
    /// The place of each wait among those for its CPU, and by what.
    fn places(&self, waits: &[&Wait], time: Nanos) -> Vec<(u16, Standing, f64)> {
        let queued = |wait: &&Wait| self.order.at(time, wait.pid, wait.cpu, wait.begins);
        let queued: Vec<Option<&Queued>> = waits.iter().map(queued).collect();
        let mut places: Vec<usize> = (0..waits.len())
            .filter(|&at| queued[at].is_some())
            .collect();
        order::sort_by_key(&mut places, |&at| queued[at].map(|one| (one.cpu, one.rank)));
        let mut minima: BTreeMap<CpuId, f64> = BTreeMap::new();
        for one in queued.iter().flatten() {
            if let Some(Claim::Vruntime(vruntime)) = one.claim {
                let smallest = minima.entry(one.cpu).or_insert(vruntime);
                *smallest = smallest.min(vruntime);
            }
        }
        let mut found = vec![(0, Standing::Unknown, 0.0); waits.len()];
        // The CPU, the place on its queue, and when its first request is due.
        let mut last = (CpuId::UNKNOWN, 0, None);
        for at in places {
            let Some(&Queued { cpu, claim, .. }) = queued[at] else {
                continue;
            };
            let (place, mut first) = if last.0 == cpu {
                (last.1 + 1, last.2)
            } else {
                (1, None)
            };
            let (standing, amount) = match claim {
                None => (Standing::Unknown, 0.0),
                Some(Claim::Slice(left)) => (Standing::Slice, left),
                Some(Claim::Vruntime(vruntime)) => {
                    let smallest = minima.get(&cpu).copied();
                    (Standing::Ran, vruntime - smallest.unwrap_or(vruntime))
                }
                Some(Claim::Virtual { lag, .. }) if lag < 0.0 => (Standing::Ahead, -lag),
                Some(Claim::Virtual { deadline, .. }) => {
                    let due = *first.get_or_insert(deadline);
                    (Standing::Due, (deadline - due).max(0.0))
                }
            };
            found[at] = (place, standing, amount);
            last = (cpu, place, first);
        }
        found
    }
}

impl Follower {
    fn pass(&mut self, run: &Run, index: EventIdx) {
        let (time, on_cpu, current) = (run.time(index), run.cpu[index.at()], run.pid(index));
        self.found.order.pass(run, index);
        let pid = |field| run.field(index, field).map(Pid);
        let cpu = |field| run.field(index, field).map(|cpu| CpuId(cpu as u16));
        match run.probe[index.at()] {
            Probe::SchedWaking | Probe::SchedWakeup | Probe::SchedWakeupNew => {
                let why = match run.context[index.at()] {
                    Context::Softirq => Why::Softirq,
                    Context::Hardirq | Context::Nmi => Why::Hardirq,
                    _ => Why::Task,
                };
                let Some(woken) = pid(Field::TargetPid) else {
                    return;
                };
                let cpu = cpu(Field::TargetCpu).unwrap_or(on_cpu);
                let is_running = self.running.values().any(|&running| running == woken);
                if self.waiting.contains_key(&woken) {
                    // `sched_waking` names the CPU where it slept, `sched_wakeup` where it goes.
                    self.move_to(time, woken, cpu);
                } else if !is_running {
                    self.wait(time, cpu, woken, why, current);
                }
            }
            Probe::SchedMigrateTask => {
                if let (Some(moved), Some(cpu)) = (pid(Field::TargetPid), cpu(Field::DestCpu)) {
                    self.move_to(time, moved, cpu);
                }
            }
            // Balancing moves a task without an event of the scheduler's own.
            Probe::RunQueueTask => {
                if let Some(queued) = pid(Field::TargetPid) {
                    self.move_to(time, queued, on_cpu);
                }
            }
            Probe::SchedSwitch => {
                let next = pid(Field::NextPid);
                if let Some(next) = next {
                    self.stop(time, next);
                    self.running.insert(on_cpu, next);
                }
                let state = run.field_name(index, Field::PrevState).unwrap_or("");
                let previous = pid(Field::PrevPid).filter(|&pid| Some(pid) != next);
                if let Some(previous) = previous {
                    // It had the CPU until now, also where its coming was lost.
                    self.stop(time, previous);
                    if state.starts_with('R') {
                        let by = next.unwrap_or(Pid::UNKNOWN);
                        self.wait(time, on_cpu, previous, Why::Preempted, by);
                    }
                }
            }
            Probe::SchedProcessExit => self.stop(time, current),
            _ => {}
        }
    }

    fn wait(&mut self, time: Nanos, cpu: CpuId, pid: Pid, why: Why, by: Pid) {
        if pid == Pid::IDLE || !cpu.is_known() {
            return;
        }
        self.stop(time, pid);
        self.begin(Wait {
            cpu,
            pid,
            from: time,
            begins: time,
            to: FOREVER,
            why,
            by,
        });
    }

    /// A task that waits does so for another CPU from now on.
    fn move_to(&mut self, time: Nanos, pid: Pid, cpu: CpuId) {
        let Some(&at) = self.waiting.get(&pid) else {
            return;
        };
        let before = self.found.rows[at].clone();
        if cpu.is_known() && cpu != before.cpu {
            self.stop(time, pid);
            self.begin(Wait {
                cpu,
                begins: time,
                to: FOREVER,
                ..before
            });
        }
    }

    fn begin(&mut self, wait: Wait) {
        let at = self.found.rows.len();
        self.open.insert(at);
        self.waiting.insert(wait.pid, at);
        let oldest = self.open.first().copied().unwrap_or(at);
        self.found.oldest.push(oldest as u32);
        self.found.rows.push(wait);
    }

    fn stop(&mut self, time: Nanos, pid: Pid) {
        if let Some(at) = self.waiting.remove(&pid) {
            self.found.rows[at].to = time;
            self.open.remove(&at);
        }
    }
}

//! The order in which each CPU's scheduler would pick its waiting tasks, as far as events have been recorded:
//! after each decision, the tasks whose position or claim has changed are recorded by position, so that moving
//! them there reproduces the queue. A task that gets a CPU leaves its queue by `sched_switch`. Maintained only
//! while recording.

use crate::sched::{Claim, Cpu, TaskId};
use ringside::kernel::{Context, Field, Probe};

use crate::engine::core::Core;
use crate::engine::cpu::op::About;

use super::pid;

/// Picoseconds per microsecond.
const PS_PER_US: i64 = 1_000_000;

/// The recorded queues of the recorded host, by CPU.
#[derive(Debug, Default)]
pub struct Queued {
    told: Vec<Vec<Entry>>,
}

/// A task in a queue, with its recorded claim.
#[derive(Debug, Clone, Copy)]
struct Entry {
    task: TaskId,
    claim: Claim,
}

impl Entry {
    /// Whether both entries look the same to a learner: the lag changes all the time, but only its sign counts.
    fn says_the_same(self, other: Self) -> bool {
        let claims = match (self.claim, other.claim) {
            (Claim::Slice(one), Claim::Slice(two)) => one == two,
            (
                Claim::Virtual { deadline, lag },
                Claim::Virtual {
                    deadline: at,
                    lag: owed,
                },
            ) => deadline == at && (lag < 0) == (owed < 0),
            (Claim::Vruntime(one), Claim::Vruntime(two)) => one == two,
            (Claim::Slice(_) | Claim::Vruntime(_) | Claim::Virtual { .. }, _) => false,
        };
        self.task == other.task && claims
    }
}

impl Queued {
    /// The positions and entries to record so that the recorded queue of a CPU becomes `queue`.
    fn news(&mut self, cpu: Cpu, queue: &[Entry]) -> Vec<(usize, Entry)> {
        let cpu = usize::from(cpu);
        if self.told.len() <= cpu {
            self.told.resize(cpu + 1, Vec::new());
        }
        let told = &mut self.told[cpu];
        let mut news = Vec::new();
        let is_waiting = |place: usize, old: Entry| {
            let mut rest = queue[place..].iter();
            rest.any(|new| new.task == old.task)
        };
        let mut place = 0;
        while let Some(&entry) = queue.get(place) {
            match told.get(place) {
                Some(old) if old.says_the_same(entry) => place += 1,
                Some(&old) if !is_waiting(place, old) => {
                    told.remove(place);
                }
                Some(_) | None => {
                    told.retain(|old| old.task != entry.task);
                    told.insert(place, entry);
                    news.push((place, entry));
                    place += 1;
                }
            }
        }
        told.truncate(queue.len());
        news
    }
}

impl Core {
    /// Starts to follow the run queues of the recorded host.
    pub fn follow_queues(&mut self) {
        self.recorder.queued = Some(Queued::default());
        self.tell_queues(0);
    }

    /// Records the changes in the queues of a host's CPUs.
    pub fn tell_queues(&mut self, host: usize) {
        let first = self.hosts[host].first_cpu;
        for cpu in first..first + self.hosts[host].cpu_count {
            self.tell_queue(cpu);
        }
    }

    /// Records the changes in the queue of a CPU.
    pub fn tell_queue(&mut self, cpu: usize) {
        let local = self.cpus[cpu].local;
        let is_recorded = self.cpus[cpu].host == 0;
        let Some(mut queued) = self.recorder.queued.take_if(|_| is_recorded) else {
            return;
        };
        let queue = self.hosts[0].tasks.scheduler.queued(local);
        let queue: Vec<Entry> = queue
            .into_iter()
            .map(|(task, claim)| Entry { task, claim })
            .collect();
        for (place, entry) in queued.news(local, &queue) {
            let task = self.hosts[0].tasks.of(entry.task);
            if self.emit(cpu, Probe::RunQueueTask, About::NOTHING) {
                // The change is not an action of this CPU.
                self.amend_context(Context::Unknown);
                self.field(Field::TargetPid, pid(task).0);
                self.field(Field::Depth, place as u32);
                self.tell_claim(entry.claim);
            }
            // Not counted, so that runs with and without recording count the same events.
            self.recorder.record.events -= 1;
        }
        self.recorder.queued = Some(queued);
    }

    fn tell_claim(&mut self, claim: Claim) {
        match claim {
            Claim::Slice(left) => self.field(Field::Slice, left.us() as u32),
            Claim::Vruntime(vruntime) => {
                let vruntime = vruntime.div_euclid(PS_PER_US) as i32;
                self.field(Field::Vruntime, vruntime as u32);
            }
            Claim::Virtual { deadline, lag } => {
                // Rounded down, so that a task with a negative lag never appears to have none.
                let lag = lag.div_euclid(PS_PER_US) as i32;
                let deadline = deadline.div_euclid(PS_PER_US) as i32;
                self.field(Field::Deadline, deadline as u32);
                self.field(Field::Lag, lag as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests;

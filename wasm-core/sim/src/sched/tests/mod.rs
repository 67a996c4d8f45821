//! Tests of the schedulers. `Host` here is a small engine: tasks that work and sleep in
//! turns, timer interrupts, and picks wherever a scheduler asks for one.

mod cfs;
mod eevdf;
mod fair;
mod goodness;
mod o1;
mod properties;

use super::*;

/// What a task does, over and over; without sleep it is a hog.
#[derive(Clone, Copy)]
struct Turn {
    work: SimTime,
    sleep: SimTime,
}

const HOG: Turn = Turn {
    work: SimTime(u64::MAX),
    sleep: SimTime(0),
};

fn turn_us(work: u64, sleep: u64) -> Turn {
    Turn {
        work: SimTime::from_us(work),
        sleep: SimTime::from_us(sleep),
    }
}

/// A machine in which nothing but scheduling takes time.
struct Host {
    scheduler: Scheduler,
    cpus: u16,
    tick: SimTime,
    now: SimTime,
    tasks: Vec<Actor>,
    /// Entries that all picks looked at.
    scanned: u64,
    /// Picks that put a task on another CPU than its last.
    migrations: u64,
}

struct Actor {
    turn: Turn,
    /// Work left in this turn.
    left: SimTime,
    wakes_at: Option<SimTime>,
}

/// The grain of the small engine.
const STEP: SimTime = SimTime::from_us(20);

fn setup(cpus: u16, core_of: &[u16], tick_ms: u64) -> Setup<'_> {
    Setup {
        cpus,
        core_of,
        tick: SimTime::from_ms(tick_ms),
    }
}

fn parse(config: &str) -> Config {
    serde_json::from_str(config).unwrap()
}

impl Host {
    fn new(config: &str, cpus: u16, core_of: &[u16], tick_ms: u64) -> Self {
        let setup = setup(cpus, core_of, tick_ms);
        Self {
            scheduler: Scheduler::new(&parse(config), setup),
            cpus,
            tick: setup.tick,
            now: SimTime(0),
            tasks: Vec::new(),
            scanned: 0,
            migrations: 0,
        }
    }

    /// A task that starts at once.
    fn start(&mut self, nice: i8, mask: u64, turn: Turn) -> TaskId {
        let task = self
            .scheduler
            .add_task(nice, mask, self.tasks.len() as u32 + 1);
        if turn.sleep == SimTime(0) {
            // Its forebears worked as it does.
            self.scheduler.inherit(task, 16);
        }
        self.tasks.push(Actor {
            turn,
            left: turn.work,
            wakes_at: None,
        });
        let wake = if self.now == SimTime(0) {
            self.scheduler.begin(task)
        } else {
            self.scheduler.wake(task, 0, false, self.now)
        };
        self.woken(wake);
        task
    }

    fn wake(&mut self, task: TaskId) -> Wake {
        let wake = self.scheduler.wake(task, 0, false, self.now);
        self.woken(wake);
        wake
    }

    fn woken(&mut self, wake: Wake) {
        if let Some(cpu) = wake.reschedule {
            self.pick(cpu);
        }
    }

    fn pick(&mut self, cpu: Cpu) {
        let mut next = Some(cpu);
        while let Some(cpu) = next {
            let pick = self.scheduler.pick(cpu, self.now);
            self.scanned += u64::from(pick.scanned);
            self.migrations += u64::from(pick.migrated_from.is_some());
            assert_eq!(self.scheduler.running(cpu), pick.task);
            next = pick.reschedule;
        }
    }

    fn run_ms(&mut self, ms: u64) {
        let end = self.now + SimTime::from_ms(ms);
        while self.now < end {
            self.now = self.now + STEP;
            self.step();
        }
    }

    fn step(&mut self) {
        let is_tick = self.now.0.is_multiple_of(self.tick.0);
        for cpu in 0..self.cpus {
            if is_tick && self.scheduler.tick(cpu, self.now) {
                self.pick(cpu);
            }
            let Some(task) = self.scheduler.running(cpu) else {
                continue;
            };
            let actor = &mut self.tasks[task.index()];
            actor.left = actor.left - STEP.min(actor.left);
            if actor.left == SimTime(0) {
                actor.left = actor.turn.work;
                actor.wakes_at = Some(self.now + actor.turn.sleep);
                self.scheduler.sleep(task, self.now);
                self.pick(cpu);
            }
        }
        for index in 0..self.tasks.len() {
            if self.tasks[index].wakes_at.is_some_and(|at| at <= self.now) {
                self.tasks[index].wakes_at = None;
                self.wake(TaskId(index as u32));
            }
        }
    }

    /// Per cent of the next stretch that each of these tasks runs.
    fn shares_over(&mut self, ms: u64, tasks: &[TaskId]) -> Vec<u64> {
        let before: Vec<SimTime> = tasks
            .iter()
            .map(|&id| self.scheduler.cpu_time(id))
            .collect();
        self.run_ms(ms);
        let whole = SimTime::from_ms(ms).0 / 1000;
        let ran = |id: TaskId, before: SimTime| (self.scheduler.cpu_time(id) - before).0;
        tasks
            .iter()
            .zip(before)
            .map(|(&id, before)| (ran(id, before) / whole + 5) / 10)
            .collect()
    }
}

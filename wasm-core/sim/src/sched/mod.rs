//! Who runs next, and where: three of the schedulers that Linux has had for multiprocessors,
//! as data structures that know neither the engine nor a clock. Time is an argument.
//!
//! `goodness`: one queue for all CPUs, searched whole (2.2, 2.4). `o1`: two arrays of
//! priorities on each CPU (2.6 until 2.6.22). `fair`: virtual deadlines (EEVDF, 6.6 and
//! later). CFS (2.6.23 to 6.5) is not among them; the data file of 6.1 uses `fair`.
//! Only ordinary tasks (SCHED_OTHER) exist; each file says what else it leaves out.

mod config;
mod cpus;
mod fair;
mod goodness;
mod list;
mod o1;
#[cfg(test)]
mod tests;
mod weights;

use crate::time::SimTime;

pub use config::{Config, FairConfig, GoodnessConfig, IdleChoice, O1Config, Placement, TimeSlices};
pub use fair::Fair;
pub use goodness::Goodness;
pub use o1::O1;

/// A task, by the order in which tasks were added. A number is never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

impl TaskId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A logical CPU, counted from 0.
pub type Cpu = u16;

/// The machine that is scheduled.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// Logical CPUs, 1 to 64.
    pub cpus: u16,
    /// For each CPU the number of the cache it shares: hyper-threads of a core, or where
    /// all cores of a socket have a cache in common, the socket. A CPU beyond the slice has its own.
    pub core_of: &'a [u16],
    /// Time between two timer interrupts of a CPU.
    pub tick: SimTime,
}

/// What waking a task did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wake {
    /// The CPU on whose queue it is now; with one queue for all, the CPU it last ran on.
    pub cpu: Cpu,
    /// The CPU which should call [`Scheduler::pick`]: it is idle, or what it runs is to be preempted.
    pub reschedule: Option<Cpu>,
    /// CPUs looked at to find that out.
    pub scanned: u32,
}

/// What a CPU runs from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The task, or none when the CPU idles. May be the one that ran before.
    pub task: Option<TaskId>,
    /// Entries looked at: goodness counts each entry of the run queue at each search, and each
    /// task whose counter was recalculated; O(1) is 0 or 1; fair is the depth of a balanced tree.
    pub scanned: u32,
    /// Of these, tasks whose counter was recalculated (goodness only).
    pub recalculated: u32,
    /// The CPU on which the task ran last, when that was another.
    pub migrated_from: Option<Cpu>,
    /// Another CPU which should call [`Scheduler::pick`], to take the task that lost this CPU.
    pub reschedule: Option<Cpu>,
}

/// A waiting task's place in its queue is by this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// What is left of its slice (goodness, O(1)).
    Slice(SimTime),
    /// Of the fair scheduler, in picoseconds of virtual time: when its request is due, and what
    /// it is owed. A task that has had more than its share (`lag` below 0) comes after the others.
    Virtual {
        /// When its request is due.
        deadline: i64,
        /// V less its own virtual time.
        lag: i64,
    },
}

/// One of the three schedulers, with its state.
#[derive(Debug, Clone)]
pub enum Scheduler {
    /// One queue, searched whole: 2.2 and 2.4.
    Goodness(Goodness),
    /// Active and expired arrays on each CPU: 2.6.
    O1(Box<O1>),
    /// Earliest eligible virtual deadline first: 6.6 and later.
    Fair(Fair),
}

/// The same call on whichever scheduler it is.
macro_rules! each {
    ($scheduler:expr, $inner:ident => $call:expr) => {
        match $scheduler {
            Scheduler::Goodness($inner) => $call,
            Scheduler::O1($inner) => $call,
            Scheduler::Fair($inner) => $call,
        }
    };
}

impl Scheduler {
    /// An idle machine without tasks.
    pub fn new(config: &Config, setup: Setup) -> Self {
        match config {
            Config::Goodness(config) => Self::Goodness(Goodness::new(config, setup)),
            Config::O1(config) => Self::O1(Box::new(O1::new(config, setup))),
            Config::Fair(config) => Self::Fair(Fair::new(config, setup)),
        }
    }

    /// A new task, asleep. `nice` is -20 to 19; bit *n* of `allowed_cpus` lets it run on CPU *n*,
    /// and a mask with no CPU of the machine lets it run on all; tasks of a process share a
    /// `memory_map`, and 0 is that of a kernel thread, which has none.
    ///
    /// Simplified: the CPU on which a task counts as having run last is the allowed one with the
    /// fewest tasks, unless [`Self::start_on`] says another. Linux starts a child on its parent's CPU
    /// and moves it at `exec`. A learner sees here the spread that a real machine reaches after
    /// some balancing.
    pub fn add_task(&mut self, nice: i8, allowed_cpus: u64, memory_map: u32) -> TaskId {
        each!(self, inner => inner.add_task(nice, allowed_cpus, memory_map))
    }

    /// Says how many forks a task that has not run is away from a program that mostly waits: 1, as
    /// after [`Self::add_task`], for the thread that a listening server starts for a connection, 2
    /// for one of a program that a shell has just started (O(1) only).
    pub fn inherit(&mut self, task: TaskId, forks: u32) {
        if let Self::O1(inner) = self {
            inner.inherit(task, forks);
        }
    }

    /// Says where a task that has not run begins: its first wakeup finds it there. (One queue for
    /// all CPUs has no such places.)
    pub fn start_on(&mut self, task: TaskId, cpu: Cpu) {
        match self {
            Self::Goodness(_) => {}
            Self::O1(inner) => inner.start_on(task, cpu),
            Self::Fair(inner) => inner.start_on(task, cpu),
        }
    }

    /// Makes a sleeping task runnable; a runnable one is left as it is. `waker_cpu` executes
    /// the wakeup; with `is_sync` the waker promises to sleep at once (`wake_up_sync`).
    pub fn wake(&mut self, task: TaskId, waker_cpu: Cpu, is_sync: bool, now: SimTime) -> Wake {
        each!(self, inner => inner.wake(task, waker_cpu, is_sync, now))
    }

    /// The running task blocks; its CPU then calls [`Self::pick`]. A waiting task is taken off its queue.
    pub fn sleep(&mut self, task: TaskId, now: SimTime) {
        each!(self, inner => inner.sleep(task, now));
    }

    /// `schedule()` on `cpu`: the task that ran, if still runnable, competes with those that wait.
    pub fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        each!(self, inner => inner.pick(cpu, now))
    }

    /// `sched_yield()` by what runs on `cpu`: the others that wait come first, as far as the
    /// release lets them. True when the CPU should call [`Self::pick`].
    pub fn yield_now(&mut self, cpu: Cpu, now: SimTime) -> bool {
        each!(self, inner => inner.yield_now(cpu, now))
    }

    /// The timer interrupt of `cpu`, idle or not; true when the CPU should call [`Self::pick`].
    pub fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        each!(self, inner => inner.tick(cpu, now))
    }

    /// Changes where a task may run, at once for a waiting one. Gives a CPU which should call
    /// [`Self::pick`]: that of a running task which has to leave, or the one it waits for now.
    pub fn set_allowed(&mut self, task: TaskId, allowed_cpus: u64) -> Option<Cpu> {
        each!(self, inner => inner.set_allowed(task, allowed_cpus))
    }

    /// The task ends, from whatever state; if it ran, its CPU then calls [`Self::pick`].
    pub fn exit(&mut self, task: TaskId, now: SimTime) {
        each!(self, inner => inner.exit(task, now));
    }

    /// What a CPU runs; none while it idles, and between [`Self::sleep`] and [`Self::pick`].
    pub fn running(&self, cpu: Cpu) -> Option<TaskId> {
        each!(self, inner => inner.running(cpu))
    }

    /// Tasks that are runnable and do not run, on this CPU's queue; with one queue for all,
    /// those that last ran on this CPU.
    pub fn waiting(&self, cpu: Cpu) -> u32 {
        each!(self, inner => inner.waiting(cpu))
    }

    /// The tasks counted by [`Self::waiting`], in the order of the queue.
    pub fn waiting_tasks(&self, cpu: Cpu) -> impl Iterator<Item = TaskId> {
        let (goodness, o1, fair) = match self {
            Self::Goodness(inner) => (Some(inner.waiting_tasks(cpu)), None, None),
            Self::O1(inner) => (None, Some(inner.waiting_tasks(cpu)), None),
            Self::Fair(inner) => (None, None, Some(inner.waiting_tasks(cpu))),
        };
        goodness
            .into_iter()
            .flatten()
            .chain(o1.into_iter().flatten())
            .chain(fair.into_iter().flatten())
    }

    /// The same tasks in the order in which the CPU would take them now, each with its claim.
    /// With one queue for all, another CPU may take one first.
    pub fn queued(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        each!(self, inner => inner.queued(cpu))
    }

    /// What is left of the task's time slice, as of its last charge.
    pub fn slice_left(&self, task: TaskId) -> SimTime {
        each!(self, inner => inner.slice_left(task))
    }

    /// How long the task has run, as of its last charge (a pick, tick or sleep).
    pub fn cpu_time(&self, task: TaskId) -> SimTime {
        each!(self, inner => inner.cpu_time(task))
    }

    /// Whether the scheduler takes the task for an interactive one (O(1) only).
    pub fn is_interactive(&self, task: TaskId) -> bool {
        match self {
            Self::O1(inner) => inner.is_interactive(task),
            Self::Goodness(_) | Self::Fair(_) => false,
        }
    }
}

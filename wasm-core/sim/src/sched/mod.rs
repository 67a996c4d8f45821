//! Process scheduling: which task runs next, and on which CPU. Three of Linux's schedulers for multiprocessors,
//! as data structures that know neither the engine nor a clock; time is an argument.
//!
//! `goodness`: one queue for all CPUs, searched completely (2.2, 2.4). `o1`: two priority arrays for each CPU
//! (2.6 until 2.6.22). `fair`: virtual runtime, with the laws of CFS (2.6.23 to 6.5) and EEVDF (6.6 and later). Only
//! ordinary tasks (SCHED_OTHER) exist; each file says what else it leaves out.

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

pub use config::{
    CfsConfig, Config, EevdfConfig, FairBalance, GoodnessConfig, IdleChoice, O1Config, Placement,
    TimeSlices,
};
pub use fair::Fair;
pub use goodness::Goodness;
pub use o1::O1;

/// A task, numbered in the order of creation. Numbers are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

impl TaskId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A logical CPU, counted from 0.
pub type Cpu = u16;

/// The machine on which tasks are scheduled.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// Logical CPUs, 1 to 64.
    pub cpus: u16,
    /// For each CPU the number of the cache that it shares: that of the core, for hyper-threads, or of the
    /// socket, if all its cores share a cache. A CPU beyond the slice shares none.
    pub core_of: &'a [u16],
    /// Time between two timer interrupts of a CPU.
    pub tick: SimTime,
}

/// The result of waking a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wake {
    /// The CPU on whose queue the task now is; with one queue for all, the CPU that it last ran on.
    pub cpu: Cpu,
    /// The CPU that should call [`Scheduler::pick`]: it is idle, or its running task is to be preempted.
    pub reschedule: Option<Cpu>,
    /// Number of CPUs examined.
    pub scanned: u32,
}

/// The result of a scheduling decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The task to run, possibly the previous one; `None` if the CPU idles.
    pub task: Option<TaskId>,
    /// Number of entries examined: with goodness each entry of the run queue in each search and each task whose
    /// counter was recalculated, with O(1) 0 or 1, with fair the depth of a balanced tree.
    pub scanned: u32,
    /// Tasks among them whose counter was recalculated (goodness only).
    pub recalculated: u32,
    /// The CPU on which the task last ran, if that is another.
    pub migrated_from: Option<Cpu>,
    /// Another CPU that should call [`Scheduler::pick`], to run the preempted task.
    pub reschedule: Option<Cpu>,
}

/// What determines a waiting task's position in its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The rest of its slice (goodness, O(1)).
    Slice(SimTime),
    /// CFS: its virtual runtime, in picoseconds.
    Vruntime(i64),
    /// EEVDF, in picoseconds of virtual time: its deadline and its lag. A task that received more than its share
    /// (`lag` below 0) comes after the others.
    Virtual {
        /// The virtual deadline of its request.
        deadline: i64,
        /// V minus its virtual runtime.
        lag: i64,
    },
}

/// One of the three schedulers, with its state.
#[derive(Debug, Clone)]
pub enum Scheduler {
    /// One queue, searched completely: 2.2 and 2.4.
    Goodness(Goodness),
    /// Active and expired arrays on each CPU: 2.6.
    O1(Box<O1>),
    /// Virtual runtime or virtual deadlines: 2.6.23 and later.
    Fair(Fair),
}

/// Makes the same call on whichever scheduler it is.
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
    /// A machine without tasks, all CPUs idle.
    pub fn new(config: &Config, setup: Setup) -> Self {
        match config {
            Config::Goodness(config) => Self::Goodness(Goodness::new(config, setup)),
            Config::O1(config) => Self::O1(Box::new(O1::new(config, setup))),
            Config::Cfs(config) => Self::Fair(Fair::cfs(config, setup)),
            Config::Eevdf(config) => Self::Fair(Fair::eevdf(config, setup)),
        }
    }

    /// Adds a sleeping task. `nice` is -20 to 19; bit *n* of `allowed_cpus` allows it to run on CPU *n*, and a
    /// mask without any CPU of the machine allows all; tasks of a process share a `memory_map`, and 0 is that
    /// of a kernel thread, which has none.
    ///
    /// Simplified ("new tasks"): the CPU on which a new task counts as having last run is the allowed one with the
    /// fewest tasks, unless [`Self::start_on`] sets another. Linux starts a child on its parent's CPU and moves it at
    /// `exec`. A learner sees the distribution that a real machine reaches after some load balancing.
    pub fn add_task(&mut self, nice: i8, allowed_cpus: u64, memory_map: u32) -> TaskId {
        each!(self, inner => inner.add_task(nice, allowed_cpus, memory_map))
    }

    /// Sets how many forks separate a task that has not run from a program that mostly waits: 1, as after
    /// [`Self::add_task`], for the thread that a listening server starts for a connection, 2 for a thread of a
    /// program that a shell has just started (O(1) only).
    pub fn inherit(&mut self, task: TaskId, forks: u32) {
        if let Self::O1(inner) = self {
            inner.inherit(task, forks);
        }
    }

    /// Sets the CPU on which a task that has not run starts: its first wakeup finds it there. No effect with
    /// one queue for all CPUs.
    pub fn start_on(&mut self, task: TaskId, cpu: Cpu) {
        match self {
            Self::Goodness(_) => {}
            Self::O1(inner) => inner.start_on(task, cpu),
            Self::Fair(inner) => inner.start_on(task, cpu),
        }
    }

    /// Makes a task runnable that is so when the run begins, at time 0: it has not slept.
    pub fn begin(&mut self, task: TaskId) -> Wake {
        if let Self::Fair(inner) = self {
            inner.begin(task);
        }
        self.wake(task, 0, false, SimTime(0))
    }

    /// Makes a sleeping task runnable; a runnable one is unchanged. `waker_cpu` executes the wakeup; with
    /// `is_sync` the waker is about to sleep (`wake_up_sync`).
    pub fn wake(&mut self, task: TaskId, waker_cpu: Cpu, is_sync: bool, now: SimTime) -> Wake {
        each!(self, inner => inner.wake(task, waker_cpu, is_sync, now))
    }

    /// Puts a running task to sleep, after which its CPU calls [`Self::pick`], or dequeues a waiting one.
    pub fn sleep(&mut self, task: TaskId, now: SimTime) {
        each!(self, inner => inner.sleep(task, now));
    }

    /// `schedule()` on `cpu`: the previous task, if still runnable, competes with the waiting ones.
    pub fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        each!(self, inner => inner.pick(cpu, now))
    }

    /// `sched_yield()` by the task that runs on `cpu`: waiting tasks come first, as far as the release allows
    /// it. True if the CPU should call [`Self::pick`].
    pub fn yield_now(&mut self, cpu: Cpu, now: SimTime) -> bool {
        each!(self, inner => inner.yield_now(cpu, now))
    }

    /// The timer interrupt of `cpu`, idle or not; true if the CPU should call [`Self::pick`].
    pub fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        each!(self, inner => inner.tick(cpu, now))
    }

    /// Changes a task's affinity, with immediate effect on a waiting one. Returns a CPU that should call
    /// [`Self::pick`]: that of a running task that has to leave, or that to which the waiting task has moved.
    pub fn set_allowed(&mut self, task: TaskId, allowed_cpus: u64) -> Option<Cpu> {
        each!(self, inner => inner.set_allowed(task, allowed_cpus))
    }

    /// Terminates a task in any state; if it ran, its CPU then calls [`Self::pick`].
    pub fn exit(&mut self, task: TaskId, now: SimTime) {
        each!(self, inner => inner.exit(task, now));
    }

    /// The task that a CPU runs; `None` while it idles, and between [`Self::sleep`] and [`Self::pick`].
    pub fn running(&self, cpu: Cpu) -> Option<TaskId> {
        each!(self, inner => inner.running(cpu))
    }

    /// Number of runnable tasks on this CPU's queue that do not run; with one queue for all, those that last
    /// ran on this CPU.
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

    /// The same tasks in the order in which the CPU would pick them now, each with its claim. With one queue
    /// for all, another CPU may pick one first.
    pub fn queued(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        each!(self, inner => inner.queued(cpu))
    }

    /// The rest of the task's time slice, as of its last charge.
    pub fn slice_left(&self, task: TaskId) -> SimTime {
        each!(self, inner => inner.slice_left(task))
    }

    /// The CPU time of a task, as of its last charge (a pick, tick or sleep).
    pub fn cpu_time(&self, task: TaskId) -> SimTime {
        each!(self, inner => inner.cpu_time(task))
    }

    /// Whether the scheduler considers the task interactive (O(1) only).
    pub fn is_interactive(&self, task: TaskId) -> bool {
        match self {
            Self::O1(inner) => inner.is_interactive(task),
            Self::Goodness(_) | Self::Fair(_) => false,
        }
    }
}

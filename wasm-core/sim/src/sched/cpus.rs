//! What the three schedulers share: the CPUs and what they run, and for each task its state, its affinity and
//! its CPU time.

use super::{Cpu, Setup, TaskId};
use crate::time::SimTime;

/// A task's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not runnable.
    Sleeping,
    /// Runnable, on a queue.
    Waiting,
    /// Running on a CPU.
    Running,
    /// Terminated.
    Exited,
}

/// The part of a task that every scheduler has.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub(super) state: State,
    pub(super) nice: i8,
    /// Affinity mask: only existing CPUs, and at least one.
    pub(super) allowed: u64,
    pub(super) memory_map: u32,
    /// The CPU whose queue the task is on, or where it runs, last ran or will first run.
    pub(super) cpu: Cpu,
    pub(super) last_ran: Option<Cpu>,
    /// The time up to which it has been charged, while it runs.
    charged_until: SimTime,
    pub(super) cpu_time: SimTime,
}

impl Base {
    /// Sets the CPU on which a task that has not run yet starts, if its affinity allows it.
    pub(super) fn start_on(&mut self, cpu: Cpu) {
        if self.last_ran.is_none() && self.state == State::Sleeping && self.may_run_on(cpu) {
            self.cpu = cpu;
        }
    }

    pub(super) fn may_run_on(&self, cpu: Cpu) -> bool {
        self.allowed >> cpu & 1 == 1
    }

    /// Charges a running task for the time since the last charge, and returns that time.
    pub(super) fn charge(&mut self, now: SimTime) -> SimTime {
        if self.state != State::Running {
            return SimTime(0);
        }
        let ran = now - self.charged_until.min(now);
        self.charged_until = self.charged_until.max(now);
        self.cpu_time = self.cpu_time + ran;
        ran
    }

    /// Puts the task on a CPU; returns the CPU that it last ran on if that is another.
    pub(super) fn switch_in(&mut self, cpu: Cpu, now: SimTime) -> Option<Cpu> {
        self.state = State::Running;
        self.cpu = cpu;
        self.charged_until = now;
        self.last_ran.replace(cpu).filter(|&last| last != cpu)
    }
}

/// The CPUs of a machine.
#[derive(Debug, Clone)]
pub(super) struct Cpus {
    pub(super) tick: SimTime,
    /// Mask of all CPUs.
    all: u64,
    /// For each CPU, the mask of those that share its cache, itself included.
    siblings: Vec<u64>,
    running: Vec<Option<TaskId>>,
    /// For each CPU, the number of tasks initially assigned to it.
    homes: Vec<u32>,
}

impl Cpus {
    pub(super) fn new(setup: Setup) -> Self {
        assert!((1..=64).contains(&setup.cpus), "1 to 64 CPUs");
        assert!(setup.tick > SimTime(0), "a tick takes time");
        let core = |cpu: Cpu| setup.core_of.get(usize::from(cpu));
        let shares = |a: Cpu, b: Cpu| a == b || (core(a).is_some() && core(a) == core(b));
        let siblings = (0..setup.cpus)
            .map(|a| {
                (0..setup.cpus)
                    .filter(|&b| shares(a, b))
                    .map(|b| 1 << b)
                    .sum()
            })
            .collect();
        let count = usize::from(setup.cpus);
        Self {
            tick: setup.tick,
            all: u64::MAX >> (64 - setup.cpus),
            siblings,
            running: vec![None; count],
            homes: vec![0; count],
        }
    }

    pub(super) fn count(&self) -> u16 {
        self.running.len() as u16
    }

    pub(super) fn running(&self, cpu: Cpu) -> Option<TaskId> {
        self.running[usize::from(cpu)]
    }

    pub(super) fn set_running(&mut self, cpu: Cpu, task: Option<TaskId>) {
        self.running[usize::from(cpu)] = task;
    }

    pub(super) fn is_idle(&self, cpu: Cpu) -> bool {
        self.running(cpu).is_none()
    }

    /// Mask of the CPUs that share a cache with `cpu`, itself included.
    pub(super) fn siblings(&self, cpu: Cpu) -> u64 {
        self.siblings[usize::from(cpu)]
    }

    pub(super) fn share_cache(&self, a: Cpu, b: Cpu) -> bool {
        self.siblings(a) >> b & 1 == 1
    }

    /// Restricts a mask to existing CPUs; if none is left, all of them.
    pub(super) fn mask(&self, allowed: u64) -> u64 {
        match allowed & self.all {
            0 => self.all,
            mask => mask,
        }
    }

    /// A sleeping task, assigned to the allowed CPU with the fewest tasks.
    pub(super) fn new_task(&mut self, nice: i8, allowed: u64, memory_map: u32) -> Base {
        let allowed = self.mask(allowed);
        let homes = &self.homes;
        let cpu = each(allowed)
            .min_by_key(|&cpu| homes[usize::from(cpu)])
            .unwrap_or(0);
        self.homes[usize::from(cpu)] += 1;
        Base {
            state: State::Sleeping,
            nice: nice.clamp(-20, 19),
            allowed,
            memory_map,
            cpu,
            last_ran: None,
            charged_until: SimTime(0),
            cpu_time: SimTime(0),
        }
    }
}

/// The CPUs of a mask, lowest first.
pub(super) fn each(mut mask: u64) -> impl Iterator<Item = Cpu> {
    std::iter::from_fn(move || {
        let cpu = mask.trailing_zeros();
        (mask != 0).then(|| {
            mask &= mask - 1;
            cpu as Cpu
        })
    })
}

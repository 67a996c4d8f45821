//! What the three schedulers have in common: the CPUs and what they run, and of each
//! task its state, where it may run, and the time it has been charged with.

use super::{Cpu, Setup, TaskId};
use crate::time::SimTime;

/// A task's state, as far as a scheduler knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not runnable.
    Sleeping,
    /// Runnable, on a queue.
    Waiting,
    /// On a CPU.
    Running,
    /// Gone.
    Exited,
}

/// The part of a task that every scheduler has.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub(super) state: State,
    pub(super) nice: i8,
    /// Only CPUs that exist, and at least one.
    pub(super) allowed: u64,
    pub(super) memory_map: u32,
    /// Its queue, or where it runs, ran, or would run.
    pub(super) cpu: Cpu,
    pub(super) last_ran: Option<Cpu>,
    /// Until when it has been charged, while it runs.
    charged_until: SimTime,
    pub(super) cpu_time: SimTime,
}

impl Base {
    /// A task that has not run yet begins on this CPU, if it may.
    pub(super) fn start_on(&mut self, cpu: Cpu) {
        if self.last_ran.is_none() && self.state == State::Sleeping && self.may_run_on(cpu) {
            self.cpu = cpu;
        }
    }

    pub(super) fn may_run_on(&self, cpu: Cpu) -> bool {
        self.allowed >> cpu & 1 == 1
    }

    /// Charges the time since the last charge to a running task, and gives it.
    pub(super) fn charge(&mut self, now: SimTime) -> SimTime {
        if self.state != State::Running {
            return SimTime(0);
        }
        let ran = now - self.charged_until.min(now);
        self.charged_until = self.charged_until.max(now);
        self.cpu_time = self.cpu_time + ran;
        ran
    }

    /// Puts it on a CPU; gives the CPU it ran on before when that was another.
    pub(super) fn switch_in(&mut self, cpu: Cpu, now: SimTime) -> Option<Cpu> {
        self.state = State::Running;
        self.cpu = cpu;
        self.charged_until = now;
        self.last_ran.replace(cpu).filter(|&last| last != cpu)
    }
}

/// The CPUs.
#[derive(Debug, Clone)]
pub(super) struct Cpus {
    pub(super) tick: SimTime,
    /// A bit for each.
    all: u64,
    /// For each the CPUs that share its cache, itself included.
    siblings: Vec<u64>,
    running: Vec<Option<TaskId>>,
    /// For each the tasks that were first given to it.
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

    /// The CPUs that share this one's cache, itself included.
    pub(super) fn siblings(&self, cpu: Cpu) -> u64 {
        self.siblings[usize::from(cpu)]
    }

    pub(super) fn share_cache(&self, a: Cpu, b: Cpu) -> bool {
        self.siblings(a) >> b & 1 == 1
    }

    /// A mask of existing CPUs: all when it names none of them.
    pub(super) fn mask(&self, allowed: u64) -> u64 {
        match allowed & self.all {
            0 => self.all,
            mask => mask,
        }
    }

    /// A sleeping task, at home on the allowed CPU with the fewest tasks.
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

//! What CPU time is charged to: a CPU's context, a site of its profile, a task and its system
//! call.
//!
//! A step is charged as a whole when it begins. A measurement that ends within one, as at the end of
//! the run, gives back what is left of it; otherwise a CPU's busy time would exceed the window.

use crate::engine::core::Core;
use crate::engine::ids::TaskId;
use crate::time::SimTime;
use ringside::kernel::Context;

use super::TASK;
use super::profile::Call;

/// What a step's time is charged to.
#[derive(Debug, Clone, Copy)]
pub struct Charge {
    /// The context, of the CPU that the step runs on.
    pub context: Context,
    /// The site in that CPU's profile; none of user code and of time that was stolen.
    pub site: Option<u16>,
    /// The task.
    pub task: Option<TaskId>,
    /// The task's system call.
    pub call: Call,
}

impl Charge {
    /// Time of a context alone.
    pub const fn to(context: Context) -> Self {
        Self {
            context,
            site: None,
            task: None,
            call: Call::None,
        }
    }
}

impl Core {
    /// A step of a path begins. Linux charges interrupts to the task that they interrupt.
    pub fn charge_step(&mut self, cpu: usize, context: Context, site: u16, fs: u64) {
        let state = &mut self.cpus[cpu];
        if state.level == TASK {
            state.in_user = false;
        }
        let (host, local, task) = (state.host, state.local, state.current);
        self.hosts[host].profile.of(local, site).calls[slot(context)] += 1;
        let call = task.map_or(Call::None, |task| self.tasks[task].call);
        let charge = Charge {
            context,
            site: Some(site),
            task,
            call,
        };
        self.charge(cpu, charge, fs);
    }

    /// Charges a step of `fs` femtoseconds that begins, or resumes, at the CPU's level.
    pub fn charge(&mut self, cpu: usize, charge: Charge, fs: u64) {
        let state = &mut self.cpus[cpu];
        state.charged[state.level] = charge;
        self.each_sum(cpu, charge, |sum| *sum += fs);
    }

    /// Takes back `fs` femtoseconds that were charged and have not passed.
    pub fn give_back(&mut self, cpu: usize, charge: Charge, fs: u64) {
        self.each_sum(cpu, charge, |sum| *sum -= fs);
    }

    fn each_sum(&mut self, cpu: usize, charge: Charge, apply: impl Fn(&mut u64)) {
        let state = &mut self.cpus[cpu];
        let host = &mut self.hosts[state.host];
        apply(&mut state.time[slot(charge.context)]);
        if let Some(site) = charge.site {
            apply(&mut host.profile.of(state.local, site).fs[slot(charge.context)]);
        }
        if let Some(task) = charge.task {
            apply(&mut self.tasks[task].cpu_fs);
            apply(&mut host.profile.call(charge.call).fs);
        }
    }

    /// The remaining time in fs of all steps under way; time that CPUs stood still is accounted for first.
    pub fn all_rests(&mut self) -> Vec<(usize, Charge, u64)> {
        let mut rests = Vec::new();
        for cpu in 0..self.cpus.len() {
            self.count_standing(cpu);
            rests.extend(self.rests(cpu).map(|(charge, rest)| (cpu, charge, rest)));
        }
        rests
    }

    /// Charges `fs` more femtoseconds to a step that resumes after it was given back, or that takes longer.
    pub fn charge_more(&mut self, cpu: usize, charge: Charge, fs: u64) {
        self.each_sum(cpu, charge, |sum| *sum += fs);
    }

    /// The remaining time in fs of the steps of a CPU that are under way or interrupted.
    pub fn rests(&self, cpu: usize) -> impl Iterator<Item = (Charge, u64)> {
        let state = &self.cpus[cpu];
        let standing = state.postponed.step.map(|(_, rest)| rest);
        let goes_on = (state.until != SimTime::NEVER).then(|| state.until.since(self.now()));
        let interrupted = state.rest.into_iter().zip(state.charged);
        let under_way = standing
            .or(goes_on)
            .map(|rest| (rest, state.charged[state.level]));
        let all = interrupted.chain(under_way);
        all.map(|(rest, charge)| (charge, rest.0))
            .filter(|&(_, rest)| rest > 0)
    }

    /// Accounts the time that a CPU stood still in the middle
    /// of a step, outside its turn, to that step's context.
    pub fn count_standing(&mut self, cpu: usize) {
        let now = self.now();
        let state = &mut self.cpus[cpu];
        let context = match state.context() {
            Context::Kernel if state.in_user => Context::User,
            context => context,
        };
        if let Some((since, _)) = &mut state.postponed.step {
            let stood = now.since(std::mem::replace(since, now));
            if state.idle_since.is_none() {
                state.time[slot(context)] += stood.0;
            }
        }
    }
}

/// How many contexts have a time of their own.
pub const SLOTS: usize = 6;

/// The contexts that have a time of their own, by their slot; the first is idle's.
pub const CONTEXTS: [Context; SLOTS] = [
    Context::Idle,
    Context::User,
    Context::Kernel,
    Context::Softirq,
    Context::Hardirq,
    Context::Spinning,
];

/// Where a context's time is kept.
pub const fn slot(context: Context) -> usize {
    match context {
        Context::Unknown | Context::Idle => 0,
        Context::User => 1,
        Context::Kernel => 2,
        Context::Softirq => 3,
        Context::Hardirq | Context::Nmi => 4,
        Context::Spinning => 5,
    }
}

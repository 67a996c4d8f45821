//! What CPU time is charged to: a CPU's context, a function of its profile, a task and its system
//! call.
//!
//! A step is charged as a whole when it begins. Whoever measures in the middle of it, as at the
//! end of the run, gives back what is left of it, or a CPU would be busy for longer than it was
//! there.

use crate::kernel::Context;
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::execute::slot;
use crate::sim::engine::state::{HARD, NONE, SOFT, TASK};

/// Whom a step's time is charged to.
#[derive(Debug, Clone, Copy)]
pub struct Charge {
    /// The context, of the CPU that the step runs on.
    pub context: Context,
    /// The function in that CPU's profile; none of user code and of time that was stolen.
    pub function: Option<u16>,
    /// The task, or [`NONE`].
    pub task: u32,
    /// The task's system call, an index into the host's.
    pub call: u8,
}

impl Charge {
    /// Time of a context alone.
    pub const fn to(context: Context) -> Self {
        Self {
            context,
            function: None,
            task: NONE,
            call: 0,
        }
    }
}

impl Engine {
    /// A step of a path begins. Linux charges interrupts to the task that they interrupt.
    pub(crate) fn charge_step(&mut self, cpu: usize, context: Context, function: u16, fs: u64) {
        let state = &mut self.cpus[cpu];
        if state.level == TASK {
            state.in_user = false;
        }
        let (host, local, task) = (usize::from(state.host), state.local, state.current);
        self.hosts[host].profile_of(local, function).calls += 1;
        let tasks = &self.tasks;
        let call = tasks.get(task as usize).map_or(0, |task| task.call);
        let charge = Charge {
            context,
            function: Some(function),
            task,
            call,
        };
        self.charge(cpu, charge, fs);
    }

    /// A step that takes so long begins, or goes on, at the CPU's level.
    pub(crate) fn charge(&mut self, cpu: usize, charge: Charge, fs: u64) {
        let state = &mut self.cpus[cpu];
        state.charged[state.level] = charge;
        self.each_sum(cpu, charge, |sum| *sum += fs);
    }

    /// So much of a step was charged that has not passed.
    pub(crate) fn give_back(&mut self, cpu: usize, charge: Charge, fs: u64) {
        self.each_sum(cpu, charge, |sum| *sum -= fs);
    }

    fn each_sum(&mut self, cpu: usize, charge: Charge, apply: impl Fn(&mut u64)) {
        let state = &mut self.cpus[cpu];
        let host = &mut self.hosts[usize::from(state.host)];
        apply(&mut state.time[slot(charge.context)]);
        if let Some(function) = charge.function {
            apply(&mut host.profile_of(state.local, function).fs);
        }
        if charge.task != NONE {
            apply(&mut self.tasks[charge.task as usize].cpu_fs);
            apply(&mut host.calls[usize::from(charge.call)].fs);
        }
    }

    /// What is measured of a world in which no step is charged for time that has not passed.
    pub(crate) fn clipped<T>(&mut self, measure: impl Fn(&Self) -> T) -> T {
        let mut rests = Vec::new();
        for cpu in 0..self.cpus.len() {
            self.count_standing(cpu);
            rests.extend(self.rests(cpu).map(|(charge, rest)| (cpu, charge, rest)));
        }
        for &(cpu, charge, fs) in &rests {
            self.give_back(cpu, charge, fs);
        }
        let measured = measure(self);
        for &(cpu, charge, fs) in &rests {
            self.each_sum(cpu, charge, |sum| *sum += fs);
        }
        measured
    }

    /// What the steps of a CPU that are under way, or interrupted, have still to do in fs.
    pub(crate) fn rests(&self, cpu: usize) -> impl Iterator<Item = (Charge, u64)> {
        let state = &self.cpus[cpu];
        let standing = state.postponed.step.map(|(_, rest)| rest);
        let goes_on = (state.until != SimTime::NEVER).then(|| state.until.since(self.now));
        let interrupted = state.rest.into_iter().zip(state.charged);
        let under_way = standing
            .or(goes_on)
            .map(|rest| (rest, state.charged[state.level]));
        let all = interrupted.chain(under_way);
        all.map(|(rest, charge)| (charge, rest.0))
            .filter(|&(_, rest)| rest > 0)
    }

    /// A CPU that stands still in the middle of a step, as it is another one's turn, spends that
    /// time in the step's context.
    pub(crate) fn count_standing(&mut self, cpu: usize) {
        let now = self.now;
        let state = &mut self.cpus[cpu];
        let context = match state.level {
            HARD => Context::Hardirq,
            SOFT => Context::Softirq,
            _ => of_task(state.in_user),
        };
        if let Some((since, _)) = &mut state.postponed.step {
            let stood = now.since(std::mem::replace(since, now));
            if state.idle_since.is_none() {
                state.time[slot(context)] += stood.0;
            }
        }
    }
}

/// A task's context.
const fn of_task(in_user: bool) -> Context {
    if in_user {
        Context::User
    } else {
        Context::Kernel
    }
}

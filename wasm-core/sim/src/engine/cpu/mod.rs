//! CPUs: contexts that interrupt each other, each with its stack of
//! operations; the accounting of their time; the code paths that they run.

pub mod charge;
pub mod code;
pub mod lines_out;
mod noise;
pub mod op;
pub mod profile;

use std::collections::VecDeque;

use crate::time::SimTime;
use ringside::kernel::Context;

use super::ids::TaskId;
use super::spinlock::{LockId, Spin};
use charge::Charge;
use lines_out::Running;
use op::Op;

/// Task level, the lowest: a softirq runs over it, and a hard interrupt over both.
pub const TASK: usize = 0;
/// Softirq level.
pub const SOFT: usize = 1;
/// Hard interrupt level.
pub const HARD: usize = 2;

/// One logical CPU.
#[derive(Debug)]
pub struct Cpu {
    /// Its host.
    pub host: usize,
    /// Its number within the host.
    pub local: u16,
    /// Index of its cache.
    pub cache: u8,
    /// The other thread of its core, or itself, among the CPUs of all hosts.
    pub sibling: usize,
    /// What runs: [`TASK`], [`SOFT`] or [`HARD`].
    pub level: usize,
    /// When its current step ends; `NEVER` when it idles, spins or stands still.
    pub until: SimTime,
    /// Remaining time of the interrupted step, at task and at softirq level.
    pub rest: [SimTime; 2],
    /// The stacks of softirq and hard interrupt (1 and 2); 0 is the scheduler's own.
    pub stacks: [Vec<Op>; 3],
    /// The current task; none when idle.
    pub current: Option<TaskId>,
    /// A task should be chosen anew (`TIF_NEED_RESCHED`).
    pub need_resched: bool,
    /// Whether the step under way is user code.
    pub in_user: bool,
    /// What the step at each level is charged to.
    pub charged: [Charge; 3],
    /// Time by context in fs, see [`charge::slot`].
    pub time: [u64; 6],
    /// Since when it idles, if it does.
    pub idle_since: Option<SimTime>,
    /// Which function it runs.
    pub running: Running,
    /// Locks that it holds and spins for.
    pub locks: CpuLocks,
    /// Its softirqs.
    pub softirq: Softirq,
    /// Its interrupt controller.
    pub apic: Apic,
    /// What waits for its turn, where CPUs take turns.
    pub postponed: Postponed,
}

/// The locks that a CPU holds or waits for.
#[derive(Debug, Default)]
pub struct CpuLocks {
    /// Spin locks held, each counted as often as it was taken (`preempt_count`).
    pub preempt_count: u32,
    /// The lock spun for at each level.
    pub spinning: [Option<Spin>; 3],
    /// The lock to release when each level's step ends.
    pub unlocks: [Option<LockId>; 3],
}

/// Softirqs of a CPU.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "bits of its masks")]
pub struct Softirq {
    /// A softirq is raised (`local_softirq_pending`).
    pub is_pending: bool,
    /// A softirq runs here, or is interrupted by a hard interrupt.
    pub is_running: bool,
    /// The network softirq was raised while it ran.
    pub is_raised_again: bool,
    /// Pending work is left to ksoftirqd, until it runs, an interrupt returns or bottom halves are enabled.
    pub is_deferred: bool,
    /// Nesting depth of disabled bottom halves (`softirq_count`).
    pub count: u32,
    /// When the one under way began.
    pub began: SimTime,
    /// Calls of `net_rx_action` that have ended since then.
    pub rounds: u32,
    /// `ksoftirqd` of this CPU.
    pub daemon: Option<TaskId>,
    /// Whether what is pending waits for it while it is runnable.
    pub waits_for_daemon: bool,
}

/// A CPU's local interrupt controller.
#[derive(Debug, Clone, Default)]
pub struct Apic {
    /// Interrupts of NICs that wait until the CPU takes them (IRR).
    pub requested: u32,
    /// When it last sent a message (an IPI, an EOI) on the APIC bus that all CPUs share.
    pub last_sent: SimTime,
    /// Interrupts that came while another one was in service.
    pub pending: VecDeque<Op>,
    /// When the interrupt that ends its halt will arrive, if one is on its way.
    pub halt_ends: Option<SimTime>,
}

/// What a CPU continues with when its turn comes, where CPUs run one at a time.
#[derive(Debug, Clone, Default)]
pub struct Postponed {
    /// The suspended step: since when it has stood still, and its remaining time.
    pub step: Option<(SimTime, SimTime)>,
    /// Interrupts that arrived outside its turn.
    pub interrupts: VecDeque<Op>,
}

impl Cpu {
    /// A CPU that idles.
    pub fn idle(host: usize, local: u16, cache: u8, sibling: usize) -> Self {
        Self {
            host,
            local,
            cache,
            sibling,
            level: TASK,
            until: SimTime::NEVER,
            rest: [SimTime::ZERO; 2],
            stacks: Default::default(),
            current: None,
            need_resched: false,
            in_user: false,
            charged: [Charge::to(Context::Idle); 3],
            time: [0; 6],
            idle_since: Some(SimTime::ZERO),
            running: Running::default(),
            locks: CpuLocks::default(),
            softirq: Softirq::default(),
            apic: Apic::default(),
            postponed: Postponed::default(),
        }
    }

    /// Whether nothing runs here.
    pub fn is_idle(&self) -> bool {
        self.level == TASK
            && self.current.is_none()
            && self.until == SimTime::NEVER
            && self.locks.spinning[TASK].is_none()
    }

    /// The task that runs here and is not interrupted.
    #[inline]
    pub fn current_task(&self) -> Option<TaskId> {
        self.current.filter(|_| self.level == TASK)
    }

    /// Whether a raised softirq can start now: at task level, with bottom halves on.
    pub fn can_enter_softirq(&self) -> bool {
        let softirq = &self.softirq;
        softirq.is_pending && !softirq.is_deferred && self.level == TASK && softirq.count == 0
    }

    /// The context of the step under way.
    pub fn context(&self) -> Context {
        match self.level {
            HARD => Context::Hardirq,
            SOFT => Context::Softirq,
            _ => Context::Kernel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_softirq_waits_for_interrupts_and_for_whoever_keeps_bottom_halves_off() {
        let mut cpu = Cpu::idle(0, 0, 0, 0);
        assert!(!cpu.can_enter_softirq(), "none is raised");
        cpu.softirq.is_pending = true;
        assert!(cpu.can_enter_softirq());
        cpu.level = HARD;
        assert!(!cpu.can_enter_softirq(), "a hard interrupt runs");
        cpu.level = TASK;
        cpu.softirq.count = 1;
        assert!(!cpu.can_enter_softirq(), "local_bh_disable");
        cpu.softirq.count = 0;
        cpu.softirq.is_deferred = true;
        assert!(!cpu.can_enter_softirq(), "it is ksoftirqd's");
    }
}

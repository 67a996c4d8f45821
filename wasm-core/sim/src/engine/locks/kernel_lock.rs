//! The locks of old kernels that reach further than a step, and who may run bottom halves.
//!
//! Source: for 2.2.14 `include/asm-i386/smplock.h` and `softirq.h`, `kernel/sched.c: schedule`
//! (`release_kernel_lock`).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::TaskId;
use crate::engine::spinlock::LockId;

impl Core {
    // ---- the big kernel lock (2.2) ----------------------------------------------------

    /// A task that sleeps gives the kernel lock up and takes it again when it goes on.
    pub fn give_up_kernel_lock(&mut self, cpu: usize, task: TaskId) {
        let times = self.tasks[task].lock_depth;
        let host = self.tasks[task].host;
        let Some(index) = self.hosts[host].locks.kernel_lock else {
            return;
        };
        for _ in 0..times {
            self.release(cpu, LockId::Host(host as u8, index));
            let again = Op::run(Path::ReacquireKernelLock, About::NOTHING);
            self.tasks[task].stack.push(again);
        }
    }

    pub(super) fn is_kernel_lock(&self, id: LockId) -> bool {
        match id {
            LockId::Host(host, index) => {
                self.hosts[usize::from(host)].locks.kernel_lock == Some(index)
            }
            LockId::Socket(_) => false,
        }
    }

    // ---- bottom halves before softirqs (2.2) ------------------------------------------

    /// `softirq_trylock`: one CPU at a time runs bottom halves, and none does while a task
    /// keeps them off (`start_bh_atomic`). A CPU that does not get it leaves its work to the
    /// holder.
    pub fn may_run_bottom_halves(&mut self, cpu: usize) -> bool {
        let locks = &mut self.hosts[self.cpus[cpu].host].locks;
        let Some(index) = locks.bh_lock else {
            return true;
        };
        let lock = &mut locks.all[usize::from(index)];
        if lock.holder.is_some() {
            self.cpus[cpu].softirq.is_pending = false;
            locks.bottom_halves_wait = true;
            return false;
        }
        lock.holder = Some(cpu as u16);
        lock.depth = 1;
        self.cpus[cpu].locks.preempt_count += 1;
        let site = self.site_of(cpu, Path::SoftirqEntry);
        let host = self.cpus[cpu].host as u8;
        self.count_hold(cpu, LockId::Host(host, index), site);
        true
    }

    /// `softirq_endlock`.
    pub fn bottom_halves_end(&mut self, cpu: usize) {
        let host = self.cpus[cpu].host;
        if let Some(index) = self.hosts[host].locks.bh_lock {
            self.release(cpu, LockId::Host(host as u8, index));
        }
    }

    /// The CPU that releases the lock runs the bottom halves that were left meanwhile (`handle_bottom_half`
    /// on the way back to the task).
    pub(super) fn bottom_halves_go_on(&mut self, cpu: usize, id: LockId) {
        let locks = &mut self.hosts[self.cpus[cpu].host].locks;
        let is_theirs = matches!(id, LockId::Host(_, index) if locks.bh_lock == Some(index));
        if is_theirs && std::mem::take(&mut locks.bottom_halves_wait) {
            self.cpus[cpu].softirq.is_pending = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::cpu::SOFT;
    use crate::engine::setup::testing::{World, sock, task};

    const SITE: u16 = 3;

    /// A kernel with a big kernel lock and bottom halves under one lock; its first task is in a system
    /// call on CPU 0.
    fn engine() -> Engine {
        let mut engine = World {
            kernel: "2.2.14",
            roles: serde_json::json!([{ "name": "one", "side": "client", "per": "host" }]),
            ..World::default()
        }
        .at_rest();
        engine.core.cpus[0].current = Some(task(0));
        engine
    }

    fn kernel_lock(core: &Core) -> LockId {
        LockId::Host(0, core.hosts[0].locks.kernel_lock.unwrap())
    }

    fn bh_lock(core: &Core) -> LockId {
        LockId::Host(0, core.hosts[0].locks.bh_lock.unwrap())
    }

    #[test]
    fn the_kernel_lock_forbids_no_bottom_halves_and_counts_for_its_task() {
        let mut core = engine().core;
        let lock = kernel_lock(&core);
        core.acquire(0, lock, SITE);
        core.acquire(0, lock, SITE);
        assert_eq!(core.cpus[0].softirq.count, 0);
        assert_eq!(core.tasks[task(0)].lock_depth, 2);
        core.release(0, lock);
        assert_eq!(core.tasks[task(0)].lock_depth, 1);
        assert_eq!(core.lock(lock).holder, Some(0));
    }

    #[test]
    fn a_task_that_sleeps_gives_the_kernel_lock_up_and_takes_it_again_as_often() {
        let mut core = engine().core;
        let lock = kernel_lock(&core);
        core.acquire(0, lock, SITE);
        core.acquire(0, lock, SITE);
        core.acquire(1, lock, SITE);
        core.give_up_kernel_lock(0, task(0));
        assert_eq!(core.lock(lock).holder, Some(1));
        assert_eq!(core.tasks[task(0)].lock_depth, 0);
        let again = Op::run(Path::ReacquireKernelLock, About::NOTHING);
        assert_eq!(core.tasks[task(0)].stack, [again, again]);
    }

    #[test]
    fn one_cpu_at_a_time_runs_bottom_halves_and_does_what_others_left() {
        let mut core = engine().core;
        core.cpus[0].level = SOFT;
        core.cpus[1].softirq.is_pending = true;
        assert!(core.may_run_bottom_halves(0));
        assert!(!core.may_run_bottom_halves(1));
        assert!(!core.cpus[1].softirq.is_pending, "it leaves them");
        core.bottom_halves_end(0);
        assert!(core.cpus[0].softirq.is_pending, "the holder does them");
        assert!(core.may_run_bottom_halves(0));
        core.cpus[0].softirq.is_pending = false;
        core.bottom_halves_end(0);
        assert!(!core.cpus[0].softirq.is_pending, "nothing was left");
    }

    #[test]
    fn a_task_that_keeps_bottom_halves_off_keeps_all_sockets() {
        let mut core = engine().core;
        let op = Op::Timer { sock: sock(1) };
        core.acquire(0, bh_lock(&core), SITE);
        assert!(!core.may_run_bottom_halves(1));
        assert!(core.waits_for_socket(1, sock(1), op, None));
        let own = LockId::Socket(sock(1));
        assert!(core.holds_socket(2, sock(1), op, Path::RtoTimer));
        assert_eq!(core.lock(own).holder, None, "sockets have no lock yet");
    }

    #[test]
    fn without_a_lock_for_them_bottom_halves_run_side_by_side() {
        let mut core = World::default().at_rest().core;
        assert!(core.may_run_bottom_halves(0));
        assert!(core.may_run_bottom_halves(1));
    }
}

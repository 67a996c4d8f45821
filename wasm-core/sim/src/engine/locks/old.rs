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

    /// Whoever lets the lock go at last does what was left (`handle_bottom_half` on the way
    /// back to the task).
    pub(super) fn bottom_halves_go_on(&mut self, cpu: usize, id: LockId) {
        let locks = &mut self.hosts[self.cpus[cpu].host].locks;
        let is_theirs = matches!(id, LockId::Host(_, index) if locks.bh_lock == Some(index));
        if is_theirs && std::mem::take(&mut locks.bottom_halves_wait) {
            self.cpus[cpu].softirq.is_pending = true;
        }
    }
}

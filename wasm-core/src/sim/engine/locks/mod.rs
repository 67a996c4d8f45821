//! Spin locks: one holder, waiters in the order in which they came; the locks of old
//! kernels that reach further than a step, and who may run bottom halves.
//!
//! Source: `include/linux/spinlock.h: spin_lock_bh`; for 2.2.14 `include/asm-i386/smplock.h`
//! and `softirq.h`, `kernel/sched.c: schedule` (`release_kernel_lock`).
//!
//! Simplified here: who waited longest gets the lock; before ticket locks (v2.6.25)
//! Linux gave it to whoever was fastest. A learner sees no CPU starve at a lock.
//!
//! Simplified here: no lock holds interrupts off. A handler that wants what its own CPU
//! holds goes on as if it had it. A learner sees an interrupt a microsecond too soon.

pub(crate) mod spin;

use crate::kernel::{Context, Field, Probe};

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::execute::slot;
use crate::sim::engine::state::{LockId, NONE, Spin, TASK};

impl Engine {
    /// Takes a lock with what that costs, or begins to spin: false.
    pub(crate) fn acquire(&mut self, cpu: usize, id: LockId, cost: &mut u64) -> bool {
        let has_lock = self.take(cpu, id);
        if has_lock {
            *cost += self.touch_lock(cpu, id);
        }
        has_lock
    }

    /// Takes a lock, or begins to spin for it: false. Who holds it takes it once more.
    pub(crate) fn take(&mut self, cpu: usize, id: LockId) -> bool {
        let level = self.cpus[cpu].level;
        let was_spinning = self.cpus[cpu].spinning[level].is_some();
        let lock = self.lock(id);
        match lock.holder {
            Some(holder) if usize::from(holder) != cpu => {
                if !was_spinning {
                    self.spin(cpu, id, usize::from(holder));
                }
                return false;
            }
            Some(_) if was_spinning => {
                // It was granted; the depth is 1 already.
                self.cpus[cpu].spinning[level] = None;
            }
            Some(_) => lock.depth += 1,
            None => {
                lock.holder = Some(cpu as u16);
                lock.depth = 1;
            }
        }
        if self.is_kernel_lock(id) {
            // Given up when the task sleeps: it forbids neither that nor bottom halves.
            let current = self.cpus[cpu].current;
            if current != NONE {
                self.tasks[current as usize].kernel_locks += 1;
            }
        } else if level == TASK && !was_spinning {
            self.cpus[cpu].bh_off += 1;
        }
        self.cpus[cpu].held += 1;
        true
    }

    /// Waits for the holder; a task does so with bottom halves off (`spin_lock_bh`).
    fn spin(&mut self, cpu: usize, id: LockId, holder: usize) {
        let now = self.now;
        let lock = self.lock(id);
        lock.waiting.push_back(cpu as u16);
        lock.is_contended = true;
        let level = self.cpus[cpu].level;
        if level == TASK && !self.is_kernel_lock(id) {
            self.cpus[cpu].bh_off += 1;
        }
        let host = usize::from(self.cpus[cpu].host);
        self.enter(cpu, self.hosts[host].lock_function);
        self.cpus[cpu].spinning[level] = Some(Spin {
            lock: id,
            since: now,
            counted: now,
        });
        if self.emit(cpu, Probe::ContentionBegin, NONE, socket_of(id)) {
            let name = self.lock_name(id);
            self.record.field(Field::Lock, name);
            let local = self.cpus[holder].local;
            self.record.field(Field::FromCpu, u32::from(local));
        }
    }

    /// Spinning that was not counted yet is: time of the CPU, of its task, of the lock.
    pub(crate) fn count_spinning(&mut self, cpu: usize, level: usize) {
        let now = self.now;
        let state = &mut self.cpus[cpu];
        let Some(spin) = &mut state.spinning[level] else {
            return;
        };
        let waited = now.since(spin.counted).0;
        spin.counted = now;
        state.time[slot(Context::Spinning)] += waited;
        let host = &mut self.hosts[usize::from(state.host)];
        host.profile_of(state.local, host.lock_function).fs += waited;
        if state.current != NONE {
            let task = &mut self.tasks[state.current as usize];
            task.cpu_fs += waited;
            if level == TASK {
                host.calls[usize::from(task.call)].fs += waited;
            }
        }
    }

    /// What CPUs have spun up to now counts.
    pub(crate) fn count_all_spinning(&mut self) {
        for cpu in 0..self.cpus.len() {
            self.count_spinning(cpu, self.cpus[cpu].level);
        }
    }

    /// Lets go once; at the last time who waited longest gets the lock.
    pub(crate) fn release(&mut self, cpu: usize, id: LockId) {
        let lock = self.lock(id);
        if lock.holder != Some(cpu as u16) {
            // A kernel lock that was given up, with nothing to take it again.
            return;
        }
        lock.depth -= 1;
        let is_last = lock.depth == 0;
        self.cpus[cpu].held -= 1;
        if self.is_kernel_lock(id) {
            let current = self.cpus[cpu].current;
            if current != NONE {
                self.tasks[current as usize].kernel_locks -= 1;
            }
        } else if self.cpus[cpu].level == TASK {
            self.cpus[cpu].bh_off -= 1;
        }
        if is_last {
            self.hand_on(cpu, id);
        }
    }

    fn hand_on(&mut self, cpu: usize, id: LockId) {
        let lock = self.lock(id);
        let was_contended = std::mem::take(&mut lock.is_contended);
        lock.holder = None;
        lock.is_contended = !lock.waiting.is_empty();
        if was_contended && self.emit(cpu, Probe::LockRelease, NONE, socket_of(id)) {
            let name = self.lock_name(id);
            self.record.field(Field::Lock, name);
        }
        // A CPU that an interrupt took away from spinning does not see that the lock is free.
        let waiting = std::mem::take(&mut self.lock(id).waiting);
        let next = waiting.iter().position(|&other| {
            let state = &self.cpus[usize::from(other)];
            !self.is_others_turn(usize::from(other))
                && state.spinning[state.level].is_some_and(|spin| spin.lock == id)
        });
        self.lock(id).waiting = waiting;
        if let Some(next) = next.and_then(|next| self.lock(id).waiting.remove(next)) {
            let next = usize::from(next);
            self.grant(next, id);
            self.begin_at_once(next);
        } else {
            self.bottom_halves_go_on(cpu, id);
        }
    }

    /// The CPU is back at the level at which it spins: whether it has the lock by now.
    pub(crate) fn spins_no_more(&mut self, cpu: usize, id: LockId) -> bool {
        let lock = self.lock(id);
        if lock.holder.is_none() {
            lock.waiting.retain(|&other| other != cpu as u16);
            self.grant(cpu, id);
        }
        self.lock(id).holder == Some(cpu as u16)
    }

    /// A CPU that spins gets the lock.
    fn grant(&mut self, next: usize, id: LockId) {
        let level = self.cpus[next].level;
        let Some(spin) = self.cpus[next].spinning[level] else {
            return;
        };
        let lock = self.lock(id);
        lock.holder = Some(next as u16);
        lock.depth = 1;
        lock.is_contended = !lock.waiting.is_empty();
        self.count_spinning(next, level);
        let local = self.cpus[next].local;
        let host = &mut self.hosts[usize::from(self.cpus[next].host)];
        host.profile_of(local, host.lock_function).calls += 1;
        if self.emit(next, Probe::ContentionEnd, NONE, socket_of(id)) {
            let name = self.lock_name(id);
            let waited = self.now.since(spin.since);
            self.record.field(Field::Lock, name);
            self.record.field(Field::Waited, waited.nanos().0 as u32);
        }
    }

    // ---- the big kernel lock (2.2) ----------------------------------------------------

    /// A task that sleeps gives the kernel lock up and takes it again when it goes on.
    pub(crate) fn give_up_kernel_lock(&mut self, cpu: usize, task: u32) {
        let times = self.tasks[task as usize].kernel_locks;
        let host = self.tasks[task as usize].host;
        let Some(index) = self.hosts[usize::from(host)].kernel_lock else {
            return;
        };
        for _ in 0..times {
            self.release(cpu, LockId::Host(host, index));
            let again = Op::run(Path::ReacquireKernelLock, NONE, NONE, 0);
            self.tasks[task as usize].stack.push(again);
        }
    }

    fn is_kernel_lock(&self, id: LockId) -> bool {
        match id {
            LockId::Host(host, index) => self.hosts[usize::from(host)].kernel_lock == Some(index),
            LockId::Socket(_) => false,
        }
    }

    // ---- bottom halves before softirqs (2.2) ------------------------------------------

    /// `softirq_trylock`: one CPU at a time runs bottom halves, and none does while a task
    /// keeps them off (`start_bh_atomic`). Who comes in vain leaves its work to the holder.
    pub(crate) fn may_run_bottom_halves(&mut self, cpu: usize) -> bool {
        let host = usize::from(self.cpus[cpu].host);
        let Some(index) = self.hosts[host].bh_lock else {
            return true;
        };
        if self.hosts[host].locks[usize::from(index)].holder.is_some() {
            self.cpus[cpu].softirq = false;
            self.hosts[host].bottom_halves_wait = true;
            return false;
        }
        let lock = &mut self.hosts[host].locks[usize::from(index)];
        lock.holder = Some(cpu as u16);
        lock.depth = 1;
        self.cpus[cpu].held += 1;
        true
    }

    /// `softirq_endlock`.
    pub(crate) fn bottom_halves_end(&mut self, cpu: usize) {
        let host = usize::from(self.cpus[cpu].host);
        if let Some(index) = self.hosts[host].bh_lock {
            self.release(cpu, LockId::Host(host as u8, index));
        }
    }

    /// Whoever lets the lock go at last does what was left (`handle_bottom_half` on the way
    /// back to the task).
    fn bottom_halves_go_on(&mut self, cpu: usize, id: LockId) {
        let host = &mut self.hosts[usize::from(self.cpus[cpu].host)];
        let is_theirs = matches!(id, LockId::Host(_, index) if host.bh_lock == Some(index));
        if is_theirs && std::mem::take(&mut host.bottom_halves_wait) {
            self.cpus[cpu].softirq = true;
        }
    }

    // ---- a socket's spin lock ----------------------------------------------------------

    /// Whether an operation has to wait for a socket's spin lock: then the CPU spins, and
    /// the operation comes again when it has the lock. In 2.2 it waits until no other CPU
    /// runs bottom halves (`start_bh_atomic`).
    pub(crate) fn waits_for_socket(&mut self, cpu: usize, op: Op) -> bool {
        let host = self.cpus[cpu].host;
        let id = match self.hosts[usize::from(host)].bh_lock {
            Some(index) => LockId::Host(host, index),
            None => LockId::Socket(op.sock),
        };
        if self.lock(id).holder.is_none() {
            return false;
        }
        if !self.take(cpu, id) {
            self.push(cpu, op);
            return true;
        }
        self.release(cpu, id);
        false
    }

    /// Takes a socket's spin lock, which is free, until what is pushed from now on is done.
    pub(crate) fn hold_socket(&mut self, cpu: usize, sock: u32) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        if host.bh_lock.is_none() && self.take(cpu, LockId::Socket(sock)) {
            self.push(cpu, Op::act(OpKind::Unlock, NONE, sock, 0));
        }
    }

    fn lock_name(&mut self, id: LockId) -> u32 {
        match id {
            LockId::Socket(_) => self.record.name("slock"),
            LockId::Host(host, index) => self
                .record
                .name(&self.hosts[usize::from(host)].code.locks[usize::from(index)]),
        }
    }

    pub(crate) fn lock(&mut self, id: LockId) -> &mut crate::sim::engine::state::Lock {
        match id {
            LockId::Host(host, index) => {
                &mut self.hosts[usize::from(host)].locks[usize::from(index)]
            }
            LockId::Socket(sock) => &mut self.sockets[sock as usize].lock,
        }
    }

    /// The lock that a step names: the first is the socket's own.
    pub(crate) fn lock_id(&self, cpu: usize, index: u8, sock: u32) -> LockId {
        if index == 0 && sock != NONE {
            LockId::Socket(sock)
        } else {
            LockId::Host(self.cpus[cpu].host, index)
        }
    }
}

fn socket_of(id: LockId) -> u32 {
    match id {
        LockId::Host(..) => NONE,
        LockId::Socket(sock) => sock,
    }
}

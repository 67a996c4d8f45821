//! Spin locks: one holder, waiters in the order in which they came.
//!
//! Source: `include/linux/spinlock.h: spin_lock_bh`.
//!
//! Simplified ("who gets a lock next"): who waited longest gets the lock; before ticket locks (v2.6.25)
//! Linux gave it to whoever was fastest. A learner sees no CPU starve at a lock.
//!
//! Simplified ("locks and interrupts"): no lock holds interrupts off. A handler that wants what its own CPU
//! holds goes on as if it had it. A learner sees an interrupt a microsecond too soon.

use crate::cache::ObjectId;
use crate::config::kernel::Per;
use crate::time::SimTime;
use ringside::kernel::{Context, Field, Probe};

use super::core::Core;
use super::cpu::charge::slot;
use super::cpu::code::{NO_LOCK, Path, key};
use super::cpu::op::{About, Op};
use super::cpu::{HARD, TASK};
use super::ids::SockId;
use super::memory::Access;
use super::spinlock::{Lock, LockId, Spin, Taken};

mod kernel_lock;

impl Core {
    /// Acquires a lock on behalf of a site and returns the cost in fs; `None` when the CPU spins for it.
    pub fn acquire(&mut self, cpu: usize, id: LockId, site: u16) -> Option<u64> {
        self.take(cpu, id, site).then(|| {
            self.count_hold(cpu, id, site);
            self.access_lock(cpu, id)
        })
    }

    /// Acquires a lock on behalf of a site, once more if this
    /// CPU holds it already; false when the CPU spins for it.
    fn take(&mut self, cpu: usize, id: LockId, site: u16) -> bool {
        let level = self.cpus[cpu].level;
        let was_spinning = self.cpus[cpu].locks.spinning[level].is_some();
        match self.lock_mut(id).take(cpu, was_spinning) {
            Taken::Not { holder } => {
                if !was_spinning {
                    self.spin(cpu, id, holder, site);
                }
                return false;
            }
            Taken::Granted => self.cpus[cpu].locks.spinning[level] = None,
            Taken::Now => {}
        }
        if self.is_kernel_lock(id) {
            // The big kernel lock is dropped while its task sleeps:
            // holding it forbids neither sleep nor bottom halves.
            if let Some(task) = self.current(cpu) {
                task.lock_depth += 1;
            }
        } else if level == TASK && !was_spinning {
            self.cpus[cpu].softirq.count += 1;
        }
        self.cpus[cpu].locks.preempt_count += 1;
        true
    }

    fn count_hold(&mut self, cpu: usize, id: LockId, site: u16) {
        let local = self.cpus[cpu].local;
        let profile = &mut self.host_of_mut(cpu).profile;
        profile.lock(local, id.number(), site).holds += 1;
    }

    /// Waits for the holder; a task does so with bottom halves off (`spin_lock_bh`).
    fn spin(&mut self, cpu: usize, id: LockId, holder: usize, wants: u16) {
        let now = self.now();
        let local = self.cpus[cpu].local;
        let profile = &mut self.host_of_mut(cpu).profile;
        profile.lock(local, id.number(), wants).spins += 1;
        self.lock_mut(id).wait(cpu);
        let level = self.cpus[cpu].level;
        if level == TASK && !self.is_kernel_lock(id) {
            self.cpus[cpu].softirq.count += 1;
        }
        let site = self.host_of(cpu).profile.spin_lock();
        self.enter(cpu, site);
        self.cpus[cpu].locks.spinning[level] = Some(Spin {
            lock: id,
            site: wants,
            since: now,
            counted: now,
        });
        if self.emit(cpu, Probe::ContentionBegin, about(id)) {
            self.lock_field(id);
            let local = self.cpus[holder].local;
            self.field(Field::FromCpu, u32::from(local));
        }
    }

    /// Suspends the step under way, or the spinning, at the CPU's level; the rest follows later.
    pub fn interrupt_step(&mut self, cpu: usize) {
        let now = self.now();
        let level = self.cpus[cpu].level;
        self.count_spinning(cpu, level);
        let state = &mut self.cpus[cpu];
        if state.until != SimTime::NEVER && level < HARD {
            state.rest[level] = state.until.since(now);
            state.until = SimTime::NEVER;
        }
    }

    /// Accounts the time spun since it was last accounted: to the CPU, its task and the lock.
    pub fn count_spinning(&mut self, cpu: usize, level: usize) {
        let now = self.now();
        let state = &mut self.cpus[cpu];
        let Some(spin) = &mut state.locks.spinning[level] else {
            return;
        };
        let waited = now.since(spin.counted).0;
        spin.counted = now;
        state.time[slot(Context::Spinning)] += waited;
        let profile = &mut self.hosts[state.host].profile;
        let site = profile.spin_lock();
        profile.of(state.local, site).fs[slot(Context::Spinning)] += waited;
        let (lock, wants) = (spin.lock.number(), spin.site);
        profile.lock(state.local, lock, wants).fs += waited;
        if let Some(task) = state.current {
            let task = &mut self.tasks[task];
            task.cpu_fs += waited;
            if level == TASK {
                profile.call(task.call).fs += waited;
            }
        }
    }

    /// Accounts the time that all CPUs have spun up to now.
    pub fn count_all_spinning(&mut self) {
        for cpu in 0..self.cpus.len() {
            self.count_spinning(cpu, self.cpus[cpu].level);
        }
    }

    /// Releases one level of a lock. With the last, the CPU that has waited longest gets the lock.
    pub fn release(&mut self, cpu: usize, id: LockId) {
        let lock = self.lock_mut(id);
        if lock.holder != Some(cpu as u16) {
            // The big kernel lock, which was dropped for a sleep and not taken again.
            return;
        }
        lock.depth -= 1;
        let is_last = lock.depth == 0;
        self.cpus[cpu].locks.preempt_count -= 1;
        if self.is_kernel_lock(id) {
            if let Some(task) = self.current(cpu) {
                task.lock_depth -= 1;
            }
        } else if self.cpus[cpu].level == TASK {
            self.cpus[cpu].softirq.count -= 1;
        }
        if is_last {
            self.hand_on(cpu, id);
        }
    }

    fn hand_on(&mut self, cpu: usize, id: LockId) {
        let lock = self.lock_mut(id);
        let was_contended = std::mem::take(&mut lock.is_contended);
        lock.holder = None;
        lock.is_contended = !lock.waiting.is_empty();
        if was_contended && self.emit(cpu, Probe::LockRelease, about(id)) {
            self.lock_field(id);
        }
        // A waiter whose spinning is interrupted does not see that the lock is free.
        let next = self
            .lock(id)
            .waiting
            .iter()
            .position(|&other| self.sees(usize::from(other), id));
        if let Some(next) = next.and_then(|next| self.lock_mut(id).waiting.remove(next)) {
            let next = usize::from(next);
            self.grant(next, id);
            self.begin_at_once(next);
        } else {
            self.bottom_halves_go_on(cpu, id);
        }
    }

    /// Whether a CPU spins for a lock now, and would see it free.
    pub fn sees(&self, cpu: usize, id: LockId) -> bool {
        let state = &self.cpus[cpu];
        !self.is_others_turn(cpu)
            && state.locks.spinning[state.level].is_some_and(|spin| spin.lock == id)
    }

    /// Called when a CPU is back at the level at which it spins: takes
    /// the lock if it is free, and says whether the CPU holds it.
    pub fn spins_no_more(&mut self, cpu: usize, id: LockId) -> bool {
        let lock = self.lock_mut(id);
        if lock.holder.is_none() {
            lock.waiting.retain(|&other| other != cpu as u16);
            self.grant(cpu, id);
        }
        self.lock(id).holder == Some(cpu as u16)
    }

    /// A CPU that spins gets the lock.
    fn grant(&mut self, next: usize, id: LockId) {
        let level = self.cpus[next].level;
        let Some(spin) = self.cpus[next].locks.spinning[level] else {
            return;
        };
        self.lock_mut(id).grant(next);
        self.count_spinning(next, level);
        let local = self.cpus[next].local;
        let profile = &mut self.host_of_mut(next).profile;
        let site = profile.spin_lock();
        profile.of(local, site).calls[slot(Context::Spinning)] += 1;
        if self.emit(next, Probe::ContentionEnd, about(id)) {
            self.lock_field(id);
            let waited = self.now().since(spin.since);
            self.field(Field::Waited, waited.nanos().0 as u32);
        }
    }

    // ---- a socket's spin lock ----------------------------------------------------------

    /// Whether an operation has to wait for a socket's spin lock: then the CPU spins, and the operation is
    /// tried again when it has the lock. In 2.2 it waits until no other CPU runs bottom halves
    /// (`start_bh_atomic`). The wait is attributed to `path`, or without one to the next path on the stack.
    pub fn waits_for_socket(
        &mut self,
        cpu: usize,
        sock: SockId,
        op: Op,
        path: Option<Path>,
    ) -> bool {
        let host = self.cpus[cpu].host;
        let locks = &self.hosts[host].locks;
        let id = match locks.bh_lock.filter(|_| locks.sockets_by_bottom_halves) {
            Some(index) => LockId::Host(host as u8, index),
            None => LockId::Socket(sock),
        };
        if self.lock(id).holder.is_none() {
            return false;
        }
        let next = match self.stack(cpu).last() {
            Some(&Op::Run { path, .. }) => Some(path),
            _ => None,
        };
        let path = path.or(next);
        let site = path.map_or(self.host_of(cpu).profile.spin_lock(), |path| {
            self.site_of(cpu, path)
        });
        if !self.take(cpu, id, site) {
            self.push(cpu, op);
            return true;
        }
        self.release(cpu, id);
        false
    }

    /// Acquires a socket's spin lock until the operations pushed from now on are done. False where another
    /// waiter has just got it: then this CPU spins, and the operation is tried again when it has the lock.
    pub fn holds_socket(&mut self, cpu: usize, sock: SockId, op: Op, path: Path) -> bool {
        if self.host_of(cpu).locks.sockets_by_bottom_halves {
            return true;
        }
        let site = self.site_of(cpu, path);
        if !self.take(cpu, LockId::Socket(sock), site) {
            self.push(cpu, op);
            return false;
        }
        self.count_hold(cpu, LockId::Socket(sock), site);
        self.push(cpu, Op::Unlock { sock });
        true
    }

    /// The function of a path that takes a lock, else the one with which it begins; where the kernel
    /// has no such path, waiting itself.
    fn site_of(&self, cpu: usize, path: Path) -> u16 {
        let host = self.host_of(cpu);
        let steps = host.code.path(path);
        let takes = steps.iter().find(|step| step.lock != NO_LOCK);
        takes
            .or(steps.first())
            .map_or(host.profile.spin_lock(), |step| step.site)
    }

    // ---- locks by id -------------------------------------------------------------------

    /// A lock.
    pub fn lock(&self, id: LockId) -> &Lock {
        match id {
            LockId::Host(host, index) => {
                &self.hosts[usize::from(host)].locks.all[usize::from(index)]
            }
            LockId::Socket(sock) => &self.socks[sock].lock,
        }
    }

    fn lock_mut(&mut self, id: LockId) -> &mut Lock {
        match id {
            LockId::Host(host, index) => {
                &mut self.hosts[usize::from(host)].locks.all[usize::from(index)]
            }
            LockId::Socket(sock) => &mut self.socks[sock].lock,
        }
    }

    /// The lock that a step names by its index: 0 is the socket's own.
    pub fn lock_id(&self, cpu: usize, index: u8, sock: Option<SockId>) -> LockId {
        match sock {
            Some(sock) if index == 0 => LockId::Socket(sock),
            _ => LockId::Host(self.cpus[cpu].host as u8, index),
        }
    }

    fn lock_field(&mut self, id: LockId) {
        let name = match id {
            LockId::Socket(_) => self.recorder.record.name("slock"),
            LockId::Host(host, index) => {
                let names = &self.hosts[usize::from(host)].code.locks;
                self.recorder.record.name(&names[usize::from(index)])
            }
        };
        self.field(Field::Lock, name);
    }

    /// Fetches the cache line of a lock for writing; the cost in fs.
    fn access_lock(&mut self, cpu: usize, id: LockId) -> u64 {
        let host = self.host_of(cpu);
        let object = match id {
            LockId::Host(_, index) => ObjectId(host.locks.objects.0 + u32::from(index)),
            LockId::Socket(sock) => {
                let kinds = host.code.lines[key(Per::Socket)].len() as u32;
                ObjectId(self.socks[sock].objects.0 + kinds)
            }
        };
        let access = Access {
            is_write: true,
            name: (host.code.objects.len() - 1) as u8,
            site: host.profile.spin_lock(),
            about: About::NOTHING,
            stream_permille: 0,
        };
        self.access(cpu, object, access)
    }
}

fn about(id: LockId) -> About {
    match id {
        LockId::Host(..) => About::NOTHING,
        LockId::Socket(sock) => About::sock(sock),
    }
}

#[cfg(test)]
mod tests;

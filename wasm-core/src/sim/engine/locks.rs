//! Spin locks: one holder, waiters in the order in which they came.
//!
//! Simplified here: who waited longest gets the lock; before ticket locks (v2.6.25)
//! Linux gave it to whoever was fastest. A learner sees no CPU starve at a lock.

use crate::kernel::{Context, Field, Probe};
use crate::sim::time::SimTime;

use super::code::Path;
use super::cpu::slot;
use super::state::{LockId, NONE, Op, Spin, TASK};
use super::{Engine, Happening};

impl Engine {
    /// Takes a lock, or begins to spin: false.
    pub(super) fn acquire(&mut self, cpu: usize, id: LockId, cost: &mut u64) -> bool {
        let level = self.cpus[cpu].level;
        let now = self.now;
        let was_granted = self.cpus[cpu].spinning[level].is_some_and(|spin| spin.lock == id);
        let lock = self.lock(id);
        let holder = lock.holder;
        if was_granted && holder == Some(cpu as u16) {
            self.cpus[cpu].spinning[level] = None;
        } else if holder == Some(cpu as u16) {
            // Taken again by its holder: it lets go as often as it took.
            lock.depth += 1;
            self.cpus[cpu].held += 1;
            return true;
        } else if let Some(holder) = holder {
            lock.waiting.push_back(cpu as u16);
            lock.is_contended = true;
            self.cpus[cpu].spinning[level] = Some(Spin {
                lock: id,
                since: now,
            });
            if self.emit(cpu, Probe::ContentionBegin, NONE, socket_of(id)) {
                let name = self.lock_name(id);
                self.record.field(Field::Lock, name);
                let local = self.cpus[usize::from(holder)].local;
                self.record.field(Field::FromCpu, u32::from(local));
            }
            return false;
        } else {
            lock.holder = Some(cpu as u16);
        }
        let is_kernel_lock = match id {
            LockId::Host(host, index) => self.hosts[usize::from(host)].kernel_lock == Some(index),
            LockId::Socket(_) => false,
        };
        if is_kernel_lock {
            // Given up when the task sleeps: it does not forbid that.
            let current = self.cpus[cpu].current;
            if current != NONE {
                self.tasks[current as usize].has_kernel_lock = true;
            }
        } else if level == TASK {
            self.cpus[cpu].bh_off += 1;
            self.lock(id).has_bh_off = true;
        }
        self.cpus[cpu].held += 1;
        *cost += self.touch_lock(cpu, id);
        true
    }

    /// A task that sleeps gives the kernel lock up and takes it again when it goes on.
    pub(super) fn give_up_kernel_lock(&mut self, cpu: usize, task: u32) {
        if !std::mem::take(&mut self.tasks[task as usize].has_kernel_lock) {
            return;
        }
        let host = self.tasks[task as usize].host;
        if let Some(index) = self.hosts[usize::from(host)].kernel_lock {
            self.release(cpu, LockId::Host(host, index));
            let again = Op::run(Path::ReacquireKernelLock, NONE, NONE, 0);
            self.tasks[task as usize].stack.push(again);
        }
    }

    pub(super) fn release_after(&mut self, cpu: usize, id: LockId, after: SimTime) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        if host.cpu_count == 1 {
            self.release(cpu, id);
        } else {
            self.at(self.now + after, Happening::Unlock(cpu as u16, id));
        }
    }

    /// The holder lets go; who waited longest gets it.
    pub(super) fn release(&mut self, cpu: usize, id: LockId) {
        let lock = self.lock(id);
        if lock.holder != Some(cpu as u16) {
            // A kernel lock that was given up meanwhile.
            return;
        }
        if lock.depth > 0 {
            lock.depth -= 1;
            self.cpus[cpu].held -= 1;
            return;
        }
        let was_contended = std::mem::take(&mut lock.is_contended);
        let had_bh_off = std::mem::take(&mut lock.has_bh_off);
        lock.holder = None;
        lock.is_contended = !lock.waiting.is_empty();
        self.cpus[cpu].held -= 1;
        if had_bh_off {
            self.cpus[cpu].bh_off -= 1;
        }
        if let LockId::Host(host, index) = id
            && self.hosts[usize::from(host)].kernel_lock == Some(index)
        {
            let current = self.cpus[cpu].current;
            if current != NONE {
                self.tasks[current as usize].has_kernel_lock = false;
            }
        }
        if was_contended && self.emit(cpu, Probe::LockRelease, NONE, socket_of(id)) {
            let name = self.lock_name(id);
            self.record.field(Field::Lock, name);
        }
        // A CPU that an interrupt took away from spinning does not see that the lock is free.
        let waiting = std::mem::take(&mut self.lock(id).waiting);
        let next = waiting.iter().position(|&other| {
            let state = &self.cpus[usize::from(other)];
            state.spinning[state.level].is_some_and(|spin| spin.lock == id)
        });
        self.lock(id).waiting = waiting;
        if let Some(next) = next.and_then(|next| self.lock(id).waiting.remove(next)) {
            let next = usize::from(next);
            self.grant(next, id);
            self.begin_at_once(next);
        }
    }

    /// The CPU is back at the level at which it spins: whether it has the lock by now.
    pub(super) fn spins_no_more(&mut self, cpu: usize, id: LockId) -> bool {
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
        lock.is_contended = !lock.waiting.is_empty();
        let waited = self.now.since(spin.since);
        self.cpus[next].time[slot(Context::Spinning)] += waited.0;
        let host = usize::from(self.cpus[next].host);
        let local = self.cpus[next].local;
        let function = self.hosts[host].lock_function;
        let profile = self.hosts[host].profile_of(local, function);
        profile.calls += 1;
        profile.fs += waited.0;
        if self.emit(next, Probe::ContentionEnd, NONE, socket_of(id)) {
            let name = self.lock_name(id);
            self.record.field(Field::Lock, name);
            self.record.field(Field::Waited, waited.nanos().0 as u32);
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

    pub(super) fn lock(&mut self, id: LockId) -> &mut super::state::Lock {
        match id {
            LockId::Host(host, index) => {
                &mut self.hosts[usize::from(host)].locks[usize::from(index)]
            }
            LockId::Socket(sock) => &mut self.sockets[sock as usize].lock,
        }
    }

    /// The lock that a step names: the first is the socket's own.
    pub(super) fn lock_id(&self, cpu: usize, index: u8, sock: u32) -> LockId {
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

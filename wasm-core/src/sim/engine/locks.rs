//! Spin locks: one holder, waiters in the order in which they came.
//!
//! Simplified here: who waited longest gets the lock; before ticket locks (v2.6.25)
//! Linux gave it to whoever was fastest. A learner sees no CPU starve at a lock.

use crate::kernel::{Context, Field, Probe};
use crate::sim::time::SimTime;

use super::cpu::slot;
use super::state::{LockId, NONE, Spin};
use super::{Engine, Happening};

impl Engine {
    pub(super) fn acquire(&mut self, cpu: usize, id: LockId, cost: &mut u64) -> bool {
        let was_granted = self.cpus[cpu].spinning.is_some_and(|spin| spin.lock == id);
        let now = self.now;
        let lock = self.lock(id);
        if was_granted && lock.holder == Some(cpu as u16) {
            self.cpus[cpu].spinning = None;
        } else if let Some(holder) = lock.holder {
            lock.waiting.push_back(cpu as u16);
            lock.is_contended = true;
            let level = self.cpus[cpu].level;
            self.cpus[cpu].spinning = Some(Spin {
                lock: id,
                since: now,
                level,
            });
            if self.emit(cpu, Probe::ContentionBegin, NONE, socket_of(id)) {
                let name = self.record.lock_name(&self.host.code.locks, id);
                self.record.field(Field::Lock, name);
                self.record.field(Field::FromCpu, u32::from(holder));
            }
            return false;
        } else {
            lock.holder = Some(cpu as u16);
        }
        self.cpus[cpu].held += 1;
        *cost += self.touch_lock(cpu, id);
        true
    }

    pub(super) fn release_after(&mut self, cpu: usize, id: LockId, after: SimTime) {
        if self.lock(id).waiting.is_empty() && self.cpus.len() == 1 {
            self.release(cpu, id);
        } else {
            self.at(self.now + after, Happening::Unlock(cpu as u16, id));
        }
    }

    /// The holder lets go; who waited longest gets it.
    pub(super) fn release(&mut self, cpu: usize, id: LockId) {
        self.cpus[cpu].held -= 1;
        let lock = self.lock(id);
        let was_contended = std::mem::take(&mut lock.is_contended);
        lock.holder = lock.waiting.pop_front();
        lock.is_contended = !lock.waiting.is_empty();
        let next = lock.holder;
        if was_contended && self.emit(cpu, Probe::LockRelease, NONE, socket_of(id)) {
            let name = self.record.lock_name(&self.host.code.locks, id);
            self.record.field(Field::Lock, name);
        }
        let Some(next) = next.map(usize::from) else {
            return;
        };
        let Some(spin) = self.cpus[next].spinning else {
            return;
        };
        let waited = self.now.since(spin.since);
        self.cpus[next].time[slot(Context::Spinning)] += waited.0;
        if self.emit(next, Probe::ContentionEnd, NONE, socket_of(id)) {
            let name = self.record.lock_name(&self.host.code.locks, id);
            self.record.field(Field::Lock, name);
            self.record.field(Field::Waited, waited.nanos().0 as u32);
        }
        if self.cpus[next].level == spin.level {
            self.cpus[next].until = self.now;
            self.horizon = self.horizon.min(self.now);
        }
    }

    pub(super) fn lock(&mut self, id: LockId) -> &mut super::state::Lock {
        match id {
            LockId::Host(index) => &mut self.host.locks[usize::from(index)],
            LockId::Socket(sock) => &mut self.sockets[sock as usize].lock,
        }
    }
}

/// The lock that a step names: the first is the socket's own.
pub(super) fn lock_id(index: u8, sock: u32) -> LockId {
    if index == 0 {
        LockId::Socket(sock)
    } else {
        LockId::Host(index)
    }
}

fn socket_of(id: LockId) -> u32 {
    match id {
        LockId::Host(_) => NONE,
        LockId::Socket(sock) => sock,
    }
}

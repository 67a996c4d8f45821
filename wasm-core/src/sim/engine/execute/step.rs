//! A step of a path begins: its lock, its probe, the lines it touches, and what all of it
//! costs and is charged to.

use crate::kernel::{Context, Field, Probe};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::{NO_LOCK, Path, Ready};
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::state::{NONE, SOFT, TASK};

impl Engine {
    /// Begins a step: its lock, its probe, its cost. None when the CPU has to spin.
    pub(crate) fn begin_step(
        &mut self,
        cpu: usize,
        step: &Ready,
        path: Path,
        op: Op,
    ) -> Option<SimTime> {
        let host = usize::from(self.cpus[cpu].host);
        let (kperf, probe_cost) = (step.kperf, step.probe_cost);
        let mut cost = step.cost;
        if step.cost_each > 0 {
            cost += step.cost_each * u64::from(self.count_of(path, op));
        }
        if step.lock != NO_LOCK {
            let id = self.lock_id(cpu, step.lock, op.sock);
            if !self.acquire(cpu, id, &mut cost) {
                return None;
            }
        }
        if let Some(probe) = step.probe {
            self.pass(cpu, probe, op, kperf > 0);
        }
        if self.hosts[host].has_probes && (kperf > 0 || probe_cost > 0) {
            cost += self.probe(cpu, kperf, probe_cost, op);
        }
        self.enter(cpu, step.function);
        cost += self.touch_step(cpu, step, op);
        cost = self.beside_sibling(cpu, cost);
        let context = match self.cpus[cpu].level {
            TASK => Context::Kernel,
            SOFT => Context::Softirq,
            _ => Context::Hardirq,
        };
        self.charge_step(cpu, context, step.function, cost);
        if step.unlock != NO_LOCK {
            // Let go when the step ends: waiters are granted the lock at that moment.
            let id = self.lock_id(cpu, step.unlock, op.sock);
            let state = &mut self.cpus[cpu];
            state.unlocks[state.level] = Some(id);
        }
        Some(SimTime(cost))
    }

    /// What `cycles_each` of a step counts: further pieces of the packet, or the path's count.
    fn count_of(&self, path: Path, op: Op) -> u32 {
        match path {
            Path::CopyToUser | Path::ChecksumCopyToUser | Path::UdpRecvDone | Path::SkbFree => {
                if op.pkt == NONE {
                    0
                } else {
                    self.packets[op.pkt as usize].frames.saturating_sub(1)
                }
            }
            _ => op.arg,
        }
    }

    /// What probing a step costs in fs: the scenario's cost at the toolkit's points, else
    /// the kernel's.
    fn probe(&mut self, cpu: usize, kperf: u8, own: u64, op: Op) -> u64 {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let is_empty = op.pkt != NONE && self.packets[op.pkt as usize].segment.len == 0;
        if host.probes_payload_only && is_empty {
            return 0;
        }
        let set = host.probe_cost;
        let cost = if kperf > 0 && (set > 0 || own == 0) {
            if set > 0 { set } else { DEFAULT_PROBE_FS }
        } else {
            own
        };
        if self.emit(cpu, Probe::ProbeCost, op.pkt, op.sock) {
            self.record.field(Field::Cost, (cost / 1_000_000) as u32);
        }
        cost
    }

    /// The time of a step on a hyper-thread: longer while the core's other thread works too.
    pub(crate) fn beside_sibling(&self, cpu: usize, cost: u64) -> u64 {
        let sibling = usize::from(self.cpus[cpu].sibling);
        if sibling == cpu || self.cpus[sibling].until == SimTime::NEVER {
            return cost;
        }
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        cost * 1000 / u64::from(host.machine.processors.busy_sibling_permille)
    }
}

/// Time of a probe of the 2005 toolkit where nobody says: the middle of the published 4 to
/// 6 µs (Göttingen 2005, section 4.4), in fs.
const DEFAULT_PROBE_FS: u64 = 5_000_000_000;

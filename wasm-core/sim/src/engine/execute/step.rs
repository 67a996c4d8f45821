//! A step begins: its lock, its probe, its memory accesses, their cost and what it is charged to.

use std::iter;

use crate::engine::Engine;
use crate::engine::cpu::code::{NO_LOCK, Path, Ready};
use crate::engine::cpu::op::About;
use crate::engine::memory::Access;
use crate::engine::memory::skbuff::Pieces;
use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

impl Engine {
    /// Begins a step and returns its duration; `None` if the CPU has to spin.
    pub fn begin_step(
        &mut self,
        cpu: usize,
        step: &Ready,
        path: Path,
        about: About,
    ) -> Option<SimTime> {
        let mut cost = step.cost;
        if step.cost_each > 0 {
            cost += step.cost_each * u64::from(self.count_of(path, about));
        }
        if step.lock != NO_LOCK {
            let id = self.core.lock_id(cpu, step.lock, about.sock);
            cost += self.core.acquire(cpu, id, step.site)?;
        }
        cost += self.core.fetch_code(cpu, step.code);
        if let Some(probe) = step.probe {
            self.pass(cpu, probe, about, step.kperf > 0);
            if probe == Probe::TcpRcvEstablished {
                self.pass_tcp_probe(cpu, about);
            }
        }
        let is_probed = step.kperf > 0 || step.probe_cost > 0;
        if is_probed && self.core.host_of(cpu).probing.is_on {
            cost += self.probe(cpu, step.kperf, step.probe_cost, about);
        }
        self.core.enter(cpu, step.site);
        cost += self.access_step(cpu, step, path, about);
        let cost = self.core.beside_sibling(cpu, cost);
        let context = self.core.cpus[cpu].context();
        self.core.charge_step(cpu, context, step.site, cost);
        if step.unlock != NO_LOCK {
            // Released when the step ends: a waiter is granted the lock at that time.
            let id = self.core.lock_id(cpu, step.unlock, about.sock);
            let state = &mut self.core.cpus[cpu];
            state.locks.unlocks[state.level] = Some(id);
        }
        Some(SimTime(cost))
    }

    /// The number that `cycles_each` of a step multiplies: for a datagram its fragments after the first, each
    /// an `sk_buff` of `frag_list` (in a copy only those that it concerns), else the path's count. Segments
    /// that GRO or a backlog merged are pages of one `sk_buff` and do not count.
    fn count_of(&self, path: Path, About { skb, count, .. }: About) -> u32 {
        let skbs = &self.core.skbs;
        match path {
            Path::CopyToUser | Path::ChecksumCopyToUser => {
                let Some(skb) = skb.filter(|&skb| skbs[skb].frame.is_udp) else {
                    return 0;
                };
                let mut pieces = Pieces::of(&skbs[skb], skb, count);
                let concerned = iter::from_fn(|| pieces.next(skbs)).count() as u32;
                concerned.saturating_sub(1)
            }
            Path::UdpRecvDone | Path::SkbFree => {
                skb.map_or(0, |skb| skbs[skb].frames.saturating_sub(1))
            }
            _ => count,
        }
    }

    /// The cost of a step's probe in fs: the scenario's at the toolkit's points, else that of the data files.
    fn probe(&mut self, cpu: usize, kperf: u8, own: u64, about: About) -> u64 {
        let probing = self.core.host_of(cpu).probing;
        let is_empty = about.skb.is_some_and(|skb| self.core.skbs[skb].len() == 0);
        if probing.payload_only && is_empty {
            return 0;
        }
        let cost = match (kperf > 0, probing.cost) {
            (true, 0) | (false, _) => own,
            (true, set) => set,
        };
        if self.core.emit(cpu, Probe::ProbeCost, about) {
            self.core.field(Field::Cost, (cost / 1_000_000) as u32);
        }
        cost
    }

    /// The cost of all memory accesses of a step, in fs.
    fn access_step(&mut self, cpu: usize, step: &Ready, path: Path, about: About) -> u64 {
        let site = step.site;
        let mut cost = 0;
        if self.core.host_of(cpu).memory.has_caches {
            for accessed in &step.accesses {
                if let Some(id) = self.object(cpu, accessed.place, path, about) {
                    let access = Access {
                        is_write: accessed.is_write,
                        name: accessed.object,
                        site,
                        about,
                        stream_permille: 0,
                    };
                    cost += self.core.access(cpu, id, access);
                }
            }
        }
        if let Some(copy) = step.copy {
            cost += self.copy(cpu, copy, site, about);
        }
        cost
    }
}

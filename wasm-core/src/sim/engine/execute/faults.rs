//! Faults by hand: this frame is lost, that CPU is gone for a while, the ring shrinks now.

use crate::kernel::Context;
use crate::sim::config::faults::{Fault, FaultKind};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::charge::Charge;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::nic::transmit::FrameFault;
use crate::sim::engine::state::NONE;

/// The faults of a scenario that have not happened yet.
#[derive(Debug, Default)]
pub struct Faults {
    /// Those of the machine, each at its time.
    all: Vec<Fault>,
    /// Those of the next frame to the watched host: from when, what.
    frames: Vec<(SimTime, FrameFault)>,
}

impl Faults {
    /// What happens to a frame that sets off now.
    pub(crate) fn on_frame(&mut self, now: SimTime, to: u8) -> Option<FrameFault> {
        if self.frames.is_empty() || to != 0 {
            return None;
        }
        let due = self.frames.iter().position(|&(from, _)| from <= now)?;
        Some(self.frames.remove(due).1)
    }
}

impl Engine {
    /// Arms the faults of a scenario.
    pub(crate) fn add_faults(&mut self, faults: &[Fault]) {
        for &fault in faults {
            let at = SimTime::from_us(fault.at_us);
            let frame = match fault.kind {
                FaultKind::DropFrame {} => Some(FrameFault::Drop),
                FaultKind::DuplicateFrame {} => Some(FrameFault::Duplicate),
                FaultKind::DelayFrame { us } => {
                    Some(FrameFault::Delay(SimTime::from_us(u64::from(us))))
                }
                FaultKind::StealCpu { .. } | FaultKind::ShrinkRing { .. } => None,
            };
            if let Some(frame) = frame {
                self.faults.frames.push((at, frame));
            } else {
                self.faults.all.push(fault);
                let index = self.faults.all.len() as u16 - 1;
                self.at(at, crate::sim::engine::Happening::Fault(index));
            }
        }
    }

    /// A fault of the machine happens.
    pub(crate) fn fault(&mut self, index: usize) {
        match self.faults.all[index].kind {
            FaultKind::StealCpu { cpu, us } => {
                let cpu = usize::from(cpu);
                if cpu < self.hosts[0].cpu_count {
                    let ns = us.saturating_mul(1000);
                    self.interrupt(cpu, Op::act(OpKind::Steal, NONE, NONE, ns));
                }
            }
            FaultKind::ShrinkRing { descriptors } => {
                for queue in 0..self.hosts[0].queues.len() {
                    let state = &mut self.hosts[0].queues[queue];
                    state.limit = state.limit.min(descriptors.max(1));
                    // Frames that are in already stay.
                    let full = state.ready.len() as u32 + state.in_dma;
                    let room = state.limit.saturating_sub(full);
                    let keep = state.posted.len().min(room as usize);
                    let extra = state.posted.split_off(keep);
                    for pkt in extra {
                        self.free_packet(0, pkt);
                    }
                }
            }
            FaultKind::DropFrame {}
            | FaultKind::DuplicateFrame {}
            | FaultKind::DelayFrame { .. } => {}
        }
    }

    /// The CPU is gone for a while.
    pub(crate) fn steal(&mut self, cpu: usize, ns: u32) {
        let cost = SimTime::from_ns(u64::from(ns));
        self.charge(cpu, Charge::to(Context::Hardirq), cost.0);
        self.cpus[cpu].until = self.now + cost;
    }
}

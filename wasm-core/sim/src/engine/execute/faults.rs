//! Faults by hand: this frame is lost, that CPU is gone for a while, the ring shrinks now.

use crate::config::faults::{Fault, FaultKind};
use crate::engine::Engine;
use crate::engine::cpu::op::Op;
use crate::engine::events::Event;
use crate::engine::nic::link::FrameFault;
use crate::time::SimTime;

impl Engine {
    /// Arms the faults of a scenario.
    pub fn add_faults(&mut self, faults: &[Fault]) {
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
                self.net.link.faults.push((at, frame));
            } else {
                let index = self.faults.len() as u16;
                self.faults.push(fault);
                self.core.at(at, Event::Fault { index });
            }
        }
    }

    /// A fault of the machine happens.
    pub fn fault(&mut self, index: usize) {
        match self.faults[index].kind {
            FaultKind::StealCpu { cpu, us } => {
                let cpu = usize::from(cpu);
                if cpu < self.core.hosts[0].cpu_count {
                    let ns = us.saturating_mul(1000);
                    self.interrupt(cpu, Op::Steal { ns });
                }
            }
            FaultKind::ShrinkRing { descriptors } => {
                for queue in self.net.stacks[0].queues.ids() {
                    let ring = &mut self.net.stacks[0].queues[queue].ring;
                    for rx in ring.shrink(descriptors) {
                        self.core.free_rx(0, rx);
                    }
                }
            }
            FaultKind::DropFrame {}
            | FaultKind::DuplicateFrame {}
            | FaultKind::DelayFrame { .. } => {}
        }
    }
}

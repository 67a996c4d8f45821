//! Interventions at a given time: a frame is lost, a CPU is taken away, a ring is resized. Up to that time the
//! run is the same as one without them, event for event.

use crate::config::faults::{FIRST_PID, Fault, FaultKind};
use crate::config::unfit::{Unfit, no_queue, says};
use crate::engine::Engine;
use crate::engine::cpu::op::Op;
use crate::engine::events::Event;
use crate::engine::ids::{Id as _, QueueId, TaskId};
use crate::engine::nic::link::{Armed, FrameFault};
use crate::time::SimTime;

impl Engine {
    /// Schedules the faults of a scenario.
    pub fn add_faults(&mut self, faults: &[Fault]) -> Result<(), Unfit> {
        for (index, &fault) in faults.iter().enumerate() {
            let at = SimTime::from_ns(fault.at_ns());
            if let FaultKind::StopTask { pid, .. } = fault.kind
                && self.task_of(pid).is_none()
            {
                let field = format!("faults.{index}.pid");
                return Err(Unfit(says::no_task(field, pid.to_string(), self.pids())));
            }
            let queues = self.net.stacks[0].queues.len();
            if let FaultKind::PinQueue { queue, .. } = fault.kind
                && usize::from(queue) >= queues
            {
                return Err(no_queue(&format!("faults.{index}.queue"), queue, queues));
            }
            if let Some(frame) = of_frame(fault.kind) {
                self.net.link.faults.push(Armed {
                    from: at,
                    is_sent: fault.sent,
                    fault: frame,
                });
            } else {
                let index = self.faults.len() as u16;
                self.faults.push(fault);
                self.core.at(at, Event::Fault { index });
            }
        }
        Ok(())
    }

    /// Applies a fault of the machine.
    pub fn fault(&mut self, index: usize) {
        match self.faults[index].kind {
            FaultKind::StealCpu { cpu, us } => {
                let cpu = usize::from(cpu);
                if cpu < self.core.hosts[0].cpu_count {
                    let ns = us.saturating_mul(1000);
                    self.interrupt(cpu, Op::Steal { ns });
                }
            }
            FaultKind::SetRing { descriptors } => {
                for queue in self.net.stacks[0].queues.ids() {
                    let ring = &mut self.net.stacks[0].queues[queue].ring;
                    for rx in ring.resize(descriptors) {
                        self.core.free_rx(0, rx);
                    }
                }
            }
            FaultKind::PinInterrupts { cpu } => self.pin_interrupts(cpu),
            FaultKind::PinQueue { queue, cpu } => {
                let cpu = cpu.min(self.core.hosts[0].cpu_count as u16 - 1);
                let queues = &mut self.net.stacks[0].queues;
                queues[QueueId::from_index(usize::from(queue))].pin(cpu);
            }
            FaultKind::StopTask { pid, us } => {
                if let Some(task) = self.task_of(pid) {
                    self.core.stop_task(task, SimTime::from_us(u64::from(us)));
                }
            }
            FaultKind::DropFrame {}
            | FaultKind::DuplicateFrame {}
            | FaultKind::DelayFrame { .. }
            | FaultKind::ReorderFrame { .. }
            | FaultKind::DamageFrame {} => {}
        }
    }

    /// Pins the interrupts. Those in progress still reach their old CPU, and a poll ends where it began.
    fn pin_interrupts(&mut self, cpu: u16) {
        let count = self.core.hosts[0].cpu_count as u16;
        let stack = &mut self.net.stacks[0];
        let cpu = cpu.min(count - 1);
        for queue in stack.queues.ids() {
            stack.queues[queue].pin(cpu);
        }
    }

    /// The task of a process of the watched host; `None` for a kernel daemon, which takes no signals.
    fn task_of(&self, pid: u32) -> Option<TaskId> {
        let index = pid.checked_sub(FIRST_PID)? as usize;
        let task = self.core.tasks.ids().nth(index)?;
        let is_daemon = |cpu: &usize| self.core.cpus[*cpu].softirq.daemon == Some(task);
        let host = &self.core.hosts[0];
        (self.core.tasks[task].host == 0 && !host.cpus().any(|cpu| is_daemon(&cpu))).then_some(task)
    }

    /// The PIDs of the watched host's processes, as text.
    fn pids(&self) -> String {
        let all = (0..self.core.tasks.len() as u32).map(|index| FIRST_PID + index);
        let known: Vec<String> = all
            .filter(|&pid| self.task_of(pid).is_some())
            .map(|pid| pid.to_string())
            .collect();
        known.join(", ")
    }
}

fn of_frame(kind: FaultKind) -> Option<FrameFault> {
    match kind {
        FaultKind::DropFrame {} => Some(FrameFault::Drop),
        FaultKind::DuplicateFrame {} => Some(FrameFault::Duplicate),
        FaultKind::DelayFrame { us } => Some(FrameFault::Delay(SimTime::from_us(u64::from(us)))),
        FaultKind::ReorderFrame { behind } => Some(FrameFault::Reorder(behind)),
        FaultKind::DamageFrame {} => Some(FrameFault::Damage),
        FaultKind::StealCpu { .. }
        | FaultKind::SetRing { .. }
        | FaultKind::PinInterrupts { .. }
        | FaultKind::PinQueue { .. }
        | FaultKind::StopTask { .. } => None,
    }
}

#[cfg(test)]
mod tests;

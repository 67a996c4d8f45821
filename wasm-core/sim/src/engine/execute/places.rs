//! Which object in a host's memory a step means when it names one of the kernel's kinds.

use crate::cache::ObjectId;
use crate::config::kernel::Per;
use crate::engine::Engine;
use crate::engine::cpu::code::{Path, Place, key};
use crate::engine::cpu::op::About;
use crate::engine::ids::{Device, QueueId};
use crate::engine::process::page_of_file;

impl Engine {
    /// The object that an access is about; none of packet and user data, which copies access.
    #[inline]
    pub fn object(&self, cpu: usize, place: Place, path: Path, about: About) -> Option<ObjectId> {
        let Place::Declared(per, which) = place else {
            return None;
        };
        let core = &self.core;
        // Waking is about the task that wakes, and the queue of its CPU.
        let (cpu, task) = match about.task.filter(|_| path == Path::WakeUp) {
            Some(woken) => (core.tasks[woken].cpu, Some(woken)),
            None => (cpu, core.cpus[cpu].current),
        };
        let state = &core.cpus[cpu];
        let host = &core.hosts[state.host];
        let in_row = |first: ObjectId, index: u32| {
            let kinds = host.code.lines[key(per)].len() as u32;
            ObjectId(first.0 + index * kinds)
        };
        let base = match per {
            Per::Host => host.own_objects,
            Per::Cpu => in_row(host.cpu_objects, u32::from(state.local)),
            Per::Socket => core.socks[about.sock?].objects,
            Per::Packet => core.skbs[about.skb?].head,
            Per::Task => core.tasks[task?].objects,
            Per::Queue => {
                let stack = &self.net.stacks[state.host];
                if stack.queues.is_empty() {
                    return None;
                }
                stack.queues[self.queue_of(cpu, about)?].objects
            }
            Per::Page if about.sock.is_none() => {
                let at = core.tasks[state.current?].file_at;
                in_row(host.file?.page_objects, page_of_file(at))
            }
            Per::Page => return None,
        };
        Some(ObjectId(base.0 + u32::from(which)))
    }

    /// The queue that a step is about: that of the packet's flow, or the one whose driver runs.
    fn queue_of(&self, cpu: usize, about: About) -> Option<QueueId> {
        let device = self.net.softnet[cpu].device;
        let Some(skb) = about.skb else {
            return Some(device);
        };
        let packet = &self.core.skbs[skb];
        let Some(from) = packet.frame.from else {
            // A buffer for a descriptor.
            return Some(device);
        };
        let Device::Nic(nic) = packet.device else {
            return None;
        };
        let stack = &self.net.stacks[self.core.cpus[cpu].host];
        let flow = self.core.socks[from].flow;
        Some(stack.nics[nic].queue_of_flow(flow))
    }
}

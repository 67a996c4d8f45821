//! Resolves the kinds of objects that steps name to objects in a host's memory.

use crate::cache::ObjectId;
use crate::config::kernel::Per;
use crate::engine::Engine;
use crate::engine::cpu::code::{Path, Place, key};
use crate::engine::cpu::op::About;
use crate::engine::ids::{Device, QueueId};
use crate::engine::process::page_of_file;

impl Engine {
    /// The object that an access concerns; `None` for packet and user data, which only copies access.
    #[inline]
    pub fn object(&self, cpu: usize, place: Place, path: Path, about: About) -> Option<ObjectId> {
        let Place::Declared(per, which) = place else {
            return None;
        };
        let core = &self.core;
        // A wake-up concerns the woken task and the run queue of its CPU.
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

    /// The receive queue that a step concerns: that of the packet's flow, or the one whose driver runs.
    fn queue_of(&self, cpu: usize, about: About) -> Option<QueueId> {
        let device = self.net.softnet[cpu].device;
        let Some(skb) = about.skb else {
            return Some(device);
        };
        let packet = &self.core.skbs[skb];
        if packet.frame.from.is_none() {
            // The packet is a buffer for a descriptor.
            return Some(device);
        }
        let Device::Nic(nic) = packet.device else {
            return None;
        };
        let stack = self.net.stack_of(&self.core, cpu);
        let hash = self.core.hash_of(&packet.frame, packet.device);
        Some(stack.nics[nic].queue_of_flow(hash))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::ids::{Id as _, NicId};
    use crate::engine::memory::skbuff::{Frame, SkBuff};
    use crate::engine::setup::testing::{World, sock, task};

    const FIRST: fn(Per) -> Place = |per| Place::Declared(per, 0);

    fn received(device: Device, from: Option<usize>) -> SkBuff {
        let frame = Frame {
            from: from.map(sock),
            to: Some(sock(1)),
            ..Frame::default()
        };
        SkBuff::of(frame, device)
    }

    #[test]
    fn each_cpu_has_objects_of_its_own_one_kind_behind_the_other() {
        let engine = World::default().at_rest();
        let of = |cpu, place| engine.object(cpu, place, Path::Schedule, About::NOTHING);
        let kinds = engine.core.hosts[0].code.lines[key(Per::Cpu)].len() as u32;
        let (first, next) = (of(0, FIRST(Per::Cpu)), of(1, FIRST(Per::Cpu)));
        assert_eq!(next, first.map(|first| ObjectId(first.0 + kinds)));
        let second = of(0, Place::Declared(Per::Cpu, 1));
        assert_eq!(second, first.map(|first| ObjectId(first.0 + 1)));
        assert_eq!(
            of(0, FIRST(Per::Host)),
            of(1, FIRST(Per::Host)),
            "one for all"
        );
    }

    #[test]
    fn waking_is_about_the_cpu_and_the_task_that_wake_up() {
        let roles = json!([{ "name": "reader", "side": "server", "per": "connection", "cpu": 1, "forever": [{ "do": "sleep", "us": 1000 }] }]);
        let engine = World {
            roles,
            ..World::default()
        }
        .at_rest();
        let woken = task(0);
        assert_eq!(engine.core.tasks[woken].cpu, 1);
        let about = About {
            task: Some(woken),
            ..About::NOTHING
        };
        let of = |path, per| engine.object(0, FIRST(per), path, about);
        let theirs = |per| engine.object(1, FIRST(per), Path::Schedule, About::NOTHING);
        assert_eq!(of(Path::WakeUp, Per::Cpu), theirs(Per::Cpu));
        assert_ne!(of(Path::Schedule, Per::Cpu), theirs(Per::Cpu));
        let own = engine.core.tasks[woken].objects;
        assert_eq!(of(Path::WakeUp, Per::Task), Some(own));
    }

    #[test]
    fn a_packet_of_a_nic_means_the_queue_of_its_flow_and_one_of_lo_none() {
        let world = World {
            is_linked: true,
            settings: json!({ "nics": 1, "cpus": 2 }),
            ..World::default()
        };
        let mut engine = world.at_rest();
        let mut of = |device, from| {
            let skb = engine.core.alloc_skb(0, received(device, from));
            engine.object(0, FIRST(Per::Queue), Path::DevQueueXmit, About::skb(skb))
        };
        let nic = Device::Nic(NicId::from_index(0));
        let (sent, filled, looped) = (
            of(nic, Some(0)),
            of(nic, None),
            of(Device::Loopback, Some(0)),
        );
        let queue = engine.net.stacks[0].queues[QueueId::from_index(0)].objects;
        assert_eq!((sent, filled, looped), (Some(queue), Some(queue), None));
    }

    #[test]
    fn what_no_kernel_declares_is_no_object() {
        let engine = World::default().at_rest();
        let of = |place| engine.object(0, place, Path::TcpSendmsg, About::NOTHING);
        assert_eq!((of(Place::Data), of(Place::User)), (None, None));
        assert_eq!(of(FIRST(Per::Socket)), None, "of no socket");
        assert_eq!(of(FIRST(Per::Queue)), None, "of a host without NICs");
    }
}

//! The memory of receive descriptors, and the packets that are made of the frames in it.
//!
//! Source: `net/core/skbuff.c: build_skb`, `drivers/net/ethernet/mellanox/mlx5/core/en_rx.c:
//! mlx5e_post_rx_wqes, mlx5e_skb_from_cqe_linear` (v6.1); before 2.6.38 every descriptor had an
//! `sk_buff` from the start (`dev_alloc_skb`).

use crate::config::kernel::Receive;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{BufferId, Device, NicId, QueueId, SkbId};
use crate::engine::memory::skbuff::{RxBuffer, SkBuff};
use crate::engine::net::Net;

/// Where a packet goes from its driver's poll.
fn up(receive: &Receive, skb: SkbId) -> Op {
    if receive.gro {
        Op::Gro { skb }
    } else {
        Op::Normal { skb }
    }
}

impl Net {
    /// A buffer for a frame, as a descriptor of a NIC has it.
    pub fn ring_buffer(&self, core: &mut Core, cpu: usize, nic: NicId) -> RxBuffer {
        let stack = &self.stacks[core.cpus[cpu].host];
        let buffer = core.alloc_buffer(cpu, stack.mtu + 18);
        if stack.nics[nic].driver.builds_skb {
            return RxBuffer { buffer, skb: None };
        }
        let empty = SkBuff {
            buffer: Some(buffer),
            ..SkBuff::default()
        };
        let skb = Some(core.alloc_skb(cpu, empty));
        RxBuffer { buffer, skb }
    }

    /// The chip may use a new buffer, unless the ring shrank meanwhile.
    pub fn post(&mut self, core: &mut Core, cpu: usize, rx: RxBuffer, queue: QueueId) {
        let host = core.cpus[cpu].host;
        if !self.stacks[host].queues[queue].ring.post(rx) {
            core.free_rx(cpu, rx);
        }
    }

    /// What a poll does with a frame: a packet goes up; of bare memory one is made first, unless the
    /// NIC has an XDP program, which is asked before.
    pub fn take_frame(&self, core: &Core, cpu: usize, queue: QueueId, rx: RxBuffer) -> [Op; 2] {
        let stack = &self.stacks[core.cpus[cpu].host];
        let (nic, buffer) = (stack.queues[queue].nic, rx.buffer);
        let (about, next) = match rx.skb {
            Some(skb) => (About::skb(skb), up(&stack.receive, skb)),
            None if stack.nics[nic].xdp.program.is_some() => {
                (About::nic(nic), Op::Xdp { buffer, queue })
            }
            None => (About::nic(nic), Op::BuildSkb { buffer, queue }),
        };
        let len = core.buffers[buffer].frame.segment.len;
        [Op::run(Path::DriverReceive, about.counting(len)), next]
    }

    /// `build_skb`: a packet around the memory in which the frame lies.
    pub fn build_skb(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, queue: QueueId) {
        let stack = &self.stacks[core.cpus[cpu].host];
        let device = Device::Nic(stack.queues[queue].nic);
        let packet = SkBuff {
            buffer: Some(buffer),
            ..SkBuff::of(core.buffers[buffer].frame, device)
        };
        let skb = core.alloc_skb(cpu, packet);
        core.push(cpu, up(&stack.receive, skb));
        let building = core.building(About::skb(skb));
        core.then(cpu, building);
    }
}

//! The memory of receive descriptors, and the `sk_buff`s built from received frames.
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

/// Where the driver's poll hands a packet.
fn up(receive: &Receive, skb: SkbId) -> Op {
    if receive.gro {
        Op::Gro { skb }
    } else {
        Op::GroNormal { skb }
    }
}

impl Net {
    /// Allocates a buffer for a receive descriptor of a NIC.
    pub fn ring_buffer(&self, core: &mut Core, cpu: usize, nic: NicId) -> RxBuffer {
        let stack = self.stack_of(core, cpu);
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

    /// Posts a new buffer to the ring, unless the ring has shrunk meanwhile.
    pub fn post(&mut self, core: &mut Core, cpu: usize, rx: RxBuffer, queue: QueueId) {
        let host = core.cpus[cpu].host;
        if !self.stacks[host].queues[queue].ring.post(rx) {
            core.free_rx(cpu, rx);
        }
    }

    /// What a poll does with a frame: hand up the `sk_buff`, or build one first, or run the NIC's XDP program
    /// before that.
    pub fn take_frame(&self, core: &Core, cpu: usize, queue: QueueId, rx: RxBuffer) -> [Op; 2] {
        let stack = self.stack_of(core, cpu);
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

    /// `build_skb`: builds an `sk_buff` around the memory that holds the frame.
    pub fn build_skb(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, queue: QueueId) {
        let stack = self.stack_of(core, cpu);
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

//! XDP: a program inspects a frame in the driver's poll, before an `sk_buff` is built, and returns a verdict.
//!
//! Source: `include/net/xdp.h: bpf_prog_run_xdp`, `net/core/filter.c: xdp_do_redirect`,
//! `kernel/bpf/devmap.c: bq_enqueue, bq_xmit_all`, and as a driver
//! `drivers/net/ethernet/mellanox/mlx5/core/en/xdp.c: mlx5e_xdp_handle, mlx5e_xmit_xdp_frame` (v6.1).
//!
//! Simplified ("frames that XDP sends"): a frame that XDP sends leaves as soon as it has a descriptor (mlx5 rings the
//! doorbell once per poll), and the NIC's next poll or a CPU that redirects to it reclaims the descriptors of sent
//! frames, as virtio does (mlx5 has a completion queue and an interrupt for it). A learner sees the same verdicts, and
//! frames on the wire up to a poll earlier.

pub use crate::config::settings::XdpAction as Action;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{BufferId, Device, Id as _, NicId, QueueId};
use crate::engine::memory::skbuff::{Frame, RxBuffer};
use crate::engine::net::Net;
use ringside::kernel::{Field, Probe};

use super::ETHERNET_HEADER;
use super::bus::{Cargo, Held, Sending};
use super::link::Flight;
use super::ring::XdpRing;
use super::transmit::{FRAME_BYTES, LEAST_FRAME};

/// Maximum number of frames redirected in one batch (`kernel/bpf/devmap.c: bq_enqueue`, `DEV_MAP_BULK_SIZE` of
/// `include/net/xdp.h`, v6.1).
const BULK: usize = 16;
/// Interface index of `eth0`: `lo` is the first device of a host.
const FIRST_IFINDEX: usize = 2;
/// The id of the only program, and of its map.
const ID: u32 = 1;

/// XDP on a NIC.
#[derive(Debug, Default)]
pub struct Xdp {
    /// The attached program.
    pub program: Option<Program>,
    /// Its send queue.
    pub ring: XdpRing,
}

/// A program: one verdict for the frames that match, `XDP_PASS` for all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// The verdict.
    pub action: Action,
    /// Only frames to this port match; `None`: all.
    pub port: Option<u16>,
    /// How many of a thousand such frames match, at random.
    pub permille: u32,
    /// The NIC that `XDP_REDIRECT` sends to.
    pub to: NicId,
}

impl Program {
    /// The verdict on a frame to `port`; `happens` draws a random number (`bpf_get_prandom_u32`).
    fn judge(&self, port: Option<u16>, happens: impl FnOnce(u32) -> bool) -> Action {
        let is_meant = self.port.is_none() || self.port == port;
        if is_meant && (self.permille >= 1000 || happens(self.permille)) {
            self.action
        } else {
            Action::Pass
        }
    }
}

/// The frame sent back to its sender: the program swaps addresses and ports.
fn turned(frame: Frame) -> Frame {
    Frame {
        from: frame.to,
        to: frame.from,
        ..frame
    }
}

fn ifindex(nic: NicId) -> u32 {
    (nic.index() + FIRST_IFINDEX) as u32
}

const fn bare(buffer: BufferId) -> RxBuffer {
    RxBuffer { buffer, skb: None }
}

impl Net {
    /// The driver runs the program on a frame.
    pub fn xdp(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, queue: QueueId) {
        let nic = self.stack_of(core, cpu).queues[queue].nic;
        let ops = [
            Op::run(Path::DriverXdp, About::nic(nic)),
            Op::run(Path::XdpProgram, About::nic(nic)),
            Op::XdpJudged { buffer, queue },
        ];
        core.then(cpu, ops);
    }

    /// `mlx5e_xdp_handle`: acts on the program's verdict.
    pub fn xdp_judged(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, queue: QueueId) {
        let host = core.cpus[cpu].host;
        let nic = self.stacks[host].queues[queue].nic;
        let Some(program) = self.stacks[host].nics[nic].xdp.program else {
            return;
        };
        let frame = core.buffers[buffer].frame;
        let port = frame.to.map(|to| core.socks[to].port);
        let action = program.judge(port, |permille| core.rng.happens(permille));
        let headers = self.headers(host, &frame) + ETHERNET_HEADER;
        if core.emit_frame(cpu, Probe::BpfProgRunXdp, bare(buffer), headers) {
            core.name_field(Field::Action, action.name());
            core.device_field(Device::Nic(nic));
        }
        let count = &mut core.hosts[host].totals.xdp[action as usize];
        *count += 1;
        let about = About::nic(nic);
        match action {
            Action::Drop => {
                let drop = Op::run(Path::DriverXdpDrop, about);
                core.then(cpu, [drop, Op::FreeBuffer { buffer }]);
            }
            Action::Pass => core.push(cpu, Op::BuildSkb { buffer, queue }),
            Action::Tx => {
                core.buffers[buffer].frame = turned(frame);
                let xmit = Op::run(Path::DriverXdpTransmit, about);
                core.then(cpu, [xmit, Op::XdpXmit { buffer, nic }]);
            }
            Action::Redirect => {
                let to = program.to;
                if core.emit(cpu, Probe::XdpRedirect, About::NOTHING) {
                    core.field(Field::ProgId, ID);
                    core.name_field(Field::Action, action.name());
                    core.field(Field::FromIfindex, ifindex(nic));
                    core.field(Field::ToIfindex, ifindex(to));
                    core.field(Field::Error, 0);
                    core.field(Field::MapId, ID);
                    core.field(Field::MapIndex, to.index() as u32);
                }
                let redirect = Op::run(Path::XdpRedirect, about);
                core.then(cpu, [redirect, Op::XdpEnqueue { buffer, nic: to }]);
            }
        }
    }

    /// `bq_enqueue`: adds a frame to the bulk queue, which is transmitted when full.
    pub fn xdp_enqueue(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, nic: NicId) {
        let redirected = &mut self.softnet[cpu].redirected;
        redirected.push((nic, buffer));
        if redirected.len() >= BULK {
            core.push(cpu, Op::XdpFlush);
        }
    }

    /// At the end of a poll: transmits the bulk queue (`xdp_do_flush`).
    pub fn flush_xdp_if_any(&self, core: &mut Core, cpu: usize) {
        if !self.softnet[cpu].redirected.is_empty() {
            core.push(cpu, Op::XdpFlush);
        }
    }

    /// `bq_xmit_all`: hands the bulk queue's frames for a NIC to its driver, as many as there are descriptors.
    pub fn xdp_flush(&mut self, core: &mut Core, cpu: usize) {
        let Some(&(nic, _)) = self.softnet[cpu].redirected.first() else {
            return;
        };
        let host = core.cpus[cpu].host;
        let redirected = &mut self.softnet[cpu].redirected;
        let (now, later): (Vec<_>, Vec<_>) = redirected.drain(..).partition(|&(to, _)| to == nic);
        *redirected = later;
        let from = self.stacks[host].queues[self.softnet[cpu].device].nic;
        let ring = &self.stacks[host].nics[nic].xdp.ring;
        // The driver reclaims first, below.
        let free = ring.free() as usize + ring.sent.len();
        let sent = now.len().min(free);
        if core.emit(cpu, Probe::XdpDevmapXmit, About::NOTHING) {
            core.field(Field::FromIfindex, ifindex(from));
            core.field(Field::ToIfindex, ifindex(nic));
            core.name_field(Field::Action, Action::Redirect.name());
            core.field(Field::Sent, sent as u32);
            core.field(Field::Drops, (now.len() - sent) as u32);
            core.field(Field::Error, 0);
        }
        let about = About::nic(nic);
        let flush = Op::run(Path::XdpFlush, about.counting(now.len() as u32));
        let xmits = now.iter().flat_map(|&(_, buffer)| {
            let xmit = Op::run(Path::DriverXdpTransmit, about);
            [xmit, Op::XdpXmit { buffer, nic }]
        });
        let ops: Vec<Op> = std::iter::once(flush).chain(xmits).collect();
        core.then(cpu, ops);
        self.reclaim(core, cpu, nic);
    }

    /// Posts a frame to the XDP send queue of a NIC, or drops it if no descriptor is free.
    pub fn xdp_xmit(&mut self, core: &mut Core, cpu: usize, buffer: BufferId, nic: NicId) {
        let host = core.cpus[cpu].host;
        let own = self.stacks[host].queues[self.softnet[cpu].device].nic;
        let state = &mut self.stacks[host].nics[nic];
        if !state.xdp.ring.take() {
            core.hosts[host].totals.dropped += 1;
            if nic == own && core.emit(cpu, Probe::XdpException, About::NOTHING) {
                core.field(Field::ProgId, ID);
                core.name_field(Field::Action, Action::Tx.name());
                core.field(Field::FromIfindex, ifindex(nic));
            }
            core.push(cpu, Op::XdpReturn { buffer });
            return;
        }
        let to = state.peer;
        let frame = core.buffers[buffer].frame;
        let header = self.headers(host, &frame);
        if core.emit_frame(
            cpu,
            Probe::DriverXdpXmit,
            bare(buffer),
            header + ETHERNET_HEADER,
        ) {
            core.device_field(Device::Nic(nic));
        }
        core.read_by_dma(host, buffer);
        let bytes = frame.segment.len + header;
        let sending = Sending {
            flight: Flight {
                to,
                frame,
                fault: None,
            },
            nic,
            wire: (bytes + FRAME_BYTES).max(LEAST_FRAME),
            last_of: Some(Held::Bare(buffer)),
        };
        let cargo = Cargo::Sending(sending);
        self.cross(core, host, nic, bytes + ETHERNET_HEADER, cargo);
    }

    /// A frame has been sent.
    pub fn xdp_sent(&mut self, host: usize, nic: NicId, buffer: BufferId) {
        self.stacks[host].nics[nic].xdp.ring.has_sent(buffer);
    }

    /// The poll of a NIC's first queue reclaims the frames that XDP has sent; false if there are none.
    pub fn reclaim_xdp(&mut self, core: &mut Core, cpu: usize, queue: QueueId, again: Op) -> bool {
        let stack = self.stack_of(core, cpu);
        let nic = stack.queues[queue].nic;
        if stack.nics[nic].xdp.ring.sent.is_empty() {
            return false;
        }
        core.push(cpu, again);
        self.reclaim(core, cpu, nic);
        true
    }

    fn reclaim(&mut self, core: &mut Core, cpu: usize, nic: NicId) {
        let host = core.cpus[cpu].host;
        let sent = std::mem::take(&mut self.stacks[host].nics[nic].xdp.ring.sent);
        for buffer in sent.into_iter().rev() {
            let done = Op::run(Path::DriverXdpTransmitDone, About::nic(nic));
            core.then(cpu, [done, Op::XdpReturn { buffer }]);
        }
    }

    /// Frees the memory of a frame for which no `sk_buff` was built.
    pub fn xdp_return(core: &mut Core, cpu: usize, buffer: BufferId) {
        core.emit_frame(cpu, Probe::XdpReturnFrame, bare(buffer), 0);
        core.free_buffer(cpu, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ids::SockId;

    fn program(port: Option<u16>, permille: u32) -> Program {
        Program {
            action: Action::Drop,
            port,
            permille,
            to: NicId::from_index(0),
        }
    }

    #[test]
    fn a_program_passes_what_it_is_not_meant_for() {
        let never = |_| panic!("no chance is asked for");
        assert_eq!(program(None, 1000).judge(None, never), Action::Drop);
        assert_eq!(program(Some(9), 1000).judge(Some(9), never), Action::Drop);
        assert_eq!(program(Some(9), 1000).judge(Some(53), never), Action::Pass);
        assert_eq!(program(Some(9), 1000).judge(None, never), Action::Pass);
    }

    #[test]
    fn a_share_is_left_to_chance() {
        let some = program(None, 250);
        assert_eq!(some.judge(None, |permille| permille == 250), Action::Drop);
        assert_eq!(some.judge(None, |_| false), Action::Pass);
    }

    #[test]
    fn a_frame_that_is_turned_twice_is_itself() {
        let frame = Frame {
            from: Some(SockId::from_index(1)),
            ..Frame::default()
        };
        assert_eq!(turned(frame).from, None);
        assert_eq!(turned(turned(frame)).from, frame.from);
    }
}

//! Receive packet steering and receive flow steering: packets go to the backlog of
//! another CPU, which gets an IPI when `net_rx_action` ends.
//!
//! Simplified ("steering in software"): both are on or off together, on all CPUs.
//!
//! Source: `net/core/dev.c: get_rps_cpu, enqueue_to_backlog, napi_schedule_rps, net_rps_action_and_irq_enable,
//! rps_trigger_softirq` (v6.1).

use super::Net;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{SkbId, SockId};
use crate::engine::memory::sock::RpsFlow;
use crate::engine::softnet::Poll;

impl Net {
    /// The CPU to whose backlog RPS sends a packet, this one or another.
    pub fn steered_to(&self, core: &mut Core, cpu: usize, skb: SkbId) -> Option<usize> {
        let host = core.cpus[cpu].host;
        let packet = &core.skbs[skb];
        if !self.stacks[host].rps || packet.is_steered {
            return None;
        }
        let to = packet.frame.to?;
        let (hash, is_fragment) = (
            core.hash_of(&packet.frame, packet.device),
            packet.frame.fragment.total > 0,
        );
        // RFS: the CPU on which a process last read; else by the hash, as for fragments, whose hash is no socket's.
        let reader_cpu = (!is_fragment).then(|| self.reader_cpu(core, to)).flatten();
        let target = reader_cpu.unwrap_or_else(|| {
            let (first, count) = (core.hosts[host].first_cpu, core.hosts[host].cpu_count);
            first + (hash % count as u32) as usize
        });
        core.skbs[skb].is_steered = true;
        Some(target)
    }

    /// The CPU to which RFS sends a packet for a socket: that of the socket's last reader, but while earlier packets of
    /// the flow wait for another CPU that one, so that none overtakes them. Nothing if no process has read yet.
    fn reader_cpu(&self, core: &mut Core, to: SockId) -> Option<usize> {
        let sock = &mut core.socks[to];
        let cpu = sock.rps_cpu?;
        let is_empty = |flow: RpsFlow| self.softnet[flow.cpu].input_queue_head >= flow.last_qtail;
        if sock
            .rps_flow
            .is_none_or(|flow| flow.cpu != cpu && is_empty(flow))
        {
            let last_qtail = self.softnet[cpu].input_queue_head;
            sock.rps_flow = Some(RpsFlow { cpu, last_qtail });
        }
        sock.rps_flow.map(|flow| flow.cpu)
    }

    /// `enqueue_to_backlog` of the CPU that RPS chose. If it is
    /// another CPU whose backlog was empty, that CPU is due an IPI.
    pub fn steer(&mut self, core: &mut Core, cpu: usize, skb: SkbId, target: usize) {
        if target == cpu {
            self.enqueue(core, cpu, skb);
        } else if self.join_backlog(core, cpu, target, skb) == Some(true) {
            self.softnet[cpu].rps_ipi_list.push(target);
        }
    }

    /// A packet that RPS has steered is on the backlog of a CPU, which counts it (`input_queue_tail_incr_save`).
    pub(super) fn count_steered(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let softnet = &mut self.softnet[cpu];
        softnet.input_queue_tail += 1;
        let to = core.skbs[skb].frame.to;
        let flow = to.and_then(|to| core.socks[to].rps_flow.as_mut());
        if let Some(flow) = flow.filter(|flow| flow.cpu == cpu) {
            flow.last_qtail = softnet.input_queue_tail;
        }
    }

    /// A packet that RPS put on this CPU's backlog has been processed (`input_queue_head_incr`).
    pub fn input_queue_head_incr(&mut self, cpu: usize) {
        self.softnet[cpu].input_queue_head += 1;
    }

    /// `net_rps_action_and_irq_enable`: sends the IPIs that
    /// are due, then runs `again`; false if none was due.
    pub fn send_rps_ipis(&mut self, core: &mut Core, cpu: usize, again: Op) -> bool {
        let has_any = !self.softnet[cpu].rps_ipi_list.is_empty();
        if has_any {
            core.push(cpu, again);
            self.rps_ipis(core, cpu);
        }
        has_any
    }

    /// Sends the IPIs that are due.
    pub fn rps_ipis(&mut self, core: &mut Core, cpu: usize) {
        for target in std::mem::take(&mut self.softnet[cpu].rps_ipi_list) {
            self.softnet[target].is_called = true;
            core.send_ipi(cpu, target);
        }
    }

    /// `rps_trigger_softirq`, in the IPI's handler: the CPU puts its backlog on its poll list.
    pub fn rps_trigger(&mut self, core: &mut Core, cpu: usize) {
        self.add_poll(core, cpu, Poll::Backlog);
        core.cpus[cpu].softirq.is_pending = true;
        core.push(cpu, Op::run(Path::RpsTrigger, About::NOTHING));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::events::Event;
    use crate::engine::ids::{Device, Id as _, NicId};
    use crate::engine::memory::skbuff::{Frame, SkBuff};
    use crate::engine::setup::testing::{due, ops, received, sock};

    /// A receiver that steers, and a packet for the socket whose reader ran on CPU 0.
    fn steering() -> (Engine, SkbId) {
        let (mut engine, skb) = received(Frame::default());
        engine.net.stacks[0].rps = true;
        engine.core.socks[sock(1)].rps_cpu = Some(0);
        (engine, skb)
    }

    /// Interprocessor interrupts on their way to CPU 0.
    fn ipis(core: &mut Core) -> usize {
        let all = due(core).into_iter();
        all.filter(|&(_, event)| event == Event::Ipi { cpu: 0 })
            .count()
    }

    #[test]
    fn steering_goes_through_the_backlog_of_this_cpu_too() {
        let (mut engine, skb) = steering();
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.net_receive(core, 0, skb);
        assert_eq!(ops(core, 0), [Op::Steer { skb, target: 0 }]);
        net.steer(core, 0, skb, 0);
        assert!(net.softnet[0].backlog.packets().eq([skb]));
        assert!(core.cpus[0].softirq.is_pending);
        net.leave_backlog(core, 0, skb);
        assert!(
            !ops(core, 0).contains(&Op::Steer { skb, target: 0 }),
            "once"
        );
    }

    #[test]
    fn another_cpu_is_told_when_the_round_is_over_and_polls_when_it_is_told() {
        let (mut engine, skb) = steering();
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.steer(core, 1, skb, 0);
        assert!(net.softnet[0].backlog.packets().eq([skb]));
        assert_eq!(ipis(core), 0, "not yet");
        net.softirq_next(core, 1);
        assert_eq!((ipis(core), net.softnet[0].is_called), (1, true));
        assert!(!core.cpus[0].softirq.is_pending && net.softnet[0].polls.is_empty());
        net.rps_trigger(core, 0);
        assert!(core.cpus[0].softirq.is_pending);
        assert_eq!(net.softnet[0].polls, [Poll::Backlog]);
        let told = Op::run(Path::RpsTrigger, About::NOTHING);
        assert_eq!(ops(core, 0).first(), Some(&told));
    }

    #[test]
    fn fragments_of_all_flows_go_to_one_cpu() {
        let steered_to = |total: u32, flow: u32| {
            let (mut engine, skb) = steering();
            let (core, net) = (&mut engine.core, &mut engine.net);
            core.socks[sock(1)].rps_cpu = None;
            core.socks[sock(0)].flow = flow;
            let packet = &mut core.skbs[skb].frame;
            packet.from = Some(sock(0));
            packet.fragment.total = total;
            net.steered_to(core, 1, skb)
        };
        assert_eq!([0, 1].map(|flow| steered_to(0, flow)), [Some(0), Some(1)]);
        assert_eq!([0, 1].map(|flow| steered_to(6008, flow)), [Some(0); 2]);
    }

    #[test]
    fn a_flow_follows_its_reader_when_none_of_its_packets_waits_for_the_cpu_before() {
        let (mut engine, skb) = steering();
        let (core, net) = (&mut engine.core, &mut engine.net);
        let frame = core.skbs[skb].frame;
        let steered = |core: &mut Core, net: &Net| {
            let packet = SkBuff::of(frame, Device::Nic(NicId::from_index(0)));
            let skb = core.alloc_skb(1, packet);
            net.steered_to(core, 1, skb)
        };
        assert_eq!(net.steered_to(core, 1, skb), Some(0));
        net.steer(core, 1, skb, 0);
        core.socks[sock(1)].rps_cpu = Some(1);
        assert_eq!(steered(core, net), Some(0), "one waits there");
        net.leave_backlog(core, 0, skb);
        assert_eq!(steered(core, net), Some(0), "it is being processed");
        let last = ops(core, 0).pop();
        assert_eq!(last, Some(Op::InputQueueHead), "behind all of its steps");
        net.input_queue_head_incr(0);
        assert_eq!(steered(core, net), Some(1));
    }

    #[test]
    fn one_interrupt_tells_of_all_packets_of_a_round() {
        let (mut engine, skb) = steering();
        let (core, net) = (&mut engine.core, &mut engine.net);
        let frame = core.skbs[skb].frame;
        let second = SkBuff::of(frame, Device::Nic(NicId::from_index(0)));
        let second = core.alloc_skb(1, second);
        net.steer(core, 1, skb, 0);
        net.steer(core, 1, second, 0);
        net.rps_ipis(core, 1);
        assert_eq!((ipis(core), net.softnet[0].backlog.depth()), (1, 2));
        assert!(net.softnet[1].rps_ipi_list.is_empty());
    }
}

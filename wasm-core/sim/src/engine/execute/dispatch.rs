//! Executes one operation of a CPU's stack by handing it to its mechanism.

use crate::engine::Engine;
use crate::engine::core::Core;
use crate::engine::cpu::charge::Charge;
use crate::engine::cpu::op::Op;
use crate::engine::ids::TaskId;
use crate::engine::ip::{self, damage};
use crate::engine::memory::skbuff::RxBuffer;
use crate::engine::net::Net;
use crate::engine::process;
use crate::engine::spinlock::LockId;
use crate::time::SimTime;
use ringside::kernel::Context;

/// Takes the CPU away for `ns` nanoseconds, charged as hard interrupt time.
fn steal(core: &mut Core, cpu: usize, ns: u32) {
    let cost = SimTime::from_ns(u64::from(ns));
    core.charge(cpu, Charge::to(Context::Hardirq), cost.0);
    core.cpus[cpu].until = core.now() + cost;
}

impl Engine {
    /// Hands an operation to its mechanism.
    #[expect(clippy::too_many_lines, reason = "a line for each operation")]
    pub fn dispatch(&mut self, cpu: usize, op: Op) {
        let (core, net, programs) = (&mut self.core, &mut self.net, &self.programs);
        match op {
            // The steps of a path run in `run_path`.
            Op::Run { .. } => {}

            Op::Compute { cycles } => process::compute(core, cpu, cycles),
            Op::CallEnds => process::call_ends(core, cpu),
            Op::Yield => core.yield_now(cpu),
            Op::SleepFor { us } => core.sleep_for(cpu, us),
            Op::ReadPage { left } => process::read_page(core, cpu, left),
            Op::PageRead { bytes } => process::page_read(core, cpu, bytes),
            Op::BroadcastNext { next, bytes } => programs.broadcast_next(core, cpu, next, bytes),
            Op::StartOver => programs.start_over(core, cpu),
            Op::SkipToYield => programs.skip_to_yield(core, cpu),

            Op::MakeSocket => net.make_socket(core, cpu),
            Op::StartListen { sock } => net.start_listen(core, cpu, sock),
            Op::StartConnect { sock } => net.start_connect(core, cpu, sock),
            Op::AwaitConnect { sock } => net.await_connect(core, cpu, sock),
            Op::TakeConnection { listener, waits } => {
                net.take_connection(core, cpu, listener, waits);
            }
            Op::StartClose { sock } => net.start_close(core, cpu, sock),
            Op::Closed { sock } => net.destroy_if_closed(core, cpu, sock),
            Op::LockSock { sock } => net.lock_sock(core, cpu, sock),
            Op::ReleaseSock { sock } => net.release_sock(core, cpu, sock),
            Op::Sleep { sock, wait } => net.sleep_on(core, cpu, sock, wait),
            Op::WakeReader { sock } => net.wake_reader(core, cpu, sock),
            Op::WakeWriter { sock } => Net::wake_writer(core, cpu, sock),
            Op::SendLoop { sock, left } => net.send_loop(core, cpu, sock, left),
            Op::Queued { sock, bytes } => net.queued(core, cpu, sock, bytes),
            Op::Push { sock } => net.push_segments(core, cpu, sock),
            Op::PushOne { sock } => net.push_one_segment(core, cpu, sock),
            Op::RecvLoop { sock, left } => net.recv_loop(core, cpu, sock, left),
            Op::Copied { skb, sock, bytes } => net.copied(core, cpu, skb, sock, bytes),
            Op::Return { sock, bytes } => Net::returns(core, cpu, sock, bytes),
            Op::SendDatagram { sock, bytes } => net.send_datagram(core, cpu, sock, bytes),
            Op::RecvDatagram { sock, most } => net.receive_datagram(core, cpu, sock, most),
            Op::QueueDatagram { skb, sock } => net.queue_datagram(core, cpu, skb, sock),
            Op::AtTcp { skb, sock } => Net::at_tcp(core, cpu, skb, sock),
            Op::Deliver { skb, sock } => net.deliver(core, cpu, skb, sock),
            Op::Process {
                skb,
                sock,
                is_eaten,
            } => net.process_segment(core, cpu, skb, sock, is_eaten),
            Op::Queue {
                skb,
                sock,
                in_order,
            } => net.queue_segment(core, cpu, skb, sock, in_order),
            Op::Ack { sock, is_update } => net.acknowledge(core, cpu, sock, is_update),
            Op::Unthrottle { sock } => net.unthrottle(core, cpu, sock),
            Op::SmallQueue { sock } => net.small_queue(core, cpu, sock),
            Op::RaiseTimer { sock } => net.raise_timer(core, cpu, sock),
            Op::Timer { sock } => net.timer(core, cpu, sock),
            Op::Unlock { sock } => core.release(cpu, LockId::Socket(sock)),

            Op::BusyLoop { sock } => net.busy_loop(core, cpu, sock),
            Op::BusyTurn { sock, until } => net.busy_turn(core, cpu, sock, until),
            Op::BusyFrames { queue, is_last } => net.busy_frames(core, cpu, queue, is_last),

            Op::Transmit { skb, sock } => net.transmit(core, cpu, skb, sock),
            Op::Segment { skb, sock } => net.segment(core, cpu, skb, sock),
            Op::BhEnable => core.enable_bottom_halves(cpu),
            Op::PreRouting { skb } => net.pre_routing(core, cpu, skb),
            Op::RcvFinish => net.rcv_finish(core, cpu),
            Op::AtTransport { skb } => net.at_transport(core, cpu, skb),
            Op::ToProtocol { skb } => net.deliver_finish(core, cpu, skb),
            Op::NetfilterDrop { skb } => net.netfilter_drop(core, cpu, skb),
            Op::DropPiece { skb, reason } => ip::drop_piece(core, cpu, skb, reason),
            Op::DropDamaged { skb, is_read } => damage::drop_damaged(core, cpu, skb, is_read),
            Op::SoftirqNext => net.softirq_next(core, cpu),
            Op::Enqueue { skb } => net.enqueue(core, cpu, skb),
            Op::Steer { skb, target } => net.steer(core, cpu, skb, usize::from(target)),
            Op::InputQueueHead => net.input_queue_head_incr(cpu),
            Op::RpsIpis => net.rps_ipis(core, cpu),
            Op::RpsTrigger => net.rps_trigger(core, cpu),
            Op::Gro { skb } => Net::gro(core, cpu, skb),
            Op::GroJoin { skb } => net.gro_join(core, cpu, skb),
            Op::GroFlush => net.gro_flush(core, cpu),
            Op::GroNormal { skb } => net.normal(core, cpu, skb),
            Op::ListFlush => net.list_flush(core, cpu),
            Op::LeaveBacklog { skb } => net.leave_backlog(core, cpu, skb),
            Op::Complete { skb } => net.complete(core, cpu, skb),
            Op::Free { skb } => core.free_skb(cpu, skb),

            Op::DevXmit { skb } => net.dev_xmit(core, cpu, skb),
            Op::HardXmit { skb } => net.hard_xmit(core, cpu, skb),
            Op::RestartQueue { nic } => net.wake_tx_queue(core, cpu, nic),
            Op::NetifSchedule { nic } => net.netif_schedule(core, cpu, nic),
            Op::NicInterrupt { queue } => net.nic_interrupt(core, cpu, queue),
            Op::DriverRound { queue, round } => net.driver_round(core, cpu, queue, round),
            Op::DriverLoop { queue } => net.driver_loop(core, cpu, queue),
            Op::NapiComplete { queue } => net.napi_complete(core, cpu, queue),
            Op::LeaveRing { queue } => net.leave_ring(core, cpu, queue),
            Op::Refill { queue } => net.refill(core, cpu, queue),
            Op::Post { buffer, skb, queue } => net.post(core, cpu, RxBuffer { buffer, skb }, queue),
            Op::Xdp { buffer, queue } => net.xdp(core, cpu, buffer, queue),
            Op::XdpJudged { buffer, queue } => net.xdp_judged(core, cpu, buffer, queue),
            Op::XdpXmit { buffer, nic } => net.xdp_xmit(core, cpu, buffer, nic),
            Op::XdpEnqueue { buffer, nic } => net.xdp_enqueue(core, cpu, buffer, nic),
            Op::XdpFlush => net.xdp_flush(core, cpu),
            Op::XdpReturn { buffer } => Net::xdp_return(core, cpu, buffer),
            Op::FreeBuffer { buffer } => core.free_buffer(cpu, buffer),
            Op::BuildSkb { buffer, queue } => net.build_skb(core, cpu, buffer, queue),

            Op::Tick => core.tick(cpu),
            Op::Steal { ns } => steal(core, cpu, ns),
        }
    }

    /// Continues a task in user space: its script, or for `ksoftirqd` the pending softirq.
    pub fn next_act(&mut self, cpu: usize, task: TaskId) {
        let softirq = &self.core.cpus[cpu].softirq;
        if softirq.daemon != Some(task) {
            if self.core.stops(cpu, task) {
                return;
            }
            self.programs.next_act(&mut self.core, cpu, task);
        } else if softirq.is_pending {
            self.net.enter_softirq(&mut self.core, cpu);
        } else {
            self.core.sleep(cpu);
        }
    }
}

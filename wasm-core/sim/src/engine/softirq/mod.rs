//! The network softirq: `net_rx_action` polls devices and the CPU's backlog.
//!
//! Source: `net/core/dev.c: net_rx_action, process_backlog, enqueue_to_backlog`, `kernel/softirq.c:
//! __do_softirq` (v2.4.20, v2.6.3, v6.1); `net_bh` under `global_bh_lock` for 2.2.

pub mod gro;
mod rounds;
mod steering;

use ringside::kernel::{DropReason, Field, Probe};

use super::core::Core;
use super::cpu::SOFT;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::ids::{QueueId, SkbId, SockId};
use super::net::Net;
use super::softnet::Poll;

/// What a step of a driver's poll function found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polled {
    /// A frame.
    Frame,
    /// Descriptors to refill, or frames that were sent.
    Other,
    /// Nothing.
    Nothing,
}

/// The operation with which the softirq continues after those pushed on top of it.
const AGAIN: Op = Op::SoftirqNext;

impl Net {
    /// The CPU whose backlog this one fills and empties: itself, or
    /// before `softnet_data` the host's first CPU, for all of them.
    fn backlog_of(&self, core: &Core, cpu: usize) -> usize {
        let host = core.cpus[cpu].host;
        if self.stacks[host].receive.shared_backlog {
            core.hosts[host].first_cpu
        } else {
            cpu
        }
    }

    /// A socket's timer is due: the softirq is to run it (`TIMER_SOFTIRQ`).
    pub fn raise_timer(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let of = self.backlog_of(core, cpu);
        self.softnet[of].timers.push_back(sock);
        core.cpus[cpu].softirq.is_pending = true;
    }

    /// `netif_rx`: a packet joins this CPU's backlog, or is dropped.
    pub fn enqueue(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let of = self.backlog_of(core, cpu);
        // Before NAPI made the backlog a polled device, each packet raised the softirq.
        let has_device = self.stack_of(core, cpu).receive.napi;
        let starts = self.join_backlog(core, cpu, of, skb);
        if starts == Some(true) {
            self.add_poll(core, of, Poll::Backlog);
        }
        if starts.is_some_and(|starts| starts || !has_device) {
            let softirq = &mut core.cpus[cpu].softirq;
            softirq.is_pending = true;
            softirq.is_raised_again = softirq.is_running;
        }
    }

    /// Puts the packet on the backlog: true if the backlog now has to be put
    /// on the poll list, `None` if it was full and the packet was dropped.
    fn join_backlog(&mut self, core: &mut Core, cpu: usize, of: usize, skb: SkbId) -> Option<bool> {
        let receive = &self.stacks[core.cpus[of].host].receive;
        let softnet = &mut self.softnet[of];
        if !softnet.backlog.join(skb, receive) {
            core.drop_skb(cpu, skb, DropReason::CpuBacklog, |place| &place.backlog);
            return None;
        }
        let (depth, limit) = (softnet.backlog.depth(), softnet.backlog.limit(receive));
        let starts = softnet.backlog_napi.schedule_prep();
        if core.emit(cpu, Probe::EnqueueToBacklog, About::skb(skb)) {
            let local = core.cpus[of].local;
            core.field(Field::TargetCpu, u32::from(local));
            core.field(Field::Depth, depth);
            core.field(Field::Limit, limit);
        }
        if core.skbs[skb].is_steered {
            self.count_steered(core, of, skb);
        }
        Some(starts)
    }

    /// Starts the network softirq on this CPU, unless another CPU runs bottom
    /// halves under the lock that all share in 2.2 (`global_bh_lock`).
    pub fn enter_softirq(&mut self, core: &mut Core, cpu: usize) {
        if !core.may_run_bottom_halves(cpu) {
            return;
        }
        core.interrupt_step(cpu);
        let now = core.now();
        let state = &mut core.cpus[cpu];
        state.level = SOFT;
        let softirq = &mut state.softirq;
        softirq.is_running = true;
        softirq.is_pending = false;
        softirq.is_raised_again = false;
        softirq.is_deferred = false;
        softirq.rounds = 0;
        softirq.began = now;
        let of = self.backlog_of(core, cpu);
        self.begin_round(core, cpu, of);
        let has_polls = !self.softnet[of].polls.is_empty();
        core.host_of_mut(cpu).totals.softirqs += u64::from(has_polls);
        if core.emit(cpu, Probe::SoftirqEntry, About::NOTHING) {
            core.recorder.record.net_rx();
        }
        let entry = Op::run(Path::SoftirqEntry, About::NOTHING);
        core.then(cpu, [entry, AGAIN]);
    }

    /// The softirq returns, and in 2.2 lets another CPU run bottom halves.
    pub fn softirq_ends(&mut self, core: &mut Core, cpu: usize) {
        core.cpus[cpu].softirq.is_running = false;
        if self.stack_of(core, cpu).receive.shared_backlog {
            let of = self.backlog_of(core, cpu);
            core.cpus[cpu].softirq.is_pending |= !self.softnet[of].polls.is_empty();
        }
        core.bottom_halves_end(cpu);
        if core.emit(cpu, Probe::SoftirqExit, About::NOTHING) {
            core.recorder.record.net_rx();
        }
    }

    /// `net_rx_action`: the next packet of the device whose turn it is, while there is budget.
    pub fn softirq_next(&mut self, core: &mut Core, cpu: usize) {
        let of = self.backlog_of(core, cpu);
        let has_polls = !self.softnet[of].polls.is_empty();
        // Timers, `net_tx_action` and the TSQ tasklet run between two calls of `net_rx_action`.
        if self.softnet[cpu].round.work == 0 || !has_polls {
            if let Some(sock) = self.softnet[of].timers.pop_front() {
                core.then(cpu, [Op::Timer { sock }, AGAIN]);
                return;
            }
            let softnet = &mut self.softnet[cpu];
            if !softnet.completions.is_empty() {
                core.push(cpu, AGAIN);
                self.run_completions(core, cpu);
                return;
            }
            if let Some(nic) = softnet.output_queue.pop_front() {
                core.then(cpu, [Op::RestartQueue { nic }, AGAIN]);
                return;
            }
            if let Some(sock) = softnet.unthrottled.pop_front() {
                core.then(cpu, [Op::SmallQueue { sock }, AGAIN]);
                return;
            }
        }
        let Some(&poll) = self.softnet[of].polls.front() else {
            if !self.send_rps_ipis(core, cpu, AGAIN) && !self.run_tasklet(core, cpu, AGAIN) {
                self.nothing_to_poll(core, cpu, of);
            }
            return;
        };
        let taken = self.softnet[of].taken;
        let polls_once = self.stack_of(core, cpu).receive.polls_once;
        if (taken == 0 || !polls_once) && self.is_round_over(core, cpu) {
            self.round_ends(core, cpu, of);
            return;
        }
        if taken == self.weight_of(core, of, poll) {
            // The device has used up its weight: it goes to the end of the poll list.
            self.softnet[of].polls.rotate_left(1);
            self.begin_turn(core, of);
            self.softnet[cpu].round.was_polled();
            core.push(cpu, AGAIN);
            if let Poll::Queue(queue) = poll {
                self.refill_if_due(core, cpu, queue);
            }
            self.flush_list_if_any(core, cpu);
            self.flush_xdp_if_any(core, cpu);
            self.flush_gro_if_any(core, cpu);
            return;
        }
        match poll {
            Poll::Backlog => self.poll_backlog(core, cpu, of),
            Poll::Queue(queue) => self.poll(core, cpu, queue),
        }
    }

    /// Packets that a device may hand up in one poll (`struct napi_struct`'s `weight`).
    fn weight_of(&self, core: &Core, of: usize, poll: Poll) -> u32 {
        let stack = &self.stacks[core.cpus[of].host];
        match poll {
            Poll::Queue(queue) => stack.nics[stack.queues[queue].nic].driver.weight,
            Poll::Backlog => stack.receive.backlog_weight(),
        }
    }

    /// The poll list is empty: the softirq ends, unless it was raised meanwhile.
    fn nothing_to_poll(&mut self, core: &mut Core, cpu: usize, of: usize) {
        let leaves = self.stack_of(core, cpu).receive.leaves_raised_again;
        let softirq = &mut core.cpus[cpu].softirq;
        if leaves {
            if std::mem::take(&mut softirq.is_raised_again) {
                core.defer_softirq(cpu);
            }
        } else if softirq.is_pending {
            self.round_ends(core, cpu, of);
        }
    }

    /// `net_rx_action` has used up its budget or time: `__do_softirq` restarts,
    /// or ksoftirqd gets the rest. Both include what was raised meanwhile.
    fn round_ends(&mut self, core: &mut Core, cpu: usize, of: usize) {
        core.cpus[cpu].softirq.rounds += 1;
        if self.must_leave_rest(core, cpu) {
            core.cpus[cpu].softirq.is_pending = true;
            core.defer_softirq(cpu);
        } else {
            core.cpus[cpu].softirq.is_pending = false;
            self.begin_round(core, cpu, of);
            let entry = Op::run(Path::SoftirqEntry, About::NOTHING);
            core.then(cpu, [entry, AGAIN]);
        }
        if self.stack_of(core, cpu).rps {
            core.push(cpu, Op::RpsIpis);
        }
        self.flush_list_if_any(core, cpu);
        self.flush_xdp_if_any(core, cpu);
    }

    /// `process_backlog`: the next packet of the backlog.
    fn poll_backlog(&mut self, core: &mut Core, cpu: usize, of: usize) {
        if self.softnet[of].taken == 0 && self.send_rps_ipis(core, cpu, AGAIN) {
            return;
        }
        let receive = &self.stacks[core.cpus[cpu].host].receive;
        let Some(skb) = self.softnet[of].backlog.first(receive) else {
            self.softnet[of].backlog_napi.complete();
            self.leave_poll(core, cpu, of);
            core.push(cpu, AGAIN);
            return;
        };
        self.softnet[of].taken += 1;
        self.softnet[cpu].round.work += 1;
        let take = Op::run(Path::ProcessBacklog, About::skb(skb));
        core.then(cpu, [take, Op::LeaveBacklog { skb }, AGAIN]);
    }

    /// `process_backlog` takes the packet off the backlog and hands it up. Until this step the
    /// packet counts as queued, both for the limit that arrivals meet and in the recording.
    pub fn leave_backlog(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let of = self.backlog_of(core, cpu);
        self.softnet[of].backlog.take();
        self.net_receive(core, cpu, skb);
    }

    /// The device at the head of the poll list has no more packets, and leaves it.
    fn leave_poll(&mut self, core: &mut Core, cpu: usize, of: usize) {
        self.softnet[of].polls.pop_front();
        self.softnet[cpu].round.was_polled();
        self.begin_turn(core, of);
    }

    /// The softirq's poll of a queue: first what was sent, then one frame, or the end of polling.
    fn poll(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        if self.softnet[cpu].taken == 0 && self.clean_sent(core, cpu, queue, AGAIN) {
            return;
        }
        match self.poll_queue(core, cpu, queue, AGAIN) {
            Polled::Frame => {
                self.softnet[cpu].taken += 1;
                self.softnet[cpu].round.work += 1;
                return;
            }
            Polled::Other => return,
            Polled::Nothing => {}
        }
        core.then(cpu, [Op::NapiComplete { queue }, AGAIN]);
        self.refill_if_due(core, cpu, queue);
        core.push(cpu, Op::ListFlush);
        self.flush_xdp_if_any(core, cpu);
        self.flush_gro_if_any(core, cpu);
    }

    /// Runs one step of a driver's poll function, then `again`.
    pub fn poll_queue(&mut self, core: &mut Core, cpu: usize, queue: QueueId, again: Op) -> Polled {
        let host = core.cpus[cpu].host;
        self.softnet[cpu].device = queue;
        let frame = self.stacks[host].queues[queue].ring.ready.front().copied();
        if frame.is_some() && self.is_refill_due(host, queue) {
            core.push(cpu, again);
            self.refill_if_due(core, cpu, queue);
            return Polled::Other;
        }
        if let Some(rx) = frame {
            let [receive, next] = self.take_frame(core, cpu, queue, rx);
            core.then(cpu, [receive, Op::LeaveRing { queue }, next, again]);
            return Polled::Frame;
        }
        if self.clean_sent(core, cpu, queue, again) {
            return Polled::Other;
        }
        Polled::Nothing
    }

    /// One step of what a poll does for frames that were sent; false if there is nothing to do.
    fn clean_sent(&mut self, core: &mut Core, cpu: usize, queue: QueueId, again: Op) -> bool {
        self.reclaim_xdp(core, cpu, queue, again) || self.clean_tx(core, cpu, queue, again)
    }

    /// The queue was empty: the instance is released and the interrupt unmasked (`napi_complete_done`), which comes at
    /// once for what has come or was sent since.
    pub fn napi_complete(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        if self.softnet[cpu].polls.front() == Some(&Poll::Queue(queue)) {
            self.leave_poll(core, cpu, cpu);
        }
        let state = &mut self.stacks[host].queues[queue];
        state.napi.complete();
        state.interrupt.is_masked = false;
        state.interrupt.has_cause = false;
        let is_empty = state.ring.ready.is_empty();
        self.has_looked(host, queue);
        if !is_empty || self.has_sent(host, queue) {
            self.assert_cause(core, host, queue);
        }
    }
}

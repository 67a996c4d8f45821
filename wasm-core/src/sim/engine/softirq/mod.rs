//! The network softirq: `net_rx_action` polls devices and the CPU's backlog.
//!
//! Source: `net/core/dev.c: net_rx_action, process_backlog, enqueue_to_backlog,
//! get_rps_cpu`, `net/core/gro.c`, `kernel/softirq.c: __do_softirq` (v2.4.20, v2.6.3,
//! v6.1); `net_bh` under `global_bh_lock` for 2.2.

pub(crate) mod rounds;

use crate::kernel::{Field, Probe};

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::{NONE, Poll, TASK};

impl Engine {
    /// Whose backlog this CPU fills and empties: its own, or before softnet the one of all.
    fn backlog_of(&self, cpu: usize) -> usize {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        if host.bh_lock.is_some() {
            host.first_cpu
        } else {
            cpu
        }
    }

    /// A socket's timer is due: the softirq is to run it (`TIMER_SOFTIRQ`).
    pub(crate) fn raise_timer(&mut self, cpu: usize, sock: u32) {
        let of = self.backlog_of(cpu);
        self.cpus[of].timers.push_back(sock);
        self.cpus[cpu].softirq = true;
    }

    /// `netif_rx`: a packet joins this CPU's backlog, or is dropped.
    pub(crate) fn enqueue(&mut self, cpu: usize, pkt: u32) {
        let of = self.backlog_of(cpu);
        if self.join_backlog(cpu, of, pkt) {
            let state = &mut self.cpus[cpu];
            state.softirq = true;
            state.is_raised_again = state.in_softirq;
        }
    }

    pub(crate) fn join_backlog(&mut self, cpu: usize, of: usize, pkt: u32) -> bool {
        let host = &self.hosts[usize::from(self.cpus[of].host)];
        let limit = host.receive.backlog_packets;
        let state = &mut self.cpus[of];
        if state.backlog.len() as u32 >= limit {
            self.drop_packet(cpu, pkt);
            return false;
        }
        state.backlog.push_back(pkt);
        let depth = state.backlog.len() as u32;
        if !state.polls_backlog {
            state.polls_backlog = true;
            self.add_poll(of, Poll::Backlog);
        }
        if self.emit(cpu, Probe::EnqueueToBacklog, pkt, NONE) {
            let local = self.cpus[of].local;
            self.record.field(Field::TargetCpu, u32::from(local));
            self.record.field(Field::Depth, depth);
            self.record.field(Field::Limit, limit);
        }
        true
    }

    /// A device joins those that a CPU's softirq polls.
    pub(crate) fn add_poll(&mut self, cpu: usize, poll: Poll) {
        self.cpus[cpu].polls.push_back(poll);
        if self.cpus[cpu].polls.len() == 1 {
            self.begin_turn(cpu);
        }
    }

    /// The device that is polled next gets its share.
    fn begin_turn(&mut self, cpu: usize) {
        let host = &mut self.hosts[usize::from(self.cpus[cpu].host)];
        self.cpus[cpu].quota = match self.cpus[cpu].polls.front() {
            Some(&Poll::Queue(queue)) => {
                host.totals.polls += 1;
                let nic = host.queues[usize::from(queue)].nic;
                host.nics[usize::from(nic)].weight
            }
            Some(Poll::Backlog) | None => host.receive.weight,
        };
    }

    /// Starts the network softirq on this CPU, unless another one's bottom half has the lock
    /// that all share in 2.2.
    pub(crate) fn enter_softirq(&mut self, cpu: usize) {
        let host = usize::from(self.cpus[cpu].host);
        if !self.may_run_bottom_halves(cpu) {
            return;
        }
        let level = self.cpus[cpu].level;
        self.interrupt_step(cpu, level);
        let state = &mut self.cpus[cpu];
        state.level = crate::sim::engine::state::SOFT;
        state.in_softirq = true;
        state.softirq = false;
        state.is_raised_again = false;
        state.is_deferred = false;
        state.softirq_rounds = 0;
        state.softirq_began = self.now;
        let of = self.backlog_of(cpu);
        self.begin_round(cpu, of);
        self.hosts[host].totals.softirqs += u64::from(!self.cpus[of].polls.is_empty());
        if self.emit(cpu, Probe::SoftirqEntry, NONE, NONE) {
            self.record.net_rx();
        }
        self.push(cpu, Op::act(OpKind::SoftirqNext, NONE, NONE, 0));
        self.push(cpu, Op::run(Path::SoftirqEntry, NONE, NONE, 0));
    }

    /// The softirq is over: what it held is let go.
    pub(crate) fn softirq_ends(&mut self, cpu: usize) {
        self.cpus[cpu].in_softirq = false;
        let host = usize::from(self.cpus[cpu].host);
        if self.hosts[host].bh_lock.is_some() {
            let of = self.backlog_of(cpu);
            self.cpus[cpu].softirq |= !self.cpus[of].polls.is_empty();
            self.bottom_halves_end(cpu);
        }
        if self.emit(cpu, Probe::SoftirqExit, NONE, NONE) {
            self.record.net_rx();
        }
    }

    /// `net_rx_action`: the next packet of the device whose turn it is, while there is budget.
    pub(crate) fn softirq_next(&mut self, cpu: usize) {
        let of = self.backlog_of(cpu);
        let again = Op::act(OpKind::SoftirqNext, NONE, NONE, 0);
        if let Some(sock) = self.cpus[of].timers.pop_front() {
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::Timer, NONE, sock, 0));
            return;
        }
        let state = &self.cpus[cpu];
        if !state.completions.is_empty()
            && (state.softirq_work == 0 || self.cpus[of].polls.is_empty())
        {
            self.push(cpu, again);
            self.run_completions(cpu);
            return;
        }
        let Some(&poll) = self.cpus[of].polls.front() else {
            if self.run_tasklet(cpu, again) {
                return;
            }
            let state = &mut self.cpus[cpu];
            let host = &self.hosts[usize::from(state.host)];
            if host.receive.leaves_raised_again && std::mem::take(&mut state.is_raised_again) {
                state.is_deferred = state.ksoftirqd != NONE;
                let daemon = state.ksoftirqd;
                self.wake(cpu, daemon, NONE, false);
            }
            return;
        };
        if self.is_round_over(cpu) {
            self.cpus[cpu].softirq_rounds += 1;
            if self.must_leave_rest(cpu) {
                let state = &mut self.cpus[cpu];
                state.softirq = true;
                state.is_deferred = state.ksoftirqd != NONE;
                let daemon = state.ksoftirqd;
                self.wake(cpu, daemon, NONE, false);
                self.flush_list_if_any(cpu);
                return;
            }
            self.begin_round(cpu, of);
            self.push(cpu, again);
            self.push(cpu, Op::run(Path::SoftirqEntry, NONE, NONE, 0));
            self.flush_list_if_any(cpu);
            return;
        }
        if self.cpus[of].quota == 0 {
            // The device has had its share.
            self.cpus[of].polls.rotate_left(1);
            self.begin_turn(of);
            self.was_polled(cpu);
            self.push(cpu, again);
            if let Poll::Queue(queue) = poll {
                self.refill_if_due(cpu, u32::from(queue));
            }
            self.flush_list_if_any(cpu);
            return;
        }
        match poll {
            Poll::Backlog => {
                let Some(pkt) = self.cpus[of].backlog.pop_front() else {
                    self.cpus[of].polls_backlog = false;
                    self.leave_poll(cpu, of);
                    self.push(cpu, again);
                    return;
                };
                self.cpus[of].quota -= 1;
                self.cpus[cpu].softirq_work += 1;
                self.push(cpu, again);
                self.push(cpu, Op::act(OpKind::NetReceive, pkt, NONE, 0));
                self.push(cpu, Op::run(Path::ProcessBacklog, pkt, NONE, 0));
            }
            Poll::Queue(queue) => self.poll(cpu, queue, again),
        }
    }

    /// The device polled now is done.
    fn leave_poll(&mut self, cpu: usize, of: usize) {
        self.cpus[of].polls.pop_front();
        self.was_polled(cpu);
        self.begin_turn(of);
    }

    /// A driver's poll function: one frame of its queue, or the end of polling.
    fn poll(&mut self, cpu: usize, queue: u16, again: Op) {
        let host = usize::from(self.cpus[cpu].host);
        let index = usize::from(queue);
        self.cpus[cpu].device = queue;
        if !self.hosts[host].queues[index].ready.is_empty()
            && self.is_refill_due(host, u32::from(queue))
        {
            self.push(cpu, again);
            self.refill_if_due(cpu, u32::from(queue));
            return;
        }
        if let Some(pkt) = self.hosts[host].queues[index].ready.pop_front() {
            self.cpus[cpu].quota -= 1;
            self.cpus[cpu].softirq_work += 1;
            self.push(cpu, again);
            let up = if self.hosts[host].receive.gro {
                OpKind::Gro
            } else {
                OpKind::Normal
            };
            self.push(cpu, Op::act(up, pkt, NONE, 0));
            let len = self.packets[pkt as usize].segment.len;
            self.push(cpu, Op::run(Path::DriverReceive, pkt, NONE, len));
            return;
        }
        if self.reap(cpu, u32::from(queue), again) {
            return;
        }
        // Nothing left: interrupts again (napi_complete).
        let state = &mut self.hosts[host].queues[index];
        state.is_masked = false;
        state.has_cause = false;
        self.has_looked(host, u32::from(queue));
        self.leave_poll(cpu, cpu);
        self.push(cpu, again);
        self.refill_if_due(cpu, u32::from(queue));
        self.push(cpu, Op::act(OpKind::ListFlush, NONE, NONE, 0));
        if !self.cpus[cpu].held_by_gro.is_empty() {
            self.push(cpu, Op::act(OpKind::GroFlush, NONE, NONE, 0));
        }
    }

    /// Whether a raised softirq can start now at task level.
    pub(crate) fn can_enter_softirq(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        state.softirq && !state.is_deferred && state.level == TASK && state.bh_off == 0
    }
}

//! Busy polling: a reader that finds its socket empty polls the receive queue of its NIC for some microseconds
//! before it sleeps. The packet is delivered within the reader's system call: no softirq runs for it, no task
//! is woken, and there is no context switch.
//!
//! Source: `include/net/busy_poll.h: sk_can_busy_loop, sk_busy_loop, busy_loop_current_time`,
//! `net/core/sock.c: sk_busy_loop_end`, `net/core/dev.c: napi_busy_loop, busy_poll_stop` (v6.1); for sockets
//! since 3.11, over all drivers that have NAPI since 4.5.
//!
//! The polling reader owns the queue's NAPI instance (`NAPI_STATE_IN_BUSY_POLL`, [`super::napi::Napi`]): an
//! interrupt that arrives meanwhile is masked by the driver, schedules no softirq, and is unmasked by the last
//! poll. As in Linux, interrupts stay enabled while the ring is empty, so a NIC without interrupt moderation
//! still raises one for the first frame.
//!
//! Simplified ("readers that poll"): TCP's reader has checked its queue under the socket lock once before it polls
//! (`tcp_recvmsg` polls first and locks then), and a socket knows its queue from the start (`sk_napi_id` is set
//! by the first packet). A learner sees the same polls, some hundred cycles later.

use crate::time::SimTime;

use super::core::Core;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::ids::{Device, QueueId, SockId};
use super::net::Net;
use super::softirq::Polled;

/// How long the readers of a host poll, and how many packets a poll may take.
#[derive(Debug, Clone, Copy)]
pub struct BusyPolling {
    /// `sk_ll_usec` in microseconds, which sockets take from `net.core.busy_read`; 0: no busy polling.
    pub us: u32,
    /// Maximum packets of one poll (`BUSY_POLL_BUDGET`).
    pub budget: u32,
}

impl BusyPolling {
    /// When a loop that begins now ends. The kernel counts units of 1024 ns and continues until more than `us`
    /// of them have passed (`busy_loop_current_time`, `sk_busy_loop_timeout`).
    fn until(self, now: SimTime) -> SimTime {
        let unit = now.nanos().0 >> 10;
        SimTime::from_ns((unit + u64::from(self.us) + 1) << 10)
    }
}

/// What a reader does after a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// It polls again.
    Poll,
    /// It releases the NAPI instance, then decides again.
    Release,
    /// It yields the CPU, as it has to be rescheduled (`cond_resched`).
    Resched,
    /// The loop ends.
    End,
}

impl Next {
    /// The order of the checks in `napi_busy_loop`; `is_over`: data have arrived or the time is up.
    const fn of(is_over: bool, need_resched: bool, has_queue: bool) -> Self {
        match (is_over || need_resched, has_queue) {
            (false, _) => Self::Poll,
            (true, true) => Self::Release,
            (true, false) if is_over => Self::End,
            (true, false) => Self::Resched,
        }
    }
}

impl Net {
    /// Begins `sk_busy_loop` if the socket may busy-poll (`sk_can_busy_loop`), before the call's next
    /// operation.
    pub fn busy_loop(&self, core: &mut Core, cpu: usize, sock: SockId) {
        let polling = self.stack_of(core, cpu).busy_poll;
        if polling.us == 0 || !self.can_busy_loop(core, cpu, sock) {
            return;
        }
        let until = polling.until(core.now());
        let begin = Op::run(Path::BusyLoop, About::sock(sock));
        core.then(cpu, [begin, Op::BusyTurn { sock, until }]);
    }

    /// Whether a socket is empty and its packets come from a NIC. TCP polls once per call, before any data are
    /// copied.
    fn can_busy_loop(&self, core: &Core, cpu: usize, sock: SockId) -> bool {
        let task = core.cpus[cpu].current;
        let has_moved = task.is_some_and(|task| core.tasks[task].moved > 0);
        self.queue_of(core, sock).is_some()
            && self.sockets[sock].receive_queue.is_empty()
            && (core.socks[sock].is_udp || !has_moved)
    }

    /// The receive queue at which a socket's packets arrive (`sk_napi_id`); `None` for loopback.
    fn queue_of(&self, core: &Core, sock: SockId) -> Option<QueueId> {
        let state = &core.socks[sock];
        match state.device {
            Device::Loopback => None,
            Device::Nic(nic) => Some(self.stacks[state.host].nics[nic].queue_of_flow(state.flow)),
        }
    }

    /// `napi_busy_loop`: between two polls the reader decides whether to continue.
    pub fn busy_turn(&mut self, core: &mut Core, cpu: usize, sock: SockId, until: SimTime) {
        let (Some(queue), Some(task)) = (self.queue_of(core, sock), core.cpus[cpu].current) else {
            return;
        };
        let host = core.cpus[cpu].host;
        let has_come = !self.sockets[sock].receive_queue.is_empty();
        let is_over = has_come || core.now() >= until;
        let state = &mut self.stacks[host].queues[queue];
        let is_own = state.napi.is_busy_polled_by(task);
        let again = Op::BusyTurn { sock, until };
        match Next::of(is_over, core.cpus[cpu].need_resched, is_own) {
            Next::End => {}
            Next::Resched => {
                core.push(cpu, again);
                core.reschedule(cpu);
            }
            Next::Release => {
                core.push(cpu, again);
                self.busy_poll(core, cpu, sock, queue, true);
            }
            Next::Poll => {
                core.push(cpu, again);
                if state.napi.begin_busy_poll(task) {
                    // `preempt_disable`.
                    core.cpus[cpu].locks.preempt_count += 1;
                }
                self.busy_poll(core, cpu, sock, queue, false);
            }
        }
    }

    /// A poll with bottom halves disabled, of a queue whose instance the reader owns; the last one releases it.
    fn busy_poll(
        &mut self,
        core: &mut Core,
        cpu: usize,
        sock: SockId,
        queue: QueueId,
        is_last: bool,
    ) {
        let host = core.cpus[cpu].host;
        let budget = self.stacks[host].busy_poll.budget;
        let task = core.cpus[cpu].current;
        let napi = &mut self.stacks[host].queues[queue].napi;
        let is_own = task.is_some_and(|task| napi.is_busy_polled_by(task));
        let frames = is_own.then(|| {
            napi.begin_poll(budget);
            Op::BusyFrames { queue, is_last }
        });
        let path = if is_last {
            Path::BusyPollStop
        } else {
            Path::BusyPoll
        };
        self.softnet[cpu].device = queue;
        core.cpus[cpu].softirq.count += 1;
        let turn = [
            Some(Op::run(path, About::sock(sock))),
            frames,
            Some(Op::BhEnable),
        ];
        core.then(cpu, turn.into_iter().flatten());
    }

    /// The driver's poll function in the reader's call: one frame at a time while there are any within the
    /// budget, then the packets on `rx_list` (`gro_normal_list`).
    pub fn busy_frames(&mut self, core: &mut Core, cpu: usize, queue: QueueId, is_last: bool) {
        let host = core.cpus[cpu].host;
        let again = Op::BusyFrames { queue, is_last };
        let has_budget = self.stacks[host].queues[queue].napi.has_budget();
        if has_budget {
            match self.poll_queue(core, cpu, queue, again) {
                Polled::Frame => {
                    self.stacks[host].queues[queue].napi.took_packet();
                    return;
                }
                Polled::Other => return,
                Polled::Nothing => {}
            }
        }
        if is_last {
            self.busy_poll_stop(core, cpu, queue, !has_budget);
        } else {
            self.refill_if_due(core, cpu, queue);
            self.flush_list_if_any(core, cpu);
            self.flush_xdp_if_any(core, cpu);
        }
    }

    /// `busy_poll_stop`: unmasks the interrupt, or, if the last poll used up its budget, leaves the rest to the
    /// softirq.
    fn busy_poll_stop(&mut self, core: &mut Core, cpu: usize, queue: QueueId, is_rest: bool) {
        let host = core.cpus[cpu].host;
        core.cpus[cpu].locks.preempt_count -= 1;
        if is_rest {
            let state = &mut self.stacks[host].queues[queue];
            state.napi.hand_to_softirq();
            state.interrupt.is_masked = true;
            self.napi_schedule(core, cpu, queue);
        } else {
            core.push(cpu, Op::NapiComplete { queue });
        }
        // The operation pushed last runs first.
        self.refill_if_due(core, cpu, queue);
        core.push(cpu, Op::ListFlush);
        self.flush_xdp_if_any(core, cpu);
        if !is_rest && !self.softnet[cpu].gro.is_empty() {
            core.push(cpu, Op::GroFlush);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_polls_for_at_least_its_time_and_less_than_two_units_more() {
        let polling = BusyPolling { us: 50, budget: 8 };
        for now in [0, 1, 1023, 1024, 123_456_789] {
            let until = polling.until(SimTime::from_ns(now)).nanos().0;
            let polled = until - now;
            assert!((50 * 1024 + 1..=51 * 1024).contains(&polled), "{polled}");
            assert_eq!(until % 1024, 0);
        }
    }

    #[test]
    fn a_queue_is_let_go_before_others_run_and_before_the_loop_ends() {
        assert_eq!(
            Next::of(false, false, false),
            Next::Poll,
            "it may get it yet"
        );
        assert_eq!(Next::of(false, false, true), Next::Poll);
        assert_eq!(Next::of(false, true, true), Next::Release);
        assert_eq!(Next::of(false, true, false), Next::Resched);
        assert_eq!(Next::of(true, true, true), Next::Release);
        assert_eq!(
            Next::of(true, true, false),
            Next::End,
            "whoever sleeps lets others run"
        );
    }
}

//! Per-CPU state of the network stack (`struct softnet_data`).

use std::collections::VecDeque;

use crate::time::SimTime;

use super::core::Core;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::ids::{BufferId, Id as _, NicId, QueueId, SkbId, SockId};
use super::napi::Napi;
use super::net::Net;

/// A device that a softirq polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poll {
    /// The CPU's backlog.
    Backlog,
    /// A receive queue of the host.
    Queue(QueueId),
}

/// One call of `net_rx_action`; each restart of the softirq makes another.
#[derive(Debug, Default)]
pub struct Round {
    /// Packets processed so far, which count against its budget.
    pub work: u32,
    /// Devices on the poll list that it has not polled yet.
    pub left: usize,
    /// Whether it has polled each of them once.
    pub is_done: bool,
    /// When it began.
    pub began: SimTime,
}

impl Round {
    /// A device has used up its weight, or has no more packets.
    pub fn was_polled(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.is_done = self.left == 0;
    }
}

/// The `struct softnet_data` of one CPU.
#[derive(Debug)]
pub struct Softnet {
    /// `input_pkt_queue`.
    pub backlog: VecDeque<SkbId>,
    /// The backlog's own NAPI instance.
    pub backlog_napi: Napi,
    /// `poll_list`: devices with packets.
    pub polls: VecDeque<Poll>,
    /// Packets that the current poll has handed up, which count against the NAPI weight.
    pub taken: u32,
    /// The call of `net_rx_action` under way.
    pub round: Round,
    /// `completion_queue`: sent packets that the softirq is to free.
    pub completions: Vec<SkbId>,
    /// `output_queue`: NICs whose queueing disciplines the softirq is to dequeue from.
    pub output_queue: VecDeque<NicId>,
    /// Sockets whose timers are due: the timer softirq's work.
    pub timers: VecDeque<SockId>,
    /// Sockets that TCP small queues throttled and whose TCP may send again (`tsq_tasklet`).
    pub unthrottled: VecDeque<SockId>,
    /// Receive queues whose refill tasklets are scheduled on this CPU.
    pub tasklets: VecDeque<QueueId>,
    /// Packets that RPS has put on this CPU's backlog (`input_queue_tail`).
    pub input_queue_tail: u64,
    /// Those of them that have been processed (`input_queue_head`).
    pub input_queue_head: u64,
    /// CPUs whose empty backlogs this CPU put packets into, and that it has to interrupt (`rps_ipi_list`).
    pub rps_ipi_list: Vec<usize>,
    /// An IPI that asks this CPU to poll its backlog is on its way (`csd`).
    pub is_called: bool,
    /// Packets that GRO holds.
    pub gro: Vec<SkbId>,
    /// Packets of the current poll that will go up as one list (`rx_list`).
    pub rx_list: Vec<SkbId>,
    /// Frames that XDP redirects, with the NIC that they leave by (`dev_flush_list`).
    pub redirected: Vec<(NicId, BufferId)>,
    /// The receive queue whose driver runs or ran last.
    pub device: QueueId,
}

impl Softnet {
    /// Empty queues and no poll.
    pub fn new() -> Self {
        Self {
            backlog: VecDeque::new(),
            backlog_napi: Napi::default(),
            polls: VecDeque::new(),
            taken: 0,
            round: Round::default(),
            completions: Vec::new(),
            output_queue: VecDeque::new(),
            timers: VecDeque::new(),
            unthrottled: VecDeque::new(),
            tasklets: VecDeque::new(),
            input_queue_tail: 0,
            input_queue_head: 0,
            rps_ipi_list: Vec::new(),
            is_called: false,
            gro: Vec::new(),
            rx_list: Vec::new(),
            redirected: Vec::new(),
            device: QueueId::from_index(0),
        }
    }
}

impl Net {
    /// `__napi_schedule`: puts a receive queue, whose NAPI instance the
    /// softirq already owns, on this CPU's poll list, and raises the softirq.
    pub fn napi_schedule(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        self.add_poll(core, cpu, Poll::Queue(queue));
        core.cpus[cpu].softirq.is_pending = true;
        core.push(cpu, Op::run(Path::NapiSchedule, About::NOTHING));
    }

    /// Appends a device to the poll list of a CPU.
    pub fn add_poll(&mut self, core: &mut Core, cpu: usize, poll: Poll) {
        self.softnet[cpu].polls.push_back(poll);
        if self.softnet[cpu].polls.len() == 1 {
            self.begin_turn(core, cpu);
        }
    }

    /// Begins the poll of the device at the head of the poll list.
    pub fn begin_turn(&mut self, core: &mut Core, cpu: usize) {
        if let Some(Poll::Queue(_)) = self.softnet[cpu].polls.front() {
            core.host_of_mut(cpu).totals.polls += 1;
        }
        self.softnet[cpu].taken = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_done_when_each_device_was_polled_once() {
        let mut round = Round {
            left: 2,
            ..Round::default()
        };
        round.was_polled();
        assert!(!round.is_done);
        round.was_polled();
        assert!(round.is_done);
    }
}

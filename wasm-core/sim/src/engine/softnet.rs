//! What each CPU has in hand of the network (`struct softnet_data`).

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

/// A round of `net_rx_action`.
#[derive(Debug, Default)]
pub struct Round {
    /// Packets done by it.
    pub work: u32,
    /// Devices that it has still to poll.
    pub left: usize,
    /// Whether it has polled them all.
    pub is_done: bool,
    /// When it began.
    pub began: SimTime,
}

impl Round {
    /// A device has had its share of the round, or has no more packets.
    pub fn was_polled(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.is_done = self.left == 0;
    }
}

/// The network's data of a CPU.
#[derive(Debug)]
pub struct Softnet {
    /// `input_pkt_queue`.
    pub backlog: VecDeque<SkbId>,
    /// The backlog's own NAPI instance.
    pub backlog_napi: Napi,
    /// `poll_list`: devices with packets.
    pub polls: VecDeque<Poll>,
    /// Packets that the device polled now has handed up in its turn.
    pub taken: u32,
    /// The round of the softirq under way.
    pub round: Round,
    /// `completion_queue`: sent packets that the softirq is to free.
    pub completions: Vec<SkbId>,
    /// Sockets whose timers are due: the timer softirq's work.
    pub timers: VecDeque<SockId>,
    /// Sockets whose TCP goes on, as some of what it waited for is sent (`tsq_tasklet`).
    pub unthrottled: VecDeque<SockId>,
    /// Receive queues whose tasklets are scheduled here.
    pub tasklets: VecDeque<QueueId>,
    /// CPUs whose backlogs got their first packets from here, and that are to be told so (`rps_ipi_list`).
    pub rps_ipi_list: Vec<usize>,
    /// Another CPU's interrupt is on its way here: the backlog is to be polled (`csd`).
    pub is_called: bool,
    /// Packets that GRO holds.
    pub gro: Vec<SkbId>,
    /// Packets of the poll under way that go up together (`rx_list`).
    pub rx_list: Vec<SkbId>,
    /// Frames that XDP redirects, with the NIC that they leave by (`dev_flush_list`).
    pub redirected: Vec<(NicId, BufferId)>,
    /// The receive queue whose driver runs or ran last.
    pub device: QueueId,
}

impl Softnet {
    /// Nothing in hand.
    pub fn new() -> Self {
        Self {
            backlog: VecDeque::new(),
            backlog_napi: Napi::default(),
            polls: VecDeque::new(),
            taken: 0,
            round: Round::default(),
            completions: Vec::new(),
            timers: VecDeque::new(),
            unthrottled: VecDeque::new(),
            tasklets: VecDeque::new(),
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
    /// `__napi_schedule`: a receive queue whose NAPI instance is the softirq's is polled on this CPU.
    pub fn napi_schedule(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        self.add_poll(core, cpu, Poll::Queue(queue));
        core.cpus[cpu].softirq.is_pending = true;
        core.push(cpu, Op::run(Path::NapiSchedule, About::NOTHING));
    }

    /// A device joins those that a CPU's softirq polls.
    pub fn add_poll(&mut self, core: &mut Core, cpu: usize, poll: Poll) {
        self.softnet[cpu].polls.push_back(poll);
        if self.softnet[cpu].polls.len() == 1 {
            self.begin_turn(core, cpu);
        }
    }

    /// The turn of the device that is polled next begins.
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

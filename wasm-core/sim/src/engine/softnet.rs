//! Per-CPU state of the network stack (`struct softnet_data`).

use std::collections::VecDeque;

use crate::config::kernel::Receive;
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

/// Packets that wait for a CPU's softirq.
#[derive(Debug, Default)]
pub struct Backlog {
    /// Those that the limit counts (`input_pkt_queue`).
    input: VecDeque<SkbId>,
    /// Those that the softirq has taken off it (`process_queue`).
    process: VecDeque<SkbId>,
    /// Whether it was full and has not been empty since (`throttle`).
    is_throttled: bool,
}

impl Backlog {
    /// Appends a packet, or returns false if it is dropped (`enqueue_to_backlog`; `netif_rx` before 2.6.35).
    pub fn join(&mut self, skb: SkbId, receive: &Receive) -> bool {
        let is_full = self.input.len() as u32 > receive.backlog_packets;
        self.is_throttled =
            receive.throttles_backlog && (is_full || self.is_throttled && !self.input.is_empty());
        if is_full || self.is_throttled {
            return false;
        }
        self.input.push_back(skb);
        true
    }

    /// The packet that the softirq processes next. It stays here until it is [taken](Self::take).
    pub fn first(&mut self, receive: &Receive) -> Option<SkbId> {
        if receive.splices_backlog && self.process.is_empty() {
            std::mem::swap(&mut self.input, &mut self.process);
        }
        self.packets().next()
    }

    /// The first packet leaves.
    pub fn take(&mut self) {
        if self.process.pop_front().is_none() {
            self.input.pop_front();
        }
    }

    /// All packets, in the order in which they are processed.
    pub fn packets(&self) -> impl Iterator<Item = SkbId> {
        self.process.iter().chain(&self.input).copied()
    }

    /// Number of packets.
    pub fn depth(&self) -> u32 {
        (self.process.len() + self.input.len()) as u32
    }

    /// So many packets there may be, as long as the softirq takes none.
    pub fn limit(&self, receive: &Receive) -> u32 {
        self.process.len() as u32 + receive.backlog_packets + 1
    }
}

/// The `struct softnet_data` of one CPU.
#[derive(Debug)]
pub struct Softnet {
    /// `input_pkt_queue`, `process_queue`.
    pub backlog: Backlog,
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
    /// Packets that passed the hook `NF_INET_PRE_ROUTING` together and are routed next (`ip_sublist_rcv`).
    pub sublist: Vec<SkbId>,
    /// Frames that XDP redirects, with the NIC that they leave by (`dev_flush_list`).
    pub redirected: Vec<(NicId, BufferId)>,
    /// The receive queue whose driver runs or ran last.
    pub device: QueueId,
}

impl Softnet {
    /// Empty queues and no poll.
    pub fn new() -> Self {
        Self {
            backlog: Backlog::default(),
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
            sublist: Vec::new(),
            redirected: Vec::new(),
            device: QueueId::from_index(0),
        }
    }

    /// For the audit: each packet that it holds, and what the list is called.
    pub fn packets(&self) -> impl Iterator<Item = (SkbId, &'static str)> {
        let lists = [
            (&self.gro, "GRO"),
            (&self.rx_list, "a poll's list"),
            (&self.sublist, "IP's list"),
            (&self.completions, "a completion queue"),
        ];
        let listed = lists
            .into_iter()
            .flat_map(|(list, name)| list.iter().map(move |&skb| (skb, name)));
        let waiting = self.backlog.packets().map(|skb| (skb, "a CPU's backlog"));
        waiting.chain(listed)
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
    use crate::engine::setup::testing::World;

    fn receive(kernel: &'static str, backlog_packets: u32) -> Receive {
        let world = World {
            kernel,
            ..World::default()
        };
        let mut receive = world.engine().net.stacks[0].receive.clone();
        receive.backlog_packets = backlog_packets;
        receive
    }

    /// What becomes of each packet that comes (`+`, or `x` where it is dropped) while the softirq takes one at each `-`.
    fn fate(receive: &Receive, story: &str) -> String {
        let (mut backlog, mut next) = (Backlog::default(), 0);
        let mut happens = |event| {
            if event == '-' {
                backlog.first(receive).expect("a packet");
                backlog.take();
                return event;
            }
            next += 1;
            let joins = backlog.join(SkbId::from_index(next), receive);
            if joins { '+' } else { 'x' }
        };
        story.chars().map(&mut happens).collect()
    }

    #[test]
    fn a_full_backlog_drops_what_comes_until_there_is_room_or_until_it_is_empty() {
        // `qlen <= netdev_max_backlog`: three packets where the limit is two.
        for kernel in ["2.2.14", "2.4.20", "2.6.3", "2.6.9", "2.6.12"] {
            let receive = receive(kernel, 2);
            assert_eq!(fate(&receive, "++++-+--+-+"), "+++x-x--+-+", "{kernel}");
        }
        let receive = receive("6.1", 2);
        assert_eq!(fate(&receive, "++++-++++x"), "+++x-+++xx", "its own queue");
    }

    #[test]
    fn packets_are_processed_in_the_order_in_which_they_came() {
        for kernel in ["2.6.3", "6.1"] {
            let (receive, mut backlog) = (receive(kernel, 9), Backlog::default());
            let mut order = Vec::new();
            for at in 0..3 {
                backlog.join(SkbId::from_index(2 * at), &receive);
                backlog.join(SkbId::from_index(2 * at + 1), &receive);
                order.extend(backlog.first(&receive));
                backlog.take();
            }
            assert_eq!(backlog.depth(), 3);
            order.extend(backlog.packets());
            assert!(order.iter().map(|skb| skb.index()).eq(0..6), "{kernel}");
        }
    }

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

//! The state that every mechanism shares: the clock, CPUs and their stacks, memory, locks,
//! tasks, the recorder. It knows no protocol; the network stack gets it as an argument.

use crate::rng::Rng;
use crate::time::SimTime;

use super::cpu::Cpu;
use super::cpu::op::Op;
use super::events::{Event, Events};
use super::host::Host;
use super::ids::{BufferId, SkbId, SockId, Table, TaskId};
use super::memory::pools::Sources;
use super::memory::skbuff::{Buffer, SkBuff};
use super::memory::sock::Sock;
use super::record::Recorder;
use super::tasks::Task;

/// The world without its network.
#[derive(Debug)]
pub struct Core {
    /// The clock and what is due.
    pub events: Events,
    /// The hosts; only the first is recorded and measured.
    pub hosts: Vec<Host>,
    /// The CPUs of all hosts, host by host.
    pub cpus: Vec<Cpu>,
    /// The processes of all hosts.
    pub tasks: Table<TaskId, Task>,
    /// What memory, locks and the record have to know of sockets.
    pub socks: Table<SockId, Sock>,
    /// Packet heads, free or in use.
    pub skbs: Table<SkbId, SkBuff>,
    /// Packet data, free or in use.
    pub buffers: Table<BufferId, Buffer>,
    /// From which level of the allocator the last packet head and data came.
    pub stocks: Sources,
    /// What is written down.
    pub recorder: Recorder,
    /// The only source of random numbers.
    pub rng: Rng,
}

impl Core {
    /// The present.
    #[inline]
    pub fn now(&self) -> SimTime {
        self.events.now
    }

    /// Schedules an event.
    pub fn at(&mut self, time: SimTime, event: Event) {
        self.events.at(time, event);
    }

    /// The host of a CPU.
    #[inline]
    pub fn host_of(&self, cpu: usize) -> &Host {
        &self.hosts[self.cpus[cpu].host]
    }

    /// The host of a CPU, mutably.
    #[inline]
    pub fn host_of_mut(&mut self, cpu: usize) -> &mut Host {
        &mut self.hosts[self.cpus[cpu].host]
    }

    /// The stack of what runs on a CPU: the interrupt's, the softirq's, the task's, or that of
    /// the idle CPU.
    #[inline]
    pub fn stack(&mut self, cpu: usize) -> &mut Vec<Op> {
        let state = &mut self.cpus[cpu];
        match state.current_task() {
            Some(task) => &mut self.tasks[task].stack,
            None => &mut state.stacks[state.level],
        }
    }

    /// Pushes an operation: it runs before what is already on the CPU's stack.
    #[inline]
    pub fn push(&mut self, cpu: usize, op: Op) {
        self.stack(cpu).push(op);
    }

    /// Pushes operations that run in the given order, before what is already on the CPU's stack.
    #[inline]
    pub fn then<I>(&mut self, cpu: usize, ops: I)
    where
        I: IntoIterator<Item = Op, IntoIter: DoubleEndedIterator>,
    {
        self.stack(cpu).extend(ops.into_iter().rev());
    }

    /// The task that runs on a CPU, or is interrupted there. Only what runs in a task's system call
    /// may ask for it.
    pub fn current(&mut self, cpu: usize) -> Option<&mut Task> {
        let task = self.cpus[cpu].current?;
        Some(&mut self.tasks[task])
    }

    /// Lets a CPU without a step under way run at the present time.
    pub fn begin_at_once(&mut self, cpu: usize) {
        let now = self.events.now;
        self.cpus[cpu].until = now;
        self.events.busy.insert(cpu);
        self.events.lookahead = self.events.lookahead.min(now);
    }

    /// Whether a CPU has to wait because another CPU of its host has the turn.
    pub fn is_others_turn(&self, cpu: usize) -> bool {
        let turn = self.host_of(cpu).turn;
        turn.is_taken && turn.cpu != cpu
    }

    /// The time in fs of a step that takes `cost` fs alone:
    /// longer while the core's other hyper-thread runs too.
    pub fn beside_sibling(&self, cpu: usize, cost: u64) -> u64 {
        let sibling = self.cpus[cpu].sibling;
        if sibling == cpu || self.cpus[sibling].until == SimTime::NEVER {
            return cost;
        }
        let processors = &self.host_of(cpu).machine.processors;
        cost * 1000 / u64::from(processors.busy_sibling_permille)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ids::Id as _;
    use crate::engine::setup::testing::World;

    #[test]
    fn operations_happen_in_the_order_in_which_they_are_given_and_before_the_others() {
        let mut core = World::default().at_rest().core;
        let [one, two, three] = [0, 1, 2].map(|index| Op::Free {
            skb: SkbId::from_index(index),
        });
        core.push(0, three);
        core.then(0, [one, two]);
        let mut order = Vec::new();
        while let Some(op) = core.stack(0).pop() {
            order.push(op);
        }
        assert_eq!(order, [one, two, three]);
    }

    #[test]
    fn an_event_or_a_cpu_that_begins_ends_what_others_run_ahead() {
        let mut core = World::default().at_rest().core;
        let now = core.now();
        core.events.lookahead = SimTime::NEVER;
        core.at(now + SimTime::from_us(7), Event::Tick { cpu: 0 });
        assert_eq!(core.events.lookahead, now + SimTime::from_us(7));
        core.begin_at_once(1);
        assert_eq!(core.events.lookahead, now);
    }

    #[test]
    fn a_step_takes_longer_while_the_cores_other_thread_works() {
        let mut core = World {
            machine: "current-server",
            settings: serde_json::json!({ "cpus": 1, "hyper_threading": true }),
            change: |machine| machine.processors.busy_sibling_permille = 500,
            ..World::default()
        }
        .at_rest()
        .core;
        assert_eq!(core.beside_sibling(0, 1000), 1000);
        core.cpus[1].until = core.now();
        assert_eq!(core.beside_sibling(0, 1000), 2000);
        core.cpus[0].sibling = 0;
        core.cpus[0].until = core.now();
        assert_eq!(core.beside_sibling(0, 1000), 1000, "it has none");
    }
}

//! The engine: one heap of what will happen, and CPUs that run steps until it does.
//!
//! Whatever happens at the same time happens in a fixed order: the heap by the order
//! in which it was filled, then CPUs by number. There is no other source of order
//! and none of chance but the scenario's seed.

mod audit;
mod cpu;
mod events;
mod execute;
mod gro;
mod ip;
mod locks;
mod memory;
mod nic;
mod process;
mod record;
mod setup;
mod sockets;
mod softirq;
mod state;
mod tasks;

use crate::sim::rng::Rng;
use crate::sim::time::SimTime;

use cpu::op::{Op, OpKind};
use events::queue::{Agenda, CpuSet};
use execute::faults::Faults;
use nic::Flight;
use record::Record;
use record::lines::Held;
use record::run_queues::Queued;
use setup::host::Host;
use state::{Buffer, Cpu, NONE, Packet, Script, Socket, Task};

/// What the heap holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// The timer interrupt of a CPU.
    Tick(u16),
    /// An interprocessor interrupt: choose a task, or take steered packets.
    Ipi(u16),
    /// An idle CPU that polls sees that it should choose a task.
    Poll(u16),
    /// A socket's timer.
    SocketTimer(u32),
    /// A task has slept enough.
    Wake(u32),
    /// A client has waited long enough for its connection.
    GiveUp(u32),
    /// A packet's last bit is on the wire of a host's NIC.
    Sent(u8, u8, u32),
    /// A frame arrives.
    Arrive(u32),
    /// A frame has crossed a host's bus.
    BusDone(u8, u8),
    /// A moderation timer of a host's queue.
    Moderation(u8, u16),
    /// A queue's interrupt reaches a CPU.
    NicInterrupt(u16, u16),
    /// A datagram was in pieces for too long.
    Reassembly(u8, u32),
    /// A fault by hand.
    Fault(u16),
}

/// A simulated world under way.
#[derive(Debug)]
pub struct Engine {
    now: SimTime,
    horizon: SimTime,
    agenda: Agenda,
    /// CPUs with a step under way, and some without.
    busy: CpuSet,
    steps: u64,
    hosts: Vec<Host>,
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
    sockets: Vec<Socket>,
    packets: Vec<Packet>,
    buffers: Vec<Buffer>,
    flights: Vec<Flight>,
    free_flights: Vec<u32>,
    done_buffers: Vec<u32>,
    done_packets: Vec<u32>,
    stocks: memory::pools::Stocks,
    /// What a line from memory costs in the copy under way, of `memory_read_cycles`.
    stream_permille: u32,
    scripts: Vec<Script>,
    record: Record,
    held: Option<Held>,
    queued: Option<Queued>,
    rng: Rng,
    faults: Faults,
    /// Whether the CPUs of some host take turns.
    has_turns: bool,
    // what the scenario chose
    is_udp: bool,
    message_bytes: u32,
    server_host: usize,
    has_one_listener: bool,
    listen_backlog: usize,
    connect_timeout: SimTime,
    // the first socket of the connected pairs, and how many pairs there are
    pairs: (u32, u32),
    loss_permille: u32,
    reorder_permille: u32,
    // totals
    next_datagram: u32,
    lost_on_link: u64,
    duplicated_on_link: u64,
}

impl Engine {
    /// Something will happen at a time.
    fn at(&mut self, time: SimTime, what: Happening) {
        self.agenda.enter(time, what);
        self.horizon = self.horizon.min(time);
    }

    /// Runs until `end` or for about so many steps; true at the end.
    fn run_until(&mut self, end: SimTime, steps: u64) -> bool {
        let most = self.steps + steps;
        while self.steps < most {
            if self.has_turns {
                self.take_turns();
            }
            let heap = self.agenda.next();
            let (mut first, mut chosen, mut second) = (SimTime::NEVER, 0, SimTime::NEVER);
            let cpus = &self.cpus;
            self.busy.retain(|index| {
                let until = cpus[index].until;
                if until < first {
                    second = first;
                    (first, chosen) = (until, index);
                } else if until < second {
                    second = until;
                }
                until != SimTime::NEVER
            });
            let next = heap.min(first);
            if next >= end {
                self.now = end;
                return true;
            }
            self.now = next;
            self.steps += 1;
            if heap <= first {
                let Some(what) = self.agenda.take() else {
                    return true;
                };
                // Any CPU's step may end before this one's next.
                self.horizon = end.min(self.agenda.next()).min(first);
                self.happen(what);
            } else {
                self.horizon = end.min(second).min(heap);
                self.advance(chosen);
            }
        }
        false
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Tick(cpu) => {
                let cpu = usize::from(cpu);
                let tick = self.hosts[usize::from(self.cpus[cpu].host)].tick;
                self.at(self.now + tick, what);
                self.interrupt(cpu, Op::act(OpKind::Tick, NONE, NONE, 0));
            }
            Happening::Ipi(cpu) => {
                let cpu = usize::from(cpu);
                if self.cpus[cpu].resched || self.cpus[cpu].softirq {
                    self.interrupt(cpu, Op::run(cpu::code::Path::RescheduleIpi, NONE, NONE, 0));
                }
            }
            Happening::Poll(cpu) => self.start_if_idle(usize::from(cpu)),
            Happening::SocketTimer(sock) => {
                let socket = &mut self.sockets[sock as usize];
                if socket.timer_at != self.now || socket.is_gone {
                    return;
                }
                socket.timer_at = SimTime::NEVER;
                socket.timer_is_due = true;
                let cpu = usize::from(socket.cpu);
                self.interrupt(cpu, Op::act(OpKind::RaiseTimer, NONE, sock, 0));
            }
            Happening::Wake(task) => self.time_to_wake(task),
            Happening::GiveUp(sock) => self.give_up(sock),
            Happening::Sent(host, nic, pkt) => {
                self.sent(usize::from(host), usize::from(nic), pkt);
            }
            Happening::Arrive(flight) => self.arrive(flight),
            Happening::BusDone(host, bus) => self.bus_done(usize::from(host), bus),
            Happening::Moderation(host, queue) => self.moderation(usize::from(host), queue),
            Happening::NicInterrupt(cpu, queue) => {
                let op = Op::act(OpKind::NicInterrupt, NONE, NONE, u32::from(queue));
                self.interrupt(usize::from(cpu), op);
            }
            Happening::Reassembly(host, id) => self.expire(usize::from(host), id, None),
            Happening::Fault(index) => self.fault(usize::from(index)),
        }
    }

    /// A timer wakes a task.
    fn time_to_wake(&mut self, task: u32) {
        let cpu = usize::from(self.tasks[task as usize].cpu);
        if self.tasks[task as usize].is_asleep {
            self.awaken(cpu, task, false);
            self.start_if_idle(cpu);
        }
    }

    /// An idle CPU for which there is a task now begins at once.
    fn start_if_idle(&mut self, cpu: usize) {
        if self.cpus[cpu].is_idle() && self.cpus[cpu].resched {
            self.begin_at_once(cpu);
        }
    }

    /// A CPU that has nothing under way goes on now.
    fn begin_at_once(&mut self, cpu: usize) {
        self.cpus[cpu].until = self.now;
        self.busy.insert(cpu);
        self.horizon = self.horizon.min(self.now);
    }

    /// The NIC of a connection on a host, where packets go over a link.
    fn nic_for(&self, host: usize, lane: u32) -> u8 {
        let count = self.hosts[host].nics.len() as u32;
        if self.hosts.len() < 2 || count == 0 {
            state::LOOPBACK
        } else {
            (lane % count) as u8
        }
    }
}

pub use setup::{Simulated, Simulation, simulate};

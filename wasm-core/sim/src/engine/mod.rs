//! The engine: an event queue, and CPUs that run steps until the next event.
//!
//! It is built in layers, in the order of `tests/layers.rs`: a layer knows those
//! before it. What happens next in a later layer it requests by pushing an
//! operation onto a CPU's stack ([`cpu::op`]) or by scheduling an event:
//!
//! 1. [`ids`], [`events`] and [`spinlock`]: typed ids, the clock, the event queue, locks as data.
//! 2. [`cpu`]: contexts, stacks, code paths, CPU time accounting; [`record`]: what is recorded.
//! 3. [`memory`]: caches, packet memory; [`locks`]; [`tasks`]: scheduling. With the layers above
//!    they make up a [`host`] and [`core::Core`], which every mechanism of the network is given.
//! 4. The network ([`net::Net`]): [`napi`], [`softnet`] (each CPU's poll list and backlog), [`nic`],
//!    [`softirq`], [`netfilter`], [`ip`], [`sockets`], [`busy_poll`].
//! 5. [`process`]: programs and their system calls, which are operations for the layers above.
//! 6. [`execute`]: CPUs run their operations; here all layers meet. [`setup`],
//!    [`measure`] and [`audit`] build a world, measure it and check it.

mod audit;
mod busy_poll;
mod core;
mod cpu;
mod events;
mod execute;
mod host;
mod ids;
mod ip;
mod locks;
mod measure;
mod memory;
mod napi;
mod net;
pub(crate) mod netfilter;
mod nic;
mod process;
mod record;
mod setup;
mod sockets;
mod softirq;
mod softnet;
mod spinlock;
mod tasks;

use crate::config::faults::Fault;
use crate::time::SimTime;

use self::core::Core;
use cpu::code::Path;
use cpu::op::{About, Op};
use events::Event;
use net::Net;
use process::Programs;

pub use setup::{Simulated, Simulation, simulate};

/// A simulated world under way.
#[derive(Debug)]
pub struct Engine {
    core: Core,
    net: Net,
    programs: Programs,
    /// The scenario's faults, each with an event at its time.
    faults: Vec<Fault>,
    /// Whether the CPUs of some host run one at a time, as
    /// under an emulator with one thread (`execute/turns.rs`).
    has_turns: bool,
    /// Bytes of a message, for what the 2005 toolkit reads from it.
    message_bytes: u32,
}

impl Engine {
    /// Runs until `end`, or until about `steps` more events
    /// and CPU steps are done; true when `end` is reached.
    fn run_until(&mut self, end: SimTime, steps: u64) -> bool {
        let most = self.core.events.steps + steps;
        while self.core.events.steps < most {
            if self.has_turns {
                self.take_turns();
            }
            let scheduled = self.core.events.queue.next();
            let (mut first, mut chosen, mut second) = (SimTime::NEVER, 0, SimTime::NEVER);
            let cpus = &self.core.cpus;
            self.core.events.busy.retain(|index| {
                let until = cpus[index].until;
                if until < first {
                    second = first;
                    (first, chosen) = (until, index);
                } else if until < second {
                    second = until;
                }
                until != SimTime::NEVER
            });
            let next = scheduled.min(first);
            let events = &mut self.core.events;
            if next >= end {
                events.now = end;
                return true;
            }
            events.now = next;
            events.steps += 1;
            if scheduled <= first {
                let Some(event) = events.queue.take() else {
                    return true;
                };
                // Handling the event may start a CPU, which must run past
                // neither the next event nor the end of any CPU's step.
                events.lookahead = end.min(events.queue.next()).min(first);
                self.handle(event);
            } else {
                events.lookahead = end.min(second).min(scheduled);
                self.advance(chosen);
            }
        }
        false
    }

    /// Handles one event at its time.
    fn handle(&mut self, event: Event) {
        let (core, net) = (&mut self.core, &mut self.net);
        match event {
            Event::Tick { cpu } => {
                let cpu = usize::from(cpu);
                let tick = core.host_of(cpu).tick;
                core.at(core.now() + tick, event);
                self.interrupt(cpu, Op::Tick);
            }
            Event::Ipi { cpu } => {
                let cpu = usize::from(cpu);
                if std::mem::take(&mut net.softnet[cpu].is_called) {
                    self.interrupt(cpu, Op::RpsTrigger);
                    return;
                }
                // This IPI was sent during an earlier halt, and was served when that halt ended.
                let halt_ends = core.cpus[cpu].apic.halt_ends;
                if halt_ends.is_some_and(|at| core.now() < at) {
                    return;
                }
                if core.cpus[cpu].need_resched || core.cpus[cpu].softirq.is_pending {
                    self.interrupt(cpu, Op::run(Path::RescheduleIpi, About::NOTHING));
                }
            }
            Event::Poll { cpu } => core.start_if_idle(usize::from(cpu)),
            Event::SocketTimer { sock } => {
                if let Some(cpu) = net.timer_is_due(sock, core.now()) {
                    self.interrupt(cpu, Op::RaiseTimer { sock });
                }
            }
            Event::Wake { task } => core.time_to_wake(task),
            Event::GiveUp { sock } => net.give_up(core, sock),
            Event::XdpSent { host, nic, buffer } => net.xdp_sent(usize::from(host), nic, buffer),
            Event::Sent { host, nic, skb } => net.sent(core, usize::from(host), nic, skb),
            Event::Arrive { flight } => net.arrive(core, flight),
            Event::BusDone { host, bus } => net.bus_done(core, usize::from(host), bus),
            Event::Moderation { host, queue } => {
                net.moderation_fires(core, usize::from(host), queue);
            }
            Event::QdiscWatchdog { cpu, nic } => {
                let cpu = usize::from(cpu);
                if net.watchdog_goes_off(core, cpu, nic) {
                    self.interrupt(cpu, Op::NetifSchedule { nic });
                }
            }
            Event::NicInterrupt { cpu, queue } => {
                self.interrupt(usize::from(cpu), Op::NicInterrupt { queue });
            }
            Event::Reassembly { host, id } => {
                let cpu = core.hosts[usize::from(host)].first_cpu;
                net.reassembly_expires(core, cpu, id);
            }
            Event::LetGo { flight } => net.link.let_go(core, flight),
            Event::Continue { task } => core.continue_task(task),
            Event::Noise { cpu, kind } => core.noise(usize::from(cpu), kind),
            Event::Fault { index } => self.fault(usize::from(index)),
        }
    }
}

//! The engine: one heap of what will happen, and CPUs that run steps until it does.
//!
//! Whatever happens at the same time happens in a fixed order: the heap by the order
//! in which it was filled, then CPUs by number. There is no other source of order
//! and none of chance but the scenario's seed.

mod code;
mod cpu;
mod fresh;
mod locks;
mod memory;
mod process;
mod record;
mod scheduling;
mod setup;
mod state;
mod stream;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::Context;
use crate::run::Run;
use crate::sim::cache::Caches;
use crate::sim::config::kernel::Routine;
use crate::sim::config::machine::Machine;
use crate::sim::measured::{FunctionTime, Measured};
use crate::sim::time::SimTime;

use cpu::slot;
use memory::Pool;
use record::Record;
use state::{Buffer, Cpu, Host, LockId, NONE, Op, OpKind, Packet, Script, Socket, Task};

/// What the heap holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// The timer interrupt of a CPU.
    Tick(u16),
    /// An interprocessor interrupt: choose a task.
    Ipi(u16),
    /// A lock is let go at the end of a step.
    Unlock(u16, LockId),
    /// A socket's timer.
    SocketTimer(u32),
}

/// A simulated world under way.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent choices of kernel and machine"
)]
pub struct Engine {
    now: SimTime,
    horizon: SimTime,
    heap: BinaryHeap<Reverse<(SimTime, u64, usize)>>,
    happenings: Vec<Happening>,
    free_happenings: Vec<usize>,
    order: u64,
    steps: u64,
    cpus: Vec<Cpu>,
    tasks: Vec<Task>,
    sockets: Vec<Socket>,
    packets: Vec<Packet>,
    buffers: Vec<Buffer>,
    heads: Pool,
    data: Vec<Pool>,
    done_buffers: Vec<u32>,
    objects_made: u32,
    caches: Caches,
    host: Host,
    machine: Machine,
    scripts: Vec<Script>,
    record: Record,
    profile: Vec<FunctionTime>,
    bus_free: SimTime,
    tick: SimTime,
    // what the kernel and the scenario chose
    is_preemptible: bool,
    prequeue: bool,
    has_caches: bool,
    is_aligned: bool,
    routine: Routine,
    slab_batch: u32,
    backlog_limit: usize,
    budget: u32,
    mss: u32,
    header_bytes: u32,
    message_bytes: u32,
    write_space: u32,
    lock_function: u16,
    // totals
    switches: u64,
    rounds: u64,
    dropped: u64,
    lines_moved: u64,
}

impl Engine {
    /// Something will happen at a time.
    fn at(&mut self, time: SimTime, what: Happening) {
        let index = if let Some(free) = self.free_happenings.pop() {
            self.happenings[free] = what;
            free
        } else {
            self.happenings.push(what);
            self.happenings.len() - 1
        };
        self.order += 1;
        self.heap.push(Reverse((time, self.order, index)));
        self.horizon = self.horizon.min(time);
    }

    /// Runs until `end`.
    fn run_until(&mut self, end: SimTime) {
        loop {
            let heap = self
                .heap
                .peek()
                .map_or(SimTime::NEVER, |Reverse((time, ..))| *time);
            let (mut first, mut chosen, mut second) = (SimTime::NEVER, 0, SimTime::NEVER);
            for (index, cpu) in self.cpus.iter().enumerate() {
                if cpu.until < first {
                    second = first;
                    (first, chosen) = (cpu.until, index);
                } else if cpu.until < second {
                    second = cpu.until;
                }
            }
            let next = heap.min(first);
            if next >= end {
                self.now = end;
                return;
            }
            self.now = next;
            self.horizon = end.min(second);
            if heap <= first {
                let Some(Reverse((_, _, index))) = self.heap.pop() else {
                    return;
                };
                let what = self.happenings[index];
                self.free_happenings.push(index);
                let following = self
                    .heap
                    .peek()
                    .map_or(SimTime::NEVER, |Reverse((time, ..))| *time);
                // Any CPU's step may end before this one's next.
                self.horizon = end.min(following).min(first);
                self.happen(what);
            } else {
                self.horizon = self.horizon.min(heap);
                self.steps += 1;
                self.advance(chosen);
            }
        }
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Tick(cpu) => {
                self.at(self.now + self.tick, Happening::Tick(cpu));
                let cpu = usize::from(cpu);
                self.interrupt(cpu, Op::act(OpKind::Tick, NONE, NONE, 0));
            }
            Happening::Ipi(cpu) => {
                let cpu = usize::from(cpu);
                if self.cpus[cpu].resched {
                    self.interrupt(cpu, Op::run(code::Path::RescheduleIpi, NONE, NONE, 0));
                }
            }
            Happening::Unlock(cpu, id) => self.release(usize::from(cpu), id),
            Happening::SocketTimer(sock) => {
                let socket = &mut self.sockets[sock as usize];
                socket.timer_at = SimTime::NEVER;
                let cpu = usize::from(socket.cpu);
                self.interrupt(cpu, Op::act(OpKind::Timer, NONE, sock, 0));
            }
        }
    }

    /// Ends the run: what was measured since the warm-up, and the run if one was recorded.
    fn finish(self, from: &Measured, elapsed: SimTime) -> (Measured, Option<Run>) {
        let measured = self.measure(elapsed).minus(from);
        (measured, self.record.finish())
    }

    fn measure(&self, elapsed: SimTime) -> Measured {
        let time = |context| self.cpus.iter().map(|cpu| cpu.time[slot(context)]).sum();
        Measured {
            elapsed,
            cpus: self.cpus.len() as u32,
            delivered_bytes: self.sockets.iter().map(|socket| socket.delivered).sum(),
            rounds: self.rounds,
            user_fs: time(Context::User),
            kernel_fs: time(Context::Kernel),
            softirq_fs: time(Context::Softirq),
            hardirq_fs: time(Context::Hardirq),
            spinning_fs: time(Context::Spinning),
            lines_moved: self.lines_moved,
            switches: self.switches,
            dropped: self.dropped,
            events: self.record.events,
            steps: self.steps,
            functions: self
                .host
                .code
                .functions
                .iter()
                .cloned()
                .zip(self.profile.iter().copied())
                .collect(),
        }
    }
}

pub use setup::{Simulated, simulate};

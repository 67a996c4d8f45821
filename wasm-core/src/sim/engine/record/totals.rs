//! What a host counts, and what is measured of the watched one.

use std::collections::BTreeMap;

use crate::kernel::Context;
use crate::run::Run;
use crate::sim::measured::{FunctionTime, Measured, TaskTime};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::execute::slot;
use crate::sim::engine::setup::host::CALLS;

/// What a host counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Frames that NICs put into memory.
    pub frames_received: u64,
    /// Frames that NICs sent.
    pub frames_sent: u64,
    /// Frames lost for want of a descriptor.
    pub rx_missed: u64,
    /// NIC interrupts.
    pub interrupts: u64,
    /// Polls of a queue.
    pub polls: u64,
    /// Network softirqs.
    pub softirqs: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Switches from task to task.
    pub switches: u64,
    /// Rounds of all scripts' loops.
    pub rounds: u64,
    /// Lines moved from cache to cache.
    pub lines_moved: u64,
    /// Connections that were accepted and closed.
    pub connections: u64,
    /// Connections refused or dropped.
    pub connections_failed: u64,
    /// Least free descriptors that a receive queue had; `u32::MAX` without NICs.
    pub least_free: u32,
}

impl Engine {
    /// Ends the run: what was measured since the warm-up, and the run if one was recorded.
    pub(crate) fn finish(mut self, from: &Measured, elapsed: SimTime) -> (Measured, Option<Run>) {
        let measured = self.measure(elapsed).minus(from);
        (measured, self.record.finish())
    }

    /// Events so far.
    pub(crate) fn events(&self) -> u64 {
        self.record.events
    }

    /// What was counted up to now, a moment at which any number of steps are under way.
    pub(crate) fn measure(&mut self, elapsed: SimTime) -> Measured {
        self.count_all_spinning();
        for cpu in 0..self.cpus.len() {
            self.count_lost(cpu);
        }
        self.clipped(|world| world.measured(elapsed))
    }

    fn measured(&self, elapsed: SimTime) -> Measured {
        let host = &self.hosts[0];
        let cpus = &self.cpus[..host.cpu_count];
        let time = |context| cpus.iter().map(|cpu| cpu.time[slot(context)]).sum();
        let totals = &host.totals;
        let mut tasks: BTreeMap<String, TaskTime> = BTreeMap::new();
        for task in self.tasks.iter().filter(|task| task.host == 0) {
            let name = &self.scripts[usize::from(task.role)].name;
            let sum = tasks.entry(name.clone()).or_default();
            sum.cpu_fs += task.cpu_fs;
            sum.rounds += task.rounds;
            sum.delivered_bytes += task.delivered;
        }
        Measured {
            elapsed,
            cpus: host.cpu_count as u32,
            delivered_bytes: self.sockets.iter().map(|socket| socket.delivered).sum(),
            rounds: totals.rounds,
            user_fs: time(Context::User),
            kernel_fs: time(Context::Kernel),
            softirq_fs: time(Context::Softirq),
            hardirq_fs: time(Context::Hardirq),
            spinning_fs: time(Context::Spinning),
            lines_moved: totals.lines_moved,
            switches: totals.switches,
            dropped: totals.dropped,
            frames_received: totals.frames_received,
            frames_sent: totals.frames_sent,
            rx_missed: totals.rx_missed,
            interrupts: totals.interrupts,
            polls: totals.polls,
            softirqs: totals.softirqs,
            rx_ring_least_free: totals.least_free,
            connections: self.hosts[self.server_host].totals.connections,
            connections_failed: self.hosts.iter().map(|h| h.totals.connections_failed).sum(),
            lost_on_link: self.lost_on_link,
            cpu_busy_fs: cpus.iter().map(|cpu| cpu.time[1..].iter().sum()).collect(),
            tasks,
            calls: CALLS
                .iter()
                .zip(host.calls)
                .filter(|(name, _)| !name.is_empty())
                .map(|(&name, time)| (name.to_owned(), time))
                .collect(),
            events: self.record.events,
            steps: self.steps,
            socket_bytes: self
                .sockets
                .iter()
                .map(|socket| {
                    if socket.host == 0 {
                        socket.delivered
                    } else {
                        0
                    }
                })
                .collect(),
            lines_to_devices: cpus
                .iter()
                .map(|cpu| host.caches.lost_to_devices(cpu.cache))
                .collect(),
            cpu_user_fs: cpus
                .iter()
                .map(|cpu| cpu.time[slot(Context::User)])
                .collect(),
            cpu_functions: (0..host.cpu_count as u16)
                .map(|cpu| self.profile(cpu))
                .collect(),
            functions: self.whole_profile(),
        }
    }

    /// The watched host's functions on one CPU.
    fn profile(&self, cpu: u16) -> BTreeMap<String, FunctionTime> {
        let host = &self.hosts[0];
        let names = host.code.functions.iter().cloned();
        let row = usize::from(cpu) * host.code.functions.len();
        names.zip(host.profile[row..].iter().copied()).collect()
    }

    /// The same over all CPUs.
    fn whole_profile(&self) -> BTreeMap<String, FunctionTime> {
        let host = &self.hosts[0];
        let count = host.code.functions.len();
        let sum = |function: usize| {
            let times = host.profile.iter().skip(function).step_by(count);
            times.fold(FunctionTime::default(), |mut sum, time| {
                sum.calls += time.calls;
                sum.fs += time.fs;
                sum.lines += time.lines;
                sum.lines_out += time.lines_out;
                sum
            })
        };
        let names = host.code.functions.iter().cloned();
        names.zip((0..count).map(sum)).collect()
    }
}

//! The measurements of the watched host.

use std::collections::BTreeMap;

use crate::time::SimTime;
use ringside::kernel::Context;
use ringside::run::Run;
use ringside::run::measured::{
    FunctionTime, LockCaller, LockUse, Measured, Stack, StackTime, TaskTime,
};

use super::Engine;
use super::cpu::charge::{CONTEXTS, slot};
use super::cpu::profile::SiteTime;
use super::host::Totals;

impl Engine {
    /// Ends the run; returns what was measured since the warm-up, and the run if one was recorded.
    pub fn finish(mut self, from: &Measured, elapsed: SimTime) -> (Measured, Option<Run>) {
        let measured = self.measure(elapsed).minus(from);
        (measured, self.core.recorder.record.finish())
    }

    /// What was measured since the warm-up, and the run so far; the simulation continues unaffected.
    pub fn so_far(&mut self, from: &Measured) -> (Measured, Option<Run>) {
        let measured = self.measure(self.core.now()).minus(from);
        (measured, self.core.recorder.record.so_far())
    }

    /// Number of events so far.
    pub fn events(&self) -> u64 {
        self.core.recorder.record.events
    }

    /// The counters now, when any number of steps may be in progress: those are charged only for the time that
    /// has passed.
    pub fn measure(&mut self, elapsed: SimTime) -> Measured {
        self.core.count_all_spinning();
        for cpu in 0..self.core.cpus.len() {
            self.core.count_lost(cpu);
        }
        let rests = self.core.all_rests();
        for &(cpu, charge, fs) in &rests {
            self.core.give_back(cpu, charge, fs);
        }
        let measured = self.measured(elapsed);
        for &(cpu, charge, fs) in &rests {
            self.core.charge_more(cpu, charge, fs);
        }
        measured
    }

    fn measured(&self, elapsed: SimTime) -> Measured {
        let core = &self.core;
        let host = &core.hosts[0];
        let cpus = &core.cpus[host.cpus()];
        let time = |context| cpus.iter().map(|cpu| cpu.time[slot(context)]).sum();
        let totals = &host.totals;
        let delivered = |sock| self.net.sockets[sock].delivered;
        let socks = core.socks.ids();
        Measured {
            elapsed_fs: elapsed.0,
            cpus: host.cpu_count as u32,
            delivered_bytes: socks.map(delivered).sum(),
            rounds: totals.rounds,
            user_fs: time(Context::User),
            kernel_fs: time(Context::Kernel),
            softirq_fs: time(Context::Softirq),
            hardirq_fs: time(Context::Hardirq),
            spinning_fs: time(Context::Spinning),
            lines_moved: totals.lines_moved,
            switches: totals.switches,
            dropped: totals.dropped,
            ecn_mark: totals.ecn_mark,
            frames_received: totals.frames_received,
            frames_sent: totals.frames_sent,
            rx_missed: totals.rx_missed,
            xdp: totals.xdp,
            interrupts: totals.interrupts,
            polls: totals.polls,
            softirqs: totals.softirqs,
            rx_ring_least_free: totals.least_free,
            connections: self.totals_of_server().connections,
            connections_failed: core.hosts.iter().map(|h| h.totals.connections_failed).sum(),
            frames_on_link: core.hosts.iter().map(|h| h.totals.frames_sent).sum(),
            lost_on_link: self.net.link.lost,
            tcp: totals.tcp,
            cpu_busy_fs: cpus.iter().map(|cpu| cpu.time[1..].iter().sum()).collect(),
            tasks: self.task_times(),
            calls: host
                .profile
                .calls()
                .map(|(name, time)| (name.to_owned(), time))
                .collect(),
            events: core.recorder.record.events,
            steps: core.events.steps,
            socket_bytes: core
                .socks
                .ids()
                .map(|sock| {
                    let is_watched = core.socks[sock].host == 0;
                    if is_watched { delivered(sock) } else { 0 }
                })
                .collect(),
            lines_to_devices: cpus
                .iter()
                .map(|cpu| host.memory.caches.lost_to_devices(cpu.cache))
                .collect(),
            cpu_user_fs: cpus
                .iter()
                .map(|cpu| cpu.time[slot(Context::User)])
                .collect(),
            cpu_functions: (0..host.cpu_count)
                .map(|cpu| self.by_name(host.profile.row(cpu)))
                .collect(),
            functions: self.by_name(&host.profile.sums()),
            stacks: self.stacks(),
            locks: self.locks(),
        }
    }

    fn totals_of_server(&self) -> &Totals {
        &self.core.hosts[self.net.connecting.server_host].totals
    }

    /// Times of the watched host's tasks, by role.
    fn task_times(&self) -> BTreeMap<String, TaskTime> {
        let mut times: BTreeMap<String, TaskTime> = BTreeMap::new();
        for task in self.core.tasks.iter().filter(|task| task.host == 0) {
            let name = &self.programs.scripts[task.script].name;
            let sum = times.entry(name.clone()).or_default();
            sum.cpu_fs += task.cpu_fs;
            sum.rounds += task.rounds;
            sum.delivered_bytes += task.delivered;
            sum.switches += task.switches;
        }
        times
    }

    /// Sums the rows of a profile by the names of the watched host's functions.
    fn by_name(&self, rows: &[SiteTime]) -> BTreeMap<String, FunctionTime> {
        let mut times: BTreeMap<String, FunctionTime> = BTreeMap::new();
        for (site, row) in self.core.hosts[0].code.sites.iter().zip(rows) {
            *times.entry(site.function.clone()).or_default() += row.in_all();
        }
        times
    }

    /// Time of the watched host's CPUs by call site and context.
    fn stacks(&self) -> BTreeMap<Stack, StackTime> {
        let host = &self.core.hosts[0];
        let mut stacks = BTreeMap::new();
        for cpu in 0..host.cpu_count {
            for (site, row) in host.code.sites.iter().zip(host.profile.row(cpu)) {
                for (slot, &context) in CONTEXTS.iter().enumerate() {
                    let (calls, fs, lines) = (row.calls[slot], row.fs[slot], row.lines[slot]);
                    if (calls, fs, lines) == (0, 0, 0) {
                        continue;
                    }
                    let stack = Stack {
                        cpu: cpu as u16,
                        context,
                        path: site.path.map(|path| path.name().to_owned()),
                        function: site.function.clone(),
                    };
                    stacks.insert(stack, StackTime { calls, fs, lines });
                }
            }
        }
        stacks
    }

    /// Acquisitions and contention of the watched host's locks, by caller.
    fn locks(&self) -> BTreeMap<LockCaller, LockUse> {
        let host = &self.core.hosts[0];
        let caller = |cpu, lock: u8, site: u16| {
            let site = &host.code.sites[usize::from(site)];
            LockCaller {
                lock: host.code.locks[usize::from(lock)].clone(),
                cpu,
                path: site.path.map(|path| path.name().to_owned()),
                function: site.function.clone(),
            }
        };
        let all = host.profile.locks();
        all.map(|(cpu, lock, site, used)| (caller(cpu, lock, site), used))
            .collect()
    }
}

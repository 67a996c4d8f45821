//! The initial population of a run: sockets, tasks with their memory, hogs and daemons.

use crate::config::kernel::Per;
use crate::config::scenario::Scenario;
use crate::config::settings::Settings;
use crate::config::workload::{Act, PerTask, Role, Side, Workload};
use crate::engine::Engine;
use crate::engine::cpu::charge::Charge;
use crate::engine::cpu::code::key;
use crate::engine::cpu::profile::Call;
use crate::engine::events::Event;
use crate::engine::host::File;
use crate::engine::ids::{Device, Id as _, TaskId};
use crate::engine::process::{Script, page_of_file};
use crate::engine::record::pid;
use crate::engine::tasks::Task;
use crate::time::SimTime;
use ringside::kernel::Context;

/// Number of forks between a program that mostly waits, make, and the compiler that computes: make starts a
/// driver (gcc), which starts cc1. Our choice: no study says which program its background load is. It matters
/// where a child inherits its parent's interactivity (`kernel/sched.c: wake_up_forked_process`,
/// `CHILD_PENALTY`, v2.6.3).
const FORKS_OF_MAKE: u32 = 2;

/// The CPUs on which a task may run.
#[derive(Clone, Copy)]
struct GivenCpus {
    /// The first so many of its host; at least one.
    count: u32,
    /// Whether it is bound to one of these.
    one_each: bool,
}

impl Engine {
    /// Creates the sockets and tasks of a workload.
    pub fn populate(&mut self, scenario: &Scenario, workload: &Workload) {
        let settings = &scenario.settings;
        let connections = settings.connections.or(settings.clients).unwrap_or(1);
        for role in &workload.roles {
            self.programs.scripts.push(Script {
                name: role.name.clone(),
                once: role.once.clone(),
                forever: role.paced(settings.offered_per_s),
                times_us: role.times_us(self.message_bytes),
            });
        }
        let connecting = self.net.connecting;
        let server_host = connecting.server_host;
        let has_pairs = workload.established || connecting.is_udp;
        self.programs.pairs = (self.core.socks.len() as u32, connections);
        if connecting.has_one_listener && !workload.established {
            let device = self.net.devices_of(0).1;
            let sock = self
                .net
                .new_socket(&mut self.core, server_host, device, false);
            self.net.listen(server_host, 0, sock);
        }
        for connection in 0..connections {
            let pair = has_pairs.then(|| self.net.connected_pair(&mut self.core, connection));
            for (script, role) in workload.roles.iter().enumerate() {
                let recorded = role.frames_us.get(&self.message_bytes);
                let recorded = recorded.and_then(|all| all.get(connection as usize));
                if let (Some((client, _)), Some(packets)) = (pair, recorded) {
                    self.net.link.recorded(client, packets);
                }
                let is_server = role.side == Side::Server;
                let host = if is_server {
                    server_host
                } else {
                    self.net.client_host()
                };
                let threads = settings.threads.unwrap_or(1);
                let tasks = match role.per {
                    PerTask::Connection => role.count,
                    PerTask::FurtherConnection if connection > 0 => role.count,
                    PerTask::Thread => role.count * threads,
                    PerTask::HostThread if connection == 0 => role.count * threads,
                    PerTask::Host if connection == 0 => role.count,
                    PerTask::IdlePort if connection == 0 => threads.saturating_sub(connections),
                    PerTask::FurtherConnection
                    | PerTask::Host
                    | PerTask::HostThread
                    | PerTask::IdlePort => 0,
                };
                if let Some((_, server)) = pair.filter(|_| tasks > 0 && role.port > 0) {
                    self.core.socks[server].port = role.port;
                }
                for index in 0..tasks {
                    // An idle port has a connection number to which no client connects.
                    let own_connection = match role.per {
                        PerTask::IdlePort => connections + index,
                        _ => connection,
                    };
                    let given = self.cpus_for_processes(host, settings);
                    let task = self.add_task(script, host, role, own_connection, given);
                    let spread = SimTime::from_us(role.spread_us).0;
                    let begins = spread / u64::from(connections) * u64::from(connection);
                    let listener = self.net.stacks[host].listeners.first().copied();
                    let task = &mut self.core.tasks[task];
                    task.sock = pair.map(|pair| if is_server { pair.1 } else { pair.0 });
                    task.message = self.message_bytes;
                    task.begins = Some(SimTime(begins));
                    if connecting.has_one_listener && is_server {
                        task.listener = listener.flatten();
                    }
                }
            }
        }
        self.add_hogs(settings);
        self.add_daemons();
        self.set_up_user_memory(workload.file_bytes);
        self.start(SimTime::from_us(workload.start_within_us));
    }

    fn add_hogs(&mut self, settings: &Settings) {
        let count = settings.background_hogs.unwrap_or(0);
        if count == 0 {
            return;
        }
        let script = self.programs.scripts.len();
        self.programs.scripts.push(Script {
            name: "hog".to_owned(),
            once: Vec::new(),
            // Our choice: the task never sleeps, so the length only affects how often its iterations are
            // counted.
            forever: vec![Act::Compute {
                cycles: 100_000,
                each_cpu: false,
            }],
            times_us: Vec::new(),
        });
        let given = GivenCpus {
            one_each: false,
            ..self.cpus_for_processes(0, settings)
        };
        for connection in 0..count {
            let mut role = Role::computing("make");
            role.forks = FORKS_OF_MAKE;
            self.add_task(script, 0, &role, connection, given);
        }
    }

    /// Adds a ksoftirqd for each CPU, if the kernel has them.
    fn add_daemons(&mut self) {
        let script = self.programs.scripts.len();
        self.programs.scripts.push(Script {
            name: "ksoftirqd".to_owned(),
            once: Vec::new(),
            forever: Vec::new(),
            times_us: Vec::new(),
        });
        for cpu in 0..self.core.cpus.len() {
            let (host, local) = (self.core.cpus[cpu].host, self.core.cpus[cpu].local);
            let receive = &self.net.stacks[host].receive;
            if receive.softirq_rounds == 0 {
                continue;
            }
            let mut role = Role::computing(&format!("ksoftirqd/{local}"));
            role.nice = receive.ksoftirqd_nice;
            let all = self.cpus_for_processes(host, &Settings::default());
            let task = self.add_task(script, host, &role, 0, all);
            self.core.tasks[task].begins = None;
            let id = self.core.tasks[task].id;
            let scheduler = &mut self.core.hosts[host].tasks.scheduler;
            scheduler.set_allowed(id, 1 << local);
            let waits = self.net.stacks[host].receive.waits_for_ksoftirqd;
            let softirq = &mut self.core.cpus[cpu].softirq;
            (softirq.daemon, softirq.waits_for_daemon) = (Some(task), waits);
        }
    }

    fn add_task(
        &mut self,
        script: usize,
        host: usize,
        role: &Role,
        connection: u32,
        given: GivenCpus,
    ) -> TaskId {
        let bound = match role.cpu {
            Some(cpu) => Some(u32::from(cpu) % given.count),
            None => given
                .one_each
                .then(|| self.bound_to(host, connection, given.count)),
        };
        let allowed = bound.map_or(u64::MAX >> (64 - given.count), |cpu| 1 << cpu);
        let task = self.core.tasks.next_id();
        let state = &mut self.core.hosts[host];
        let scheduler = &mut state.tasks.scheduler;
        let id = scheduler.add_task(role.nice, allowed, task.index() as u32);
        scheduler.inherit(id, role.forks);
        // Where load balancing puts tasks after a while: on the CPU of their peers.
        let start = role.cpu.map_or(connection, u32::from);
        scheduler.start_on(id, (start % given.count) as u16);
        state.tasks.add(id, task);
        let objects = state.memory.new_objects(&state.code.lines[key(Per::Task)]);
        let is_server = host == self.net.connecting.server_host && role.side == Side::Server;
        self.core.tasks.push(Task {
            host,
            id,
            stack: Vec::new(),
            rest: SimTime::ZERO,
            rest_in_user: false,
            rest_charge: Charge::to(Context::Kernel),
            is_asleep: true,
            stopped_until: SimTime::ZERO,
            goes_on: false,
            cpu: state.first_cpu,
            call: Call::None,
            lock_depth: 0,
            user: (objects, 1),
            objects,
            cpu_fs: 0,
            switches: 0,
            script,
            at: 0,
            begins: Some(SimTime::ZERO),
            due: None,
            rounds: 0,
            message: 0,
            connection,
            is_server,
            room: (0, 0),
            file_at: 0,
            sock: None,
            listener: None,
            moved: 0,
            least: 1,
            wants_update: false,
            delivered: 0,
        });
        if host == 0
            && let Some(builder) = self.core.recorder.record.builder()
        {
            builder.comm(pid(Some(task)), &role.name);
        }
        task
    }

    /// The CPUs that the settings give to the processes of a host. They say so of the watched host only.
    fn cpus_for_processes(&self, host: usize, settings: &Settings) -> GivenCpus {
        let all = self.core.hosts[host].cpu_count as u32;
        let given = settings.process_cpus.filter(|_| host == 0);
        GivenCpus {
            count: given.map_or(all, |given| u32::from(given).min(all)),
            one_each: settings.process_affinity.unwrap_or(false) && host == 0,
        }
    }

    /// The CPU of a host to which a connection's processes are bound: that of its NIC's interrupt, over loopback
    /// one of those given to processes after the other.
    fn bound_to(&self, host: usize, connection: u32, given: u32) -> u32 {
        let stack = &self.net.stacks[host];
        match self.net.device_for(host, connection) {
            Device::Loopback => connection % given,
            Device::Nic(nic) => u32::from(stack.queues[stack.nics[nic].first_queue].cpu),
        }
    }

    /// Allocates each task's buffer, and a file of `bytes` bytes where a program reads one.
    fn set_up_user_memory(&mut self, bytes: u32) {
        for task in self.core.tasks.ids() {
            let state = &mut self.core.tasks[task];
            let memory = &mut self.core.hosts[state.host].memory;
            let message = state.message.clamp(1, 1 << 20);
            let pages = message.div_ceil(memory.piece_bytes);
            state.user = (memory.new_pages(pages), pages);
        }
        for task in self.core.tasks.ids() {
            let (host, script) = (self.core.tasks[task].host, self.core.tasks[task].script);
            let has_file = self.core.hosts[host].file.is_some();
            if !has_file && self.programs.scripts[script].reads_file() {
                let first_cpu = self.core.hosts[host].first_cpu;
                let buffer = self.core.alloc_buffer(first_cpu, bytes);
                let pages = page_of_file(bytes - 1) as usize + 1;
                let state = &mut self.core.hosts[host];
                let kinds = state.code.lines[key(Per::Page)].repeat(pages);
                let page_objects = state.memory.new_objects(&kinds);
                state.file = Some(File {
                    buffer,
                    bytes,
                    page_objects,
                });
            }
        }
    }

    /// Starts the timers, and makes every task runnable that begins with the run or later; with two hosts, at a random
    /// time below `within`. The others, such as `ksoftirqd`, sleep until they are woken.
    fn start(&mut self, within: SimTime) {
        let core = &mut self.core;
        for cpu in 0..core.cpus.len() {
            let host = core.host_of(cpu);
            // The ticks of different CPUs do not coincide (the APIC timers are set one after the other).
            let local = u64::from(core.cpus[cpu].local);
            let phase = host.tick.0 / host.cpu_count as u64 * local;
            let due = SimTime(phase) + host.tick;
            core.at(due, Event::Tick { cpu: cpu as u16 });
            core.begin_noise(cpu);
        }
        let is_spread = core.hosts.len() > 1 && within > SimTime::ZERO;
        for task in core.tasks.ids() {
            let state = &core.tasks[task];
            let (host, id) = (state.host, state.id);
            let Some(begins) = state.begins else { continue };
            if begins > SimTime::ZERO {
                core.at(begins, Event::Wake { task });
                continue;
            }
            if is_spread && state.message > 0 {
                // The programs of two hosts do not start together, nor do the frames of two links.
                let after = SimTime(core.rng.below(within.0));
                core.at(after, Event::Wake { task });
                continue;
            }
            core.tasks[task].is_asleep = false;
            let scheduler = &mut core.hosts[host].tasks.scheduler;
            let woken = scheduler.begin(id);
            let local = woken.reschedule.unwrap_or(woken.cpu);
            let cpu = core.hosts[host].first_cpu + usize::from(local);
            core.cpus[cpu].need_resched = true;
            core.begin_at_once(cpu);
        }
    }
}

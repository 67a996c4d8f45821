//! Who is there when a run begins: sockets, tasks with their memory, hogs and daemons.

use crate::kernel::Context;
use crate::sim::config::kernel::Per;
use crate::sim::config::scenario::Scenario;
use crate::sim::config::workload::{Act, PerTask, Role, Side, Workload};
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::charge::Charge;
use crate::sim::engine::cpu::code::key;
use crate::sim::engine::process::{FILE_BYTES, page_of_file};
use crate::sim::engine::state::{LOOPBACK, NONE, Script, Task};
use crate::sim::engine::tasks::scheduling::pid;
use crate::sim::engine::{Engine, Happening};

/// Over a link, programs start at chance times within so many microseconds.
const START_US: u64 = 1000;

/// Forks between a program that mostly waits, make, and the compiler that computes: make starts
/// a driver (gcc), the driver starts cc1.
const FORKS_OF_MAKE: u32 = 2;

impl Engine {
    /// Sockets and tasks.
    pub(crate) fn populate(&mut self, scenario: &Scenario, workload: &Workload) {
        let settings = &scenario.settings;
        let connections = settings.connections.or(settings.clients).unwrap_or(1);
        for role in &workload.roles {
            self.scripts.push(Script {
                name: role.name.clone(),
                once: role.once.clone(),
                forever: role.forever.clone(),
            });
        }
        let client_host = if self.hosts.len() > 1 {
            1 - self.server_host
        } else {
            0
        };
        let has_pairs = workload.established || self.is_udp;
        self.pairs = (self.sockets.len() as u32, connections);
        if workload.listener == PerTask::Host && !workload.established {
            let nic = self.nics_of_lane(client_host, 0).1;
            let sock = self.new_socket(self.server_host, nic, false);
            self.listen(self.server_host, 0, sock);
        }
        for lane in 0..connections {
            let mut pair = (NONE, NONE);
            if has_pairs {
                let nics = self.nics_of_lane(client_host, lane);
                pair = if self.is_udp {
                    let client = self.new_socket(client_host, nics.0, true);
                    let server = self.new_socket(self.server_host, nics.1, true);
                    self.pair(client, server);
                    (client, server)
                } else {
                    self.connected_pair(client_host, self.server_host, nics)
                };
            }
            for (script, role) in workload.roles.iter().enumerate() {
                let is_server = role.side == Side::Server;
                let host = if is_server {
                    self.server_host
                } else {
                    client_host
                };
                let threads = settings.threads.unwrap_or(1);
                let tasks = match role.per {
                    PerTask::Connection => role.count,
                    PerTask::Thread => role.count * threads,
                    PerTask::HostThread if lane == 0 => role.count * threads,
                    PerTask::Host if lane == 0 => role.count,
                    PerTask::IdlePort if lane == 0 => threads.saturating_sub(connections),
                    PerTask::Host | PerTask::HostThread | PerTask::IdlePort => 0,
                };
                for index in 0..tasks {
                    // Nobody connects to a lane beyond the connections.
                    let own_lane = match role.per {
                        PerTask::IdlePort => connections + index,
                        _ => lane,
                    };
                    let affinity = settings.process_affinity;
                    let task = self.add_task(script as u16, host, role, own_lane, affinity);
                    let spread = SimTime::from_us(role.spread_us).0;
                    let begins = spread / u64::from(connections) * u64::from(lane);
                    let listener = self.hosts[host].listeners.first().copied();
                    let task = &mut self.tasks[task as usize];
                    task.sock = if is_server { pair.1 } else { pair.0 };
                    task.message = self.message_bytes;
                    task.begins = SimTime(begins);
                    if self.has_one_listener && is_server {
                        task.listener = listener.unwrap_or(NONE);
                    }
                }
            }
        }
        self.add_hogs(settings.background_hogs.unwrap_or(0));
        self.add_daemons();
        self.set_up_user_memory();
        self.start();
    }

    /// NICs of client and server for a connection.
    pub(crate) fn nics_of_lane(&self, client_host: usize, lane: u32) -> (u8, u8) {
        if self.hosts.len() < 2 {
            return (LOOPBACK, LOOPBACK);
        }
        // The server's NIC decides; the client uses the one at the other end of its link.
        let watched = self.nic_for(0, lane);
        let other = self.hosts[0].nics[usize::from(watched)].peer.1;
        if client_host == 0 {
            (watched, other)
        } else {
            (other, watched)
        }
    }

    fn add_hogs(&mut self, count: u32) {
        if count == 0 {
            return;
        }
        let script = self.scripts.len() as u16;
        self.scripts.push(Script {
            name: "hog".to_owned(),
            once: Vec::new(),
            forever: vec![Act::Compute {
                cycles: 100_000,
                each_cpu: false,
            }],
        });
        for lane in 0..count {
            let mut role = Role::computing("make");
            role.forks = FORKS_OF_MAKE;
            self.add_task(script, 0, &role, lane, None);
        }
    }

    /// A ksoftirqd for each CPU, where the kernel has them.
    fn add_daemons(&mut self) {
        let script = self.scripts.len() as u16;
        self.scripts.push(Script {
            name: "ksoftirqd".to_owned(),
            once: Vec::new(),
            forever: Vec::new(),
        });
        for cpu in 0..self.cpus.len() {
            let host = usize::from(self.cpus[cpu].host);
            if self.hosts[host].receive.restarts == 0 {
                continue;
            }
            let mut role = Role::computing(&format!("ksoftirqd/{}", self.cpus[cpu].local));
            role.nice = self.hosts[host].receive.ksoftirqd_nice;
            let task = self.add_task(script, host, &role, 0, None);
            let id = self.tasks[task as usize].id;
            let mask = 1 << self.cpus[cpu].local;
            self.hosts[host].scheduler.set_allowed(id, mask);
            self.cpus[cpu].ksoftirqd = task;
        }
    }

    fn add_task(
        &mut self,
        script: u16,
        host: usize,
        role: &Role,
        lane: u32,
        process_affinity: Option<bool>,
    ) -> u32 {
        let index = self.tasks.len() as u32;
        let count = self.hosts[host].cpu_count as u32;
        let is_bound = process_affinity.unwrap_or(false) && host == 0;
        let allowed = if is_bound {
            let nic = self.nic_for(host, lane);
            let cpu = if nic == LOOPBACK {
                lane % count
            } else {
                let queue = self.hosts[host].nics[usize::from(nic)].first_queue;
                u32::from(self.hosts[host].queues[usize::from(queue)].cpu)
            };
            1 << cpu
        } else {
            u64::MAX
        };
        let state = &mut self.hosts[host];
        let id = state.scheduler.add_task(role.nice, allowed, index);
        state.scheduler.inherit(id, role.forks);
        // Where balancing leaves them after a while: with those they talk to.
        state.scheduler.start_on(id, (lane % count) as u16);
        while state.task_of.len() <= id.0 as usize {
            state.task_of.push(NONE);
        }
        state.task_of[id.0 as usize] = index;
        let kinds = state.code.lines[key(Per::Task)].clone();
        let objects = self.new_objects(host, &kinds);
        self.tasks.push(Task {
            host: host as u8,
            id,
            script,
            at: 0,
            stack: Vec::new(),
            rest: SimTime::ZERO,
            rest_in_user: false,
            rest_charge: Charge::to(Context::Kernel),
            sock: NONE,
            user: (objects, 1),
            objects,
            is_asleep: true,
            moved: 0,
            least: 1,
            wants_update: false,
            cpu: self.hosts[host].first_cpu as u16,
            listener: NONE,
            call: 0,
            kernel_locks: 0,
            file_at: 0,
            begins: SimTime::ZERO,
            message: 0,
            role: script,
            lane,
            room: (0, 0),
            is_server: host == self.server_host && role.side == Side::Server,
            cpu_fs: 0,
            rounds: 0,
            delivered: 0,
        });
        if host == 0
            && let Some(builder) = self.record.builder()
        {
            builder.comm(pid(index), &role.name);
        }
        index
    }

    /// Each task's buffer, and the file that some read.
    fn set_up_user_memory(&mut self) {
        for task in 0..self.tasks.len() {
            let host = usize::from(self.tasks[task].host);
            let piece = self.hosts[host].piece_bytes;
            let pages = self.tasks[task].message.clamp(1, 1 << 20).div_ceil(piece);
            let lines = (piece / self.hosts[host].machine.cache.line_bytes) as u8;
            let user = self.new_objects(host, &vec![(0, lines); pages as usize]);
            self.tasks[task].user = (user, pages);
        }
        let reads = |script: &Script| {
            let mut acts = script.once.iter().chain(&script.forever);
            acts.any(|act| matches!(act, Act::ReadFile { .. }))
        };
        for task in 0..self.tasks.len() {
            let host = usize::from(self.tasks[task].host);
            let script = usize::from(self.tasks[task].script);
            if self.hosts[host].file.is_none() && reads(&self.scripts[script]) {
                let file = self.alloc_buffer(self.hosts[host].first_cpu, FILE_BYTES);
                self.hosts[host].file = Some(file);
                let kinds = self.hosts[host].code.lines[key(Per::Page)].clone();
                let pages = page_of_file(FILE_BYTES - 1) as usize + 1;
                let first = self.new_objects(host, &kinds.repeat(pages));
                self.hosts[host].page_objects = Some(first);
            }
        }
    }

    /// Timers run, and every task is runnable, or will be at its time.
    fn start(&mut self) {
        for cpu in 0..self.cpus.len() {
            let host = &self.hosts[usize::from(self.cpus[cpu].host)];
            // Ticks of several CPUs do not coincide (the APIC timers are set one after the other).
            let phase = host.tick.0 / host.cpu_count as u64 * u64::from(self.cpus[cpu].local);
            let due = SimTime(phase) + host.tick;
            self.at(due, Happening::Tick(cpu as u16));
        }
        let has_link = self.hosts.len() > 1;
        for task in 0..self.tasks.len() {
            let begins = self.tasks[task].begins;
            if begins > SimTime::ZERO {
                self.at(begins, Happening::Wake(task as u32));
                continue;
            }
            let host = usize::from(self.tasks[task].host);
            if has_link && self.tasks[task].message > 0 {
                // Two hosts' programs do not begin together, nor do the frames of two links.
                let after = SimTime(self.rng.below(SimTime::from_us(START_US).0));
                self.at(after, Happening::Wake(task as u32));
                continue;
            }
            self.tasks[task].is_asleep = false;
            let id = self.tasks[task].id;
            let woken = self.hosts[host].scheduler.wake(id, 0, false, SimTime::ZERO);
            let local = woken.reschedule.unwrap_or(woken.cpu);
            let cpu = self.hosts[host].first_cpu + usize::from(local);
            self.cpus[cpu].resched = true;
            self.begin_at_once(cpu);
        }
    }
}

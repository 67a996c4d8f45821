//! From a scenario to a world: hosts, CPUs, NICs, tasks, sockets; a run that goes on in
//! pieces, and its end.

use std::collections::BTreeMap;

use crate::run::Run;
use crate::sim::config::catalogue::Catalogue;
use crate::sim::config::kernel::{Kernel, Per};
use crate::sim::config::machine::Machine;
use crate::sim::config::scenario::Scenario;
use crate::sim::config::settings::Watch;
use crate::sim::config::workload::{Act, PerTask, Role, Route, Side, Transport, Workload};
use crate::sim::measured::Measured;
use crate::sim::rng::Rng;
use crate::sim::time::SimTime;

use super::agenda::{Agenda, CpuSet};
use super::code::key;
use super::faults::Faults;
use super::fresh::{cpus, tcp_config};
use super::host::Host;
use super::process::{FILE_BYTES, page_of_file};
use super::record::Record;
use super::scheduling::pid;
use super::state::{LOOPBACK, NONE, Script, Task};
use super::{Engine, Happening};

/// The loopback device's MTU in bytes (`drivers/net/loopback.c`, v2.4 and v2.6: 16 KiB
/// and room for the headers).
const LOOPBACK_MTU: u32 = 16_436;
/// Ethernet's MTU in bytes.
const ETHERNET_MTU: u32 = 1500;
/// Bytes of IPv4 and TCP headers without options.
const HEADERS: u32 = 40;
/// The machine at the other end where a scenario names none.
const DEFAULT_PEER: &str = "load-generator";
/// Bytes of a message where a scenario says nothing.
const DEFAULT_MESSAGE: u32 = 8192;
/// Over a link, programs start at chance times within so many microseconds.
const START_US: u64 = 1000;

/// A finished simulation.
#[derive(Debug)]
pub struct Simulated {
    /// What was measured after the warm-up.
    pub measured: Measured,
    /// The run, if it was recorded.
    pub run: Option<Run>,
}

/// A simulation that runs in pieces.
#[derive(Debug)]
pub struct Simulation {
    engine: Engine,
    warmup: SimTime,
    end: SimTime,
    before: Option<Measured>,
}

impl Simulation {
    /// A world at its start. The error begins with the field that is wrong.
    pub fn new(
        scenario: &Scenario,
        catalogue: &Catalogue,
        is_recording: bool,
    ) -> Result<Self, String> {
        let unknown = |what: &str, name: &str| format!("{what}: nothing is called \"{name}\"");
        let machine = |name: &str, field: &str| {
            catalogue
                .machine(name)
                .ok_or_else(|| unknown(field, name))
                .cloned()
        };
        let kernel = catalogue
            .kernel(&scenario.kernel)
            .ok_or_else(|| unknown("kernel", &scenario.kernel))?;
        let workload = catalogue
            .workload(&scenario.workload)
            .ok_or_else(|| unknown("workload", &scenario.workload))?;
        let mut machines = vec![machine(&scenario.machine, "machine")?];
        if workload.route == Route::Link {
            let name = scenario.settings.peer.as_deref().unwrap_or(DEFAULT_PEER);
            machines.push(machine(name, "settings.peer")?);
        }
        refuse_idle_settings(scenario, workload)?;
        let mut engine = Engine::new(scenario, &machines, kernel, workload, is_recording)?;
        engine.populate(scenario, workload);
        engine.add_faults(&scenario.faults);
        engine.describe(scenario, kernel);
        if is_recording {
            engine.follow_lines();
        }
        Ok(Self {
            engine,
            warmup: SimTime::from_us(scenario.warmup_us.unwrap_or(0)),
            end: SimTime::from_us(scenario.duration_us),
            before: None,
        })
    }

    /// Goes on for about so many steps; true at the end.
    pub fn advance(&mut self, steps: u64) -> bool {
        if self.before.is_none() {
            if !self.engine.run_until(self.warmup, steps) {
                return false;
            }
            self.before = Some(self.engine.measure(self.warmup));
        }
        self.engine.run_until(self.end, steps)
    }

    /// How far it is.
    pub fn now(&self) -> SimTime {
        self.engine.now
    }

    /// Where it ends.
    pub fn duration(&self) -> SimTime {
        self.end
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.engine.events()
    }

    /// What does not hold in this world now, in words: nothing, or the engine is wrong.
    pub fn audit(&self) -> Vec<String> {
        self.engine.audit()
    }

    /// Steps so far, and other things that the engine did.
    pub fn steps(&self) -> u64 {
        self.engine.steps
    }

    /// What came out.
    pub fn finish(self) -> Simulated {
        let before = self.before.unwrap_or_default();
        let (measured, run) = self.engine.finish(&before, self.end);
        Simulated { measured, run }
    }
}

/// Runs a scenario to its end. The error begins with the field that is wrong.
pub fn simulate(
    scenario: &Scenario,
    catalogue: &Catalogue,
    is_recording: bool,
) -> Result<Simulated, String> {
    let mut simulation = Simulation::new(scenario, catalogue, is_recording)?;
    while !simulation.advance(u64::MAX / 2) {}
    Ok(simulation.finish())
}

impl Engine {
    fn new(
        scenario: &Scenario,
        machines: &[Machine],
        kernel: &Kernel,
        workload: &Workload,
        is_recording: bool,
    ) -> Result<Self, String> {
        let settings = &scenario.settings;
        let is_link = workload.route == Route::Link;
        let default = if is_link { ETHERNET_MTU } else { LOOPBACK_MTU };
        let mtu = settings.mtu_bytes.unwrap_or(default);
        let mss = mtu - HEADERS - kernel.tcp.option_bytes;
        let tcp = tcp_config(scenario, kernel, workload, mss);
        let mut engine = Self {
            now: SimTime::ZERO,
            horizon: SimTime::NEVER,
            agenda: Agenda::default(),
            busy: CpuSet::default(),
            steps: 0,
            hosts: Vec::new(),
            cpus: Vec::new(),
            tasks: Vec::new(),
            sockets: Vec::new(),
            packets: Vec::new(),
            buffers: Vec::new(),
            flights: Vec::new(),
            free_flights: Vec::new(),
            done_buffers: Vec::new(),
            stocks: super::memory::Stocks::default(),
            scripts: Vec::new(),
            record: Record::new(is_recording),
            held: None,
            rng: Rng::new(scenario.seed),
            faults: Faults::default(),
            is_udp: workload.transport == Transport::Udp,
            stream_permille: 0,
            message_bytes: settings.message_bytes.unwrap_or(DEFAULT_MESSAGE),
            server_host: usize::from(is_link && settings.watch == Some(Watch::Sender)),
            has_one_listener: workload.listener == PerTask::Host,
            listen_backlog: workload.listen_backlog as usize,
            connect_timeout: SimTime::from_ms(workload.connect_timeout_ms),
            pairs: (0, 0),
            loss_permille: settings.link_loss_permille.unwrap_or(0),
            reorder_permille: settings.link_reorder_permille.unwrap_or(0),
            next_datagram: 0,
            lost_on_link: 0,
            duplicated_on_link: 0,
        };
        for (index, machine) in machines.iter().enumerate() {
            let first = engine.cpus.len();
            let (host, core_of) =
                Host::new(scenario, machine, kernel, tcp, mtu, index == 0, first)?;
            let weight = host.receive.weight;
            engine
                .cpus
                .extend(cpus(&core_of, index as u8, first, weight));
            engine.hosts.push(host);
            if is_link {
                engine.add_nics(index, scenario)?;
                if engine.hosts[index].nics.is_empty() {
                    let field = if index == 0 {
                        "machine"
                    } else {
                        "settings.peer"
                    };
                    return Err(format!(
                        "{field}: \"{}\" has no NIC, and the workload's packets go over a link",
                        machine.name
                    ));
                }
            }
        }
        if is_link {
            engine.plug();
        }
        Ok(engine)
    }

    /// Sockets and tasks.
    fn populate(&mut self, scenario: &Scenario, workload: &Workload) {
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
    pub(super) fn nics_of_lane(&self, client_host: usize, lane: u32) -> (u8, u8) {
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
            forever: vec![Act::Compute { cycles: 100_000 }],
        });
        for lane in 0..count {
            let role = Role::computing("make");
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

    fn describe(&mut self, scenario: &Scenario, kernel: &Kernel) {
        let host = &self.hosts[0];
        let caches: Vec<String> = self.cpus[..host.cpu_count]
            .iter()
            .map(|cpu| cpu.cache.to_string())
            .collect();
        let lines = host.machine.cache.kib * 1024 / host.machine.cache.line_bytes.max(1);
        let machine = host.machine.title.clone();
        let Some(builder) = self.record.builder() else {
            return;
        };
        let facts = BTreeMap::from([
            ("machine", machine),
            ("kernel", kernel.title.clone()),
            ("scenario", scenario.to_json()),
            ("cache_of", caches.join(",")),
            ("cache_lines", lines.to_string()),
        ]);
        for (key, value) in facts {
            builder.metadata(key, &value);
        }
    }
}

/// A setting that would change nothing is an error, not a silence.
fn refuse_idle_settings(scenario: &Scenario, workload: &Workload) -> Result<(), String> {
    /// Settings of NICs and links.
    const OF_LINKS: [&str; 14] = [
        "irq_affinity",
        "rx_ring",
        "interrupt_delay_us",
        "interrupt_frames",
        "checksum",
        "gro",
        "rps",
        "link_delay_us",
        "link_loss_permille",
        "link_reorder_permille",
        "nics",
        "peer",
        "watch",
        "faults",
    ];
    if workload.route == Route::Link {
        return Ok(());
    }
    let settings = serde_json::to_value(&scenario.settings).map_err(|error| error.to_string())?;
    let idle = settings
        .as_object()
        .into_iter()
        .flatten()
        .find(|(name, value)| !value.is_null() && OF_LINKS.contains(&name.as_str()));
    match idle {
        None => Ok(()),
        Some((name, _)) => Err(format!(
            "settings.{name} changes nothing in the workload \"{}\", whose packets stay in the \
             host; it must be absent",
            workload.name
        )),
    }
}

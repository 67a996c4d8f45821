//! From a scenario to a world: CPUs, tasks, connected sockets, and what cannot be
//! simulated yet is refused by name.

use std::collections::{BTreeMap, BinaryHeap};

use crate::run::Run;
use crate::sim::cache::{Caches, ObjectId};
use crate::sim::config::catalogue::Catalogue;
use crate::sim::config::kernel::{Kernel, Per};
use crate::sim::config::machine::Machine;
use crate::sim::config::scenario::Scenario;
use crate::sim::config::workload::{Act, PerTask, Route, Side, Transport, Workload};
use crate::sim::measured::{FunctionTime, Measured};
use crate::sim::sched::{Scheduler, Setup};
use crate::sim::tcp::{Tcb, TcpConfig};
use crate::sim::time::SimTime;

use super::code::{Code, key};
use super::fresh::{cpus, tcp_config};
use super::memory::Pool;
use super::record::Record;
use super::scheduling::pid;
use super::state::{Host, Lock, Script, Socket, Task};
use super::{Engine, Happening};

/// The loopback device's MTU in bytes (`drivers/net/loopback.c`, v2.4 and v2.6: 16 KiB
/// and room for the headers).
const LOOPBACK_MTU: u32 = 16_436;
/// Bytes of IPv4 and TCP headers without options.
const HEADERS: u32 = 40;

/// A finished simulation.
#[derive(Debug)]
pub struct Simulated {
    /// What was measured after the warm-up.
    pub measured: Measured,
    /// The run, if it was recorded.
    pub run: Option<Run>,
}

/// Runs a scenario to its end. The error names what this scenario asks for and the
/// engine does not do.
pub fn simulate(
    scenario: &Scenario,
    catalogue: &Catalogue,
    is_recording: bool,
) -> Result<Simulated, String> {
    let unknown = |what: &str, name: &str| format!("{what}: nothing is called \"{name}\"");
    let machine = catalogue
        .machine(&scenario.machine)
        .ok_or_else(|| unknown("machine", &scenario.machine))?;
    let kernel = catalogue
        .kernel(&scenario.kernel)
        .ok_or_else(|| unknown("kernel", &scenario.kernel))?;
    let workload = catalogue
        .workload(&scenario.workload)
        .ok_or_else(|| unknown("workload", &scenario.workload))?;
    if workload.route != Route::Loopback || workload.transport != Transport::Tcp {
        return Err("workload: only TCP over the loopback device can be simulated so far".into());
    }
    refuse_idle_settings(scenario)?;
    let mut engine = Engine::new(scenario, machine, kernel, is_recording)?;
    engine.populate(scenario, kernel, workload)?;
    let warmup = SimTime::from_us(scenario.warmup_us.unwrap_or(0));
    let end = SimTime::from_us(scenario.duration_us);
    engine.run_until(warmup);
    let before = engine.measure(warmup);
    engine.run_until(end);
    engine.describe(scenario, kernel);
    let (measured, run) = engine.finish(&before, end);
    Ok(Simulated { measured, run })
}

impl Engine {
    #[expect(clippy::too_many_lines, reason = "one line for each field")]
    fn new(
        scenario: &Scenario,
        machine: &Machine,
        kernel: &Kernel,
        is_recording: bool,
    ) -> Result<Self, String> {
        let mut code = Code::compile(kernel, machine)?;
        let settings = &scenario.settings;
        let has_threads = settings
            .hyper_threading
            .unwrap_or(machine.processors.threads_per_core > 1);
        let threads = if has_threads {
            machine.processors.threads_per_core
        } else {
            1
        };
        let most = machine.processors.cores * threads;
        let count = usize::from(settings.cpus.unwrap_or(most).min(most));
        // Cores come first, then their second threads, as the BIOS of these machines counts.
        let core_of: Vec<u16> = (0..count)
            .map(|cpu| cpu as u16 % machine.processors.cores)
            .collect();
        let line = machine.cache.line_bytes.max(1);
        let lines = (machine.cache.kib * 1024 / line).max(1);
        let mut caches = Caches::new(
            &vec![lines; usize::from(machine.processors.cores)],
            machine.cache.clean_lines_move,
        );
        let mut objects_made = 0;
        let mut make = |kinds: &[(u8, u8)], times: usize| {
            let first = ObjectId(objects_made);
            for _ in 0..times {
                for &(_, lines) in kinds {
                    caches.object(lines);
                    objects_made += 1;
                }
            }
            first
        };
        let kinds = |per| code.lines.get(&key(per)).cloned().unwrap_or_default();
        let own_objects = make(&kinds(Per::Host), 1);
        let cpu_objects = make(&kinds(Per::Cpu), count);
        let lock_objects = make(&[(0, 1)], code.locks.len());
        let tick = SimTime(1_000_000_000_000_000 / kernel.tick_hz);
        let setup = Setup {
            cpus: count as u16,
            core_of: &core_of,
            tick,
        };
        let cpus = cpus(&core_of);
        code.functions.push("spin_lock".to_owned());
        code.objects.push("lock".to_owned());
        let lock_function = (code.functions.len() - 1) as u16;
        let locks = vec![Lock::default(); code.locks.len()];
        let profile = vec![FunctionTime::default(); code.functions.len()];
        let mss = LOOPBACK_MTU - HEADERS - kernel.tcp.option_bytes;
        Ok(Self {
            now: SimTime::ZERO,
            horizon: SimTime::NEVER,
            heap: BinaryHeap::new(),
            happenings: Vec::new(),
            free_happenings: Vec::new(),
            order: 0,
            steps: 0,
            cpus,
            tasks: Vec::new(),
            sockets: Vec::new(),
            packets: Vec::new(),
            buffers: Vec::new(),
            heads: Pool::new(count, kernel.slab_batch),
            data: Vec::new(),
            done_buffers: Vec::new(),
            objects_made,
            caches,
            host: Host {
                code,
                scheduler: Scheduler::new(&kernel.scheduler, setup),
                locks,
                own_objects,
                cpu_objects,
                lock_objects,
            },
            machine: machine.clone(),
            scripts: Vec::new(),
            record: Record::new(is_recording),
            profile,
            bus_free: SimTime::ZERO,
            tick,
            is_preemptible: kernel.preemptible,
            prequeue: kernel.tcp.prequeue,
            has_caches: machine.cache.kib > 0,
            is_aligned: true,
            routine: settings.copy.unwrap_or(kernel.copy),
            slab_batch: kernel.slab_batch,
            backlog_limit: kernel.receive.backlog_packets as usize,
            budget: kernel.receive.budget,
            mss,
            header_bytes: 20 + kernel.tcp.option_bytes,
            message_bytes: settings.message_bytes.unwrap_or(8192),
            write_space: settings
                .send_buffer_bytes
                .unwrap_or(kernel.tcp.send_buffer_bytes)
                / 3,
            lock_function,
            switches: 0,
            rounds: 0,
            dropped: 0,
            lines_moved: 0,
        })
    }

    fn populate(
        &mut self,
        scenario: &Scenario,
        kernel: &Kernel,
        workload: &Workload,
    ) -> Result<(), String> {
        let settings = &scenario.settings;
        let config = tcp_config(scenario, kernel, workload, self.mss);
        for role in &workload.roles {
            for act in role.once.iter().chain(&role.forever) {
                if !matches!(
                    act,
                    Act::Send { .. } | Act::Receive { .. } | Act::Compute { .. }
                ) {
                    return Err(format!("workload: {act:?} cannot be simulated so far"));
                }
            }
            self.scripts.push(Script {
                once: role.once.clone(),
                forever: role.forever.clone(),
            });
        }
        for connection in 0..settings.connections.unwrap_or(1) {
            let client = self.connect(&config);
            for (script, role) in workload.roles.iter().enumerate() {
                let tasks = match role.per {
                    PerTask::Connection => role.count,
                    PerTask::Thread => role.count * settings.threads.unwrap_or(1),
                    PerTask::Host if connection == 0 => role.count,
                    PerTask::Host => 0,
                };
                let sock = client + u32::from(role.side == Side::Server);
                for _ in 0..tasks {
                    self.add_task(script as u16, sock, role.nice, &role.name);
                }
            }
        }
        for cpu in 0..self.cpus.len() as u16 {
            // Ticks of several CPUs do not coincide (the APIC timers are set one after the other).
            let phase = self.tick.0 / self.cpus.len() as u64 * u64::from(cpu);
            self.at(SimTime(phase) + self.tick, Happening::Tick(cpu));
        }
        for task in 0..self.tasks.len() as u32 {
            self.tasks[task as usize].is_asleep = false;
            let id = self.tasks[task as usize].id;
            let woken = self.host.scheduler.wake(id, 0, false, SimTime::ZERO);
            let cpu = usize::from(woken.reschedule.unwrap_or(woken.cpu));
            self.cpus[cpu].resched = true;
            self.cpus[cpu].until = SimTime::ZERO;
        }
        Ok(())
    }

    /// Two connected sockets; the handshake costs nothing here (the workload says so).
    fn connect(&mut self, config: &TcpConfig) -> u32 {
        let now = SimTime::ZERO;
        let mut client = Tcb::new(config);
        let syn = client.connect(now);
        let (mut server, syn_ack) = Tcb::listen_accept(&syn, config, now);
        client.on_segment(&syn_ack, now);
        let ack = client.ack_segment();
        server.on_segment(&ack, now);
        let first = self.sockets.len() as u32;
        for (index, tcb) in [client, server].into_iter().enumerate() {
            let mut kinds = self
                .host
                .code
                .lines
                .get(&key(Per::Socket))
                .cloned()
                .unwrap_or_default();
            kinds.push((0, 1));
            let objects = self.new_objects(&kinds);
            let address = 0xffff_9000_0000 + u64::from(first + index as u32) * 2048;
            let address = self.record.address(address);
            self.sockets
                .push(Socket::new(tcb, first + 1 - index as u32, objects, address));
        }
        first
    }

    fn add_task(&mut self, script: u16, sock: u32, nice: i8, name: &str) {
        let index = self.tasks.len() as u32;
        let id = self.host.scheduler.add_task(nice, u64::MAX, index);
        let kinds = self
            .host
            .code
            .lines
            .get(&key(Per::Task))
            .cloned()
            .unwrap_or_default();
        let objects = self.new_objects(&kinds);
        let pages = self.message_bytes.div_ceil(4096).max(1);
        let lines = (4096 / self.machine.cache.line_bytes.max(64)) as u8;
        let user = self.new_objects(&vec![(0, lines); pages as usize]);
        self.tasks.push(Task {
            id,
            script,
            at: 0,
            stack: Vec::new(),
            rest: SimTime::ZERO,
            rest_in_user: false,
            sock,
            user: (user, pages),
            objects,
            is_asleep: true,
            moved: 0,
            least: 1,
            wants_update: false,
            cpu: 0,
        });
        if let Some(builder) = self.record.builder() {
            builder.comm(pid(index), name);
        }
    }

    fn describe(&mut self, scenario: &Scenario, kernel: &Kernel) {
        let caches: Vec<String> = self.cpus.iter().map(|cpu| cpu.cache.to_string()).collect();
        let lines = self.machine.cache.kib * 1024 / self.machine.cache.line_bytes.max(1);
        let machine = self.machine.title.clone();
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
fn refuse_idle_settings(scenario: &Scenario) -> Result<(), String> {
    const ACTED_ON: [&str; 7] = [
        "cpus",
        "hyper_threading",
        "connections",
        "message_bytes",
        "send_buffer_bytes",
        "receive_buffer_bytes",
        "copy",
    ];
    let settings = serde_json::to_value(&scenario.settings).map_err(|error| error.to_string())?;
    let idle = settings
        .as_object()
        .into_iter()
        .flatten()
        .find(|(name, value)| !value.is_null() && !ACTED_ON.contains(&name.as_str()));
    match idle {
        None => Ok(()),
        Some((name, _)) => Err(format!(
            "settings.{name} cannot be simulated so far; these can: {}",
            ACTED_ON.join(", ")
        )),
    }
}

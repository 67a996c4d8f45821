//! From a scenario to a world (hosts, CPUs, NICs, tasks, sockets), and a run that proceeds in pieces.

mod host;
mod nics;
mod populate;
mod tcp;
#[cfg(test)]
pub mod testing;

use std::collections::BTreeMap;

use crate::config::catalogue::Catalogue;
use crate::config::kernel::Kernel;
use crate::config::machine::{Cache, Machine};
use crate::config::scenario::Scenario;
use crate::config::settings::{USUAL_MESSAGE_BYTES, USUAL_PEER, Watch};
use crate::config::unfit::{Unfit, refuse_idle_settings, says};
use crate::config::workload::{PerTask, Route, Transport, Workload};
use crate::rng::Rng;
use crate::time::SimTime;
use ringside::run::Run;
use ringside::run::measured::Measured;

use super::Engine;
use super::core::Core;
use super::events::Events;
use super::ids::Table;
use super::memory::pools::Sources;
use super::net::{Connecting, Net};
use super::nic::link::Link;
use super::process::Programs;
use super::record::Recorder;
use tcp::tcp_config;

/// Ethernet's MTU in bytes.
const ETHERNET_MTU: u32 = 1500;
/// The largest IPv4 packet in bytes, whatever a device accepts (`IP_MAX_MTU`, `ipv4_mtu`).
const IP_MAX_MTU: u32 = 65_535;
/// Bytes of IPv4 and TCP headers without options.
const HEADERS: u32 = 40;

/// The result of a finished simulation.
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
    /// A world at time 0, or why what the scenario asks for cannot be.
    pub fn new(
        scenario: &Scenario,
        catalogue: &Catalogue,
        is_recording: bool,
    ) -> Result<Self, Unfit> {
        let unknown = |what: &str, name: &str| format!("{what}: nothing is called \"{name}\"");
        let machine = |name: &str, field: &str| {
            catalogue
                .machine(name)
                .ok_or_else(|| unknown(field, name))
                .cloned()
        };
        let kernel = catalogue.instrumented(&scenario.kernel, &scenario.instrumentation)?;
        let kernel = &*kernel;
        let workload = catalogue
            .workload(&scenario.workload)
            .ok_or_else(|| unknown("workload", &scenario.workload))?;
        let mut machines = vec![machine(&scenario.machine, "machine")?];
        if workload.route == Route::Link {
            let name = scenario.settings.peer.as_deref().unwrap_or(USUAL_PEER);
            machines.push(machine(name, "settings.peer")?);
        }
        refuse_idle_settings(scenario, kernel, workload)?;
        let mut engine = Engine::new(scenario, &machines, kernel, workload, is_recording)?;
        engine.populate(scenario, workload);
        engine.add_faults(&scenario.faults)?;
        engine.describe(scenario, kernel);
        if is_recording {
            engine.core.follow_lines();
            engine.core.follow_queues();
        }
        Ok(Self {
            engine,
            warmup: SimTime::from_us(scenario.warmup_us.unwrap_or(0)),
            end: SimTime::from_us(scenario.duration_us),
            before: None,
        })
    }

    /// Runs for about `steps` more events and CPU steps; returns true at the end of the run.
    pub fn advance(&mut self, steps: u64) -> bool {
        if self.before.is_none() {
            if !self.engine.run_until(self.warmup, steps) {
                return false;
            }
            self.before = Some(self.engine.measure(self.warmup));
        }
        self.engine.run_until(self.end, steps)
    }

    /// The current simulated time.
    pub fn now(&self) -> SimTime {
        self.engine.core.now()
    }

    /// The simulated time at which the run ends.
    pub fn duration(&self) -> SimTime {
        self.end
    }

    /// Number of events so far.
    pub fn events(&self) -> u64 {
        self.engine.events()
    }

    /// The invariants that this world violates, as text. Empty unless the engine has a bug.
    pub fn audit(&self) -> Vec<String> {
        self.engine.audit()
    }

    /// Number of CPU steps and events so far.
    pub fn steps(&self) -> u64 {
        self.engine.core.events.steps
    }

    /// The results so far; the simulation can continue.
    pub fn so_far(&mut self) -> Simulated {
        let before = self.before.clone().unwrap_or_default();
        let (measured, run) = self.engine.so_far(&before);
        Simulated { measured, run }
    }

    /// The results of the run.
    pub fn finish(self) -> Simulated {
        let before = self.before.unwrap_or_default();
        let (measured, run) = self.engine.finish(&before, self.end);
        Simulated { measured, run }
    }
}

/// Runs a scenario to its end. An error begins with the name of the wrong field.
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
    ) -> Result<Self, Unfit> {
        let settings = &scenario.settings;
        let is_link = workload.route == Route::Link;
        let default = if is_link {
            ETHERNET_MTU
        } else {
            kernel.loopback_mtu_bytes
        };
        let mtu = settings.mtu_bytes.unwrap_or(default).min(IP_MAX_MTU);
        let mss = mtu - HEADERS - kernel.tcp.option_bytes;
        let tcp = tcp_config(scenario, kernel, workload, mss)?;
        let events = Events {
            lookahead: SimTime::NEVER,
            ..Events::default()
        };
        let core = Core {
            events,
            hosts: Vec::new(),
            cpus: Vec::new(),
            tasks: Table::default(),
            socks: Table::default(),
            skbs: Table::default(),
            buffers: Table::default(),
            stocks: Sources::default(),
            recorder: Recorder::new(is_recording),
            rng: Rng::new(scenario.seed),
        };
        let is_udp = workload.transport == Transport::Udp;
        let connecting = Connecting {
            is_udp,
            server_host: usize::from(is_link && settings.watch == Some(Watch::Sender)),
            has_one_listener: workload.listener == PerTask::Host,
            listen_backlog: workload.listen_backlog as usize,
            server_port: workload.server_port,
            retry_us: workload.connect_retry_us,
            connect_timeout: SimTime::from_ms(workload.connect_timeout_ms),
        };
        let net = Net {
            stacks: Vec::new(),
            softnet: Vec::new(),
            sockets: Table::default(),
            link: Link::new(
                settings.link_loss_permille.unwrap_or(0),
                settings.link_reorder_permille.unwrap_or(0),
            ),
            connecting,
            last_datagram: 0,
            done_buffers: Vec::new(),
            done_skbs: Vec::new(),
        };
        let takes_turns = |machine: &Machine| machine.processors.takes_turns;
        let mut engine = Self {
            core,
            net,
            programs: Programs {
                is_udp,
                ..Programs::default()
            },
            faults: Vec::new(),
            has_turns: machines.iter().any(takes_turns),
            message_bytes: settings.message_bytes.unwrap_or(USUAL_MESSAGE_BYTES),
        };
        for (index, machine) in machines.iter().enumerate() {
            engine.add_host(scenario, machine, kernel, tcp, mtu)?;
            if !is_link {
                continue;
            }
            engine.add_nics(index, kernel, scenario)?;
            engine.aim_redirects(index)?;
            if engine.net.stacks[index].nics.is_empty() {
                let field = if index == 0 {
                    "machine"
                } else {
                    "settings.peer"
                };
                return Err(Unfit(says::no_nic(field.to_owned(), machine.name.clone())));
            }
        }
        if is_link {
            engine.plug();
        }
        Ok(engine)
    }

    fn describe(&mut self, scenario: &Scenario, kernel: &Kernel) {
        let host = &self.core.hosts[0];
        let caches: Vec<String> = self.core.cpus[host.cpus()]
            .iter()
            .map(|cpu| cpu.cache.to_string())
            .collect();
        let lines = host.machine.cache.as_ref().map_or(0, Cache::lines);
        let machine = host.machine.title.clone();
        let clock_khz = host.machine.processors.clock_khz;
        let Some(builder) = self.core.recorder.record.builder() else {
            return;
        };
        let facts = BTreeMap::from([
            ("machine", machine),
            ("kernel", kernel.title.clone()),
            ("scenario", scenario.to_json()),
            ("cache_of", caches.join(",")),
            ("cache_lines", lines.to_string()),
            ("cache_line_bytes", host.memory.line_bytes.to_string()),
            ("clock_khz", clock_khz.to_string()),
        ]);
        for (key, value) in facts {
            builder.metadata(key, &value);
        }
    }
}

#[cfg(test)]
mod tests;

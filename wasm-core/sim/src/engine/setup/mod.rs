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
use crate::config::path::Path;
use crate::config::scenario::Scenario;
use crate::config::settings::{USUAL_MESSAGE_BYTES, USUAL_PEER, Watch, XdpAction, setting};
use crate::config::workload::{PerTask, Role, Route, Transport, Workload};
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
pub use tcp::kernel_tcp;
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
    /// A world at time 0. An error begins with the name of the wrong field.
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
    ) -> Result<Self, String> {
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
                return Err(format!(
                    "{field}: \"{}\" has no NIC, and the workload's packets go over a link",
                    machine.name
                ));
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

/// That a kernel does not have what a setting chooses by name, and what it has.
fn not_had(
    setting: &str,
    chosen: &str,
    kernel: &Kernel,
    had: impl Iterator<Item = &'static str>,
) -> String {
    let had: Vec<String> = had.map(|name| format!("\"{name}\"")).collect();
    format!(
        "settings.{setting} is \"{chosen}\", which the kernel {} does not have; it must be {}",
        kernel.name,
        had.join(" or ")
    )
}

/// A setting that would have no effect is an error.
fn refuse_idle_settings(
    scenario: &Scenario,
    kernel: &Kernel,
    workload: &Workload,
) -> Result<(), String> {
    let settings = &scenario.settings;
    if settings.busy_poll_us.is_some() && kernel.receive.busy_poll_budget == 0 {
        return Err(format!(
            "settings.busy_poll_us changes nothing in the kernel \"{}\", whose readers sleep at once; it \
             must be absent",
            kernel.name
        ));
    }
    if settings.xdp.is_none() && (settings.xdp_port.is_some() || settings.xdp_permille.is_some()) {
        return Err(
            "settings.xdp is absent, and without a program settings.xdp_port and \
             settings.xdp_permille change nothing; they must be absent too"
                .to_owned(),
        );
    }
    let has_hook = kernel.paths.contains_key(Path::NetfilterLocalIn.name());
    if settings.firewall_rules.is_some() && !has_hook {
        return Err(format!(
            "settings.firewall_rules changes nothing in the kernel \"{}\", of whose netfilter nothing is \
             modelled; it must be absent",
            kernel.name
        ));
    }
    if settings.firewall_drops_port.is_some() && settings.firewall_rules.unwrap_or(0) == 0 {
        return Err(
            "settings.firewall_drops_port is set, and settings.firewall_rules has no rule that could \
             drop; it must be at least 1"
                .to_owned(),
        );
    }
    if settings.tcp_ecn.is_some() && kernel.tcp.ecn.is_none() {
        return Err(format!(
            "settings.tcp_ecn changes nothing in the kernel \"{}\", of whose ECN nothing is modelled; it must be \
             absent",
            kernel.name
        ));
    }
    let has_fq_codel = settings.qdisc.unwrap_or_default().kind().name == "fq_codel";
    if settings.ce_threshold_us.is_some() && !has_fq_codel {
        return Err(
            "settings.ce_threshold_us is set, and settings.qdisc is not \"fq_codel\", which alone has it; it must \
             be absent"
                .to_owned(),
        );
    }
    if settings.offered_per_s.is_some() && !workload.roles.iter().any(Role::offers) {
        return Err(format!(
            "settings.offered_per_s changes nothing in the workload \"{}\", in which no client sends \
             messages again and again; it must be absent",
            workload.name
        ));
    }
    if settings.xdp == Some(XdpAction::Tx) && workload.transport == Transport::Tcp {
        return Err(format!(
            "settings.xdp is \"tx\", which sends datagrams back to who sent them, and the workload \
             \"{}\" has TCP; it must be another",
            workload.name
        ));
    }
    if workload.route == Route::Link {
        return Ok(());
    }
    let needs_link = |name: &str| setting(name).is_some_and(|it| it.applies.needs_link());
    let settings = serde_json::to_value(&scenario.settings).map_err(|error| error.to_string())?;
    let idle = settings
        .as_object()
        .into_iter()
        .flatten()
        .find(|(name, value)| !value.is_null() && needs_link(name));
    let mut faults = scenario.faults.iter();
    let fault = faults.position(|fault| fault.kind.needs_link());
    let idle = idle.map(|(name, _)| format!("settings.{name}"));
    let idle = idle.or_else(|| fault.map(|index| format!("faults.{index}.do")));
    match idle {
        None => Ok(()),
        Some(field) => Err(format!(
            "{field} changes nothing in the workload \"{}\", whose packets stay in the host; it \
             must be absent",
            workload.name
        )),
    }
}

#[cfg(test)]
mod tests;

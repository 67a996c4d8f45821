//! Small worlds for the unit tests of the mechanisms: a shipped kernel on shipped machines, with the tasks and
//! settings that a test chooses. A test then calls a mechanism and inspects its state.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Simulation;
use crate::config::catalogue::Catalogue;
use crate::config::machine::Machine;
use crate::config::scenario::Scenario;
use crate::engine::Engine;
use crate::engine::core::Core;
use crate::engine::cpu::op::Op;
use crate::engine::events::Event;
use crate::engine::ids::{Device, Id as _, NicId, SkbId, SockId, TaskId};
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

static SHIPPED: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());

/// A recorded host with a reader of socket 1, whose peer is socket 0; no event is due.
pub fn reading(kernel: &'static str) -> Engine {
    let mut engine = World {
        kernel,
        is_recorded: true,
        roles: json!([{ "name": "reader", "side": "server", "per": "host" }]),
        ..World::default()
    }
    .at_rest();
    due(&mut engine.core);
    engine
}

/// What a test chooses; the rest is as in [`World::default`]: one host with a connected pair of TCP sockets and
/// no tasks but the kernel's.
pub struct World {
    /// The machine of the watched host, and of the other one if there is a link.
    pub machine: &'static str,
    /// The kernel of both hosts.
    pub kernel: &'static str,
    /// Whether the sockets are UDP's.
    pub is_udp: bool,
    /// Whether the two ends are on two linked hosts; else packets take `lo`.
    pub is_linked: bool,
    /// Whether the run is recorded.
    pub is_recorded: bool,
    /// The workload's roles, as in its file.
    pub roles: Value,
    /// The scenario's settings, as in its file.
    pub settings: Value,
    /// Further fields of the workload.
    pub workload: Value,
    /// Changes the machine before the world is built.
    pub change: fn(&mut Machine),
}

impl Default for World {
    fn default() -> Self {
        Self {
            machine: "load-generator",
            kernel: "2.6.3",
            is_udp: false,
            is_linked: false,
            is_recorded: false,
            roles: json!([]),
            settings: json!({}),
            workload: json!({}),
            change: |_| {},
        }
    }
}

impl World {
    /// The world at time 0, or the error that prevents it.
    pub fn build(&self) -> Result<Engine, String> {
        let mut catalogue = SHIPPED.clone();
        let mut machine = catalogue.machine(self.machine).unwrap().clone();
        (self.change)(&mut machine);
        catalogue.put_machine(machine);
        let mut workload = json!({
            "name": "test",
            "title": "",
            "about": "",
            "transport": if self.is_udp { "udp" } else { "tcp" },
            "route": if self.is_linked { "link" } else { "loopback" },
            "established": true,
            "server_port": 1,
            "roles": self.roles,
            "sources": {},
        });
        let further = self.workload.as_object().unwrap().clone();
        workload.as_object_mut().unwrap().extend(further);
        catalogue.add_workload(serde_json::from_value(workload).unwrap());
        let mut settings = self.settings.clone();
        if self.is_linked && settings.get("peer").is_none() {
            settings["peer"] = self.machine.into();
        }
        let scenario: Scenario = serde_json::from_value(json!({
            "machine": self.machine,
            "kernel": self.kernel,
            "workload": "test",
            "settings": settings,
            "duration_us": 1,
            "seed": 1,
        }))
        .unwrap();
        let world = Simulation::new(&scenario, &catalogue, self.is_recorded)?;
        Ok(world.engine)
    }

    /// The world at time 0.
    pub fn engine(&self) -> Engine {
        self.build().unwrap()
    }

    /// The world half a millisecond later, before the first tick: the daemons sleep and all CPUs idle, unless a
    /// role keeps them busy.
    pub fn at_rest(&self) -> Engine {
        let mut engine = self.engine();
        run(&mut engine, 500);
        engine
    }
}

/// The receiving host of a link at rest under 6.1, with two CPUs, and a packet from its NIC for its socket.
pub fn received(frame: Frame) -> (Engine, SkbId) {
    let world = World {
        kernel: "6.1",
        is_linked: true,
        settings: json!({ "nics": 1, "cpus": 2 }),
        ..World::default()
    };
    let mut engine = world.at_rest();
    let frame = Frame {
        to: Some(sock(1)),
        ..frame
    };
    let skb = SkBuff::of(frame, Device::Nic(NicId::from_index(0)));
    let skb = engine.core.alloc_skb(0, skb);
    (engine, skb)
}

/// Runs for `us` microseconds.
pub fn run(engine: &mut Engine, us: u64) {
    let end = engine.core.now() + SimTime::from_us(us);
    assert!(engine.run_until(end, u64::MAX / 2));
}

/// Advances the time by `us` microseconds without any event.
pub fn wait(core: &mut Core, us: u64) {
    core.events.now = core.now() + SimTime::from_us(us);
}

/// Takes all scheduled events but ticks, in order; they are no longer scheduled.
pub fn due(core: &mut Core) -> Vec<(SimTime, Event)> {
    let mut all = Vec::new();
    while let (at, Some(event)) = (core.events.queue.next(), core.events.queue.take()) {
        if !matches!(event, Event::Tick { .. }) {
            all.push((at, event));
        }
    }
    all
}

/// Takes the operations of a CPU's context in the order of execution; they are no longer on its stack.
pub fn ops(core: &mut Core, cpu: usize) -> Vec<Op> {
    let mut all = std::mem::take(core.stack(cpu));
    all.reverse();
    all
}

/// Wakes a task from CPU `waker` and puts it into a system call; returns the CPU that it runs on.
pub fn in_call(core: &mut Core, task: TaskId, waker: usize) -> usize {
    core.awaken(waker, task, false);
    let cpu = core.tasks[task].cpu;
    core.reschedule(cpu);
    core.cpus[cpu].stacks.iter_mut().for_each(Vec::clear);
    cpu
}

/// The reasons of all drops so far, in a recorded world.
pub fn reasons(core: &Core) -> Vec<Option<u32>> {
    let run = core.recorder.record.so_far().unwrap();
    let dropped = run
        .indices()
        .filter(|&at| run.event(at).probe == Probe::KfreeSkb);
    dropped.map(|at| run.field(at, Field::Reason)).collect()
}

/// The `index`th socket: of the first pair, the client's is 0 and the server's 1.
pub fn sock(index: usize) -> SockId {
    SockId::from_index(index)
}

/// The `index`th task: those of the roles come first.
pub fn task(index: usize) -> TaskId {
    TaskId::from_index(index)
}

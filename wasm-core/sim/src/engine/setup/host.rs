//! A host and its network stack, without devices or tasks.

use std::rc::Rc;

use crate::cache::ObjectId;
use crate::config::kernel::{Checksum, Kernel, Per};
use crate::config::machine::{Machine, Routing};
use crate::config::scenario::Scenario;
use crate::config::settings::{IrqAffinity, Settings};
use crate::engine::Engine;
use crate::engine::busy_poll::BusyPolling;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::code::{Code, Site, key};
use crate::engine::cpu::profile::{OTHERS, Profile};
use crate::engine::host::{Host, Probing, Totals, Turn};
use crate::engine::ids::Table;
use crate::engine::ip::Reassembly;
use crate::engine::memory::Memory;
use crate::engine::net::{Pinned, Stack};
use crate::engine::netfilter::Netfilter;
use crate::engine::nic::Offloads;
use crate::engine::nic::bus::Buses;
use crate::engine::softnet::Softnet;
use crate::engine::spinlock::{HostLocks, Lock};
use crate::engine::tasks::HostTasks;
use crate::sched::{Scheduler, Setup};
use crate::tcp::TcpConfig;
use crate::time::SimTime;
use ringside::kernel::CpuId;
use ringside::run::measured::TcpCounters;

use crate::config::unfit::{Unfit, says};

impl Engine {
    /// Adds a host, its CPUs and its network stack. The first host is the watched one. Only it takes the
    /// scenario's settings, except that both take those of TCP, buffers and GRO.
    pub fn add_host(
        &mut self,
        scenario: &Scenario,
        machine: &Machine,
        kernel: &Kernel,
        tcp: TcpConfig,
        mtu: u32,
    ) -> Result<(), Unfit> {
        let is_watched = self.core.hosts.is_empty();
        let both = &scenario.settings;
        let none = Settings::default();
        let own = if is_watched { both } else { &none };
        let first_cpu = self.core.cpus.len();
        let core_of = cores(own, machine);
        let stack = stack(own, both, machine, kernel, tcp, mtu, core_of.len())?;
        let host = host(own, scenario, machine, kernel, first_cpu, &core_of)?;
        let number = self.core.hosts.len();
        for (index, &core) in core_of.iter().enumerate() {
            let is_sibling = |&other: &usize| other != index && core_of[other] == core;
            let sibling = (0..core_of.len()).find(is_sibling).unwrap_or(index);
            let cpu = Cpu::idle(number, index as u16, core as u8, first_cpu + sibling);
            self.core.cpus.push(cpu);
            self.net.softnet.push(Softnet::new());
        }
        self.core.hosts.push(host);
        self.net.stacks.push(stack);
        Ok(())
    }
}

/// The core of each logical CPU. The first thread of every core comes first, then the second threads, as the
/// BIOS of these machines numbers them.
fn cores(own: &Settings, machine: &Machine) -> Vec<u16> {
    let threads = if own.hyper_threading.unwrap_or(false) {
        machine.processors.threads_per_core
    } else {
        1
    };
    let there = machine.processors.cores;
    let cores = own.cpus.unwrap_or(there).min(there);
    (0..cores * threads).map(|cpu| cpu % cores).collect()
}

fn host(
    own: &Settings,
    scenario: &Scenario,
    machine: &Machine,
    kernel: &Kernel,
    first_cpu: usize,
    core_of: &[u16],
) -> Result<Host, Unfit> {
    let count = core_of.len();
    let cores = usize::from(core_of.iter().max().map_or(0, |&core| core + 1));
    let mut code = Code::compile(kernel, machine, count > 1, scenario.seed)?;
    let mut memory = Memory::new(machine, kernel, count, cores);
    let own_objects = memory.new_objects(&code.lines[key(Per::Host)]);
    let cpu_objects = memory.new_objects(&code.lines[key(Per::Cpu)].repeat(count));
    let locks = host_locks(kernel, &code, &mut memory);
    let tick = kernel.tick();
    let setup = Setup {
        cpus: count as u16,
        core_of,
        tick,
    };
    code.sites.extend(OTHERS.map(|name| Site {
        path: None,
        function: name.to_owned(),
    }));
    code.objects.push("lock".to_owned());
    Ok(Host {
        machine: machine.clone(),
        first_cpu,
        cpu_count: count,
        tick,
        turn: Turn {
            is_taken: machine.processors.takes_turns,
            cpu: first_cpu,
            ends: SimTime::ZERO,
        },
        tasks: HostTasks::new(Scheduler::new(&kernel.scheduler, setup), kernel.preemptible),
        locks,
        memory,
        own_objects,
        cpu_objects,
        free_sockets: Vec::new(),
        file: None,
        routine: own.copy.unwrap_or(kernel.copy),
        datagram_send_buffer: scenario
            .settings
            .send_buffer(kernel)
            .unwrap_or(kernel.datagram_buffer_bytes),
        probing: Probing {
            is_on: own.probes.unwrap_or(false),
            payload_only: kernel.probes_payload_only,
            drop_reasons: kernel.has_drop_reasons,
            cost: u64::from(scenario.settings.probe_cost_ns.unwrap_or(0)) * 1_000_000,
        },
        profile: Profile::new(code.sites.len(), code.locks.len(), count),
        totals: Totals {
            tcp: TcpCounters::default(),
            least_free: u32::MAX,
            ..Totals::default()
        },
        code: Rc::new(code),
    })
}

fn host_locks(kernel: &Kernel, code: &Code, memory: &mut Memory) -> HostLocks {
    let named = |name: &str| {
        let found = code.locks.iter().position(|lock| lock == name);
        found.map(|index| index as u8)
    };
    let objects: ObjectId = memory.new_objects(&vec![(0, 1); code.locks.len()]);
    HostLocks {
        all: vec![Lock::default(); code.locks.len()],
        kernel_lock: kernel.locks.kernel.as_deref().and_then(named),
        bh_lock: kernel.locks.bottom_halves.as_deref().and_then(named),
        sockets_by_bottom_halves: kernel.locks.sockets_by_bottom_halves,
        bottom_halves_wait: false,
        objects,
    }
}

fn stack(
    own: &Settings,
    both: &Settings,
    machine: &Machine,
    kernel: &Kernel,
    tcp: TcpConfig,
    mtu: u32,
    cpus: usize,
) -> Result<Stack, Unfit> {
    let mut receive = kernel.receive.clone();
    receive.gro = both.gro.unwrap_or(receive.gro);
    let pinned = pinned(own, cpus)?;
    Ok(Stack {
        nics: Table::default(),
        queues: Table::default(),
        buses: Buses::new(machine)?,
        routing: match own.irq_affinity {
            Some(IrqAffinity::Spread) => Routing::Spread,
            Some(IrqAffinity::Cpu(_) | IrqAffinity::Fixed) | None => machine.interrupt_routing,
        },
        pinned,
        next_irq_cpu: 0,
        receive,
        rps: own.rps.unwrap_or(false),
        busy_poll: BusyPolling {
            us: own.busy_poll_us.unwrap_or(0),
            budget: kernel.receive.busy_poll_budget,
        },
        netfilter: Netfilter::of(own),
        reassembly: Reassembly::new(
            SimTime::from_ms(kernel.ip.reassembly_ms),
            kernel.ip.reassembly_bytes,
            kernel.ip.evicts_datagrams,
        ),
        listeners: Vec::new(),
        tcp,
        has_tcp_probe: kernel.has_tcp_probe,
        mtu,
        tx_queue_packets: kernel.tx_queue_packets,
        datagram_overhead: kernel.datagram_overhead_bytes,
        datagram_data: kernel.datagram_data,
        header_bytes: 40 + tcp.parameters.option_bytes,
        loopback: Offloads {
            checksum: Checksum::Nic,
            udp_checksum: Checksum::Nic,
            gso: loopback_piece(&tcp),
        },
        datagram_admission: kernel.datagram_admission,
        datagram_releases_in_batches: kernel.datagram_releases_in_batches,
        datagram_receive_buffer: both
            .receive_buffer(kernel)
            .unwrap_or(kernel.datagram_buffer_bytes),
    })
}

/// The largest packet that TCP hands to the loopback device, in bytes: whole segments, at least one
/// (`tcp_xmit_size_goal`).
fn loopback_piece(tcp: &TcpConfig) -> u32 {
    (tcp.parameters.gso_bytes / tcp.mss).max(1) * tcp.mss
}

/// The CPU that the scenario pins interrupts to, if any, and which interrupts.
fn pinned(own: &Settings, cpus: usize) -> Result<Option<Pinned>, Unfit> {
    match own.irq_affinity {
        Some(IrqAffinity::Cpu(cpu)) if usize::from(cpu) >= cpus => Err(Unfit(says::no_cpu(
            "settings.irq_affinity".to_owned(),
            CpuId(cpu),
            cpus as u64,
        ))),
        Some(IrqAffinity::Cpu(cpu)) => Ok(Some(Pinned {
            cpu,
            queue: own.irq_queue,
        })),
        _ => match own.irq_queue {
            Some(queue) => {
                let last = CpuId((cpus - 1) as u16);
                Err(Unfit(says::no_cpu_of_queue(
                    "settings.irq_queue".to_owned(),
                    queue.to_string(),
                    last,
                )))
            }
            None => Ok(None),
        },
    }
}

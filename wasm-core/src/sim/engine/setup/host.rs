//! A host: one kernel on one machine, with its memory, locks, devices and totals.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::sim::cache::{Caches, ObjectId};
use crate::sim::config::kernel::{Checksum, Kernel, Per, Receive, Routine, Slab};
use crate::sim::config::machine::{Machine, Routing};
use crate::sim::config::scenario::Scenario;
use crate::sim::config::settings::IrqAffinity;
use crate::sim::measured::{CallTime, FunctionTime};
use crate::sim::sched::{Scheduler, Setup};
use crate::sim::tcp::TcpConfig;
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::code::{Code, key};
use crate::sim::engine::execute::turns::Turn;
use crate::sim::engine::memory::piece_bytes;
use crate::sim::engine::memory::pools::Pool;
use crate::sim::engine::nic::bus::{Bus, buses};
use crate::sim::engine::nic::{Nic, Queue};
use crate::sim::engine::record::totals::Totals;
use crate::sim::engine::state::Lock;

/// System calls that are measured, by [`crate::sim::engine::state::Task::call`].
pub const CALLS: [&str; 10] = [
    "", "socket", "bind", "listen", "connect", "accept", "close", "send", "receive", "read",
];

/// A datagram that is not whole yet.
#[derive(Debug, Clone, Copy)]
pub struct Partial {
    /// Its identification.
    pub id: u32,
    /// Bytes that have come.
    pub got: u32,
    /// The first piece that came, and the last: a chain.
    pub ends: (u32, u32),
    /// Pieces.
    pub count: u32,
}

/// One kernel on one machine.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct Host {
    /// The compiled kernel.
    pub code: Rc<Code>,
    /// Its scheduler.
    pub scheduler: Scheduler,
    /// The engine's task of each of the scheduler's.
    pub task_of: Vec<u32>,
    /// Its locks.
    pub locks: Vec<Lock>,
    /// The lock that a process of an old kernel holds while it is in the kernel.
    pub kernel_lock: Option<u8>,
    /// The lock that bottom halves of an old kernel hold.
    pub bh_lock: Option<u8>,
    /// Bottom halves of a CPU that did not get it are left to do.
    pub bottom_halves_wait: bool,
    /// Objects that exist once.
    pub own_objects: ObjectId,
    /// First object of the CPUs.
    pub cpu_objects: ObjectId,
    /// A line for each lock.
    pub lock_objects: ObjectId,
    /// Its caches.
    pub caches: Caches,
    /// Objects made in them.
    pub objects_made: u32,
    /// Packet heads.
    pub heads: Pool,
    /// Packet data by size.
    pub data: Vec<Pool>,
    /// Objects of sockets that are gone.
    pub free_sockets: Vec<ObjectId>,
    /// The file that processes read, as pages in the page cache.
    pub file: Option<u32>,
    /// What there is for each of these pages: first object.
    pub page_objects: Option<ObjectId>,
    /// The hardware.
    pub machine: Machine,
    /// Its first CPU among those of all hosts.
    pub first_cpu: usize,
    /// Logical CPUs.
    pub cpu_count: usize,
    /// Whose turn it is, where CPUs take turns.
    pub turn: Turn,
    /// NICs.
    pub nics: Vec<Nic>,
    /// Receive queues of all NICs.
    pub queues: Vec<Queue>,
    /// I/O buses, as the machine's file lists them.
    pub buses: Vec<Bus>,
    /// When the memory bus is free.
    pub bus_free: SimTime,
    /// Who gets interrupts.
    pub routing: Routing,
    /// All to this CPU.
    pub irq_cpu: Option<u16>,
    /// The next CPU in turn.
    pub next_cpu: usize,
    /// Datagrams that are not whole.
    pub partials: VecDeque<Partial>,
    /// Listening sockets.
    pub listeners: Vec<u32>,
    /// Time between timer ticks.
    pub tick: SimTime,
    /// How frames come up.
    pub receive: Receive,
    /// Steer packets to the CPU of their reader.
    pub rps: bool,
    /// What TCP is set up with.
    pub tcp: TcpConfig,
    /// Largest payload of a segment in bytes.
    pub mss: u32,
    /// Device's MTU in bytes.
    pub mtu: u32,
    /// Largest piece that TCP hands down in bytes.
    pub gso: u32,
    /// Bytes of IP and TCP headers with options.
    pub header_bytes: u32,
    /// Where checksums are computed.
    pub checksum: Checksum,
    /// Where those of datagrams are.
    pub udp_checksum: Checksum,
    /// Copy routine.
    pub routine: Routine,
    /// Whether a task in the kernel can be preempted.
    pub is_preemptible: bool,
    /// Whether a waiting reader gets segments unprocessed.
    pub prequeue: bool,
    /// Segments that a packet of the receive queue takes in; 0: each stays its own.
    pub coalesced: u32,
    /// Whether segments processed in a reader's call go straight to its buffer.
    pub reader_takes_segments: bool,
    /// Whether caches cost anything.
    pub has_caches: bool,
    /// Whether probes cost time.
    pub has_probes: bool,
    /// Whether its probes do nothing for packets without payload.
    pub probes_payload_only: bool,
    /// Time of a point of the 2005 toolkit in fs; 0: the kernel's own.
    pub probe_cost: u64,
    /// `SO_RCVBUF` of TCP's sockets in bytes.
    pub receive_buffer: u32,
    /// `SO_RCVBUF` of UDP's sockets in bytes.
    pub datagram_receive_buffer: u32,
    /// `SO_SNDBUF` of UDP's sockets in bytes.
    pub datagram_send_buffer: u32,
    /// The profile: all functions of the first CPU, then those of the next.
    pub profile: Vec<FunctionTime>,
    /// Function under which waiting for locks is counted.
    pub lock_function: u16,
    /// System calls.
    pub calls: [CallTime; CALLS.len()],
    /// Totals.
    pub totals: Totals,
    /// Free buffers that a CPU fetches at once.
    pub slab_batch: u32,
    /// The same by size, where sizes differ.
    pub slab: Option<Slab>,
    /// Bytes of packet or user data that are one object in the caches.
    pub piece_bytes: u32,
    /// Memory limit of reassembly in bytes.
    pub reassembly_bytes: u32,
    /// How long a datagram may stay in pieces.
    pub reassembly_time: SimTime,
}

impl Host {
    /// A host without devices or tasks.
    #[expect(clippy::too_many_lines, reason = "one line for each field")]
    pub fn new(
        scenario: &Scenario,
        machine: &Machine,
        kernel: &Kernel,
        tcp: TcpConfig,
        mtu: u32,
        is_watched: bool,
        first_cpu: usize,
    ) -> Result<(Self, Vec<u16>), String> {
        let settings = &scenario.settings;
        let has_threads = settings.hyper_threading.unwrap_or(false) && is_watched;
        let threads = if has_threads {
            machine.processors.threads_per_core
        } else {
            1
        };
        let cores = settings
            .cpus
            .filter(|_| is_watched)
            .unwrap_or(machine.processors.cores)
            .min(machine.processors.cores);
        // Cores come first, then their second threads, as the BIOS of these machines counts.
        let core_of: Vec<u16> = (0..cores * threads).map(|cpu| cpu % cores).collect();
        let count = core_of.len();
        let mut code = Code::compile(kernel, machine, count > 1)?;
        let line = machine.cache.line_bytes.max(1);
        let lines = (machine.cache.kib * 1024 / line).max(1);
        let mut caches = Caches::new(
            &vec![lines; usize::from(cores)],
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
        let kinds = |per| code.lines[key(per)].clone();
        let own_objects = make(&kinds(Per::Host), 1);
        let cpu_objects = make(&kinds(Per::Cpu), count);
        let lock_objects = make(&[(0, 1)], code.locks.len());
        let tick = SimTime(1_000_000_000_000_000 / kernel.tick_hz);
        let setup = Setup {
            cpus: count as u16,
            core_of: &core_of,
            tick,
        };
        for name in ["user", "idle", "spin_lock"] {
            code.functions.push(name.to_owned());
        }
        code.objects.push("lock".to_owned());
        let lock_named = |name: &str| {
            let found = code.locks.iter().position(|lock| lock == name);
            found.map(|index| index as u8)
        };
        let mut receive = kernel.receive.clone();
        receive.gro = settings.gro.unwrap_or(receive.gro);
        let nic_checksum = machine.nics.first().is_some_and(|nic| nic.checksum);
        let checksum = match settings.checksum.filter(|_| is_watched) {
            Some(Checksum::Nic) if !nic_checksum => {
                return Err(
                    "settings.checksum is \"nic\", but the machine's NIC computes none; \
                     it must be \"softirq\" or \"with_copy\""
                        .to_owned(),
                );
            }
            Some(checksum) => checksum,
            None if nic_checksum => Checksum::Nic,
            None => kernel.checksum,
        };
        let has_probes = settings.probes.unwrap_or(false) && is_watched;
        let tso = machine.nics.first().map_or(0, |nic| nic.tso_bytes);
        let mss = tcp.mss;
        let host = Self {
            scheduler: Scheduler::new(&kernel.scheduler, setup),
            task_of: Vec::new(),
            locks: vec![Lock::default(); code.locks.len()],
            kernel_lock: lock_named("kernel_lock"),
            bh_lock: kernel.receive.global_lock.as_deref().and_then(lock_named),
            bottom_halves_wait: false,
            own_objects,
            cpu_objects,
            lock_objects,
            caches,
            objects_made,
            heads: kernel.slab.as_ref().map_or_else(
                || Pool::new(count, kernel.slab_batch, 0),
                |slab| Pool::new(count, slab.head_batch, slab.hot_heads),
            ),
            data: Vec::new(),
            free_sockets: Vec::new(),
            file: None,
            page_objects: None,
            first_cpu,
            cpu_count: count,
            turn: Turn {
                timer: SimTime::from_us(machine.processors.turn_timer_us),
                cpu: first_cpu,
                ends: SimTime::ZERO,
            },
            nics: Vec::new(),
            queues: Vec::new(),
            buses: buses(machine)?,
            bus_free: SimTime::ZERO,
            routing: match settings.irq_affinity.filter(|_| is_watched) {
                Some(IrqAffinity::Spread) => Routing::Spread,
                Some(IrqAffinity::Cpu(_)) => Routing::Fixed,
                Some(IrqAffinity::Fixed) | None => machine.interrupt_routing,
            },
            irq_cpu: match settings.irq_affinity.filter(|_| is_watched) {
                Some(IrqAffinity::Cpu(cpu)) if usize::from(cpu) >= count => {
                    return Err(format!(
                        "settings.irq_affinity is \"cpu{cpu}\", must be a CPU of the {count} in use"
                    ));
                }
                Some(IrqAffinity::Cpu(cpu)) => Some(cpu),
                _ => None,
            },
            next_cpu: 0,
            partials: VecDeque::new(),
            listeners: Vec::new(),
            tick,
            rps: settings.rps.unwrap_or(false) && is_watched,
            tcp,
            mss,
            mtu,
            gso: kernel.tcp.gso_bytes.min(tso).max(mss),
            header_bytes: 40 + kernel.tcp.option_bytes,
            checksum,
            udp_checksum: match (checksum, kernel.udp_checksum) {
                (Checksum::Nic, _) => Checksum::Nic,
                (_, own) => own.unwrap_or(checksum),
            },
            routine: settings.copy.filter(|_| is_watched).unwrap_or(kernel.copy),
            is_preemptible: kernel.preemptible,
            prequeue: kernel.tcp.prequeue,
            coalesced: kernel.tcp.coalesced_segments,
            reader_takes_segments: kernel.tcp.reader_takes_segments,
            has_caches: machine.cache.kib > 0,
            has_probes,
            probes_payload_only: kernel.probes_payload_only,
            probe_cost: u64::from(settings.probe_cost_ns.unwrap_or(0)) * 1_000_000,
            receive_buffer: settings
                .receive_buffer_bytes
                .unwrap_or(kernel.tcp.receive_buffer_bytes),
            datagram_receive_buffer: settings
                .receive_buffer_bytes
                .unwrap_or(kernel.datagram_buffer_bytes),
            datagram_send_buffer: settings
                .send_buffer_bytes
                .unwrap_or(kernel.datagram_buffer_bytes),
            profile: vec![FunctionTime::default(); code.functions.len() * count],
            lock_function: (code.functions.len() - 1) as u16,
            calls: [CallTime::default(); CALLS.len()],
            totals: Totals {
                least_free: u32::MAX,
                ..Totals::default()
            },
            slab_batch: kernel.slab_batch,
            slab: kernel.slab.clone(),
            piece_bytes: piece_bytes(line),
            reassembly_bytes: kernel.ip.reassembly_bytes,
            reassembly_time: SimTime::from_ms(kernel.ip.reassembly_ms),
            receive,
            machine: machine.clone(),
            code: Rc::new(code),
        };
        Ok((host, core_of))
    }

    /// "Function" of user code in the profile: without time, which is measured by itself.
    pub fn user_function(&self) -> u16 {
        self.lock_function - 2
    }

    /// "Function" of idle CPUs.
    pub fn idle_function(&self) -> u16 {
        self.lock_function - 1
    }

    /// A function's line in the profile of a CPU.
    pub fn profile_of(&mut self, local: u16, function: u16) -> &mut FunctionTime {
        let row = usize::from(local) * self.code.functions.len();
        &mut self.profile[row + usize::from(function)]
    }

    /// Data buffers of so many bytes that are fetched at once; 0: one by one.
    pub fn data_batch(&self, bytes: u32) -> u32 {
        let Some(slab) = &self.slab else {
            return self.slab_batch;
        };
        let class = slab
            .data_batches
            .iter()
            .find(|class| bytes <= class.up_to_bytes);
        class.map_or(0, |class| class.batch)
    }
}

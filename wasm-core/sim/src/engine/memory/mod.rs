//! Memory: the caches of a host, its allocator for packets, and what accessing a line costs.
//!
//! The machine says what a line costs; [`crate::cache`] says which lines move.

pub mod first;
pub mod instructions;
pub mod pools;
pub mod skbuff;
pub mod sock;

use crate::cache::{Accessed, Caches, ObjectId};
use crate::config::kernel::{Kernel, Slab};
use crate::config::machine::{Cache, Machine};
use crate::engine::core::Core;
use crate::engine::cpu::charge::slot;
use crate::engine::cpu::op::About;
use crate::engine::ids::{BufferId, SkbId};
use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

use first::FirstCache;
use instructions::InstructionCache;
use pools::Pool;
use skbuff::Buffer;

/// Bytes of a page of memory.
const PAGE: u32 = 4096;
/// Bytes of a line where no cache has any.
const LINE: u32 = 64;
/// Most lines of an object in the caches.
const MOST_LINES: u32 = 64;

/// The memory of a host.
#[derive(Debug)]
pub struct Memory {
    /// Its caches.
    pub caches: Caches,
    /// Whether caches cost anything.
    pub has_caches: bool,
    /// Those of instructions, of each core; none where code costs what its steps say.
    pub instructions: Vec<InstructionCache>,
    /// Their first caches of data, of each core; none where a copy costs the same from each.
    pub first: Vec<FirstCache>,
    /// Packet heads.
    pub heads: Pool<SkbId>,
    /// Bytes of packet or user data that are one object in the caches: a page, or as many lines
    /// as an object can have.
    pub piece_bytes: u32,
    /// Packet data by size: of one page, two, four.
    data: Vec<Pool<BufferId>>,
    objects_made: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// When the bus that all cores share is free.
    bus_free: SimTime,
    cpus: usize,
    /// Free objects that a CPU's `array_cache` fetches at once.
    batch: u32,
    /// The same by size, where sizes differ.
    slab: Option<Slab>,
}

/// Costs of an access in cycles, by cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Price {
    /// Misses.
    fill: u64,
    /// Cache-to-cache transfers and upgrades.
    moves: u64,
    /// Waiting for the bus.
    bus: u64,
}

impl Memory {
    /// The memory of a machine that so many CPUs and cores share.
    pub fn new(machine: &Machine, kernel: &Kernel, cpus: usize, cores: usize) -> Self {
        let cache = machine.cache.as_ref();
        let line_bytes = cache.map_or(LINE, |cache| cache.line_bytes);
        let lines = cache.map_or(1, |cache| cache.lines().max(1));
        let shared = cache.map_or(0, |cache| cache.shared_kib * 1024 / line_bytes);
        let clean_lines_move = cache.is_some_and(|cache| cache.clean_lines_move);
        let instructions = cache.and_then(|cache| cache.instructions);
        let first = cache.and_then(|cache| cache.data);
        Self {
            caches: Caches::new(&vec![lines; cores], clean_lines_move).with_shared(shared),
            has_caches: cache.is_some(),
            instructions: instructions
                .map_or_else(Vec::new, |of| vec![InstructionCache::new(of); cores]),
            first: first.map_or_else(Vec::new, |of| vec![FirstCache::new(of, line_bytes); cores]),
            heads: kernel.slab.as_ref().map_or_else(
                || Pool::new(cpus, kernel.slab_batch, 0),
                |slab| Pool::new(cpus, slab.head_batch, slab.hot_heads),
            ),
            piece_bytes: (line_bytes * MOST_LINES).min(PAGE),
            data: Vec::new(),
            objects_made: 0,
            line_bytes,
            bus_free: SimTime::ZERO,
            cpus,
            batch: kernel.slab_batch,
            slab: kernel.slab.clone(),
        }
    }

    /// Objects in a row, with the lines that these kinds have.
    pub fn new_objects(&mut self, kinds: &[(u8, u8)]) -> ObjectId {
        let first = ObjectId(self.objects_made);
        for &(_, lines) in kinds {
            self.caches.object(lines);
            self.objects_made += 1;
        }
        first
    }

    /// Pages in a row.
    pub fn new_pages(&mut self, pages: u32) -> ObjectId {
        let lines = (self.piece_bytes / self.line_bytes) as u8;
        self.new_objects(&vec![(0, lines); pages as usize])
    }

    /// The stock of data of so many pages, a power of two.
    fn data_pool(&mut self, pages: u32) -> &mut Pool<BufferId> {
        let class = pages.trailing_zeros() as usize;
        while self.data.len() <= class {
            let batch = self.data_batch(self.piece_bytes << self.data.len());
            self.data.push(Pool::new(self.cpus, batch, 0));
        }
        &mut self.data[class]
    }

    /// Data buffers of so many bytes that are fetched at once; 0: one by one.
    fn data_batch(&self, bytes: u32) -> u32 {
        let Some(slab) = &self.slab else {
            return self.batch;
        };
        let mut classes = slab.data_batches.iter();
        let class = classes.find(|class| bytes <= class.up_to_bytes);
        class.map_or(0, |class| class.batch)
    }

    /// The cost of an access at the prices of a machine. The access also occupies the bus. `stream`
    /// is the price of a line of packet or user data, where it differs from that of other lines.
    fn price(
        &mut self,
        cache: &Cache,
        accessed: Accessed,
        is_write: bool,
        stream: Option<u32>,
        now: SimTime,
        cycle: u64,
    ) -> Price {
        let miss = stream.unwrap_or(if is_write {
            cache.memory_write_cycles
        } else {
            cache.memory_read_cycles
        });
        let near = if stream.is_some() {
            cache.shared_stream_cycles
        } else {
            cache.shared_read_cycles
        };
        let scattered = if is_write {
            cache.transfer_write_cycles
        } else {
            cache.transfer_read_cycles
        };
        let sequential = stream.and(cache.transfer_stream_cycles);
        let transfer = sequential.unwrap_or(scattered);
        let upgrade = sequential.unwrap_or(cache.upgrade_cycles);
        let mut bus = 0;
        if cache.bus_cycles_per_line > 0 {
            // One line after the other.
            let lines = u64::from(accessed.misses + accessed.transfers);
            let start = self.bus_free.max(now);
            self.bus_free.0 = start.0 + lines * u64::from(cache.bus_cycles_per_line) * cycle;
            bus = start.since(now).0 / cycle;
        }
        Price {
            fill: u64::from(accessed.misses - accessed.from_shared) * u64::from(miss)
                + u64::from(accessed.from_shared) * u64::from(near),
            moves: u64::from(accessed.transfers) * u64::from(transfer)
                + u64::from(accessed.upgrades) * u64::from(upgrade),
            bus,
        }
    }
}

/// An access to the lines of one object, or of several in a row.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Whether it writes.
    pub is_write: bool,
    /// The object's name, an index into the kernel's objects.
    pub name: u8,
    /// The function that does it.
    pub site: u16,
    /// What the step is about.
    pub about: About,
    /// What a line from memory costs of `memory_read_cycles` in permille, for a copy; 0: as much
    /// as the machine says.
    pub stream_permille: u32,
}

impl Core {
    /// Accesses one object and records the lines that moved; the cost in fs.
    pub fn access(&mut self, cpu: usize, id: ObjectId, access: Access) -> u64 {
        let Access { is_write, name, .. } = access;
        let state = &self.cpus[cpu];
        let host = &mut self.hosts[state.host];
        if !host.memory.has_caches {
            return 0;
        }
        let accessed = host.memory.caches.access(state.cache, id, is_write);
        if accessed.misses + accessed.transfers + accessed.upgrades == 0 {
            if is_write {
                self.tell_states(self.cpus[cpu].host, id);
            }
            return 0;
        }
        self.credit_lines(cpu, id, name, accessed);
        let cost = self.priced(cpu, accessed, access);
        self.tell_evictions();
        cost
    }

    /// The cost in fs of an access's misses, transfers and upgrades, which are recorded.
    pub fn priced(&mut self, cpu: usize, accessed: Accessed, access: Access) -> u64 {
        let host = self.cpus[cpu].host;
        let now = self.now();
        self.tell_changes();
        let (leaving, entering) = self.states_of_move();
        let state = &mut self.hosts[host];
        let Some(cache) = &state.machine.cache else {
            return 0;
        };
        let stream = match (access.stream_permille, cache.stream_read_cycles) {
            (0, 0) => None,
            (0, cycles) => Some(cycles),
            (permille, _) => {
                let cycles = u64::from(cache.memory_read_cycles) * u64::from(permille) / 1000;
                Some(u32::try_from(cycles).unwrap_or(u32::MAX))
            }
        };
        let stream = stream.filter(|_| access.name < 2);
        let cycle = state.code.cycle;
        let Price { fill, moves, bus } =
            state
                .memory
                .price(cache, accessed, access.is_write, stream, now, cycle);
        let local = self.cpus[cpu].local;
        let lines = accessed.misses + accessed.transfers;
        let context = slot(self.cpus[cpu].context());
        state.profile.of(local, access.site).lines[context] += u64::from(lines);
        state.totals.lines_moved += u64::from(accessed.transfers);
        let cost = (fill + moves + bus) * cycle;
        let about = access.about;
        if accessed.transfers > 0 && self.emit(cpu, Probe::CacheLineMove, about) {
            let from = self.cpu_of_cache(host, accessed.from_cache);
            self.field(Field::FromCpu, from);
            self.field(Field::Lines, accessed.transfers);
            self.field(Field::Cycles, moves as u32);
            self.object_field(host, access.name);
            if accessed.source_keeps {
                self.field(Field::Clone, 1);
            } else if let Some(leaving) = leaving {
                self.state_field(Field::Oldstate, leaving);
            }
            if let Some(entering) = entering {
                self.state_field(Field::Newstate, entering);
            }
        }
        if accessed.misses > 0 && self.emit(cpu, Probe::CacheLineFill, about) {
            self.field(Field::Lines, accessed.misses);
            self.field(Field::Cycles, fill as u32);
            self.object_field(host, access.name);
            if let Some(entering) = entering {
                self.state_field(Field::Newstate, entering);
            }
        }
        cost
    }

    /// A device has written the first bytes of a buffer: no cache has them any more.
    pub fn written_by_dma(&mut self, host: usize, buffer: BufferId, bytes: u32) {
        let memory = &mut self.hosts[host].memory;
        if !memory.has_caches {
            return;
        }
        let Buffer { first, pages, .. } = self.buffers[buffer];
        let (line, piece) = (memory.line_bytes, memory.piece_bytes);
        for page in 0..pages.min(bytes.div_ceil(piece)) {
            let id = ObjectId(first.0 + page);
            let used = (bytes - page * piece).min(piece).div_ceil(line);
            memory.caches.set_lines(id, used as u8);
            memory.caches.dma_write(id);
        }
        if host == 0 {
            self.tell_evictions();
        }
    }

    /// A device has read a buffer: changed lines were written back on the way.
    pub fn read_by_dma(&mut self, host: usize, buffer: BufferId) {
        if !self.hosts[host].memory.has_caches {
            return;
        }
        let Buffer { first, pages, .. } = self.buffers[buffer];
        for page in 0..pages {
            let id = ObjectId(first.0 + page);
            self.hosts[host].memory.caches.dma_read(id);
            self.tell_states(host, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::catalogue::Catalogue;

    /// What four lines that change hands cost for writing, in cycles a line: of a socket, of a packet's data.
    fn handed(accessed: Accessed) -> (u64, u64) {
        let catalogue = Catalogue::shipped().unwrap();
        let machine = catalogue.machine("xeon-emerald-rapids-vm").unwrap();
        let cache = machine.cache.as_ref().unwrap();
        let kernel = catalogue.kernel("6.18").unwrap();
        let each = |stream| {
            let mut memory = Memory::new(machine, kernel, 2, 2);
            let price = memory.price(cache, accessed, true, stream, SimTime::ZERO, 1);
            price.moves / 4
        };
        (each(None), each(Some(cache.stream_read_cycles)))
    }

    #[test]
    fn what_a_copy_writes_into_comes_in_a_row_whoever_has_it() {
        let changed = Accessed {
            transfers: 4,
            ..Accessed::default()
        };
        assert_eq!(handed(changed), (189, 12));
        let shared = Accessed {
            upgrades: 4,
            ..Accessed::default()
        };
        assert_eq!(handed(shared), (219, 12));
    }
}

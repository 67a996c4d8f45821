//! Memory: what a step's touches cost, line by line, in the caches of its host.
//!
//! A price is the machine's; which lines move is the business of [`crate::sim::cache`].

pub(crate) mod copies;
pub(crate) mod pools;

use crate::kernel::Field;
use crate::kernel::Probe;
use crate::sim::cache::{NO_CACHE, ObjectId, Touch};
use crate::sim::config::kernel::Per;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::{Path, Place, Ready, key};
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::process::page_of_file;
use crate::sim::engine::state::{Buffer, LOOPBACK, LockId, NONE};

/// Bytes of a page of memory.
const PAGE: u32 = 4096;
/// Most lines of an object in the caches.
const MOST_LINES: u32 = 64;

/// Packet data and user buffers are cached in pieces of a page, or as many lines as an
/// object can have; in bytes.
pub(crate) fn piece_bytes(line_bytes: u32) -> u32 {
    (line_bytes * MOST_LINES).min(PAGE)
}

impl Engine {
    /// What touching everything that the step names costs, in fs.
    pub(crate) fn touch_step(&mut self, cpu: usize, step: &Ready, op: Op) -> u64 {
        let function = step.function;
        let mut cost = 0;
        let host = usize::from(self.cpus[cpu].host);
        if self.hosts[host].has_caches {
            for touch in &step.touches {
                let Place::Declared(per, which) = touch.place else {
                    continue;
                };
                if let Some(id) = self.object(cpu, per, which, op) {
                    cost += self.touch(cpu, id, touch.is_write, touch.object, function, op);
                }
            }
        }
        if let Some(copy) = step.copy {
            cost += self.copy(cpu, copy, function, op);
        }
        cost
    }

    #[inline]
    fn object(&self, cpu: usize, per: Per, which: u8, op: Op) -> Option<ObjectId> {
        let which = u32::from(which);
        // Waking is about the task that wakes, and the queue of its CPU.
        let (cpu, task) = if op.act == OpKind::Run(Path::WakeUp) {
            (usize::from(self.tasks[op.arg as usize].cpu), op.arg)
        } else {
            (cpu, self.cpus[cpu].current)
        };
        let state = &self.cpus[cpu];
        let host = &self.hosts[usize::from(state.host)];
        let base = match per {
            Per::Host => host.own_objects,
            Per::Cpu => {
                let kinds = host.code.lines[key(Per::Cpu)].len() as u32;
                ObjectId(host.cpu_objects.0 + u32::from(state.local) * kinds)
            }
            Per::Socket if op.sock != NONE => self.sockets[op.sock as usize].objects,
            Per::Packet if op.pkt != NONE => self.packets[op.pkt as usize].head,
            Per::Task if task != NONE => self.tasks[task as usize].objects,
            Per::Queue => host.queues.get(self.queue_of(cpu, op)?)?.objects,
            Per::Page if state.current != NONE && op.sock == NONE => {
                let kinds = host.code.lines[key(Per::Page)].len() as u32;
                let at = self.tasks[state.current as usize].file_at;
                ObjectId(host.page_objects?.0 + page_of_file(at) * kinds)
            }
            Per::Socket | Per::Packet | Per::Task | Per::Page => return None,
        };
        Some(ObjectId(base.0 + which))
    }

    /// The queue that a step is about: that of the packet's flow, or the one whose driver runs.
    fn queue_of(&self, cpu: usize, op: Op) -> Option<usize> {
        let device = usize::from(self.cpus[cpu].device);
        if op.pkt == NONE {
            return Some(device);
        }
        let packet = &self.packets[op.pkt as usize];
        if packet.from == NONE {
            // A buffer for a descriptor.
            return Some(device);
        }
        if packet.nic == LOOPBACK {
            return None;
        }
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let nic = &host.nics[usize::from(packet.nic)];
        let flow = self.sockets[packet.from as usize].flow;
        Some(usize::from(nic.first_queue) + (flow % u32::from(nic.queues)) as usize)
    }

    /// Touches one object and tells what moved.
    fn touch(
        &mut self,
        cpu: usize,
        id: ObjectId,
        is_write: bool,
        name: u8,
        function: u16,
        op: Op,
    ) -> u64 {
        let state = &self.cpus[cpu];
        let host = &mut self.hosts[usize::from(state.host)];
        if !host.has_caches {
            return 0;
        }
        let touch = host.caches.touch(state.cache, id, is_write);
        if touch.filled + touch.moved + touch.upgraded == 0 {
            if is_write {
                self.tell_states(usize::from(self.cpus[cpu].host), id);
            }
            return 0;
        }
        self.credit_lines(cpu, id, name, touch);
        let cost = self.priced(cpu, touch, is_write, name, function, op);
        self.tell_evictions();
        cost
    }

    pub(crate) fn priced(
        &mut self,
        cpu: usize,
        touch: Touch,
        is_write: bool,
        name: u8,
        function: u16,
        op: Op,
    ) -> u64 {
        let host = usize::from(self.cpus[cpu].host);
        let now = self.now;
        self.tell_changes();
        let (leaving, entering) = self.states_of_move();
        let state = &mut self.hosts[host];
        let cache = &state.machine.cache;
        let is_stream = name < 2 && cache.stream_read_cycles > 0;
        let fill = match (is_stream, is_write) {
            (true, _) if self.stream_permille > 0 => {
                cache.memory_read_cycles * self.stream_permille / 1000
            }
            (true, _) => cache.stream_read_cycles,
            (false, true) => cache.memory_write_cycles,
            (false, false) => cache.memory_read_cycles,
        };
        let transfer = if is_write {
            cache.transfer_write_cycles
        } else {
            cache.transfer_read_cycles
        };
        let fill = u64::from(touch.filled) * u64::from(fill);
        let moves = u64::from(touch.moved) * u64::from(transfer)
            + u64::from(touch.upgraded) * u64::from(cache.upgrade_cycles);
        let lines = touch.filled + touch.moved;
        let bus_cycles = u64::from(cache.bus_cycles_per_line);
        let local = self.cpus[cpu].local;
        state.profile_of(local, function).lines += u64::from(lines);
        let mut cycles = fill + moves;
        // The bus that all cores share takes one line after the other.
        if bus_cycles > 0 {
            let start = state.bus_free.max(now);
            let busy = u64::from(lines) * bus_cycles;
            state.bus_free.0 = start.0 + busy * state.code.cycle;
            cycles += start.since(now).0 / state.code.cycle;
        }
        let cost = cycles * state.code.cycle;
        state.totals.lines_moved += u64::from(touch.moved);
        if touch.moved > 0 && self.emit(cpu, Probe::CacheLineMove, op.pkt, op.sock) {
            let from = self.cpu_of_cache(host, touch.from_cache);
            self.record.field(Field::FromCpu, from);
            self.record.field(Field::Lines, touch.moved);
            self.record.field(Field::Cycles, moves as u32);
            let name = self.object_name(host, name);
            self.record.field(Field::Object, name);
            if touch.source_keeps {
                self.record.field(Field::Clone, 1);
            } else if let Some(leaving) = leaving {
                self.tell_state(Field::Oldstate, leaving);
            }
            if let Some(entering) = entering {
                self.tell_state(Field::Newstate, entering);
            }
        }
        if touch.filled > 0 && self.emit(cpu, Probe::CacheLineFill, op.pkt, op.sock) {
            self.record.field(Field::Lines, touch.filled);
            self.record.field(Field::Cycles, fill as u32);
            let name = self.object_name(host, name);
            self.record.field(Field::Object, name);
            if let Some(entering) = entering {
                self.tell_state(Field::Newstate, entering);
            }
        }
        cost
    }

    pub(crate) fn object_name(&mut self, host: usize, name: u8) -> u32 {
        self.record.object(name, &self.hosts[host].code.objects)
    }

    pub(crate) fn cpu_of_cache(&self, host: usize, cache: u8) -> u32 {
        if cache == NO_CACHE {
            return u32::from(u16::MAX);
        }
        let first = self.hosts[host].first_cpu;
        self.cpus[first..first + self.hosts[host].cpu_count]
            .iter()
            .position(|cpu| cpu.cache == cache)
            .unwrap_or(0) as u32
    }

    /// The line of a lock moves to who takes it.
    pub(crate) fn touch_lock(&mut self, cpu: usize, id: LockId) -> u64 {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let object = match id {
            LockId::Host(_, index) => ObjectId(host.lock_objects.0 + u32::from(index)),
            LockId::Socket(sock) => {
                let kinds = host.code.lines[key(Per::Socket)].len() as u32;
                ObjectId(self.sockets[sock as usize].objects.0 + kinds)
            }
        };
        let name = (host.code.objects.len() - 1) as u8;
        let function = host.lock_function;
        let nothing = Op::run(Path::Schedule, NONE, NONE, 0);
        self.touch(cpu, object, true, name, function, nothing)
    }

    /// A device has written the first bytes of a buffer: no cache has them any more.
    pub(crate) fn written_by_dma(&mut self, host: usize, buffer: u32, bytes: u32) {
        if !self.hosts[host].has_caches || buffer == NONE {
            return;
        }
        let Buffer { first, pages, .. } = self.buffers[buffer as usize];
        let state = &mut self.hosts[host];
        let (line, piece) = (state.machine.cache.line_bytes, state.piece_bytes);
        for page in 0..pages.min(bytes.div_ceil(piece)) {
            let id = ObjectId(first.0 + page);
            let used = (bytes - page * piece).min(piece).div_ceil(line);
            state.caches.set_lines(id, used as u8);
            state.caches.dma_write(id);
        }
        if host == 0 {
            self.tell_evictions();
        }
    }

    /// A device has read a buffer: changed lines were written back on the way.
    pub(crate) fn read_by_dma(&mut self, host: usize, buffer: u32) {
        if !self.hosts[host].has_caches || buffer == NONE {
            return;
        }
        let Buffer { first, pages, .. } = self.buffers[buffer as usize];
        for page in 0..pages {
            let id = ObjectId(first.0 + page);
            self.hosts[host].caches.dma_read(id);
            self.tell_states(host, id);
        }
    }
}

//! Memory: what a step's touches cost, packet heads and data from per-CPU pools.
//!
//! Simplified here: the slab allocator is a stack of free objects for each CPU with
//! a shared one behind it; Linux has slabs, magazines and colours. A learner sees
//! the same thing that matters for caches: memory freed on one CPU is soon written
//! on another.

use crate::kernel::Field;
use crate::kernel::Probe;
use crate::sim::cache::{NO_CACHE, ObjectId, Touch};
use crate::sim::config::kernel::{Copying, Per, Routine};

use super::Engine;
use super::code::{Path, Place, key};
use super::state::{Buffer, LockId, NONE, Op, Packet};

/// Bytes of a page: packet data and user buffers are cached by the page.
const PAGE: u32 = 4096;

/// Free things, some near each CPU.
#[derive(Debug, Default)]
pub struct Pool {
    near: Vec<Vec<u32>>,
    shared: Vec<u32>,
    batch: usize,
}

impl Pool {
    /// Empty pools for so many CPUs.
    pub fn new(cpus: usize, batch: u32) -> Self {
        Self {
            near: vec![Vec::new(); cpus],
            shared: Vec::new(),
            batch: batch.max(1) as usize,
        }
    }

    fn take(&mut self, cpu: usize) -> Option<u32> {
        if self.near[cpu].is_empty() {
            let keep = self.shared.len().saturating_sub(self.batch);
            self.near[cpu].extend(self.shared.drain(keep..));
        }
        self.near[cpu].pop()
    }

    fn give(&mut self, cpu: usize, free: u32) {
        self.near[cpu].push(free);
        if self.near[cpu].len() > 2 * self.batch {
            self.shared.extend(self.near[cpu].drain(..self.batch));
        }
    }
}

impl Engine {
    /// What touching everything that the step names costs, in fs.
    pub(super) fn touch_step(&mut self, cpu: usize, path: Path, op: Op) -> u64 {
        let step = &self.host.code.paths[path as usize][usize::from(op.at)];
        let (function, copy) = (step.function, step.copy);
        let mut cost = 0;
        if !self.has_caches && copy.is_none() {
            return 0;
        }
        for index in 0..step.touches.len() {
            let touch = self.host.code.paths[path as usize][usize::from(op.at)].touches[index];
            let Place::Declared(per, which) = touch.place else {
                continue;
            };
            if let Some(id) = self.object(cpu, per, which, op) {
                cost += self.touch(cpu, id, touch.is_write, touch.object, function, op);
            }
        }
        if let Some(copy) = copy {
            cost += self.copy(cpu, copy, function, op);
        }
        cost
    }

    fn object(&self, cpu: usize, per: Per, which: u8, op: Op) -> Option<ObjectId> {
        let which = u32::from(which);
        let base = match per {
            Per::Host => self.host.own_objects,
            Per::Cpu => {
                let kinds = self.host.code.lines.get(&key(Per::Cpu)).map_or(0, Vec::len);
                ObjectId(self.host.cpu_objects.0 + cpu as u32 * kinds as u32)
            }
            Per::Socket if op.sock != NONE => self.sockets[op.sock as usize].objects,
            Per::Packet if op.pkt != NONE => self.packets[op.pkt as usize].head,
            Per::Task if self.cpus[cpu].current != NONE => {
                self.tasks[self.cpus[cpu].current as usize].objects
            }
            Per::Socket | Per::Packet | Per::Task | Per::Queue => return None,
        };
        Some(ObjectId(base.0 + which))
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
        if !self.has_caches {
            return 0;
        }
        let touch = self.caches.touch(self.cpus[cpu].cache, id, is_write);
        if touch.filled + touch.moved + touch.upgraded == 0 {
            return 0;
        }
        self.priced(cpu, touch, is_write, name, function, op)
    }

    fn priced(
        &mut self,
        cpu: usize,
        touch: Touch,
        is_write: bool,
        name: u8,
        function: u16,
        op: Op,
    ) -> u64 {
        let cache = &self.machine.cache;
        let is_stream = name < 2 && cache.stream_read_cycles > 0;
        let fill = match (is_stream, is_write) {
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
        self.profile[usize::from(function)].lines += u64::from(lines);
        let mut cycles = fill + moves;
        // The bus that all cores share takes one line after the other.
        if cache.bus_cycles_per_line > 0 {
            let start = self.bus_free.max(self.now);
            let busy = u64::from(lines) * u64::from(cache.bus_cycles_per_line);
            self.bus_free.0 = start.0 + busy * self.host.code.cycle;
            cycles += start.since(self.now).0 / self.host.code.cycle;
        }
        if touch.moved > 0 {
            self.lines_moved += u64::from(touch.moved);
            if self.emit(cpu, Probe::CacheLineMove, op.pkt, op.sock) {
                let from = self.cpu_of_cache(touch.from_cache);
                self.record.field(Field::FromCpu, from);
                self.record.field(Field::Lines, touch.moved);
                self.record.field(Field::Cycles, moves as u32);
                let name = self.record.name(&self.host.code.objects[usize::from(name)]);
                self.record.field(Field::Object, name);
                if touch.source_keeps {
                    self.record.field(Field::Clone, 1);
                }
            }
        }
        if touch.filled > 0 && self.emit(cpu, Probe::CacheLineFill, op.pkt, op.sock) {
            self.record.field(Field::Lines, touch.filled);
            self.record.field(Field::Cycles, fill as u32);
            let name = self.record.name(&self.host.code.objects[usize::from(name)]);
            self.record.field(Field::Object, name);
        }
        cycles * self.host.code.cycle
    }

    fn cpu_of_cache(&self, cache: u8) -> u32 {
        if cache == NO_CACHE {
            return u32::from(u16::MAX);
        }
        self.cpus
            .iter()
            .position(|cpu| cpu.cache == cache)
            .unwrap_or(0) as u32
    }

    /// The line of a lock moves to who takes it.
    pub(super) fn touch_lock(&mut self, cpu: usize, id: LockId) -> u64 {
        let object = match id {
            LockId::Host(index) => ObjectId(self.host.lock_objects.0 + u32::from(index)),
            LockId::Socket(sock) => {
                let kinds = self
                    .host
                    .code
                    .lines
                    .get(&key(Per::Socket))
                    .map_or(0, Vec::len);
                ObjectId(self.sockets[sock as usize].objects.0 + kinds as u32)
            }
        };
        let name = (self.host.code.objects.len() - 1) as u8;
        self.touch(
            cpu,
            object,
            true,
            name,
            self.lock_function,
            Op::run(Path::Schedule, NONE, NONE, 0),
        )
    }

    // ---- copies -------------------------------------------------------------------

    fn copy(&mut self, cpu: usize, copying: Copying, function: u16, op: Op) -> u64 {
        let rates = &self.machine.copy;
        let is_aligned = self.is_aligned;
        let plain = match (self.routine, is_aligned) {
            (Routine::Movsd, true) => rates.movsd_aligned,
            (Routine::Movsd, false) => rates.movsd_unaligned,
            (Routine::Integer, true) => rates.integer_aligned,
            (Routine::Integer, false) => rates.integer_unaligned,
        };
        let rate = match copying {
            Copying::FromUser | Copying::ToUser | Copying::FromDevice => plain,
            Copying::Checksum => rates.checksum,
            Copying::ChecksumToUser | Copying::ChecksumFromUser | Copying::ToDevice => {
                rates.checksum_and_copy
            }
        };
        let cycles = u64::from(rate.start_cycles)
            + u64::from(op.arg) * u64::from(rate.cycles_per_kib) / 1024;
        let mut cost = cycles * self.host.code.cycle;
        if !self.has_caches {
            return cost;
        }
        let (reads_user, writes_user) = match copying {
            Copying::FromUser | Copying::ChecksumFromUser => (true, false),
            Copying::ToUser | Copying::ChecksumToUser => (false, true),
            Copying::Checksum | Copying::FromDevice | Copying::ToDevice => (false, false),
        };
        let (buffer, offset) = self.span(op);
        if buffer != NONE {
            // A segment cut across two pieces of the write queue counts as far as the first goes.
            let Buffer { first, pages, .. } = self.buffers[buffer as usize];
            let bytes = op.arg.min((pages * PAGE).saturating_sub(offset));
            cost += self.touch_bytes(cpu, first, offset, bytes, reads_user, 0, function, op);
        }
        let current = self.cpus[cpu].current;
        if (reads_user || writes_user) && current != NONE {
            let task = &self.tasks[current as usize];
            let (first, pages) = task.user;
            let offset = task.moved % (pages * PAGE);
            let bytes = op.arg.min(pages * PAGE - offset);
            cost += self.touch_bytes(cpu, first, offset, bytes, writes_user, 1, function, op);
        }
        cost
    }

    /// The data that a copy concerns: the packet's next bytes, or the tail of the write queue.
    fn span(&self, op: Op) -> (u32, u32) {
        if op.pkt != NONE {
            let packet = &self.packets[op.pkt as usize];
            let read = packet.segment.len.saturating_sub(packet.unread);
            return (packet.buffer, packet.offset + read);
        }
        self.sockets[op.sock as usize]
            .chunks
            .back()
            .map_or((NONE, 0), |chunk| (chunk.buffer, chunk.len))
    }

    #[allow(clippy::too_many_arguments, reason = "a touch is about all of these")]
    fn touch_bytes(
        &mut self,
        cpu: usize,
        first: ObjectId,
        offset: u32,
        bytes: u32,
        is_write: bool,
        name: u8,
        function: u16,
        op: Op,
    ) -> u64 {
        let line = self.machine.cache.line_bytes;
        let (mut at, end) = (offset, offset + bytes);
        let mut sum = Touch::default();
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            let lines = (stop - at).div_ceil(line);
            let id = ObjectId(first.0 + page);
            let whole = self.caches.touch(self.cpus[cpu].cache, id, is_write);
            // The page moves as a whole; a part of it costs its part.
            let all = whole.hit + whole.filled + whole.moved + whole.upgraded;
            sum.add(part(whole, lines, all.max(1)));
            at = stop;
        }
        if sum.filled + sum.moved + sum.upgraded == 0 {
            return 0;
        }
        self.priced(cpu, sum, is_write, name, function, op)
    }

    // ---- allocation ---------------------------------------------------------------

    /// A packet head.
    pub(super) fn alloc_packet(&mut self, cpu: usize, packet: Packet) -> u32 {
        if let Some(free) = self.heads.take(cpu) {
            let old = self.packets[free as usize];
            self.packets[free as usize] = Packet {
                head: old.head,
                address: old.address,
                ..packet
            };
            return free;
        }
        let kinds = self
            .host
            .code
            .lines
            .get(&key(Per::Packet))
            .cloned()
            .unwrap_or_default();
        let head = self.new_objects(&kinds);
        let index = self.packets.len() as u32;
        let address = self
            .record
            .address(0xffff_8000_0000 + u64::from(index) * 256);
        self.packets.push(Packet {
            head,
            address,
            ..packet
        });
        index
    }

    /// A packet is freed, and with it its share of the data.
    pub(super) fn free_packet(&mut self, cpu: usize, pkt: u32) {
        let buffer = self.packets[pkt as usize].buffer;
        self.heads.give(cpu, pkt);
        self.free_buffer(cpu, buffer);
    }

    /// Data memory for so many bytes.
    pub(super) fn alloc_buffer(&mut self, cpu: usize, bytes: u32) -> u32 {
        let pages = bytes.div_ceil(PAGE).max(1).next_power_of_two();
        let class = pages.trailing_zeros() as usize;
        while self.data.len() <= class {
            self.data.push(Pool::new(self.cpus.len(), self.slab_batch));
        }
        if let Some(free) = self.data[class].take(cpu) {
            self.buffers[free as usize].refs = 1;
            return free;
        }
        let lines = (PAGE / self.machine.cache.line_bytes).min(64) as u8;
        let first = self.new_objects(&vec![(0, lines); pages as usize]);
        self.buffers.push(Buffer {
            first,
            pages,
            refs: 1,
        });
        self.buffers.len() as u32 - 1
    }

    /// One user less.
    pub(super) fn free_buffer(&mut self, cpu: usize, buffer: u32) {
        if buffer == NONE {
            return;
        }
        let state = &mut self.buffers[buffer as usize];
        state.refs -= 1;
        if state.refs == 0 {
            let class = state.pages.trailing_zeros() as usize;
            self.data[class].give(cpu, buffer);
        }
    }

    /// Objects in a row, with these lines.
    pub(super) fn new_objects(&mut self, kinds: &[(u8, u8)]) -> ObjectId {
        let first = ObjectId(self.objects_made);
        for &(_, lines) in kinds {
            self.caches.object(lines);
            self.objects_made += 1;
        }
        first
    }
}

/// A part of a touch: `lines` of `all`.
fn part(whole: Touch, lines: u32, all: u32) -> Touch {
    let share = |count: u32| (count * lines).div_ceil(all).min(count);
    Touch {
        hit: share(whole.hit),
        filled: share(whole.filled),
        moved: share(whole.moved),
        upgraded: share(whole.upgraded),
        ..whole
    }
}

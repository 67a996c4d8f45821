//! Memory: what a step's touches cost, packet heads and data from per-CPU pools.
//!
//! Simplified here: the slab allocator is a stack of free objects for each CPU with
//! a shared one behind it; Linux has slabs, magazines and colours. A learner sees
//! the same thing that matters for caches: memory freed on one CPU is soon written
//! on another.

use crate::kernel::Field;
use crate::kernel::Probe;
use crate::sim::cache::{NO_CACHE, ObjectId, Touch};
use crate::sim::config::kernel::{Checksum, Copying, Per, Routine};

use super::Engine;
use super::code::{Path, Place, Ready, key};
use super::process::page_of_file;
use super::state::{Buffer, LOOPBACK, LockId, NONE, Op, OpKind, Packet};

/// Bytes of a page of memory.
const PAGE: u32 = 4096;
/// Most lines of an object in the caches.
const MOST_LINES: u32 = 64;

/// Packet data and user buffers are cached in pieces of a page, or as many lines as an
/// object can have; in bytes.
pub(super) fn piece_bytes(line_bytes: u32) -> u32 {
    (line_bytes * MOST_LINES).min(PAGE)
}

/// Free things, some near each CPU.
#[derive(Debug, Default)]
pub struct Pool {
    hot: Vec<Vec<u32>>,
    near: Vec<Vec<u32>>,
    shared: Vec<u32>,
    /// For each CPU how many of its own stock were never used.
    fresh: Vec<usize>,
    hot_limit: usize,
    batch: usize,
}

/// Where a free thing came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stock {
    /// The CPU's list in front of the allocator.
    Hot,
    /// The CPU's own stock.
    Near,
    /// The shared pool, with others for the CPU's stock.
    Batch,
    /// The shared pool, alone.
    Single,
}

/// Where the head and the data allocated last came from.
#[derive(Debug, Default)]
pub struct Stocks {
    head: Option<Stock>,
    data: Option<Stock>,
}

impl Pool {
    /// Empty pools for so many CPUs.
    pub fn new(cpus: usize, batch: u32, hot_limit: u32) -> Self {
        Self {
            hot: vec![Vec::new(); cpus],
            near: vec![Vec::new(); cpus],
            shared: Vec::new(),
            fresh: vec![0; cpus],
            hot_limit: hot_limit as usize,
            batch: batch as usize,
        }
    }

    fn take(&mut self, cpu: usize) -> (Option<u32>, Stock) {
        if let Some(hot) = self.hot[cpu].pop() {
            return (Some(hot), Stock::Hot);
        }
        if self.batch == 0 {
            return (self.shared.pop(), Stock::Single);
        }
        let mut from = Stock::Near;
        if self.near[cpu].is_empty() {
            if self.fresh[cpu] == 0 {
                let keep = self.shared.len().saturating_sub(self.batch);
                // A new slab fills up what the shared pool cannot give.
                self.fresh[cpu] = self.batch - (self.shared.len() - keep);
                self.near[cpu].extend(self.shared.drain(keep..));
                from = Stock::Batch;
            }
            if self.near[cpu].is_empty() {
                self.fresh[cpu] = self.fresh[cpu].saturating_sub(1);
                return (None, from);
            }
        }
        (self.near[cpu].pop(), from)
    }

    /// Everything free.
    pub fn free(&self) -> impl Iterator<Item = u32> {
        let near = self.hot.iter().chain(&self.near).flatten();
        near.chain(&self.shared).copied()
    }

    fn give(&mut self, cpu: usize, free: u32) {
        if self.hot[cpu].len() < self.hot_limit {
            self.hot[cpu].push(free);
            return;
        }
        if self.batch == 0 {
            self.shared.push(free);
            return;
        }
        self.near[cpu].push(free);
        if self.near[cpu].len() > 2 * self.batch {
            self.shared.extend(self.near[cpu].drain(..self.batch));
        }
    }
}

impl Engine {
    /// What touching everything that the step names costs, in fs.
    pub(super) fn touch_step(&mut self, cpu: usize, step: &Ready, op: Op) -> u64 {
        let function = step.function;
        let mut cost = 0;
        let (host, cache) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].cache);
        if self.hosts[host].has_caches {
            for touch in &step.touches {
                let Place::Declared(per, which) = touch.place else {
                    continue;
                };
                let Some(id) = self.object(cpu, per, which, op) else {
                    continue;
                };
                let lines = self.hosts[host].caches.touch(cache, id, touch.is_write);
                if lines.filled + lines.moved + lines.upgraded > 0 {
                    cost += self.priced(cpu, lines, touch.is_write, touch.object, function, op);
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
            return 0;
        }
        self.credit_lines(cpu, id, name, touch);
        let cost = self.priced(cpu, touch, is_write, name, function, op);
        self.tell_evictions();
        cost
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
        let host = usize::from(self.cpus[cpu].host);
        let now = self.now;
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
            }
        }
        if touch.filled > 0 && self.emit(cpu, Probe::CacheLineFill, op.pkt, op.sock) {
            self.record.field(Field::Lines, touch.filled);
            self.record.field(Field::Cycles, fill as u32);
            let name = self.object_name(host, name);
            self.record.field(Field::Object, name);
        }
        cost
    }

    pub(super) fn object_name(&mut self, host: usize, name: u8) -> u32 {
        self.record.object(name, &self.hosts[host].code.objects)
    }

    pub(super) fn cpu_of_cache(&self, host: usize, cache: u8) -> u32 {
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
    pub(super) fn touch_lock(&mut self, cpu: usize, id: LockId) -> u64 {
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
    pub(super) fn written_by_dma(&mut self, host: usize, buffer: u32, bytes: u32) {
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
    pub(super) fn read_by_dma(&mut self, host: usize, buffer: u32) {
        if !self.hosts[host].has_caches || buffer == NONE {
            return;
        }
        let Buffer { first, pages, .. } = self.buffers[buffer as usize];
        for page in 0..pages {
            self.hosts[host].caches.dma_read(ObjectId(first.0 + page));
        }
    }

    // ---- copies -------------------------------------------------------------------

    fn copy(&mut self, cpu: usize, copying: Copying, function: u16, op: Op) -> u64 {
        let state = &self.hosts[usize::from(self.cpus[cpu].host)];
        let rates = &state.machine.copy;
        let nic = self.nic_of(op);
        let is_in = matches!(copying, Copying::ToUser | Copying::ChecksumToUser);
        let is_aligned = !is_in || nic == LOOPBACK || state.nics[usize::from(nic)].aligned;
        let is_summed = nic != LOOPBACK
            && match copying {
                // Where the NIC does not, the sender sums while it copies.
                Copying::FromUser => state.checksum != Checksum::Nic,
                Copying::ToUser => op.pkt != NONE && self.packets[op.pkt as usize].sum_with_copy,
                _ => false,
            };
        let plain = match (state.routine, is_aligned) {
            (Routine::Movsd, true) => rates.movsd_aligned,
            (Routine::Movsd, false) => rates.movsd_unaligned,
            (Routine::Integer, true) => rates.integer_aligned,
            (Routine::Integer, false) => rates.integer_unaligned,
        };
        let rate = match copying {
            Copying::Checksum => rates.checksum,
            Copying::ChecksumToUser | Copying::ChecksumFromUser | Copying::ToDevice => {
                rates.checksum_and_copy
            }
            Copying::FromUser | Copying::ToUser if is_summed => rates.checksum_and_copy,
            Copying::FromUser | Copying::ToUser | Copying::FromDevice => plain,
        };
        let cycles = u64::from(rate.start_cycles)
            + u64::from(op.arg) * u64::from(rate.cycles_per_kib) / 1024;
        let mut cost = cycles * state.code.cycle;
        let piece = state.piece_bytes;
        self.stream_permille = rate.miss_permille;
        if !state.has_caches {
            return cost;
        }
        let (reads_user, writes_user) = match copying {
            Copying::FromUser | Copying::ChecksumFromUser => (true, false),
            Copying::ToUser | Copying::ChecksumToUser => (false, true),
            Copying::Checksum | Copying::FromDevice | Copying::ToDevice => (false, false),
        };
        let is_write = reads_user || copying == Copying::FromDevice;
        cost += self.touch_data(cpu, is_write, function, op);
        let current = self.cpus[cpu].current;
        if (reads_user || writes_user) && current != NONE {
            let task = &self.tasks[current as usize];
            let (first, pages) = task.user;
            let offset = task.moved % (pages * piece);
            let bytes = op.arg.min(pages * piece - offset);
            cost += self.touch_bytes(cpu, first, offset, bytes, writes_user, 1, function, op);
        }
        cost
    }

    /// The NIC of what a step is about.
    fn nic_of(&self, op: Op) -> u8 {
        if op.pkt != NONE {
            self.packets[op.pkt as usize].nic
        } else if op.sock != NONE {
            self.sockets[op.sock as usize].nic
        } else {
            LOOPBACK
        }
    }

    /// The packet's bytes that a copy concerns, piece by piece of its chain; or the tail of
    /// the write queue; or the file.
    fn touch_data(&mut self, cpu: usize, is_write: bool, function: u16, op: Op) -> u64 {
        let host = usize::from(self.cpus[cpu].host);
        if op.pkt == NONE {
            let (buffer, offset) = if op.sock == NONE {
                let current = self.cpus[cpu].current as usize;
                (
                    self.hosts[host].file.unwrap_or(NONE),
                    self.tasks[current].file_at,
                )
            } else {
                self.sockets[op.sock as usize]
                    .chunks
                    .back()
                    .map_or((NONE, 0), |chunk| (chunk.buffer, chunk.len))
            };
            return self.touch_buffer(cpu, buffer, offset, op.arg, is_write, function, op);
        }
        let packet = &self.packets[op.pkt as usize];
        let mut skip = packet.segment.len.saturating_sub(packet.unread);
        if packet.next == NONE {
            let (buffer, offset) = (packet.buffer, packet.offset + skip);
            return self.touch_buffer(cpu, buffer, offset, op.arg, is_write, function, op);
        }
        let (mut piece, mut left, mut cost) = (op.pkt, op.arg, 0);
        while piece != NONE && left > 0 {
            let Packet {
                own,
                buffer,
                offset,
                next,
                ..
            } = self.packets[piece as usize];
            if skip < own {
                let bytes = left.min(own - skip);
                cost +=
                    self.touch_buffer(cpu, buffer, offset + skip, bytes, is_write, function, op);
                left -= bytes;
                skip = 0;
            } else {
                skip -= own;
            }
            piece = next;
        }
        cost
    }

    #[allow(clippy::too_many_arguments, reason = "a touch is about all of these")]
    fn touch_buffer(
        &mut self,
        cpu: usize,
        buffer: u32,
        offset: u32,
        bytes: u32,
        is_write: bool,
        function: u16,
        op: Op,
    ) -> u64 {
        if buffer == NONE {
            return 0;
        }
        // A segment cut across two pieces of the write queue counts as far as the first goes.
        let Buffer { first, pages, .. } = self.buffers[buffer as usize];
        let piece = self.hosts[usize::from(self.cpus[cpu].host)].piece_bytes;
        let bytes = bytes.min((pages * piece).saturating_sub(offset));
        self.touch_bytes(cpu, first, offset, bytes, is_write, 0, function, op)
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
        let host = usize::from(self.cpus[cpu].host);
        let state = &self.hosts[host];
        let (line, piece) = (state.machine.cache.line_bytes, state.piece_bytes);
        let cache = self.cpus[cpu].cache;
        let (mut at, end) = (offset, offset + bytes);
        let mut sum = Touch::default();
        while at < end {
            let page = at / piece;
            let stop = end.min((page + 1) * piece);
            let lines = (stop - at).div_ceil(line);
            let id = ObjectId(first.0 + page);
            let whole = self.hosts[host].caches.touch(cache, id, is_write);
            // The page moves as a whole; a part of it costs its part.
            let all = whole.hit + whole.filled + whole.moved + whole.upgraded;
            let part = part(whole, lines, all.max(1));
            self.credit_lines(cpu, id, name, part);
            sum.add(part);
            at = stop;
        }
        if sum.filled + sum.moved + sum.upgraded == 0 {
            return 0;
        }
        let cost = self.priced(cpu, sum, is_write, name, function, op);
        self.tell_evictions();
        cost
    }

    /// What allocating the head, and the data if there are new ones, costs.
    pub(super) fn push_alloc(&mut self, cpu: usize, pkt: u32, sock: u32) {
        let Stocks { head, data } = std::mem::take(&mut self.stocks);
        let mut run = |path| self.push(cpu, Op::run(path, pkt, sock, 0));
        if data == Some(Stock::Batch) {
            run(Path::DataBatch);
        }
        // A packet without data has its headers in a buffer, too.
        run(Path::DataAlloc);
        if let Some(head) = head.filter(|&head| head != Stock::Hot) {
            if head == Stock::Batch {
                run(Path::HeadBatch);
            }
            run(Path::HeadAlloc);
        }
        run(Path::SkbAlloc);
    }

    // ---- allocation ---------------------------------------------------------------

    /// A packet head.
    pub(super) fn alloc_packet(&mut self, cpu: usize, packet: Packet) -> u32 {
        let (host, local) = (
            usize::from(self.cpus[cpu].host),
            usize::from(self.cpus[cpu].local),
        );
        let packet = Packet {
            own: packet.segment.len,
            ..packet
        };
        let (free, stock) = self.hosts[host].heads.take(local);
        self.stocks.head = Some(stock);
        if let Some(free) = free {
            let old = self.packets[free as usize];
            self.packets[free as usize] = Packet {
                head: old.head,
                address: old.address,
                ..packet
            };
            return free;
        }
        let kinds = self.hosts[host].code.lines[key(Per::Packet)].clone();
        let head = self.new_objects(host, &kinds);
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

    /// A packet is freed with all its pieces, and with it its share of the data.
    pub(super) fn free_packet(&mut self, cpu: usize, pkt: u32) {
        let (host, local) = (
            usize::from(self.cpus[cpu].host),
            usize::from(self.cpus[cpu].local),
        );
        let mut piece = pkt;
        while piece != NONE {
            let Packet {
                buffer,
                next,
                counts,
                from,
                ..
            } = self.packets[piece as usize];
            self.hosts[host].heads.give(local, piece);
            self.free_buffer(cpu, buffer);
            if counts > 0 {
                self.packets[piece as usize].counts = 0;
                self.left_the_sender(cpu, from, counts);
            }
            piece = next;
        }
    }

    /// A datagram no longer counts in its sender's buffer (`sock_wfree`).
    fn left_the_sender(&mut self, cpu: usize, sock: u32, counts: u32) {
        let socket = &mut self.sockets[sock as usize];
        socket.in_transit -= counts;
        let limit = self.hosts[usize::from(socket.host)].send_buffer;
        if socket.in_transit * 2 <= limit && !socket.writers.is_empty() {
            self.push(
                cpu,
                Op::act(super::state::OpKind::WakeWriter, NONE, sock, 0),
            );
        }
    }

    /// Data memory for so many bytes.
    pub(super) fn alloc_buffer(&mut self, cpu: usize, bytes: u32) -> u32 {
        let (host, local) = (
            usize::from(self.cpus[cpu].host),
            usize::from(self.cpus[cpu].local),
        );
        let state = &mut self.hosts[host];
        let piece = state.piece_bytes;
        let pages = bytes.div_ceil(piece).max(1).next_power_of_two();
        let class = pages.trailing_zeros() as usize;
        while state.data.len() <= class {
            let batch = state.data_batch(piece << state.data.len());
            state.data.push(Pool::new(state.cpu_count, batch, 0));
        }
        let (free, stock) = state.data[class].take(local);
        self.stocks.data = Some(stock);
        if let Some(free) = free {
            self.buffers[free as usize].refs = 1;
            return free;
        }
        let lines = (piece / state.machine.cache.line_bytes) as u8;
        let first = self.new_objects(host, &vec![(0, lines); pages as usize]);
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
            let (host, local) = (self.cpus[cpu].host, self.cpus[cpu].local);
            self.hosts[usize::from(host)].data[class].give(usize::from(local), buffer);
        }
    }

    /// Objects in a row in a host's memory, with these lines.
    pub(super) fn new_objects(&mut self, host: usize, kinds: &[(u8, u8)]) -> ObjectId {
        let state = &mut self.hosts[host];
        let first = ObjectId(state.objects_made);
        for &(_, lines) in kinds {
            state.caches.object(lines);
            state.objects_made += 1;
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

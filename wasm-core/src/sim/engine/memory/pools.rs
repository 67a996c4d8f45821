//! Allocation: packet heads and data from per-CPU stocks.
//!
//! Simplified here: the slab allocator is a stack of free objects for each CPU with a
//! shared one behind it; Linux has slabs, magazines and colours. A learner sees the same
//! thing that matters for caches: memory freed on one CPU is soon written on another.

use crate::sim::cache::ObjectId;
use crate::sim::config::kernel::Per;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::{Path, key};
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::state::{Buffer, NONE, Packet};

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
    /// What allocating the head, and the data if there are new ones, costs.
    pub(crate) fn push_alloc(&mut self, cpu: usize, pkt: u32, sock: u32) {
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

    /// A packet head.
    pub(crate) fn alloc_packet(&mut self, cpu: usize, packet: Packet) -> u32 {
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
    pub(crate) fn free_packet(&mut self, cpu: usize, pkt: u32) {
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
        let limit = self.hosts[usize::from(socket.host)].datagram_send_buffer;
        if socket.in_transit * 2 <= limit && !socket.writers.is_empty() {
            self.push(
                cpu,
                Op::act(
                    crate::sim::engine::cpu::op::OpKind::WakeWriter,
                    NONE,
                    sock,
                    0,
                ),
            );
        }
    }

    /// Data memory for so many bytes.
    pub(crate) fn alloc_buffer(&mut self, cpu: usize, bytes: u32) -> u32 {
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
    pub(crate) fn free_buffer(&mut self, cpu: usize, buffer: u32) {
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
    pub(crate) fn new_objects(&mut self, host: usize, kinds: &[(u8, u8)]) -> ObjectId {
        let state = &mut self.hosts[host];
        let first = ObjectId(state.objects_made);
        for &(_, lines) in kinds {
            state.caches.object(lines);
            state.objects_made += 1;
        }
        first
    }
}

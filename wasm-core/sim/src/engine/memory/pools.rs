//! Allocation: packet heads and data from per-CPU caches of free objects.
//!
//! Simplified ("the slab allocator"): the slab allocator is a stack of free objects for each CPU with a
//! shared one behind it; Linux has slabs, magazines and colours. A learner sees the same
//! thing that matters for caches: memory freed on one CPU is soon written on another.
//!
//! Simplified ("deferred frees"): who frees a packet keeps its memory.

use std::rc::Rc;

use crate::config::kernel::{DropFunctions, Per};
use crate::engine::core::Core;
use crate::engine::cpu::code::{Path, key};
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{BufferId, SkbId, SockId};
use ringside::kernel::{DropReason, Field, Probe};

use super::skbuff::{Buffer, Frame, SkBuff};

/// Free objects: for each CPU a list in front of the allocator
/// and an array cache, and a pool that all CPUs share.
#[derive(Debug)]
pub struct Pool<I> {
    /// `skb_head_pool`.
    list: Vec<Vec<I>>,
    /// `array_cache` of the slab allocator.
    array_cache: Vec<Vec<I>>,
    shared: Vec<I>,
    /// For each CPU, objects of its last batch that have never been used; who takes one has to create it.
    fresh: Vec<usize>,
    list_limit: usize,
    batch: usize,
}

/// Where an object was allocated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `skb_head_pool`, the CPU's list in front of the slab allocator.
    HeadPool,
    /// The CPU's `array_cache`.
    ArrayCache,
    /// The shared pool, with a batch that refills the `array_cache`.
    Batch,
    /// The shared pool, one object by itself.
    Single,
}

/// Where the head and the data allocated last came from.
#[derive(Debug, Default)]
pub struct Sources {
    head: Option<Source>,
    data: Option<Source>,
}

impl<I: Copy> Pool<I> {
    /// Empty pools for so many CPUs.
    pub fn new(cpus: usize, batch: u32, list_limit: u32) -> Self {
        Self {
            list: vec![Vec::new(); cpus],
            array_cache: vec![Vec::new(); cpus],
            shared: Vec::new(),
            fresh: vec![0; cpus],
            list_limit: list_limit as usize,
            batch: batch as usize,
        }
    }

    /// Takes a free object for a CPU and says where it came
    /// from; without an object the caller has to create one.
    pub fn take(&mut self, cpu: usize) -> (Option<I>, Source) {
        if let Some(hot) = self.list[cpu].pop() {
            return (Some(hot), Source::HeadPool);
        }
        if self.batch == 0 {
            return (self.shared.pop(), Source::Single);
        }
        let mut from = Source::ArrayCache;
        if self.array_cache[cpu].is_empty() {
            if self.fresh[cpu] == 0 {
                let keep = self.shared.len().saturating_sub(self.batch);
                // A new slab fills up what the shared pool cannot give.
                self.fresh[cpu] = self.batch - (self.shared.len() - keep);
                self.array_cache[cpu].extend(self.shared.drain(keep..));
                from = Source::Batch;
            }
            if self.array_cache[cpu].is_empty() {
                self.fresh[cpu] = self.fresh[cpu].saturating_sub(1);
                return (None, from);
            }
        }
        (self.array_cache[cpu].pop(), from)
    }

    /// Everything free.
    pub fn free(&self) -> impl Iterator<Item = I> {
        let array_cache = self.list.iter().chain(&self.array_cache).flatten();
        array_cache.chain(&self.shared).copied()
    }

    /// Frees an object on a CPU.
    pub fn give(&mut self, cpu: usize, free: I) {
        if self.list[cpu].len() < self.list_limit {
            self.list[cpu].push(free);
            return;
        }
        if self.batch == 0 {
            self.shared.push(free);
            return;
        }
        self.array_cache[cpu].push(free);
        if self.array_cache[cpu].len() > 2 * self.batch {
            self.shared
                .extend(self.array_cache[cpu].drain(..self.batch));
        }
    }
}

impl Core {
    /// What allocating the head, and the data if there are new ones, costs, in the order in which
    /// `alloc_skb` goes about it.
    pub fn allocation(&mut self, about: About) -> impl DoubleEndedIterator<Item = Op> + use<> {
        let Sources { head, data } = std::mem::take(&mut self.stocks);
        [
            Some(Path::SkbAlloc),
            head.filter(|&head| head != Source::HeadPool)
                .map(|_| Path::HeadAlloc),
            (head == Some(Source::Batch)).then_some(Path::HeadBatch),
            // A packet without data has its headers in a buffer, too.
            Some(Path::DataAlloc),
            (data == Some(Source::Batch)).then_some(Path::DataBatch),
        ]
        .into_iter()
        .flatten()
        .map(move |path| Op::run(path, about))
    }

    /// What making a head around a frame's memory costs.
    pub fn building(&mut self, about: About) -> impl DoubleEndedIterator<Item = Op> + use<> {
        let Sources { head, .. } = std::mem::take(&mut self.stocks);
        [
            Some(Path::SkbBuild),
            head.filter(|&head| head != Source::HeadPool)
                .map(|_| Path::HeadAlloc),
            (head == Some(Source::Batch)).then_some(Path::HeadBatch),
        ]
        .into_iter()
        .flatten()
        .map(move |path| Op::run(path, about))
    }

    /// A packet head.
    pub fn alloc_skb(&mut self, cpu: usize, skb: SkBuff) -> SkbId {
        let (host, local) = (self.cpus[cpu].host, usize::from(self.cpus[cpu].local));
        let own = skb.len();
        let (free, stock) = self.hosts[host].memory.heads.take(local);
        self.stocks.head = Some(stock);
        if let Some(free) = free {
            let SkBuff { head, address, .. } = self.skbs[free];
            self.skbs[free] = SkBuff {
                own,
                head,
                address,
                ..skb
            };
            return free;
        }
        let state = &mut self.hosts[host];
        let head = state
            .memory
            .new_objects(&state.code.lines[key(Per::Packet)]);
        let number = self.skbs.len() as u64;
        let address = self
            .recorder
            .record
            .address(0xffff_8000_0000 + number * 256);
        self.skbs.push(SkBuff {
            own,
            head,
            address,
            ..skb
        })
    }

    /// A packet is freed with all its pieces, and with it its share of the data.
    pub fn free_skb(&mut self, cpu: usize, skb: SkbId) {
        let (host, local) = (self.cpus[cpu].host, usize::from(self.cpus[cpu].local));
        let mut next = Some(skb);
        while let Some(piece) = next {
            let SkBuff {
                buffer,
                truesize,
                frame,
                ..
            } = self.skbs[piece];
            next = self.skbs[piece].next;
            // A head that is free twice would be two packets at once, and queues could close to a ring.
            // A head that is free twice would be two packets at once, and queues could close to a ring.
            let users = std::mem::replace(&mut self.skbs[piece].users, 0);
            assert!(users > 0, "{piece:?} is freed twice");
            self.hosts[host].memory.heads.give(local, piece);
            if let Some(buffer) = buffer {
                self.free_buffer(cpu, buffer);
            }
            if let Some(sock) = frame.from.filter(|_| truesize > 0) {
                self.skbs[piece].truesize = 0;
                self.sock_wfree(cpu, sock, truesize);
            }
        }
    }

    /// Drops a packet (`kfree_skb`).
    ///
    /// `location` is the function that drops it, which every kernel reports. The reason
    /// is recorded only for kernels that report one (`kfree_skb_reason`, since v5.17).
    pub fn drop_skb(
        &mut self,
        cpu: usize,
        skb: SkbId,
        reason: DropReason,
        location: impl Fn(&DropFunctions) -> &String,
    ) {
        let code = Rc::clone(&self.host_of(cpu).code);
        self.drop_skb_in(cpu, skb, reason, location(&code.drop_functions));
    }

    /// Drops a packet in a function that only its own mechanism knows.
    pub fn drop_skb_in(&mut self, cpu: usize, skb: SkbId, reason: DropReason, function: &str) {
        self.host_of_mut(cpu).totals.dropped += 1;
        if self.emit(cpu, Probe::KfreeSkb, About::skb(skb)) {
            self.name_field(Field::Location, function);
            if self.host_of_mut(cpu).probing.drop_reasons {
                self.field(Field::Reason, reason as u32);
            }
        }
        self.free_skb(cpu, skb);
    }

    /// Uncharges a packet from its sender's buffer (`sock_wfree`). When at
    /// most half of the buffer is in use a writer of datagrams may go on
    /// (`sock_def_write_space`); a throttled TCP may send again (`tcp_wfree`).
    fn sock_wfree(&mut self, cpu: usize, sock: SockId, truesize: u32) {
        let state = &mut self.socks[sock];
        state.wmem_alloc -= truesize;
        if std::mem::take(&mut state.is_throttled) {
            self.push(cpu, Op::Unthrottle { sock });
            return;
        }
        let limit = self.hosts[state.host].datagram_send_buffer;
        if state.wmem_alloc * 2 <= limit && !state.writers.is_empty() {
            self.push(cpu, Op::WakeWriter { sock });
        }
    }

    /// Data memory for so many bytes.
    pub fn alloc_buffer(&mut self, cpu: usize, bytes: u32) -> BufferId {
        let (host, local) = (self.cpus[cpu].host, usize::from(self.cpus[cpu].local));
        let memory = &mut self.hosts[host].memory;
        let pages = bytes
            .div_ceil(memory.piece_bytes)
            .max(1)
            .next_power_of_two();
        let (free, stock) = memory.data_pool(pages).take(local);
        self.stocks.data = Some(stock);
        if let Some(free) = free {
            self.buffers[free].refs = 1;
            return free;
        }
        let first = memory.new_pages(pages);
        self.buffers.push(Buffer {
            first,
            pages,
            refs: 1,
            frame: Frame::default(),
        })
    }

    /// Drops one reference to a buffer; the last frees it.
    pub fn free_buffer(&mut self, cpu: usize, buffer: BufferId) {
        let state = &mut self.buffers[buffer];
        state.refs -= 1;
        if state.refs == 0 {
            let pages = state.pages;
            let (host, local) = (self.cpus[cpu].host, usize::from(self.cpus[cpu].local));
            let pool = self.hosts[host].memory.data_pool(pages);
            pool.give(local, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::setup::testing::World;

    /// Takes one, made if there is none.
    fn taken(pool: &mut Pool<u32>, cpu: usize, made: &mut u32) -> (u32, Source) {
        let (free, stock) = pool.take(cpu);
        let taken = free.unwrap_or_else(|| {
            *made += 1;
            *made
        });
        (taken, stock)
    }

    #[test]
    fn a_cpu_gets_back_what_it_freed_last() {
        let (mut pool, mut made) = (Pool::new(2, 4, 1), 0);
        let (one, from) = taken(&mut pool, 0, &mut made);
        assert_eq!(from, Source::Batch);
        let (two, from) = taken(&mut pool, 0, &mut made);
        assert_eq!(from, Source::ArrayCache, "the batch has three more");
        pool.give(0, one);
        pool.give(0, two);
        assert_eq!(taken(&mut pool, 0, &mut made), (one, Source::HeadPool));
        assert_eq!(taken(&mut pool, 0, &mut made), (two, Source::ArrayCache));
    }

    #[test]
    fn what_one_cpu_frees_reaches_another_in_batches() {
        let (mut pool, mut made) = (Pool::new(2, 2, 0), 0);
        let all: Vec<u32> = (0..6).map(|_| taken(&mut pool, 0, &mut made).0).collect();
        for &one in &all {
            pool.give(1, one);
        }
        // CPU 1 keeps at most twice a batch; the rest went to all.
        let (again, from) = taken(&mut pool, 0, &mut made);
        assert!(all.contains(&again), "nothing new is made");
        assert_eq!(from, Source::Batch);
        assert_eq!(
            pool.free().count(),
            5,
            "none is lost and none is there twice"
        );
    }

    #[test]
    #[should_panic(expected = "is freed twice")]
    fn a_packet_that_is_freed_twice_is_said_at_once() {
        let mut core = World::default().engine().core;
        let skb = core.alloc_skb(0, SkBuff::default());
        core.free_skb(0, skb);
        let again = core.alloc_skb(0, SkBuff::default());
        assert_eq!(again, skb, "its head is used again");
        core.free_skb(0, again);
        core.free_skb(0, again);
    }
}

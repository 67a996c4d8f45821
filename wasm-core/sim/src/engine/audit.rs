//! What holds at any moment of any run, checked against the world itself: every frame and
//! packet is in one place, no queue is above its limit, nobody's time is counted twice,
//! and something can still happen.
//!
//! For tests; a run does not need it.

mod buffers;
#[cfg(test)]
mod tests;

use crate::time::SimTime;

use super::Engine;
use super::cpu::op::Op;
use super::events::Event;
use super::host::Totals;
use super::ids::{Id as _, SkbId};
use super::napi::Napi;
use super::nic::bus::{Cargo, Held};
use super::softnet::{Poll, Softnet};
use super::spinlock::LockId;

/// What is wrong, in words.
type Wrong = Vec<String>;

impl Engine {
    /// What does not hold now; nothing in a right world.
    pub fn audit(&self) -> Wrong {
        let mut wrong = Wrong::new();
        self.audit_frames(&mut wrong);
        self.audit_packets(&mut wrong);
        self.audit_queues(&mut wrong);
        self.audit_polls(&mut wrong);
        self.audit_bytes(&mut wrong);
        self.audit_buffers(&mut wrong);
        self.audit_locks(&mut wrong);
        self.audit_time(&mut wrong);
        if self.is_stuck() {
            wrong.push("nothing can happen any more".to_owned());
        }
        wrong
    }

    /// Frames sent = received + missed + lost + on the wire.
    fn audit_frames(&self, wrong: &mut Wrong) {
        let sum = |of: fn(&Totals) -> u64| -> u64 {
            self.core.hosts.iter().map(|host| of(&host.totals)).sum()
        };
        let link = &self.net.link;
        let on_wire = link.under_way() as u64;
        let sent = sum(|totals| totals.frames_sent) + link.duplicated;
        let arrived = sum(|totals| totals.frames_received) + sum(|totals| totals.rx_missed);
        if sent != arrived + link.lost + on_wire {
            wrong.push(format!(
                "{sent} frames sent, {arrived} arrived or missed, {} lost, {on_wire} on the wire",
                link.lost
            ));
        }
    }

    /// A packet is free or somewhere, never both and never neither.
    fn audit_packets(&self, wrong: &mut Wrong) {
        let mut places = vec![""; self.core.skbs.len()];
        for host in &self.core.hosts {
            for skb in host.memory.heads.free() {
                let place = &mut places[skb.index()];
                if !place.is_empty() {
                    wrong.push(format!("{skb:?} is free twice"));
                }
                *place = "free";
            }
        }
        let mut used = |first: SkbId, place: &'static str| {
            let mut piece = Some(first);
            while let Some(skb) = piece {
                match places[skb.index()] {
                    "free" => wrong.push(format!("{skb:?} is free and in {place}")),
                    "" => places[skb.index()] = place,
                    before if before != "a stack" && place != "a stack" => {
                        wrong.push(format!("{skb:?} is in {before} and in {place}"));
                    }
                    _ => {}
                }
                piece = self.core.skbs[skb].next;
            }
        };
        self.each_queued(&mut used);
        let ends = places.iter().filter(|place| place.is_empty()).count();
        if ends > 0 {
            wrong.push(format!("{ends} packets are nowhere"));
        }
    }

    /// Calls `used` with every packet that is somewhere, and where.
    fn each_queued(&self, used: &mut dyn FnMut(SkbId, &'static str)) {
        let mut all = |skbs: &mut dyn Iterator<Item = SkbId>, place| {
            skbs.for_each(|skb| used(skb, place));
        };
        for stack in &self.net.stacks {
            for queue in stack.queues.iter() {
                let posted = queue.ring.posted.iter();
                all(&mut posted.filter_map(|rx| rx.skb), "a descriptor");
                let ready = queue.ring.ready.iter();
                all(&mut ready.filter_map(|rx| rx.skb), "a ring");
            }
            for nic in stack.nics.iter() {
                all(
                    &mut nic.tx.qdisc.packets().map(SkbId::from),
                    "a device's queue",
                );
                all(&mut nic.tx.sent.iter().copied(), "the frames sent");
            }
            for cargo in stack.buses.cargo() {
                let skb = match cargo {
                    Cargo::Received { rx, .. } => rx.skb,
                    Cargo::Sending(sending) => sending.last_of.and_then(Held::skb),
                };
                all(&mut skb.into_iter(), "a bus");
            }
            all(&mut stack.reassembly.firsts(), "reassembly");
        }
        for socket in self.net.sockets.iter() {
            all(&mut socket.receive_queue.iter().copied(), "a receive queue");
            all(
                &mut socket.out_of_order.iter().copied(),
                "an out-of-order queue",
            );
            all(&mut socket.backlog.iter().copied(), "a socket's backlog");
            all(&mut socket.prequeue.iter().copied(), "a prequeue");
        }
        for event in self.core.events.queue.all() {
            if let Event::Sent { skb, .. } = event {
                all(&mut std::iter::once(skb), "the wire");
            }
        }
        for (skb, place) in self.net.softnet.iter().flat_map(Softnet::packets) {
            all(&mut std::iter::once(skb), place);
        }
        all(&mut self.ops().filter_map(Op::skb), "a stack");
    }

    /// All operations on all stacks.
    fn ops(&self) -> impl Iterator<Item = &Op> {
        let of_cpus = self.core.cpus.iter();
        let of_cpus = of_cpus.flat_map(|cpu| cpu.stacks.iter().flatten());
        of_cpus.chain(self.core.tasks.iter().flat_map(|task| &task.stack))
    }

    /// No queue is above its limit.
    fn audit_queues(&self, wrong: &mut Wrong) {
        let mut check = |what: &str, depth: usize, limit: usize| {
            if depth > limit {
                wrong.push(format!("{what} has {depth} of at most {limit}"));
            }
        };
        for stack in &self.net.stacks {
            for (table, count, most) in stack.netfilter.depths() {
                check(table, count, most);
            }
            for queue in stack.queues.iter() {
                let ring = &queue.ring;
                let full = ring.ready.len() + ring.in_dma as usize;
                if !ring.posted.is_empty() {
                    let all = full + ring.posted.len();
                    check("a receive ring", all, ring.limit as usize);
                }
            }
            for nic in stack.nics.iter() {
                let used = nic.tx.in_flight as usize + nic.tx.sent.len();
                check("a transmit ring", used, nic.tx.limit as usize);
                let qdisc = &nic.tx.qdisc;
                check(
                    "a device's queue",
                    qdisc.len() as usize,
                    qdisc.limit() as usize,
                );
            }
        }
        for (cpu, softnet) in self.core.cpus.iter().zip(&self.net.softnet) {
            let limit = softnet.backlog.limit(&self.net.stacks[cpu.host].receive);
            let depth = softnet.backlog.depth();
            check("a CPU's backlog", depth as usize, limit as usize);
        }
        for (sock, socket) in self.core.socks.iter().zip(self.net.sockets.iter()) {
            if !sock.is_udp {
                let tcp = &self.net.stacks[sock.host].tcp.parameters;
                let limit = tcp.receive_buffer_bytes.max(tcp.receive_buffer_most_bytes);
                check("a receive buffer", socket.readable as usize, limit as usize);
            }
        }
    }

    /// What the softirq polls is polled by one CPU, once, or will be when the CPU is told, and does not interrupt meanwhile.
    fn audit_polls(&self, wrong: &mut Wrong) {
        let mut check = |what: &str, napi: Napi, polls: usize| {
            let is_scheduled = napi.is_scheduled();
            if polls != usize::from(is_scheduled) {
                wrong.push(format!(
                    "{what} is in {polls} poll lists; scheduled: {is_scheduled}"
                ));
            }
        };
        let softnets = || self.core.cpus.iter().zip(&self.net.softnet);
        let count = |softnet: &Softnet, of: Poll| {
            let polls = softnet.polls.iter();
            polls.filter(|&&poll| poll == of).count()
        };
        for (host, stack) in self.net.stacks.iter().enumerate() {
            for id in stack.queues.ids() {
                let own = softnets().filter(|(cpu, _)| cpu.host == host);
                let polls = own.map(|(_, softnet)| count(softnet, Poll::Queue(id)));
                check(&format!("{id:?}"), stack.queues[id].napi, polls.sum());
            }
        }
        for (index, (cpu, softnet)) in softnets().enumerate() {
            // A CPU that RPS gave packets to puts its backlog on its poll list when it is told.
            let all = self
                .net
                .softnet
                .iter()
                .flat_map(|other| &other.rps_ipi_list);
            let to_be_told = all.filter(|&&target| target == index).count();
            let ops = cpu.stacks.iter().flatten();
            let ops = ops.chain(&cpu.postponed.interrupts);
            let is_told = ops.filter(|op| matches!(op, Op::RpsTrigger)).count();
            let called = to_be_told + usize::from(softnet.is_called) + is_told;
            let what = format!("the backlog of CPU {}", cpu.local);
            let polls = count(softnet, Poll::Backlog);
            check(&what, softnet.backlog_napi, polls + called);
        }
        for queue in self.net.stacks.iter().flat_map(|stack| stack.queues.iter()) {
            if queue.napi.is_scheduled() && !queue.interrupt.is_masked {
                wrong.push("a queue interrupts that the softirq polls".to_owned());
            }
        }
    }

    /// No byte is read that was not written, and none is lost inside a host.
    fn audit_bytes(&self, wrong: &mut Wrong) {
        let queueing = self.queueing();
        let skbs = &self.core.skbs;
        for id in self.core.socks.ids() {
            let (sock, socket) = (&self.core.socks[id], &self.net.sockets[id]);
            if sock.is_udp {
                continue;
            }
            let waiting = socket.receive_queue.iter();
            let queued: u32 = waiting.map(|&skb| skbs[skb].unread).sum();
            let readable = socket.readable;
            if queued != readable {
                wrong.push(format!("{id:?} counts {readable} bytes and has {queued}"));
            }
            let Some(peer) = sock.peer else {
                continue;
            };
            if self.net.sockets[peer].life.is_listening || socket.life.is_closed {
                continue;
            }
            // What was acknowledged is read, readable, or on its way into the queue.
            let under_way = queueing[id.index()];
            let got = socket.delivered + u64::from(readable) + under_way;
            let fin = u64::from(socket.tcb.has_received_fin());
            let acknowledged = socket.tcb.rcv_nxt().saturating_sub(1 + fin);
            if got != acknowledged {
                wrong.push(format!(
                    "{id:?} has {got} of {acknowledged} bytes that it has acknowledged"
                ));
            }
            let written = self.core.socks[peer].written - 1;
            if acknowledged > written {
                wrong.push(format!(
                    "{id:?} acknowledged {acknowledged} bytes of {written} written"
                ));
            }
            for &held in &socket.out_of_order {
                let end = skbs[held].frame.segment.end();
                if end <= socket.tcb.rcv_nxt() && under_way == 0 {
                    wrong.push(format!("{id:?} holds back what it has, up to {end}"));
                }
            }
        }
    }

    /// Bytes in order that operations under way will put into receive queues, by socket.
    fn queueing(&self) -> Vec<u64> {
        let mut bytes = vec![0; self.core.socks.len()];
        for op in self.ops() {
            if let &Op::Queue { sock, in_order, .. } = op {
                bytes[sock.index()] += u64::from(in_order);
            }
        }
        bytes
    }

    /// A lock has one holder, and who spins waits for it.
    fn audit_locks(&self, wrong: &mut Wrong) {
        let core = &self.core;
        let of_hosts = core.hosts.iter().enumerate().flat_map(|(host, state)| {
            let locks = 0..state.locks.all.len();
            locks.map(move |index| LockId::Host(host as u8, index as u8))
        });
        let of_sockets = core.socks.ids().map(LockId::Socket);
        for id in of_hosts.chain(of_sockets) {
            let lock = core.lock(id);
            let is_seen = |&waiter: &u16| core.sees(usize::from(waiter), id);
            if lock.holder.is_none() && lock.waiting.iter().any(is_seen) {
                wrong.push(format!("{id:?} is free and a CPU spins for it"));
            }
            // A CPU is in line once for each of its levels that spins.
            for &waiter in &lock.waiting {
                let levels = &core.cpus[usize::from(waiter)].locks.spinning;
                let spins = levels.iter().flatten().filter(|spin| spin.lock == id);
                let places = lock.waiting.iter().filter(|&&other| other == waiter);
                let (places, spins) = (places.count(), spins.count());
                if places != spins {
                    wrong.push(format!(
                        "CPU {waiter} is {places} times in {id:?}'s line and spins {spins} times"
                    ));
                }
            }
        }
        for (index, cpu) in core.cpus.iter().enumerate() {
            for spin in cpu.locks.spinning.iter().flatten() {
                let lock = core.lock(spin.lock);
                let number = index as u16;
                let is_known = lock.holder == Some(number) || lock.waiting.contains(&number);
                if !is_known {
                    wrong.push(format!(
                        "CPU {index} spins for {:?} unknown to it",
                        spin.lock
                    ));
                }
            }
        }
    }

    /// The contexts of a CPU, with idling, add up to the time that has passed.
    fn audit_time(&self, wrong: &mut Wrong) {
        for (index, cpu) in self.core.cpus.iter().enumerate() {
            let mut sum = i128::from(cpu.time.iter().sum::<u64>());
            if let Some(since) = cpu.idle_since {
                sum += i128::from(self.core.now().since(since).0);
            }
            // A step is charged when it begins.
            sum -= self
                .core
                .rests(index)
                .map(|(_, rest)| i128::from(rest))
                .sum::<i128>();
            if let Some((since, _)) = cpu.postponed.step
                && cpu.idle_since.is_none()
            {
                sum += i128::from(self.core.now().since(since).0);
            }
            // Spinning, when it ends.
            if let Some(spin) = cpu.locks.spinning[cpu.level]
                && self.core.lock(spin.lock).holder != Some(index as u16)
            {
                sum += i128::from(self.core.now().since(spin.counted).0);
            }
            let passed = i128::from(self.core.now().0);
            if sum != passed {
                wrong.push(format!(
                    "CPU {index}: contexts add up to {sum} of {passed} fs, {} too many",
                    sum - passed
                ));
            }
        }
    }

    /// Whether only the clock still ticks: no task runs or can, nothing is under way.
    fn is_stuck(&self) -> bool {
        let core = &self.core;
        let is_at_work = core.cpus.iter().any(|cpu| cpu.until != SimTime::NEVER);
        let is_runnable = core.tasks.iter().any(|task| !task.is_asleep);
        let mut to_come = core.events.queue.all();
        let is_due = to_come.any(|event| !matches!(event, Event::Tick { .. }));
        !is_at_work && !is_runnable && !is_due
    }
}

//! What holds at any moment of any run, checked against the world itself: every frame and
//! packet is in one place, no queue is above its limit, nobody's time is counted twice,
//! and something can still happen.
//!
//! For tests; a run does not need it.

use crate::sim::time::SimTime;

use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::nic::bus::Cargo;
use crate::sim::engine::state::{LockId, NONE};
use crate::sim::engine::{Engine, Happening};

/// What is wrong, in words.
type Wrong = Vec<String>;

impl Engine {
    /// What does not hold now; nothing in a right world.
    pub(crate) fn audit(&self) -> Wrong {
        let mut wrong = Wrong::new();
        self.audit_frames(&mut wrong);
        self.audit_packets(&mut wrong);
        self.audit_queues(&mut wrong);
        self.audit_bytes(&mut wrong);
        self.audit_locks(&mut wrong);
        self.audit_time(&mut wrong);
        if self.is_stuck() {
            wrong.push("nothing can happen any more".to_owned());
        }
        wrong
    }

    /// Frames sent = received + missed + lost + on the wire.
    fn audit_frames(&self, wrong: &mut Wrong) {
        let sum = |of: fn(&crate::sim::engine::record::totals::Totals) -> u64| -> u64 {
            self.hosts.iter().map(|host| of(&host.totals)).sum()
        };
        let on_wire = (self.flights.len() - self.free_flights.len()) as u64;
        let sent = sum(|totals| totals.frames_sent) + self.duplicated_on_link;
        let arrived = sum(|totals| totals.frames_received) + sum(|totals| totals.rx_missed);
        if sent != arrived + self.lost_on_link + on_wire {
            wrong.push(format!(
                "{sent} frames sent, {arrived} arrived or missed, {} lost, {on_wire} on the wire",
                self.lost_on_link
            ));
        }
    }

    /// A packet is free or somewhere, never both and never neither.
    fn audit_packets(&self, wrong: &mut Wrong) {
        let mut places = vec![""; self.packets.len()];
        for host in &self.hosts {
            for pkt in host.heads.free() {
                let place = &mut places[pkt as usize];
                if !place.is_empty() {
                    wrong.push(format!("packet {pkt} is free twice"));
                }
                *place = "free";
            }
        }
        let mut used = |first: u32, place: &'static str| {
            let mut pkt = first;
            while pkt != NONE {
                match places[pkt as usize] {
                    "free" => wrong.push(format!(
                        "packet {pkt} is free and in {place} {:?}",
                        self.cpus
                            .iter()
                            .flat_map(|c| c.stacks.iter().flatten())
                            .chain(self.tasks.iter().flat_map(|t| &t.stack))
                            .filter(|op| op.pkt == pkt)
                            .map(|op| op.act)
                            .collect::<Vec<_>>()
                    )),
                    "" => places[pkt as usize] = place,
                    before if before != "a stack" && place != "a stack" => {
                        wrong.push(format!("packet {pkt} is in {before} and in {place}"));
                    }
                    _ => {}
                }
                pkt = self.packets[pkt as usize].next;
            }
        };
        self.each_queued(&mut used);
        let ends = places.iter().filter(|place| place.is_empty()).count();
        if ends > 0 {
            wrong.push(format!("{ends} packets are nowhere"));
        }
    }

    /// Calls `used` with every packet that is somewhere, and where.
    fn each_queued(&self, used: &mut dyn FnMut(u32, &'static str)) {
        let mut all = |packets: &mut dyn Iterator<Item = u32>, place| {
            packets.for_each(|pkt| used(pkt, place));
        };
        for host in &self.hosts {
            for queue in &host.queues {
                all(&mut queue.posted.iter().copied(), "a descriptor");
                all(&mut queue.ready.iter().copied(), "a ring");
            }
            for nic in &host.nics {
                all(&mut nic.qdisc.iter().copied(), "a device's queue");
                all(&mut nic.sent.iter().copied(), "the frames sent");
            }
            for cargo in host
                .buses
                .iter()
                .flat_map(crate::sim::engine::nic::bus::Bus::cargo)
            {
                let pkt = match cargo {
                    Cargo::Received(_, pkt) => pkt,
                    Cargo::Sending(sending) => sending.last_of.unwrap_or(NONE),
                };
                all(&mut std::iter::once(pkt), "a bus");
            }
            let pieces = host.partials.iter().map(|partial| partial.ends.0);
            all(&mut pieces.into_iter(), "reassembly");
        }
        for socket in &self.sockets {
            all(&mut socket.receive_queue.iter().copied(), "a receive queue");
            all(
                &mut socket.out_of_order.iter().copied(),
                "an out-of-order queue",
            );
            all(&mut socket.backlog.iter().copied(), "a socket's backlog");
            all(&mut socket.prequeue.iter().copied(), "a prequeue");
        }
        for what in self.agenda.all() {
            if let Happening::Sent(_, _, pkt) = what {
                all(&mut std::iter::once(pkt), "the wire");
            }
        }
        for cpu in &self.cpus {
            all(&mut cpu.backlog.iter().copied(), "a CPU's backlog");
            all(&mut cpu.held_by_gro.iter().copied(), "GRO");
            all(&mut cpu.list.iter().copied(), "a poll's list");
            all(&mut cpu.completions.iter().copied(), "a completion queue");
            for stack in &cpu.stacks {
                all(&mut stack.iter().filter_map(packet_of), "a stack");
            }
        }
        for task in &self.tasks {
            all(&mut task.stack.iter().filter_map(packet_of), "a stack");
        }
    }

    /// No queue is above its limit.
    fn audit_queues(&self, wrong: &mut Wrong) {
        let mut check = |what: &str, depth: usize, limit: usize| {
            if depth > limit {
                wrong.push(format!("{what} has {depth} of at most {limit}"));
            }
        };
        for host in &self.hosts {
            for queue in &host.queues {
                let full = queue.ready.len() + queue.in_dma as usize;
                if !queue.posted.is_empty() {
                    let all = full + queue.posted.len();
                    check("a receive ring", all, queue.limit as usize);
                }
            }
            for nic in &host.nics {
                let used = nic.in_flight as usize + nic.sent.len();
                check("a transmit ring", used, nic.tx_limit as usize);
                check(
                    "a device's queue",
                    nic.qdisc.len(),
                    crate::sim::engine::nic::transmit::QDISC_PACKETS,
                );
            }
        }
        for cpu in &self.cpus {
            let receive = &self.hosts[usize::from(cpu.host)].receive;
            let limit = receive.backlog_packets as usize;
            check("a CPU's backlog", cpu.backlog.len(), limit);
        }
        for socket in &self.sockets {
            let host = &self.hosts[usize::from(socket.host)];
            let limit = if socket.is_udp {
                host.datagram_receive_buffer
            } else {
                host.receive_buffer.max(host.tcp.receive_buffer_most)
            };
            check("a receive buffer", socket.readable as usize, limit as usize);
        }
    }

    /// No byte is read that was not written, and none is lost inside a host.
    fn audit_bytes(&self, wrong: &mut Wrong) {
        let queueing = self.queueing();
        for (index, socket) in self.sockets.iter().enumerate() {
            let queued: u32 = socket
                .receive_queue
                .iter()
                .map(|&pkt| self.packets[pkt as usize].unread)
                .sum();
            if queued != socket.readable && !socket.is_udp {
                let readable = socket.readable;
                wrong.push(format!(
                    "socket {index} counts {readable} bytes and has {queued}"
                ));
            }
            if socket.is_udp || socket.peer == NONE {
                continue;
            }
            let peer = &self.sockets[socket.peer as usize];
            if peer.is_listening || socket.is_closed {
                continue;
            }
            // What was acknowledged is read, readable, or on its way into the queue.
            let got = socket.delivered + u64::from(socket.readable) + queueing[index];
            let fin = u64::from(socket.tcb.has_received_fin());
            let acknowledged = socket.tcb.rcv_nxt().saturating_sub(1 + fin);
            if got != acknowledged {
                wrong.push(format!(
                    "socket {index} has {got} of {acknowledged} bytes that it has acknowledged"
                ));
            }
            if acknowledged > peer.written - 1 {
                let written = peer.written - 1;
                wrong.push(format!(
                    "socket {index} acknowledged {acknowledged} bytes of {written} written"
                ));
            }
            for &held in &socket.out_of_order {
                let end = self.packets[held as usize].segment.end();
                if end <= socket.tcb.rcv_nxt() && queueing[index] == 0 {
                    wrong.push(format!(
                        "socket {index} holds back what it has, up to {end}"
                    ));
                }
            }
        }
    }

    /// Bytes in order that operations under way will put into receive queues, by socket.
    fn queueing(&self) -> Vec<u64> {
        let mut bytes = vec![0; self.sockets.len()];
        let of_cpus = self.cpus.iter().flat_map(|cpu| cpu.stacks.iter().flatten());
        let of_tasks = self.tasks.iter().flat_map(|task| &task.stack);
        for op in of_cpus.chain(of_tasks) {
            if op.act == OpKind::Queue {
                bytes[op.sock as usize] += u64::from(op.arg);
            }
        }
        bytes
    }

    /// A lock has one holder, and who spins waits for it.
    fn audit_locks(&self, wrong: &mut Wrong) {
        let of_hosts = self.hosts.iter().enumerate().flat_map(|(host, state)| {
            let locks = state.locks.iter().enumerate();
            locks.map(move |(index, lock)| (LockId::Host(host as u8, index as u8), lock))
        });
        let of_sockets = self.sockets.iter().enumerate();
        let of_sockets =
            of_sockets.map(|(index, socket)| (LockId::Socket(index as u32), &socket.lock));
        for (id, lock) in of_hosts.chain(of_sockets) {
            let is_seen = |&waiter: &u16| {
                let cpu = &self.cpus[usize::from(waiter)];
                !self.is_others_turn(usize::from(waiter))
                    && cpu.spinning[cpu.level].is_some_and(|spin| spin.lock == id)
            };
            if lock.holder.is_none() && lock.waiting.iter().any(is_seen) {
                wrong.push(format!("{id:?} is free and a CPU spins for it"));
            }
            // A CPU is in line once for each of its levels that spins.
            for &waiter in &lock.waiting {
                let levels = &self.cpus[usize::from(waiter)].spinning;
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
        for (index, cpu) in self.cpus.iter().enumerate() {
            for spin in cpu.spinning.iter().flatten() {
                let lock = self.lock_at(spin.lock);
                let is_known =
                    lock.holder == Some(index as u16) || lock.waiting.contains(&(index as u16));
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
        for (index, cpu) in self.cpus.iter().enumerate() {
            let mut sum = i128::from(cpu.time.iter().sum::<u64>());
            if let Some(since) = cpu.idle_since {
                sum += i128::from(self.now.since(since).0);
            }
            // A step is charged when it begins.
            sum -= self
                .rests(index)
                .map(|(_, rest)| i128::from(rest))
                .sum::<i128>();
            if let Some((since, _)) = cpu.postponed.step
                && cpu.idle_since.is_none()
            {
                sum += i128::from(self.now.since(since).0);
            }
            // Spinning, when it ends.
            if let Some(spin) = cpu.spinning[cpu.level]
                && self.lock_at(spin.lock).holder != Some(index as u16)
            {
                sum += i128::from(self.now.since(spin.counted).0);
            }
            let passed = i128::from(self.now.0);
            if sum != passed {
                wrong.push(format!(
                    "CPU {index}: contexts add up to {sum} of {passed} fs, {} too many",
                    sum - passed
                ));
            }
        }
    }

    fn lock_at(&self, id: LockId) -> &crate::sim::engine::state::Lock {
        match id {
            LockId::Host(host, index) => &self.hosts[usize::from(host)].locks[usize::from(index)],
            LockId::Socket(sock) => &self.sockets[sock as usize].lock,
        }
    }

    /// Whether only the clock still ticks: no task runs or can, nothing is under way.
    fn is_stuck(&self) -> bool {
        let is_at_work = self.cpus.iter().any(|cpu| cpu.until != SimTime::NEVER);
        let is_runnable = self.tasks.iter().any(|task| !task.is_asleep);
        let mut to_come = self.agenda.all();
        let is_due = to_come.any(|what| !matches!(what, Happening::Tick(_)));
        !is_at_work && !is_runnable && !is_due
    }
}

/// The packet that an operation is about.
fn packet_of(op: &Op) -> Option<u32> {
    let has_packet = op.pkt != NONE && op.act != OpKind::BroadcastNext;
    has_packet.then_some(op.pkt)
}

//! The life of a socket: made, listening, connecting, accepted, closed.
//!
//! Source: `net/ipv4/tcp_ipv4.c: tcp_v4_conn_request, tcp_v4_syn_recv_sock`,
//! `net/ipv4/tcp.c: tcp_accept, tcp_close` (v2.6.3), `inet_csk_accept` (v6.1).
//!
//! Simplified here: a connection asked for has its whole socket at once (Linux keeps a
//! small `open_request` until the handshake ends) and a closed one gives its memory back
//! without a stay in TIME-WAIT. A learner sees the same segments in the same order.

pub(crate) mod stream;
pub(crate) mod transfer;
pub(crate) mod waiting;

use std::collections::VecDeque;

use crate::sim::cache::ObjectId;
use crate::sim::config::kernel::Per;
use crate::sim::tcp::{Flags, Segment, State, Tcb};
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::code::{Path, key};

use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::sockets::waiting::wait;
use crate::sim::engine::state::{Lock, NONE, Socket};
use crate::sim::engine::{Engine, Happening};

/// How long a program waits that finds nobody listening, in µs.
const RETRY_US: u32 = 100;

impl Engine {
    /// A socket without a connection.
    pub(crate) fn new_socket(&mut self, host: usize, nic: u8, is_udp: bool) -> u32 {
        let index = self.sockets.len() as u32;
        let objects = if let Some(free) = self.hosts[host].free_sockets.pop() {
            free
        } else {
            let mut kinds = self.hosts[host].code.lines[key(Per::Socket)].clone();
            kinds.push((0, 1));
            self.new_objects(host, &kinds)
        };
        let address = self
            .record
            .address(0xffff_9000_0000 + u64::from(objects.0) * 64);
        self.sockets.push(Socket {
            host: host as u8,
            nic,
            is_udp,
            tcb: Tcb::new(&self.hosts[host].tcp),
            peer: NONE,
            flow: index,
            is_listening: false,
            accept_queue: VecDeque::new(),
            parent: NONE,
            is_closed: false,
            is_gone: false,
            owner_waiters: VecDeque::new(),
            in_transit: 0,
            objects,
            lock: Lock::default(),
            owner: NONE,
            receive_queue: VecDeque::new(),
            readable: 0,
            out_of_order: Vec::new(),
            backlog: VecDeque::new(),
            prequeue: VecDeque::new(),
            prequeues_for: NONE,
            readers: VecDeque::new(),
            writers: VecDeque::new(),
            chunks: VecDeque::new(),
            written: 1,
            timer_at: SimTime::NEVER,
            timer_is_due: false,
            cpu: self.hosts[host].first_cpu as u16,
            reader_cpu: u16::MAX,
            address,
            delivered: 0,
        });
        index
    }

    /// Two connected sockets; the handshake costs nothing here (the workload says so).
    pub(crate) fn connected_pair(
        &mut self,
        client_host: usize,
        server_host: usize,
        nics: (u8, u8),
    ) -> (u32, u32) {
        let now = self.now;
        let client = self.new_socket(client_host, nics.0, false);
        let server = self.new_socket(server_host, nics.1, false);
        let syn = self.sockets[client as usize].tcb.connect(now);
        let config = self.hosts[server_host].tcp;
        let (tcb, syn_ack) = Tcb::listen_accept(&syn, &config, now);
        self.sockets[server as usize].tcb = tcb;
        self.sockets[client as usize].tcb.on_segment(&syn_ack, now);
        let ack = self.sockets[client as usize].tcb.ack_segment();
        self.sockets[server as usize].tcb.on_segment(&ack, now);
        self.pair(client, server);
        (client, server)
    }

    /// Makes two sockets each other's peer, of one flow.
    pub(crate) fn pair(&mut self, client: u32, server: u32) {
        self.sockets[client as usize].peer = server;
        self.sockets[server as usize].peer = client;
        self.sockets[server as usize].flow = self.sockets[client as usize].flow;
    }

    /// `socket(2)` returns: the task has a new socket.
    pub(crate) fn make_socket(&mut self, cpu: usize) {
        let task = self.cpus[cpu].current as usize;
        let host = usize::from(self.tasks[task].host);
        let nics = self.nics_of_lane(1 - self.server_host, self.tasks[task].lane);
        let is_server = host == self.server_host;
        let nic = if is_server { nics.1 } else { nics.0 };
        let is_udp = self.is_udp;
        let sock = self.new_socket(host, nic, is_udp);
        self.tasks[task].sock = sock;
    }

    /// `listen(2)` returns.
    pub(crate) fn start_listen(&mut self, cpu: usize, sock: u32) {
        let task = self.cpus[cpu].current as usize;
        let (host, lane) = (usize::from(self.tasks[task].host), self.tasks[task].lane);
        self.tasks[task].listener = sock;
        self.listen(host, lane as usize, sock);
    }

    /// Connections of a lane arrive at this socket from now on.
    pub(crate) fn listen(&mut self, host: usize, lane: usize, sock: u32) {
        self.sockets[sock as usize].is_listening = true;
        let listeners = &mut self.hosts[host].listeners;
        if listeners.len() <= lane {
            listeners.resize(lane + 1, NONE);
        }
        listeners[lane] = sock;
    }

    /// The socket at which a client's connections arrive: its own server's, or that of all.
    fn listener_of(&self, lane: usize) -> u32 {
        let listeners = &self.hosts[self.server_host].listeners;
        let lane = if self.has_one_listener { 0 } else { lane };
        listeners.get(lane).copied().unwrap_or(NONE)
    }

    /// `connect(2)`: the SYN to a listening socket of the other host (or this one).
    pub(crate) fn start_connect(&mut self, cpu: usize, sock: u32) {
        let task = self.cpus[cpu].current as usize;
        let target = self.listener_of(self.tasks[task].lane as usize);
        if target == NONE {
            // Nobody listens yet: the program tries again a little later.
            self.push(cpu, Op::act(OpKind::StartConnect, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::SleepFor, NONE, NONE, RETRY_US));
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            return;
        }
        let now = self.now;
        let socket = &mut self.sockets[sock as usize];
        socket.peer = target;
        let syn = socket.tcb.connect(now);
        self.arm(sock);
        if self.connect_timeout != SimTime::ZERO {
            self.at(now + self.connect_timeout, Happening::GiveUp(sock));
        }
        self.send_segment(cpu, sock, syn);
    }

    /// A segment without data of its own way: SYN, SYN-ACK, RST.
    pub(crate) fn send_segment(&mut self, cpu: usize, sock: u32, segment: Segment) {
        let packet = self.packet(sock, segment);
        let pkt = self.alloc_packet(cpu, packet);
        self.push(cpu, Op::act(OpKind::Transmit, pkt, sock, 0));
        self.push(cpu, Op::run(Path::TcpTransmit, pkt, sock, 0));
        self.push_alloc(cpu, pkt, sock);
    }

    /// `connect(2)` sleeps until the connection stands or was given up; then the program
    /// starts over.
    pub(crate) fn await_connect(&mut self, cpu: usize, sock: u32) {
        match self.sockets[sock as usize].tcb.state() {
            State::SynSent | State::SynReceived => {
                self.push(cpu, Op::act(OpKind::AwaitConnect, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, wait::CONNECTION));
                self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            }
            State::Closed => {
                let task = self.cpus[cpu].current as usize;
                let host = usize::from(self.cpus[cpu].host);
                self.hosts[host].totals.connections_failed += 1;
                self.start_over(task);
                self.sockets[sock as usize].is_closed = true;
                self.bury_if_done(cpu, sock);
            }
            _ => {}
        }
    }

    /// The program waited long enough for its connection.
    pub(crate) fn give_up(&mut self, sock: u32) {
        let socket = &mut self.sockets[sock as usize];
        if socket.tcb.state() != State::SynSent {
            return;
        }
        let Some(task) = socket.readers.pop_front() else {
            return;
        };
        socket.tcb.close();
        self.time_to_wake(task);
    }

    /// Whether the last segment of a handshake comes in vain: the queue of connections that
    /// wait for `accept` is full (`tcp_v4_syn_recv_sock`). The client sends again.
    pub(crate) fn is_refused(&self, pkt: u32, sock: u32) -> bool {
        let socket = &self.sockets[sock as usize];
        let flags = self.packets[pkt as usize].segment.flags;
        socket.parent != NONE
            && socket.tcb.state() == State::SynReceived
            && !flags.has_any(Flags::SYN | Flags::RST)
            && self.is_full(socket.parent)
    }

    /// `sk_acceptq_is_full`.
    fn is_full(&self, listener: u32) -> bool {
        self.sockets[listener as usize].accept_queue.len() > self.listen_backlog
    }

    /// A segment for a listening socket: a SYN asks for a connection.
    pub(crate) fn at_listener(&mut self, cpu: usize, pkt: u32, listener: u32) {
        let packet = self.packets[pkt as usize];
        let host = usize::from(self.cpus[cpu].host);
        let client = packet.from;
        let is_known = self.sockets[client as usize].peer != listener;
        let is_syn = packet.segment.flags.contains(Flags::SYN);
        if is_syn && !is_known && self.is_full(listener) {
            self.drop_packet(cpu, pkt);
            return;
        }
        self.push(cpu, Op::act(OpKind::Free, pkt, NONE, 0));
        self.push(cpu, Op::run(Path::SkbFree, pkt, NONE, 0));
        if !is_syn || is_known {
            return;
        }
        let child = self.new_socket(host, packet.nic, false);
        let config = self.hosts[host].tcp;
        let (tcb, syn_ack) = Tcb::listen_accept(&packet.segment, &config, self.now);
        let state = &mut self.sockets[child as usize];
        state.tcb = tcb;
        state.parent = listener;
        state.cpu = cpu as u16;
        self.pair(client, child);
        self.arm(child);
        self.send_segment(cpu, child, syn_ack);
        self.push(cpu, Op::run(Path::TcpSynReceive, pkt, child, 0));
    }

    /// After a segment changed a connection's state: who waits for that is woken.
    pub(crate) fn state_changed(&mut self, cpu: usize, sock: u32, before: State) {
        let socket = &self.sockets[sock as usize];
        let now = socket.tcb.state();
        if now == before && !socket.tcb.has_received_fin() {
            return;
        }
        let parent = socket.parent;
        if before == State::SynReceived && now != State::Closed && parent != NONE {
            self.sockets[sock as usize].parent = NONE;
            let listener = &mut self.sockets[parent as usize];
            listener.accept_queue.push_back(sock);
            if !listener.readers.is_empty() {
                self.push(cpu, Op::act(OpKind::WakeReader, NONE, parent, 0));
            }
        } else if !socket.readers.is_empty() {
            self.push(cpu, Op::act(OpKind::WakeReader, NONE, sock, 0));
        }
        let socket = &mut self.sockets[sock as usize];
        // One that dies before its handshake is over will never be accepted.
        socket.is_closed |= now == State::Closed && socket.parent != NONE;
        if now == State::Closed && !socket.writers.is_empty() {
            self.push(cpu, Op::act(OpKind::WakeWriter, NONE, sock, 0));
        }
        self.bury_if_done(cpu, sock);
    }

    /// `accept(2)`: the first connection that waits; without one the task sleeps, or goes
    /// on with its script.
    pub(crate) fn take_connection(&mut self, cpu: usize, listener: u32, waits: bool) {
        let task = self.cpus[cpu].current as usize;
        if let Some(child) = self.sockets[listener as usize].accept_queue.pop_front() {
            self.tasks[task].sock = child;
            self.push(cpu, Op::run(Path::Accept, NONE, child, 0));
        } else if waits {
            self.push(cpu, Op::act(OpKind::TakeConnection, NONE, listener, 0));
            self.push(cpu, Op::act(OpKind::Own, NONE, listener, 0));
            self.push(cpu, Op::act(OpKind::Sleep, NONE, listener, wait::DATA));
        } else {
            self.skip_to_yield(task);
        }
        self.push(cpu, Op::act(OpKind::Release, NONE, listener, 0));
    }

    /// `close(2)`: the FIN goes behind what was written.
    pub(crate) fn start_close(&mut self, cpu: usize, sock: u32) {
        let host = usize::from(self.sockets[sock as usize].host);
        let socket = &mut self.sockets[sock as usize];
        socket.is_closed = true;
        socket.tcb.close();
        while let Some(pkt) = self.sockets[sock as usize].receive_queue.pop_front() {
            self.free_packet(cpu, pkt);
        }
        if host == self.server_host && self.tasks[self.cpus[cpu].current as usize].is_server {
            self.hosts[host].totals.connections += 1;
        }
    }

    /// Gives the memory of a socket back that both ends have closed.
    pub(crate) fn bury_if_done(&mut self, cpu: usize, sock: u32) {
        let socket = &mut self.sockets[sock as usize];
        let is_over = matches!(socket.tcb.state(), State::Closed | State::TimeWait);
        if !is_over || !socket.is_closed || socket.is_gone {
            return;
        }
        socket.is_gone = true;
        socket.timer_at = SimTime::NEVER;
        let objects: ObjectId = socket.objects;
        let host = usize::from(socket.host);
        let packets = std::mem::take(&mut socket.receive_queue);
        let held = std::mem::take(&mut socket.out_of_order);
        let chunks = std::mem::take(&mut socket.chunks);
        self.hosts[host].free_sockets.push(objects);
        for pkt in packets.into_iter().chain(held) {
            self.free_packet(cpu, pkt);
        }
        for chunk in chunks {
            self.free_buffer(cpu, chunk.buffer);
        }
    }
}

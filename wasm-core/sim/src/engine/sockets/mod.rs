//! Sockets: their protocols, how processes wait for them, read and write,
//! and their life cycle (`socket`, `listen`, `connect`, `accept`, `close`).
//!
//! Source: `net/ipv4/tcp_ipv4.c: tcp_v4_conn_request, tcp_v4_syn_recv_sock`,
//! `net/ipv4/tcp.c: tcp_accept, tcp_close` (v2.6.3), `inet_csk_accept` (v6.1).
//!
//! Simplified ("sockets that come and go"): a SYN creates the full socket at once (Linux keeps a small
//! `open_request` until the handshake ends), and a closed connection frees its socket
//! without waiting in TIME-WAIT. A learner sees the same segments in the same order.

mod backlog;
mod gso;
mod small_queue;
mod socket;
mod tcp;
mod timers;
mod transfer;
mod udp;
mod waiting;

use std::collections::VecDeque;

use crate::config::kernel::Per;
use crate::tcp::{Flags, Segment, State, Tcb};
use crate::time::SimTime;
use ringside::kernel::DropReason;

use super::core::Core;
use super::cpu::code::{Path, key};
use super::cpu::op::{About, Op, Wait};
use super::events::Event;
use super::ids::{Device, SkbId, SockId};
use super::memory::skbuff::{Frame, SkBuff};
use super::memory::sock::Sock;
use super::net::Net;
use super::spinlock::Lock;

pub use socket::Socket;

impl Net {
    /// A socket without a connection.
    pub fn new_socket(
        &mut self,
        core: &mut Core,
        host: usize,
        device: Device,
        is_udp: bool,
    ) -> SockId {
        let state = &mut core.hosts[host];
        let objects = state.free_sockets.pop().unwrap_or_else(|| {
            let mut kinds = state.code.lines[key(Per::Socket)].clone();
            kinds.push((0, 1));
            state.memory.new_objects(&kinds)
        });
        let address = 0xffff_9000_0000 + u64::from(objects.0) * 64;
        let flow = core.socks.len() as u32;
        let sock = core.socks.push(Sock {
            host,
            device,
            is_udp,
            peer: None,
            flow,
            rps_cpu: None,
            rps_flow: None,
            port: 0,
            objects,
            lock: Lock::default(),
            wmem_alloc: 0,
            is_throttled: false,
            is_paced: false,
            readers: VecDeque::new(),
            writers: VecDeque::new(),
            written: 1,
            address: core.recorder.record.address(address),
        });
        let tcb = Tcb::new(&self.stacks[host].tcp);
        self.sockets
            .push(Socket::new(tcb, core.hosts[host].first_cpu));
        sock
    }

    /// Two connected sockets of a connection; the handshake costs nothing here (the workload says so).
    pub fn connected_pair(&mut self, core: &mut Core, connection: u32) -> (SockId, SockId) {
        let devices = self.devices_of(connection);
        let (client_host, server_host) = (self.client_host(), self.connecting.server_host);
        let is_udp = self.connecting.is_udp;
        let client = self.new_socket(core, client_host, devices.0, is_udp);
        let server = self.new_socket(core, server_host, devices.1, is_udp);
        if !is_udp {
            let now = core.now();
            let syn = self.sockets[client].tcb.connect(now);
            let config = self.stacks[server_host].tcp;
            let (tcb, syn_ack) = Tcb::listen_accept(&syn, &config, now);
            self.sockets[server].tcb = tcb;
            self.sockets[client].tcb.on_segment(&syn_ack, now);
            let ack = self.sockets[client].tcb.ack_segment();
            self.sockets[server].tcb.on_segment(&ack, now);
        }
        pair(core, client, server);
        (client, server)
    }

    /// `socket(2)` returns: the task has a new socket.
    pub fn make_socket(&mut self, core: &mut Core, cpu: usize) {
        let Some(task) = core.cpus[cpu].current else {
            return;
        };
        let (host, connection) = (core.tasks[task].host, core.tasks[task].connection);
        let devices = self.devices_of(connection);
        let device = if host == self.connecting.server_host {
            devices.1
        } else {
            devices.0
        };
        let sock = self.new_socket(core, host, device, self.connecting.is_udp);
        core.tasks[task].sock = Some(sock);
    }

    /// `listen(2)` returns.
    pub fn start_listen(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        if let Some(task) = core.current(cpu) {
            task.listener = Some(sock);
            let (host, connection) = (task.host, task.connection as usize);
            self.listen(host, connection, sock);
        }
    }

    /// Makes a socket the listening socket of the workload's connection of this number.
    pub fn listen(&mut self, host: usize, connection: usize, sock: SockId) {
        self.sockets[sock].life.is_listening = true;
        let listeners = &mut self.stacks[host].listeners;
        listeners.resize(listeners.len().max(connection + 1), None);
        listeners[connection] = Some(sock);
    }

    /// The listening socket of a connection: its own server's, or the one that all share.
    fn listener_of(&self, connection: usize) -> Option<SockId> {
        let listeners = &self.stacks[self.connecting.server_host].listeners;
        let is_one = self.connecting.has_one_listener;
        let connection = if is_one { 0 } else { connection };
        listeners.get(connection).copied().flatten()
    }

    /// `connect(2)`: the SYN to a listening socket of the other host (or this one).
    pub fn start_connect(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let connection = core.current(cpu).map_or(0, |task| task.connection as usize);
        let Some(target) = self.listener_of(connection) else {
            // Nobody listens yet: the program tries again a little later.
            let ops = [
                Op::ReleaseSock { sock },
                Op::SleepFor {
                    us: self.connecting.retry_us,
                },
                Op::LockSock { sock },
                Op::StartConnect { sock },
            ];
            core.then(cpu, ops);
            return;
        };
        let now = core.now();
        core.socks[sock].peer = Some(target);
        let syn = self.sockets[sock].tcb.connect(now);
        self.arm(core, sock);
        let timeout = self.connecting.connect_timeout;
        if timeout != SimTime::ZERO {
            core.at(now + timeout, Event::GiveUp { sock });
        }
        Self::send_segment(core, cpu, sock, syn);
    }

    /// Sends a control segment (SYN, SYN-ACK, RST).
    fn send_segment(core: &mut Core, cpu: usize, sock: SockId, segment: Segment) {
        let packet = Self::packet(core, sock, u32::MAX, segment);
        let skb = core.alloc_skb(cpu, packet);
        let about = About::both(skb, sock);
        let alloc = core.allocation(about);
        let transmit = Op::run(Path::TcpTransmit, about);
        core.then(cpu, alloc.chain([transmit, Op::Transmit { skb, sock }]));
    }

    /// The packet, without memory yet, for a segment that a socket sends. TCP's
    /// counters count the segments that it will be cut into, of `mss` bytes of
    /// payload each (`__tcp_transmit_skb`, `tcp_event_new_data_sent`).
    fn packet(core: &mut Core, sock: SockId, mss: u32, segment: Segment) -> SkBuff {
        let host = core.socks[sock].host;
        let pieces = u64::from(segment.len.div_ceil(mss).max(1));
        let counters = &mut core.hosts[host].totals.tcp;
        counters.out_segs += pieces;
        if segment.is_retransmission {
            counters.retrans_segs += pieces;
        } else if segment.len > 0 || segment.flags.contains(Flags::FIN) {
            counters.orig_data_sent += pieces;
        }
        let state = &core.socks[sock];
        let frame = Frame {
            segment,
            from: Some(sock),
            to: state.peer,
            gso_size: if segment.len > mss { mss } else { 0 },
            ..Frame::default()
        };
        SkBuff::of(frame, state.device)
    }

    /// `connect(2)` sleeps until the connection stands or was given up; then the program
    /// starts over.
    pub fn await_connect(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        match self.sockets[sock].tcb.state() {
            State::SynSent | State::SynReceived => {
                let wait = Wait::Connection;
                let ops = [
                    Op::ReleaseSock { sock },
                    Op::Sleep { sock, wait },
                    Op::LockSock { sock },
                    Op::AwaitConnect { sock },
                ];
                core.then(cpu, ops);
            }
            State::Closed => {
                core.host_of_mut(cpu).totals.connections_failed += 1;
                core.push(cpu, Op::StartOver);
                self.sockets[sock].life.is_closed = true;
                self.destroy_if_closed(core, cpu, sock);
            }
            _ => {}
        }
    }

    /// The program's time to wait for its connection is over.
    pub fn give_up(&mut self, core: &mut Core, sock: SockId) {
        let socket = &mut self.sockets[sock];
        if socket.tcb.state() != State::SynSent {
            return;
        }
        let Some(task) = core.socks[sock].readers.pop_front() else {
            return;
        };
        socket.tcb.close();
        core.time_to_wake(task);
    }

    /// Whether the last segment of a handshake is dropped: the queue of connections that
    /// wait for `accept` is full (`tcp_v4_syn_recv_sock`). The client sends again.
    fn is_refused(&self, core: &Core, skb: SkbId, sock: SockId) -> bool {
        let socket = &self.sockets[sock];
        let flags = core.skbs[skb].frame.segment.flags;
        let is_last =
            socket.tcb.state() == State::SynReceived && !flags.has_any(Flags::SYN | Flags::RST);
        is_last
            && socket
                .life
                .parent
                .is_some_and(|parent| self.is_full(parent))
    }

    /// `sk_acceptq_is_full`.
    fn is_full(&self, listener: SockId) -> bool {
        let waiting = &self.sockets[listener].life.accept_queue;
        waiting.len() > self.connecting.listen_backlog
    }

    /// A segment for a listening socket: a SYN asks for a connection.
    fn at_listener(&mut self, core: &mut Core, cpu: usize, skb: SkbId, listener: SockId) {
        let SkBuff { frame, device, .. } = core.skbs[skb];
        let client = frame
            .from
            .filter(|&client| core.socks[client].peer == Some(listener))
            .filter(|_| frame.segment.flags.contains(Flags::SYN));
        if client.is_some() && self.is_full(listener) {
            core.drop_skb(cpu, skb, DropReason::TcpListenOverflow, |place| {
                &place.connection_request
            });
            return;
        }
        let free = Op::run(Path::SkbFree, About::skb(skb));
        core.then(cpu, [free, Op::Free { skb }]);
        let Some(client) = client else {
            return;
        };
        let host = core.cpus[cpu].host;
        let child = self.new_socket(core, host, device, false);
        let config = self.stacks[host].tcp;
        let (tcb, syn_ack) = Tcb::listen_accept(&frame.segment, &config, core.now());
        let state = &mut self.sockets[child];
        state.tcb = tcb;
        state.life.parent = Some(listener);
        state.cpu = cpu;
        pair(core, client, child);
        self.arm(core, child);
        Self::send_segment(core, cpu, child, syn_ack);
        core.push(cpu, Op::run(Path::TcpSynReceive, About::both(skb, child)));
    }

    /// After a segment changed a connection's state: wakes the tasks that wait for the new state.
    fn state_changed(&mut self, core: &mut Core, cpu: usize, sock: SockId, before: State) {
        let socket = &mut self.sockets[sock];
        let now = socket.tcb.state();
        if now == before && !socket.tcb.has_received_fin() {
            return;
        }
        let is_established = before == State::SynReceived && now != State::Closed;
        if let Some(parent) = socket.life.parent.filter(|_| is_established) {
            socket.life.parent = None;
            self.sockets[parent].life.accept_queue.push_back(sock);
            if !core.socks[parent].readers.is_empty() {
                core.push(cpu, Op::WakeReader { sock: parent });
            }
        } else if !core.socks[sock].readers.is_empty() {
            core.push(cpu, Op::WakeReader { sock });
        }
        // One that dies before its handshake is over will never be accepted.
        let life = &mut self.sockets[sock].life;
        life.is_closed |= now == State::Closed && life.parent.is_some();
        if now == State::Closed && !core.socks[sock].writers.is_empty() {
            core.push(cpu, Op::WakeWriter { sock });
        }
        self.destroy_if_closed(core, cpu, sock);
    }

    /// `accept(2)`: the first connection that waits; without one the task sleeps, or goes
    /// on with its script.
    pub fn take_connection(&mut self, core: &mut Core, cpu: usize, listener: SockId, waits: bool) {
        let sock = listener;
        if let Some(child) = self.sockets[listener].life.accept_queue.pop_front() {
            if let Some(task) = core.current(cpu) {
                task.sock = Some(child);
            }
            let accept = Op::run(Path::Accept, About::sock(child));
            core.then(cpu, [Op::ReleaseSock { sock }, accept]);
        } else if waits {
            let wait = Wait::Data;
            let ops = [
                Op::ReleaseSock { sock },
                Op::Sleep { sock, wait },
                Op::LockSock { sock },
                Op::TakeConnection { listener, waits },
            ];
            core.then(cpu, ops);
        } else {
            core.then(cpu, [Op::SkipToYield, Op::ReleaseSock { sock }]);
        }
    }

    /// `close(2)`: the FIN goes behind what was written.
    pub fn start_close(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let host = core.socks[sock].host;
        let socket = &mut self.sockets[sock];
        socket.life.is_closed = true;
        socket.tcb.close();
        // Simplified ("a close with bytes unread"): they are freed, and the peer gets a FIN.
        while let Some(skb) = socket.receive_queue.pop_front() {
            core.free_skb(cpu, skb);
        }
        socket.readable = 0;
        (socket.rmem_alloc, socket.forward_deficit) = (0, 0);
        socket.reader_queue = 0;
        let is_server = core.current(cpu).is_some_and(|task| task.is_server);
        if host == self.connecting.server_host && is_server {
            core.hosts[host].totals.connections += 1;
        }
    }

    /// Frees a socket that both ends have closed.
    pub fn destroy_if_closed(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let socket = &mut self.sockets[sock];
        let is_over = matches!(socket.tcb.state(), State::Closed | State::TimeWait);
        if !is_over || !socket.life.is_closed || socket.life.is_gone {
            return;
        }
        socket.life.is_gone = true;
        socket.timer.at = SimTime::NEVER;
        let state = &core.socks[sock];
        let (host, objects) = (state.host, state.objects);
        core.hosts[host].free_sockets.push(objects);
        let held = socket.out_of_order.drain(..);
        for skb in socket.receive_queue.drain(..).chain(held) {
            core.free_skb(cpu, skb);
        }
        for chunk in socket.chunks.drain(..) {
            core.free_buffer(cpu, chunk.buffer);
        }
    }
}

/// Makes two sockets the two ends of one flow.
fn pair(core: &mut Core, client: SockId, server: SockId) {
    core.socks[client].peer = Some(server);
    core.socks[server].peer = Some(client);
    core.socks[server].flow = core.socks[client].flow;
}

#[cfg(test)]
mod tests;

//! How processes wait: until a socket is theirs, for data, memory or a connection, for a while.
//!
//! Source: `net/core/sock.c: lock_sock, release_sock` (v2.6.3 and v6.1).

use crate::sim::tcp::State;
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::NONE;
use crate::sim::engine::{Engine, Happening};

/// What a task sleeps for.
pub(crate) mod wait {
    /// Data, or a connection to accept.
    pub const DATA: u32 = 0;
    /// Memory for what it sends.
    pub const MEMORY: u32 = 1;
    /// That its own connection stands.
    pub const CONNECTION: u32 = 2;
}

impl Engine {
    /// `lock_sock`: the process owns the socket, or sleeps until nobody else does.
    pub(crate) fn own(&mut self, cpu: usize, op: Op) {
        if self.waits_for_socket(cpu, op) {
            return;
        }
        let current = self.cpus[cpu].current;
        let socket = &mut self.sockets[op.sock as usize];
        if socket.owner == NONE || socket.owner == current {
            socket.owner = current;
            return;
        }
        socket.owner_waiters.push_back(current);
        self.push(cpu, op);
        self.sleep(cpu);
    }

    /// `release_sock`: segments that came meanwhile are processed, then the socket is free.
    pub(crate) fn release_socket(&mut self, cpu: usize, op: Op) {
        if self.waits_for_socket(cpu, op) {
            return;
        }
        let sock = op.sock;
        let socket = &mut self.sockets[sock as usize];
        if let Some(pkt) = socket.backlog.pop_front() {
            self.push(cpu, op);
            self.push(cpu, Op::act(OpKind::Process, pkt, sock, 0));
            return;
        }
        socket.owner = NONE;
        if let Some(next) = socket.owner_waiters.pop_front() {
            self.wake(cpu, next, sock, false);
        }
        self.push(cpu, Op::run(Path::ReleaseSock, NONE, sock, 0));
    }

    /// The task sleeps unless what it waits for has come.
    pub(crate) fn sleep_on(&mut self, cpu: usize, sock: u32, what: u32) {
        let limit = self.hosts[usize::from(self.cpus[cpu].host)].datagram_send_buffer;
        let for_memory = what == wait::MEMORY;
        let socket = &self.sockets[sock as usize];
        let has_come = if what == wait::CONNECTION {
            socket.tcb.state() != State::SynSent
        } else if socket.is_listening {
            !socket.accept_queue.is_empty()
        } else if socket.is_udp && for_memory {
            socket.in_transit < limit
        } else if for_memory {
            socket.tcb.has_write_space() || socket.tcb.is_closing()
        } else {
            !socket.receive_queue.is_empty()
                || !socket.prequeue.is_empty()
                || socket.tcb.has_received_fin()
                || socket.tcb.is_dead() && !socket.is_udp
        };
        if !has_come {
            self.sleep_for_socket(cpu, sock, for_memory);
        }
    }

    /// The task sleeps on the socket's queue.
    pub(crate) fn sleep_for_socket(&mut self, cpu: usize, sock: u32, for_memory: bool) {
        let current = self.cpus[cpu].current;
        let socket = &mut self.sockets[sock as usize];
        if for_memory {
            socket.writers.push_back(current);
        } else {
            socket.readers.push_back(current);
        }
        self.push(cpu, Op::run(Path::WaitForData, NONE, sock, 0));
        self.sleep(cpu);
    }

    /// `nanosleep(2)`.
    pub(crate) fn sleep_for(&mut self, cpu: usize, us: u32) {
        let current = self.cpus[cpu].current;
        let due = self.now + SimTime::from_us(u64::from(us));
        self.at(due, Happening::Wake(current));
        self.sleep(cpu);
    }
}

//! How processes wait for a socket: until it is theirs, for data, memory or a connection.
//!
//! Source: `net/core/sock.c: lock_sock, release_sock` (v2.6.3 and v6.1).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op, Wait};
use crate::engine::ids::SockId;
use crate::engine::net::Net;
use crate::tcp::State;

impl Net {
    /// `lock_sock`: the process owns the socket, or sleeps until nobody else does.
    pub fn lock_sock(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        if core.waits_for_socket(cpu, sock, Op::LockSock { sock }, None) {
            return;
        }
        let Some(current) = core.cpus[cpu].current else {
            return;
        };
        let socket = &mut self.sockets[sock];
        if socket.owner.is_none_or(|owner| owner == current) {
            socket.owner = Some(current);
            return;
        }
        socket.owner_waiters.push_back(current);
        core.push(cpu, Op::LockSock { sock });
        core.sleep(cpu);
    }

    /// `release_sock`: segments that came meanwhile are processed, timers that found it owned do their work
    /// (`tcp_release_cb`), then the socket is free.
    pub fn release_sock(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let again = Op::ReleaseSock { sock };
        if core.waits_for_socket(cpu, sock, again, Some(Path::ReleaseSock)) {
            return;
        }
        let socket = &mut self.sockets[sock];
        if let Some(skb) = socket.backlog.pop_front() {
            let is_eaten = false;
            core.then(
                cpu,
                [
                    Op::Process {
                        skb,
                        sock,
                        is_eaten,
                    },
                    again,
                ],
            );
            return;
        }
        if std::mem::take(&mut socket.is_push_deferred) {
            core.then(cpu, [Op::Push { sock }, again]);
            return;
        }
        if std::mem::take(&mut socket.is_ack_deferred) {
            let is_update = false;
            core.then(cpu, [Op::Ack { sock, is_update }, again]);
            return;
        }
        if std::mem::take(&mut socket.timer.is_deferred) {
            core.push(cpu, again);
            self.timer_of_owner(core, cpu, sock);
            return;
        }
        socket.owner = None;
        if let Some(next) = socket.owner_waiters.pop_front() {
            core.wake(cpu, next, Some(sock), false);
        }
        core.push(cpu, Op::run(Path::ReleaseSock, About::sock(sock)));
    }

    /// The task sleeps unless what it waits for has come.
    pub fn sleep_on(&self, core: &mut Core, cpu: usize, sock: SockId, wait: Wait) {
        if self.has_come(core, cpu, sock, wait) {
            return;
        }
        let Some(current) = core.cpus[cpu].current else {
            return;
        };
        let state = &mut core.socks[sock];
        match wait {
            Wait::Memory => state.writers.push_back(current),
            Wait::Data | Wait::Connection => state.readers.push_back(current),
        }
        core.push(cpu, Op::run(Path::WaitForData, About::sock(sock)));
        core.sleep(cpu);
    }

    /// Whether a socket has what a task would sleep for.
    fn has_come(&self, core: &Core, cpu: usize, sock: SockId, wait: Wait) -> bool {
        let (socket, state) = (&self.sockets[sock], &core.socks[sock]);
        let tcb = &socket.tcb;
        match wait {
            Wait::Connection => tcb.state() != State::SynSent,
            _ if socket.life.is_listening => !socket.life.accept_queue.is_empty(),
            Wait::Memory if state.is_udp => {
                state.wmem_alloc < core.host_of(cpu).datagram_send_buffer
            }
            Wait::Memory => tcb.has_write_space() || tcb.is_closing(),
            Wait::Data => {
                !socket.receive_queue.is_empty()
                    || !socket.prequeue.is_empty()
                    || tcb.has_received_fin()
                    || tcb.is_dead() && !state.is_udp
            }
        }
    }

    /// Wakes the task that has slept longest for data.
    pub fn wake_reader(&self, core: &mut Core, cpu: usize, sock: SockId) {
        let is_sync = self.stack_of(core, cpu).receive.wakes_readers_sync;
        let mut readers = std::mem::take(&mut core.socks[sock].readers);
        let reader = core.next_of(&mut readers);
        core.socks[sock].readers = readers;
        if let Some(reader) = reader {
            core.wake(cpu, reader, Some(sock), is_sync);
        }
    }

    /// Wakes the task that has slept longest for memory.
    pub fn wake_writer(core: &mut Core, cpu: usize, sock: SockId) {
        if let Some(writer) = core.socks[sock].writers.pop_front() {
            core.wake(cpu, writer, Some(sock), false);
        }
    }
}

#[cfg(test)]
mod tests;

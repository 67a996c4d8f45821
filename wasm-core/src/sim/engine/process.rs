//! Processes: the acts of a workload become system calls, calls become paths.
//!
//! Source: `net/ipv4/tcp.c: tcp_sendmsg, tcp_recvmsg`, `net/core/sock.c:
//! lock_sock, release_sock` (v2.6.3 and v6.1).

use crate::kernel::Context;
use crate::sim::config::workload::Act;
use crate::sim::time::SimTime;

use super::code::Path;
use super::cpu::slot;
use super::state::{Chunk, NONE, Op, OpKind};
use super::{Engine, Happening};

/// Numbers of the system calls in [`super::host::CALLS`].
mod call {
    pub const SOCKET: u8 = 1;
    pub const BIND: u8 = 2;
    pub const LISTEN: u8 = 3;
    pub const CONNECT: u8 = 4;
    pub const ACCEPT: u8 = 5;
    pub const CLOSE: u8 = 6;
    pub const SEND: u8 = 7;
    pub const RECEIVE: u8 = 8;
    pub const READ: u8 = 9;
}

impl Engine {
    /// The task is in user space and goes on with its script.
    pub(super) fn next_act(&mut self, cpu: usize, task: u32) {
        if self.cpus[cpu].ksoftirqd == task {
            self.run_ksoftirqd(cpu);
            return;
        }
        let state = &mut self.tasks[task as usize];
        let script = &self.scripts[usize::from(state.script)];
        let once = script.once.len();
        let total = once + script.forever.len();
        if usize::from(state.at) >= total {
            if script.forever.is_empty() {
                self.sleep(cpu);
                return;
            }
            state.at = once as u16;
            state.rounds += 1;
            self.hosts[usize::from(state.host)].totals.rounds += 1;
        }
        let at = usize::from(state.at);
        let act = if at < once {
            script.once[at]
        } else {
            script.forever[at - once]
        };
        state.at += 1;
        state.moved = 0;
        self.begin_act(cpu, task, act);
    }

    fn begin_act(&mut self, cpu: usize, task: u32, act: Act) {
        let (sock, listener, message) = {
            let state = &self.tasks[task as usize];
            (state.sock, state.listener, state.message)
        };
        let run = |path, arg| Op::run(path, NONE, sock, arg);
        let act_on = |kind, arg| Op::act(kind, NONE, sock, arg);
        match act {
            Act::Compute { cycles } => {
                let cycles = u32::try_from(cycles).unwrap_or(u32::MAX);
                self.push(cpu, act_on(OpKind::Compute, cycles));
            }
            Act::Send { bytes } if self.is_udp => {
                let bytes = bytes.bytes(message);
                let ops = [act_on(OpKind::SendDatagram, bytes)];
                self.call(cpu, call::SEND, sock, &ops);
            }
            Act::Send { bytes } => {
                let ops = [
                    act_on(OpKind::Own, 0),
                    run(Path::TcpSendmsg, 0),
                    act_on(OpKind::SendLoop, bytes.bytes(message)),
                    act_on(OpKind::Release, 0),
                ];
                self.call(cpu, call::SEND, sock, &ops);
            }
            Act::Receive { bytes, .. } if self.is_udp => {
                let ops = [
                    run(Path::UdpRecvmsg, 0),
                    act_on(OpKind::RecvDatagram, bytes.bytes(message)),
                ];
                self.receive_call(cpu, sock, &ops);
            }
            Act::Receive { bytes, wait_all } => {
                let bytes = bytes.bytes(message);
                self.tasks[task as usize].least = if wait_all { bytes } else { 1 };
                let ops = [
                    act_on(OpKind::Own, 0),
                    run(Path::TcpRecvmsg, 0),
                    act_on(OpKind::RecvLoop, bytes),
                ];
                self.receive_call(cpu, sock, &ops);
            }
            Act::Socket {} => {
                let ops = [run(Path::SocketCall, 0), act_on(OpKind::MakeSocket, 0)];
                self.call(cpu, call::SOCKET, NONE, &ops);
            }
            Act::Bind {} => self.call(cpu, call::BIND, sock, &[run(Path::Bind, 0)]),
            Act::Listen {} => {
                let ops = [run(Path::Listen, 0), act_on(OpKind::StartListen, 0)];
                self.call(cpu, call::LISTEN, sock, &ops);
            }
            Act::Connect {} => {
                let ops = [run(Path::Connect, 0), act_on(OpKind::StartConnect, 0)];
                self.call(cpu, call::CONNECT, sock, &ops);
            }
            Act::Accept { .. } => {
                let take = Op::act(OpKind::TakeConnection, NONE, listener, 0);
                self.call(cpu, call::ACCEPT, listener, &[take]);
            }
            // Refused when the workload is loaded.
            Act::Yield {} => {}
            Act::Close {} => {
                let ops = [run(Path::Close, 0), act_on(OpKind::StartClose, 0)];
                self.call(cpu, call::CLOSE, sock, &ops);
            }
            Act::Sleep { us } => {
                let us = u32::try_from(us).unwrap_or(u32::MAX);
                self.call(cpu, 0, NONE, &[act_on(OpKind::SleepFor, us)]);
            }
            Act::Broadcast { bytes } => {
                let bytes = bytes.bytes(message);
                self.push(cpu, Op::act(OpKind::BroadcastNext, 0, NONE, bytes));
            }
            Act::ReadFile { bytes } => {
                let bytes = bytes.bytes(message);
                self.call(
                    cpu,
                    call::READ,
                    NONE,
                    &[Op::run(Path::ReadFile, NONE, NONE, bytes)],
                );
            }
        }
    }

    /// A system call: entry, what it does in this order, exit.
    fn call(&mut self, cpu: usize, number: u8, sock: u32, ops: &[Op]) {
        self.begin_call(cpu, number);
        self.push(cpu, Op::act(OpKind::CallEnds, NONE, sock, 0));
        self.push(cpu, Op::run(Path::SyscallExit, NONE, sock, 0));
        for &op in ops.iter().rev() {
            self.push(cpu, op);
        }
        self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
    }

    /// A call that returns what it received: its exit comes with [`OpKind::Return`].
    fn receive_call(&mut self, cpu: usize, sock: u32, ops: &[Op]) {
        self.begin_call(cpu, call::RECEIVE);
        self.push(cpu, Op::act(OpKind::CallEnds, NONE, sock, 0));
        for &op in ops.iter().rev() {
            self.push(cpu, op);
        }
        self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
    }

    fn begin_call(&mut self, cpu: usize, number: u8) {
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].call = number;
    }

    /// The call under way is over.
    pub(super) fn call_ends(&mut self, cpu: usize) {
        let current = self.cpus[cpu].current as usize;
        let number = std::mem::take(&mut self.tasks[current].call);
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].calls[usize::from(number)].calls += 1;
    }

    /// The next connection of the task's room gets the message.
    pub(super) fn broadcast_next(&mut self, cpu: usize, at: u32, bytes: u32) {
        let current = self.cpus[cpu].current as usize;
        let (first, count) = self.tasks[current].room;
        if at >= count {
            return;
        }
        self.push(cpu, Op::act(OpKind::BroadcastNext, at + 1, NONE, bytes));
        let sock = first + at * 2 + u32::from(self.tasks[current].is_server);
        let ops = [
            Op::act(OpKind::Own, NONE, sock, 0),
            Op::run(Path::TcpSendmsg, NONE, sock, 0),
            Op::act(OpKind::SendLoop, NONE, sock, bytes),
            Op::act(OpKind::Release, NONE, sock, 0),
        ];
        self.call(cpu, call::SEND, sock, &ops);
    }

    /// Computes in user space for so many base cycles.
    pub(super) fn compute(&mut self, cpu: usize, cycles: u32) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let scale = u64::from(host.machine.processors.core_permille);
        let mut cost = u64::from(cycles) * host.code.cycle * scale / 1000;
        cost = self.beside_sibling(cpu, cost);
        self.cpus[cpu].time[slot(Context::User)] += cost;
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].cpu_fs += cost;
        self.cpus[cpu].in_user = true;
        self.cpus[cpu].until = self.now + SimTime(cost);
    }

    /// `ksoftirqd`: softirqs at a task's level, as long as any are left.
    fn run_ksoftirqd(&mut self, cpu: usize) {
        if self.cpus[cpu].softirq {
            self.enter_softirq(cpu);
        } else {
            self.sleep(cpu);
        }
    }

    /// `tcp_sendmsg`: fill the last chunk of the write queue or begin one, until all is in.
    pub(super) fn send_loop(&mut self, cpu: usize, sock: u32, left: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let socket = &self.sockets[sock as usize];
        if left == 0 || socket.tcb.is_closing() {
            self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
            return;
        }
        let room = socket.tcb.send_room();
        let most = self.hosts[host].gso;
        if room < left.min(self.hosts[host].mss) {
            self.push(cpu, Op::act(OpKind::SendLoop, NONE, sock, left));
            self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, 1));
            self.push(cpu, Op::run(Path::WaitForMemory, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
            return;
        }
        let tail = socket
            .chunks
            .back()
            .filter(|chunk| !chunk.is_sent && chunk.len < chunk.room);
        let is_new = tail.is_none();
        let bytes = left
            .min(room)
            .min(tail.map_or(most, |chunk| chunk.room - chunk.len));
        if is_new {
            let buffer = self.alloc_buffer(cpu, most);
            let socket = &mut self.sockets[sock as usize];
            let chunk = Chunk {
                from: socket.written,
                len: 0,
                room: most,
                buffer,
                is_sent: false,
            };
            socket.chunks.push_back(chunk);
        }
        self.push(cpu, Op::act(OpKind::SendLoop, NONE, sock, left - bytes));
        self.push(cpu, Op::act(OpKind::Push, NONE, sock, 1));
        self.push(cpu, Op::act(OpKind::Queued, NONE, sock, bytes));
        self.push(cpu, Op::run(Path::CopyFromUser, NONE, sock, bytes));
        if is_new {
            self.push_alloc(cpu, NONE, sock);
        }
    }

    /// Bytes are in the write queue.
    pub(super) fn queued(&mut self, cpu: usize, sock: u32, bytes: u32) {
        let current = self.cpus[cpu].current;
        self.tasks[current as usize].moved += bytes;
        let socket = &mut self.sockets[sock as usize];
        socket.tcb.write(bytes);
        socket.written += u64::from(bytes);
        if let Some(tail) = socket.chunks.back_mut() {
            tail.len += bytes;
        }
    }

    /// `tcp_recvmsg`: copy what is there; then the prequeue; then sleep.
    pub(super) fn recv_loop(&mut self, cpu: usize, sock: u32, left: u32) {
        let socket = &self.sockets[sock as usize];
        let current = self.cpus[cpu].current as usize;
        if left > 0
            && let Some(&pkt) = socket.receive_queue.front()
        {
            let bytes = left.min(self.packets[pkt as usize].unread);
            self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left - bytes));
            self.push(cpu, Op::act(OpKind::Copied, pkt, sock, bytes));
            let path = self.copy_out_path(cpu, pkt);
            self.push(cpu, Op::run(path, pkt, sock, bytes));
            return;
        }
        let is_over = socket.tcb.has_received_fin() || socket.tcb.is_dead();
        if self.tasks[current].moved >= self.tasks[current].least || left == 0 || is_over {
            let moved = self.tasks[current].moved;
            self.push(cpu, Op::act(OpKind::Return, NONE, sock, moved));
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 1));
            self.push(cpu, Op::run(Path::CleanupRbuf, NONE, sock, 0));
            return;
        }
        if !socket.prequeue.is_empty() {
            self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left));
            while let Some(pkt) = self.sockets[sock as usize].prequeue.pop_back() {
                self.push(cpu, Op::act(OpKind::Process, pkt, sock, 0));
            }
            return;
        }
        self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left));
        self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 1));
    }

    /// The routine that copies to the process: one that sums on the way has its own name.
    pub(super) fn copy_out_path(&self, cpu: usize, pkt: u32) -> Path {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let is_summed = self.packets[pkt as usize].sum_with_copy
            && !host.code.paths[Path::ChecksumCopyToUser as usize].is_empty();
        if is_summed {
            Path::ChecksumCopyToUser
        } else {
            Path::CopyToUser
        }
    }

    /// The call returns so many bytes.
    pub(super) fn returns(&mut self, cpu: usize, sock: u32, bytes: u32) {
        self.push(cpu, Op::run(Path::SyscallExit, NONE, sock, bytes));
        if bytes > 0 {
            let path = if self.is_udp {
                Path::UdpRecvDone
            } else {
                Path::TcpRecvDone
            };
            self.push(cpu, Op::run(path, NONE, sock, bytes));
        }
    }

    /// A piece was copied to the process; a packet read to its end is freed.
    pub(super) fn copied(&mut self, cpu: usize, pkt: u32, sock: u32, bytes: u32) {
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].moved += bytes;
        self.tasks[current].delivered += u64::from(bytes);
        let packet = &mut self.packets[pkt as usize];
        packet.unread -= bytes;
        let is_done = packet.unread == 0;
        let socket = &mut self.sockets[sock as usize];
        socket.readable -= bytes;
        socket.delivered += u64::from(bytes);
        socket.reader_cpu = cpu as u16;
        if socket.tcb.on_read(bytes) {
            self.tasks[current].wants_update = true;
        }
        if is_done {
            socket.receive_queue.pop_front();
            self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
            self.push(cpu, Op::run(Path::SkbFree, pkt, sock, 0));
        }
    }

    /// `lock_sock`: the process owns the socket, or sleeps until nobody else does.
    pub(super) fn own(&mut self, cpu: usize, sock: u32) {
        let current = self.cpus[cpu].current;
        let socket = &mut self.sockets[sock as usize];
        if socket.owner == NONE || socket.owner == current {
            socket.owner = current;
            return;
        }
        socket.owner_waiters.push_back(current);
        self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
        self.sleep(cpu);
    }

    /// `release_sock`: segments that came meanwhile are processed, then the socket is free.
    pub(super) fn release_socket(&mut self, cpu: usize, sock: u32) {
        let socket = &mut self.sockets[sock as usize];
        if let Some(pkt) = socket.backlog.pop_front() {
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 1));
            self.push(cpu, Op::act(OpKind::Process, pkt, sock, 0));
            return;
        }
        socket.owner = NONE;
        if let Some(next) = socket.owner_waiters.pop_front() {
            self.wake(cpu, next, false);
        }
        self.push(cpu, Op::run(Path::ReleaseSock, NONE, sock, 0));
    }

    /// The task sleeps unless what it waits for has come.
    pub(super) fn sleep_on(&mut self, cpu: usize, sock: u32, for_memory: bool) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let (space, limit) = (host.write_space, host.send_buffer);
        let socket = &self.sockets[sock as usize];
        let has_come = if socket.is_udp && for_memory {
            socket.in_transit * 2 <= limit
        } else if for_memory {
            socket.tcb.send_room() >= space || socket.tcb.is_closing()
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
    pub(super) fn sleep_for_socket(&mut self, cpu: usize, sock: u32, for_memory: bool) {
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
    pub(super) fn sleep_for(&mut self, cpu: usize, us: u32) {
        let current = self.cpus[cpu].current;
        let due = self.now + SimTime::from_us(u64::from(us));
        self.at(due, Happening::Wake(current));
        self.sleep(cpu);
    }
}

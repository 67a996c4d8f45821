//! Processes: the acts of a workload become system calls, calls become paths.
//!
//! Source: `net/ipv4/tcp.c: tcp_sendmsg, tcp_recvmsg`, `net/core/sock.c:
//! release_sock` (v2.6.3 and v6.1).

use crate::kernel::Context;
use crate::sim::config::workload::Act;
use crate::sim::time::SimTime;

use super::Engine;
use super::code::Path;
use super::cpu::slot;
use super::state::{Chunk, NONE, Op, OpKind};

impl Engine {
    /// The task is in user space and goes on with its script.
    pub(super) fn next_act(&mut self, cpu: usize, task: u32) {
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
            self.rounds += 1;
        }
        let at = usize::from(state.at);
        let act = if at < once {
            script.once[at]
        } else {
            script.forever[at - once]
        };
        let sock = state.sock;
        state.at += 1;
        state.moved = 0;
        let message = self.message_bytes;
        match act {
            Act::Compute { cycles } => {
                self.push(
                    cpu,
                    Op::act(
                        OpKind::Compute,
                        NONE,
                        NONE,
                        u32::try_from(cycles).unwrap_or(u32::MAX),
                    ),
                );
            }
            Act::Send { bytes } => {
                let bytes = bytes.bytes(message);
                self.push(cpu, Op::run(Path::SyscallExit, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::SendLoop, NONE, sock, bytes));
                self.push(cpu, Op::run(Path::TcpSendmsg, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
                self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
            }
            Act::Receive { bytes, wait_all } => {
                let bytes = bytes.bytes(message);
                let least = if wait_all { bytes } else { 1 };
                self.tasks[task as usize].least = least;
                self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, bytes));
                self.push(cpu, Op::run(Path::TcpRecvmsg, NONE, sock, 0));
                self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
                self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
            }
            // Acts that need a listening socket or a file are refused when the workload is loaded.
            _ => {}
        }
    }

    /// Computes in user space for so many base cycles.
    pub(super) fn compute(&mut self, cpu: usize, cycles: u32) {
        let scale = u64::from(self.machine.processors.core_permille);
        let cost = u64::from(cycles) * self.host.code.cycle * scale / 1000;
        self.cpus[cpu].time[slot(Context::User)] += cost;
        self.cpus[cpu].in_user = true;
        self.cpus[cpu].until = self.now + SimTime(cost);
    }

    /// `tcp_sendmsg`: fill the last chunk of the write queue or begin one, until all is in.
    pub(super) fn send_loop(&mut self, cpu: usize, sock: u32, left: u32) {
        if left == 0 {
            self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
            return;
        }
        let room = self.sockets[sock as usize].tcb.send_room();
        let mss = self.mss;
        if room < left.min(mss) {
            self.push(cpu, Op::act(OpKind::SendLoop, NONE, sock, left));
            self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, 1));
            self.push(cpu, Op::run(Path::WaitForMemory, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
            return;
        }
        let socket = &self.sockets[sock as usize];
        let tail = socket
            .chunks
            .back()
            .filter(|chunk| !chunk.is_sent && chunk.len < chunk.room);
        let is_new = tail.is_none();
        let bytes = left.min(tail.map_or(mss, |chunk| chunk.room - chunk.len));
        if is_new {
            let buffer = self.alloc_buffer(cpu, mss);
            let socket = &mut self.sockets[sock as usize];
            let chunk = Chunk {
                from: socket.written,
                len: 0,
                room: mss,
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
            self.push(cpu, Op::run(Path::SkbAlloc, NONE, sock, 0));
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
            self.push(cpu, Op::run(Path::CopyToUser, pkt, sock, bytes));
            return;
        }
        if self.tasks[current].moved >= self.tasks[current].least || left == 0 {
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

    /// A piece was copied to the process; a packet read to its end is freed.
    pub(super) fn copied(&mut self, cpu: usize, pkt: u32, sock: u32, bytes: u32) {
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].moved += bytes;
        let packet = &mut self.packets[pkt as usize];
        packet.unread -= bytes;
        let is_done = packet.unread == 0;
        let socket = &mut self.sockets[sock as usize];
        socket.readable -= bytes;
        socket.delivered += u64::from(bytes);
        if socket.tcb.on_read(bytes) {
            self.tasks[current].wants_update = true;
        }
        if is_done {
            socket.receive_queue.pop_front();
            self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
            self.push(cpu, Op::run(Path::SkbFree, pkt, sock, 0));
        }
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
        self.push(cpu, Op::run(Path::ReleaseSock, NONE, sock, 0));
    }

    /// The task sleeps unless what it waits for has come.
    pub(super) fn sleep_on(&mut self, cpu: usize, sock: u32, for_memory: bool) {
        let current = self.cpus[cpu].current;
        let (space, socket) = (self.write_space, &mut self.sockets[sock as usize]);
        let has_come = if for_memory {
            socket.tcb.send_room() >= space
        } else {
            !socket.receive_queue.is_empty() || !socket.prequeue.is_empty()
        };
        if has_come {
            return;
        }
        if for_memory {
            socket.writer = current;
        } else {
            socket.reader = current;
        }
        self.push(cpu, Op::run(Path::WaitForData, NONE, sock, 0));
        self.sleep(cpu);
    }
}

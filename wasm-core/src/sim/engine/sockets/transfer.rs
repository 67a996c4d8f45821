//! A process's bytes: from its buffer into the write queue, from the receive queue, and
//! what waits in the prequeue, into its buffer.
//!
//! Source: `net/ipv4/tcp.c: tcp_sendmsg, tcp_recvmsg` (v2.6.3 and v6.1).

use std::collections::VecDeque;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::sockets::waiting::wait;
use crate::sim::engine::state::{Chunk, NONE};

impl Engine {
    /// `tcp_sendmsg`: fill the last chunk of the write queue or begin one, until all is in.
    pub(crate) fn send_loop(&mut self, cpu: usize, sock: u32, left: u32) {
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
            self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, wait::MEMORY));
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
    pub(crate) fn queued(&mut self, cpu: usize, sock: u32, bytes: u32) {
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
    pub(crate) fn recv_loop(&mut self, cpu: usize, sock: u32, left: u32) {
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
        if !socket.prequeue.is_empty() {
            // Before the call returns too: what comes later must not overtake it.
            self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left));
            let waiting = std::mem::take(&mut self.sockets[sock as usize].prequeue);
            self.process_for_reader(cpu, sock, waiting, left);
            return;
        }
        let eats = self.hosts[usize::from(self.cpus[cpu].host)].reader_takes_segments;
        if eats && left > 0 && !socket.backlog.is_empty() {
            // `release_sock` and `lock_sock`, without losing the socket to anybody.
            self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left));
            let waiting = std::mem::take(&mut self.sockets[sock as usize].backlog);
            self.process_for_reader(cpu, sock, waiting, left);
            self.push(cpu, Op::run(Path::ReleaseSock, NONE, sock, 0));
            return;
        }
        let is_over = socket.tcb.has_received_fin() || socket.tcb.is_dead();
        if self.tasks[current].moved >= self.tasks[current].least || left == 0 || is_over {
            let moved = self.tasks[current].moved;
            self.sockets[sock as usize].prequeues_for = NONE;
            self.push(cpu, Op::act(OpKind::Return, NONE, sock, moved));
            self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
            self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 1));
            self.push(cpu, Op::run(Path::CleanupRbuf, NONE, sock, 0));
            return;
        }
        self.sockets[sock as usize].prequeues_for = current as u32;
        self.push(cpu, Op::act(OpKind::RecvLoop, NONE, sock, left));
        self.push(cpu, Op::act(OpKind::Own, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, wait::DATA));
        self.push(cpu, Op::act(OpKind::Release, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 1));
    }

    /// Processes segments in the call of a reader that has room for so many bytes more.
    fn process_for_reader(&mut self, cpu: usize, sock: u32, segments: VecDeque<u32>, room: u32) {
        let eats = self.hosts[usize::from(self.cpus[cpu].host)].reader_takes_segments;
        let bytes = |pkt: u32| self.packets[pkt as usize].segment.len;
        let mut upto: u32 = segments.iter().map(|&pkt| bytes(pkt)).sum();
        // What is pushed last happens first.
        for pkt in segments.into_iter().rev() {
            let is_eaten = eats && upto <= room;
            upto -= self.packets[pkt as usize].segment.len;
            self.push(
                cpu,
                Op::act(OpKind::Process, pkt, sock, u32::from(is_eaten)),
            );
        }
    }

    /// The routine that copies to the process: one that sums on the way has its own name.
    pub(crate) fn copy_out_path(&self, cpu: usize, pkt: u32) -> Path {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let is_summed = self.packets[pkt as usize].sum_with_copy
            && !host.code.paths[Path::ChecksumCopyToUser as usize].is_empty();
        if self.packets[pkt as usize].joined > 0 {
            Path::CopyMoreToUser
        } else if is_summed {
            Path::ChecksumCopyToUser
        } else {
            Path::CopyToUser
        }
    }

    /// The call returns so many bytes.
    pub(crate) fn returns(&mut self, cpu: usize, sock: u32, bytes: u32) {
        self.push(cpu, Op::run(Path::SyscallExit, NONE, sock, bytes));
        // That of a datagram is over before its memory is given back.
        if bytes > 0 && !self.is_udp {
            self.push(cpu, Op::run(Path::TcpRecvDone, NONE, sock, bytes));
        }
    }

    /// A piece was copied to the process; a packet read to its end is freed.
    pub(crate) fn copied(&mut self, cpu: usize, pkt: u32, sock: u32, bytes: u32) {
        let now = self.now;
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
        if socket.tcb.on_read(bytes, now) {
            self.tasks[current].wants_update = true;
        }
        if is_done {
            socket.receive_queue.pop_front();
            self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
            if self.packets[pkt as usize].joined == 0 {
                self.push(cpu, Op::run(Path::SkbFree, pkt, sock, 0));
            }
        }
    }
}

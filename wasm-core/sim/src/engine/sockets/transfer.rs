//! A process's bytes: from its buffer into the write queue, from the receive queue, and
//! what waits in the prequeue, into its buffer.
//!
//! Source: `net/ipv4/tcp.c: tcp_sendmsg, tcp_recvmsg` (v2.6.3 and v6.1).

use std::collections::VecDeque;

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op, Wait};
use crate::engine::ids::{SkbId, SockId};
use crate::engine::net::Net;
use crate::tcp::Push;

use super::socket::Chunk;

impl Net {
    /// `tcp_sendmsg`: fill the last piece of the write queue or begin one, until all is in.
    pub fn send_loop(&mut self, core: &mut Core, cpu: usize, sock: SockId, left: u32) {
        let stack = self.stack_of(core, cpu);
        let most = stack.offloads(core.socks[sock].device).gso;
        let tcb = &mut self.sockets[sock].tcb;
        if left == 0 || tcb.is_closing() {
            tcb.mark_push();
            core.push(cpu, Op::Push { sock });
            return;
        }
        let about = About::sock(sock);
        let Some(part) = tcb.append(left, most) else {
            let has_written = core.current(cpu).is_some_and(|task| task.moved > 0);
            if has_written {
                tcb.push_for_memory();
            }
            let push = has_written.then_some(Op::Push { sock });
            let wait = Wait::Memory;
            let ops = [
                Op::ReleaseSock { sock },
                Op::run(Path::WaitForMemory, about),
                Op::Sleep { sock, wait },
                Op::LockSock { sock },
                Op::SendLoop { sock, left },
            ];
            core.then(cpu, push.into_iter().chain(ops));
            return;
        };
        let is_new = self.sockets[sock].needs_chunk(part);
        if is_new {
            let room = self.sockets[sock].tcb.size_goal(most);
            let buffer = core.alloc_buffer(cpu, room);
            self.sockets[sock].chunks.push_back(Chunk {
                from: core.socks[sock].written,
                len: 0,
                room,
                buffer,
                is_sent: false,
            });
        }
        let bytes = part.bytes;
        let push = match part.push {
            Push::Nothing => None,
            Push::One => Some(Op::PushOne { sock }),
            Push::All => Some(Op::Push { sock }),
        };
        let copy = [
            Op::run(Path::CopyFromUser, about.counting(bytes)),
            Op::Queued { sock, bytes },
        ];
        let left = left - bytes;
        let again = Op::SendLoop { sock, left };
        core.then(cpu, copy.into_iter().chain(push).chain([again]));
        if is_new {
            let alloc = core.allocation(about);
            core.then(cpu, alloc);
        }
    }

    /// A part of a write was copied into its piece of the write queue.
    pub fn queued(&mut self, core: &mut Core, cpu: usize, sock: SockId, bytes: u32) {
        if let Some(task) = core.current(cpu) {
            task.moved += bytes;
        }
        core.socks[sock].written += u64::from(bytes);
        if let Some(tail) = self.sockets[sock].chunks.back_mut() {
            tail.len += bytes;
        }
    }

    /// `tcp_recvmsg`: copy what is there; then the prequeue; then sleep.
    pub fn recv_loop(&mut self, core: &mut Core, cpu: usize, sock: SockId, left: u32) {
        let Some(current) = core.cpus[cpu].current else {
            return;
        };
        let socket = &mut self.sockets[sock];
        let about = About::sock(sock);
        let again = |left| Op::RecvLoop { sock, left };
        if left > 0
            && let Some(&skb) = socket.receive_queue.front()
        {
            let bytes = left.min(core.skbs[skb].unread);
            let path = Self::copy_out_path(core, cpu, skb);
            let ops = [
                Op::run(path, About::both(skb, sock).counting(bytes)),
                Op::Copied { skb, sock, bytes },
                again(left - bytes),
            ];
            core.then(cpu, ops);
            return;
        }
        if !socket.prequeue.is_empty() {
            // Also when the call is about to return: segments that come later must not overtake these.
            let waiting = std::mem::take(&mut socket.prequeue);
            core.push(cpu, again(left));
            self.process_for_reader(core, cpu, sock, waiting, left);
            return;
        }
        let parameters = &self.stacks[core.cpus[cpu].host].tcp.parameters;
        let eats = parameters.reader_takes_segments;
        if eats && left > 0 && !socket.backlog.is_empty() {
            // As `release_sock` and then `lock_sock`, except that nobody can own the socket in between.
            let waiting = std::mem::take(&mut socket.backlog);
            core.push(cpu, again(left));
            self.process_for_reader(core, cpu, sock, waiting, left);
            core.push(cpu, Op::run(Path::ReleaseSock, about));
            return;
        }
        let is_over = socket.tcb.has_received_fin() || socket.tcb.is_dead();
        let task = &core.tasks[current];
        let (bytes, is_enough) = (task.moved, task.moved >= task.least);
        let update = Op::Ack {
            sock,
            is_update: true,
        };
        if is_enough || left == 0 || is_over {
            socket.prequeues_for = None;
            let ops = [
                Op::run(Path::CleanupRbuf, about),
                update,
                Op::ReleaseSock { sock },
                Op::Return { sock, bytes },
            ];
            core.then(cpu, ops);
            return;
        }
        socket.prequeues_for = Some(current);
        let wait = Wait::Data;
        let ops = [
            update,
            Op::ReleaseSock { sock },
            Op::BusyLoop { sock },
            Op::Sleep { sock, wait },
            Op::LockSock { sock },
            again(left),
        ];
        core.then(cpu, ops);
    }

    /// Processes segments in the call of a reader whose buffer has room for `room` more bytes.
    fn process_for_reader(
        &self,
        core: &mut Core,
        cpu: usize,
        sock: SockId,
        segments: VecDeque<SkbId>,
        room: u32,
    ) {
        let parameters = &self.stack_of(core, cpu).tcp.parameters;
        let eats = parameters.reader_takes_segments;
        let mut upto = 0;
        let ops: Vec<Op> = segments
            .into_iter()
            .map(|skb| {
                upto += core.skbs[skb].len();
                let is_eaten = eats && upto <= room;
                Op::Process {
                    skb,
                    sock,
                    is_eaten,
                }
            })
            .collect();
        core.then(cpu, ops);
    }

    /// The routine that copies to the process. One that computes the checksum on the way has a name
    /// of its own, and so has continuing, within a packet, with the segments that were joined to it.
    pub fn copy_out_path(core: &Core, cpu: usize, skb: SkbId) -> Path {
        let skb = &core.skbs[skb];
        let has_summing = core.host_of(cpu).code.has(Path::ChecksumCopyToUser);
        let task = core.cpus[cpu].current;
        let has_begun = task.is_some_and(|task| core.tasks[task].moved > 0);
        if skb.joined.is_some() && has_begun {
            Path::CopyMoreToUser
        } else if skb.sum_with_copy && has_summing {
            Path::ChecksumCopyToUser
        } else {
            Path::CopyToUser
        }
    }

    /// The call returns so many bytes.
    pub fn returns(core: &mut Core, cpu: usize, sock: SockId, bytes: u32) {
        let about = About::sock(sock).counting(bytes);
        core.push(cpu, Op::run(Path::SyscallExit, about));
        // That of a datagram is over before its memory is given back.
        if bytes > 0 && !core.socks[sock].is_udp {
            core.push(cpu, Op::run(Path::TcpRecvDone, about));
        }
    }

    /// A piece was copied to the process; a packet read to its end is freed.
    pub fn copied(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId, bytes: u32) {
        let packet = &mut core.skbs[skb];
        packet.unread -= bytes;
        let (is_done, is_joined) = (packet.unread == 0, packet.joined.is_some());
        let socket = &mut self.sockets[sock];
        socket.readable -= bytes;
        socket.delivered += u64::from(bytes);
        core.socks[sock].rps_cpu = Some(cpu);
        if is_done {
            socket.receive_queue.pop_front();
        }
        let next = socket.receive_queue.front();
        let is_all = is_done && next.is_none_or(|&next| core.skbs[next].joined.is_none());
        socket.read_in_part = if is_all {
            0
        } else {
            socket.read_in_part + bytes
        };
        let opens = socket.tcb.on_read(bytes, socket.read_in_part, core.now());
        if let Some(task) = core.current(cpu) {
            task.moved += bytes;
            task.delivered += u64::from(bytes);
            task.wants_update |= opens;
        }
        if is_done {
            core.push(cpu, Op::Free { skb });
            if !is_joined {
                core.push(cpu, Op::run(Path::SkbFree, About::both(skb, sock)));
            }
        }
    }
}

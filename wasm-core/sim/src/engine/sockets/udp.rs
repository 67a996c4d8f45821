//! UDP: a datagram into the socket's buffer, out of it, to a reader.
//!
//! Source: `net/ipv4/udp.c: udp_sendmsg, udp_queue_rcv_skb, udp_recvmsg` (v2.6.9 and v6.1).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op, Wait};
use crate::engine::ids::{Device, SkbId, SockId};
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::net::Net;
use crate::engine::nic::ETHERNET_HEADER;
use ringside::kernel::DropReason;

/// Bytes of the shortest Ethernet frame without its check sum (`ETH_ZLEN`).
const LEAST_FRAME: u32 = 60;

impl Net {
    /// `udp_sendmsg`: one datagram, when the send buffer has room.
    pub fn send_datagram(&self, core: &mut Core, cpu: usize, sock: SockId, bytes: u32) {
        let limit = core.host_of(cpu).datagram_send_buffer;
        // The last datagram may go beyond the limit (sock_alloc_send_pskb).
        if core.socks[sock].wmem_alloc >= limit {
            let wait = Wait::Memory;
            let ops = [
                Op::run(Path::WaitForMemory, About::sock(sock)),
                Op::Sleep { sock, wait },
                Op::SendDatagram { sock, bytes },
            ];
            core.then(cpu, ops);
            return;
        }
        // The loopback device takes it off the sender at once (`skb_orphan` in `loopback_xmit`).
        let truesize = match core.socks[sock].device {
            Device::Loopback => 0,
            Device::Nic(_) => self.stack_of(core, cpu).datagram_memory(bytes),
        };
        let buffer = core.alloc_buffer(cpu, bytes);
        let state = &mut core.socks[sock];
        state.wmem_alloc += truesize;
        state.written += 1;
        let mut frame = Frame {
            is_udp: true,
            from: Some(sock),
            to: state.peer,
            ..Frame::default()
        };
        frame.segment.len = bytes;
        frame.segment.seq = state.written;
        let stack = &self.stacks[core.cpus[cpu].host];
        let packet = SkBuff {
            buffer: Some(buffer),
            truesize,
            sum_with_copy: state.device == Device::Loopback && stack.cuts_datagram(bytes),
            ..SkBuff::of(frame, state.device)
        };
        let skb = core.alloc_skb(cpu, packet);
        let about = About::both(skb, sock);
        let alloc = core.allocation(about);
        let ops = std::iter::once(Op::run(Path::UdpSendmsg, about))
            .chain(alloc)
            .chain([
                Op::run(Path::CopyFromUser, about.counting(bytes)),
                Op::Transmit { skb, sock },
            ]);
        core.then(cpu, ops);
    }

    /// `udp_queue_rcv_skb`: into the receive queue, or dropped when the buffer is full.
    pub fn queue_datagram(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let len = core.skbs[skb].len();
        let stack = self.stack_of(core, cpu);
        let (admission, limit) = (stack.datagram_admission, stack.datagram_receive_buffer);
        let memory = self.memory_of(core, core.cpus[cpu].host, skb);
        let socket = &mut self.sockets[sock];
        if !admission.takes(socket.rmem_alloc, memory, limit) {
            core.drop_skb(cpu, skb, DropReason::SocketRcvbuff, |place| {
                &place.datagram_buffer
            });
            return;
        }
        socket.readable += len;
        socket.rmem_alloc += memory;
        socket.receive_queue.push_back(skb);
        if !core.socks[sock].readers.is_empty() {
            core.push(cpu, Op::WakeReader { sock });
        }
    }

    /// What a datagram's packets count in its socket's buffer, each by itself.
    pub fn memory_of(&self, core: &Core, host: usize, skb: SkbId) -> u32 {
        let mut memory = 0;
        let mut piece = Some(skb);
        while let Some(one) = piece {
            memory += self.truesize(core, host, one);
            piece = core.skbs[one].next;
        }
        memory
    }

    /// Bytes of memory of a datagram's packet (`truesize`): as its sender on this host allocated it, or as the driver
    /// of the NIC did that it came from. Simplified ("memory of received frames"): as a sender's where the machine's
    /// file says nothing of the driver.
    fn truesize(&self, core: &Core, host: usize, skb: SkbId) -> u32 {
        let stack = &self.stacks[host];
        let packet = &core.skbs[skb];
        let driver = match packet.device {
            Device::Loopback => None,
            Device::Nic(nic) => stack.nics[nic].driver.rx_data,
        };
        let Some(driver) = driver else {
            return stack.datagram_memory(packet.own);
        };
        let frame = packet.own + self.headers(host, &packet.frame) + ETHERNET_HEADER;
        let line_bytes = core.hosts[host].memory.line_bytes;
        stack.datagram_overhead + driver.of(frame.max(LEAST_FRAME), line_bytes)
    }

    /// The reader has taken a datagram off the receive queue: its memory is given back now, or with that of others
    /// (`__skb_recv_udp`, `udp_rmem_release`).
    fn release_memory(&mut self, host: usize, sock: SockId, memory: u32) {
        let stack = &self.stacks[host];
        let quarter = stack.datagram_receive_buffer >> 2;
        let socket = &mut self.sockets[sock];
        let waiting = socket.receive_queue.len();
        // A reader whose own queue is empty takes over all that waits, the datagram just read included.
        socket.reader_queue = match socket.reader_queue {
            0 => waiting,
            own => own - 1,
        };
        socket.forward_deficit += memory;
        let is_kept = stack.datagram_releases_in_batches
            && socket.forward_deficit < quarter
            && socket.reader_queue > 0;
        if !is_kept {
            socket.rmem_alloc -= std::mem::take(&mut socket.forward_deficit);
            socket.reader_queue = waiting;
        }
    }

    /// `udp_recvmsg`: the first datagram, or sleep.
    pub fn receive_datagram(&mut self, core: &mut Core, cpu: usize, sock: SockId, most: u32) {
        let socket = &mut self.sockets[sock];
        let Some(skb) = socket.receive_queue.pop_front() else {
            let wait = Wait::Data;
            let ops = [
                Op::BusyLoop { sock },
                Op::Sleep { sock, wait },
                Op::RecvDatagram { sock, most },
            ];
            core.then(cpu, ops);
            return;
        };
        let len = core.skbs[skb].len();
        let memory = self.memory_of(core, core.cpus[cpu].host, skb);
        self.sockets[sock].readable -= len;
        self.release_memory(core.cpus[cpu].host, sock, memory);
        if core.skbs[skb].frame.is_damaged {
            let about = About::both(skb, sock).counting(len);
            let ops = [
                Op::run(Self::copy_out_path(core, cpu, skb), about),
                Op::DropDamaged { skb, is_read: true },
                Op::RecvDatagram { sock, most },
            ];
            core.then(cpu, ops);
            return;
        }
        let bytes = most.min(len);
        self.sockets[sock].delivered += u64::from(bytes);
        if let Some(task) = core.current(cpu) {
            task.moved = 0;
            task.delivered += u64::from(bytes);
        }
        let about = About::both(skb, sock);
        let copy = Self::copy_out_path(core, cpu, skb);
        let ops = [
            Op::run(copy, about.counting(bytes)),
            Op::run(Path::UdpRecvDone, about.counting(bytes)),
            Op::run(Path::SkbFree, about),
            Op::Free { skb },
            Op::Return { sock, bytes },
        ];
        core.then(cpu, ops);
    }
}

#[cfg(test)]
mod tests;

//! IP and UDP: down to the device in fragments, up again whole, into the socket.
//!
//! Source: `net/ipv4/ip_output.c: ip_fragment`, `net/ipv4/ip_fragment.c: ip_defrag`,
//! `net/ipv4/udp.c: udp_sendmsg, udp_queue_rcv_skb, udp_recvmsg` (v2.6.9 and v6.1).
//!
//! Simplified here: fragments are cut from the whole datagram (Linux builds large
//! datagrams in pieces since 2.6), and a piece's memory is the whole's. A learner sees
//! one copy and as many packets.

use crate::kernel::Probe;
use crate::sim::config::kernel::Checksum;
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::setup::host::Partial;
use crate::sim::engine::state::{Fragment, LOOPBACK, NONE, Packet};
use crate::sim::engine::{Engine, Happening};

/// Bytes of an IPv4 header without options (RFC 791).
const IP_HEADER: u32 = 20;
/// Bytes of a UDP header (RFC 768).
pub(crate) const UDP_HEADER: u32 = 8;
/// What a socket's buffer counts for a packet beside its payload, in bytes.
const OVERHEAD: u32 = 256;

impl Engine {
    /// The packet goes down from its transport protocol.
    pub(crate) fn transmit(&mut self, cpu: usize, pkt: u32, sock: u32) {
        self.cpus[cpu].bh_off += 1;
        self.push(cpu, Op::act(OpKind::BhEnable, NONE, NONE, 0));
        let packet = self.packets[pkt as usize];
        let nic = self.sockets[packet.from as usize].nic;
        self.packets[pkt as usize].nic = nic;
        let host = usize::from(self.cpus[cpu].host);
        let room = self.hosts[host].mtu - IP_HEADER;
        if packet.is_udp && packet.segment.len + UDP_HEADER > room {
            self.cut(cpu, pkt, sock, room / 8 * 8);
        } else {
            self.hand_to_device(cpu, pkt);
        }
        let len = packet.segment.len;
        self.push(cpu, Op::run(Path::IpOutput, pkt, sock, len));
    }

    fn hand_to_device(&mut self, cpu: usize, pkt: u32) {
        if self.packets[pkt as usize].nic == LOOPBACK {
            self.push(cpu, Op::act(OpKind::Enqueue, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::NetifRx, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::LoopbackXmit, pkt, NONE, 0));
        } else {
            self.push(cpu, Op::act(OpKind::DevXmit, pkt, NONE, 0));
        }
        self.push(cpu, Op::run(Path::DevQueueXmit, pkt, NONE, 0));
    }

    /// `ip_fragment`: pieces of at most `room` bytes, the first with the UDP header.
    fn cut(&mut self, cpu: usize, pkt: u32, sock: u32, room: u32) {
        let whole = self.packets[pkt as usize];
        let total = whole.segment.len + UDP_HEADER;
        let pieces = total.div_ceil(room);
        self.next_datagram += 1;
        let id = self.next_datagram;
        // The whole's head is freed when its pieces are made; what is pushed last happens first.
        self.push(cpu, Op::act(OpKind::Free, pkt, NONE, 1));
        for index in (0..pieces).rev() {
            let offset = index * room;
            let len = room.min(total - offset);
            if whole.buffer != NONE {
                self.buffers[whole.buffer as usize].refs += 1;
            }
            let mut segment = whole.segment;
            segment.len = if index == 0 { len - UDP_HEADER } else { len };
            let piece = Packet {
                segment,
                unread: segment.len,
                fragment: Fragment { id, offset, total },
                offset: whole.offset + offset.saturating_sub(UDP_HEADER),
                counts: if index == 0 { whole.counts } else { 0 },
                ..whole
            };
            let piece = self.alloc_packet(cpu, piece);
            self.hand_to_device(cpu, piece);
            self.push(cpu, Op::run(Path::IpFragment, piece, sock, 0));
        }
        self.packets[pkt as usize].counts = 0;
    }

    /// A packet is through IP: a fragment waits for the others, the rest goes on.
    pub(crate) fn at_transport(&mut self, cpu: usize, pkt: u32) {
        let packet = self.packets[pkt as usize];
        let sock = packet.to;
        if packet.fragment.total > 0 {
            self.defrag(cpu, pkt);
            return;
        }
        let is_in_host = packet.nic == LOOPBACK;
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let checksum = if packet.is_udp {
            host.udp_checksum
        } else {
            host.checksum
        };
        self.packets[pkt as usize].sum_with_copy = checksum == Checksum::WithCopy && !is_in_host;
        if packet.is_udp {
            self.push(cpu, Op::act(OpKind::QueueDatagram, pkt, sock, 0));
            // A kernel that sums in here needs to know how much.
            let len = packet.segment.len;
            self.push(cpu, Op::run(Path::UdpReceive, pkt, sock, len));
            if checksum == Checksum::Softirq && !is_in_host {
                let len = packet.segment.len;
                self.push(cpu, Op::run(Path::Checksum, pkt, NONE, len));
            }
            return;
        }
        self.push(cpu, Op::act(OpKind::AtTcp, pkt, sock, 0));
    }

    /// `ip_defrag`: the piece joins its datagram; the last one completes it.
    fn defrag(&mut self, cpu: usize, pkt: u32) {
        let Fragment { id, offset, total } = self.packets[pkt as usize].fragment;
        let bytes =
            self.packets[pkt as usize].segment.len + if offset == 0 { UDP_HEADER } else { 0 };
        let index = usize::from(self.cpus[cpu].host);
        let host = &mut self.hosts[index];
        let place = host.partials.iter().position(|partial| partial.id == id);
        let place = place.unwrap_or_else(|| {
            host.partials.push_back(Partial {
                id,
                got: 0,
                ends: (pkt, pkt),
                count: 0,
            });
            host.partials.len() - 1
        });
        let partial = &mut host.partials[place];
        let first = partial.ends.0;
        partial.got += bytes;
        partial.count += 1;
        let (got, count) = (partial.got, partial.count);
        if count > 1 {
            self.append_piece(first, pkt);
        } else {
            let due = SimTime(self.now.0 + self.hosts[index].reassembly_time.0);
            self.at(due, Happening::Reassembly(index as u8, id));
        }
        if got >= total {
            self.hosts[index].partials.remove(place);
            let packet = &mut self.packets[first as usize];
            packet.segment.len = total - UDP_HEADER;
            packet.unread = packet.segment.len;
            packet.fragment = Fragment::default();
            packet.frames = count;
            self.push(cpu, Op::act(OpKind::AtTransport, first, NONE, 0));
            self.push(cpu, Op::run(Path::IpReassemble, first, NONE, count));
        } else {
            self.limit_reassembly(cpu);
        }
        self.push(cpu, Op::run(Path::IpDefrag, pkt, NONE, 0));
    }

    /// `ip_evictor`: beyond the memory limit the oldest datagram goes.
    fn limit_reassembly(&mut self, cpu: usize) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let held: u32 = host.partials.iter().map(|partial| partial.got).sum();
        if held > host.reassembly_bytes
            && let Some(&Partial { id, .. }) = host.partials.front()
        {
            self.expire(usize::from(self.cpus[cpu].host), id, Some(cpu));
        }
    }

    /// A datagram whose pieces did not all come in time, or for which there is no memory.
    pub(crate) fn expire(&mut self, host: usize, id: u32, cpu: Option<usize>) {
        let state = &mut self.hosts[host];
        let Some(place) = state.partials.iter().position(|partial| partial.id == id) else {
            return;
        };
        let Some(partial) = state.partials.remove(place) else {
            return;
        };
        let cpu = cpu.unwrap_or(state.first_cpu);
        self.emit(cpu, Probe::IpExpire, NONE, NONE);
        self.drop_packet(cpu, partial.ends.0);
    }

    // ---- UDP ------------------------------------------------------------------------

    /// `udp_sendmsg`: one datagram, when the send buffer has room.
    pub(crate) fn send_datagram(&mut self, cpu: usize, sock: u32, bytes: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let counts = bytes + OVERHEAD;
        // The last datagram may go beyond the limit (sock_alloc_send_pskb).
        if self.sockets[sock as usize].in_transit >= self.hosts[host].datagram_send_buffer {
            self.push(cpu, Op::act(OpKind::SendDatagram, NONE, sock, bytes));
            self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, 1));
            self.push(cpu, Op::run(Path::WaitForMemory, NONE, sock, 0));
            return;
        }
        let buffer = self.alloc_buffer(cpu, bytes);
        let socket = &mut self.sockets[sock as usize];
        socket.in_transit += counts;
        socket.written += 1;
        let mut packet = Packet {
            is_udp: true,
            from: sock,
            to: socket.peer,
            buffer,
            unread: bytes,
            counts,
            nic: socket.nic,
            frames: 1,
            ..Packet::default()
        };
        packet.segment.len = bytes;
        packet.segment.seq = socket.written;
        let pkt = self.alloc_packet(cpu, packet);
        self.push(cpu, Op::act(OpKind::Transmit, pkt, sock, 0));
        self.push(cpu, Op::run(Path::CopyFromUser, pkt, sock, bytes));
        self.push_alloc(cpu, pkt, sock);
        self.push(cpu, Op::run(Path::UdpSendmsg, pkt, sock, 0));
    }

    /// `udp_queue_rcv_skb`: into the receive queue, or dropped when the buffer is full.
    pub(crate) fn queue_datagram(&mut self, cpu: usize, pkt: u32, sock: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let len = self.packets[pkt as usize].segment.len;
        let limit = self.hosts[host].datagram_receive_buffer;
        let socket = &mut self.sockets[sock as usize];
        let overhead = OVERHEAD * socket.receive_queue.len() as u32;
        if socket.readable + overhead + len + OVERHEAD > limit {
            self.drop_packet(cpu, pkt);
            return;
        }
        socket.readable += len;
        socket.receive_queue.push_back(pkt);
        let has_reader = !socket.readers.is_empty();
        if has_reader {
            self.push(cpu, Op::act(OpKind::WakeReader, NONE, sock, 0));
        }
    }

    /// `udp_recvmsg`: the first datagram, or sleep.
    pub(crate) fn receive_datagram(&mut self, cpu: usize, sock: u32, most: u32) {
        let socket = &mut self.sockets[sock as usize];
        let Some(pkt) = socket.receive_queue.pop_front() else {
            self.push(cpu, Op::act(OpKind::RecvDatagram, NONE, sock, most));
            self.push(cpu, Op::act(OpKind::Sleep, NONE, sock, 0));
            return;
        };
        let len = self.packets[pkt as usize].segment.len;
        socket.readable -= len;
        let bytes = most.min(len);
        socket.delivered += u64::from(bytes);
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].moved = 0;
        self.tasks[current].delivered += u64::from(bytes);
        self.push(cpu, Op::act(OpKind::Return, NONE, sock, bytes));
        self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
        self.push(cpu, Op::run(Path::SkbFree, pkt, sock, 0));
        self.push(cpu, Op::run(Path::UdpRecvDone, pkt, sock, bytes));
        let path = self.copy_out_path(cpu, pkt);
        self.push(cpu, Op::run(path, pkt, sock, bytes));
    }
}

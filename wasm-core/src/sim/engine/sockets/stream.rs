//! TCP over the loopback device: segments down, through the backlog, and up again.
//!
//! Source: `net/ipv4/tcp_output.c: tcp_write_xmit`, `drivers/net/loopback.c:
//! loopback_xmit`, `net/core/dev.c: netif_rx, process_backlog`, `net/ipv4/tcp_ipv4.c:
//! tcp_v4_rcv`, `net/ipv4/tcp_input.c: tcp_rcv_established` (v2.6.3).

use crate::sim::config::kernel::Checksum;
use crate::sim::tcp::{AckNeed, Segment, TimerOutcome};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::{LOOPBACK, LockId, NONE, Packet};

impl Engine {
    /// Does what stands on top of a stack and is not a path.
    pub(crate) fn perform(&mut self, cpu: usize, op: Op) {
        let Op { pkt, sock, arg, .. } = op;
        match op.act {
            OpKind::Run(_) => {}
            OpKind::Compute => self.compute(cpu, arg),
            OpKind::SendLoop => self.send_loop(cpu, sock, arg),
            OpKind::Queued => self.queued(cpu, sock, arg),
            OpKind::Push => self.push_segments(cpu, sock),
            OpKind::Transmit => self.transmit(cpu, pkt, sock),
            OpKind::BhEnable => self.bh_enable(cpu),
            OpKind::Enqueue => self.enqueue(cpu, pkt),
            OpKind::DevXmit => self.dev_xmit(cpu, pkt),
            OpKind::HardXmit => self.hard_xmit(cpu, pkt),
            OpKind::NicInterrupt => self.nic_interrupt(cpu, arg),
            OpKind::DriverRound => self.driver_round(cpu, arg),
            OpKind::DriverLoop => self.driver_loop(cpu, arg),
            OpKind::Refill => self.refill(cpu, arg),
            OpKind::Post => self.post(cpu, pkt, arg),
            OpKind::Steer => self.steer(cpu, pkt, arg as usize),
            OpKind::Complete => self.complete(cpu, pkt),
            OpKind::RestartQueue => self.let_queue_go_on(cpu, arg),
            OpKind::SoftirqNext => self.softirq_next(cpu),
            OpKind::Gro => self.gro(cpu, pkt),
            OpKind::GroJoin => self.gro_join(cpu, pkt),
            OpKind::GroFlush => self.gro_flush(cpu),
            OpKind::Normal => self.normal(cpu, pkt),
            OpKind::ListFlush => self.list_flush(cpu),
            OpKind::NetReceive => self.net_receive(cpu, pkt),
            OpKind::AtTransport => self.at_transport(cpu, pkt),
            OpKind::AtTcp => self.at_tcp(cpu, pkt),
            OpKind::Process => self.process(cpu, pkt, sock, arg == 1),
            OpKind::Queue => self.queue(cpu, pkt, sock, arg),
            OpKind::QueueDatagram => self.queue_datagram(cpu, pkt, sock),
            OpKind::Ack => self.acknowledge(cpu, sock, arg == 1),
            OpKind::WakeReader => {
                if let Some(reader) = self.sockets[sock as usize].readers.pop_front() {
                    self.wake(cpu, reader, sock, true);
                }
            }
            OpKind::WakeWriter => {
                if let Some(writer) = self.sockets[sock as usize].writers.pop_front() {
                    self.wake(cpu, writer, sock, false);
                }
            }
            OpKind::RecvLoop => self.recv_loop(cpu, sock, arg),
            OpKind::RecvDatagram => self.receive_datagram(cpu, sock, arg),
            OpKind::SendDatagram => self.send_datagram(cpu, sock, arg),
            OpKind::Copied => self.copied(cpu, pkt, sock, arg),
            OpKind::Release => self.release_socket(cpu, op),
            OpKind::Own => self.own(cpu, op),
            OpKind::Return => self.returns(cpu, sock, arg),
            OpKind::Sleep => self.sleep_on(cpu, sock, arg),
            OpKind::SleepFor => self.sleep_for(cpu, arg),
            OpKind::Free => self.free_packet(cpu, pkt),
            OpKind::Tick => self.tick(cpu),
            OpKind::RaiseTimer => self.raise_timer(cpu, sock),
            OpKind::Timer => self.timer(cpu, op),
            OpKind::Unlock => self.release(cpu, LockId::Socket(sock)),
            OpKind::Deliver => self.deliver(cpu, pkt, sock),
            OpKind::Yield => self.yield_now(cpu),
            OpKind::MakeSocket => self.make_socket(cpu),
            OpKind::StartListen => self.start_listen(cpu, sock),
            OpKind::StartConnect => self.start_connect(cpu, sock),
            OpKind::AwaitConnect => self.await_connect(cpu, sock),
            OpKind::TakeConnection => self.take_connection(cpu, sock, arg == 0),
            OpKind::StartClose => self.start_close(cpu, sock),
            OpKind::Closed => self.bury_if_done(cpu, sock),
            OpKind::ReadPage => self.read_page(cpu, arg),
            OpKind::PageRead => self.page_read(cpu, arg),
            OpKind::CallEnds => self.call_ends(cpu),
            OpKind::BroadcastNext => self.broadcast_next(cpu, pkt, arg),
            OpKind::Steal => self.steal(cpu, arg),
        }
    }

    /// Sends what the window allows, one segment after the other.
    fn push_segments(&mut self, cpu: usize, sock: u32) {
        let now = self.now;
        let most = self.hosts[usize::from(self.cpus[cpu].host)].gso;
        let socket = &mut self.sockets[sock as usize];
        let Some(segment) = socket.tcb.next_segment(now, most) else {
            self.arm(sock);
            return;
        };
        let mut packet = self.packet(sock, segment);
        let socket = &mut self.sockets[sock as usize];
        if let Some(chunk) = socket
            .chunks
            .iter_mut()
            .find(|chunk| segment.seq < chunk.from + u64::from(chunk.len))
            && segment.len > 0
        {
            chunk.is_sent = true;
            packet.buffer = chunk.buffer;
            packet.offset = segment.seq.saturating_sub(chunk.from) as u32;
            self.buffers[packet.buffer as usize].refs += 1;
        }
        let pkt = self.alloc_packet(cpu, packet);
        self.arm(sock);
        self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
        self.push(cpu, Op::act(OpKind::Transmit, pkt, sock, 0));
        self.push(cpu, Op::run(Path::TcpTransmit, pkt, sock, 0));
    }

    pub(crate) fn packet(&self, sock: u32, segment: Segment) -> Packet {
        let socket = &self.sockets[sock as usize];
        Packet {
            segment,
            from: sock,
            to: socket.peer,
            nic: socket.nic,
            unread: segment.len,
            own: segment.len,
            ..Packet::default()
        }
    }

    fn bh_enable(&mut self, cpu: usize) {
        self.cpus[cpu].bh_off -= 1;
    }

    /// The timer tick: the scheduler's accounting.
    fn tick(&mut self, cpu: usize) {
        let (host, local) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].local);
        if self.hosts[host].scheduler.tick(local, self.now) {
            self.cpus[cpu].resched = true;
        }
        self.tell_queue(cpu);
        self.push(cpu, Op::run(Path::TimerInterrupt, NONE, NONE, 0));
    }

    /// `tcp_v4_rcv`: finds the socket and takes its spin lock.
    fn at_tcp(&mut self, cpu: usize, pkt: u32) {
        let sock = self.packets[pkt as usize].to;
        self.push(cpu, Op::act(OpKind::Deliver, pkt, sock, 0));
        self.push(cpu, Op::run(Path::TcpReceive, pkt, sock, 0));
    }

    /// To the backlog of an owned socket, to the prequeue of a reader that waits, else
    /// processed here, all under the socket's spin lock.
    fn deliver(&mut self, cpu: usize, pkt: u32, sock: u32) {
        self.push(cpu, Op::run(Path::TcpReceiveDone, NONE, sock, 0));
        let has_prequeue = self.hosts[usize::from(self.cpus[cpu].host)].prequeue;
        let socket = &mut self.sockets[sock as usize];
        if socket.owner != NONE {
            socket.backlog.push_back(pkt);
            self.push(cpu, Op::run(Path::BacklogAdd, pkt, sock, 0));
        } else if has_prequeue && socket.prequeues_for != NONE {
            socket.prequeue.push_back(pkt);
            let is_first = socket.prequeue.len() == 1;
            let packet = &mut self.packets[pkt as usize];
            // The process sums while it copies (tcp_copy_to_iovec).
            let host = &self.hosts[usize::from(self.cpus[cpu].host)];
            packet.sum_with_copy |= host.checksum == Checksum::Softirq && packet.nic != LOOPBACK;
            if is_first {
                self.push(cpu, Op::act(OpKind::WakeReader, NONE, sock, 0));
            }
            self.push(cpu, Op::run(Path::PrequeueAdd, pkt, sock, 0));
        } else {
            self.push(cpu, Op::act(OpKind::Process, pkt, sock, 0));
        }
    }

    /// `tcp_rcv_established`, or what a listening socket does; `is_eaten` where the data go
    /// straight to the reader's buffer.
    fn process(&mut self, cpu: usize, pkt: u32, sock: u32, is_eaten: bool) {
        if self.sockets[sock as usize].is_listening {
            self.at_listener(cpu, pkt, sock);
            return;
        }
        if self.is_refused(pkt, sock) {
            self.drop_packet(cpu, pkt);
            return;
        }
        let now = self.now;
        let segment = self.packets[pkt as usize].segment;
        let socket = &mut self.sockets[sock as usize];
        socket.cpu = cpu as u16;
        let before = socket.tcb.state();
        let received = socket.tcb.on_segment(&segment, now);
        let una = socket.tcb.snd_una();
        while let Some(chunk) = socket.chunks.front()
            && chunk.is_sent
            && chunk.from + u64::from(chunk.len) <= una
        {
            let buffer = chunk.buffer;
            socket.chunks.pop_front();
            self.done_buffers.push(buffer);
        }
        while let Some(buffer) = self.done_buffers.pop() {
            self.free_buffer(cpu, buffer);
        }
        self.arm(sock);
        // What is pushed last happens first.
        let socket = &self.sockets[sock as usize];
        let has_room = socket.tcb.has_write_space() || socket.tcb.is_closing();
        if has_room && !socket.writers.is_empty() {
            self.push(cpu, Op::act(OpKind::WakeWriter, NONE, sock, 0));
        }
        self.state_changed(cpu, sock, before);
        if received.can_send {
            self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
        }
        let waits = is_eaten && self.sockets[sock as usize].tcb.leaves_ack_to_reader(now);
        if received.send_ack == AckNeed::Now && !waits {
            self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 0));
        }
        if received.in_order > 0 || received.is_out_of_order {
            self.push(cpu, Op::act(OpKind::Queue, pkt, sock, received.in_order));
            let queue = if received.in_order > 0 {
                Path::TcpQueue
            } else {
                Path::TcpDataQueueOfo
            };
            self.push(cpu, Op::run(queue, pkt, sock, 0));
            self.push(cpu, Op::run(Path::TcpEstablished, pkt, sock, 0));
            let packet = &self.packets[pkt as usize];
            let host = &self.hosts[usize::from(self.cpus[cpu].host)];
            if host.checksum == Checksum::Softirq
                && packet.nic != LOOPBACK
                && !packet.sum_with_copy
                && segment.len > 0
            {
                self.push(cpu, Op::run(Path::Checksum, pkt, sock, segment.len));
            }
        } else {
            self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
            self.push(cpu, Op::run(Path::SkbFree, pkt, sock, 0));
            self.push(cpu, Op::run(Path::TcpAck, pkt, sock, 0));
        }
    }

    /// The segment joins the receive queue, with those that waited behind the hole it fills.
    fn queue(&mut self, cpu: usize, pkt: u32, sock: u32, in_order: u32) {
        let socket = &mut self.sockets[sock as usize];
        if in_order == 0 {
            socket.out_of_order.push(pkt);
            return;
        }
        socket.readable += in_order;
        let own = self.packets[pkt as usize].segment.len.min(in_order);
        self.packets[pkt as usize].unread = own;
        if own == 0 {
            // A FIN without data.
            self.push(cpu, Op::act(OpKind::Free, pkt, sock, 0));
            return;
        }
        self.coalesce(cpu, pkt, sock);
        let socket = &mut self.sockets[sock as usize];
        socket.receive_queue.push_back(pkt);
        let mut left = in_order - own;
        let mut end = self.packets[pkt as usize].segment.end();
        let next = socket.tcb.rcv_nxt();
        socket
            .out_of_order
            .sort_by_key(|&held| self.packets[held as usize].segment.seq);
        while let Some(&held) = socket.out_of_order.first() {
            let packet = &mut self.packets[held as usize];
            let its_end = packet.segment.end();
            if its_end > next {
                break;
            }
            socket.out_of_order.remove(0);
            let bytes = (its_end.saturating_sub(end) as u32)
                .min(packet.segment.len)
                .min(left);
            if bytes == 0 {
                // It came twice.
                self.done_packets.push(held);
                continue;
            }
            packet.unread = bytes;
            end = its_end;
            left -= bytes;
            socket.receive_queue.push_back(held);
        }
        if !socket.readers.is_empty() {
            self.push(cpu, Op::act(OpKind::WakeReader, NONE, sock, 0));
        }
        while let Some(twice) = self.done_packets.pop() {
            self.push(cpu, Op::act(OpKind::Free, twice, sock, 0));
        }
    }

    /// `tcp_try_coalesce`: the segment becomes a part of the packet that waits last.
    fn coalesce(&mut self, cpu: usize, pkt: u32, sock: u32) {
        let most = self.hosts[usize::from(self.cpus[cpu].host)].coalesced;
        let Some(&last) = self.sockets[sock as usize].receive_queue.back() else {
            return;
        };
        let joined = self.packets[last as usize].joined + 1;
        if u32::from(joined) < most {
            self.packets[pkt as usize].joined = joined;
            self.push(cpu, Op::run(Path::TcpCoalesce, pkt, sock, 0));
        }
    }

    /// An acknowledgement goes out; after reading, only if the window opened enough.
    fn acknowledge(&mut self, cpu: usize, sock: u32, is_update: bool) {
        if is_update {
            let current = self.cpus[cpu].current as usize;
            if !std::mem::take(&mut self.tasks[current].wants_update) {
                return;
            }
        }
        if !is_update && !self.sockets[sock as usize].tcb.is_ack_scheduled() {
            return;
        }
        let segment = self.sockets[sock as usize].tcb.ack_segment();
        let packet = self.packet(sock, segment);
        let pkt = self.alloc_packet(cpu, packet);
        self.arm(sock);
        self.push(cpu, Op::act(OpKind::Transmit, pkt, sock, 0));
        self.push(cpu, Op::run(Path::TcpSendAck, pkt, sock, 0));
        self.push_alloc(cpu, pkt, sock);
    }

    /// The socket's next timer goes into the heap unless an earlier one is there.
    pub(crate) fn arm(&mut self, sock: u32) {
        let socket = &mut self.sockets[sock as usize];
        let next = socket.tcb.next_timer();
        // One that is due already waits for the softirq, or until its socket is free.
        let is_under_way =
            socket.timer_is_due || next <= self.now && socket.timer_at != SimTime::NEVER;
        if next != SimTime::NEVER && next < socket.timer_at && !is_under_way {
            socket.timer_at = next.max(self.now);
            let at = socket.timer_at;
            self.at(at, crate::sim::engine::Happening::SocketTimer(sock));
        }
    }

    /// `tcp_write_timer`, `tcp_delack_timer`.
    fn timer(&mut self, cpu: usize, op: Op) {
        let (now, sock) = (self.now, op.sock);
        if self.waits_for_socket(cpu, op) {
            return;
        }
        let socket = &mut self.sockets[sock as usize];
        socket.timer_is_due = false;
        if socket.is_gone {
            return;
        }
        if socket.tcb.next_timer() > now {
            self.arm(sock);
            return;
        }
        if socket.owner != NONE {
            // The kernel tries again soon when a process owns the socket.
            let again = now + SimTime::from_ms(1);
            if again < socket.timer_at {
                socket.timer_at = again;
                self.at(again, crate::sim::engine::Happening::SocketTimer(sock));
            }
            return;
        }
        self.hold_socket(cpu, sock);
        let socket = &mut self.sockets[sock as usize];
        let before = socket.tcb.state();
        match socket.tcb.on_timer(now) {
            TimerOutcome::SendAck => {
                self.push(cpu, Op::act(OpKind::Ack, NONE, sock, 0));
                self.push(cpu, Op::run(Path::DelackTimer, NONE, sock, 0));
            }
            TimerOutcome::Retransmit | TimerOutcome::Probe => {
                self.push(cpu, Op::act(OpKind::Push, NONE, sock, 0));
                self.push(cpu, Op::run(Path::RtoTimer, NONE, sock, 0));
            }
            TimerOutcome::GaveUp | TimerOutcome::TimeWaitOver | TimerOutcome::Nothing => {}
        }
        self.state_changed(cpu, sock, before);
        self.arm(sock);
    }
}

//! Between TCP's state and the kernel around it: segments down, up to the socket, into its queues;
//! acknowledgements. What TCP decides is the business of [`crate::tcp`].
//!
//! Source: `net/ipv4/tcp_output.c: tcp_write_xmit`, `net/ipv4/tcp_ipv4.c: tcp_v4_rcv`,
//! `net/ipv4/tcp_input.c: tcp_rcv_established` (v2.6.3).

use crate::config::kernel::Checksum;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{SkbId, SockId};
use crate::engine::ip::damage::find_damage;
use crate::engine::net::Net;
use crate::tcp::{AckNeed, Received, Segment, State, Tcb};
use crate::time::SimTime;
use ringside::kernel::DropReason;

impl Net {
    /// `tcp_write_xmit`: sends what the window allows, one segment after the other.
    pub fn push_segments(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let next = self.next_segment(core, cpu, sock, Tcb::next_segment);
        if let Some(segment) = next {
            core.push(cpu, Op::Push { sock });
            self.transmit_queued(core, cpu, sock, segment);
        }
    }

    /// `tcp_push_one`: sends the piece that a write has just filled.
    pub fn push_one_segment(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let next = self.next_segment(core, cpu, sock, Tcb::push_one);
        if let Some(segment) = next {
            self.transmit_queued(core, cpu, sock, segment);
        }
    }

    /// What goes next, if anything may.
    fn next_segment(
        &mut self,
        core: &mut Core,
        cpu: usize,
        sock: SockId,
        choose: fn(&mut Tcb, SimTime, u32) -> Option<Segment>,
    ) -> Option<Segment> {
        let stack = self.stack_of(core, cpu);
        let most = stack.offloads(core.socks[sock].device).gso;
        let tcb = &mut self.sockets[sock].tcb;
        tcb.set_below(core.socks[sock].wmem_alloc);
        tcb.set_paced(core.socks[sock].is_paced);
        let next = choose(tcb, core.now(), most);
        if next.is_none() {
            if tcb.take_throttled() {
                self.throttle(core, sock);
            }
            self.arm(core, sock);
        }
        next
    }

    /// A segment of the write queue goes down the stack (`tcp_transmit_skb`).
    fn transmit_queued(&mut self, core: &mut Core, cpu: usize, sock: SockId, segment: Segment) {
        let stack = &self.stacks[core.cpus[cpu].host];
        let socket = &mut self.sockets[sock];
        let mut packet = Self::packet(core, sock, socket.tcb.mss(), segment);
        packet.is_cloned = segment.len > 0;
        if let Some((buffer, offset)) = socket.data_of(&segment) {
            packet.buffer = Some(buffer);
            packet.offset = offset;
            core.buffers[buffer].refs += 1;
        }
        let limit = stack.tcp.parameters.limit_output_bytes;
        Self::charge(core, &mut packet, sock, limit);
        let skb = core.alloc_skb(cpu, packet);
        self.arm(core, sock);
        let ops = [
            Op::run(Path::TcpTransmit, About::both(skb, sock)),
            Op::Transmit { skb, sock },
        ];
        core.then(cpu, ops);
    }

    /// `tcp_v4_rcv`: finds the socket and takes its spin lock.
    pub fn at_tcp(core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let receive = Op::run(Path::TcpReceive, About::both(skb, sock));
        core.then(cpu, [receive, Op::Deliver { skb, sock }]);
    }

    /// To the backlog of an owned socket, to the prequeue of a reader that waits, else
    /// processed here, all under the socket's spin lock.
    pub fn deliver(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        core.push(cpu, Op::run(Path::TcpReceiveDone, About::sock(sock)));
        let stack = &self.stacks[core.cpus[cpu].host];
        let socket = &mut self.sockets[sock];
        let about = About::both(skb, sock);
        let is_lockless = socket.life.is_listening && stack.tcp.parameters.lockless_listeners;
        let is_owned = socket.owner.is_some() && !is_lockless;
        if is_owned && core.skbs[skb].frame.is_damaged {
            find_damage(core, cpu, skb);
        } else if is_owned {
            self.add_to_backlog(core, cpu, skb, sock);
        } else if stack.tcp.parameters.prequeue && socket.prequeues_for.is_some() {
            socket.prequeue.push_back(skb);
            let packet = &mut core.skbs[skb];
            // The process sums while it copies (tcp_copy_to_iovec).
            packet.sum_with_copy |= stack.offloads(packet.device).checksum == Checksum::Softirq;
            if socket.prequeue.len() == 1 {
                core.push(cpu, Op::WakeReader { sock });
            }
            core.push(cpu, Op::run(Path::PrequeueAdd, about));
        } else {
            let is_eaten = false;
            core.push(
                cpu,
                Op::Process {
                    skb,
                    sock,
                    is_eaten,
                },
            );
        }
    }

    /// `tcp_rcv_established`, or what a listening socket does; `is_eaten` where the data go
    /// straight to the reader's buffer.
    pub fn process_segment(
        &mut self,
        core: &mut Core,
        cpu: usize,
        skb: SkbId,
        sock: SockId,
        is_eaten: bool,
    ) {
        if core.skbs[skb].frame.is_damaged {
            find_damage(core, cpu, skb);
            return;
        }
        if self.sockets[sock].life.is_listening {
            self.at_listener(core, cpu, skb, sock);
            return;
        }
        if self.is_refused(core, skb, sock) {
            core.drop_skb(cpu, skb, DropReason::TcpListenOverflow, |place| {
                &place.accept_queue
            });
            return;
        }
        // What is pushed last happens first.
        let received = self.take_in(core, cpu, skb, sock);
        self.answer(core, cpu, sock, &received, is_eaten);
        self.queue_or_free(core, cpu, skb, sock, &received);
    }

    /// What the segment changes at once in its connection: acknowledged buffers are freed, and who waits for room or
    /// for another state goes on.
    fn take_in(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) -> Received {
        let now = core.now();
        let segment = core.skbs[skb].frame.segment;
        let stack = &self.stacks[core.cpus[cpu].host];
        let socket = &mut self.sockets[sock];
        socket.cpu = cpu;
        let before = socket.tcb.state();
        let has_probe = stack.has_tcp_probe && before == State::Established;
        socket.probed = has_probe.then(|| socket.tcb.probed());
        let received = socket.tcb.on_segment(&segment, now);
        self.done_buffers.extend(socket.forget_acknowledged());
        for buffer in self.done_buffers.drain(..).rev() {
            core.free_buffer(cpu, buffer);
        }
        self.arm(core, sock);
        let tcb = &self.sockets[sock].tcb;
        let has_room = tcb.has_write_space() || tcb.is_closing();
        if has_room && !core.socks[sock].writers.is_empty() {
            core.push(cpu, Op::WakeWriter { sock });
        }
        let changes_state = before != State::Established || tcb.state() != before;
        self.state_changed(core, cpu, sock, before);
        if changes_state {
            core.push(cpu, Op::run(Path::TcpState, About::sock(sock)));
        }
        received
    }

    /// What goes back to the sender: data that the window has room for now, an acknowledgement where one is due.
    fn answer(
        &mut self,
        core: &mut Core,
        cpu: usize,
        sock: SockId,
        received: &Received,
        is_eaten: bool,
    ) {
        if received.can_send {
            core.push(cpu, Op::Push { sock });
        }
        let parameters = &self.stacks[core.cpus[cpu].host].tcp.parameters;
        let socket = &mut self.sockets[sock];
        let waits = is_eaten && socket.tcb.leaves_ack_to_reader(core.now());
        if received.send_ack != AckNeed::Now {
            return;
        }
        // Out of order, each asks at once for what is missing.
        let is_deferred =
            parameters.defers_backlog_acks && socket.owner.is_some() && !received.is_out_of_order;
        if is_deferred {
            socket.is_ack_deferred = true;
        } else if !waits {
            let is_update = false;
            core.push(cpu, Op::Ack { sock, is_update });
        }
    }

    /// Data go into the queue that their order asks for; what only acknowledges is freed.
    fn queue_or_free(
        &self,
        core: &mut Core,
        cpu: usize,
        skb: SkbId,
        sock: SockId,
        received: &Received,
    ) {
        let about = About::both(skb, sock);
        let in_order = received.in_order;
        if in_order == 0 && !received.is_out_of_order {
            let ops = [
                Op::run(Path::TcpAck, about),
                Op::run(Path::SkbFree, about),
                Op::Free { skb },
            ];
            core.then(cpu, ops);
            return;
        }
        let queue = if in_order > 0 {
            Path::TcpQueue
        } else {
            Path::TcpDataQueueOfo
        };
        let bytes = core.skbs[skb].frame.segment.len;
        let sum = self
            .is_summed_here(core, cpu, skb)
            .then(|| Op::run(Path::Checksum, about.counting(bytes)));
        let acknowledges = (received.acked > 0).then(|| Op::run(Path::TcpAckWithData, about));
        let ops = [
            sum,
            Some(Op::run(Path::TcpEstablished, about)),
            acknowledges,
            Some(Op::run(queue, about)),
            Some(Op::Queue {
                skb,
                sock,
                in_order,
            }),
        ];
        core.then(cpu, ops.into_iter().flatten());
    }

    /// Whether TCP sums the segment: neither the NIC nor a copy does.
    fn is_summed_here(&self, core: &Core, cpu: usize, skb: SkbId) -> bool {
        let packet = &core.skbs[skb];
        let stack = self.stack_of(core, cpu);
        stack.offloads(packet.device).checksum == Checksum::Softirq
            && !packet.sum_with_copy
            && packet.len() > 0
    }

    /// The segment joins the receive queue, with those that waited behind the hole it fills.
    pub fn queue_segment(
        &mut self,
        core: &mut Core,
        cpu: usize,
        skb: SkbId,
        sock: SockId,
        in_order: u32,
    ) {
        let socket = &mut self.sockets[sock];
        if in_order == 0 {
            socket.out_of_order.push(skb);
            return;
        }
        socket.readable += in_order;
        let own = core.skbs[skb].len().min(in_order);
        core.skbs[skb].unread = own;
        if own == 0 {
            // A FIN without data.
            core.push(cpu, Op::Free { skb });
            return;
        }
        self.coalesce(core, cpu, skb, sock);
        let socket = &mut self.sockets[sock];
        socket.receive_queue.push_back(skb);
        let mut left = in_order - own;
        let mut end = core.skbs[skb].frame.segment.end();
        let next = socket.tcb.rcv_nxt();
        socket
            .out_of_order
            .sort_by_key(|&held| core.skbs[held].frame.segment.seq);
        while let Some(&held) = socket.out_of_order.first() {
            let packet = &mut core.skbs[held];
            let its_end = packet.frame.segment.end();
            // What follows another one that joined this one is that one's to bring along.
            if its_end > next || (left == 0 && its_end > end) {
                break;
            }
            socket.out_of_order.remove(0);
            let bytes = (its_end.saturating_sub(end) as u32)
                .min(packet.len())
                .min(left);
            if bytes == 0 {
                // It came twice.
                self.done_skbs.push(held);
                continue;
            }
            packet.unread = bytes;
            end = its_end;
            left -= bytes;
            socket.receive_queue.push_back(held);
        }
        if !core.socks[sock].readers.is_empty() {
            core.push(cpu, Op::WakeReader { sock });
        }
        let twice = self.done_skbs.drain(..);
        core.then(cpu, twice.map(|skb| Op::Free { skb }));
    }

    /// `tcp_try_coalesce`: the segment becomes a part of the packet that waits last.
    fn coalesce(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let coalescing = self.stack_of(core, cpu).tcp.parameters.coalescing;
        let last = self.sockets[sock].receive_queue.back();
        let Some((coalescing, &last)) = coalescing.zip(last) else {
            return;
        };
        let (last, packet) = (&core.skbs[last], &core.skbs[skb]);
        let fragments = last.fragments_with(packet, coalescing.page_bytes);
        if self.is_shared(last) || fragments > coalescing.max_fragments {
            return;
        }
        core.skbs[skb].joined = Some(fragments);
        self.sockets[sock].tcb.coalesces();
        core.host_of_mut(cpu).totals.tcp.rcv_coalesce += 1;
        core.push(cpu, Op::run(Path::TcpCoalesce, About::both(skb, sock)));
    }

    /// An acknowledgement goes out; after reading, only if the window opened enough.
    pub fn acknowledge(&mut self, core: &mut Core, cpu: usize, sock: SockId, is_update: bool) {
        if is_update {
            let task = core.current(cpu);
            if !task.is_some_and(|task| std::mem::take(&mut task.wants_update)) {
                return;
            }
        } else if !self.sockets[sock].tcb.is_ack_scheduled() {
            return;
        }
        let tcb = &mut self.sockets[sock].tcb;
        let is_update = false;
        let again = tcb
            .owes_earlier_ack()
            .then_some(Op::Ack { sock, is_update });
        let segment = tcb.ack_segment();
        let packet = Self::packet(core, sock, tcb.mss(), segment);
        let skb = core.alloc_skb(cpu, packet);
        self.arm(core, sock);
        let about = About::both(skb, sock);
        let alloc = core.allocation(about);
        let send = Op::run(Path::TcpSendAck, about);
        let ops = alloc.chain([send, Op::Transmit { skb, sock }]);
        core.then(cpu, ops.chain(again));
    }
}

#[cfg(test)]
mod tests;

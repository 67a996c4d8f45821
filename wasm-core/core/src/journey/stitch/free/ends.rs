//! The end of a packet as the functions that free it report it: `consume_skb` and `kfree_skb`.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::headers::{TCP, UDP};
use crate::journey::stitch::packet::location::{
    freeing_function, frees_others, ignores_packet_to_many, is_of_reader, is_of_tcp,
    refuses_datagram, segments_datagram,
};
use crate::journey::stitch::packet::order::{Order, can_follow, refused_at};
use crate::journey::stitch::packet::reported::{drop_reason, is_freed_in};
use crate::kernel::{DropReason, Event, EventIdx, Field, PacketId, Pid, Probe, Station, Verdict};

impl Stitcher<'_> {
    /// `net/core/skbuff.c: consume_skb`: the `sk_buff` is freed after it served its purpose.
    pub fn consume(&mut self, index: EventIdx, event: &Event) {
        let mut raw = ["raw_recvmsg", "rawv6_recvmsg"].into_iter();
        if raw.any(|function| is_freed_in(self.run, index, function)) {
            self.tasks.of(event.pid).has_read_raw = true;
        }
        if self.end_clone(index, event) {
            return;
        }
        let Some(packet) = self.table.packet_at(event.skb) else {
            return;
        };
        if self.table[packet].outcome.is_closed {
            return;
        }
        if self.is_share(index) {
            self.free_share(packet, index, event);
            return;
        }
        if self.returns_share(packet, index, event) {
            return;
        }
        let freed_by = self
            .freed_by(index)
            .map(|freed| self.who_read(packet, index, freed));
        if self.is_of_another_kind(index) {
            let are_returns_told = self.tcp.are_returns_told();
            self.undo_last_foreign_copies(packet, are_returns_told);
            self.table.release_address(packet);
            return;
        }
        if self.is_read_without_payload(packet, freed_by) {
            self.table[packet].flow.protocol = TCP;
            self.table.release_address(packet);
            return;
        }
        self.table.append(packet, index, event);
        self.learn_place(packet, index);
        let ended_before = self.table[packet].outcome.end;
        self.consume_whole(packet, index, event);
        let Some(verdict) = self.consumed_as(packet, index, event, freed_by) else {
            return;
        };
        if self.free_raw(packet, verdict, event) {
            return;
        }
        // The packet was read earlier: its journey ended with that read, and only its `sk_buff` is freed now.
        let end = match (verdict, ended_before) {
            (Verdict::Delivered { .. }, Some(read_at)) => read_at,
            _ => event.time,
        };
        self.table.close(packet, verdict, end);
        self.note_opening(packet, index);
        self.begin_segments(packet, index, event);
        self.end_reassembly_or_cut(packet, index, event);
    }

    /// Whether a read is said to have freed a segment without payload, such as a FIN: no read takes those, and TCP had
    /// processed it before its `sk_buff` was freed. `tcp_probe` does not tell of the FIN that answers one of this side
    /// (`net/ipv4/tcp_input.c: tcp_rcv_state_process`, v6.18); its hash tells that it is a segment, and that its socket
    /// signalled no data that it has none.
    fn is_read_without_payload(&self, packet: PacketId, freed_by: Option<Verdict>) -> bool {
        let draft = &self.table[packet];
        let is_of_tcp = draft.flow.protocol == TCP || self.tcp.socket_of(draft.hash).is_some();
        let is_told = draft.is_probed || draft.station() == Some(Station::NetCore) && is_of_tcp;
        matches!(freed_by, Some(Verdict::Delivered { .. }))
            && self.tcp.infers_reads()
            && is_told
            && draft.may_be_bare_segment()
    }

    /// The verdict of a packet that is consumed; `freed_by` follows from the function that freed it. `None` if it stays
    /// queued: its `sk_buff` is gone, but its data is in another one.
    fn consumed_as(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        freed_by: Option<Verdict>,
    ) -> Option<Verdict> {
        let draft = &self.table[packet];
        if draft.outcome.verdict != Verdict::Open {
            return Some(draft.outcome.verdict);
        }
        if self.has_left(draft) {
            return Some(Verdict::Transmitted);
        }
        if self.is_refused(packet, index, event) {
            self.table[packet].outcome.is_inferred = true;
            let reason = DropReason::NotSpecified;
            return Some(Verdict::Dropped { reason });
        }
        if freed_by.is_some() {
            return freed_by;
        }
        let is_queued = draft.queues.is_queued();
        // TCP data may stay queued after the `sk_buff` that brought it is freed.
        if is_queued {
            return (draft.flow.protocol == UDP).then_some(Verdict::Consumed);
        }
        // Without probes of the copy: a task frees what it has received.
        let is_received = draft.order >= Order::NET_CORE;
        // What a task receives itself, as NAPI in a thread or the writer of a tun device, it frees as the stack does.
        let receiving = self.cpus.receiving(event.cpu);
        let is_in_hand = receiving.is_some_and(|it| it.has_in_hand(packet, event));
        if event.in_task() && is_received && !is_in_hand && self.may_be_freed_by_reader(index) {
            return Some(self.read_datagram(packet, index, event));
        }
        Some(Verdict::Consumed)
    }

    /// The freed packet was the first fragment of a datagram that is complete now, or one that has been cut into
    /// fragments.
    fn end_reassembly_or_cut(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let is_put_together = is_freed_in(self.run, index, "inet_frag_reasm_prepare");
        let cpu = self.cpus.at(event.cpu);
        if is_put_together {
            cpu.receiving.reassemble(packet, event);
        }
        cpu.cutting.take_if(|(whole, _)| *whole == packet);
    }

    /// Whether a listening socket refused the SYN that is freed here. A full accept queue gives no drop reason and no
    /// event: `net/ipv4/tcp_input.c: tcp_conn_request` returns as for a SYN that it answers, and
    /// `tcp_rcv_state_process` consumes both (v6.18). The SYN-ACK would leave in between on the same CPU; if nothing
    /// was sent there, the SYN was refused.
    fn is_refused(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        if self.unobserved.sending || !is_freed_in(self.run, index, "tcp_rcv_state_process") {
            return false;
        }
        let entries = self.table[packet].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let received = events.find(|at| self.run.probe[at.at()] == Probe::NetifReceiveSkb);
        let cpu = self.cpus.get(event.cpu);
        received.zip(cpu).is_some_and(|(received, cpu)| {
            self.run.cpu[received.at()] == event.cpu && cpu.sent <= Some(received)
        })
    }

    /// Whether what is freed has no protocol although the packet at its address had one: the memory has been reused
    /// for a message of another socket family (AF_UNIX, netlink).
    fn is_no_packet(&self, packet: PacketId, index: EventIdx) -> bool {
        let draft = &self.table[packet];
        draft.headers.ethertype != 0 && self.run.field(index, Field::Protocol) == Some(0)
    }

    /// Whether what is freed is not a packet, by the function that the event names since v6.3. It is a message of
    /// another socket family, the completion notice of a zero-copy send (`net/core/skbuff.c:
    /// __msg_zerocopy_callback`, v6.18), or the copy that a neighbour probe uses (`net/core/neighbour.c:
    /// neigh_probe`, v6.18, inlined in `__neigh_event_send`).
    fn is_of_another_kind(&self, index: EventIdx) -> bool {
        freeing_function(self.run, index).is_some_and(frees_others)
    }

    /// Whether a task that frees a received packet may be its reader: the event names a receive call, or no function.
    /// What a program writes to a tun device, or accepts from a netfilter queue, is processed and freed by the
    /// protocols within that call.
    fn may_be_freed_by_reader(&self, index: EventIdx) -> bool {
        freeing_function(self.run, index).is_none_or(is_of_reader)
    }

    /// Learns the packet's protocol from the function of TCP or UDP that frees it.
    pub fn learn_place(&mut self, packet: PacketId, index: EventIdx) {
        let function = freeing_function(self.run, index);
        let draft = &mut self.table[packet];
        if function.is_some_and(is_of_tcp) {
            draft.flow.protocol = TCP;
        } else if function.is_some_and(refuses_datagram) {
            draft.flow.protocol = UDP;
        }
    }

    /// The verdict that follows from the function that freed the packet (named since v6.3). Receive calls defer the
    /// free to the CPU that allocated the `sk_buff` (`skb_attempt_defer_free`), so the reader is unknown then. A
    /// fragment is freed by the reassembly, or together with the datagram whose `frag_list` it was on.
    pub fn freed_by(&self, index: EventIdx) -> Option<Verdict> {
        match freeing_function(self.run, index)? {
            "skb_defer_free_flush" | "skb_attempt_defer_free" => Some(Verdict::Delivered {
                pid: Pid::UNKNOWN,
                read: index,
            }),
            "inet_frag_reasm_prepare" | "skb_release_data" => Some(Verdict::Merged {
                into: PacketId::NONE,
            }),
            function => segments_datagram(function).then_some(Verdict::Consumed),
        }
    }

    /// Whether the packet's last known station is GRO.
    fn is_left_in_gro(&self, packet: PacketId) -> bool {
        self.table[packet].station() == Some(Station::Gro)
    }

    /// `net/core/skbuff.c: kfree_skb_reason`: dropped, or freed by code that makes no difference between dropping and
    /// consuming (`NOT_SPECIFIED`).
    pub fn free(&mut self, index: EventIdx, event: &Event) {
        if self.end_clone(index, event) || self.refuse_for_one(index, event) {
            return;
        }
        let is_expiring = self.cpus.at(event.cpu).is_expiring;
        let Some(packet) = self.table.packet_at(event.skb) else {
            self.purge_unaddressed(index);
            self.drop_unseen(index, event);
            return;
        };
        if self.was_before_drop(packet, index) || self.is_of_output(packet, index, event) {
            self.table.release_address(packet);
            self.drop_unseen(index, event);
            return;
        }
        if self.is_share_of_ip(index) {
            self.free_share(packet, index, event);
            return;
        }
        self.refuse_datagram(packet, index, event);
        if self.table[packet].outcome.is_closed {
            // What the address has been given to since passed no probe.
            self.purge_unaddressed(index);
            return;
        }
        if self.is_no_packet(packet, index) {
            return;
        }
        if self.returns_share(packet, index, event) {
            return;
        }
        let reason = drop_reason(self.run, index);
        if self.refuses_segment(packet, index, event) || self.is_past_refusal(packet, reason) {
            self.table.release_address(packet);
            return;
        }
        if reason == DropReason::FragReasmTimeout {
            self.put_in_reassembly(packet);
        }
        let is_by_driver =
            reason == DropReason::NotSpecified && self.is_freed_by_driver(packet, index, event);
        self.table.append(packet, index, event);
        self.learn_place(packet, index);
        let verdict = if is_by_driver && self.table[packet].outcome.is_open() {
            self.table[packet].outcome.is_inferred = true;
            Verdict::Dropped { reason }
        } else if self.is_ignored(packet, index, reason) {
            self.table[packet].outcome.is_inferred = true;
            Verdict::Consumed
        } else {
            self.freed_as(packet, index, reason, is_expiring)
        };
        if matches!(verdict, Verdict::Dropped { .. }) {
            self.drop_whole(packet, index, event);
            self.purge_stream(packet, index);
        }
        self.suppose_raw(packet, verdict, event);
        if self.free_raw(packet, verdict, event) {
            return;
        }
        self.table.close(packet, verdict, event.time);
    }

    /// Whether the packet is one to many that nobody here listens to: others may have copies of it, and nothing went wrong.
    fn is_ignored(&self, packet: PacketId, index: EventIdx, reason: DropReason) -> bool {
        let function = freeing_function(self.run, index);
        self.table[packet].outcome.is_open()
            && reason == DropReason::NotSpecified
            && function.is_some_and(ignores_packet_to_many)
    }

    /// Whether a queue that the received packet has already passed drops for this reason. It dropped another packet:
    /// one produced by segmentation in a qdisc, whose `sk_buff` comes from the same slab cache.
    fn is_past_refusal(&self, packet: PacketId, reason: DropReason) -> bool {
        let last = self.table[packet].order;
        let is_past = |at| last >= Order::ARRIVE && !can_follow(last, at);
        refused_at(reason).is_some_and(is_past)
    }

    /// The verdict of a packet that is freed for this reason; `is_expiring`: `ip_expire` runs on the CPU.
    fn freed_as(
        &self,
        packet: PacketId,
        index: EventIdx,
        reason: DropReason,
        is_expiring: bool,
    ) -> Verdict {
        let draft = &self.table[packet];
        if draft.outcome.verdict != Verdict::Open {
            return draft.outcome.verdict;
        }
        if self.is_cut_for_program(packet, index) {
            return Verdict::Consumed;
        }
        // The program that owns the tun device closed it with frames in its ring (`drivers/net/tun.c`, v6.18).
        let is_left_in_ring = is_freed_in(self.run, index, "tun_queue_purge");
        let is_sent = self.has_left(draft) && !is_left_in_ring;
        match reason {
            DropReason::NotSpecified | DropReason::QueuePurge | DropReason::SocketClose
                if is_sent =>
            {
                Verdict::Transmitted
            }
            DropReason::NotSpecified if is_expiring && draft.fragment.is_some() => {
                Verdict::Dropped {
                    reason: DropReason::FragReasmTimeout,
                }
            }
            DropReason::NotSpecified if draft.is_acknowledging && !draft.may_have_payload() => {
                Verdict::Consumed
            }
            DropReason::NotSpecified if self.is_with_head(packet, index) => Verdict::Merged {
                into: PacketId::NONE,
            },
            // TCP gives no drop reason when it has finished with a segment (TIME-WAIT), and purges a FIN together
            // with the receive queue after the reader has seen the end of the stream.
            DropReason::NotSpecified | DropReason::QueuePurge if draft.is_bare_segment() => {
                Verdict::Consumed
            }
            _ => Verdict::Dropped { reason },
        }
    }

    /// Whether the packet is freed with the head on whose `frag_list` it was.
    fn is_with_head(&self, packet: PacketId, index: EventIdx) -> bool {
        is_freed_in(self.run, index, "skb_release_data")
            || self.is_left_in_gro(packet) && freeing_function(self.run, index).is_none()
    }
}

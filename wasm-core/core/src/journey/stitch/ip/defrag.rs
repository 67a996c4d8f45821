//! Datagrams that a forwarding host reassembles for connection tracking and fragments again.
//!
//! `net/netfilter/nf_defrag_ipv4.c: ipv4_conntrack_defrag` (v6.18) gathers the fragments; the last one then holds the
//! datagram (`net/ipv4/inet_fragment.c: inet_frag_reasm_prepare`). `net/ipv4/ip_output.c: ip_do_fragment` reuses the
//! fragments' own memory where they fit: the first is sent at the address of the datagram, the others at theirs.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::Resending;
use crate::journey::stitch::packet::headers::LINK_HEADER;
use crate::kernel::{Event, EventIdx, PacketId, Verdict};

impl Stitcher<'_> {
    /// `net_dev_queue` at the address of the packet being received, after an event of reassembly: its fragments are
    /// merged into it. If the datagram is longer than the frame it is fragmented here, and the frame is its first
    /// fragment.
    pub fn send_reassembled(&mut self, index: EventIdx, event: &Event) {
        let Some(whole) = self.table.packet_at(event.skb) else {
            return;
        };
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        if receiving.in_hand_last(event) != Some(whole) {
            return;
        }
        let in_hand = receiving.in_hand(event, |packet| packet == whole);
        let Some((_, Some(first), unresolved)) = in_hand else {
            return;
        };
        let last = &self.table[whole];
        let parts = self
            .fragments
            .take_parts(last, Some(first), unresolved, &self.table);
        if parts.is_empty() {
            return;
        }
        self.fragments.suppose(whole, parts, index);
        self.join_supposed(whole);
        let draft = &self.table[whole];
        let group = self.fragments.group(draft);
        let left = group.map_or(0, |group| group.bytes);
        let (headers, time) = (draft.headers.whole_header() + LINK_HEADER, event.time);
        if event.len < left.saturating_add(headers) {
            self.table[whole].outcome.is_inferred = true;
            self.table.close(whole, Verdict::Consumed, time);
            let place = (event.pid, event.context);
            let cpu = self.cpus.at(event.cpu);
            cpu.receiving.let_go(whole);
            cpu.resending = Some(Resending { whole, place, left });
        }
    }

    /// A packet first appears at a device: it may be a fragment of the datagram that is being sent on.
    pub fn take_piece(&mut self, packet: PacketId, event: &Event) {
        let resending = self.cpus.at(event.cpu).resending.take();
        let Some(mut resending) = resending.filter(|it| it.place == (event.pid, event.context))
        else {
            return;
        };
        let draft = &self.table[resending.whole];
        let headers = LINK_HEADER + draft.headers.fragment_headers();
        let bytes = event.len.saturating_sub(headers);
        if bytes > resending.left {
            return;
        }
        resending.left -= bytes;
        self.cpus.at(event.cpu).resending = Some(resending).filter(|it| it.left > 0);

        self.table.cut(resending.whole, packet);
    }
}

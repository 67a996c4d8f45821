//! Acknowledgements: segments that are sent in answer to a received one, and received ones of which no event reports
//! the protocol.

use std::collections::BTreeSet;

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::receiving::Receiving;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::{ETH_P_IP, ETH_P_IPV6, TCP, UDP};
use crate::kernel::{Context, Direction, Event, PacketId, Station, Verdict};

impl Stitcher<'_> {
    /// The received segment that a packet which begins here answers: the softirq received it, TCP has processed it,
    /// and nothing else was received since. A segment sent by a timer in a later softirq on top of the same task is
    /// no answer (`net/ipv4/tcp_input.c: __tcp_ack_snd_check`, `tcp_data_snd_check`, v6.18).
    pub fn answered_segment(&self, event: &Event) -> Option<PacketId> {
        let receiving = self.cpus.receiving(event.cpu);
        let last = receiving.and_then(|receiving| receiving.last_at(event));
        let is_softirq_running = receiving.is_some_and(Receiving::is_softirq_running);
        let is_there = event.context == Context::Softirq && is_softirq_running;
        last.filter(|&last| is_there && self.table[last].is_probed)
    }

    /// Marks packets as TCP that can only be acknowledgements. An acknowledgement that arrives after its socket has
    /// sent a FIN has no event but its reception (`net/ipv4/tcp_input.c: tcp_rcv_state_process`, v6.18, calls no
    /// `tcp_probe`). All other packets have a further event: a read, a drop or `tcp_probe`. Packets of this host's
    /// UDP sockets are recognised by their hash, unless a tunnel has reset it (`drivers/net/wireguard/queueing.h:
    /// wg_reset_packet`, v6.18).
    pub fn suppose_acknowledgements(&mut self) {
        let of_udp = self
            .table
            .drafts()
            .iter()
            .filter(|draft| draft.flow.protocol == UDP);
        let of_udp: BTreeSet<u32> = of_udp
            .map(|draft| draft.hash)
            .filter(|&hash| hash != 0)
            .collect();
        let is_untold = |draft: &Draft| {
            draft.outcome.verdict == Verdict::Open
                && draft.flow.protocol == 0
                && draft.station() == Some(Station::NetCore)
                && !draft.queues.is_held
        };
        for draft in self.table.drafts_mut() {
            let is_of_socket = draft.direction == Direction::Receive
                || draft.hash != 0
                || draft.headers.is_unpacked;
            let is_ip = matches!(draft.headers.ethertype, ETH_P_IP | ETH_P_IPV6);
            let is_bare = draft.headers.network_bytes > 0 && draft.may_be_bare_segment();
            if is_of_socket && is_ip && is_bare && is_untold(draft) && !of_udp.contains(&draft.hash)
            {
                draft.flow.protocol = TCP;
            }
        }
    }
}

//! Segments that were coalesced into another, where nothing reports how TCP takes them up: no `tcp_probe` and no kprobe.
//!
//! A copy names the `sk_buff` from which it takes bytes. If it takes more than the segment brought that began that
//! `sk_buff`, the next segments of the flow were coalesced into it (`net/ipv4/tcp_input.c: tcp_try_coalesce`, v6.18),
//! and are read by the same copies. The flow is known by its hash. The length of the TCP header is not known: only where
//! segments with the usual one add up to the last byte of what was read, were they these.

use std::collections::{BTreeMap, VecDeque};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::headers::{TCP, TCP_HEADER, UDP};
use crate::journey::stitch::table::Table;
use crate::kernel::{Event, EventIdx, PacketId, Probe, Probes};

/// The received packets of a flow that no copy has named or read.
#[derive(Debug, Default)]
struct Flow {
    packets: VecDeque<PacketId>,
    /// The packet that the last copy named.
    head: Option<PacketId>,
    /// Bytes of this `sk_buff` that other packets are known to have brought.
    known: u64,
    /// So many of the next packets can have brought so many more.
    reached: (usize, u64),
}

/// The flows of a recording in which nothing else reports what was coalesced.
#[derive(Debug, Default)]
pub struct Coalesced {
    is_needed: bool,
    flows: BTreeMap<u32, Flow>,
}

/// The limit of packets kept for a flow, above what a receive buffer holds of large segments.
const MAX_PACKETS: usize = 1024;

impl Coalesced {
    /// No flows yet; `passed` are the probes that the recording contains.
    pub fn of(passed: &Probes) -> Self {
        let is_needed = !passed.has(Probe::TcpProbe) && !passed.has(Probe::TcpQueueRcv);
        Self {
            is_needed,
            flows: BTreeMap::new(),
        }
    }

    /// A packet of this hash is received.
    pub fn receive(&mut self, packet: PacketId, hash: u32) {
        if !self.is_needed || hash == 0 {
            return;
        }
        let packets = &mut self.flows.entry(hash).or_default().packets;
        if packets.back() != Some(&packet) {
            packets.push_back(packet);
        }
        let surplus = packets.len().saturating_sub(MAX_PACKETS);
        packets.drain(..surplus);
    }

    /// Copies took `more` bytes than `head` brought. Returns the packets that brought what is not known of yet, if
    /// there are such.
    fn take(&mut self, head: PacketId, more: u32, table: &Table) -> Vec<PacketId> {
        let Some(flow) = self.flows.get_mut(&table[head].hash) else {
            return Vec::new();
        };
        if flow.head != Some(head) {
            let Some(at) = flow.packets.iter().position(|&packet| packet == head) else {
                return Vec::new();
            };
            flow.packets.drain(..=at);
            (flow.head, flow.known, flow.reached) = (Some(head), 0, (0, 0));
        }
        let unknown = u64::from(more).saturating_sub(flow.known);
        let (mut count, mut bytes) = flow.reached;
        while bytes < unknown
            && let Some(&next) = flow.packets.get(count)
        {
            bytes += u64::from(table[next].unread_bytes());
            count += 1;
        }
        flow.reached = (count, bytes);
        if bytes != unknown {
            return Vec::new();
        }
        (flow.known, flow.reached) = (more.into(), (0, 0));
        let has_data = |&packet: &PacketId| table[packet].unread_bytes() > 0;
        flow.packets.drain(..count).filter(has_data).collect()
    }
}

impl Stitcher<'_> {
    /// Ends the segments that this copy from a packet has read with it.
    pub fn read_coalesced(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let draft = &self.table[packet];
        let more = draft.copied.unwrap_or(0).saturating_sub(draft.payload);
        let is_datagram = draft.flow.protocol == UDP
            || draft.fragment.is_some()
            || draft.payload == draft.headers.datagram_bytes();
        if more == 0 || draft.headers.network_bytes == 0 || is_datagram {
            return;
        }
        for read in self.tcp.coalesced.take(packet, more, &self.table) {
            let draft = &mut self.table[read];
            draft.flow.protocol = TCP;
            draft.payload = draft.headers.tcp_payload(TCP_HEADER);
            self.table.read_by(read, index, index, event.pid);
        }
    }
}

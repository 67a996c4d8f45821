//! Packets while their journeys are being put together.

use crate::journey::{Fragment, GroupId, Mark};
use crate::kernel::{
    AddrId, Direction, Event, EventIdx, Field, Nanos, PacketId, Probe, Station, Verdict,
};
use crate::run::Run;

use super::order::Order;

#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about one packet, not states"
)]
/// A journey in the making.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    /// Its events, in the order in which they were found.
    pub entries: Vec<Entry>,
    /// The furthest place it has been at.
    pub order: Order,
    /// The last probe that only comes once.
    pub origin: Option<Probe>,
    pub verdict: Verdict,
    /// No further event is this packet's.
    pub is_closed: bool,
    /// Another packet has its address now.
    pub is_superseded: bool,
    /// Later than its last event where something else ended it.
    pub end: Option<Nanos>,
    pub direction: Direction,
    pub bytes: u32,
    pub payload: u32,
    /// `skb->len` when the transport layer got it.
    pub transport_bytes: u32,
    pub mark: Option<Mark>,
    pub seq: Option<u32>,
    pub ip_id: Option<u16>,
    /// Flags and offset of the IP header, in host order.
    pub frag_off: u16,
    pub fragment: Option<Fragment>,
    pub cut_from: PacketId,
    /// Frames of the link that it had before anything merged into it.
    pub own_parts: u32,
    /// Those of what merged into it.
    pub took_parts: u64,
    /// Those that it brought into what it merged into.
    pub gave_parts: u32,
    /// When something merged into it last: it was still there.
    pub grew_at: Option<Nanos>,
    pub sk: AddrId,
    /// The socket in whose backlog it waits.
    pub backlog: Option<AddrId>,
    pub skb: AddrId,
    pub protocol: u8,
    pub source: u32,
    pub destination: u32,
    pub source_port: u16,
    pub destination_port: u16,
    /// The device that was named last.
    pub dev: Option<u32>,
    /// TCP has looked at its acknowledgement.
    pub is_acknowledging: bool,
    /// It is in a socket's receive queue or further.
    pub is_queued: bool,
    /// It waits in TCP's out-of-order queue.
    pub is_out_of_order: bool,
}

/// An event of a packet and where it brought it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub event: EventIdx,
    pub station: Option<Station>,
    pub piece: u32,
}

impl Entry {
    pub const fn new(event: EventIdx, station: Option<Station>) -> Self {
        Self {
            event,
            station,
            piece: 0,
        }
    }
}

impl Draft {
    /// A packet of which nothing is known yet.
    pub fn new(direction: Direction, skb: AddrId) -> Self {
        Self {
            entries: Vec::new(),
            order: Order::START,
            origin: None,
            verdict: Verdict::Open,
            is_closed: false,
            is_superseded: false,
            end: None,
            direction,
            bytes: 0,
            payload: 0,
            transport_bytes: 0,
            mark: None,
            seq: None,
            ip_id: None,
            frag_off: 0,
            fragment: None,
            cut_from: PacketId::NONE,
            own_parts: 1,
            took_parts: 0,
            gave_parts: 0,
            grew_at: None,
            sk: AddrId::NONE,
            backlog: None,
            skb,
            protocol: 0,
            source: 0,
            destination: 0,
            source_port: 0,
            destination_port: 0,
            dev: None,
            is_acknowledging: false,
            is_queued: false,
            is_out_of_order: false,
        }
    }

    /// Takes what an event of this packet tells of it.
    pub fn learn(&mut self, run: &Run, index: EventIdx, event: &Event) {
        // In the socket's queue an sk_buff takes in what came behind it: not its own.
        let is_in_stream = matches!(
            event.probe.station(),
            Some(Station::ReceiveQueue | Station::Process)
        );
        if event.len != Event::NO_LEN && !is_in_stream {
            // Until the headers are gone the largest length seen is the packet's own.
            self.bytes = self.bytes.max(event.len);
        }
        if event.sk.is_some() {
            self.sk = event.sk;
        }
        let mut thread = None;
        let mut packet = None;
        for (field, value) in run.fields(index) {
            match field {
                Field::IpId => self.ip_id = Some(value as u16),
                Field::FragOff => self.frag_off = value as u16,
                Field::Proto => self.protocol = value as u8,
                Field::Saddr => self.source = value,
                Field::Daddr => self.destination = value,
                Field::Sport => self.source_port = value as u16,
                Field::Dport => self.destination_port = value as u16,
                Field::SeqNo if self.seq.is_none() => self.seq = Some(value),
                Field::Payload => self.payload = value,
                Field::Dev => self.dev = Some(value),
                Field::GsoSegs if value > 1 => self.own_parts = value,
                Field::Thread => thread = Some(value),
                Field::Packet => packet = Some(value),
                _ => {}
            }
        }
        if let (None, Some(thread), Some(packet)) = (self.mark, thread, packet) {
            self.mark = Some(Mark { thread, packet });
        }
    }

    /// Frames of the link that it holds.
    pub fn parts(&self) -> u32 {
        let parts = u64::from(self.own_parts) + self.took_parts;
        u32::try_from(parts).unwrap_or(u32::MAX)
    }

    /// Something merges into it: it does not end before that.
    pub fn grows(&mut self, at: Nanos) {
        self.grew_at = self.grew_at.max(Some(at));
    }

    /// The datagram it is a fragment of.
    pub fn group(&self) -> GroupId {
        self.fragment
            .map_or(GroupId::NONE, |fragment| fragment.group)
    }

    /// Whether its IP header says that it is a fragment.
    pub const fn is_fragment(&self) -> bool {
        self.frag_off & (IP_MF | IP_OFFSET) != 0
    }

    /// The last station that it reached.
    pub fn station(&self) -> Option<Station> {
        self.entries.iter().rev().find_map(|entry| entry.station)
    }
}

/// "More fragments" in the IP header (RFC 791 section 3.1).
pub(super) const IP_MF: u16 = 0x2000;
/// The fragment offset in units of 8 bytes.
pub(super) const IP_OFFSET: u16 = 0x1fff;

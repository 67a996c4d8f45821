//! The segments of a flow as seen at each place: on the link, where TCP sends, where TCP receives.

use std::collections::BTreeMap;

use super::End;
use crate::journey::{FlowId, Journeys};
use crate::kernel::protocol::is_after;
use crate::kernel::{Event, EventIdx, Field, Nanos, PacketId, Probe};
use crate::order;
use crate::run::Run;

/// A place where segments are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Link,
    Sent,
    Received,
}

impl End {
    /// Where it sees the data.
    pub(super) const fn data(self) -> Place {
        match self {
            Self::Link => Place::Link,
            Self::Sender => Place::Sent,
            Self::Receiver => Place::Received,
        }
    }

    /// Where it sees the replies.
    pub(super) const fn answers(self) -> Place {
        match self {
            Self::Link => Place::Link,
            Self::Sender => Place::Received,
            Self::Receiver => Place::Sent,
        }
    }
}

/// A segment as seen at a place.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) at: Nanos,
    pub(super) packet: PacketId,
    pub(super) seq: Option<u32>,
    pub(super) ack: Option<u32>,
    /// Bytes of data.
    pub(super) bytes: u32,
    /// The bytes may also be options in its header.
    is_in_doubt: bool,
    /// The window that its sender advertises, in bytes.
    pub(super) window: Option<u32>,
    /// The window field of the header, unscaled; and a SYN's window scale option.
    header_window: Option<u32>,
    is_syn: bool,
    scale: Option<u32>,
    pub(super) sack: Vec<(u32, u32)>,
}

/// Bytes below TCP in a length: `ETH_HLEN` and an IPv4 header without options (`include/uapi/linux/if_ether.h`).
const BELOW_TCP: u32 = 14 + 20;
/// The largest TCP header in bytes (RFC 9293 section 3.1).
const LARGEST: u32 = 60;
/// A TCP header with the timestamps that Linux sends by default, in bytes (RFC 7323).
const USUAL: u32 = 32;

/// How many bytes of a segment's length are headers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header(u32);

impl Header {
    /// The shortest length of the connection's segments: one without data, as each end sends some. The usual header
    /// length if none was seen.
    pub(super) fn of(run: &Run, journeys: &Journeys, flows: [Option<FlowId>; 2]) -> Self {
        let events = journeys
            .packets
            .iter()
            .enumerate()
            .filter_map(|(id, packet)| {
                let is_of = flows.contains(&Some(packet.flow));
                is_of.then(|| journeys.events(PacketId(id as u32)))
            });
        let lengths = events.flatten().filter_map(|&index| {
            let is_at_tcp = matches!(
                run.probe[index.at()],
                Probe::TcpV4Rcv | Probe::TcpTransmitSkb | Probe::IpQueueXmit
            );
            (is_at_tcp && run.field(index, Field::SeqNo).is_some()).then(|| run.skb_len(index))
        });
        let least = lengths.filter(|&len| len != Event::NO_LEN).min();
        Self(least.filter(|&least| least <= LARGEST).unwrap_or(USUAL))
    }
}

/// A flow's segments as seen at each place, by time.
pub(super) fn of_flow(
    run: &Run,
    journeys: &Journeys,
    flow: Option<FlowId>,
    header: Header,
) -> BTreeMap<Place, Vec<Seen>> {
    let mut places: BTreeMap<Place, Vec<Seen>> = BTreeMap::new();
    for id in journeys.ids() {
        if Some(journeys.packets[id.at()].flow) != flow {
            continue;
        }
        let (mut is_sent, mut is_received) = (false, false);
        for &index in journeys.events(id) {
            if run.field(index, Field::SeqNo).is_none() {
                continue;
            }
            // At TCP a packet counts once, at its first event; on the link each frame counts.
            let place = match run.probe[index.at()] {
                Probe::WireRx | Probe::WireTx => Place::Link,
                Probe::TcpV4Rcv if !is_received => {
                    is_received = true;
                    Place::Received
                }
                Probe::TcpV4Rcv => continue,
                _ if !is_sent && !is_received => {
                    is_sent = true;
                    Place::Sent
                }
                _ => continue,
            };
            let seen = Seen::at(run, index, id, header);
            places.entry(place).or_default().push(seen);
        }
    }
    for seen in places.values_mut() {
        order::sort_by_key(seen, |seen| seen.at);
    }
    places
}

impl Seen {
    fn at(run: &Run, index: EventIdx, packet: PacketId, header: Header) -> Self {
        let (bytes, is_told) = bytes(run, index, header);
        let mut seen = Self {
            at: run.time(index),
            packet,
            seq: None,
            ack: None,
            bytes,
            is_in_doubt: !is_told && bytes <= LARGEST.saturating_sub(header.0),
            window: None,
            header_window: None,
            is_syn: false,
            scale: None,
            sack: Vec::new(),
        };
        let (mut from, mut has_ack) = (None, true);
        for (field, value) in run.fields(index) {
            match field {
                Field::SeqNo => seen.seq = Some(value),
                Field::AckNo => seen.ack = Some(value),
                Field::RcvWnd => seen.window = Some(value),
                Field::Window => seen.header_window = Some(value),
                Field::WindowScale => seen.scale = Some(value.min(LARGEST_SCALE)),
                Field::SackFrom => from = Some(value),
                Field::SackTo => seen
                    .sack
                    .extend(from.take().and_then(|from| block(from, value))),
                Field::TcpFlags => {
                    has_ack = value & ACK != 0;
                    seen.is_syn = value & SYN != 0;
                }
                _ => {}
            }
        }
        // A SYN without ACK acknowledges nothing, which appears as 0 where no flags are reported.
        seen.ack = seen.ack.filter(|&ack| has_ack && ack != 0);
        seen
    }
}

/// The control bit that makes the acknowledgement number valid (RFC 9293 section 3.1).
const ACK: u32 = 0x10;
/// The control bit that opens a connection.
const SYN: u32 = 0x02;
/// The largest window scale (RFC 7323 section 2.3); larger values count as this.
const LARGEST_SCALE: u32 = 14;

/// Bytes of data in a segment, and whether the event distinguishes them from its header.
fn bytes(run: &Run, index: EventIdx, Header(header): Header) -> (u32, bool) {
    if let Some(payload) = run.field(index, Field::Payload) {
        return (payload, true);
    }
    let len = run.skb_len(index);
    if len == Event::NO_LEN {
        return (0, true);
    }
    let below = match run.probe[index.at()] {
        Probe::TcpV4Rcv | Probe::TcpTransmitSkb | Probe::IpQueueXmit => 0,
        _ => BELOW_TCP,
    };
    (len.saturating_sub(below + header), false)
}

/// Scales the windows of the replies if both SYNs have the option (RFC 7323 section 2.2). Without both SYNs the
/// windows are unknown; a SYN's own window is never scaled.
pub(super) fn scale(data: &[Seen], answers: &mut [Seen]) {
    let of = |way: &[Seen]| way.iter().find(|seen| seen.is_syn).map(|syn| syn.scale);
    let shift = match (of(data), of(answers)) {
        (Some(Some(_)), Some(Some(own))) => Some(own),
        (Some(_), Some(_)) => Some(0),
        _ => None,
    };
    for seen in answers {
        let shift = if seen.is_syn { Some(0) } else { shift };
        let scaled = seen
            .header_window
            .zip(shift)
            .map(|(window, shift)| window << shift);
        seen.window = seen.window.or(scaled);
    }
}

/// Resolves the segments in doubt: a SYN, or an acknowledgement with SACK blocks, has a longer header and no data.
/// Bytes are data if the next segment continues after them or they are acknowledged; a SYN counts as one byte.
pub(super) fn settle(data: &mut [Seen], answers: &[Seen]) {
    let acked = answers.iter().rev().find_map(|seen| seen.ack);
    let reaches = |number: u32, end: u32| number == end || is_after(number, end);
    for at in 0..data.len() {
        let (Some(seq), true) = (data[at].seq, data[at].is_in_doubt) else {
            continue;
        };
        let end = seq.wrapping_add(data[at].bytes);
        let next = data[at + 1..].iter().find_map(|seen| seen.seq).or(acked);
        if !next.is_some_and(|next| reaches(next, end)) {
            data[at].bytes = 0;
        }
    }
}

/// A SACK block whose end is after its start; others are invalid (`net/ipv4/tcp_input.c: tcp_is_sackblock_valid`,
/// v6.12).
fn block(from: u32, to: u32) -> Option<(u32, u32)> {
    is_after(to, from).then_some((from, to))
}

/// Maps sequence numbers to positions that do not wrap, relative to the first (RFC 9293 section 3.4).
#[derive(Debug, Clone, Copy)]
pub(super) struct Unwrap {
    number: u32,
    place: i64,
}

impl Unwrap {
    pub(super) const fn new(first: u32) -> Self {
        Self {
            number: first,
            place: 0,
        }
    }

    /// The position of a number, taken to be near the previous one, which it replaces.
    pub(super) fn place(&mut self, number: u32) -> i64 {
        self.place = self.near(number);
        self.number = number;
        self.place
    }

    /// The position of a number, without replacing the previous one.
    pub(super) fn near(&self, number: u32) -> i64 {
        self.place + i64::from(number.wrapping_sub(self.number).cast_signed())
    }
}

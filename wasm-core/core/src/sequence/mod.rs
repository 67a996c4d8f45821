//! The time-sequence graph of a TCP connection as tcptrace draws it (S. Ostermann, `tcptrace`, "time sequence
//! graphs"): data of one direction by time and sequence number, with the peer's acknowledgements and receive window,
//! and the sender's congestion window where the run reports it.
//!
//! It is drawn as seen by one of the ends, or by a capture of the link: a segment has another time at each. All
//! numbers are from events; nothing is interpolated.

mod connection;
mod picture;
mod seen;
mod thin;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::journey::{FlowId, Journeys};
use crate::kernel::{EventIdx, Field, Nanos, PacketId, Probe};
use crate::run::Run;

pub use connection::{of_connection, reverse};
pub use picture::picture;

use seen::{Header, Seen, Unwrap};

/// Where a connection is observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// On the link: the frames of a capture.
    Link,
    /// At the sender of the data: segments as it sends them, acknowledgements as they arrive.
    Sender,
    /// At the receiver of the data: segments as they arrive, acknowledgements as it sends them.
    Receiver,
}

impl End {
    /// All, in order of how much they show.
    pub const ALL: [Self; 3] = [Self::Link, Self::Sender, Self::Receiver];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        }
    }

    /// The end of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }
}

/// What a segment's bytes are to the observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All are above everything seen before.
    New,
    /// Some were seen before: a retransmission.
    Again,
    /// None was seen before, but higher ones were: it fills a gap, late or retransmitted after a loss.
    Late,
}

impl Kind {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Again => "again",
            Self::Late => "late",
        }
    }
}

/// Data: a bar from its first byte to one past its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// When it was seen.
    pub at: Nanos,
    /// Its packet; for a bar of several segments, the first one's.
    pub packet: PacketId,
    /// First byte, counted from the connection's first.
    pub from: i64,
    /// One past the last.
    pub to: i64,
    /// What its bytes are to the observer.
    pub kind: Kind,
    /// How many segments the bar represents: more than 1 where several are drawn as one.
    pub segments: u32,
}

/// A SACK block: data that the receiver holds beyond its acknowledgement (RFC 2018).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sack {
    /// When it was seen.
    pub at: Nanos,
    /// First byte, counted from the connection's first.
    pub from: i64,
    /// One past the last.
    pub to: i64,
}

/// A value that holds from a time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level<T> {
    /// The start of its validity.
    pub at: Nanos,
    /// The value.
    pub value: T,
}

/// The sender's own state at each arriving segment (`tcp:tcp_probe`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sender {
    /// Congestion window in segments.
    pub cwnd: Vec<Level<u32>>,
    /// Slow start threshold in segments, where there is one.
    pub ssthresh: Vec<Level<u32>>,
    /// Smoothed round-trip time in microseconds.
    pub srtt: Vec<Level<u32>>,
}

/// One direction of a connection by time and sequence number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// Where it can be observed; empty if the run has no sequence numbers of it.
    pub ends: Vec<End>,
    /// Where it is observed.
    pub end: End,
    /// The sequence number drawn as 0: the SYN's, or that of the first byte seen.
    pub first: u32,
    /// The data, by time.
    pub segments: Vec<Segment>,
    /// Acknowledgements: the next byte that the receiver expects.
    pub acked: Vec<Level<i64>>,
    /// The end of the receive window: acknowledgement plus window.
    pub window: Vec<Level<i64>>,
    /// The receiver's SACK blocks.
    pub sacks: Vec<Sack>,
    /// The sender's own state.
    pub sender: Sender,
}

/// `TCP_INFINITE_SSTHRESH`: no loss yet (`include/net/tcp.h`, v6.1).
const INFINITE_SSTHRESH: u32 = 0x7fff_ffff;

/// The data in the direction of `flow`, observed from `end` if possible.
pub fn sequence(run: &Run, journeys: &Journeys, flow: FlowId, end: Option<End>) -> Sequence {
    let back = reverse(journeys, flow);
    let header = Header::of(run, journeys, [Some(flow), back]);
    let mut data = seen::of_flow(run, journeys, Some(flow), header);
    let mut answers = seen::of_flow(run, journeys, back, header);
    let ends: Vec<End> = End::ALL
        .into_iter()
        .filter(|&end| data.contains_key(&end.data()) || answers.contains_key(&end.answers()))
        .collect();
    // An end that sees data shows more than one that sees only acknowledgements.
    let best = ends
        .iter()
        .copied()
        .find(|end| data.contains_key(&end.data()));
    let wanted = end.filter(|end| ends.contains(end));
    let end = wanted
        .or(best)
        .or(ends.first().copied())
        .unwrap_or(End::Sender);
    let mut data = data.remove(&end.data()).unwrap_or_default();
    let mut answers = answers.remove(&end.answers()).unwrap_or_default();
    seen::settle(&mut data, &answers);
    seen::scale(&data, &mut answers);
    let first = first_number(&data, &answers);
    let mut graph = Sequence {
        ends,
        end,
        first,
        segments: segments(&data, first),
        acked: Vec::new(),
        window: Vec::new(),
        sacks: Vec::new(),
        sender: Sender::default(),
    };
    graph.take_answers(&answers);
    graph.take_sender(run, journeys, flow);
    if let (End::Receiver, Some(back), true) = (end, back, graph.window.is_empty()) {
        graph.take_receiver(run, journeys, back);
    }
    graph
}

/// The sequence number drawn as 0: the SYN's, or the lower of the first segment's and the first acknowledgement.
fn first_number(data: &[Seen], answers: &[Seen]) -> u32 {
    let segment = data.iter().find_map(|seen| seen.seq);
    let acked = answers.iter().find_map(|seen| seen.ack);
    match (segment, acked) {
        (Some(segment), Some(acked)) if acked.wrapping_sub(segment).cast_signed() < 0 => acked,
        (Some(first), _) | (None, Some(first)) => first,
        (None, None) => 0,
    }
}

fn segments(data: &[Seen], first: u32) -> Vec<Segment> {
    let mut unwrap = Unwrap::new(first);
    // What was seen, as disjoint intervals: from a first byte to one past the last.
    let mut covered: BTreeMap<i64, i64> = BTreeMap::new();
    let mut segments = Vec::new();
    for seen in data {
        let (Some(seq), true) = (seen.seq, seen.bytes > 0) else {
            continue;
        };
        let from = unwrap.place(seq);
        let to = from + i64::from(seen.bytes);
        let highest = covered.last_key_value().map(|(_, &to)| to);
        let before = covered.range(..to).next_back();
        let is_seen = before.is_some_and(|(_, &end)| end > from);
        segments.push(Segment {
            at: seen.at,
            packet: seen.packet,
            from,
            to,
            kind: match highest {
                _ if is_seen => Kind::Again,
                Some(highest) if to <= highest => Kind::Late,
                _ => Kind::New,
            },
            segments: 1,
        });
        cover(&mut covered, from, to);
    }
    segments
}

/// Adds an interval and joins it with all that touch it.
fn cover(covered: &mut BTreeMap<i64, i64>, mut from: i64, mut to: i64) {
    while let Some((&begin, &end)) = covered.range(..=to).next_back() {
        if end < from {
            break;
        }
        covered.remove(&begin);
        from = from.min(begin);
        to = to.max(end);
    }
    covered.insert(from, to);
}

impl Sequence {
    fn take_answers(&mut self, answers: &[Seen]) {
        let mut unwrap = Unwrap::new(self.first);
        for seen in answers {
            let Some(ack) = seen.ack else { continue };
            let ack = unwrap.place(ack);
            // An acknowledgement that was overtaken is lower than what is known.
            let known = self.acked.last().map_or(i64::MIN, |last| last.value);
            let at = seen.at;
            self.acked.push(Level {
                at,
                value: ack.max(known),
            });
            if let Some(window) = seen.window {
                let value = ack + i64::from(window);
                self.window.push(Level { at, value });
            }
            for &(from, to) in &seen.sack {
                self.sacks.push(Sack {
                    at,
                    from: unwrap.near(from),
                    to: unwrap.near(to),
                });
            }
        }
    }

    /// Takes the sender's state from `tcp_probe` at each arriving acknowledgement; also its peer's window and
    /// acknowledgements if no segment shows them.
    fn take_sender(&mut self, run: &Run, journeys: &Journeys, flow: FlowId) {
        let has_acks = !self.acked.is_empty();
        let has_window = !self.window.is_empty();
        let mut unwrap = Unwrap::new(self.first);
        for index in probes(run, journeys, flow) {
            let at = run.time(index);
            let level = |field| {
                Some(Level {
                    at,
                    value: run.field(index, field)?,
                })
            };
            let sender = &mut self.sender;
            sender.cwnd.extend(level(Field::SndCwnd));
            sender.srtt.extend(level(Field::Srtt));
            let ssthresh = level(Field::Ssthresh);
            sender
                .ssthresh
                .extend(ssthresh.filter(|level| level.value < INFINITE_SSTHRESH));
            let una = run.field(index, Field::SndUna);
            let (Some(una), true) = (una, self.end == End::Sender) else {
                continue;
            };
            let una = unwrap.place(una);
            if !has_acks {
                self.acked.push(Level { at, value: una });
            }
            if let (false, Some(offered)) = (has_window, run.field(index, Field::SndWnd)) {
                let value = una + i64::from(offered);
                self.window.push(Level { at, value });
            }
        }
    }

    /// Takes the receiver's window from `tcp_probe` at each arriving segment; it counts from the last acknowledgement
    /// sent (`net/ipv4/tcp_output.c: tcp_select_window`, v6.1).
    fn take_receiver(&mut self, run: &Run, journeys: &Journeys, back: FlowId) {
        let mut acked = self.acked.iter().peekable();
        let mut up_to = None;
        for index in probes(run, journeys, back) {
            let at = run.time(index);
            while let Some(level) = acked.next_if(|level| level.at <= at) {
                up_to = Some(level.value);
            }
            if let (Some(up_to), Some(offered)) = (up_to, run.field(index, Field::RcvWnd)) {
                let value = up_to + i64::from(offered);
                self.window.push(Level { at, value });
            }
        }
    }
}

/// The `tcp_probe` events of the socket that sends a flow. The event reports the ends from the socket's side, and in
/// 6.1 no packet; without ends it belongs to the flow of its segment.
fn probes(run: &Run, journeys: &Journeys, flow: FlowId) -> impl Iterator<Item = EventIdx> {
    let ends = journeys.flows.get(flow.0 as usize).copied();
    let back = reverse(journeys, flow);
    run.indices().filter(move |&index| {
        if run.probe[index.at()] != Probe::TcpProbe {
            return false;
        }
        let ports = [Field::Sport, Field::Dport].map(|field| run.field(index, field));
        let ([Some(source), Some(destination)], Some(ends)) = (ports, ends) else {
            let packet = journeys.packets.get(journeys.packet_of[index.at()].at());
            return packet.is_some_and(|packet| Some(packet.flow) == back);
        };
        let is_at = |v4, v6, known: Option<IpAddr>| {
            let named = run.field_name(index, v6).and_then(|name| name.parse().ok());
            let number = run.field(index, v4).filter(|&address| address != 0);
            let told = number.map(|address| IpAddr::V4(address.into())).or(named);
            told.is_none() || known.is_none() || told == known
        };
        (source, destination) == (ends.source_port.into(), ends.destination_port.into())
            && is_at(Field::Saddr, Field::Saddrv6, ends.source)
            && is_at(Field::Daddr, Field::Daddrv6, ends.destination)
    })
}

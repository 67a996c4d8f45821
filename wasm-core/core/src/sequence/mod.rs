//! The time-sequence graph of a TCP connection, as tcptrace draws it (S. Ostermann, `tcptrace`, its
//! "time sequence graphs"): one way's data by time and sequence number, with what the other end
//! acknowledges, what it can take, and the sender's congestion window where the run tells it.
//!
//! It is drawn as one of the ends saw it, or as a capture of the link did: a segment has another time
//! at each. The numbers are those of the events; nothing is drawn that no event tells.

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

/// From where a connection is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The frames as a capture of the link saw them.
    Link,
    /// The end that sends the data: segments as it sends them, acknowledgements as they come.
    Sender,
    /// The end that receives the data: segments as they come, acknowledgements as it sends them.
    Receiver,
}

impl End {
    /// All, the one that sees most first.
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

/// What a segment's bytes were to whoever watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// All of them are above everything seen before.
    New,
    /// Some of them were seen before: sent again.
    Again,
    /// None of them was seen before, and higher ones were: it fills a hole, late or sent again after a loss.
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
    /// Its packet; of a bar that stands for several the first.
    pub packet: PacketId,
    /// First byte, counted from the connection's first.
    pub from: i64,
    /// One past the last.
    pub to: i64,
    /// What its bytes were.
    pub kind: Kind,
    /// How many segments the bar stands for: 1, more where they are drawn into each other.
    pub segments: u32,
}

/// A block that the receiver tells it has beyond what it acknowledges (RFC 2018).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sack {
    /// When it was seen.
    pub at: Nanos,
    /// First byte, counted from the connection's first.
    pub from: i64,
    /// One past the last.
    pub to: i64,
}

/// A value from a time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level<T> {
    /// From when on.
    pub at: Nanos,
    /// The value.
    pub value: T,
}

/// What the sender says of itself at a segment that comes (`tcp:tcp_probe`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sender {
    /// Congestion window in segments.
    pub cwnd: Vec<Level<u32>>,
    /// Slow start threshold in segments, where there is one.
    pub ssthresh: Vec<Level<u32>>,
    /// Smoothed round-trip time in microseconds.
    pub srtt: Vec<Level<u32>>,
}

/// One way of a connection's data by time and sequence number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// From where it can be watched; empty where the run tells no sequence numbers of it.
    pub ends: Vec<End>,
    /// From where it is watched.
    pub end: End,
    /// The sequence number that counts as 0: a SYN's, or that of the first byte seen.
    pub first: u32,
    /// Data, by time.
    pub segments: Vec<Segment>,
    /// What is acknowledged: the next byte that the receiver expects.
    pub acked: Vec<Level<i64>>,
    /// Up to where the receiver can take data: what it acknowledges and its window.
    pub window: Vec<Level<i64>>,
    /// Blocks that the receiver has beyond that.
    pub sacks: Vec<Sack>,
    /// What the sender says of itself.
    pub sender: Sender,
}

/// `TCP_INFINITE_SSTHRESH`: no loss yet (`include/net/tcp.h`, v6.1).
const INFINITE_SSTHRESH: u32 = 0x7fff_ffff;

/// The data that goes the way of `flow`, watched from `end` if it can be watched from there.
pub fn sequence(run: &Run, journeys: &Journeys, flow: FlowId, end: Option<End>) -> Sequence {
    let back = reverse(journeys, flow);
    let header = Header::of(run, journeys, [Some(flow), back]);
    let mut data = seen::of_flow(run, journeys, Some(flow), header);
    let mut answers = seen::of_flow(run, journeys, back, header);
    let ends: Vec<End> = End::ALL
        .into_iter()
        .filter(|&end| data.contains_key(&end.data()) || answers.contains_key(&end.answers()))
        .collect();
    // Where data is seen says more than where answers are.
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

/// What counts as 0: the SYN's number, or the lowest of the first segment's and of what the first
/// answer acknowledges.
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
    // What was seen, as stretches that do not touch: from each first byte to one past the last.
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

/// Adds a stretch, and makes one of all that touch it.
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
            // An answer that was overtaken says less than what is known.
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

    /// What `tcp_probe` tells of the data's sender, with each answer that comes to it; and of its peer's window
    /// and acknowledgements, where no segment told them.
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

    /// What `tcp_probe` tells of the receiver's window, with each segment that comes to it: it counts from what
    /// was acknowledged last (`net/ipv4/tcp_output.c: tcp_select_window`, v6.1).
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

/// Where `tcp_probe` tells of the socket that sends a flow: it names the ends as the socket has them, and no
/// packet in 6.1; where it names none it is of the segment that it is tied to.
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

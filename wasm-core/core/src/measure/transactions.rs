//! Requests and their answers: how long who asks waits for an answer.
//!
//! A transaction is netperf's (TCP_RR, UDP_RR): a request and its answer. How long it takes is its response time, as
//! Wireshark calls it. Nothing above TCP and UDP is read for it, only who sends payload when, as in Tmix, whose epoch
//! is a transaction and the time to think behind it (Weigle et al., ACM CCR 36(3), 2006):
//!
//! - Of the two ends of a flow, the one that opens the connection asks, or else the one that the run shows first with
//!   payload. It has to be on this host.
//! - A request is all that it sends until the answer comes. It begins when the first packet of it is given to the stack.
//! - The answer comes with the first packet with payload of the other end that a process reads, and that read ends the
//!   transaction. More packets of the answer count no more. What is sent once it has come, read or not, begins the next
//!   request.
//! - Acknowledgements alone have no payload, and what TCP sends again is no request (`payload`): one that was lost is
//!   waited for since it was first sent. A request that nobody answers is no transaction.
//! - Ends that send both at once do not take turns, and their flow has no transactions. TCP tells it: an answer that
//!   does not acknowledge the beginning of the request set out before that came. Where nothing is acknowledged, as by
//!   UDP, it shows in both ends sending several packets at a turn.
//!
//! How long a server of this host takes for its answers, its service time, is not told.

mod payload;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::acknowledged;
use crate::journey::{Journeys, Packet};
use crate::kernel::protocol::is_after;
use crate::kernel::{Direction, Nanos, PacketId, Verdict};
use crate::order;
use crate::run::Run;

/// A request and its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transaction {
    /// The first packet of the request.
    pub request: PacketId,
    /// When it was given to the stack.
    pub asked: Nanos,
    /// The first packet of the answer.
    pub answer: PacketId,
    /// When a process had read that.
    pub answered: Nanos,
}

impl Transaction {
    /// The response time in nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.answered.since(self.asked)
    }

    /// The stays of its two packets, each by its place in [`Journeys::stays`]: of the request until it is given to the
    /// NIC, of the answer until it is read.
    pub fn stays(self, journeys: &Journeys) -> impl Iterator<Item = (PacketId, u32)> {
        let until = match journeys.packets[self.request.at()].verdict {
            Verdict::Transmitted => journeys.given_to_nic(self.request),
            _ => self.answered,
        };
        let of = |packet: PacketId| {
            let places = journeys.packets[packet.at()].stays.clone();
            places.map(move |place| (packet, place))
        };
        let is_on_its_way =
            move |&(_, place): &(PacketId, u32)| journeys.stays[place as usize].enter < until;
        of(self.request)
            .filter(is_on_its_way)
            .chain(of(self.answer))
    }

    /// The stay in which its request or its answer waited longest in a queue of this host, by its place in
    /// [`Journeys::stays`], with whichever it was; none if neither waited in any.
    pub fn longest_in_queue(self, journeys: &Journeys) -> Option<(PacketId, u32)> {
        let stay = |place: u32| &journeys.stays[place as usize];
        self.stays(journeys)
            .filter(|&(_, place)| stay(place).station.is_queue() && stay(place).wait() > 0)
            .max_by_key(|&(_, place)| stay(place).wait())
    }
}

/// The transaction that took the median of all their times: of an even number the lower of the two in the middle.
pub fn median(all: &[Transaction]) -> Option<Transaction> {
    let mut by_time = all.to_vec();
    order::sort_by_key(&mut by_time, |one| (one.nanos(), one.request));
    by_time.get(all.len().checked_sub(1)? / 2).copied()
}

/// The transactions of a run whose requests set out on its host, in their order.
pub fn transactions(run: &Run, journeys: &Journeys) -> Vec<Transaction> {
    let ends = ends_of_flows(journeys);
    let mut conversations: BTreeMap<usize, Vec<Segment>> = BTreeMap::new();
    journeys.each(|packet| {
        let row = &journeys.packets[packet.at()];
        if let Some(&Some((conversation, end))) = ends.get(row.flow.0 as usize) {
            let segment = Segment::of(run, journeys, packet, end);
            conversations.entry(conversation).or_default().push(segment);
        }
    });
    let all = conversations.into_values();
    let mut all: Vec<Transaction> = all
        .flat_map(|said| of_conversation(journeys, &said))
        .collect();
    order::sort_by_key(&mut all, |one| one.request);
    all
}

/// The transactions of the two ends of a conversation, of which these are all packets.
fn of_conversation(journeys: &Journeys, all: &[Segment]) -> Vec<Transaction> {
    let opens = all.first().filter(|first| first.is_syn());
    let mut turns = opens.map(|syn| Turns::of(syn.end));
    for (segment, has_payload) in all.iter().zip(payload::carried(journeys, all)) {
        if has_payload {
            let turns = turns.get_or_insert_with(|| Turns::of(segment.end));
            turns.take(segment, &journeys.packets[segment.packet.at()]);
        }
    }
    turns
        .filter(Turns::are_taken)
        .map_or_else(Vec::new, |turns| turns.transactions)
}

/// A packet of a conversation.
#[derive(Debug, Clone, Copy)]
struct Segment {
    packet: PacketId,
    /// Who sent it.
    end: End,
    /// The number of its first byte, and what it acknowledges, where TCP tells it.
    seq: Option<u32>,
    ack: Option<u32>,
}

impl Segment {
    fn of(run: &Run, journeys: &Journeys, packet: PacketId, end: End) -> Self {
        let seq = journeys.packets[packet.at()].seq;
        let events = journeys.events(packet).iter();
        let mut acks = events.map(|&event| acknowledged(run, event));
        Self {
            packet,
            end,
            seq,
            ack: seq.and_then(|_| acks.find_map(|ack| ack)),
        }
    }

    /// Whether it opens a connection: only such a segment acknowledges nothing.
    const fn is_syn(&self) -> bool {
        self.seq.is_some() && self.ack.is_none()
    }
}

/// One of the two ends of a conversation: the one with the lower address and port, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

impl End {
    const fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// For each flow the conversation that it is one direction of, and which end sends in it; nothing where the recording
/// does not tell its two ends.
fn ends_of_flows(journeys: &Journeys) -> Vec<Option<(usize, End)>> {
    type Endpoint = (Option<IpAddr>, u16);
    let mut conversations: BTreeMap<(u8, Endpoint, Endpoint), usize> = BTreeMap::new();
    let flows = journeys.flows.iter();
    let ends = flows.map(|flow| {
        let from = (flow.source, flow.source_port);
        let to = (flow.destination, flow.destination_port);
        if from == to {
            return None;
        }
        let next = conversations.len();
        let key = (flow.protocol, from.min(to), from.max(to));
        let conversation = *conversations.entry(key).or_insert(next);
        let end = if from < to { End::Lower } else { End::Upper };
        Some((conversation, end))
    });
    ends.collect()
}

/// What a request still waits for.
#[derive(Debug, Clone, Copy)]
struct Asked {
    request: PacketId,
    at: Nanos,
    /// Its first byte, where TCP tells it.
    seq: Option<u32>,
}

/// How the two ends of a conversation take turns.
struct Turns {
    asks: End,
    /// The request that no answer has come to.
    open: Option<Asked>,
    transactions: Vec<Transaction>,
    /// Whether a request had several packets, and whether an answer had.
    has_several: [bool; 2],
    /// Whether acknowledgements tell of all answers that they came after the request.
    is_acknowledged: bool,
    /// Whether an answer set out before its request came.
    is_concurrent: bool,
}

impl Turns {
    const fn of(asks: End) -> Self {
        Self {
            asks,
            open: None,
            transactions: Vec::new(),
            has_several: [false; 2],
            is_acknowledged: true,
            is_concurrent: false,
        }
    }

    /// Takes the next packet with payload.
    fn take(&mut self, segment: &Segment, row: &Packet) {
        if segment.end == self.asks {
            let is_sent_here = row.direction == Direction::Transmit && !row.cut_from.is_some();
            if is_sent_here {
                self.ask(segment, row);
            }
        } else if matches!(row.verdict, Verdict::Delivered { .. }) {
            self.answer(segment, row);
        }
    }

    fn ask(&mut self, segment: &Segment, row: &Packet) {
        if self.open.is_some() {
            self.has_several[0] = true;
            return;
        }
        self.open = Some(Asked {
            request: segment.packet,
            at: row.start,
            seq: segment.seq,
        });
    }

    fn answer(&mut self, segment: &Segment, row: &Packet) {
        let Some(asked) = self.open.take() else {
            self.has_several[1] = true;
            return;
        };
        match segment.ack.zip(asked.seq) {
            Some((ack, seq)) => self.is_concurrent |= !is_after(ack, seq),
            None => self.is_acknowledged = false,
        }
        self.transactions.push(Transaction {
            request: asked.request,
            asked: asked.at,
            answer: segment.packet,
            answered: row.end,
        });
    }

    /// Whether the ends do take turns.
    fn are_taken(&self) -> bool {
        let is_told = self.is_acknowledged || self.has_several != [true; 2];
        is_told && !self.is_concurrent
    }
}

//! Requests and their answers: how long who asks waits for an answer.
//!
//! A transaction is netperf's (TCP_RR, UDP_RR): a request and its answer. How long it takes is its response time, as
//! Wireshark calls it. Nothing above TCP and UDP is read for it, only who sends payload when, as in Tmix, whose epoch
//! is a transaction and the time to think behind it (Weigle et al., ACM CCR 36(3), 2006):
//!
//! - Of the two ends of a flow, the one that the run shows first with payload asks. It has to be on this host.
//! - A request is all that it sends until the answer comes. It begins when the first packet of it is given to the stack.
//! - The answer comes with the first packet with payload of the other end that a process reads, and that read ends the
//!   transaction. More packets of the answer count no more. What is sent once it has come, read or not, begins the next
//!   request.
//! - Acknowledgements alone have no payload. What TCP sends again is no request, so one that was lost is waited for
//!   since it was first sent. A request that nobody answers is no transaction.
//! - Ends that send both at once do not take turns, and their flow has no transactions. TCP tells it: an answer that
//!   does not acknowledge the beginning of the request set out before that came. Where nothing is acknowledged, as by
//!   UDP, it shows in both ends sending several packets at a turn.
//!
//! How long a server of this host takes for its answers, its service time, is not told.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::{acknowledged, is_above};
use crate::journey::{Journeys, Packet};
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
}

/// The transactions of a run whose requests set out on its host, in their order.
pub fn transactions(run: &Run, journeys: &Journeys) -> Vec<Transaction> {
    let ends = ends_of_flows(journeys);
    let mut all: BTreeMap<usize, Turns> = BTreeMap::new();
    journeys.each(|packet| {
        let row = &journeys.packets[packet.at()];
        let ends = ends.get(row.flow.0 as usize).copied().flatten();
        let Some((conversation, end)) = ends.filter(|_| row.payload > 0) else {
            return;
        };
        let turns = all.entry(conversation).or_insert_with(|| Turns::of(end));
        if turns.asks == end {
            turns.ask(packet, row);
        } else if matches!(row.verdict, Verdict::Delivered { .. }) {
            let events = journeys.events(packet).iter();
            let mut acknowledged = events.map(|&event| acknowledged(run, event));
            turns.answer(packet, row, acknowledged.find_map(|ack| ack));
        }
    });
    let all = all.into_values().filter(Turns::are_taken);
    let mut all: Vec<Transaction> = all.flat_map(|turns| turns.transactions).collect();
    order::sort_by_key(&mut all, |one| one.request);
    all
}

/// One of the two ends of a conversation: the one with the lower address and port, or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
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
    /// Behind the last byte that the end that asks has sent.
    sent_to: Option<u32>,
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
            sent_to: None,
            transactions: Vec::new(),
            has_several: [false; 2],
            is_acknowledged: true,
            is_concurrent: false,
        }
    }

    /// The end that asks sends a packet with payload.
    fn ask(&mut self, packet: PacketId, row: &Packet) {
        let is_sent_here = row.direction == Direction::Transmit && !row.cut_from.is_some();
        if !is_sent_here {
            return;
        }
        if let Some(seq) = row.seq {
            let to = seq.wrapping_add(row.payload);
            if self.sent_to.is_some_and(|sent| !is_above(to, sent)) {
                return;
            }
            self.sent_to = Some(to);
        }
        if self.open.is_some() {
            self.has_several[0] = true;
        } else {
            self.open = Some(Asked {
                request: packet,
                at: row.start,
                seq: row.seq,
            });
        }
    }

    /// A process reads a packet of the other end, which acknowledges what came before this number.
    fn answer(&mut self, packet: PacketId, row: &Packet, acknowledged: Option<u32>) {
        let Some(asked) = self.open.take() else {
            self.has_several[1] = true;
            return;
        };
        match acknowledged.zip(asked.seq) {
            Some((ack, seq)) => self.is_concurrent |= !is_above(ack, seq),
            None => self.is_acknowledged = false,
        }
        self.transactions.push(Transaction {
            request: asked.request,
            asked: asked.at,
            answer: packet,
            answered: row.end,
        });
    }

    /// Whether the ends do take turns.
    fn are_taken(&self) -> bool {
        let is_told = self.is_acknowledged || self.has_several != [true; 2];
        is_told && !self.is_concurrent
    }
}

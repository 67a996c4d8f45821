//! The round trip of TCP's segments: how long after one was sent the acknowledgement came that covers it.
//!
//! The least of them is the way there and back with nothing in it to wait for; queues on the way only
//! lengthen others. What was sent again tells none (Karn and Partridge, SIGCOMM 1987): its
//! acknowledgement may be the first one's.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use crate::journey::{Flow, FlowId};
use crate::kernel::protocol::{TCP, is_after};
use crate::kernel::{Direction, Field, Nanos, PacketId, Probe};
use crate::measure::acknowledged;
use crate::replay::Basis;

/// A round trip that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RoundTrip {
    pub(super) nanos: u64,
    /// The segment that was sent.
    pub(super) packet: PacketId,
    /// When it was.
    pub(super) sent: Nanos,
}

/// One end of a connection.
type Endpoint = (Option<IpAddr>, u16);

/// What one end has sent that is not acknowledged.
#[derive(Default)]
struct Unacknowledged {
    /// First byte, when it was sent, and in which packet; in the order of the bytes.
    segments: VecDeque<(u32, Nanos, PacketId)>,
    /// The highest first byte of all.
    highest: Option<u32>,
    /// Some of the bytes up to this one were sent again.
    again_to: Option<u32>,
}

/// The shortest round trip of those that ended between two times; nothing where the run tells no
/// sequence numbers, or nobody who sent was acknowledged.
pub(super) fn least(basis: &Basis<'_>, from: Nanos, to: Nanos) -> Option<RoundTrip> {
    let (run, journeys) = (basis.run, basis.journeys);
    let mut ends: BTreeMap<(Endpoint, Endpoint), Unacknowledged> = BTreeMap::new();
    let mut was_sent = vec![false; journeys.packets.len()];
    let mut was_received = was_sent.clone();
    let mut least: Option<RoundTrip> = None;
    for index in run.indices() {
        let packet = journeys.packet_of[index.at()];
        let Some(row) = journeys.packets.get(packet.at()) else {
            continue;
        };
        let Some(flow) = flow(basis, row.flow) else {
            continue;
        };
        let Some(seq) = run.field(index, Field::SeqNo) else {
            continue;
        };
        let (source, destination) = (
            (flow.source, flow.source_port),
            (flow.destination, flow.destination_port),
        );
        let at = run.time(index);
        if run.probe[index.at()] == Probe::TcpV4Rcv {
            if std::mem::replace(&mut was_received[packet.at()], true) {
                continue;
            }
            let Some(end) = ends.get_mut(&(destination, source)) else {
                continue;
            };
            let found = acknowledged(run, index).and_then(|ack| end.acknowledge(ack));
            let Some((sent, packet)) = found.filter(|_| from <= at && at <= to) else {
                continue;
            };
            let nanos = at.since(sent);
            if least.is_none_or(|least| nanos < least.nanos) {
                least = Some(RoundTrip {
                    nanos,
                    packet,
                    sent,
                });
            }
        } else if row.direction == Direction::Transmit
            && !is_on_the_link(run.probe[index.at()])
            && !std::mem::replace(&mut was_sent[packet.at()], true)
        {
            let end = ends.entry((source, destination)).or_default();
            end.send(seq, at, packet);
        }
    }
    least
}

fn flow<'a>(basis: &Basis<'a>, flow: FlowId) -> Option<&'a Flow> {
    let flow = basis.journeys.flows.get(flow.0 as usize)?;
    (flow.protocol == TCP).then_some(flow)
}

const fn is_on_the_link(probe: Probe) -> bool {
    matches!(probe, Probe::WireRx | Probe::WireTx)
}

impl Unacknowledged {
    fn send(&mut self, seq: u32, at: Nanos, packet: PacketId) {
        if let Some(highest) = self.highest.filter(|&highest| is_after(highest, seq)) {
            self.segments.clear();
            self.again_to = Some(highest);
            return;
        }
        self.highest = Some(seq);
        // An acknowledgement alone has the number of the data behind it.
        self.segments.pop_back_if(|&mut (last, ..)| last == seq);
        self.segments.push_back((seq, at, packet));
    }

    /// The last of the segments that are acknowledged by this number, if it tells a round trip.
    fn acknowledge(&mut self, ack: u32) -> Option<(Nanos, PacketId)> {
        let mut last = None;
        while let Some((_, at, packet)) = self
            .segments
            .pop_front_if(|&mut (first, ..)| is_after(ack, first))
        {
            last = Some((at, packet));
        }
        if self.again_to.is_some_and(|to| !is_after(ack, to)) {
            return None;
        }
        self.again_to = None;
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a segment was sent, and in which packet.
    const fn of(at: u64, packet: u32) -> (Nanos, PacketId) {
        (Nanos(at), PacketId(packet))
    }

    #[test]
    fn an_acknowledgement_is_of_the_last_segment_that_it_covers() {
        let mut end = Unacknowledged::default();
        end.send(u32::MAX - 999, Nanos(10), PacketId(1));
        end.send(0, Nanos(20), PacketId(2));
        end.send(1000, Nanos(30), PacketId(3));
        assert_eq!(end.acknowledge(1000), Some(of(20, 2)));
        assert_eq!(end.acknowledge(1000), None);
        assert_eq!(end.acknowledge(1500), Some(of(30, 3)));
    }

    #[test]
    fn what_was_sent_again_tells_nothing_until_all_of_it_is_acknowledged() {
        let mut end = Unacknowledged::default();
        end.send(0, Nanos(10), PacketId(1));
        end.send(1000, Nanos(20), PacketId(2));
        end.send(0, Nanos(30), PacketId(3));
        assert_eq!(end.acknowledge(1000), None);
        end.send(2000, Nanos(40), PacketId(4));
        assert_eq!(end.acknowledge(3000), Some(of(40, 4)));
    }

    #[test]
    fn an_acknowledgement_alone_is_not_what_is_acknowledged() {
        let mut end = Unacknowledged::default();
        end.send(0, Nanos(10), PacketId(1));
        end.send(0, Nanos(50), PacketId(2));
        assert_eq!(end.acknowledge(100), Some(of(50, 2)));
    }
}

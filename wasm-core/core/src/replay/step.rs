//! The next and the previous moment at which something happens.

use crate::journey::Journeys;
use crate::kernel::{EventIdx, Nanos, PacketId, VerdictKind};
use crate::order;
use crate::run::Run;

use super::Replay;

/// What a step goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// An event: of the run, or of one packet.
    Event,
    /// A packet's coming to a station.
    Hop,
    /// A packet's first event.
    Packet,
    /// A drop.
    Drop,
}

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// When.
    pub time: Nanos,
    /// What happened.
    pub event: EventIdx,
    /// To which packet, or none.
    pub packet: PacketId,
}

/// The drops, in order of time; what the other kinds lead to is in order as it is.
pub(super) fn drops_of(run: &Run, journeys: &Journeys) -> Vec<Step> {
    let mut drops = Vec::new();
    journeys.each(|packet| {
        let fate = &journeys.packets[packet.at()];
        if fate.verdict.kind() == VerdictKind::Dropped {
            let last = journeys.events(packet).last().copied();
            drops.push(Step {
                time: fate.end,
                event: last.unwrap_or_else(|| run.first_at(fate.end)),
                packet,
            });
        }
    });
    order::sort(&mut drops);
    drops
}

impl Replay {
    /// The next (or previous) moment of a kind, strictly after (before) `time`;
    /// with a packet, one of that packet's where the kind allows.
    pub fn step(
        &self,
        time: Nanos,
        kind: StepKind,
        is_forward: bool,
        packet: Option<PacketId>,
    ) -> Option<Step> {
        let (run, journeys) = (&self.run, &self.journeys);
        match (kind, packet) {
            (StepKind::Event, None) => {
                let event = neighbour_event(run, time, is_forward)?;
                let packet = journeys.packet_of.get(event.at()).copied();
                Some(Step {
                    time: run.time(event),
                    event,
                    packet: packet.unwrap_or(PacketId::NONE),
                })
            }
            (StepKind::Event, Some(packet)) => {
                let events = journeys.events(packet);
                let at = neighbour(events, |&event| run.time(event), time, is_forward)?;
                let event = events[at];
                Some(Step {
                    time: run.time(event),
                    event,
                    packet,
                })
            }
            (StepKind::Hop, None) => {
                let (begun, stays) = (&journeys.begun, &journeys.stays);
                let enter = |&stay: &u32| stays[stay as usize].enter;
                let stay = begun[neighbour(begun, enter, time, is_forward)?];
                Some(Step {
                    time: stays[stay as usize].enter,
                    event: stays[stay as usize].event,
                    packet: journeys.packet_of_stay(stay),
                })
            }
            (StepKind::Hop, Some(packet)) => {
                let stays = journeys.stays(packet);
                let at = neighbour(stays, |stay| stay.enter, time, is_forward)?;
                Some(Step {
                    time: stays[at].enter,
                    event: stays[at].event,
                    packet,
                })
            }
            (StepKind::Packet, _) => {
                let packets = &journeys.packets;
                let at = neighbour(packets, |packet| packet.start, time, is_forward)?;
                let packet = PacketId(at as u32);
                let first = journeys.events(packet).first().copied();
                let time = packets[at].start;
                let event = first.unwrap_or_else(|| run.first_at(time));
                Some(Step {
                    time,
                    event,
                    packet,
                })
            }
            (StepKind::Drop, _) => {
                let drops = &self.drops;
                neighbour(drops, |step| step.time, time, is_forward).map(|at| drops[at])
            }
        }
    }
}

/// The next event after a time, or the first of those at the last moment before it.
fn neighbour_event(run: &Run, time: Nanos, is_forward: bool) -> Option<EventIdx> {
    if is_forward {
        let after = run.first_where(|at| at > time);
        return (after.at() < run.len()).then_some(after);
    }
    let before = run.first_at(time).0.checked_sub(1)?;
    Some(run.first_at(run.time(EventIdx(before))))
}

/// The first place after `time`, or of the last moment before it the first place.
fn neighbour<T>(
    sorted: &[T],
    time_of: impl Fn(&T) -> Nanos,
    time: Nanos,
    is_forward: bool,
) -> Option<usize> {
    if is_forward {
        let after = sorted.partition_point(|item| time_of(item) <= time);
        return (after < sorted.len()).then_some(after);
    }
    let before = sorted.partition_point(|item| time_of(item) < time);
    let moment = time_of(sorted.get(before.checked_sub(1)?)?);
    Some(sorted.partition_point(|item| time_of(item) < moment))
}

//! The beats of the told film: what has just happened, each with when, to whom, and how much it
//! weighs. A hop takes half a second and a sentence takes two to read, so not every beat is a
//! caption: while film runs the box shows the weightiest of late. What a beat says is in `say`.

use crate::journey::Journeys;
use crate::kernel::{EventIdx, Nanos, PacketId, Station, Verdict};
use crate::run::Run;

use super::Told;
use super::cues::CueKind;
use super::moves::{Move, Moves};

/// A caption stays for this much film, unless something weightier happens, in seconds.
const READ: f64 = 1.7;

/// What a beat is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A packet's end.
    Ends,
    /// The eye goes over to a packet.
    Follows,
    /// A packet comes to a station: a place in [`Journeys::stays`].
    Comes(u32),
    /// Something about a packet that waits: a place in [`Told::cues`].
    Cue(u32),
}

/// Something that has just happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beat {
    /// When.
    pub time: Nanos,
    /// What.
    pub what: What,
    /// To which packet.
    pub packet: PacketId,
    /// The event that it is.
    pub event: EventIdx,
    /// How much it weighs against others.
    pub weight: u8,
}

/// All beats in order of time.
pub fn beats(run: &Run, journeys: &Journeys, told: &Told) -> Vec<Beat> {
    let mut beats = Vec::new();
    for act in &told.acts {
        if let Some(packet) = act.packet {
            let events = journeys.events(packet);
            let after = events.partition_point(|event| run.time[event.at()] < act.from);
            beats.push(Beat {
                time: act.from,
                what: What::Follows,
                packet,
                event: events
                    .get(after)
                    .or(events.last())
                    .copied()
                    .unwrap_or(EventIdx(0)),
                weight: 3,
            });
        }
    }
    for one in &Moves::of(journeys).all {
        let row = &journeys.packets[one.packet.at()];
        let is_drop = matches!(row.verdict, Verdict::Dropped { .. });
        let is_end = one.stay == Move::END;
        let is_told = is_end && is_drop || told.follows_at(one.packet, one.time);
        if !is_told {
            continue;
        }
        beats.push(if is_end {
            let events = journeys.events(one.packet);
            Beat {
                time: one.time,
                what: What::Ends,
                packet: one.packet,
                event: events.last().copied().unwrap_or(EventIdx(0)),
                weight: weight_of_end(row.verdict),
            }
        } else {
            let stay = &journeys.stays[one.stay as usize];
            let is_whole = stay.station == Station::Ip
                && row.stays.start < one.stay
                && journeys.stays[one.stay as usize - 1].station == Station::Reassembly;
            Beat {
                time: one.time,
                what: What::Comes(one.stay),
                packet: one.packet,
                event: stay.event,
                weight: if is_whole { 6 } else { weight_at(stay.station) },
            }
        });
    }
    for (at, cue) in told.cues.iter().enumerate() {
        beats.push(Beat {
            time: cue.time,
            what: What::Cue(at as u32),
            packet: cue.packet,
            event: cue.event,
            weight: match cue.kind {
                CueKind::Preempted => 6,
                CueKind::Interrupt => 5,
                CueKind::Softirq => 4,
                CueKind::Wakeup | CueKind::Runs => 3,
            },
        });
    }
    beats.sort_unstable();
    beats
}

/// For each beat the one that the caption box shows from then on while film runs.
pub fn captions(told: &Told, beats: &[Beat]) -> Vec<u32> {
    let mut shown: Option<(usize, f64)> = None;
    let caption = |(at, beat): (usize, &Beat)| {
        let film = told.pieces.film_at(beat.time);
        let stays = shown
            .is_some_and(|(last, since)| film - since < READ && beat.weight <= beats[last].weight);
        if !stays {
            shown = Some((at, film));
        }
        shown.map_or(at, |(last, _)| last) as u32
    };
    beats.iter().enumerate().map(caption).collect()
}

const fn weight_of_end(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Dropped { .. } => 7,
        Verdict::Merged { .. } | Verdict::Delivered { .. } => 4,
        Verdict::Transmitted => 3,
        Verdict::Consumed | Verdict::Open => 2,
    }
}

const fn weight_at(station: Station) -> u8 {
    match station {
        Station::Process | Station::SendCall => 5,
        Station::RxRing
        | Station::Reassembly
        | Station::Backlog
        | Station::ReceiveQueue
        | Station::SocketBacklog
        | Station::Prequeue
        | Station::OutOfOrder => 3,
        Station::Qdisc | Station::TxRing | Station::TcpSend => 2,
        Station::Wire
        | Station::Driver
        | Station::Gro
        | Station::NetCore
        | Station::Ip
        | Station::Tcp
        | Station::Udp
        | Station::Transport
        | Station::WriteQueue
        | Station::UdpSend
        | Station::TransportSend
        | Station::IpSend
        | Station::DriverSend
        | Station::WireSend => 1,
    }
}

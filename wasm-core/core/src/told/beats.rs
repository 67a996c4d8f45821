//! The beats of the film: events worth a sentence, each with time, packet and weight. `captions` decides which become
//! captions, `say` what they say.

use crate::journey::{Journeys, Stay};
use crate::kernel::{EventIdx, Nanos, PacketId, Station, Verdict, VerdictKind};
use crate::order;
use crate::run::Run;

use super::Told;
use super::actors::Act;
use super::cues::CueKind;
use super::moves::{Move, Moves};

/// The kind of a beat, in the order in which a packet's simultaneous beats are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// An intervention in the simulation: an index into [`Told::interventions`].
    Intervenes(u32),
    /// The camera changes to a packet.
    Follows,
    /// A packet arrives at a station: an index into [`Journeys::stays`].
    Comes(u32),
    /// An event about a packet that stays where it is: an index into [`Told::cues`].
    Cue(u32),
    /// The followed packet waits and the film skips time: an index into [`Told::waits`].
    Waits(u32),
    /// A packet's end.
    Ends,
}

/// An event worth a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    /// When.
    pub time: Nanos,
    /// What.
    pub what: What,
    /// Its packet; none for an intervention on the host.
    pub packet: PacketId,
    /// Its event.
    pub event: EventIdx,
    /// Its priority against other beats.
    pub weight: u8,
    /// What it tells, unless another beat tells that too.
    pub like: Option<Like>,
    /// How long it holds: an arrival until the packet leaves; other beats only at once.
    pub until: Nanos,
}

/// All beats of a film, in order of time, from its actors and cues.
pub(super) fn beats(run: &Run, journeys: &Journeys, moves: &Moves, told: &Told) -> Vec<Beat> {
    let mut beats: Vec<Beat> = follows(run, journeys, told)
        .chain(comes_and_ends(journeys, moves, told))
        .chain(cues(told))
        .chain(waits(journeys, told))
        .chain(interventions(run, told))
        .collect();
    // An intervention precedes its effects. A packet that ends precedes those that continue: all its beats come
    // first.
    order::sort_by_key(&mut beats, |beat| {
        let row = journeys.packets.get(beat.packet.at());
        let goes_on = row.map(|row| row.end > beat.time || row.verdict == Verdict::Open);
        (beat.time, goes_on, beat.packet, beat.what)
    });
    for beat in &mut beats {
        beat.like = Like::of(journeys, told, beat);
    }
    beats
}

/// The acts that begin with a packet to follow.
fn follows(run: &Run, journeys: &Journeys, told: &Told) -> impl Iterator<Item = Beat> {
    told.acts.iter().filter_map(|act| {
        let packet = act
            .packet
            .filter(|&packet| !is_made_whole(journeys, packet, act.from))?;
        let events = journeys.events(packet);
        let after = events.partition_point(|&event| run.time(event) < act.from);
        Some(Beat {
            time: act.from,
            what: What::Follows,
            packet,
            event: events
                .get(after)
                .or(events.last())
                .copied()
                .unwrap_or(EventIdx(0)),
            weight: 3,
            like: None,
            until: act.from,
        })
    })
}

/// The moves of the packets that are followed, and the drops of all.
fn comes_and_ends(journeys: &Journeys, moves: &Moves, told: &Told) -> impl Iterator<Item = Beat> {
    let mut begun = 0;
    moves.all.iter().filter_map(move |one| {
        let has_begun = |act: &Act| act.from <= one.time;
        while told.acts.get(begun).is_some_and(has_begun) {
            begun += 1;
        }
        let row = &journeys.packets[one.packet.at()];
        let is_drop = matches!(row.verdict, Verdict::Dropped { .. });
        let is_end = one.stay == Move::END;
        let is_told = is_end && is_drop || told.follows(one.packet, one.time, begun);
        // A packet dropped by a full queue does not enter it: its end mentions the queue.
        let is_refused = !is_end && journeys.is_refused(one.packet, one.stay);
        // Where copy and end are one event, the copy suffices as the end: it has only begun there.
        let is_copied = is_end
            && matches!(row.verdict, Verdict::Delivered { .. })
            && ends_as_it_comes(journeys, one.packet);
        if !is_told || is_refused || is_copied {
            return None;
        }
        Some(if is_end {
            let events = journeys.events(one.packet);
            Beat {
                time: one.time,
                what: What::Ends,
                packet: one.packet,
                event: events.last().copied().unwrap_or(EventIdx(0)),
                weight: weight_of_end(row.verdict),
                like: None,
                until: one.time,
            }
        } else {
            let stay = &journeys.stays[one.stay as usize];
            let before = journeys.before(one.packet, one.stay);
            Beat {
                time: one.time,
                what: What::Comes(one.stay),
                packet: one.packet,
                event: stay.event,
                weight: weight_at(stay, before),
                like: None,
                until: stay.leave,
            }
        })
    })
}

fn cues(told: &Told) -> impl Iterator<Item = Beat> {
    told.cues.iter().enumerate().map(|(at, cue)| Beat {
        time: cue.time,
        what: What::Cue(at as u32),
        packet: cue.packet,
        event: cue.event,
        weight: weight_of_cue(cue.kind),
        like: None,
        until: cue.time,
    })
}

fn interventions(run: &Run, told: &Told) -> impl Iterator<Item = Beat> {
    let all = told.interventions.iter().enumerate();
    all.map(|(at, one)| Beat {
        time: one.time,
        what: What::Intervenes(at as u32),
        packet: PacketId::NONE,
        event: run.first_at(one.time),
        weight: 7,
        like: None,
        until: one.time,
    })
}

/// The waits of the followed packet during which the film skips time.
fn waits(journeys: &Journeys, told: &Told) -> impl Iterator<Item = Beat> {
    told.waits.iter().zip(0..).map(|(wait, at)| {
        let stay = &journeys.stays[wait.stay as usize];
        Beat {
            time: wait.time,
            what: What::Waits(at),
            packet: wait.packet,
            event: stay.event,
            weight: 3,
            like: None,
            until: stay.leave,
        }
    })
}

/// Whether a packet ends at the moment of arrival at its last station.
pub(super) fn ends_as_it_comes(journeys: &Journeys, packet: PacketId) -> bool {
    let last = journeys.stays(packet).last();
    last.is_some_and(|last| journeys.packets[packet.at()].end <= last.enter)
}

/// Whether a packet is reassembled from its pieces at a time, which already explains the camera's change.
fn is_made_whole(journeys: &Journeys, packet: PacketId, time: Nanos) -> bool {
    let mut pairs = journeys.stays(packet).windows(2);
    pairs.any(|pair| pair[1].enter == time && pair[0].becomes_whole_in(&pair[1]))
}

/// The subject of a beat, whatever its packet: beats with the same subject say nearly the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Like {
    /// A station's function.
    Comes(Station),
    /// A CPU's action.
    Cue(CueKind),
    /// A kind of verdict.
    Ends(VerdictKind),
}

impl Like {
    /// The subject of a beat; `None` if it only names the followed packet, or says what the packet's next beat says
    /// too, such as that the frame was in the ring, or that its reader was woken.
    fn of(journeys: &Journeys, told: &Told, beat: &Beat) -> Option<Self> {
        match beat.what {
            What::Intervenes(_) | What::Follows | What::Waits(_) => None,
            What::Comes(stay) => {
                let station = journeys.stays[stay as usize].station;
                let is_interrupted = || {
                    let mut cues = told.cues_in(journeys, stay);
                    cues.any(|cue| cue.kind == CueKind::Interrupt)
                };
                let is_told_again = station == Station::RxRing && is_interrupted();
                (!is_told_again).then_some(Self::Comes(station))
            }
            What::Cue(cue) => {
                let cue = &told.cues[cue as usize];
                let is_told_again = match cue.kind {
                    CueKind::Softirq | CueKind::Wakeup => true,
                    CueKind::Runs => {
                        journeys.stays[cue.stay as usize].station == Station::ReceiveQueue
                    }
                    CueKind::Interrupt | CueKind::Preempted | CueKind::Spins => false,
                };
                (!is_told_again).then_some(Self::Cue(cue.kind))
            }
            What::Ends => {
                let row = &journeys.packets[beat.packet.at()];
                // If arrival and end coincide, the arrival is told.
                let is_told = !ends_as_it_comes(journeys, beat.packet);
                is_told.then(|| Self::Ends(row.verdict.kind()))
            }
        }
    }
}

/// The weight of a CPU's action.
const fn weight_of_cue(kind: CueKind) -> u8 {
    match kind {
        CueKind::Preempted => 6,
        CueKind::Interrupt => 5,
        CueKind::Spins => 4,
        CueKind::Wakeup | CueKind::Runs => 3,
        CueKind::Softirq => 2,
    }
}

const fn weight_of_end(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Dropped { .. } => 7,
        Verdict::Merged { .. } | Verdict::Delivered { .. } => 4,
        Verdict::Transmitted => 3,
        Verdict::Consumed | Verdict::Open => 2,
    }
}

/// The weight of an arrival at a station, given the previous stay.
fn weight_at(stay: &Stay, before: Option<&Stay>) -> u8 {
    match before {
        Some(before) if before.becomes_whole_in(stay) => 6,
        Some(before) if matches!(before.station, Station::RxRing | Station::Backlog) => 4,
        _ => weight_of(stay.station),
    }
}

const fn weight_of(station: Station) -> u8 {
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
        | Station::Xdp
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

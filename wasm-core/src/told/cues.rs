//! What the CPUs do about the packet that is followed. While it waits: the interrupt that calls
//! for it, the softirq that comes to fetch it, the reader that is woken for it and gets a CPU, or
//! is pushed off it. While it is worked on: the spinning for a lock that another CPU has. None of
//! these moves the packet; each is why it moves next, or why it does not yet.

use std::collections::BTreeMap;

use crate::journey::{Journeys, Stay};
use crate::kernel::field::NET_RX;
use crate::kernel::{
    CpuId, Direction, EventIdx, Field, Nanos, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

use super::actors::Act;

/// What a CPU does about a packet that stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CueKind {
    /// It takes the interrupt of the packet's NIC.
    Interrupt,
    /// Its `NET_RX` softirq begins.
    Softirq,
    /// The packet's reader is woken.
    Wakeup,
    /// The packet's reader gets a CPU.
    Runs,
    /// The packet's reader is pushed off its CPU.
    Preempted,
    /// The CPU that has the packet finds a lock taken and spins.
    Spins,
}

/// A cue for the packet that is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cue {
    /// When.
    pub time: Nanos,
    /// What.
    pub kind: CueKind,
    /// The event that is it.
    pub event: EventIdx,
    /// The packet that it is about.
    pub packet: PacketId,
    /// The stay in which the packet waits or is worked on, as a place in [`Journeys::stays`].
    pub stay: u32,
}

/// The events that can be cues, by whom they are about, each list in order of time.
#[derive(Debug, Default)]
pub struct Events {
    interrupts: BTreeMap<CpuId, Vec<EventIdx>>,
    /// Asked for by an interrupt: a poll of a device was put on a CPU's list.
    polls_asked: BTreeMap<CpuId, Vec<EventIdx>>,
    softirqs: BTreeMap<CpuId, Vec<EventIdx>>,
    wakeups: BTreeMap<Pid, Vec<EventIdx>>,
    switches_in: BTreeMap<Pid, Vec<EventIdx>>,
    /// Only those of a task that could have run on.
    preemptions: BTreeMap<Pid, Vec<EventIdx>>,
    /// By the CPU that spins.
    spins: BTreeMap<CpuId, Vec<EventIdx>>,
}

/// All cues for the packets that are followed, in order of time.
pub fn cues(run: &Run, journeys: &Journeys, events: &Events, acts: &[Act]) -> Vec<Cue> {
    let mut cues = Vec::new();
    for (place, act) in acts.iter().enumerate() {
        let Some(packet) = act.packet else {
            continue;
        };
        let until = acts.get(place + 1).map_or(run.end(), |next| next.from);
        let row = &journeys.packets[packet.at()];
        let stays = journeys.stays(packet);
        let reader = match row.verdict {
            Verdict::Delivered { pid, .. } if pid != Pid::UNKNOWN => Some(pid),
            _ => None,
        };
        let first = stays.partition_point(|stay| stay.leave <= act.from);
        for (at, stay) in stays.iter().enumerate().skip(first) {
            if until <= stay.enter {
                break;
            }
            let next = stays.get(at + 1);
            let found = events.about(run, stay, next, reader);
            let spin = events.spin(run, stay);
            let about = found
                .into_iter()
                .chain([spin])
                .flatten()
                .map(|(kind, event)| Cue {
                    time: run.time[event.at()],
                    kind,
                    event,
                    packet,
                    stay: row.stays.start + at as u32,
                });
            cues.extend(about.filter(|cue| act.from <= cue.time && cue.time < until));
        }
    }
    cues.sort_unstable();
    cues
}

impl Events {
    /// Collects them.
    pub fn of(run: &Run) -> Self {
        let mut events = Self::default();
        for index in run.indices() {
            let cpu = run.cpu[index.at()];
            let pid = |field| run.field(index, field).map(Pid);
            match run.probe[index.at()] {
                Probe::IrqHandlerEntry => events.interrupts.entry(cpu).or_default().push(index),
                Probe::NapiSchedule => events.polls_asked.entry(cpu).or_default().push(index),
                Probe::SoftirqEntry if run.field(index, Field::Vec) == Some(NET_RX) => {
                    events.softirqs.entry(cpu).or_default().push(index);
                }
                Probe::SchedWaking | Probe::SchedWakeup => {
                    if let Some(pid) = pid(Field::TargetPid) {
                        events.wakeups.entry(pid).or_default().push(index);
                    }
                }
                Probe::SchedSwitch => {
                    if let Some(pid) = pid(Field::NextPid) {
                        events.switches_in.entry(pid).or_default().push(index);
                    }
                    let state = run.field_name(index, Field::PrevState).unwrap_or("");
                    if let Some(pid) = pid(Field::PrevPid).filter(|_| state.starts_with('R')) {
                        events.preemptions.entry(pid).or_default().push(index);
                    }
                }
                Probe::ContentionBegin => events.spins.entry(cpu).or_default().push(index),
                _ => {}
            }
        }
        events
    }

    /// The first wait for a lock of the CPU that has a packet, while it works on that packet.
    fn spin(&self, run: &Run, stay: &Stay) -> Option<(CueKind, EventIdx)> {
        let is_worked_on = !stay.station.is_queue();
        let spins = self.spins.get(&stay.cpu).filter(|_| is_worked_on);
        let first = first(run, spins, stay.enter, stay.leave)?;
        Some((CueKind::Spins, first))
    }

    /// What happens about a packet during a stay, before its next one.
    fn about(
        &self,
        run: &Run,
        stay: &Stay,
        next: Option<&Stay>,
        reader: Option<Pid>,
    ) -> [Option<(CueKind, EventIdx)>; 3] {
        let (from, to) = (stay.enter, stay.leave);
        match (stay.station, next) {
            (Station::RxRing, Some(next)) => {
                let asked = last(run, self.polls_asked.get(&next.cpu), from, to);
                let until = asked.map_or(to, |event| Nanos(run.time[event.at()].0 + 1));
                // Without a poll being asked for it is any device's interrupt, or the poll of
                // another frame's that still goes on.
                let interrupt =
                    asked.and_then(|_| last(run, self.interrupts.get(&next.cpu), from, until));
                let since = asked.map(|event| run.time[event.at()]);
                let softirq =
                    since.and_then(|since| first(run, self.softirqs.get(&next.cpu), since, to));
                [
                    interrupt.map(|event| (CueKind::Interrupt, event)),
                    softirq.map(|event| (CueKind::Softirq, event)),
                    None,
                ]
            }
            (Station::Backlog, Some(next)) => {
                let softirq = last(run, self.softirqs.get(&next.cpu), from, to);
                [softirq.map(|event| (CueKind::Softirq, event)), None, None]
            }
            (
                Station::ReceiveQueue
                | Station::Prequeue
                | Station::SocketBacklog
                | Station::Process,
                _,
            ) if stay.station.direction() == Direction::Receive => {
                let Some(reader) = reader else {
                    return [None; 3];
                };
                let pushed = first(run, self.preemptions.get(&reader), from, to);
                let woken = first(run, self.wakeups.get(&reader), from, to);
                let runs = last(run, self.switches_in.get(&reader), from, to);
                [
                    pushed.map(|event| (CueKind::Preempted, event)),
                    woken.map(|event| (CueKind::Wakeup, event)),
                    runs.map(|event| (CueKind::Runs, event)),
                ]
            }
            _ => [None; 3],
        }
    }
}

/// The last of some events from one time to before another.
fn last(run: &Run, events: Option<&Vec<EventIdx>>, from: Nanos, to: Nanos) -> Option<EventIdx> {
    let events = events?;
    let after = events.partition_point(|event| run.time[event.at()] < to);
    let event = events[after.checked_sub(1)?];
    (from <= run.time[event.at()]).then_some(event)
}

/// The first of some events from one time to before another.
fn first(run: &Run, events: Option<&Vec<EventIdx>>, from: Nanos, to: Nanos) -> Option<EventIdx> {
    let events = events?;
    let event = *events.get(events.partition_point(|event| run.time[event.at()] < from))?;
    (run.time[event.at()] < to).then_some(event)
}

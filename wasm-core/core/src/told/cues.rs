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
use crate::order;
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
            let about = found.into_iter().chain(spin).map(|(kind, event)| Cue {
                time: run.time(event),
                kind,
                event,
                packet,
                stay: row.stays.start + at as u32,
            });
            cues.extend(about.filter(|cue| act.from <= cue.time && cue.time < until));
        }
    }
    order::sort(&mut cues);
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
        let first = within(run, spins, stay).first();
        first.map(|&event| (CueKind::Spins, event))
    }

    /// What happens about a packet during a stay, before its next one.
    fn about(
        &self,
        run: &Run,
        stay: &Stay,
        next: Option<&Stay>,
        reader: Option<Pid>,
    ) -> Vec<(CueKind, EventIdx)> {
        match (stay.station, next, reader) {
            (Station::RxRing, Some(next), _) => self.fetching(run, stay, next),
            (Station::Backlog, Some(next), _) => {
                let softirqs = within(run, self.softirqs.get(&next.cpu), stay);
                let last = softirqs.last().map(|&event| (CueKind::Softirq, event));
                last.into_iter().collect()
            }
            (
                Station::ReceiveQueue
                | Station::Prequeue
                | Station::SocketBacklog
                | Station::Process,
                _,
                Some(reader),
            ) if stay.station.direction() == Direction::Receive => self.reading(run, stay, reader),
            _ => Vec::new(),
        }
    }

    /// The interrupt and the softirq that fetch a frame from its ring.
    fn fetching(&self, run: &Run, stay: &Stay, next: &Stay) -> Vec<(CueKind, EventIdx)> {
        // Without a poll being asked for it is any device's interrupt, or the poll of another
        // frame's that still goes on.
        let Some(&asked) = within(run, self.polls_asked.get(&next.cpu), stay).last() else {
            return Vec::new();
        };
        let asked = run.time(asked);
        let mut interrupts = within(run, self.interrupts.get(&next.cpu), stay).iter();
        let interrupt = interrupts.rfind(|event| run.time(**event) <= asked);
        let mut softirqs = within(run, self.softirqs.get(&next.cpu), stay).iter();
        let softirq = softirqs.find(|event| asked <= run.time(**event));
        let interrupt = interrupt.map(|&event| (CueKind::Interrupt, event));
        let softirq = softirq.map(|&event| (CueKind::Softirq, event));
        interrupt.into_iter().chain(softirq).collect()
    }

    /// The wake-up of a packet's reader, and each time that it gets a CPU or is pushed off one.
    fn reading(&self, run: &Run, stay: &Stay, reader: Pid) -> Vec<(CueKind, EventIdx)> {
        let all = |kind, events| within(run, events, stay).iter().map(move |&at| (kind, at));
        let woken = all(CueKind::Wakeup, self.wakeups.get(&reader)).take(1);
        let runs = all(CueKind::Runs, self.switches_in.get(&reader));
        let pushed = all(CueKind::Preempted, self.preemptions.get(&reader));
        woken.chain(runs).chain(pushed).collect()
    }
}

/// Those of some events that happen during a stay.
fn within<'a>(run: &Run, events: Option<&'a Vec<EventIdx>>, stay: &Stay) -> &'a [EventIdx] {
    let events = events.map_or(&[][..], Vec::as_slice);
    let before = |time: Nanos| events.partition_point(|&event| run.time(event) < time);
    &events[before(stay.enter)..before(stay.leave)]
}

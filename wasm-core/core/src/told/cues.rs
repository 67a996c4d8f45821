//! What CPUs do about the followed packet. While it waits: the interrupt for it, the softirq that fetches it, the
//! wake-up, scheduling and preemption of its reader. While it is processed: spinning for a lock that another CPU
//! holds. None of these moves the packet; each explains why it moves next, or does not yet.

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
    /// It handles the interrupt of the packet's NIC.
    Interrupt,
    /// Its `NET_RX` softirq begins.
    Softirq,
    /// The packet's reader is woken.
    Wakeup,
    /// The packet's reader starts to run on a CPU.
    Runs,
    /// The packet's reader is preempted.
    Preempted,
    /// The CPU that processes the packet finds a lock taken and spins.
    Spins,
}

/// A cue for the followed packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cue {
    /// When.
    pub time: Nanos,
    /// What.
    pub kind: CueKind,
    /// Its event.
    pub event: EventIdx,
    /// The packet that it is about.
    pub packet: PacketId,
    /// The stay in which the packet waits or is processed, as an index into [`Journeys::stays`].
    pub stay: u32,
}

/// The events that can be cues, by the CPU or task that they concern, each list in order of time.
#[derive(Debug, Default)]
pub struct Events {
    interrupts: BTreeMap<CpuId, Vec<EventIdx>>,
    /// `napi_schedule`: an interrupt put a device's NAPI on a CPU's poll list.
    polls_asked: BTreeMap<CpuId, Vec<EventIdx>>,
    softirqs: BTreeMap<CpuId, Vec<EventIdx>>,
    wakeups: BTreeMap<Pid, Vec<EventIdx>>,
    switches_in: BTreeMap<Pid, Vec<EventIdx>>,
    /// Only of tasks that were still runnable.
    preemptions: BTreeMap<Pid, Vec<EventIdx>>,
    /// By the spinning CPU.
    spins: BTreeMap<CpuId, Vec<EventIdx>>,
}

/// All cues for the followed packets, in order of time.
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
    /// Collects them from a run.
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

    /// The first wait for a lock of the CPU that processes a packet, during that stay.
    fn spin(&self, run: &Run, stay: &Stay) -> Option<(CueKind, EventIdx)> {
        let is_worked_on = !stay.station.is_queue();
        let spins = self.spins.get(&stay.cpu).filter(|_| is_worked_on);
        let first = within(run, spins, stay).first();
        first.map(|&event| (CueKind::Spins, event))
    }

    /// The cues about a packet during a stay, before its next one.
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

    /// The interrupt and the softirq for which a frame waits in its ring.
    fn fetching(&self, run: &Run, stay: &Stay, next: &Stay) -> Vec<(CueKind, EventIdx)> {
        // Without `napi_schedule` the interrupt may be any device's, or a poll for another frame may still be
        // running.
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

    /// The wake-up of a packet's reader, and each time that it starts to run or is preempted.
    fn reading(&self, run: &Run, stay: &Stay, reader: Pid) -> Vec<(CueKind, EventIdx)> {
        let all = |kind, events| within(run, events, stay).iter().map(move |&at| (kind, at));
        let woken = all(CueKind::Wakeup, self.wakeups.get(&reader)).take(1);
        let runs = all(CueKind::Runs, self.switches_in.get(&reader));
        let pushed = all(CueKind::Preempted, self.preemptions.get(&reader));
        woken.chain(runs).chain(pushed).collect()
    }
}

/// The events that happen during a stay.
fn within<'a>(run: &Run, events: Option<&'a Vec<EventIdx>>, stay: &Stay) -> &'a [EventIdx] {
    let events = events.map_or(&[][..], Vec::as_slice);
    let before = |time: Nanos| events.partition_point(|&event| run.time(event) < time);
    &events[before(stay.enter)..before(stay.leave)]
}

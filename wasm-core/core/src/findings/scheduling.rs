//! Readers and their CPUs: woken late, or preempted with packets waiting.

use std::collections::BTreeMap;

use super::facts::{Facts, distribution};
use super::thresholds::Threshold;
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::kernel::{EventIdx, Field, Nanos, PacketId, Pid, Probe, Station, Verdict, sum_of_nanos};
use crate::order;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let waiting = waiting_for_readers(facts);
    if waiting.is_empty() {
        return Vec::new();
    }
    let off = off_the_cpu(facts, &waiting);
    let turn = thresholds::turn_nanos(facts.kernel, facts.cpus());
    [
        preempted(&waiting, &off, turn),
        woken_late(facts, &off, turn),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Packets that waited in a socket until a process read them, in order of arrival.
#[derive(Debug, Default)]
struct Waiting {
    packets: Vec<(Nanos, Nanos, PacketId)>,
    /// The latest end of waiting among this packet and the earlier ones.
    latest: Vec<Nanos>,
}

impl Waiting {
    /// The first packet that waits at a time.
    fn at(&self, time: Nanos) -> Option<PacketId> {
        let came = self.packets.partition_point(|&(enter, ..)| enter <= time);
        let is_any = came > 0 && self.latest[came - 1] > time;
        let lies = |&&(_, leave, _): &&(Nanos, Nanos, PacketId)| leave > time;
        let first = self.latest.partition_point(|&latest| latest <= time);
        let (_, _, packet) = self.packets[first.min(came)..came].iter().find(lies)?;
        is_any.then_some(*packet)
    }
}

fn waiting_for_readers(facts: &Facts) -> BTreeMap<Pid, Waiting> {
    let mut readers: BTreeMap<Pid, Waiting> = BTreeMap::new();
    for arrival in &facts.arrivals {
        let Verdict::Delivered { pid, .. } = facts.journeys.packets[arrival.packet.at()].verdict
        else {
            continue;
        };
        if pid == Pid::UNKNOWN || pid == Pid::IDLE {
            continue;
        }
        let in_socket = |station| {
            matches!(
                station,
                Station::ReceiveQueue | Station::SocketBacklog | Station::Prequeue
            )
        };
        let stays = facts.journeys.stays(arrival.packet).iter();
        for stay in stays.filter(|stay| in_socket(stay.station)) {
            let waiting = readers.entry(pid).or_default();
            waiting
                .packets
                .push((stay.enter, stay.leave, arrival.packet));
        }
    }
    for waiting in readers.values_mut() {
        order::sort(&mut waiting.packets);
        let mut latest = Nanos(0);
        let leaves = waiting.packets.iter().map(|&(_, leave, _)| {
            latest = latest.max(leave);
            latest
        });
        waiting.latest = leaves.collect();
    }
    readers
}

/// An interval in which a reader was runnable and did not run.
#[derive(Debug, Clone, Copy)]
struct OffCpu {
    reader: Pid,
    from: Nanos,
    to: Nanos,
    /// The task that preempted it; `None` if it was just woken.
    by: Option<Pid>,
}

impl OffCpu {
    const fn nanos(self) -> u64 {
        self.to.since(self.from)
    }
}

/// Follows each reader from its wake-up or preemption until it runs.
fn off_the_cpu(facts: &Facts, readers: &BTreeMap<Pid, Waiting>) -> Vec<OffCpu> {
    let run = &facts.run;
    let mut off: Vec<OffCpu> = Vec::new();
    let mut since: BTreeMap<Pid, (Nanos, Option<Pid>)> = BTreeMap::new();
    let pid = |event: EventIdx, field| run.field(event, field).map(Pid);
    for event in run.indices() {
        let time = run.time(event);
        match run.probe[event.at()] {
            Probe::SchedWaking | Probe::SchedWakeup => {
                let woken = pid(event, Field::TargetPid).filter(|pid| readers.contains_key(pid));
                if let Some(woken) = woken {
                    since.entry(woken).or_insert((time, None));
                }
            }
            Probe::SchedSwitch => {
                let next = pid(event, Field::NextPid);
                let previous = pid(event, Field::PrevPid);
                if let Some(previous) = previous.filter(|pid| readers.contains_key(pid)) {
                    // A wake-up while it still runs keeps it on the CPU and does not count.
                    since.remove(&previous);
                    let state = run.field_name(event, Field::PrevState).unwrap_or("");
                    if state.starts_with('R') && Some(previous) != next {
                        since.insert(previous, (time, next));
                    }
                }
                if let Some(next) = next
                    && let Some((from, by)) = since.remove(&next)
                {
                    off.push(OffCpu {
                        reader: next,
                        from,
                        to: time,
                        by,
                    });
                }
            }
            _ => {}
        }
    }
    off
}

fn preempted(readers: &BTreeMap<Pid, Waiting>, off: &[OffCpu], turn: Threshold) -> Option<Finding> {
    let missed = |one: &OffCpu| {
        let by = one.by?;
        let is_long = turn.is_reached(one.nanos() as f64);
        // Packets that waited just before it ran again, which it was kept from reading.
        let packet = readers[&one.reader].at(Nanos(one.to.0.saturating_sub(1)))?;
        is_long.then_some((*one, by, packet))
    };
    let all: Vec<_> = off.iter().filter_map(missed).collect();
    let &(longest, by, packet) = all.iter().max_by_key(|(one, ..)| one.nanos())?;
    let total = sum_of_nanos(all.iter().map(|(one, ..)| one.nanos()));
    let title = words::put_aside(longest.reader, longest.nanos());
    let detail = words::put_aside_for(by, all.len() as u64, total);
    let to = all.iter().map(|(one, ..)| one.to).max()?;
    let finding = Finding::new(Kind::PreemptedReader, Severity::Notice, title, detail)
        .between(all.first()?.0.from, to)
        .seen(longest.from, packet)
        .on(View::Scheduler);
    Some(finding.to_packets(all.iter().map(|&(_, _, packet)| packet)))
}

fn woken_late(facts: &Facts, off: &[OffCpu], turn: Threshold) -> Option<Finding> {
    let woken: Vec<OffCpu> = off.iter().copied().filter(|one| one.by.is_none()).collect();
    let late = *woken.iter().max_by_key(|one| one.nanos())?;
    if !turn.is_reached(late.nanos() as f64) {
        return None;
    }
    let times = distribution(woken.iter().map(|one| one.nanos()));
    let title = words::woken_late(late.reader, late.nanos());
    let detail = words::wakings(times.count, times.median);
    let read_then = facts.arrivals.iter().find(|one| one.to >= late.to);
    let finding = Finding::new(Kind::LateWaking, Severity::Notice, title, detail)
        .between(late.from, late.to)
        .seen(
            late.from,
            read_then.map_or(PacketId::NONE, |one| one.packet),
        )
        .on(View::Scheduler);
    Some(finding.to_packets(read_then.map(|one| one.packet)))
}

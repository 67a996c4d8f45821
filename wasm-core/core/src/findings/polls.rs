//! Interrupts, polls and softirqs: how many frames at once, and when they run for long.

use std::collections::BTreeMap;

use super::facts::{Facts, Poll, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::kernel::field::NET_RX;
use crate::kernel::{EventIdx, Field, Nanos, PacketId, Probe};

pub fn find(facts: &Facts) -> Vec<Finding> {
    let found = [
        batches(facts),
        budget_used(facts),
        in_ksoftirqd(facts),
        long_softirq(facts),
        held_interrupts(facts),
    ];
    found.into_iter().flatten().collect()
}

/// The interval from the first to the last of these polls.
fn stretch(facts: &Facts, polls: &[Poll]) -> Option<(Nanos, Nanos)> {
    Some((
        facts.time(polls.first()?.event),
        facts.time(polls.last()?.event),
    ))
}

/// When a poll took its first packet, and which: searched backwards from the poll's event on its CPU.
fn taken_by(facts: &Facts, poll: EventIdx) -> (Nanos, PacketId) {
    let cpu = facts.run.cpu[poll.at()];
    let before = (0..=poll.0).rev().take(4096).map(EventIdx);
    let on_cpu = before.filter(|event| facts.run.cpu[event.at()] == cpu);
    let mut seen = (facts.time(poll), PacketId::NONE);
    for event in on_cpu {
        let packet = facts.packet_of(event);
        let is_entry = matches!(
            facts.run.probe[event.at()],
            Probe::NapiGroReceiveEntry | Probe::NapiGroReceive | Probe::NetifReceiveSkb
        );
        if is_entry && packet.is_some() {
            seen = (facts.time(event), packet);
        }
        let probe = facts.run.probe[event.at()];
        let is_before = probe == Probe::SoftirqEntry || probe == facts.run.probe[poll.at()];
        if is_before && event != poll {
            break;
        }
    }
    seen
}

fn batches(facts: &Facts) -> Option<Finding> {
    let frames: u64 = facts.polls.iter().map(|poll| u64::from(poll.work)).sum();
    let took: Vec<&Poll> = facts.polls.iter().filter(|poll| poll.work > 0).collect();
    let largest = *took
        .iter()
        .max_by_key(|poll| (poll.work, std::cmp::Reverse(poll.event)))?;
    if !thresholds::FEW_PACKETS.is_reached(frames as f64) {
        return None;
    }
    let interrupts = facts.totals.at(facts.run.end()).interrupts;
    let title = if largest.work == 1 {
        words::one_frame_a_poll(frames)
    } else {
        words::batch(u64::from(largest.work))
    };
    let detail = words::batches(
        interrupts,
        took.len() as u64,
        frames,
        frames as f64 / took.len() as f64,
    );
    let (from, to) = stretch(facts, &facts.polls)?;
    let (moment, packet) = taken_by(facts, largest.event);
    let finding = Finding::new(Kind::Batches, Severity::Info, title, detail).between(from, to);
    Some(finding.seen(moment, packet).on(View::Queues))
}

fn budget_used(facts: &Facts) -> Option<Finding> {
    let is_used = |poll: &&Poll| poll.budget > 0 && poll.work >= poll.budget;
    let used: Vec<Poll> = facts.polls.iter().filter(is_used).copied().collect();
    let first = *used.first()?;
    let title = words::budget_used(used.len() as u64);
    let detail = words::budget_used_of(facts.polls.len() as u64, u64::from(first.budget));
    let (from, to) = stretch(facts, &used)?;
    let (moment, packet) = taken_by(facts, first.event);
    let finding = Finding::new(Kind::BudgetUsed, Severity::Notice, title, detail).between(from, to);
    Some(finding.seen(moment, packet).on(View::Queues))
}

fn in_ksoftirqd(facts: &Facts) -> Option<Finding> {
    let is_left = |poll: &&Poll| {
        let comm = facts.run.comm(poll.pid);
        comm.is_some_and(|comm| comm.starts_with("ksoftirqd"))
    };
    let left: Vec<Poll> = facts.polls.iter().filter(is_left).copied().collect();
    let first = *left.iter().find(|poll| poll.work > 0)?;
    let frames: u64 = left.iter().map(|poll| u64::from(poll.work)).sum();
    if !thresholds::FEW_PACKETS.is_reached(frames as f64) {
        return None;
    }
    let all: u64 = facts.polls.iter().map(|poll| u64::from(poll.work)).sum();
    let title = words::ksoftirqd(first.pid);
    let detail = words::ksoftirqd_polls(left.len() as u64, frames, share(frames, all));
    let (from, to) = stretch(facts, &left)?;
    let (moment, packet) = taken_by(facts, first.event);
    let finding = Finding::new(Kind::Ksoftirqd, Severity::Notice, title, detail).between(from, to);
    Some(finding.seen(moment, packet).on(View::Scheduler))
}

/// NET_RX softirqs, each one call of `net_rx_action`, that ran longer than that function means to.
fn long_softirq(facts: &Facts) -> Option<Finding> {
    // A model's events stand around all calls in a row, up to the last restart of `__do_softirq`.
    facts
        .passes(Probe::SoftirqEntry)
        .filter(|_| facts.is_recorded())?;
    let run = &facts.run;
    let limit = thresholds::receiving_nanos(facts.kernel);
    let mut entered: Vec<Option<Nanos>> = Vec::new();
    let mut long = Vec::new();
    for event in run.indices() {
        let probe = run.probe[event.at()];
        let is_edge = matches!(probe, Probe::SoftirqEntry | Probe::SoftirqExit);
        let Some(cpu) = facts.cpu(event).filter(|_| is_edge) else {
            continue;
        };
        if run.field(event, Field::Vec) != Some(NET_RX) {
            continue;
        }
        let place = usize::from(cpu.0);
        if entered.len() <= place {
            entered.resize(place + 1, None);
        }
        let time = run.time(event);
        if probe == Probe::SoftirqEntry {
            entered[place] = Some(time);
        } else if let Some(from) = entered[place].take()
            && limit.is_reached(time.since(from) as f64)
        {
            long.push((from, time, cpu));
        }
    }
    let &(from, to, cpu) = long.iter().max_by_key(|(from, to, _)| to.since(*from))?;
    let title = words::long_softirq(cpu, to.since(from));
    let detail = words::long_softirqs(long.len() as u64, limit.value as u64);
    let packet = facts.first_packet(from, to);
    let finding = Finding::new(Kind::LongSoftirq, Severity::Notice, title, detail)
        .between(long[0].0, long[long.len() - 1].1)
        .seen(from, packet)
        .on(View::Scheduler);
    Some(finding.to_packets([packet]))
}

/// Interrupts that the NIC delayed (moderation); only a model reports them.
fn held_interrupts(facts: &Facts) -> Option<Finding> {
    let run = &facts.run;
    let mut armed: BTreeMap<Option<u32>, Nanos> = BTreeMap::new();
    let mut held = Vec::new();
    for event in facts.events_of(Probe::RxItr) {
        let device = run.field(event, Field::Dev);
        let time = run.time(event);
        if run.field(event, Field::Waited).unwrap_or(0) > 0 {
            armed.entry(device).or_insert(time);
        } else if let Some(from) = armed.remove(&device) {
            held.push((from, time));
        }
    }
    let &(from, to) = held.iter().max_by_key(|(from, to)| to.since(*from))?;
    let frames = facts.count(Probe::RxDma);
    let interrupts = facts.totals.at(run.end()).interrupts;
    let title = words::held_interrupts(to.since(from));
    let detail = words::held_interrupts_are(held.len() as u64, share(frames, interrupts));
    let packet = facts.first_packet(from, to);
    let finding = Finding::new(Kind::HeldInterrupts, Severity::Info, title, detail)
        .between(held[0].0, held[held.len() - 1].1)
        .seen(from, packet)
        .on(View::Queues);
    Some(finding.to_packets([packet]))
}

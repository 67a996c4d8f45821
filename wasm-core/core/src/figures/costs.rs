//! What it cost: CPU time by context and by function, cache lines, locks, interrupts.

use std::collections::BTreeMap;

use super::{Figure, Figures, Of, Quantity};
use crate::kernel::{Context, EventIdx, Probe};
use crate::measure::Sums;
use crate::replay::Basis;
use crate::run::measured::Measured;

pub(super) fn add(
    figures: &mut Figures,
    basis: &Basis<'_>,
    counted: &Sums,
    packets: u64,
    sends: bool,
    totals: Option<&Measured>,
) {
    contexts(figures, counted, packets);
    interrupts(figures, counted);
    // A simulation tells of caches and locks also where nothing happened to any.
    let is_modelled = totals.is_some() || !basis.caches.groups.is_empty();
    if is_modelled {
        lines(figures, basis, counted, packets);
    }
    locks(figures, basis, counted, packets, is_modelled);
    if let Some(totals) = totals {
        functions(figures, totals, packets);
        let told = |one: &Figure| one.quantity == Quantity::Throughput;
        let is_read_elsewhere = sends || !figures.all.iter().any(told);
        if is_read_elsewhere && totals.delivered_bytes > 0 {
            // What the other host's processes read, where a recording tells only what was sent.
            figures.all.retain(|one| !told(one));
            let bits = totals.throughput_kbit() as f64 * 1000.0;
            figures.push(Quantity::Throughput, Of::Run, bits);
        }
        let lost = totals.lost_on_link as f64 / totals.frames_on_link.max(1) as f64;
        figures.push(Quantity::LostOnLink, Of::Run, lost);
        let costs = counted.machine.probe_costs.iter();
        let nanos: u64 = costs.map(|cost| cost.nanos).sum();
        figures.push(Quantity::ProbesEach, Of::Run, nanos as f64 / packets as f64);
    }
    let switches = match totals {
        Some(totals) => Some(totals.switches),
        None => switches(basis, counted),
    };
    if let Some(switches) = switches {
        let each = switches as f64 / packets as f64;
        figures.push(Quantity::SwitchesEach, Of::Run, each);
    }
}

fn contexts(figures: &mut Figures, counted: &Sums, packets: u64) {
    let is_idle = |context: usize| context == Context::Idle as usize;
    let is_unknown = |context: usize| context == Context::Unknown as usize;
    let mut sums = [0_u64; Context::ALL.len()];
    let mut known = 0_u64;
    figures.tell(Quantity::CpuEach);
    for (cpu, times) in &counted.time_by_context {
        let mut busy = 0;
        let mut its = 0;
        for (context, &nanos) in times.iter().enumerate() {
            sums[context] += nanos;
            its += if is_unknown(context) { 0 } else { nanos };
            busy += if is_idle(context) || is_unknown(context) {
                0
            } else {
                nanos
            };
        }
        known += its;
        figures.push(Quantity::Busy, Of::Cpu(*cpu), busy as f64 / its as f64);
    }
    let mut busy = 0;
    for (&context, &nanos) in Context::ALL.iter().zip(&sums) {
        if is_idle(context as usize) || is_unknown(context as usize) || nanos == 0 {
            continue;
        }
        busy += nanos;
        let each = nanos as f64 / packets as f64;
        figures.push(Quantity::CpuEach, Of::Context(context), each);
    }
    figures.push(Quantity::Busy, Of::Run, busy as f64 / known as f64);
    if known > 0 {
        figures.push(Quantity::CpuEach, Of::Run, busy as f64 / packets as f64);
    }
}

fn interrupts(figures: &mut Figures, counted: &Sums) {
    let (counters, recorded) = (&counted.counters, counted.recorded);
    let seconds = counted.to.since(counted.from) as f64 / 1e9;
    let frames = counters.frames_polled as f64;
    if recorded.interrupts {
        let rate = counters.interrupts as f64 / seconds;
        figures.push(Quantity::InterruptRate, Of::Run, rate);
        if recorded.frames && counters.interrupts > 0 {
            let each = frames / counters.interrupts as f64;
            figures.push(Quantity::FramesEachInterrupt, Of::Run, each);
        }
    }
    if recorded.polls && recorded.frames && counters.polls > 0 {
        figures.push(
            Quantity::FramesEachPoll,
            Of::Run,
            frames / counters.polls as f64,
        );
    }
}

/// Nanoseconds of so many cycles; nothing where the run does not tell the clock.
fn nanos(basis: &Basis<'_>, cycles: u64) -> Option<f64> {
    let khz = basis.clock_khz;
    (khz > 0).then(|| cycles as f64 * 1e6 / khz as f64)
}

fn lines(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums, packets: u64) {
    let caches = basis.caches;
    let mut by_object: BTreeMap<u16, [u64; 2]> = BTreeMap::new();
    for moved in &counted.machine.moved {
        let sums = by_object.entry(moved.object).or_default();
        *sums = [sums[0] + moved.lines, sums[1] + moved.cycles];
    }
    let each = |amount: f64| amount / packets as f64;
    let sum = |at: usize| by_object.values().map(|sums| sums[at]).sum::<u64>();
    figures.tell(Quantity::LinesEach);
    figures.push(Quantity::LinesEach, Of::Run, each(sum(0) as f64));
    for (&object, &[lines, cycles]) in &by_object {
        let Some(name) = caches.objects.get(usize::from(object)).copied().flatten() else {
            continue;
        };
        let of = || Of::Object(basis.run.names.text(name).to_owned());
        figures.push(Quantity::LinesEach, of(), each(lines as f64));
        if let Some(nanos) = nanos(basis, cycles) {
            figures.push(Quantity::FetchEach, of(), each(nanos));
        }
    }
    let price = match sum(1) {
        0 => Some(0.0),
        cycles => nanos(basis, cycles),
    };
    if let Some(all) = price {
        figures.tell(Quantity::FetchEach);
        figures.push(Quantity::FetchEach, Of::Run, each(all));
    }
    if let Some(all) = nanos(basis, caches.filled(counted.from, counted.to)[1]) {
        figures.push(Quantity::MemoryEach, Of::Run, each(all));
    }
}

fn locks(
    figures: &mut Figures,
    basis: &Basis<'_>,
    counted: &Sums,
    packets: u64,
    is_modelled: bool,
) {
    let is_of_locks =
        |probe: &Probe| matches!(probe, Probe::ContentionBegin | Probe::ContentionEnd);
    if !is_modelled && !basis.run.probe.iter().any(is_of_locks) {
        return;
    }
    figures.tell(Quantity::LockEach);
    let mut all = 0;
    for wait in &counted.machine.locks {
        all += wait.nanos;
        let each = wait.nanos as f64 / packets as f64;
        figures.push(Quantity::LockEach, Of::Lock(wait.lock.clone()), each);
    }
    figures.push(Quantity::LockEach, Of::Run, all as f64 / packets as f64);
}

/// Switches from task to task that were recorded; nothing where none ever was.
fn switches(basis: &Basis<'_>, counted: &Sums) -> Option<u64> {
    let run = basis.run;
    let is_one = |index: &EventIdx| run.probe[index.at()] == Probe::SchedSwitch;
    run.indices().find(is_one)?;
    let within = run.within(counted.from, counted.to);
    Some(within.filter(is_one).count() as u64)
}

fn functions(figures: &mut Figures, totals: &Measured, packets: u64) {
    figures.tell(Quantity::FunctionEach);
    figures.tell(Quantity::CallsEach);
    for (name, time) in &totals.functions {
        if time.calls == 0 {
            continue;
        }
        let of = || Of::Function(name.clone());
        let nanos = time.fs as f64 / 1e6;
        figures.push(Quantity::FunctionEach, of(), nanos / packets as f64);
        figures.push(
            Quantity::CallsEach,
            of(),
            time.calls as f64 / packets as f64,
        );
    }
}

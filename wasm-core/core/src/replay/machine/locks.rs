//! Locks that somebody waits for: who holds them, who spins, since when.
//!
//! A wait lasts from `contention_begin` to the `contention_end` of the same CPU and
//! lock, which also makes that CPU the holder. The first wait names the holder
//! (`from_cpu`), `lock_release` says that it has let go. A lock that nobody waits for
//! is not told about and not shown. A lock is told by its name, and by its socket where
//! the event has one.

use std::collections::BTreeMap;

use crate::kernel::{AddrId, CpuId, EventIdx, Field, NameId, Nanos, Probe};
use crate::run::Run;

use super::track::{Sums, Track};
use super::{MachineColumns, Moment};

/// Which lock: its name and the socket that it belongs to.
type LockKey = (NameId, AddrId);

/// The locks of a run that anybody waited for.
#[derive(Debug, Clone, Default)]
pub struct Locks {
    /// What each is called.
    pub names: Vec<String>,
    /// For each lock its states.
    states: Vec<Track<State>>,
    /// For each lock how often somebody began to wait, and for how many nanoseconds waits
    /// that are over have lasted.
    waits: Vec<Sums<2>>,
    /// The same for all of them.
    all: Sums<2>,
}

/// A lock from one event to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct State {
    /// Who has it, as far as it is known.
    holder: Option<CpuId>,
    /// Who waits, in the order in which they came, and since when.
    waiting: Vec<(CpuId, Nanos)>,
}

/// One entry for each lock that somebody waits for now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LockColumns {
    /// A place in [`Locks::names`].
    pub lock: Vec<u32>,
    /// Which CPU has it; [`CpuId::UNKNOWN`] between two holders.
    pub holder: Vec<u16>,
}

/// One entry for each wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpinColumns {
    /// A place in [`Locks::names`].
    pub lock: Vec<u32>,
    /// Who waits.
    pub cpu: Vec<u16>,
    /// Since when.
    pub since: Vec<f64>,
}

impl Locks {
    pub(in crate::replay) fn of(run: &Run, socket: impl Fn(AddrId) -> String) -> Self {
        let mut places: BTreeMap<LockKey, usize> = BTreeMap::new();
        let mut found = Self::default();
        run.each(|index| {
            if !matches!(
                run.probe[index.at()],
                Probe::ContentionBegin | Probe::ContentionEnd | Probe::LockRelease
            ) {
                return;
            }
            // A kernel's own trace has no name for a lock, and a lock without is none to tell.
            let Some(name) = run.field(index, Field::Lock).map(NameId) else {
                return;
            };
            let sk = run.sk(index);
            let place = *places.entry((name, sk)).or_insert_with(|| {
                let text = run.names.text(name);
                found.names.push(if sk.is_some() {
                    format!("{text} · {}", socket(sk))
                } else {
                    text.to_owned()
                });
                found.states.push(Track::default());
                found.waits.push(Sums::default());
                found.names.len() - 1
            });
            found.pass(run, index, place);
        });
        found
    }

    fn pass(&mut self, run: &Run, index: EventIdx, place: usize) {
        let (time, cpu) = (run.time(index), run.cpu[index.at()]);
        let mut state = self.states[place].last().cloned().unwrap_or_default();
        let mine = state.waiting.iter().position(|&(waits, _)| waits == cpu);
        match run.probe[index.at()] {
            Probe::ContentionBegin => {
                let holder = run.field(index, Field::FromCpu);
                let holder = holder.and_then(|cpu| u16::try_from(cpu).ok()).map(CpuId);
                state.holder = holder.or(state.holder);
                if mine.is_none() {
                    state.waiting.push((cpu, time));
                    self.count(place, time, [1, 0]);
                }
            }
            Probe::ContentionEnd => {
                let Some(mine) = mine else { return };
                let (_, since) = state.waiting.remove(mine);
                let told = run.field(index, Field::Waited).map(u64::from);
                self.count(place, time, [0, told.unwrap_or(time.since(since))]);
                state.holder = Some(cpu);
            }
            _ => {
                if state.holder == Some(cpu) {
                    state.holder = None;
                }
            }
        }
        if state.waiting.is_empty() {
            state.holder = None;
        }
        self.states[place].set(time, state);
    }

    fn count(&mut self, place: usize, time: Nanos, more: [u64; 2]) {
        self.waits[place].add(time, more);
        self.all.add(time, more);
    }

    /// How often each lock was waited for between two times, both included, and the
    /// nanoseconds of the waits that ended there.
    pub fn between(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = (&str, [u64; 2])> {
        let names = self.names.iter().map(String::as_str);
        names.zip(self.waits.iter().map(move |sums| sums.between(from, to)))
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        if self.names.is_empty() {
            return;
        }
        for (lock, track) in self.states.iter().enumerate() {
            let Some((_, state)) = track.at(moment.time) else {
                continue;
            };
            if state.waiting.is_empty() {
                continue;
            }
            columns.locks.lock.push(lock as u32);
            let holder = state.holder.unwrap_or(CpuId::UNKNOWN);
            columns.locks.holder.push(holder.0);
            for &(cpu, since) in &state.waiting {
                columns.spins.lock.push(lock as u32);
                columns.spins.cpu.push(cpu.0);
                columns.spins.since.push(moment.since_start(since));
            }
        }
        let totals = self.all.at(moment.time);
        columns.lock_totals = totals.map(|total| total as f64).to_vec();
    }
}

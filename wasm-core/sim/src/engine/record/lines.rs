//! The lines that each cache holds, and their states, as far as events have been recorded. Evictions and
//! changes of state report exactly the lines that earlier fills reported, so that adding and subtracting them
//! gives a cache's content. Maintained only while recording.
//!
//! Simplified ("lines in groups"): a page moves as a whole, and events report only the part that was accessed. A
//! learner sees the lines that were used, not those fetched along with them.

use crate::cache::{Accessed, Caches, Eviction, NO_CACHE, ObjectId, Why};
use ringside::kernel::{Context, Field, LineState, Probe};

use crate::engine::core::Core;
use crate::engine::cpu::op::About;

/// Recorded lines by cache and object, of the recorded host.
#[derive(Debug, Default)]
pub struct Held {
    /// By cache, then by object.
    told: Vec<Vec<Told>>,
    /// Name of each object at its last fill.
    names: Vec<u8>,
    /// The states that the lines of the next transfer or fill event leave and enter: those of its first object.
    /// Lines of other objects in other states get a change of state of their own.
    leaving: Option<LineState>,
    entering: Option<LineState>,
    /// Changes of state to record before the transfer or fill, and after it.
    before: Vec<Change>,
    after: Vec<Change>,
    /// The latest evictions, and their sums by cache, name, reason and state.
    left: Vec<Eviction>,
    sums: Vec<(u8, u8, Why, LineState, u32)>,
}

/// An object's recorded lines in one cache.
#[derive(Debug, Clone, Copy)]
struct Told {
    lines: u8,
    state: LineState,
}

/// A change of state of lines that remain in their cache.
#[derive(Debug, Clone, Copy)]
struct Change {
    cache: u8,
    name: u8,
    from: LineState,
    to: LineState,
    lines: u32,
}

const NOTHING: Told = Told {
    lines: 0,
    state: LineState::Exclusive,
};

impl Held {
    /// Accounts for the lines that an access fetched; `caches` has executed it.
    fn credit(&mut self, caches: &Caches, cache: u8, id: ObjectId, name: u8, accessed: Accessed) {
        let object = id.0 as usize;
        if self.names.len() <= object {
            self.names.resize(object + 1, 0);
        }
        self.names[object] = name;
        if accessed.transfers > 0 && !accessed.source_keeps {
            let source = self.of(accessed.from_cache, object);
            let gone = source.lines.min(accessed.transfers as u8);
            source.lines -= gone;
            let state = source.state;
            let told = *self.leaving.get_or_insert(state);
            let from = accessed.from_cache;
            push(&mut self.before, from, name, (state, told), u32::from(gone));
        }
        self.refresh(caches, id);
        let came = accessed.misses + accessed.transfers;
        if came > 0 {
            let state = caches.state(cache, id).unwrap_or(LineState::Exclusive);
            let told = *self.entering.get_or_insert(state);
            push(&mut self.after, cache, name, (told, state), came);
            let here = self.of(cache, object);
            here.lines += came as u8;
            here.state = state;
        }
    }

    /// Records the current state of an object's lines in every cache that still holds them.
    fn refresh(&mut self, caches: &Caches, id: ObjectId) {
        let object = id.0 as usize;
        let Some(&name) = self.names.get(object) else {
            return;
        };
        for (cache, told) in (0u8..).zip(&mut self.told) {
            let Some(told) = told.get_mut(object).filter(|told| told.lines > 0) else {
                continue;
            };
            if let Some(state) = caches.state(cache, id) {
                let change = (told.state, state);
                push(&mut self.before, cache, name, change, told.lines.into());
                told.state = state;
            }
        }
    }

    fn of(&mut self, cache: u8, object: usize) -> &mut Told {
        let cache = usize::from(cache);
        if self.told.len() <= cache {
            self.told.resize(cache + 1, Vec::new());
        }
        let told = &mut self.told[cache];
        if told.len() <= object {
            told.resize(object + 1, NOTHING);
        }
        &mut told[object]
    }

    /// Sums up the evictions to be recorded, and updates the states of the remaining copies.
    fn sum_up(&mut self, caches: &Caches) {
        self.sums.clear();
        let mut left = std::mem::take(&mut self.left);
        for &eviction in &left {
            let object = eviction.object.0 as usize;
            let told = self.of(eviction.cache, object);
            let (lines, state) = (std::mem::take(&mut told.lines), told.state);
            if lines == 0 {
                continue;
            }
            // The transfer event has reported its lines; the rest of the copy is invalidated.
            let why = match eviction.why {
                Why::Taken => Why::Invalidated,
                why => why,
            };
            let name = self.names[object];
            let whose = (eviction.cache, name, why, state);
            let sum = self
                .sums
                .iter_mut()
                .find(|sum| (sum.0, sum.1, sum.2, sum.3) == whose);
            match sum {
                Some(sum) => sum.4 += u32::from(lines),
                None => self
                    .sums
                    .push((eviction.cache, name, why, state, u32::from(lines))),
            }
        }
        for eviction in left.drain(..) {
            self.refresh(caches, eviction.object);
        }
        self.left = left;
    }
}

/// Adds a change of state to the sum of its kind; none if both states are the same.
fn push(
    changes: &mut Vec<Change>,
    cache: u8,
    name: u8,
    (from, to): (LineState, LineState),
    lines: u32,
) {
    if from == to || lines == 0 {
        return;
    }
    let whose = (cache, name, from, to);
    let known = changes
        .iter_mut()
        .find(|one| (one.cache, one.name, one.from, one.to) == whose);
    match known {
        Some(known) => known.lines += lines,
        None => changes.push(Change {
            cache,
            name,
            from,
            to,
            lines,
        }),
    }
}

impl Core {
    /// Starts to follow the lines in the caches of the recorded host.
    pub fn follow_lines(&mut self) {
        self.hosts[0].memory.caches.record_evictions(true);
        self.recorder.held = Some(Held::default());
    }

    /// Accounts for the lines that an access fetched and the states that it changed.
    pub fn credit_lines(&mut self, cpu: usize, id: ObjectId, name: u8, accessed: Accessed) {
        let state = &self.cpus[cpu];
        if let Some(held) = self.recorder.held.as_mut().filter(|_| state.host == 0) {
            held.credit(
                &self.hosts[0].memory.caches,
                state.cache,
                id,
                name,
                accessed,
            );
        }
    }

    /// Records changes of state of an object's lines that remain in their caches.
    pub fn tell_states(&mut self, host: usize, id: ObjectId) {
        if let Some(held) = self.recorder.held.as_mut().filter(|_| host == 0) {
            held.refresh(&self.hosts[0].memory.caches, id);
            self.tell_changes();
        }
    }

    /// Records the changes of state that precede a transfer or fill.
    pub fn tell_changes(&mut self) {
        let Some(mut held) = self.recorder.held.take() else {
            return;
        };
        for change in held.before.drain(..) {
            self.tell_change(change);
        }
        self.recorder.held = Some(held);
    }

    /// The number, within its host, of the CPU that has a cache.
    pub fn cpu_of_cache(&self, host: usize, cache: u8) -> u32 {
        if cache == NO_CACHE {
            return u32::from(u16::MAX);
        }
        let cpus = &self.cpus[self.hosts[host].cpus()];
        cpus.iter().position(|cpu| cpu.cache == cache).unwrap_or(0) as u32
    }

    fn tell_change(&mut self, change: Change) {
        let cpu = self.cpu_of_cache(0, change.cache) as usize;
        if self.emit(cpu, Probe::CacheLineState, About::NOTHING) {
            // The change is not an action of this CPU.
            self.amend_context(Context::Unknown);
            self.field(Field::Lines, change.lines);
            self.object_field(0, change.name);
            self.state_field(Field::Oldstate, change.from);
            self.state_field(Field::Newstate, change.to);
        }
        self.recorder.record.events -= 1;
    }

    /// The states that the lines of the current transfer or fill leave and enter.
    pub fn states_of_move(&self) -> (Option<LineState>, Option<LineState>) {
        let held = self.recorder.held.as_ref();
        (
            held.and_then(|held| held.leaving),
            held.and_then(|held| held.entering),
        )
    }

    /// Records the evictions from the caches of the recorded host.
    pub fn tell_evictions(&mut self) {
        let Some(mut held) = self.recorder.held.take() else {
            return;
        };
        (held.leaving, held.entering) = (None, None);
        for change in held.after.drain(..) {
            self.tell_change(change);
        }
        self.hosts[0].memory.caches.take_evictions(&mut held.left);
        held.sum_up(&self.hosts[0].memory.caches);
        for &(cache, name, why, state, lines) in &held.sums {
            let cpu = self.cpu_of_cache(0, cache) as usize;
            if self.emit(cpu, Probe::CacheLineEvict, About::NOTHING) {
                self.amend_context(Context::Unknown);
                self.field(Field::Lines, lines);
                self.object_field(0, name);
                self.name_field(Field::Name, why.name());
                self.state_field(Field::Oldstate, state);
            }
            // Not counted, so that runs with and without recording count the same events.
            self.recorder.record.events -= 1;
        }
        self.recorder.held = Some(held);
        self.tell_changes();
    }
}

//! Which lines each cache holds, and in which state, as the recorded events say. Evictions
//! and changes of state report exactly the lines that earlier fills reported, so a reader
//! who adds and subtracts knows what a cache holds. Kept only while recording.
//!
//! Simplified here: a page moves as a whole, and events tell the part that was asked
//! for. A learner sees the lines that were used, not those that came along.

use crate::cache::{Accessed, Caches, Eviction, NO_CACHE, ObjectId, Why};
use ringside::kernel::{Context, Field, LineState, Probe};

use crate::engine::core::Core;
use crate::engine::cpu::op::About;

/// Lines by cache and object, of the host that is recorded.
#[derive(Debug, Default)]
pub struct Held {
    /// By cache, then by object.
    told: Vec<Vec<Told>>,
    /// What each object was called when it came last.
    names: Vec<u8>,
    /// The states that the next move or fill says its lines leave and enter: those of the first
    /// object it is about. Where others differ, a change of state beside it says so.
    leaving: Option<LineState>,
    entering: Option<LineState>,
    /// What is to be told before the lines move, and after.
    before: Vec<Change>,
    after: Vec<Change>,
    /// What left caches just now, and its sums by cache, name, reason and state.
    left: Vec<Eviction>,
    sums: Vec<(u8, u8, Why, LineState, u32)>,
}

/// An object's lines in one cache.
#[derive(Debug, Clone, Copy)]
struct Told {
    lines: u8,
    state: LineState,
}

/// Lines that stay where they are, in another state.
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
    /// Lines came, after an access that `caches` has had.
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

    /// Notes in which state an object's lines are now where they have stayed.
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

    /// Turns what left into sums of what is to be told, and looks at who has the rest.
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
            // The move has told its part; the rest of the copy is void.
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

/// Adds a change of state to those of its cache and kind; none where the states are one.
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
    /// Follows from now on which lines the caches of the recorded host hold.
    pub fn follow_lines(&mut self) {
        self.hosts[0].memory.caches.record_evictions(true);
        self.recorder.held = Some(Held::default());
    }

    /// Keeps what an access brought, and which states it changed.
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

    /// Tells which states an object's lines have changed to without moving.
    pub fn tell_states(&mut self, host: usize, id: ObjectId) {
        if let Some(held) = self.recorder.held.as_mut().filter(|_| host == 0) {
            held.refresh(&self.hosts[0].memory.caches, id);
            self.tell_changes();
        }
    }

    /// Tells the changes of state that come before the lines that move.
    pub fn tell_changes(&mut self) {
        let Some(mut held) = self.recorder.held.take() else {
            return;
        };
        for change in held.before.drain(..) {
            self.tell_change(change);
        }
        self.recorder.held = Some(held);
    }

    /// The number of the CPU, within its host, that has a cache.
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
            // Nothing that this CPU does.
            self.amend_context(Context::Unknown);
            self.field(Field::Lines, change.lines);
            self.object_field(0, change.name);
            self.state_field(Field::Oldstate, change.from);
            self.state_field(Field::Newstate, change.to);
        }
        self.recorder.record.events -= 1;
    }

    /// The states that lines which move now leave and enter.
    pub fn states_of_move(&self) -> (Option<LineState>, Option<LineState>) {
        let held = self.recorder.held.as_ref();
        (
            held.and_then(|held| held.leaving),
            held.and_then(|held| held.entering),
        )
    }

    /// Tells what has left the caches of the recorded host.
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
            // Runs without a recording do not know of it, and count the same events.
            self.recorder.record.events -= 1;
        }
        self.recorder.held = Some(held);
        self.tell_changes();
    }
}

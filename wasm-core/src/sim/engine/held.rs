//! Which lines each cache holds as far as events have told: what leaves a cache is told
//! with exactly as many lines as were told to come, so that a reader who adds and
//! subtracts knows what is in it. Kept only while recording.
//!
//! Simplified here: a page moves as a whole, and events tell the part that was asked
//! for. A learner sees the lines that were used, not those that came along.

use crate::kernel::{Context, Field, Probe};
use crate::sim::cache::{Eviction, ObjectId, Touch, Why};

use super::Engine;
use super::state::NONE;

/// Lines by cache and object, of the host that is recorded.
#[derive(Debug, Default)]
pub struct Held {
    /// By cache, then by object.
    lines: Vec<Vec<u8>>,
    /// What each object was called when it came last.
    names: Vec<u8>,
    /// What left caches just now, and its sums by cache, name and reason.
    left: Vec<Eviction>,
    sums: Vec<(u8, u8, Why, u32)>,
}

impl Held {
    /// Lines came.
    fn credit(&mut self, cache: u8, id: ObjectId, name: u8, touch: Touch) {
        let object = id.0 as usize;
        if self.names.len() <= object {
            self.names.resize(object + 1, 0);
        }
        self.names[object] = name;
        *self.of(cache, object) += (touch.filled + touch.moved) as u8;
        if touch.moved > 0 && !touch.source_keeps {
            let there = self.of(touch.from_cache, object);
            *there = there.saturating_sub(touch.moved as u8);
        }
    }

    fn of(&mut self, cache: u8, object: usize) -> &mut u8 {
        let cache = usize::from(cache);
        if self.lines.len() <= cache {
            self.lines.resize(cache + 1, Vec::new());
        }
        let lines = &mut self.lines[cache];
        if lines.len() <= object {
            lines.resize(object + 1, 0);
        }
        &mut lines[object]
    }

    /// Turns what left into sums of what is to be told.
    fn sum_up(&mut self) {
        self.sums.clear();
        let mut left = std::mem::take(&mut self.left);
        for eviction in left.drain(..) {
            let object = eviction.object.0 as usize;
            let lines = std::mem::take(self.of(eviction.cache, object));
            if lines == 0 {
                continue;
            }
            // The move has told its part; the rest of the copy is void.
            let why = match eviction.why {
                Why::Taken => Why::Invalidated,
                why => why,
            };
            let name = self.names[object];
            let whose = (eviction.cache, name, why);
            let sum = self
                .sums
                .iter_mut()
                .find(|sum| (sum.0, sum.1, sum.2) == whose);
            match sum {
                Some(sum) => sum.3 += u32::from(lines),
                None => self
                    .sums
                    .push((eviction.cache, name, why, u32::from(lines))),
            }
        }
        self.left = left;
    }
}

impl Engine {
    /// Follows from now on which lines the caches of the recorded host hold.
    pub(super) fn follow_lines(&mut self) {
        self.hosts[0].caches.record_evictions(true);
        self.held = Some(Held::default());
    }

    /// Keeps what a touch brought.
    pub(super) fn credit_lines(&mut self, cpu: usize, id: ObjectId, name: u8, touch: Touch) {
        let state = &self.cpus[cpu];
        if let Some(held) = self.held.as_mut().filter(|_| state.host == 0) {
            held.credit(state.cache, id, name, touch);
        }
    }

    /// Tells what has left the caches of the recorded host.
    pub(super) fn tell_evictions(&mut self) {
        let Some(mut held) = self.held.take() else {
            return;
        };
        self.hosts[0].caches.take_evictions(&mut held.left);
        held.sum_up();
        for &(cache, name, why, lines) in &held.sums {
            let cpu = self.cpu_of_cache(0, cache) as usize;
            if self.emit(cpu, Probe::CacheLineEvict, NONE, NONE) {
                // Nothing that this CPU does.
                self.record.amend_context(Context::Unknown);
                self.record.field(Field::Lines, lines);
                let object = self.object_name(0, name);
                self.record.field(Field::Object, object);
                let why = self.record.name(why.name());
                self.record.field(Field::Name, why);
            }
            // Runs without a recording do not know of it, and count the same events.
            self.record.events -= 1;
        }
        self.held = Some(held);
    }
}

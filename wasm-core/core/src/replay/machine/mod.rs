//! What only a model knows, at any moment: the lines in each cache and their moves, copies,
//! who waits for which lock, time slices, the timers that hold interrupts back, what the probes
//! cost. And who waits for a CPU, which a recording tells, too.
//!
//! All of it is read off the events, most off those that only a model makes
//! ([`crate::kernel::Probe`], the last group), once, into columns by time; a moment is then a
//! binary search in each.

mod caches;
mod copies;
mod held;
mod locks;
mod moderation;
mod order;
mod probe_cost;
mod slices;
#[cfg(test)]
mod tests;
mod track;
mod waits;

use crate::journey::Journeys;
use crate::kernel::{AddrId, Nanos};
use crate::run::Run;

pub use caches::{Caches, FillColumns, FlowColumns, HeldColumns, MoveColumns, Moved};
pub use copies::{Copies, CopyColumns, Fetched};
pub use locks::{LockColumns, Locks, SpinColumns};
pub use moderation::{Moderation, TimerColumns};
pub use probe_cost::{CostColumns, ProbeCosts};
pub use slices::{Slices, TaskColumns};
pub use waits::{Standing, WaitColumns, Waits, Why};

/// What the events of a run tell of its machine, over the whole run.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Who has which cache lines.
    pub caches: Caches,
    /// Bytes of a cache's line; [`LINE_BYTES`] where nothing says so.
    pub line_bytes: u32,
    /// Copies to processes, and what they waited for.
    pub copies: Copies,
    /// Who waits for which lock.
    pub locks: Locks,
    /// The timers of interrupt moderation.
    pub moderation: Moderation,
    /// Time slices and preemption.
    pub slices: Slices,
    /// Who waits for a CPU since when, in a recording too.
    pub waits: Waits,
    /// What probes cost.
    pub probe_costs: ProbeCosts,
}

/// The state at one moment, as columns; without a model all are empty but the waits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MachineColumns {
    /// Lines by cache and kind of object.
    pub held: HeldColumns,
    /// Lines that came from another cache, by pair of CPUs.
    pub flows: FlowColumns,
    /// Single moves of the last moments.
    pub moves: MoveColumns,
    /// Lines that came from memory, by CPU.
    pub fills: FillColumns,
    /// Each CPU's last copy to a process.
    pub copies: CopyColumns,
    /// Locks that somebody waits for.
    pub locks: LockColumns,
    /// Who waits for them.
    pub spins: SpinColumns,
    /// How often anybody has waited for a lock so far, and for how many nanoseconds in all.
    pub lock_totals: Vec<f64>,
    /// Each CPU's task.
    pub tasks: TaskColumns,
    /// Tasks that wait for a CPU, of all runs that tell of the scheduler.
    pub waits: WaitColumns,
    /// Each device's interrupt timer.
    pub timers: TimerColumns,
    /// What probes cost each CPU.
    pub costs: CostColumns,
}

/// A moment, and how long before it something still counts as just done.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Where time begins on the page.
    pub start: Nanos,
    /// Which moment.
    pub time: Nanos,
    /// Just done is what happened after this.
    pub recent: Nanos,
}

impl Moment {
    /// The last `linger` nanoseconds up to `time`.
    pub const fn new(start: Nanos, time: Nanos, linger: u64) -> Self {
        Self {
            start,
            time,
            recent: Nanos(time.0.saturating_sub(linger)),
        }
    }

    /// Nanoseconds from the start of the run to a time.
    fn since_start(&self, time: Nanos) -> f64 {
        time.since(self.start) as f64
    }
}

/// Bytes of a line in the processors of today's recordings: so it has been in Intel's since the Pentium 4 and in AMD's
/// since the Athlon.
const LINE_BYTES: u32 = 64;

/// Bytes of a cache's line.
fn line_bytes(run: &Run) -> u32 {
    let said = run.metadata.get("cache_line_bytes");
    let said = said.and_then(|said| said.trim().parse().ok());
    said.filter(|&bytes| bytes > 0).unwrap_or(LINE_BYTES)
}

impl Machine {
    /// Reads everything off the events. `name` says what a socket is called.
    pub fn of(
        run: &Run,
        journeys: &Journeys,
        waits: Waits,
        name: impl Fn(AddrId) -> String,
    ) -> Self {
        Self {
            caches: Caches::of(run),
            line_bytes: line_bytes(run),
            copies: Copies::of(run, journeys),
            locks: Locks::of(run, name),
            moderation: Moderation::of(run),
            slices: Slices::of(run),
            waits,
            probe_costs: ProbeCosts::of(run),
        }
    }

    /// The state at a time, with what happened less than `linger` nanoseconds before it.
    pub fn at(&self, run: &Run, time: Nanos, linger: u64) -> MachineColumns {
        let moment = Moment::new(run.start(), time, linger);
        let mut columns = MachineColumns::default();
        self.caches.add_to(&mut columns, moment);
        self.copies.add_to(&mut columns, moment);
        self.locks.add_to(&mut columns, moment);
        self.moderation.add_to(&mut columns, moment);
        self.waits.add_to(&mut columns, moment);
        self.slices.add_to(&mut columns, moment);
        self.probe_costs.add_to(&mut columns, moment);
        columns
    }
}

//! Where in a run a probe is passed: what a search for a kernel function leads to.

use crate::kernel::{EventIdx, Nanos};
use crate::run::Run;

/// One pass of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    /// How often the probe is passed in the run.
    pub count: usize,
    /// Which of these this is, from 1.
    pub number: usize,
    /// The event.
    pub event: EventIdx,
}

/// The first pass of the probe with this number at a time or after it; where there is none, the
/// first of the run. Nothing where the probe is never passed.
pub fn next_pass(run: &Run, probe: u8, time: Nanos) -> Option<Pass> {
    let start = run.first_at(time).at();
    let passes =
        |probes: &[crate::kernel::Probe]| probes.iter().filter(|&&one| one as u8 == probe).count();
    let before = passes(&run.probe[..start]);
    let count = before + passes(&run.probe[start..]);
    let place = |from: usize| {
        let found = run.probe[from..].iter().position(|&one| one as u8 == probe);
        found.map(|at| EventIdx((from + at) as u32))
    };
    let later = place(start).map(|event| (before + 1, event));
    let (number, event) = later.or_else(|| Some((1, place(0)?)))?;
    Some(Pass {
        count,
        number,
        event,
    })
}

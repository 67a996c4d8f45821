//! The runs that are missing, on as many threads as wanted, handed over as they end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use ringside::journey::Journeys;
use sim::config::catalogue::Catalogue;
use sim::engine::simulate;

use crate::columns::{self, Values};
use crate::plan::{Plan, RunId};

/// Measures runs, and hands each over in the order in which they end. An error, of a run or of
/// `taken`, ends the work; what is under way on other threads is still finished.
pub fn measure(
    plan: &Plan,
    wanted: &[RunId],
    catalogue: &Catalogue,
    threads: usize,
    mut taken: impl FnMut(&RunId, &Values) -> Result<(), String>,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, wanted.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(run) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more: another run failed.
                    if sender.send((run, one(plan, run, catalogue))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (run, values) in receiver {
            taken(run, &values?)?;
        }
        Ok(())
    })
}

/// Measures one run.
fn one(plan: &Plan, run: &RunId, catalogue: &Catalogue) -> Result<Values, String> {
    let scenario = plan.scenario(run, catalogue)?;
    let wrong = |why: String| format!("{}: {why}", plan.at(run));
    let simulated = simulate(&scenario, catalogue, true).map_err(wrong)?;
    let events = simulated
        .run
        .ok_or("a run that was to be recorded was not")?;
    let journeys = Journeys::of(&events);
    Ok(columns::of(
        &scenario,
        &simulated.measured,
        &journeys,
        events.start(),
    ))
}

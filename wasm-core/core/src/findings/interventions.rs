//! Interventions in a simulation: from each on, the run is a different one.

use super::facts::Facts;
use super::{Finding, Kind, Severity, View};
use crate::intervention::{self, Intervention, interventions};
use crate::kernel::PacketId;

/// The limit of interventions reported, so that there is room for their effects.
const MOST: usize = 4;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let all = interventions(&facts.run).into_iter();
    all.take(MOST).map(|one| finding(one, facts)).collect()
}

fn finding(one: Intervention, facts: &Facts) -> Finding {
    let finding = Finding::new(
        Kind::Intervention,
        Severity::Notice,
        one.short(),
        one.plain(),
    );
    finding
        .between(one.time, facts.run.end())
        .seen(one.time, PacketId::NONE)
        .on(view(one.kind))
}

fn view(kind: intervention::Kind) -> View {
    use intervention::Kind as Done;
    match kind {
        Done::Steal(..) | Done::Stop(..) => View::Scheduler,
        Done::Ring(_) => View::Queues,
        Done::Lose(_)
        | Done::Double(_)
        | Done::Delay(..)
        | Done::Reorder(_)
        | Done::Damage(_)
        | Done::Pin(_)
        | Done::PinQueue(..) => View::Way,
    }
}

//! Interrupt moderation: the timer by which a NIC holds an interrupt back.
//!
//! An `rx_itr` with `waited` above zero arms the timer, one with zero says that the
//! interrupt is out. Between two of them the frames that come (`rx_dma`) are held back, too.

use std::collections::BTreeMap;

use crate::kernel::{Field, NameId, Nanos, Probe};
use crate::run::Run;

use super::track::Track;
use super::{MachineColumns, Moment};

/// The timers of a run.
#[derive(Debug, Clone, Default)]
pub struct Moderation {
    /// The devices that have one; none for a device without a name.
    pub devices: Vec<Option<NameId>>,
    /// For each device its timer's states.
    timers: Vec<Track<Timer>>,
    /// For each device when frames came.
    arrivals: Vec<Vec<Nanos>>,
}

/// A timer from one event to the next.
#[derive(Debug, Clone, Copy)]
struct Timer {
    /// When it lets the interrupt out, if it is armed.
    fires: Option<Nanos>,
    /// Since when it is armed.
    armed: Nanos,
    /// Frames held back, as the event says.
    held: u32,
}

/// One entry for each timer of the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimerColumns {
    /// Since when it is armed; -1 while it is not.
    pub since: Vec<f64>,
    /// When it lets the interrupt out; -1 while it is not armed.
    pub until: Vec<f64>,
    /// Frames held back.
    pub held: Vec<u32>,
}

impl Moderation {
    pub(super) fn of(run: &Run) -> Self {
        let mut places: BTreeMap<Option<NameId>, usize> = BTreeMap::new();
        let mut found = Self::default();
        run.each(|index| {
            let probe = run.probe[index.at()];
            if probe != Probe::RxItr && probe != Probe::RxDma {
                return;
            }
            let device = run.field(index, Field::Dev).map(NameId);
            let place = *places.entry(device).or_insert_with(|| {
                found.devices.push(device);
                found.timers.push(Track::default());
                found.arrivals.push(Vec::new());
                found.devices.len() - 1
            });
            let time = run.time(index);
            if probe == Probe::RxDma {
                found.arrivals[place].push(time);
                return;
            }
            let waited = run.field(index, Field::Waited).unwrap_or(0);
            let timer = &mut found.timers[place];
            // Armed anew, it is still the same wait.
            let armed = timer.last().filter(|last| last.fires.is_some());
            let armed = armed.map_or(time, |last| last.armed);
            let fires = (waited > 0).then_some(Nanos(time.0.saturating_add(u64::from(waited))));
            let held = run.field(index, Field::Depth).unwrap_or(0);
            timer.set(time, Timer { fires, armed, held });
        });
        found.keep_moderated();
        found
    }

    /// A device that never holds an interrupt back has no timer to show.
    fn keep_moderated(&mut self) {
        let is_moderated =
            |timer: &Track<Timer>| timer.values().iter().any(|one| one.fires.is_some());
        let keep: Vec<bool> = self.timers.iter().map(is_moderated).collect();
        let mut kept = keep.iter();
        self.devices.retain(|_| kept.next() == Some(&true));
        let mut kept = keep.iter();
        self.timers.retain(|_| kept.next() == Some(&true));
        let mut kept = keep.iter();
        self.arrivals.retain(|_| kept.next() == Some(&true));
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        for (timer, arrivals) in self.timers.iter().zip(&self.arrivals) {
            let state = timer.at(moment.time);
            let armed = state.and_then(|(at, timer)| Some((at, timer, timer.fires?)));
            let Some((at, timer, fires)) = armed else {
                columns.timers.since.push(-1.0);
                columns.timers.until.push(-1.0);
                columns.timers.held.push(0);
                continue;
            };
            let before = arrivals.partition_point(|&arrival| arrival <= at);
            let now = arrivals.partition_point(|&arrival| arrival <= moment.time);
            columns.timers.since.push(moment.since_start(timer.armed));
            columns.timers.until.push(moment.since_start(fires));
            columns
                .timers
                .held
                .push(timer.held.saturating_add((now - before) as u32));
        }
    }
}

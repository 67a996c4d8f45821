//! A profile for the page: its largest stacks.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::profile::{LockRow, Profile};

/// A recording of a host with many tasks has more stacks than can be drawn; these take the most time.
const MOST_STACKS: usize = 5000;
/// A host with many connections may tell of as many locks.
const MOST_LOCKS: usize = 2000;

/// Where CPU time went.
#[derive(Debug, Serialize, Tsify)]
pub struct ProfileView {
    #[tsify(type = "'charged' | 'recorded'")]
    source: &'static str,
    /// How long each CPU was watched, in nanoseconds.
    elapsed: f64,
    cpus: usize,
    stacks: Vec<StackView>,
    /// The locks that were wanted, the most time first.
    locks: Vec<LockView>,
    /// Nanoseconds of stacks that are left out, as they are too many.
    rest: f64,
}

/// What one stack took.
#[derive(Debug, Serialize, Tsify)]
pub struct StackView {
    cpu: u16,
    /// Index into the glossary's contexts.
    context: u8,
    /// From the outside in.
    within: Vec<String>,
    nanos: f64,
    #[tsify(type = "number | undefined")]
    calls: Option<u64>,
    #[tsify(type = "number | undefined")]
    lines: Option<u64>,
}

/// A lock as somebody wanted it.
#[derive(Debug, Serialize, Tsify)]
pub struct LockView {
    lock: String,
    #[tsify(type = "number | undefined")]
    cpu: Option<u16>,
    /// From the outside in; empty where nothing tells.
    within: Vec<String>,
    #[tsify(type = "number | undefined")]
    holds: Option<u64>,
    spins: u64,
    nanos: f64,
}

impl From<&LockRow> for LockView {
    fn from(row: &LockRow) -> Self {
        Self {
            lock: row.lock.clone(),
            cpu: row.cpu.map(|cpu| cpu.0),
            within: row.within.clone(),
            holds: row.holds,
            spins: row.spins,
            nanos: row.nanos,
        }
    }
}

impl From<&Profile> for ProfileView {
    fn from(profile: &Profile) -> Self {
        let mut all: Vec<_> = profile.stacks.iter().collect();
        all.sort_by(|(_, a), (_, b)| b.nanos.total_cmp(&a.nanos));
        let (largest, others) = all.split_at(all.len().min(MOST_STACKS));
        let stacks = largest.iter().map(|(stack, spent)| StackView {
            cpu: stack.cpu.0,
            context: stack.context as u8,
            within: stack.within.clone(),
            nanos: spent.nanos,
            calls: spent.calls,
            lines: spent.lines,
        });
        Self {
            source: profile.source.name(),
            elapsed: profile.elapsed,
            cpus: profile.cpus,
            stacks: stacks.collect(),
            locks: profile
                .locks
                .iter()
                .take(MOST_LOCKS)
                .map(LockView::from)
                .collect(),
            rest: others.iter().map(|(_, spent)| spent.nanos).sum(),
        }
    }
}

#[wasm_bindgen]
impl Session {
    /// Where CPU time went: in a simulation in all of it, in a recording between two times.
    pub fn profile(&self, from: f64, to: f64) -> Result<Ts<ProfileView>, JsError> {
        let profile = match &self.totals {
            Some(measured) => Profile::charged(measured),
            None => Profile::recorded(&self.opened.replay, self.at(from), self.at(to)),
        };
        Ok(ProfileView::from(&profile).into_ts()?)
    }
}

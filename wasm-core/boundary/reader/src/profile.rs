//! A profile for the page: its largest stacks.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::profile::Profile;

/// A recording of a host with many tasks has more stacks than can be drawn; these take the most time.
const MOST_STACKS: usize = 5000;

/// Where CPU time went.
#[derive(Debug, Serialize, Tsify)]
pub struct ProfileView {
    #[tsify(type = "'charged' | 'recorded'")]
    source: &'static str,
    /// How long each CPU was watched, in nanoseconds.
    elapsed: f64,
    cpus: usize,
    stacks: Vec<StackView>,
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
        });
        Self {
            source: profile.source.name(),
            elapsed: profile.elapsed,
            cpus: profile.cpus,
            stacks: stacks.collect(),
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

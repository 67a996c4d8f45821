//! The files of the papers: published numbers and a file a study (`data/papers/`). They are embedded at build time, but
//! for a browser, whose page fetches them when the scoreboard is asked for and gives them here.

mod list;

use std::collections::BTreeMap;

use sim::config::catalogue::{Catalogue, OwnFile};
use sim::config::scenario::Scenario;

use self::list::{Files, PUBLISHED, STUDIES};
use super::experiments::{self, EntryPlan, StudyPlan};
use super::published::{self, PublishedEntry};
use super::runs::Runs;
use super::{
    Beginning, Beside, Reproduced, Study, Tried, beginning, beside, board, cells, counterfactual,
};

/// The papers, read: what was published, and the experiments behind it.
#[derive(Debug)]
pub struct Papers {
    pub(super) studies: Vec<StudyPlan>,
    published: BTreeMap<String, PublishedEntry>,
}

impl Papers {
    /// The embedded ones.
    #[cfg(not(target_family = "wasm"))]
    pub fn shipped() -> Result<Self, String> {
        Self::with(&[])
    }

    /// From the files that are given (`papers/own.json`), the embedded ones in place of those that are not. What is
    /// neither is an error, and so is what cannot be read; both say which file it is.
    pub fn with(data: &[OwnFile]) -> Result<Self, String> {
        let texts = |files: Files| -> Result<Vec<&str>, String> {
            files
                .iter()
                .map(|&(name, text)| {
                    let path = format!("papers/{name}.json");
                    let given = data.iter().find(|(of, _)| *of == path);
                    let text = given.map(|(_, text)| text.as_str()).or(text);
                    text.ok_or_else(|| format!("data/{path}: it was not loaded"))
                })
                .collect()
        };
        let published = published::entries(&texts(PUBLISHED)?)?;
        let studies = texts(STUDIES)?;
        let studies = studies
            .iter()
            .map(|text| experiments::study(text, &published));
        Ok(Self {
            studies: studies.collect::<Result<_, _>>()?,
            published,
        })
    }

    /// The studies in the order of the board.
    pub fn studies(&self, catalogue: &Catalogue) -> Vec<Study> {
        let title = |name: &String| {
            let machine = catalogue.machine(name);
            machine.map_or_else(|| name.clone(), |machine| machine.title.clone())
        };
        self.studies
            .iter()
            .map(|study| Study {
                machine: study
                    .machines
                    .iter()
                    .map(title)
                    .collect::<Vec<_>>()
                    .join("; "),
                sealed: study.sealed.clone(),
                entries: study.entries.iter().map(EntryPlan::entry).collect(),
                name: study.name.clone(),
                title: study.title.clone(),
                authors: study.authors.clone(),
                year: study.year,
            })
            .collect()
    }

    /// Runs the experiments behind an entry: one result for each of its numbers.
    pub fn reproduce(&self, entry: &str, catalogue: &Catalogue) -> Result<Vec<Reproduced>, String> {
        self.reproduce_with(entry, &mut Runs::new(catalogue))
    }

    /// The same with what was run before: entries of one study share many runs.
    pub fn reproduce_with(&self, entry: &str, runs: &mut Runs) -> Result<Vec<Reproduced>, String> {
        let (at, plan) = self.plan(entry)?;
        Ok(board::entry(&self.studies, at, plan, runs))
    }

    /// What an entry's numbers, and all that are predicted of them, would be with one thing otherwise. `board` is how they
    /// came out. The error says which cannot be run.
    pub fn tried(
        &self,
        entry: &str,
        board: &[Reproduced],
        runs: &mut Runs,
    ) -> Result<Tried, String> {
        let (at, plan) = self.plan(entry)?;
        counterfactual::of_entry(&self.studies[at], plan, board, runs)
    }

    /// How the runs begin that an entry's numbers, and what is tried on them, are measured in. The error says which
    /// cannot be run.
    pub fn beginning(&self, entry: &str, catalogue: &Catalogue) -> Result<Beginning, String> {
        let (at, plan) = self.plan(entry)?;
        beginning::of_entry(&self.studies[at], plan, catalogue)
    }

    /// An entry, behind the number of its study.
    fn plan(&self, entry: &str) -> Result<(usize, &EntryPlan), String> {
        let mut studies = self.studies.iter().enumerate();
        let found = studies
            .find_map(|(at, study)| Some((at, study.entries.iter().find(|one| one.id == entry)?)));
        found.ok_or_else(|| format!("entry: nothing is called {entry:?}"))
    }

    /// The published numbers that a sweep of a scenario over some settings can be held against. A setting is
    /// a name of the scenario's settings, or `machine`, `kernel` or `workload`.
    pub fn beside(&self, scenario: &Scenario, swept: &[&str]) -> Vec<Beside> {
        beside::beside(&self.studies, scenario, swept)
    }

    /// Published numbers that no item speaks of: entry and place. There should be none.
    pub fn left_out(&self) -> Vec<String> {
        let mut left = Vec::new();
        for (id, numbers) in &self.published {
            let plans = self.studies.iter().flat_map(|study| &study.entries);
            let items = plans
                .filter(|plan| plan.id == *id)
                .flat_map(|plan| &plan.items);
            let covered: Vec<&String> = items.flat_map(|item| &item.places).collect();
            let is_at = |leaf: &str, place: &str| {
                let below = leaf.strip_prefix(place);
                below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let is_covered = |leaf: &String| covered.iter().any(|place| is_at(leaf, place));
            let leaves = cells::leaves(&numbers.values);
            let open = leaves.iter().filter(|leaf| !is_covered(leaf));
            left.extend(open.map(|leaf| format!("{id} {leaf}")));
        }
        left
    }
}

//! How far the board moves when a parameter does: what a guess or a fit is worth.

use std::collections::BTreeMap;

use super::board::{is_within, used, with_seed};
use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use super::fitted::files;
use super::papers::Papers;
use super::published::Published;
use super::runs::Runs;
use sim::config::catalogue::Catalogue;
use sim::config::catalogue::moved::Moved;

/// What became of the board's numbers with one parameter moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// The numbers whose runs have the parameter's file in them.
    pub numbers: usize,
    /// Those of them that changed by more than another seed changes them, or that no longer come out.
    pub moved: usize,
    /// Those of them that no longer come out: the scenario is refused then, or nothing is left to measure.
    pub failed: usize,
    /// The median change of the numbers that come out, as a part of what was published.
    pub median: f64,
    /// The largest change of a number that moved, as a part of what was published; 0 where none did.
    pub largest: f64,
    /// The number that it is of, entry and item; where all that moved failed, one of these.
    pub largest_of: String,
    /// Numbers that were within their tolerance before and are not now, or do not come out.
    pub lost: usize,
    /// Numbers that were not and are.
    pub gained: usize,
}

/// The board's numbers as they are, for comparison; computed as they are asked for.
#[derive(Debug)]
pub struct Sensitivity<'a> {
    studies: Vec<StudyPlan>,
    runs: Runs<'a>,
    /// By study, entry and item: with the first seed and with the second.
    before: BTreeMap<Place, [Option<f64>; 2]>,
}

/// Where a number stands: study, entry, item.
type Place = (usize, usize, usize);

/// Seeds of the runs that are compared, and of those that show what chance does.
const SEEDS: [u64; 2] = [1, 2];

impl<'a> Sensitivity<'a> {
    /// Of the board of some papers.
    pub fn new(papers: Papers, catalogue: &'a Catalogue) -> Self {
        Self {
            studies: papers.studies,
            runs: Runs::new(catalogue),
            before: BTreeMap::new(),
        }
    }

    /// What a moved parameter does to the numbers. Both runs of a number have the same seed, so that
    /// what differs is the parameter's doing, and how chance spreads it.
    pub fn of(&mut self, moved: &Moved) -> Shift {
        let mut shift = Shift {
            numbers: 0,
            moved: 0,
            failed: 0,
            median: 0.0,
            largest: 0.0,
            largest_of: String::new(),
            lost: 0,
            gained: 0,
        };
        let mut after = Runs::new(&moved.catalogue);
        let mut changes = Vec::new();
        for place in self.places(&moved.files) {
            let (study, entry, item) = plans(&self.studies, place);
            let before = self.before.entry(place).or_insert_with(|| {
                SEEDS.map(|seed| with_seed(study, entry, item, &mut self.runs, seed).ok())
            });
            let &mut [Some(was), other] = before else {
                continue;
            };
            shift.numbers += 1;
            let named = || format!("{} {}", entry.id, item.name);
            let Ok(now) = with_seed(study, entry, item, &mut after, SEEDS[0]) else {
                shift.moved += 1;
                shift.failed += 1;
                shift.lost += usize::from(is_within(item, was));
                if shift.largest_of.is_empty() {
                    shift.largest_of = named();
                }
                continue;
            };
            let noise = other.map_or(0.0, |other| change(item, was, other));
            let change = change(item, was, now);
            changes.push(change);
            if change > noise {
                shift.moved += 1;
                if change > shift.largest {
                    shift.largest = change;
                    shift.largest_of = named();
                }
            }
            match (is_within(item, was), is_within(item, now)) {
                (true, false) => shift.lost += 1,
                (false, true) => shift.gained += 1,
                _ => {}
            }
        }
        changes.sort_by(f64::total_cmp);
        shift.median = changes.get(changes.len() / 2).copied().unwrap_or(0.0);
        shift
    }

    /// The numbers that are measured in runs with any of these files.
    fn places(&self, changed: &[String]) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, study) in self.studies.iter().enumerate() {
            for (of, entry) in study.entries.iter().enumerate() {
                for (which, item) in entry.items.iter().enumerate() {
                    let mut files = used(study, item).into_iter().flat_map(files);
                    let is_measured = item.measure.as_ref().is_some_and(|it| !it.restates());
                    if is_measured && files.any(|file| changed.contains(&file)) {
                        places.push((at, of, which));
                    }
                }
            }
        }
        places
    }
}

fn plans(
    studies: &[StudyPlan],
    (study, entry, item): Place,
) -> (&StudyPlan, &EntryPlan, &ItemPlan) {
    let study = &studies[study];
    let entry = &study.entries[entry];
    (study, entry, &entry.items[item])
}

/// How far apart two values of a number are, as a part of what was published; of one that was not
/// published as a number, as a part of the first value.
fn change(item: &ItemPlan, was: f64, now: f64) -> f64 {
    let whole = match item.published {
        Published::Number(published) if published != 0.0 => published,
        _ if was != 0.0 => was,
        _ => 1.0,
    };
    ((now - was) / whole).abs()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::counterfactual::with;
    use crate::testing::study;

    /// Two numbers of three are within their tolerance, and without a NIC there is none at all.
    #[test]
    fn a_number_that_no_longer_comes_out_is_lost() {
        let mut papers = Papers::shipped().unwrap();
        papers.studies = vec![study([r#""measure": "hop_us(6, 7)""#; 3]).unwrap()];
        let catalogue = Catalogue::shipped().unwrap();
        let file = "machines/recorder".to_owned();
        let none = [(file.clone(), json!({ "nics": [] }))].into();
        let moved = Moved {
            catalogue: with(&catalogue, &none).unwrap(),
            files: vec![file],
        };
        let shift = Sensitivity::new(papers, &catalogue).of(&moved);
        let found = (shift.numbers, shift.moved, shift.failed, shift.lost);
        assert_eq!(found, (3, 3, 3, 2));
        assert_eq!(shift.largest_of, "x.a one");
        assert_eq!((shift.median, shift.largest, shift.gained), (0.0, 0.0, 0));
    }
}

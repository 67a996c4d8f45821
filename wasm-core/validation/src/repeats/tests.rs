//! What the shipped studies repeat.

use std::collections::BTreeMap;
use std::fs;

use crate::Published;
use crate::baseline::quantities;
use crate::beside::conditions;
use crate::experiments::{EntryPlan, ItemPlan, StudyPlan};
use crate::heads::APART;
use crate::papers::Papers;

/// Two numbers of one run and one measure are one answer: the second has to say that it repeats the first.
#[test]
fn no_two_numbers_of_a_study_are_one_answer() {
    let papers = Papers::shipped().unwrap();
    let mut twice = Vec::new();
    for plan in &papers.studies {
        let mut answered = BTreeMap::new();
        for entry in &plan.entries {
            let asks = |item: &&ItemPlan| !item.is_input && item.repeats.is_none();
            for item in entry.items.iter().filter(asks) {
                let run = item.scenario.as_deref().map(|name| plan.scenario(name));
                let (Some(Ok(run)), Some(measure)) = (run, &item.measure) else {
                    continue;
                };
                let question = format!("{run:?} {measure:?} {:?}", item.holds_if);
                let name = format!("{} {}", entry.id, item.name);
                if let Some(first) = answered.insert(question, name.clone()) {
                    twice.push(format!("{name} is what {first} is"));
                }
            }
        }
    }
    assert_eq!(twice, Vec::<String>::new());
}

/// A number as it was measured, and as the pinned board has it.
struct Pinned<'a> {
    name: String,
    study: &'a StudyPlan,
    item: &'a ItemPlan,
    published: f64,
    modelled: f64,
    is_predicted: bool,
}

impl<'a> Pinned<'a> {
    /// Nothing where no number was published or none is modelled.
    fn of(study: &'a StudyPlan, entry: &EntryPlan, item: &'a ItemPlan) -> Option<Self> {
        let Published::Number(published) = item.published else {
            return None;
        };
        let (begin, _) = entry.id.split_once('.')?;
        let folder = env!("CARGO_MANIFEST_DIR");
        let board = fs::read_to_string(format!("{folder}/../tests/board/{begin}.txt")).unwrap();
        let head = format!("  {}  ", entry.id);
        let lines = board.lines().skip_while(|line| !line.starts_with(&head));
        let mut lines = lines.take_while(|line| !line.is_empty());
        let line = lines.find(|line| line.ends_with(&format!("  {}", item.name)))?;
        // Verdict, kind, published, modelled.
        let mut words = line.split_whitespace();
        let kind = words.nth(1)?;
        Some(Self {
            name: format!("{} {}", entry.id, item.name),
            study,
            item,
            published,
            modelled: words.nth(1)?.parse().ok()?,
            is_predicted: kind == "predicted",
        })
    }

    fn is_near(&self, other: &Self) -> bool {
        let near = |one: f64, other: f64| one.max(other) <= one.min(other) * APART;
        near(self.published, other.published) && near(self.modelled, other.modelled)
    }

    /// Tasks that compute beside it: a load's share of the CPU goes by their number.
    fn hogs(&self) -> Option<u32> {
        let scenario = self.study.scenario(self.item.scenario.as_deref()?).ok()?;
        scenario.settings.background_hogs
    }

    /// What its run has but for what may differ.
    fn run(&self, but: &[&str]) -> Option<String> {
        let scenario = self.study.scenario(self.item.scenario.as_deref()?).ok()?;
        Some(format!("{:?}", conditions(scenario, but).0))
    }
}

/// In what two loads of one kind may differ.
const MAY_DIFFER: [&str; 2] = ["message_bytes", "connections"];

/// Loads that came out as near as that once may have parted since: what one then says is its own again.
#[test]
fn loads_that_repeat_each_other_are_near_as_published_and_as_modelled() {
    let papers = Papers::shipped().unwrap();
    let mut apart = Vec::new();
    for study in &papers.studies {
        for entry in &study.entries {
            for item in &entry.items {
                let Some(by) = item.repeats.as_ref().filter(|by| !by.is_sum()) else {
                    continue;
                };
                let (of, other) = study.repeated(by).next().flatten().unwrap();
                let (Some(one), Some(first)) =
                    (Pinned::of(study, entry, item), Pinned::of(study, of, other))
                else {
                    continue;
                };
                let is_other_load = one.run(&[]) != first.run(&[]) && one.hogs() == first.hogs();
                let is_same_measure =
                    item.unit == other.unit && quantities(item) == quantities(other);
                if is_other_load && is_same_measure && !one.is_near(&first) {
                    apart.push(format!("{} is not {}", one.name, first.name));
                }
            }
        }
    }
    assert_eq!(apart, Vec::<String>::new());
}

/// Two loads of one kind that say the same are one prediction, of whatever size and over however many connections.
#[test]
fn predicted_loads_of_a_kind_that_are_near_repeat_each_other() {
    let papers = Papers::shipped().unwrap();
    let mut twice = Vec::new();
    for study in &papers.studies {
        let mut asked: Vec<Pinned> = Vec::new();
        for entry in &study.entries {
            let asks = entry.items.iter().filter(|item| item.repeats.is_none());
            let pinned = asks.filter_map(|item| Pinned::of(study, entry, item));
            for one in pinned.filter(|one| one.is_predicted) {
                let kind = one.run(&MAY_DIFFER);
                let says_the_same = |first: &&Pinned| {
                    first.run(&[]) != one.run(&[])
                        && first.run(&MAY_DIFFER) == kind
                        && first.item.unit == one.item.unit
                        && quantities(first.item) == quantities(one.item)
                        && first.is_near(&one)
                };
                if let Some(first) = asked.iter().find(says_the_same) {
                    twice.push(format!("{} is what {} is", one.name, first.name));
                }
                asked.push(one);
            }
        }
    }
    assert_eq!(twice, Vec::<String>::new());
}

//! What the shipped studies repeat.

use std::collections::BTreeMap;

use crate::experiments::ItemPlan;
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

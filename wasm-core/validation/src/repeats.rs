//! Numbers that only say again what another of their study says.

use std::fmt;

use super::experiments::{EntryPlan, ItemPlan, StudyPlan};

/// A number of the board by its names: `own.hops UDP receiver: 9 to 10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repeats {
    entry: String,
    item: String,
}

impl Repeats {
    pub(super) fn of(text: &str) -> Option<Self> {
        let (entry, item) = text.split_once(' ')?;
        Some(Self {
            entry: entry.to_owned(),
            item: item.to_owned(),
        })
    }
}

impl fmt::Display for Repeats {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, {}", self.entry, self.item)
    }
}

impl StudyPlan {
    /// A number that another one repeats.
    pub(super) fn repeated(&self, by: &Repeats) -> Option<(&EntryPlan, &ItemPlan)> {
        let entry = self.entries.iter().find(|entry| entry.id == by.entry)?;
        let item = entry.items.iter().find(|item| item.name == by.item)?;
        Some((entry, item))
    }

    /// Whoever repeats a number names one that is there and is measured itself.
    pub(super) fn check_repeats(&self) -> Result<(), String> {
        let items = self.entries.iter().flat_map(|entry| &entry.items);
        for (item, by) in items.filter_map(|item| Some((item, item.repeats.as_ref()?))) {
            let repeated = self.repeated(by).map(|(_, item)| item);
            if !repeated.is_some_and(|it| it.repeats.is_none() && it.measure.is_some()) {
                let name = &item.name;
                return Err(format!("{name}: repeats {by}, which has no run of its own"));
            }
        }
        Ok(())
    }
}

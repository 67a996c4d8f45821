//! Numbers that only say again what others of their study say: one that is another's share, or the sum of several.

use std::fmt;

use serde::Deserialize;

use super::experiments::{EntryPlan, ItemPlan, StudyPlan};

/// How a study's file says it: the name of one number, or those of all that this one is the sum of.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum RepeatsFile {
    /// It says this number again.
    One(String),
    /// It is the sum of these.
    Sum(Vec<String>),
}

/// The numbers of the board that one repeats, by their names: `own.hops UDP receiver: 9 to 10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repeats(Vec<Name>);

/// A number of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    entry: String,
    item: String,
}

impl Repeats {
    /// Nothing if a name is not an entry and an item behind it, or a sum has fewer than two.
    pub(super) fn of(written: &RepeatsFile, fill: impl Fn(&str) -> String) -> Option<Self> {
        let names = match written {
            RepeatsFile::One(name) => std::slice::from_ref(name),
            RepeatsFile::Sum(names) => Some(names.as_slice()).filter(|all| all.len() > 1)?,
        };
        let name = |text: &String| {
            let text = fill(text);
            let (entry, item) = text.split_once(' ')?;
            Some(Name {
                entry: entry.to_owned(),
                item: item.to_owned(),
            })
        };
        names.iter().map(name).collect::<Option<_>>().map(Self)
    }

    fn is_sum(&self) -> bool {
        self.0.len() > 1
    }
}

impl fmt::Display for Repeats {
    /// `x.a, one again`, `the sum of x.a, one and x.a, two`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |one: &Name| format!("{}, {}", one.entry, one.item);
        match self.0.as_slice() {
            [one] => write!(formatter, "{} again", name(one)),
            all => {
                let names: Vec<_> = all.iter().map(name).collect();
                write!(formatter, "the sum of {}", names.join(" and "))
            }
        }
    }
}

impl StudyPlan {
    /// The numbers that one repeats; nothing in the place of a name that none has.
    pub(super) fn repeated<'a>(
        &'a self,
        by: &'a Repeats,
    ) -> impl Iterator<Item = Option<(&'a EntryPlan, &'a ItemPlan)>> {
        by.0.iter().map(|name| {
            let entry = self.entries.iter().find(|entry| entry.id == name.entry)?;
            let item = entry.items.iter().find(|item| item.name == name.item)?;
            Some((entry, item))
        })
    }

    /// Whoever repeats numbers names such as are there and are measured themselves. A share may repeat a sum.
    pub(super) fn check_repeats(&self) -> Result<(), String> {
        let items = self.entries.iter().flat_map(|entry| &entry.items);
        for (item, by) in items.filter_map(|item| Some((item, item.repeats.as_ref()?))) {
            let is_end = |other: &Repeats| other.is_sum() && !by.is_sum();
            let is_run = |other: &ItemPlan| {
                other.measure.is_some() && other.repeats.as_ref().is_none_or(is_end)
            };
            if !self
                .repeated(by)
                .all(|one| one.is_some_and(|(_, other)| is_run(other)))
            {
                let name = &item.name;
                return Err(format!(
                    "{name} is {by}, of which one has no run of its own"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

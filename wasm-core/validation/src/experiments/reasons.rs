//! What numbers of a study are missed for, each said once and named where it is meant.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{EntryFile, StudyFile};
use crate::counterfactual::Otherwise;

/// What numbers are missed for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    note: String,
    #[serde(default)]
    counterfactual: Option<Otherwise>,
}

/// Puts what a reason says into the items that name it. A reason that is not there, or that nothing names, is an
/// error.
pub(super) fn give_reasons(file: &mut StudyFile) -> Result<(), String> {
    let mut unread: BTreeSet<&String> = file.reasons.keys().collect();
    for entry in &mut file.entries {
        for name in &entry.tries {
            unread.remove(name);
        }
        for item in &mut entry.items {
            let Some(name) = &item.reason else {
                continue;
            };
            let within =
                |what: &str| format!("{}: {}: reason {name:?} {what}", file.name, entry.id);
            let reason = file.reasons.get(name);
            let reason = reason.ok_or_else(|| within("is not there"))?;
            if !item.note.is_empty() || item.counterfactual.is_some() {
                return Err(within("stands beside a note or a counterfactual"));
            }
            unread.remove(name);
            item.note.clone_from(&reason.note);
            item.counterfactual.clone_from(&reason.counterfactual);
        }
    }
    unread.first().map_or(Ok(()), |name| {
        Err(format!("{}: nothing has the reason {name:?}", file.name))
    })
}

/// The counterfactuals that each entry tries on all of its numbers, in the order of the entries.
pub(super) fn tried(file: &StudyFile) -> Result<Vec<Vec<Otherwise>>, String> {
    let of_entry = |entry: &EntryFile| {
        let otherwise = |name: &String| {
            let reason = file.reasons.get(name);
            let otherwise = reason.and_then(|reason| reason.counterfactual.clone());
            otherwise.ok_or_else(|| {
                format!(
                    "{}: {}: tries {name:?}, which is no reason with a counterfactual",
                    file.name, entry.id
                )
            })
        };
        entry.tries.iter().map(otherwise).collect()
    };
    file.entries.iter().map(of_entry).collect()
}

//! A profile in the format of folded stacks.

use std::fmt::Write as _;

use super::{Profile, Weight};

pub(super) fn text(profile: &Profile, weight: Weight) -> String {
    let mut text = String::new();
    for (stack, spent) in &profile.stacks {
        let weight = weight.of(stack, spent).round();
        if weight < 1.0 {
            continue;
        }
        let _ = write!(text, "CPU {};{}", stack.cpu.0, stack.context.name());
        for frame in &stack.within {
            let _ = write!(text, ";{}", safe(frame));
        }
        let _ = writeln!(text, " {weight:.0}");
    }
    text
}

/// A name of a file may hold what separates frames and lines.
fn safe(name: &str) -> String {
    let is_safe = |character: char| !character.is_control() && character != ';';
    name.chars()
        .map(|character| if is_safe(character) { character } else { '_' })
        .collect()
}

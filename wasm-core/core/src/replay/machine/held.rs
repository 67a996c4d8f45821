//! How many lines of one kind a cache holds, and in which state as far as that is told. Counted
//! by kind of object: which line it is, is not known.

use crate::kernel::LineState;

/// Lines of one kind in one cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// How many.
    pub lines: u32,
    /// Those of them whose state is told, by [`LineState`]; never more than all.
    pub of: [u32; LineState::ALL.len()],
}

impl Held {
    /// With more lines, in a state if one is told.
    pub const fn more(mut self, lines: u32, state: Option<LineState>) -> Self {
        let before = self.lines;
        self.lines = before.saturating_add(lines);
        if let Some(state) = state {
            self.of[state as usize] += self.lines - before;
        }
        self
    }

    /// Without some lines, of a state if one is told; more than there are take what there is.
    pub fn less(mut self, lines: u32, state: Option<LineState>) -> Self {
        self.lines = self.lines.saturating_sub(lines);
        if let Some(state) = state {
            let known = &mut self.of[state as usize];
            *known = known.saturating_sub(lines);
        }
        // Of lines that left without a state those of no state go first.
        for state in LineState::ALL.iter().rev() {
            let over = self.of.iter().sum::<u32>().saturating_sub(self.lines);
            let known = &mut self.of[*state as usize];
            *known = known.saturating_sub(over);
        }
        self
    }

    /// With some lines in another state.
    pub fn turned(mut self, lines: u32, from: LineState, to: LineState) -> Self {
        let turned = lines.min(self.of[from as usize]);
        self.of[from as usize] -= turned;
        self.of[to as usize] += turned;
        self
    }

    /// The lines in a state.
    pub const fn in_state(self, state: LineState) -> u32 {
        self.of[state as usize]
    }
}

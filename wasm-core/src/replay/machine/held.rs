//! How many lines of one kind a cache holds, and how many of them others hold, too. Counted by
//! kind of object: which line it is, is not known.

/// Lines of one kind in one cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// How many.
    pub lines: u32,
    /// Those of them that another cache has, too.
    pub shared: u32,
}

impl Held {
    /// With more lines, of which another cache has some, too.
    pub const fn more(self, lines: u32, shared: u32) -> Self {
        Self {
            lines: self.lines.saturating_add(lines),
            shared: self.shared.saturating_add(shared),
        }
    }

    /// Without some lines; those that others have, too, go first.
    pub const fn less(self, lines: u32) -> Self {
        let lines = self.lines.saturating_sub(lines);
        let gone = self.lines - lines;
        Self {
            lines,
            shared: self.shared.saturating_sub(gone),
        }
    }
}

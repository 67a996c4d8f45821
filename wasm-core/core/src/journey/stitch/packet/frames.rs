//! The link frames that a packet consists of: its own, and those of packets merged into it.

use crate::kernel::Nanos;

/// Link frames of a packet.
#[derive(Debug, Clone)]
pub struct Frames {
    /// Those that it held before anything was merged into it.
    own: u32,
    /// Those of the packets merged into it.
    took: u64,
    /// Those that it contributed to the packet it was merged into.
    gave: u32,
    /// When a packet was last merged into it; it still existed then.
    grew_at: Option<Nanos>,
}

impl Default for Frames {
    fn default() -> Self {
        Self {
            own: 1,
            took: 0,
            gave: 0,
            grew_at: None,
        }
    }
}

impl Frames {
    /// An event reports how many it held before anything was merged into it.
    pub const fn count_own(&mut self, own: u32) {
        self.own = own;
    }

    /// All that it holds.
    pub fn count(&self) -> u32 {
        let count = u64::from(self.own) + self.took;
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// It is merged into another packet. Returns how many frames that one takes.
    pub fn give(&mut self) -> u32 {
        self.gave = self.count();
        self.gave
    }

    /// It is not merged after all. Returns how many frames the other packet has to give back.
    pub const fn take_back(&mut self) -> u32 {
        std::mem::replace(&mut self.gave, 0)
    }

    /// A packet with so many frames is merged into it at this time.
    pub fn take(&mut self, frames: u32, at: Nanos) {
        self.took += u64::from(frames);
        self.grow(at);
    }

    /// A packet with so many frames was not merged into it after all.
    pub fn give_back(&mut self, frames: u32) {
        self.took -= u64::from(frames);
    }

    /// Something is merged into it at this time; it does not end before.
    pub fn grow(&mut self, at: Nanos) {
        self.grew_at = self.grew_at.max(Some(at));
    }

    /// When something was last merged into it.
    pub const fn grew_at(&self) -> Option<Nanos> {
        self.grew_at
    }
}

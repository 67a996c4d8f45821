//! How a packet's journey ends.

use crate::kernel::{Nanos, Verdict};

/// How a journey ends, as far as is known.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The verdict is inferred from other events; no event of the packet gives it.
    pub is_inferred: bool,
    /// It was delivered to its task by one of several calls, and nothing tells which.
    pub is_call_unknown: bool,
    /// No later event belongs to the packet.
    pub is_closed: bool,
    /// Set where something other than its last event ended it; may be later than that event.
    pub end: Option<Nanos>,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            verdict: Verdict::Open,
            is_inferred: false,
            is_call_unknown: false,
            is_closed: false,
            end: None,
        }
    }
}

impl Outcome {
    /// The journey ends so at this time; no later event belongs to the packet.
    pub const fn close(&mut self, verdict: Verdict, end: Nanos) {
        self.verdict = verdict;
        self.is_closed = true;
        self.end = Some(end);
    }

    /// The journey did not end after all.
    pub const fn reopen(&mut self) {
        self.verdict = Verdict::Open;
        self.is_closed = false;
        self.end = None;
    }

    /// Whether the journey goes on, as far as is known.
    pub fn is_open(&self) -> bool {
        self.verdict == Verdict::Open && !self.is_closed
    }

    /// Whether the packet was dropped.
    pub const fn is_dropped(&self) -> bool {
        matches!(self.verdict, Verdict::Dropped { .. })
    }

    /// Whether a process has read the packet.
    pub const fn is_delivered(&self) -> bool {
        matches!(self.verdict, Verdict::Delivered { .. })
    }
}

//! What the events of copies and frees report: how many bytes are copied, which function frees, and why. What
//! follows for a packet is in `read` and `free`.

use super::location::freeing_function;
use crate::kernel::{DropReason, Event, EventIdx, Field};
use crate::run::Run;

/// Bytes that the copy at this event takes; 0 if not reported.
pub fn copied_at(run: &Run, index: EventIdx, event: &Event) -> u32 {
    let count = run.field(index, Field::Count);
    count.or_else(|| event.known_len()).unwrap_or(0)
}

/// Whether the event names this function as the one that frees.
pub fn is_freed_in(run: &Run, index: EventIdx, function: &str) -> bool {
    freeing_function(run, index) == Some(function)
}

/// The drop reason of the event.
pub fn drop_reason(run: &Run, index: EventIdx) -> DropReason {
    run.field(index, Field::Reason)
        .and_then(|reason| DropReason::from_index(reason as u8))
        .unwrap_or(DropReason::NotSpecified)
}

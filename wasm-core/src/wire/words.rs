//! What is told of a capture of the link and of how it was fitted to a trace.

sayings! {
    unreadable_blocks = "wire.unreadable_blocks"(blocks: Count, at: Count);
    none_found = "wire.none_found"();
    host = "wire.host"(host: Name);
    by_order = "wire.by_order"(frames: Count);
    estimated_within = "wire.estimated_within"(most: Nanos);
    estimated = "wire.estimated"();
    estimated_from_sent = "wire.estimated_from_sent"();
    offset_too_small = "wire.offset_too_small"(least: Nanos);
    outside = "wire.outside"(frames: Count);
    /// `why` is what cannot be read of them, each with how many there are, in the words of their format.
    unread = "wire.unread"(frames: Count, why: Name);
    /// `what` is where the capture breaks off and why, in the words of its format.
    damaged = "wire.damaged"(what: Name);
    /// The same, of a capture that was opened with a trace.
    damaged_file = "wire.damaged_file"(file: Name, what: Name);
}

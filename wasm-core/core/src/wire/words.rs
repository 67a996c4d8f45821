//! What is told of a capture of the link and of how it was fitted to a trace.

sayings! {
    unreadable_blocks = "wire.unreadable_blocks"(blocks: Count, at: Count);
    no_frame = "wire.no_frame"();
    none_found = "wire.none_found"(frames: Count);
    /// Of so many frames from the recording's time.
    few_found = "wire.few_found"(found: Count, frames: Count);
    /// Nothing of the capture is in the run.
    left_out = "wire.left_out"();
    contradicts = "wire.contradicts"();
    host = "wire.host"(host: Name);
    by_order = "wire.by_order"(frames: Count);
    estimated_within = "wire.estimated_within"(most: Nanos);
    estimated = "wire.estimated"();
    estimated_from_sent = "wire.estimated_from_sent"();
    offset_too_small = "wire.offset_too_small"(least: Nanos);
    outside = "wire.outside"(frames: Count);
    doubled = "wire.doubled"(frames: Count);
    /// Of frames of several unknown link types the number is the first's.
    unread_link_type = "wire.unread_link_type"(frames: Count, link_type: Name);
    unread_short = "wire.unread_short"(frames: Count);
    unread_interface = "wire.unread_interface"(frames: Count);
    unread_cut = "wire.unread_cut"(frames: Count);
    unread_block = "wire.unread_block"(frames: Count);
    unread_no_time = "wire.unread_no_time"(frames: Count);
    unread_obsolete = "wire.unread_obsolete"(frames: Count);
    ends_within = "wire.ends_within"(file: Name, at: Count, kept: Count);
    states_bytes = "wire.states_bytes"(file: Name, at: Count, bytes: Count, kept: Count);
    broken_header = "wire.broken_header"(file: Name, at: Count, kept: Count);
}

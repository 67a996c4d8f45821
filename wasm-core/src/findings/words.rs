//! What findings say: a title and a detail for each kind.

sayings! {
    /// How long the packet waited that waited longest at one place.
    longest_wait = "finding.longest_wait"(wait: Nanos, station: Station);
}

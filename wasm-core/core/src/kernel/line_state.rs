//! The states of a cache line that a cache holds: MESI without the I, as a line that is
//! invalid is not there (Intel SDM volume 3A, "Cache Control Protocol").

vocabulary! {
    /// The state in which a cache holds a line.
    pub enum LineState {
        /// Changed here: no other cache has it, and memory has an old value.
        Modified = "modified",
        /// Here only, and as it is in memory.
        Exclusive = "exclusive",
        /// Other caches may have it, too; all have what memory has.
        Shared = "shared",
    }
}

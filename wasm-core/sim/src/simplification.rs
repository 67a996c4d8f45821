//! What a simplification of Linux is, for the lists that each mechanism keeps of its own.

/// One difference between Linux (or a real machine) and the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simplification {
    /// What it is about.
    pub about: &'static str,
    /// What Linux or the hardware does.
    pub linux: &'static str,
    /// What we do.
    pub here: &'static str,
    /// What a learner would see differently.
    pub seen: &'static str,
}

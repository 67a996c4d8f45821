//! Spin locks as data: which there are, who holds one, who waits. What they do is in
//! [`crate::sim::engine::locks`].

use std::collections::VecDeque;

use crate::sim::time::SimTime;

/// A CPU that spins.
#[derive(Debug, Clone, Copy)]
pub struct Spin {
    /// Which lock.
    pub lock: LockId,
    /// Since when, or since the interrupt that came meanwhile was over; NEVER during one.
    pub since: SimTime,
    /// Until when its time is counted: an interrupt's time is not spun.
    pub counted: SimTime,
}

/// A lock: one of the host's by index, or a socket's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockId {
    /// Of a host, by index into its names.
    Host(u8, u8),
    /// A socket's spin lock.
    Socket(u32),
}

/// A spin lock.
#[derive(Debug, Clone, Default)]
pub struct Lock {
    /// The CPU that holds it, among those of all hosts.
    pub holder: Option<u16>,
    /// How often the holder has taken it.
    pub depth: u32,
    /// CPUs that wait, in the order in which they came.
    pub waiting: VecDeque<u16>,
    /// Whether somebody waited during this hold.
    pub is_contended: bool,
}

//! A datagram in a datagram socket's receive queue.

use crate::kernel::{EventIdx, PacketId};

/// A datagram that waits to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram {
    pub packet: PacketId,
    /// Its payload in bytes.
    pub bytes: u32,
    /// Hash of its flow, chosen by the sender's socket; 0 where unknown.
    pub hash: u32,
    /// The event at which the first socket got a clone, if several sockets have one each.
    pub share: Option<EventIdx>,
    /// The event that queued it; earlier datagrams are read first.
    pub ready: EventIdx,
    /// Several tasks may have read it, and no event shows which did.
    pub is_doubtful: bool,
}

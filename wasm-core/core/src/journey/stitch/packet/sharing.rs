//! A packet that several sockets have, each its own clone, or a packet socket beside the protocols.

use crate::kernel::EventIdx;

/// What sockets share a packet.
#[derive(Debug, Clone, Default)]
pub struct Sharing {
    /// The event that queued its first clone, if several sockets have it.
    pub cloned_at: Option<EventIdx>,
    /// The event that put a packet socket's clone of it into that socket's queue, if one is there.
    pub tapped_at: Option<EventIdx>,
    /// The event since which its original `sk_buff` belongs to a packet socket; the packet itself continues as a
    /// clone.
    pub clone_since: Option<EventIdx>,
}

impl Sharing {
    /// Whether a packet socket has, or had, its share.
    pub fn is_with_packet_socket(&self) -> bool {
        self.tapped_at.or(self.clone_since).is_some()
    }

    /// The packet continues as a clone at an address of its own; the packet socket's share is of no concern to it.
    pub const fn part(&mut self) {
        (self.tapped_at, self.clone_since) = (None, None);
    }
}

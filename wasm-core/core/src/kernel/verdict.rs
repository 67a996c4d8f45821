//! How a journey ends.

use super::{DropReason, EventIdx, PacketId, Pid};

vocabulary! {
    /// The kinds of end, as counted in summaries.
    pub enum VerdictKind {
        /// A process read it.
        Delivered = "delivered",
        /// It went on inside another packet (GRO, reassembly).
        Merged = "merged",
        /// The kernel or the NIC threw it away.
        Dropped = "dropped",
        /// The NIC has it.
        Transmitted = "transmitted",
        /// The stack used it up itself: an ACK, a handshake segment, a datagram cut into fragments.
        Consumed = "consumed",
        /// The recording does not show its end.
        Open = "open",
    }
}

/// How one journey ended, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Read by `pid`; `read` is the event that ended the read that took its last byte.
    Delivered {
        /// The reading thread.
        pid: Pid,
        /// The event at which the read returned.
        read: EventIdx,
    },
    /// Its data travel on inside `into`.
    Merged {
        /// The packet that took it in.
        into: PacketId,
    },
    /// Dropped, for the reason the kernel gave.
    Dropped {
        /// The kernel's reason.
        reason: DropReason,
    },
    /// Handed to the NIC, or to another device behind which no event tells of it, as a tunnel's (or, on loopback and veth,
    /// received again under this address).
    Transmitted,
    /// Used up by the stack.
    Consumed,
    /// No event of the recording ends it.
    Open,
}

impl Verdict {
    /// The kind that summaries count.
    pub const fn kind(self) -> VerdictKind {
        match self {
            Self::Delivered { .. } => VerdictKind::Delivered,
            Self::Merged { .. } => VerdictKind::Merged,
            Self::Dropped { .. } => VerdictKind::Dropped,
            Self::Transmitted => VerdictKind::Transmitted,
            Self::Consumed => VerdictKind::Consumed,
            Self::Open => VerdictKind::Open,
        }
    }
}

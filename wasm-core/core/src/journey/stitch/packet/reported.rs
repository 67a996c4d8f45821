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

/// What the driver's transmit function said of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rc {
    /// It has the packet; so also where the queue below is congested (`NET_XMIT_CN`).
    Taken,
    /// It has freed the packet: an error, or no room in the queue of the device below (`NET_XMIT_DROP`).
    Lost,
    /// It has not taken the packet, which stays the core's (`NETDEV_TX_BUSY`).
    Busy,
}

impl Rc {
    /// What `net_dev_xmit` reports (`include/linux/netdevice.h: dev_xmit_complete`, v6.18); a packet is taken where that
    /// says nothing.
    pub fn at(run: &Run, index: EventIdx) -> Self {
        const NET_XMIT_DROP: i32 = 1;
        const NET_XMIT_MASK: i32 = 0x0f;
        match run.field(index, Field::Rc).map_or(0, u32::cast_signed) {
            NET_XMIT_MASK.. => Self::Busy,
            NET_XMIT_DROP | ..=-1 => Self::Lost,
            _ => Self::Taken,
        }
    }
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

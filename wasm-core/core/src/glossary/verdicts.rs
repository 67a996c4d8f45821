//! What each kind of end of a journey means.
//!
//! The kinds are ours ([`VerdictKind`]); each entry names the kernel function that
//! typically brings the end about, read in v6.12.

use super::Entry;
use crate::kernel::VerdictKind;

/// The entry of a verdict.
pub const fn verdict(kind: VerdictKind) -> Entry {
    explain!(kind, VerdictKind {
        Delivered: "A process has read the packet's data: the journey ended where it was meant to.",
            "net/core/datagram.c: skb_copy_datagram_iter";
        Merged: "The packet's data went on inside another packet: GRO joined segments, or IP put fragments back together.",
            "net/core/gro.c: skb_gro_receive";
        Dropped: "The NIC or the kernel threw the packet away; the reason says why and the event says where.",
            "net/core/skbuff.c: sk_skb_reason_drop";
        Transmitted: "The packet was handed to the network device for sending; the rest of its way is outside this host.",
            "net/core/dev.c: dev_hard_start_xmit";
        Consumed: "The stack itself was the receiver: an ACK or a handshake segment did its work and was freed.",
            "net/core/skbuff.c: consume_skb";
        Open: "The recording does not show how the packet ended; it may have ended where the kernel has no probe.";
    })
}

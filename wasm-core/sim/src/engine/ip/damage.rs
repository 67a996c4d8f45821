//! Frames that were damaged behind the check of the link: the checksum of TCP or UDP finds them.
//!
//! A NIC that sums says nothing of a sum that is wrong (`CHECKSUM_NONE`), so the kernel sums itself.
//! Source: `net/ipv4/tcp_input.c: tcp_rcv_established` and `net/ipv4/tcp_ipv4.c: tcp_add_backlog`
//! (`tcp_checksum_complete`), `net/ipv4/udp.c: udp_recvmsg` (`csum_copy_err`) (v2.6.9 and v6.1).
//!
//! Simplified here: the payload alone is damaged, never a header; and where UDP leaves the sum to the reader
//! it does so for datagrams of any size (v6.1 sums those of at most 76 bytes at once). A learner sees the
//! same drops, and a reader that is woken for a datagram that it never gets.

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::SkbId;
use ringside::kernel::DropReason;

/// The sum over a damaged packet, and its end.
pub fn find_damage(core: &mut Core, cpu: usize, skb: SkbId) {
    let about = About::skb(skb).counting(core.skbs[skb].len());
    let ops = [
        Op::run(Path::Checksum, about),
        Op::DropDamaged {
            skb,
            is_read: false,
        },
    ];
    core.then(cpu, ops);
}

/// A packet whose checksum is wrong is dropped, by its protocol or in a reader's call.
pub fn drop_damaged(core: &mut Core, cpu: usize, skb: SkbId, is_read: bool) {
    if !core.skbs[skb].frame.is_udp {
        core.drop_skb(cpu, skb, DropReason::TcpCsum, |place| &place.tcp_checksum);
    } else if is_read {
        core.drop_skb(cpu, skb, DropReason::UdpCsum, |place| {
            &place.udp_checksum_read
        });
    } else {
        core.drop_skb(cpu, skb, DropReason::UdpCsum, |place| &place.udp_checksum);
    }
}

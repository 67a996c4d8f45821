//! Frames that were damaged after the link's check (FCS): the checksum of TCP or UDP detects them.
//!
//! A NIC does not vouch for a wrong checksum (`CHECKSUM_NONE`), so the kernel computes it.
//! Source: `net/ipv4/tcp_input.c: tcp_rcv_established` and `net/ipv4/tcp_ipv4.c: tcp_add_backlog`
//! (`tcp_checksum_complete`), `net/ipv4/udp.c: udp_recvmsg` (`csum_copy_err`) (v2.6.9 and v6.1).
//!
//! Simplified ("checksums and damage"): only the payload is damaged, never a header; and where UDP leaves the
//! checksum to the reader, it does so for datagrams of any size (v6.1 checks those of at most 76 bytes at once). A
//! learner sees the same drops, and a reader that is woken for a datagram that it never gets.

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::SkbId;
use ringside::kernel::DropReason;

/// Computes the checksum of a damaged packet, then drops it.
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

/// Drops a packet whose checksum is wrong, in its protocol or in a reader's call (`is_read`).
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

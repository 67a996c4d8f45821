//! The backlog of a socket that a process owns: segments wait in it until the process lets go. One
//! that continues the last joins it, so that TCP takes them as one and acknowledges them once.
//!
//! Source: `net/ipv4/tcp_ipv4.c: tcp_add_backlog` (v6.1), which joins since v5.0.

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{SkbId, SockId};
use crate::engine::memory::skbuff::SkBuff;
use crate::engine::net::Net;
use crate::tcp::{Flags, Segment};

impl Net {
    /// A segment waits for the owner of its socket, by itself or as a part of the one that waits last.
    pub fn add_to_backlog(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let coalescing = self.stack_of(core, cpu).tcp.parameters.coalescing;
        let about = About::both(skb, sock);
        core.push(cpu, Op::run(Path::BacklogAdd, about));
        let last = self.sockets[sock].backlog.back();
        if let Some((coalescing, &last)) = coalescing.zip(last) {
            let (before, packet) = (&core.skbs[last], &core.skbs[skb]);
            let fragments = before.fragments_with(packet, coalescing.page_bytes);
            if continues(&before.frame.segment, &packet.frame.segment)
                && !self.is_shared(before)
                && fragments <= coalescing.max_fragments
            {
                core.merge(last, skb);
                core.skbs[last].fragments = Some(fragments);
                core.host_of_mut(cpu).totals.tcp.backlog_coalesce += 1;
                core.push(cpu, Op::run(Path::TcpCoalesce, about));
                return;
            }
        }
        self.sockets[sock].backlog.push_back(skb);
    }

    /// Whether its sender still has a packet's data, so that nothing may be added to them: a segment that went
    /// down whole and is not acknowledged.
    pub(super) fn is_shared(&self, packet: &SkBuff) -> bool {
        let sender = packet.frame.from.filter(|_| packet.is_cloned);
        sender.is_some_and(|sender| self.sockets[sender].tcb.snd_una() < packet.frame.segment.end())
    }
}

/// Whether a segment joins the one before it: it begins where that one ends, and what their options
/// and they say of congestion is the same.
fn continues(before: &Segment, segment: &Segment) -> bool {
    let flags = before.flags | segment.flags;
    before.end() == segment.seq
        && !flags.has_any(Flags::SYN | Flags::RST)
        && before.flags.contains(Flags::ACK)
        && segment.flags.contains(Flags::ACK)
        && before.has_options_of(segment)
        && before.has_ecn_of(segment, Flags::ECE | Flags::CWR)
        && before.ack <= segment.ack
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(seq: u64, len: u32) -> Segment {
        Segment {
            seq,
            len,
            flags: Flags::ACK,
            ..Segment::default()
        }
    }

    #[test]
    fn a_segment_joins_the_one_that_it_continues() {
        let first = segment(1, 1000);
        assert!(continues(&first, &segment(1001, 500)));
        assert!(!continues(&first, &segment(1002, 500)), "a hole");
        assert!(continues(&segment(1, 0), &segment(1, 0)), "pure ACKs too");
        let later = Segment {
            sent_at: 7,
            ..segment(1001, 500)
        };
        assert!(!continues(&first, &later), "another timestamp");
        let reduced = Segment {
            flags: Flags::ACK | Flags::CWR,
            ..segment(1001, 500)
        };
        assert!(!continues(&first, &reduced), "another flag of ECN");
        let reset = Segment {
            flags: Flags::ACK | Flags::RST,
            ..segment(1001, 0)
        };
        assert!(!continues(&first, &reset));
    }

    #[test]
    fn segments_join_in_a_backlog_until_the_first_has_all_fragments_or_is_its_senders() {
        use crate::engine::ids::{Device, Id as _, NicId};
        use crate::engine::memory::skbuff::Frame;
        use crate::engine::setup::testing::{World, sock};
        let waiting = |kernel, is_cloned, max_fragments: u16| {
            let mut engine = World {
                kernel,
                ..World::default()
            }
            .at_rest();
            let (core, net) = (&mut engine.core, &mut engine.net);
            if let Some(coalescing) = &mut net.stacks[0].tcp.parameters.coalescing {
                coalescing.max_fragments = max_fragments;
            }
            for number in 0..4 {
                let frame = Frame {
                    segment: segment(1 + number * 1000, 1000),
                    from: Some(sock(0)),
                    ..Frame::default()
                };
                let packet = SkBuff {
                    is_cloned,
                    ..SkBuff::of(frame, Device::Nic(NicId::from_index(0)))
                };
                let skb = core.alloc_skb(0, packet);
                net.add_to_backlog(core, 0, skb, sock(1));
            }
            let backlog = net.sockets[sock(1)].backlog.iter();
            backlog.map(|&skb| core.skbs[skb].len()).collect::<Vec<_>>()
        };
        assert_eq!(waiting("6.1", false, 9), [4000]);
        assert_eq!(waiting("6.1", false, 2), [3000, 1000], "a head and two");
        assert_eq!(waiting("6.1", true, 9), [1000; 4], "not acknowledged");
        assert_eq!(waiting("2.6.3", false, 9), [1000; 4], "it joins none");
    }
}

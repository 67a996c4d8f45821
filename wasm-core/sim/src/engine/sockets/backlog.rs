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
    /// A segment waits for the owner of its socket.
    pub fn add_to_backlog(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        let coalescing = self.stacks[core.cpus[cpu].host].segments.coalescing;
        let about = About::both(skb, sock);
        core.push(cpu, Op::run(Path::BacklogAdd, about));
        let last = self.sockets[sock].backlog.back();
        if let Some((coalescing, &last)) = coalescing.zip(last) {
            let (last, packet) = (&core.skbs[last], &core.skbs[skb]);
            if continues(&last.frame.segment, &packet.frame.segment)
                && !self.is_shared(last)
                && let Some(joined) = packet.joins(last, coalescing)
            {
                core.skbs[skb].joined = joined;
                core.host_of_mut(cpu).totals.tcp.backlog_coalesce += 1;
                core.push(cpu, Op::run(Path::TcpCoalesce, about));
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

    /// The segment that TCP sees when a packet is processed, and the packets behind it in the backlog
    /// that have joined it.
    pub(super) fn with_joined(
        &mut self,
        core: &mut Core,
        cpu: usize,
        skb: SkbId,
        sock: SockId,
    ) -> (Segment, Vec<SkbId>) {
        let mut segment = core.skbs[skb].frame.segment;
        let backlog = &mut self.sockets[sock].backlog;
        let mut others = Vec::new();
        while let Some(next) = backlog.pop_front_if(|next| core.skbs[*next].joined > 0) {
            let further = &core.skbs[next].frame.segment;
            segment.len += further.len;
            segment.flags = segment.flags | further.flags;
            (segment.ack, segment.window) = (further.ack, further.window);
            others.push(next);
        }
        let coalescing = self.stacks[core.cpus[cpu].host].segments.coalescing;
        if let Some((coalescing, &last)) = coalescing.zip(others.last()) {
            let all = core.skbs[last].joined;
            let first = &mut core.skbs[skb];
            first.behind = all.saturating_sub(first.fragments(coalescing.page_bytes));
        }
        (segment, others)
    }
}

/// Whether a segment joins the one before it: it begins where that one ends, and what their options
/// say is the same.
fn continues(before: &Segment, segment: &Segment) -> bool {
    let flags = before.flags | segment.flags;
    before.end() == segment.seq
        && !flags.has_any(Flags::SYN | Flags::RST)
        && before.flags.contains(Flags::ACK)
        && segment.flags.contains(Flags::ACK)
        && (before.sent_at, before.echoed) == (segment.sent_at, segment.echoed)
        && before.sack == segment.sack
        && before.ack <= segment.ack
}

/// Packets that TCP took as one segment go into their socket's queue, each with what of it is new; one of which
/// nothing is goes.
pub(super) fn queue_row(
    core: &Core,
    row: Vec<SkbId>,
    sock: SockId,
    from: u64,
    in_order: u32,
) -> Vec<Op> {
    let segments: Vec<Segment> = row
        .iter()
        .map(|&skb| core.skbs[skb].frame.segment)
        .collect();
    let shares = shares(&segments, from, in_order);
    let ops = row.into_iter().zip(shares).map(|(skb, share)| {
        if share == 0 && in_order > 0 {
            return Op::Free { skb };
        }
        Op::Queue {
            skb,
            sock,
            in_order: share,
        }
    });
    ops.collect()
}

/// What of each of some segments in a row is new, where TCP took so many bytes in order from a
/// sequence number on: of the last one all that is left, with what had waited behind it.
fn shares(segments: &[Segment], from: u64, in_order: u32) -> Vec<u32> {
    let end = from + u64::from(in_order);
    let mut left = in_order;
    let mut shares: Vec<u32> = segments
        .iter()
        .map(|segment| {
            let last = (segment.seq + u64::from(segment.len)).min(end);
            let share = last.saturating_sub(segment.seq.max(from)) as u32;
            left -= share;
            share
        })
        .collect();
    if let Some(last) = shares.last_mut() {
        *last += left;
    }
    shares
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
        let reset = Segment {
            flags: Flags::ACK | Flags::RST,
            ..segment(1001, 0)
        };
        assert!(!continues(&first, &reset));
    }

    #[test]
    fn what_is_new_is_shared_out_in_order() {
        let row = [segment(1, 100), segment(101, 100), segment(201, 50)];
        assert_eq!(shares(&row, 1, 250), [100, 100, 50]);
        assert_eq!(shares(&row, 151, 100), [0, 50, 50], "a part came before");
        assert_eq!(shares(&row, 1, 400), [100, 100, 200], "150 had waited");
        assert_eq!(shares(&row, 1, 120), [100, 20, 0], "beyond the window");
    }
}

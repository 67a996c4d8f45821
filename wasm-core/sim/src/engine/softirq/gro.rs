//! Between driver and IP: GRO merges segments, and packets go up in lists.
//!
//! Simplified ("GRO's buckets"): it holds a packet of any number of flows.
//!
//! Source: `net/core/gro.c: dev_gro_receive, gro_normal_list`, `net/ipv4/tcp_offload.c: tcp4_gro_receive` (v6.1).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::SkbId;
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::net::Net;
use crate::tcp::Flags;
use ringside::kernel::{Field, Probe};

/// Whether a frame may be held for others, or merged: one whose sum is wrong is not
/// (`skb_gro_checksum_validate`).
fn is_mergeable(frame: &Frame) -> bool {
    let is_sound = !frame.is_udp && !frame.is_damaged;
    is_sound && frame.segment.len > 0 && !frame.segment.flags.is_special()
}

/// Whether a frame continues what is held, within the most payload in bytes that GRO puts together: its payload is next and
/// no longer than that of the first, and it acknowledges the same, offers the same window, has the same options and says
/// the same of congestion (`tcp_gro_receive`, `inet_gro_receive`).
fn continues(held: &SkBuff, frame: &Frame, most: u32) -> bool {
    let (before, segment) = (held.frame.segment, frame.segment);
    is_mergeable(frame)
        && before.seq + u64::from(before.len) == segment.seq
        && segment.len <= segment_bytes(held)
        && before.len + segment.len <= most
        && before.ack == segment.ack
        && before.window == segment.window
        && before.has_options_of(&segment)
        && before.has_ecn_of(&segment, Flags::ECE)
        && !segment.flags.contains(Flags::CWR)
}

/// Payload of each frame in a packet that is held: a shorter one would have ended it (`gso_size`).
fn segment_bytes(held: &SkBuff) -> u32 {
    held.frame.segment.len / held.frames
}

impl Net {
    /// `napi_gro_receive`: runs the steps that examine the
    /// packet, for TCP also `tcp_gro_receive`, then decides.
    pub fn gro(core: &mut Core, cpu: usize, skb: SkbId) {
        let about = About::skb(skb);
        let is_tcp = !core.skbs[skb].frame.is_udp;
        let look = Op::run(Path::GroReceive, about);
        let as_tcp = is_tcp.then_some(Op::run(Path::TcpGroReceive, about));
        let ops = [Some(look), as_tcp, Some(Op::GroJoin { skb })];
        core.then(cpu, ops.into_iter().flatten());
    }

    /// `dev_gro_receive`: joins the packet of the same flow that is held, or is held itself.
    pub fn gro_join(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let frame = core.skbs[skb].frame;
        let stack = self.stack_of(core, cpu);
        let most = stack
            .receive
            .gro_bytes
            .saturating_sub(1 + stack.header_bytes);
        let held = &mut self.softnet[cpu].gro;
        let is_pushed = frame.segment.flags.contains(Flags::PSH);
        let same_flow = |&held: &SkbId| core.skbs[held].frame.to == frame.to;
        let Some(place) = held.iter().position(same_flow) else {
            if is_mergeable(&frame) && !is_pushed {
                held.push(skb);
            } else {
                core.push(cpu, Op::GroNormal { skb });
            }
            return;
        };
        let first = held[place];
        if !continues(&core.skbs[first], &frame, most) {
            // The held packet goes up first, to keep the order of the flow.
            held.remove(place);
            core.then(cpu, [Op::GroNormal { skb: first }, Op::GroJoin { skb }]);
            return;
        }
        let is_last = is_pushed || frame.segment.len < segment_bytes(&core.skbs[first]);
        if is_last {
            held.remove(place);
        }
        if core.emit(cpu, Probe::SkbGroReceive, About::skb(skb)) {
            let into = core.skbs[first].address;
            core.field(Field::Into, into.0);
        }
        core.merge(first, skb);
        if is_last {
            core.push(cpu, Op::GroNormal { skb: first });
        }
    }

    /// What GRO holds goes up when the poll is over, whether the device has more or not (`napi_gro_flush`; a kernel of
    /// 1000 Hz would keep what is younger than a tick).
    pub fn flush_gro_if_any(&self, core: &mut Core, cpu: usize) {
        if !self.softnet[cpu].gro.is_empty() {
            core.push(cpu, Op::GroFlush);
        }
    }

    /// Hands up the packets that GRO holds, the oldest first.
    pub fn gro_flush(&mut self, core: &mut Core, cpu: usize) {
        let held = self.softnet[cpu].gro.drain(..);
        core.then(cpu, held.map(|skb| Op::GroNormal { skb }));
    }

    /// `gro_normal_one`: the packet goes up, at once or with others of the same poll, until their segments are enough
    /// (`rx_count`).
    pub fn normal(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let together = self.stack_of(core, cpu).receive.list_packets;
        if together <= 1 {
            self.net_receive(core, cpu, skb);
            return;
        }
        let list = &mut self.softnet[cpu].rx_list;
        list.push(skb);
        let segments: u32 = list.iter().map(|&skb| core.skbs[skb].frames).sum();
        if segments >= together {
            self.list_flush(core, cpu);
        }
    }

    /// Hands up what is on `rx_list`, if anything is (`gro_normal_list`).
    pub fn flush_list_if_any(&self, core: &mut Core, cpu: usize) {
        if !self.softnet[cpu].rx_list.is_empty() {
            core.push(cpu, Op::ListFlush);
        }
    }

    /// `netif_receive_skb_list`: each layer takes all packets before the next one does.
    pub fn list_flush(&mut self, core: &mut Core, cpu: usize) {
        let mut list = std::mem::take(&mut self.softnet[cpu].rx_list);
        let mut steered = Vec::new();
        list.retain(|&skb| match self.steered_to(core, cpu, skb) {
            Some(target) => {
                let target = target as u16;
                steered.push(Op::Steer { skb, target });
                false
            }
            None => true,
        });
        let each = |path| {
            let skbs = list.iter();
            skbs.map(move |&skb| Op::run(path, About::skb(skb)))
        };
        let hook = list.iter().map(|&skb| Op::PreRouting { skb });
        let ops = steered
            .into_iter()
            .chain(each(Path::NetifReceive))
            .chain(each(Path::IpReceive))
            .chain(hook)
            .chain([Op::RcvFinish]);
        core.then(cpu, ops);
        list.clear();
        self.softnet[cpu].rx_list = list;
    }

    /// `netif_receive_skb`: up here, or steered to another CPU first.
    pub fn net_receive(&self, core: &mut Core, cpu: usize, skb: SkbId) {
        if let Some(target) = self.steered_to(core, cpu, skb) {
            let target = target as u16;
            core.push(cpu, Op::Steer { skb, target });
            return;
        }
        let about = About::skb(skb);
        let was_steered = core.skbs[skb].is_steered;
        let ops = [
            Some(Op::run(Path::NetifReceive, about)),
            Some(Op::run(Path::IpReceive, about)),
            Some(Op::PreRouting { skb }),
            Some(Op::RcvFinish),
            was_steered.then_some(Op::InputQueueHead),
        ];
        core.then(cpu, ops.into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use crate::ecn::Ecn;
    use crate::engine::ids::{Device, Id as _, NicId, QueueId};
    use crate::engine::setup::testing::{ops, received};
    use crate::engine::softnet::Poll;
    use crate::tcp::Segment;

    use super::*;

    fn frame(seq: u64, len: u32) -> Frame {
        let segment = Segment {
            seq,
            len,
            ack: 7,
            ..Segment::default()
        };
        Frame {
            segment,
            ..Frame::default()
        }
    }

    #[test]
    fn segments_merge_while_they_follow_each_other_and_fit() {
        let mut held = SkBuff::of(frame(1, 1448), Device::Loopback);
        let next = frame(1449, 1448);
        assert!(continues(&held, &next, 65_535));
        held.take_in(&SkBuff::of(next, Device::Loopback));
        assert_eq!((held.len(), held.unread, held.frames), (2896, 2896, 2));
        let goes_on = |frame: &Frame| continues(&held, frame, 65_535);
        assert!(goes_on(&frame(2897, 1448)) && goes_on(&frame(2897, 100)));
        assert!(!goes_on(&frame(4345, 1448)), "a hole");
        assert!(!goes_on(&frame(2897, 1449)), "longer than the first");
        assert!(!goes_on(&frame(2897, 0)), "no data");
        assert!(!continues(&held, &frame(2897, 1448), 4000), "too large");
    }

    #[test]
    fn what_gro_holds_goes_up_when_the_poll_is_over() {
        let (mut engine, skb) = received(frame(1, 1448));
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.softnet[0].gro.push(skb);
        net.softnet[0]
            .polls
            .push_back(Poll::Queue(QueueId::from_index(0)));
        net.begin_round(core, 0, 0);
        net.softnet[0].round.work = 1;
        net.softnet[0].taken = net.stacks[0].nics[NicId::from_index(0)].driver.weight;
        net.softirq_next(core, 0);
        let first = ops(core, 0);
        assert_eq!(first.first(), Some(&Op::GroFlush), "{first:?}");
    }

    #[test]
    fn a_list_is_full_when_its_packets_have_so_many_segments() {
        for (frames, waiting) in [
            ([1; 8], [1, 2, 3, 4, 5, 6, 7, 0]),
            ([3; 8], [1, 2, 0, 1, 2, 0, 1, 2]),
        ] {
            let (mut engine, skb) = received(frame(1, 1448));
            let (core, net) = (&mut engine.core, &mut engine.net);
            let packet = core.skbs[skb].frame;
            let lists = frames.map(|frames| {
                let skb = SkBuff {
                    frames,
                    ..SkBuff::of(packet, Device::Loopback)
                };
                let skb = core.alloc_skb(0, skb);
                net.normal(core, 0, skb);
                net.softnet[0].rx_list.len()
            });
            assert_eq!(lists, waiting, "of {} segments each", frames[0]);
        }
    }

    #[test]
    fn a_merged_packet_with_its_headers_stays_below_the_largest_size() {
        for (more, merged) in [(0, 1), (1, 2)] {
            let (mut engine, first) = received(frame(1, 1448));
            let (core, net) = (&mut engine.core, &mut engine.net);
            net.stacks[0].receive.gro_bytes = 2 * 1448 + 52 + more;
            net.gro_join(core, 0, first);
            let following = Frame {
                to: core.skbs[first].frame.to,
                ..frame(1449, 1448)
            };
            let second = core.alloc_skb(0, SkBuff::of(following, Device::Loopback));
            net.gro_join(core, 0, second);
            assert_eq!(core.skbs[first].frames, merged, "{more}");
        }
    }

    #[test]
    fn segments_that_say_something_else_do_not_merge() {
        let held = SkBuff::of(frame(1, 1448), Device::Loopback);
        let with = |change: fn(&mut Segment)| {
            let mut next = frame(1449, 1448);
            change(&mut next.segment);
            continues(&held, &next, 65_535)
        };
        assert!(with(|_| {}));
        assert!(!with(|segment| segment.ack += 1));
        assert!(!with(|segment| segment.window += 1));
        assert!(!with(|segment| segment.sent_at += 1));
        assert!(!with(|segment| segment.echoed += 1));
        assert!(!with(|segment| segment.sack.push(1, 2)));
        assert!(!with(|segment| segment.ecn = Ecn::Ce));
        assert!(!with(|segment| segment.flags = Flags::ECE));
        assert!(!with(|segment| segment.flags = Flags::CWR));
    }
}

//! Properties of any run at all, sensible or not.

use proptest::prelude::*;

use super::*;
use crate::journey::service::work;
use crate::kernel::{AddrId, Context, CpuId, Event, Field, Pid, Probe, Verdict};

/// Any sequence of events on two CPUs over a few addresses, tasks and sockets.
pub(crate) fn any_run() -> impl Strategy<Value = Run> {
    let probe = prop::sample::select(Probe::ALL);
    let context = prop::sample::select(Context::ALL);
    let fields = prop::collection::vec((prop::sample::select(NUMBERS), 0u32..4), 0..4);
    let event = (
        0u64..30,
        0u16..3,
        probe,
        context,
        0u32..4,
        0u32..5,
        0u32..3,
        fields,
    );
    prop::collection::vec(event, 0..80).prop_map(|events| {
        let mut builder = RunBuilder::new(Origin::Recorded);
        for address in 1..=8 {
            builder.address(0xffff_8880_0000_0000 + address);
        }
        for state in ["R", "S", "eth0", "(no_device)"] {
            builder.name(state);
        }
        let mut now = 1000;
        for (gap, cpu, probe, context, pid, skb, sk, fields) in events {
            now += gap;
            builder.push(Event {
                cpu: if cpu == 2 { CpuId::UNKNOWN } else { CpuId(cpu) },
                context,
                pid: Pid(pid),
                skb: if skb == 0 { AddrId::NONE } else { AddrId(skb) },
                sk: if sk == 0 {
                    AddrId::NONE
                } else {
                    AddrId(5 + sk)
                },
                len: 100,
                ..Event::new(Nanos(now), probe)
            });
            for (field, value) in fields {
                builder.field(field, value);
            }
        }
        builder.finish()
    })
}

const NUMBERS: &[Field] = &[
    Field::PrevPid,
    Field::NextPid,
    Field::PrevState,
    Field::TargetPid,
    Field::TargetCpu,
    Field::DestCpu,
    Field::Dev,
    Field::Into,
    Field::Ret,
    Field::Vec,
    Field::Irq,
    Field::Work,
    Field::Rmem,
    Field::Thread,
    Field::Packet,
    Field::Frames,
    Field::IpId,
    Field::Depth,
    Field::Limit,
    Field::Backlog,
    Field::Lines,
    Field::FromCpu,
    Field::Cycles,
    Field::Object,
    Field::Name,
    Field::Clone,
    Field::Lock,
    Field::Waited,
    Field::Slice,
    Field::Cost,
    Field::Deadline,
    Field::Lag,
    Field::Oldstate,
    Field::Newstate,
    Field::SeqNo,
    Field::AckNo,
    Field::Window,
    Field::WindowScale,
    Field::TcpFlags,
    Field::SackFrom,
    Field::SackTo,
    Field::Proto,
    Field::Sport,
    Field::Dport,
];

fn moments(replay: &Replay) -> Vec<Nanos> {
    let (start, end) = (replay.run.start().0, replay.run.end().0);
    (start.saturating_sub(2)..=end + 2).map(Nanos).collect()
}

proptest! {
    #[test]
    fn any_order_of_seeks_gives_the_same_frames(run in any_run(), seeks in prop::collection::vec(0usize..2000, 1..40)) {
        let replay = replay(run);
        let moments = moments(&replay);
        let played: Vec<Frame> = moments.iter().map(|&time| replay.at(time, 5)).collect();
        for seek in seeks {
            let at = seek % moments.len();
            prop_assert_eq!(&replay.at(moments[at], 5), &played[at]);
        }
    }

    #[test]
    fn totals_never_fall_and_a_piece_is_in_one_place(run in any_run()) {
        let replay = replay(run);
        let mut before = Counters::default();
        for time in moments(&replay) {
            let frame = replay.at(time, 0);
            let now = frame.counters;
            prop_assert!(now.delivered >= before.delivered && now.dropped >= before.dropped);
            prop_assert!(now.merged >= before.merged && now.consumed >= before.consumed);
            prop_assert!(now.transmitted >= before.transmitted && now.arrived >= before.arrived);
            prop_assert!(now.interrupts >= before.interrupts && now.polls >= before.polls);
            prop_assert!(now.bytes_delivered >= before.bytes_delivered);
            prop_assert!(now.cross_cpu >= before.cross_cpu);
            prop_assert!(now.cache_handovers >= before.cache_handovers);
            before = now;

            let packets = &frame.packets;
            let mut places: Vec<(u32, u32)> =
                packets.packet.iter().copied().zip(packets.piece.iter().copied()).collect();
            let count = places.len();
            places.dedup();
            prop_assert_eq!(places.len(), count);
            for row in 0..count {
                prop_assert!(packets.since[row] <= frame.time.max(0.0));
                prop_assert!(packets.ready[row] >= packets.since[row]);
                prop_assert!(packets.until[row] >= packets.ready[row]);
            }
            let is_served_by_a_cpu =
                |&row: &usize| packets.is_served[row] == 1 && CpuId(packets.cpu[row]).is_known();
            let served = (0..count).filter(is_served_by_a_cpu).count();
            prop_assert!(served <= frame.cpus.packet.len());
        }
    }

    #[test]
    fn a_lane_covers_the_run_without_gaps(run in any_run()) {
        let replay = replay(run);
        let (start, end) = (replay.run.start(), replay.run.end());
        for lane in &replay.lanes.lanes {
            prop_assert_eq!(lane.from[0], start);
            prop_assert!(lane.from.is_sorted_by(|a, b| a < b));
            prop_assert!(lane.from.iter().all(|&from| from <= end));
            let columns = [lane.context.len(), lane.pid.len(), lane.detail.len()];
            prop_assert_eq!(columns, [lane.from.len(); 3]);
            let times = replay.lanes.times(lane, start, end);
            prop_assert_eq!(times.iter().sum::<u64>(), end.since(start));
        }
    }

    #[test]
    fn service_is_part_of_a_stay(run in any_run()) {
        let replay = replay(run);
        for stay in &replay.journeys.stays {
            prop_assert!(stay.service <= stay.duration(), "{stay:?}");
        }
        for work in &replay.journeys.work {
            prop_assert!(work.from.is_sorted_by(|a, b| a < b));
        }
    }

    #[test]
    fn what_ends_when_it_is_put_down_ends_no_sooner_than_the_work_on_it(run in any_run()) {
        let journeys = Journeys::of(&run);
        prop_assert_eq!(work(&run, &journeys), journeys.work);
    }

    #[test]
    fn a_packet_does_not_end_before_it_is_read(run in any_run()) {
        let replay = replay(run);
        for packet in &replay.journeys.packets {
            prop_assert!(packet.start <= packet.end);
            if let Verdict::Delivered { read, .. } = packet.verdict {
                prop_assert!(replay.run.time(read) <= packet.end, "{packet:?}");
            }
        }
    }

    #[test]
    fn a_packet_is_found_if_and_only_if_it_is_in_flight(run in any_run(), linger in 0u64..20) {
        let replay = replay(run);
        for time in moments(&replay) {
            let found = replay.live.at(time, linger);
            let expected: Vec<_> = replay
                .journeys
                .ids()
                .filter(|id| {
                    let packet = &replay.journeys.packets[id.at()];
                    packet.start <= time && packet.end.0 + linger > time.0
                })
                .collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn steps_forward_and_back_visit_the_same_moments(run in any_run()) {
        let replay = replay(run);
        for kind in [StepKind::Event, StepKind::Hop, StepKind::Packet, StepKind::Drop] {
            let mut there = Vec::new();
            let mut now = Nanos(0);
            while let Some(step) = replay.step(now, kind, true, None) {
                prop_assert!(step.time > now);
                now = step.time;
                there.push(step);
            }
            let mut back = Vec::new();
            now = Nanos(u64::MAX);
            while let Some(step) = replay.step(now, kind, false, None) {
                now = step.time;
                back.push(step);
            }
            back.reverse();
            prop_assert_eq!(there, back);
        }
    }

    #[test]
    fn strips_have_no_more_steps_than_columns(run in any_run(), from in 0u64..900, span in 1u64..900, columns in 1u32..40) {
        let replay = replay(run);
        let end = replay.run.end();
        let from = Nanos(replay.run.start().0 + from).min(end);
        let to = Nanos(from.0 + span).min(end);
        for lane in &replay.lanes.lanes {
            let strip = replay.strip(lane, from, to, columns);
            prop_assert!(strip.from.len() <= columns as usize);
            prop_assert!(strip.from.is_sorted_by(|a, b| a < b));
            prop_assert!(strip.from.iter().all(|&at| from <= at && at <= to));
            if from < to {
                prop_assert_eq!(strip.from[0], from);
            }
        }
        for queue in &replay.queues {
            let depths = replay.depths(queue, from, to, columns);
            prop_assert!(depths.from.len() <= columns as usize);
            prop_assert!(depths.depth.iter().all(|&depth| depth <= queue.max_depth()));
        }
    }
}

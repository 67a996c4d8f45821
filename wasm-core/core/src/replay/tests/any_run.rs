//! Properties of any run at all, sensible or not.

use proptest::prelude::*;

use super::*;
use crate::journey::service::work;
use crate::kernel::{
    AddrId, Context, CpuId, Event, Field, PacketId, Pid, Probe, Verdict, VerdictKind,
};

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

/// The state that a reader keeps who goes through a run once, from its start, and never looks ahead.
#[derive(Debug, Default, PartialEq)]
struct Passed {
    arrived: u64,
    polls: u64,
    /// How many packets ended, by the kind of their verdict.
    ended: [u64; VerdictKind::ALL.len()],
    /// Of each packet under way, or that ended within the linger: its number, station and CPU, since when, and
    /// its verdict. Packets in several pieces are left out, which have several places.
    packets: Vec<(u32, u8, u16, f64, u8)>,
    /// Of each CPU its context, task and since when.
    cpus: Vec<(u8, u32, f64)>,
    /// Of each queue its depth and limit.
    queues: Vec<(u32, u32)>,
}

impl Passed {
    /// Goes through all that a replay knows, one after the other, as far as `time`.
    fn through(replay: &Replay, time: Nanos, linger: u64) -> Self {
        let mut passed = Self::default();
        for &poll in &replay.polls {
            passed.polls += u64::from(replay.run.time(poll) <= time);
        }
        for id in replay.journeys.ids() {
            let packet = &replay.journeys.packets[id.at()];
            let has_ended = packet.end <= time;
            passed.arrived += u64::from(packet.start <= time);
            let kind = packet.verdict.kind();
            passed.ended[kind as usize] += u64::from(has_ended);
            let is_gone = packet.end.0 + linger <= time.0;
            if packet.start > time || is_gone || replay.has_pieces(id) {
                continue;
            }
            let mut place = None;
            for stay in replay.journeys.stays(id) {
                if stay.enter > time {
                    break;
                }
                let since = replay.since_start(stay.enter);
                place = Some((stay.station as u8, stay.cpu.0, since));
            }
            let verdict = if has_ended { kind as u8 } else { NO_WORD };
            let row = place.map(|(station, cpu, since)| (id.0, station, cpu, since, verdict));
            passed.packets.extend(row);
        }
        for lane in &replay.lanes.lanes {
            let mut doing = 0;
            for segment in 0..lane.from.len() {
                if lane.from[segment] <= time {
                    doing = segment;
                }
            }
            let since = replay.since_start(lane.from[doing]);
            let state = (lane.context[doing] as u8, lane.pid[doing].0, since);
            passed.cpus.push(state);
        }
        for queue in &replay.queues {
            let mut held = (0, 0);
            for step in 0..queue.at.len() {
                if queue.at[step] <= time {
                    held = (queue.depth[step], queue.limit[step]);
                }
            }
            passed.queues.push(held);
        }
        passed
    }

    /// The same, as a frame tells it.
    fn told(replay: &Replay, frame: &Frame) -> Self {
        let (packets, cpus, counters) = (&frame.packets, &frame.cpus, frame.counters);
        let mut ended = [0; VerdictKind::ALL.len()];
        ended[VerdictKind::Delivered as usize] = counters.delivered;
        ended[VerdictKind::Merged as usize] = counters.merged;
        ended[VerdictKind::Dropped as usize] = counters.dropped;
        ended[VerdictKind::Transmitted as usize] = counters.transmitted;
        ended[VerdictKind::Consumed as usize] = counters.consumed;
        let is_whole = |&row: &usize| !replay.has_pieces(PacketId(packets.packet[row]));
        let row = |row: usize| {
            (
                packets.packet[row],
                packets.station[row],
                packets.cpu[row],
                packets.since[row],
                packets.verdict[row],
            )
        };
        let cpu = |cpu: usize| (cpus.context[cpu], cpus.pid[cpu], cpus.since[cpu]);
        let depths = frame.queue_depth.iter().copied();
        Self {
            arrived: counters.arrived,
            polls: counters.polls,
            ended,
            packets: (0..packets.packet.len())
                .filter(is_whole)
                .map(row)
                .collect(),
            cpus: (0..cpus.context.len()).map(cpu).collect(),
            queues: depths.zip(frame.queue_limit.iter().copied()).collect(),
        }
    }
}

proptest! {
    #[test]
    fn a_frame_is_what_is_found_by_going_through_the_run_as_far_as_its_time(run in any_run(), linger in 0u64..20) {
        let replay = replay(run);
        for time in moments(&replay) {
            let mut passed = Passed::through(&replay, time, linger);
            // How many are still open is no total.
            passed.ended[VerdictKind::Open as usize] = 0;
            prop_assert_eq!(Passed::told(&replay, &replay.at(time, linger)), passed);
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

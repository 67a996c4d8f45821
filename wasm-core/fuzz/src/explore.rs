//! Everything that can be asked of a run, asked; and what must be true of its frames.

use std::io;

use ringside::english::say;
use ringside::export::{ftrace, kperf2};
use ringside::findings::findings;
use ringside::journey::{Query, picture};
use ringside::kernel::{CpuId, Nanos, PacketId};
use ringside::measure::{Measures, accounting, layer_times};
use ringside::opened::Opened;
use ringside::replay::{Replay, StepKind};
use ringside::told::{Told, captions::captions, picture as film, said, vtt};

/// Everything that the page and the command line can ask of a run.
pub fn explore(opened: &Opened) {
    let Opened {
        run,
        journeys,
        replay,
        ..
    } = opened;
    let (start, end) = (run.start(), run.end());
    let middle = Nanos(start.0 + end.since(start) / 2);
    for time in [Nanos(0), start, middle, end, Nanos(u64::MAX)] {
        for linger in [0, 1000, u64::MAX] {
            replay.at(time, linger);
        }
        for kind in [
            StepKind::Event,
            StepKind::Hop,
            StepKind::Packet,
            StepKind::Drop,
        ] {
            for is_forward in [false, true] {
                replay.step(time, kind, is_forward, None);
            }
        }
    }
    for lane in &replay.lanes.lanes {
        let times = replay.lanes.times(lane, start, end);
        assert!(
            times.iter().map(|&time| u128::from(time)).sum::<u128>()
                <= u128::from(end.since(start))
        );
        replay.strip(lane, start, end, 3);
    }
    for queue in &replay.queues {
        replay.depths(queue, start, end, 3);
    }
    Measures::of(replay, start, end);
    Measures::of(replay, Nanos(0), Nanos(u64::MAX));
    let all: Vec<PacketId> = journeys.query(&Query::default());
    layer_times(replay, &all);
    journeys.longest_waits(10);
    for finding in findings(opened) {
        say(&finding.title, replay);
        say(&finding.detail, replay);
    }
    for &packet in &all {
        accounting::of(replay, packet);
        picture(run, journeys, packet);
    }
    for focus in [None, all.first().copied(), all.last().copied()] {
        let told = Told::of(replay, focus);
        assert!(told.pieces.film.iter().all(|film| film.is_finite()));
        for beat in &told.beats {
            said(replay, &told, beat);
        }
        captions(&told);
        film(replay, &told, 30.0);
        vtt(replay, &told, "");
    }
    kperf2(run, &mut io::sink()).unwrap();
    ftrace(run, &mut io::sink()).unwrap();
}

/// Frames at moments of the run, forwards and then backwards: the same ones, with what is in
/// flight in them, each piece in one place, and totals that never fall.
pub fn frames(replay: &Replay) {
    let mut moments: Vec<Nanos> = replay.run.times().collect();
    moments.dedup();
    let played: Vec<_> = moments.iter().map(|&time| replay.at(time, 0)).collect();
    for (&time, played) in moments.iter().zip(&played).rev() {
        let frame = replay.at(time, 0);
        assert_eq!(&frame, played);
        let packets = &frame.packets;
        let mut shown = packets.packet.clone();
        shown.dedup();
        let in_flight = |id: &PacketId| {
            let packet = &replay.journeys.packets[id.at()];
            packet.start <= time && packet.end > time
        };
        let expected: Vec<u32> = replay
            .journeys
            .ids()
            .filter(in_flight)
            .map(|id| id.0)
            .collect();
        assert_eq!(shown, expected);
        let pieces = packets.packet.iter().zip(&packets.piece);
        assert!(pieces.is_sorted_by(|before, after| before != after));
        for row in 0..packets.packet.len() {
            assert!(packets.since[row] <= packets.ready[row]);
            assert!(packets.ready[row] <= packets.until[row]);
        }
        let is_served =
            |&row: &usize| packets.is_served[row] == 1 && CpuId(packets.cpu[row]).is_known();
        let served = (0..packets.packet.len()).filter(is_served).count();
        assert!(served <= frame.cpus.packet.len());
    }
    for (before, after) in played.iter().zip(played.iter().skip(1)) {
        let (before, after) = (&before.counters, &after.counters);
        assert!(before.delivered <= after.delivered && before.dropped <= after.dropped);
        assert!(before.merged <= after.merged && before.consumed <= after.consumed);
        assert!(before.transmitted <= after.transmitted && before.arrived <= after.arrived);
        assert!(before.bytes_delivered <= after.bytes_delivered);
    }
}

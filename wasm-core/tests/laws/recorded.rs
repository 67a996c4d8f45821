//! Laws that a recording and the engine's own totals tell in two ways: what a CPU was busy with,
//! and where every frame went; and that no CPU idles beside a task that waits.

use ringside::kernel::{Context, Nanos, Probe, QueueKind, Verdict};
use ringside::replay::{Lane, QueueKey, Replay};

use super::held::Held;
use super::scenarios::{drawn, record};

/// Runs for each law.
const RUNS: u64 = 40;

/// Utilisation law: a CPU is busy for as long as what is done a second takes, each function its
/// rate times its mean time (Denning and Buzen 1978). The time is what the engine charged; how
/// long a CPU was busy is read off the events that say when it went idle.
#[test]
fn a_cpu_is_busy_for_as_long_as_what_it_does_takes() {
    let mut held = Held::default();
    for scenario in drawn(RUNS) {
        let (measured, replay) = record(&scenario);
        let elapsed = measured.elapsed_fs as f64;
        let charged: u64 = measured.cpu_busy_fs.iter().sum();
        let idle: u64 = replay
            .lanes
            .lanes
            .iter()
            .map(|lane| idle_of(&replay, lane))
            .sum();
        let told = replay.run.end().since(replay.run.start());
        let all = told * replay.lanes.lanes.len() as u64;
        // A recording begins and ends with an event; what was before and after is not told.
        if told as f64 * 1e6 > 0.95 * elapsed {
            let busy = (all - idle) as f64 / told as f64;
            held.note(&scenario, "CPUs busy", charged as f64 / elapsed, busy);
        }
    }
    held.all_within(0.9..=1.1);
    held.pin("utilisation");
}

fn idle_of(replay: &Replay, lane: &Lane) -> u64 {
    let (from, to) = (replay.run.start(), replay.run.end());
    replay.lanes.times(lane, from, to)[Context::Idle as usize]
}

/// Flow conservation: every frame that a NIC took in is in exactly one packet that ended, or is
/// there still; the one that crosses the bus as the run ends is told by nothing yet. Packets that merged are counted with the one that took them in.
#[test]
fn every_frame_that_came_in_is_somewhere_once() {
    let mut held = Held::default();
    for scenario in drawn(RUNS) {
        let (measured, replay) = record(&scenario);
        if measured.frames_received == 0 {
            continue;
        }
        let run = &replay.run;
        let journeys = &replay.journeys;
        let came_in = |packet: &ringside::kernel::PacketId| {
            let first = journeys.events(*packet).first();
            first.is_some_and(|first| run.probe[first.at()] == Probe::RxDma)
        };
        let found: u32 = journeys
            .ids()
            .filter(came_in)
            .map(|id| &journeys.packets[id.at()])
            .filter(|packet| !matches!(packet.verdict, Verdict::Merged { .. }))
            .map(|packet| packet.parts)
            .sum();
        let law = measured.frames_received as f64;
        held.note(&scenario, "frames received", law, f64::from(found));
    }
    held.all_within(0.98..=1.0);
    held.pin("flow");
}

/// How long a CPU may be idle after a task was put into its queue, in ns: the interprocessor
/// interrupt and the scheduler's own way there.
const WAKING: u64 = 15_000;

/// Work conservation: while a task waits in a CPU's run queue that CPU is not idle.
#[test]
fn no_cpu_idles_beside_a_task_that_waits_for_it() {
    let mut held = Held::default();
    for scenario in drawn(RUNS) {
        let (_, replay) = record(&scenario);
        let (mut waited, mut worked) = (0, 0);
        for queue in &replay.queues {
            let QueueKey::Cpu(cpu) = queue.key else {
                continue;
            };
            let lane = replay.lanes.lanes.iter().find(|lane| lane.cpu == cpu);
            let Some(lane) = lane.filter(|_| queue.kind == QueueKind::RunQueue) else {
                continue;
            };
            let ends = queue.at.iter().skip(1).copied();
            let spans = queue.at.iter().copied().zip(ends.chain([replay.run.end()]));
            for ((from, to), &depth) in spans.zip(&queue.depth) {
                if depth > 0 {
                    let idle = replay.lanes.times(lane, from, to)[Context::Idle as usize];
                    let idle = idle.saturating_sub(WAKING);
                    waited += Nanos::since(to, from);
                    worked += Nanos::since(to, from) - idle;
                }
            }
        }
        if waited > 100_000 {
            let ms = |nanos: u64| nanos as f64 / 1e6;
            held.note(
                &scenario,
                "ms in which a task waits",
                ms(waited),
                ms(worked),
            );
        }
    }
    held.all_within(0.97..=1.0);
    held.pin("conservation");
}

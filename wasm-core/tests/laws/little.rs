//! Little's law: what is in a queue on average is what comes a second times how long it stays
//! (Little 1961). The queue's length is the engine's own count, told as packets come; how long
//! each packet stays is read off its journey.

use std::collections::BTreeMap;

use ringside::journey::Stay;
use ringside::kernel::{EventIdx, Nanos, Probe, QueueKind, Verdict};
use ringside::replay::Replay;

use super::held::Held;
use super::scenarios::{drawn, record};

/// Runs of which every queue is held against the law.
const RUNS: u64 = 40;

/// Receive queues on a link that loses are left out: that a segment has moved on from the
/// out-of-order queue (`tcp_ofo_queue`) is no event of its own, in a recording as in a simulation,
/// and until it is read a journey has it there.
///
/// One thing is known to be off by as much as the lower bound allows: a reader takes a socket's whole
/// backlog off and then looks at segment after segment, which wait for it meanwhile and are in no
/// queue of the engine (from 0.96). Of the upper one a single prequeue has need (1.02); why was not found.
#[test]
fn what_is_in_a_queue_is_what_comes_times_how_long_it_stays() {
    let mut held = Held::default();
    for scenario in drawn(RUNS) {
        let (_, replay) = record(&scenario);
        for (kind, (depth, sojourn)) in depths_and_sojourns(&replay) {
            let elapsed = replay.run.end().since(replay.run.start()) as f64;
            let (by_depth, by_stays) = (depth as f64 / elapsed, sojourn as f64 / elapsed);
            let is_lossy = scenario["settings"]["link_loss_permille"].as_u64() > Some(0);
            if is_lossy && kind == QueueKind::ReceiveQueue {
                continue;
            }
            // A queue that was used for a ten-thousandth of the time says nothing.
            if by_stays > 1e-4 {
                held.note(&scenario, &kind.to_string(), by_stays, by_depth);
            }
        }
    }
    held.all_within(0.96..=1.02);
    held.pin("little");
}

/// For each kind of queue, over all of a run: depth times nanoseconds, and the sum of the times
/// that packets were in it.
fn depths_and_sojourns(replay: &Replay) -> BTreeMap<QueueKind, (u128, u128)> {
    let mut sums: BTreeMap<QueueKind, (u128, u128)> = BTreeMap::new();
    let end = replay.run.end();
    for queue in &replay.queues {
        if queue.kind != QueueKind::RunQueue {
            let (_, depth) = queue.between(replay.run.start(), end);
            sums.entry(queue.kind).or_default().0 += depth;
        }
    }
    let journeys = &replay.journeys;
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        for place in packet.stays.clone() {
            let Some((_, queue)) = replay.queue_of_stay(place) else {
                continue;
            };
            let stay = &journeys.stays[place as usize];
            let is_there_still = packet.verdict == Verdict::Open && place + 1 == packet.stays.end;
            let until = if is_there_still { end } else { stay.leave };
            let sojourn = until.since(joined(replay, journeys.events(id), stay));
            sums.entry(queue.kind).or_default().1 += u128::from(sojourn);
        }
    }
    sums
}

/// When a packet joined the queue that it stays at: `netif_rx` brings it to the backlog,
/// `enqueue_to_backlog` puts it in.
fn joined(replay: &Replay, events: &[EventIdx], stay: &Stay) -> Nanos {
    let run = &replay.run;
    let is_put_in = |event: &&EventIdx| {
        **event >= stay.event
            && run.time(**event) <= stay.leave
            && run.probe[event.at()] == Probe::EnqueueToBacklog
    };
    let put_in = events.iter().find(is_put_in);
    put_in.map_or(stay.enter, |&event| run.time(event))
}

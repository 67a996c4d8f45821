//! What the time line is drawn from, packed: what the CPUs did, how deep the queues were, drops and rates.

use std::collections::BTreeSet;

use super::columns::Columns;
use ringside::kernel::Nanos;
use ringside::replay::{Lane, Replay, column_bounds};

/// The stretch between two times in at most 8192 columns; of some CPUs alone where they are named, and then
/// without the queues. The order is read by `web/core/unpack.ts`.
pub fn pack(
    replay: &Replay,
    from: Nanos,
    to: Nanos,
    columns: u32,
    asked: Option<&BTreeSet<u16>>,
) -> Vec<f64> {
    let columns = columns.clamp(1, 8192);
    let since = |times: &[Nanos]| -> Vec<f64> {
        times.iter().map(|&time| replay.since_start(time)).collect()
    };
    let mut packed = Columns::default().push(&since(&[from, to]));
    let is_asked = |lane: &&Lane| asked.is_none_or(|cpus| cpus.contains(&lane.cpu.0));
    let lanes: Vec<&Lane> = replay.lanes.lanes.iter().filter(is_asked).collect();
    let queues = if asked.is_none() {
        &replay.queues[..]
    } else {
        &[]
    };
    packed = packed.push(&[lanes.len() as f64, queues.len() as f64]);
    for lane in lanes {
        let strip = replay.strip(lane, from, to, columns);
        packed = packed
            .push(&[lane.cpu.0])
            .push(&since(&strip.from))
            .push(
                &strip
                    .context
                    .iter()
                    .map(|&word| word as u8)
                    .collect::<Vec<_>>(),
            )
            .push(&strip.pid.iter().map(|pid| pid.0).collect::<Vec<_>>());
    }
    for queue in queues {
        let depths = replay.depths(queue, from, to, columns);
        packed = packed.push(&since(&depths.from)).push(&depths.depth);
    }
    let mut drops: Vec<Nanos> = Vec::new();
    let (mut delivered, mut arrived) = (Vec::new(), Vec::new());
    let all_drops = &replay.drops;
    for column in 0..columns {
        let (begin, end) = column_bounds(from, to, column, columns);
        let first = all_drops.partition_point(|drop| drop.time < begin);
        if let Some(drop) = all_drops.get(first).filter(|drop| drop.time < end) {
            drops.push(drop.time);
        }
        let (before, after) = (replay.totals.before(begin), replay.totals.before(end));
        delivered.push((after.delivered - before.delivered) as f64);
        arrived.push((after.arrived - before.arrived) as f64);
    }
    packed
        .push(&since(&drops))
        .push(&delivered)
        .push(&arrived)
        .into_array()
}

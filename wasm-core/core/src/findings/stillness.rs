//! Time in which nothing moves: no packet comes to a place or ends.

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, thresholds, words};
use crate::kernel::{Nanos, PacketId};
use crate::order;

pub fn find(facts: &Facts) -> Vec<Finding> {
    still(facts).into_iter().collect()
}

fn still(facts: &Facts) -> Option<Finding> {
    let stays = facts.journeys.stays.iter().map(|stay| stay.enter);
    let ends = facts.journeys.packets.iter().map(|packet| packet.end);
    let mut moves: Vec<Nanos> = stays.chain(ends).collect();
    order::sort(&mut moves);
    let gaps = moves.windows(2).map(|pair| (pair[0], pair[1]));
    let is_still =
        |(from, to): &(Nanos, Nanos)| thresholds::STILL_NANOS.is_reached(to.since(*from) as f64);
    let gaps: Vec<_> = gaps.filter(is_still).collect();
    let still: u64 = gaps.iter().map(|(from, to)| to.since(*from)).sum();
    let (from, to) = (*moves.first()?, *moves.last()?);
    let part = share(still, to.since(from));
    if !thresholds::STILL_SHARE.is_reached(part) {
        return None;
    }
    let &(begin, end) = gaps.iter().max_by_key(|(from, to)| to.since(*from))?;
    let title = words::still(part);
    let detail = words::still_for(gaps.len() as u64, end.since(begin));
    let finding = Finding::new(Kind::Stillness, Severity::Info, title, detail).between(from, to);
    Some(finding.seen(begin, PacketId::NONE))
}

//! Packets that a queueing discipline marked (ECN, RFC 3168): where it would have dropped them, or from a wait on.

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, View, words};
use crate::kernel::protocol::ECN_CE;
use crate::kernel::{EventIdx, Field, PacketId, Probe, Verdict};

pub fn find(facts: &Facts) -> Vec<Finding> {
    marked(facts).into_iter().collect()
}

fn marked(facts: &Facts) -> Option<Finding> {
    let leaves = facts.events_of(Probe::QdiscDequeue);
    let is_marked = |event: &EventIdx| facts.run.field(*event, Field::Ecn) == Some(ECN_CE);
    let events: Vec<EventIdx> = leaves.filter(is_marked).collect();
    let (first, last) = (*events.first()?, *events.last()?);
    let packets: Vec<PacketId> = events.iter().map(|&it| facts.packet_of(it)).collect();
    let all = &facts.journeys.packets;
    let (from, to) = (facts.time(first), facts.time(last));
    let count = packets.len() as u64;
    let (of_all, span) = (share(count, all.len() as u64), to.since(from));
    let is_dropped = |verdict| matches!(verdict, Verdict::Dropped { .. });
    let detail = if all.iter().any(|packet| is_dropped(packet.verdict)) {
        words::marked_beside_drops(count, of_all, span)
    } else {
        words::marked_and_none_dropped(count, of_all, span)
    };
    let title = words::marked(count);
    let finding = Finding::new(Kind::Marks, Severity::Notice, title, detail)
        .between(from, to)
        .seen(from, packets[0])
        .on(View::Queues);
    Some(finding.to_packets(packets))
}

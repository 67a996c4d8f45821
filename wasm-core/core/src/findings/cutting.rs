//! Packets split on sending: IP fragmentation, software segmentation, segmentation by the NIC.

use super::facts::Facts;
use super::{Finding, Kind, Severity, words};
use crate::kernel::{PacketId, Probe, Verdict};
use crate::order;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut by_ip: Vec<(PacketId, PacketId)> = Vec::new();
    let mut by_kernel = Vec::new();
    for id in facts.journeys.ids() {
        let whole = facts.journeys.packets[id.at()].cut_from;
        if !whole.is_some() {
            continue;
        }
        let mut events = facts.journeys.events(whole).iter();
        let is_ip = events.any(|event| facts.run.probe[event.at()] == Probe::IpDoFragment);
        let list = if is_ip { &mut by_ip } else { &mut by_kernel };
        list.push((whole, id));
    }
    let found = [
        cut(facts, Kind::Fragmentation, &by_ip),
        cut(facts, Kind::SoftwareSegmentation, &by_kernel),
        offload(facts),
    ];
    found.into_iter().flatten().collect()
}

/// The original packets and the pieces made of them.
fn cut(facts: &Facts, kind: Kind, pieces: &[(PacketId, PacketId)]) -> Option<Finding> {
    let mut wholes: Vec<PacketId> = pieces.iter().map(|(whole, _)| *whole).collect();
    order::sort(&mut wholes);
    wholes.dedup();
    // The second one, as caches are cold for the first.
    let shown = *wholes.get(1).or_else(|| wholes.first())?;
    let packet = |id: PacketId| &facts.journeys.packets[id.at()];
    let bytes = u64::from(packet(shown).bytes);
    let (count, all) = (wholes.len() as u64, pieces.len() as u64);
    let each = pieces.iter().filter(|(whole, _)| *whole == shown).count() as u64;
    let (title, detail) = if kind == Kind::Fragmentation {
        (
            words::fragmentation(count, all),
            words::fragments_of(shown, bytes, each),
        )
    } else {
        (
            words::segmentation(count, all),
            words::segments_of(shown, bytes, each),
        )
    };
    let from = packet(*wholes.first()?).start;
    let to = pieces.iter().map(|(_, piece)| packet(*piece).end).max()?;
    let finding = Finding::new(kind, Severity::Info, title, detail)
        .between(from, to)
        .seen(packet(shown).start, shown);
    Some(finding.to_packets(wholes))
}

/// Segments that leave the kernel as one packet and are on the link as several frames.
fn offload(facts: &Facts) -> Option<Finding> {
    let packet = |id: PacketId| &facts.journeys.packets[id.at()];
    let is_cut =
        |id: &PacketId| packet(*id).verdict == Verdict::Transmitted && packet(*id).parts > 1;
    let all: Vec<PacketId> = facts.journeys.ids().filter(is_cut).collect();
    let largest = *all
        .iter()
        .max_by_key(|id| (packet(**id).parts, std::cmp::Reverse(**id)))?;
    let frames: u64 = all.iter().map(|id| u64::from(packet(*id).parts)).sum();
    let title = words::offload(all.len() as u64, frames);
    let (parts, bytes) = (packet(largest).parts, packet(largest).bytes);
    let detail = words::offload_largest(largest, u64::from(bytes), u64::from(parts));
    let from = packet(*all.first()?).start;
    let to = all.iter().map(|id| packet(*id).end).max()?;
    // The kernel tells the NIC the number of frames; the segmentation itself is the NIC's and not recorded.
    let finding = Finding::new(
        Kind::SegmentationOffload,
        Severity::Info,
        title.inferred(),
        detail,
    )
    .between(from, to)
    .seen(packet(largest).start, largest);
    Some(finding.to_packets(all))
}

//! Packets that are split: IP fragmentation, software segmentation, UDP's for a reader, segmentation by the NIC.

use super::facts::Facts;
use super::{Finding, Kind, Severity, words};
use crate::kernel::{PacketId, Probe, Verdict};
use crate::order;
use crate::saying::Saying;

/// Pieces, each after the packet of which it was made.
type Pieces = Vec<(PacketId, PacketId)>;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let (mut by_ip, mut by_kernel, mut for_reader) = (Pieces::new(), Pieces::new(), Pieces::new());
    for id in facts.journeys.ids() {
        let whole = facts.journeys.packets[id.at()].cut_from;
        if !whole.is_some() {
            continue;
        }
        let list = if is_cut_by_ip(facts, whole) {
            &mut by_ip
        } else if facts.journeys.is_cut_for_reader(whole) {
            &mut for_reader
        } else {
            &mut by_kernel
        };
        list.push((whole, id));
    }
    let segments = Kind::SoftwareSegmentation;
    let found = [
        cut(facts, Kind::Fragmentation, &by_ip, FRAGMENTS),
        cut(facts, segments, &by_kernel, SEGMENTS),
        cut(facts, segments, &for_reader, DATAGRAMS),
        offload(facts),
    ];
    found.into_iter().flatten().collect()
}

/// Whether IP cut the packet: it says so, or had put it together of fragments before, as a router does that tracks
/// connections.
fn is_cut_by_ip(facts: &Facts, whole: PacketId) -> bool {
    let mut events = facts.journeys.events(whole).iter();
    facts.journeys.packets[whole.at()].fragment.is_some()
        || events.any(|event| facts.run.probe[event.at()] == Probe::IpDoFragment)
}

/// What is said of packets and of their pieces, and of one of them.
type Says = (fn(u64, u64) -> Saying, fn(PacketId, u64, u64) -> Saying);
const FRAGMENTS: Says = (words::fragmentation, words::fragments_of);
const SEGMENTS: Says = (words::segmentation, words::segments_of);
const DATAGRAMS: Says = (words::cut_for_reader, words::datagrams_of);

/// The original packets and the pieces made of them.
fn cut(
    facts: &Facts,
    kind: Kind,
    pieces: &[(PacketId, PacketId)],
    (title, detail): Says,
) -> Option<Finding> {
    let mut wholes: Vec<PacketId> = pieces.iter().map(|(whole, _)| *whole).collect();
    order::sort(&mut wholes);
    wholes.dedup();
    // The second one, as caches are cold for the first.
    let shown = *wholes.get(1).or_else(|| wholes.first())?;
    let packet = |id: PacketId| &facts.journeys.packets[id.at()];
    let group = packet(shown)
        .fragment
        .map(|fragment| fragment.group.0 as usize);
    let datagram = group.map(|group| facts.journeys.groups[group].bytes);
    let bytes = u64::from(datagram.unwrap_or(packet(shown).bytes));
    let (count, all) = (wholes.len() as u64, pieces.len() as u64);
    let each = pieces.iter().filter(|(whole, _)| *whole == shown).count() as u64;
    let (title, detail) = (title(count, all), detail(shown, bytes, each));
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

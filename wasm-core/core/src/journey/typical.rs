//! Which journey is typical of a run: the one that a film opens at and that stands for the run in
//! the findings and in lessons, so that what is seen first is what the run is mostly about.
//!
//! Packets are sorted into classes by flow, direction and fate, where a packet that went on in
//! another shares that one's fate. The class with the most bytes is what the run is about: data
//! and not its acknowledgements. Of that class, without the first tenth (caches and windows are
//! still cold then), it is the first journey near the median in stations passed, in duration and
//! in the number of its parts.

use std::collections::BTreeMap;

use super::Journeys;
use crate::kernel::{PacketId, Verdict, VerdictKind};

/// A way through fewer stations tells too little to open with, if there is a longer one.
const FEWEST_STATIONS: usize = 4;

/// Of journeys that are so little further from the median than the nearest it is the first.
const NEAR: f64 = 0.1;

/// What sorts packets: flow, direction, fate.
type Class = (u32, u8, u8);

/// See [`Journeys::typical`].
pub(super) fn typical(journeys: &Journeys) -> Option<PacketId> {
    let mut classes: BTreeMap<Class, (u64, Vec<PacketId>)> = BTreeMap::new();
    for packet in journeys.ids() {
        let row = &journeys.packets[packet.at()];
        let root = journeys.goes_on_in(packet).last().unwrap_or(packet);
        let root = &journeys.packets[root.at()];
        let kind = root.verdict.kind();
        let class = (root.flow.0, root.direction as u8, kind as u8);
        let (bytes, members) = classes.entry(class).or_default();
        *bytes += u64::from(row.bytes.max(1));
        // Its own journey is told as part of the one that took it in.
        if !matches!(row.verdict, Verdict::Merged { .. }) {
            members.push(packet);
        }
    }
    let tells = |members: &[PacketId]| {
        let most = members.iter().map(|&packet| journeys.stays(packet).len());
        most.max().unwrap_or(0) >= FEWEST_STATIONS
    };
    let is_seen_to_end = |class: &Class| class.2 != VerdictKind::Open as u8;
    let (_, (_, members)) = classes
        .iter()
        .filter(|(_, (_, members))| !members.is_empty())
        .max_by_key(|&(class, (bytes, members))| {
            let ends = is_seen_to_end(class);
            (tells(members), ends, *bytes, std::cmp::Reverse(*class))
        })?;
    nearest_median(journeys, members)
}

fn nearest_median(journeys: &Journeys, members: &[PacketId]) -> Option<PacketId> {
    let warm = &members[members.len() / 10..];
    let figures = |packet: &PacketId| {
        let row = &journeys.packets[packet.at()];
        [
            journeys.stays(*packet).len() as f64,
            (row.end.since(row.start) as f64).max(1.0).ln(),
            f64::from(row.parts.max(1)).ln(),
        ]
    };
    // Nearest-rank, as all medians here (`Distribution`): of an even number the lower of the two in
    // the middle. What disturbs a journey makes it longer, so the upper one says less of the rest.
    let median = [0, 1, 2].map(|figure| {
        let mut column: Vec<f64> = warm.iter().map(|packet| figures(packet)[figure]).collect();
        let middle = (column.len() - 1) / 2;
        *column.select_nth_unstable_by(middle, f64::total_cmp).1
    });
    let distance = |packet: &PacketId| {
        let [stations, duration, parts] = figures(packet);
        (stations - median[0]).abs() + (duration - median[1]).abs() + (parts - median[2]).abs()
    };
    let nearest = warm.iter().map(distance).min_by(f64::total_cmp)?;
    let is_near = |packet: &&PacketId| distance(packet) <= nearest + NEAR;
    warm.iter().find(is_near).copied()
}

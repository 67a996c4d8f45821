//! What holds for the journeys of any run, sensible or not. The stitcher keeps it by
//! construction; whatever of an input would break it is left out and told in the ledger
//! (`stitch/table/merges.rs`). Tests check it after every import and every simulation: builds with
//! debug assertions do so whenever journeys are stitched.

use std::collections::BTreeMap;

use super::{FlowId, Journeys, Packet, Stay};
use crate::kernel::{EventIdx, PacketId, Verdict};
use crate::run::Run;

/// A rule about one packet of a run.
type Rule = (&'static str, fn(&Run, &Journeys, PacketId) -> bool);

/// What is true of every packet.
const RULES: &[Rule] = &[
    (
        "A packet has events of the run, each once and in order, and starts with the first.",
        |run, journeys, id| {
            let events = journeys.events(id);
            let first = events.first().filter(|first| first.at() < run.len());
            events.is_sorted_by(|before, after| before < after)
                && first.is_some_and(|&first| run.time(first) == row(journeys, id).start)
        },
    ),
    (
        "Packets are in the order of their start.",
        |_, journeys, id| {
            id.0 == 0 || row(journeys, PacketId(id.0 - 1)).start <= row(journeys, id).start
        },
    ),
    (
        "A packet ends once: not before its start, not after the run.",
        |run, journeys, id| {
            let packet = row(journeys, id);
            packet.start <= packet.end && packet.end <= run.end()
        },
    ),
    (
        "What was delivered does not end before the read that took it.",
        |run, journeys, id| match row(journeys, id).verdict {
            Verdict::Delivered { read, .. } => {
                read.at() < run.len() && run.time(read) <= row(journeys, id).end
            }
            _ => true,
        },
    ),
    (
        "A packet's stays lie within its time, in the order in which they begin.",
        |_, journeys, id| {
            let packet = row(journeys, id);
            let stays = journeys.stays(id);
            stays.is_sorted_by_key(|stay| stay.enter)
                && stays
                    .iter()
                    .all(|stay| packet.start <= stay.enter && stay.leave <= packet.end)
        },
    ),
    (
        "A stay begins with an event of its packet, and its service is part of it.",
        |run, journeys, id| {
            let events = journeys.events(id);
            journeys.stays(id).iter().all(|stay| {
                events.binary_search(&stay.event).is_ok()
                    && run.time(stay.event) == stay.enter
                    && stay.enter <= stay.leave
                    && stay.service <= stay.duration()
            })
        },
    ),
    (
        "Each piece of a packet is in one place at a time.",
        |_, journeys, id| {
            let mut last: BTreeMap<u32, &Stay> = BTreeMap::new();
            journeys.stays(id).iter().all(|stay| {
                let before = last.insert(stay.piece, stay);
                before.is_none_or(|before| before.leave <= stay.enter)
            })
        },
    ),
    (
        "What merged into a packet is not that packet and does not outlive it; it is counted in it.",
        |_, journeys, id| match row(journeys, id).verdict {
            Verdict::Merged { into } if into.is_some() => {
                journeys.packets.get(into.at()).is_some_and(|whole| {
                    into != id && row(journeys, id).end <= whole.end && whole.parts > 1
                })
            }
            _ => true,
        },
    ),
    (
        "No more is read of a packet than its payload.",
        |_, journeys, id| row(journeys, id).read <= row(journeys, id).payload,
    ),
    ("A packet was not cut from itself.", |_, journeys, id| {
        let whole = row(journeys, id).cut_from;
        !whole.is_some() || (whole != id && whole.at() < journeys.packets.len())
    }),
    (
        "A packet's flow and datagram are in their lists; the datagram counts it, and one of those counted carries the whole on.",
        |_, journeys, id| {
            let packet = row(journeys, id);
            let is_counted = packet.fragment.is_none_or(|fragment| {
                let fragments = journeys.fragments(fragment.group).len();
                let group = journeys.groups.get(fragment.group.0 as usize);
                group.is_some_and(|group| {
                    let whole = journeys.packets.get(group.whole.at());
                    let carries = whole.and_then(|whole| whole.fragment);
                    group.fragments as usize == fragments
                        && (!group.whole.is_some()
                            || carries.is_some_and(|whole| whole.group == fragment.group))
                })
            });
            let is_known = packet.flow.0 as usize;
            is_counted && (packet.flow == FlowId::NONE || is_known < journeys.flows.len())
        },
    ),
];

fn row(journeys: &Journeys, id: PacketId) -> &Packet {
    &journeys.packets[id.at()]
}

/// The rules that are broken, each with the packet that breaks it, in the order of the rules;
/// without a packet for those about the run as a whole. Empty for any journeys that
/// [`Journeys::of`] gives.
pub fn broken(run: &Run, journeys: &Journeys) -> Vec<(&'static str, PacketId)> {
    let of_one = RULES.iter().flat_map(|&(rule, holds)| {
        let ids = journeys.ids();
        ids.filter(move |&id| !holds(run, journeys, id))
            .map(move |id| (rule, id))
    });
    let mut broken: Vec<_> = of_one.collect();
    let follows = |next: fn(&Journeys, PacketId) -> PacketId| circle(journeys, next);
    let merged = follows(|journeys, id| match row(journeys, id).verdict {
        Verdict::Merged { into } => into,
        _ => PacketId::NONE,
    });
    broken.extend(merged.map(|id| ("Merges lead to an end, in no circle.", id)));
    let cut = follows(|journeys, id| row(journeys, id).cut_from);
    broken.extend(cut.map(|id| ("Cuts lead to a beginning, in no circle.", id)));
    broken.extend(
        strays(journeys).map(|id| ("The packet that an event is about has that event.", id)),
    );
    let rows = &journeys.packets;
    let is_cut = tile(
        rows.iter().map(|packet| &packet.events),
        journeys.events.len(),
    ) && tile(
        rows.iter().map(|packet| &packet.stays),
        journeys.stays.len(),
    );
    if !is_cut {
        let rule = "Every event and every stay of the tables is one packet's.";
        broken.push((rule, PacketId::NONE));
    }
    broken
}

/// A packet from which one comes back to itself by `next`.
fn circle(journeys: &Journeys, next: fn(&Journeys, PacketId) -> PacketId) -> Option<PacketId> {
    // From which packet each was first come to.
    let mut seen = vec![PacketId::NONE; journeys.packets.len()];
    journeys.ids().find(|&start| {
        let mut at = start;
        while at.at() < seen.len() && !seen[at.at()].is_some() {
            seen[at.at()] = start;
            at = next(journeys, at);
        }
        at.at() < seen.len() && seen[at.at()] == start
    })
}

/// Packets that an event of the run is said to be about and that have no such event.
fn strays(journeys: &Journeys) -> impl Iterator<Item = PacketId> + '_ {
    let events = (0..).map(EventIdx).zip(&journeys.packet_of);
    events
        .filter(|&(event, &id)| {
            id.is_some()
                && (id.at() >= journeys.packets.len()
                    || journeys.events(id).binary_search(&event).is_err())
        })
        .map(|(_, &id)| id)
}

/// Whether the ranges follow each other from 0 to the length.
fn tile<'a>(ranges: impl Iterator<Item = &'a std::ops::Range<u32>>, length: usize) -> bool {
    let mut end = 0;
    for range in ranges {
        if range.start != end || range.end < range.start {
            return false;
        }
        end = range.end;
    }
    end as usize == length
}

//! Journeys from records of the 2005 toolkit, which name a packet by its sending
//! thread and number and its pieces by how many payload frames they carry.
//!
//! One record line is one piece at one layer boundary. A packet is one journey; its
//! pieces (TCP segments, IP fragments) are told apart by their frame counts and
//! their order (Demter et al. 2005, sections 3.2 and 4.6).

use std::collections::BTreeMap;

use super::Stitcher;
use super::packet::draft::{Draft, Entry};
use crate::journey::{Mark, PAYLOAD_FRAME};
use crate::kernel::{AddrId, Direction, Event, EventIdx, Field, PacketId, Probe, Verdict};

/// The unfinished packets of a kperf recording.
#[derive(Debug, Default)]
pub(super) struct Kperf {
    live: BTreeMap<Mark, (PacketId, Pieces)>,
}

/// The pieces of a packet that have passed each probe id.
#[derive(Debug, Default)]
struct Pieces {
    at: [Passed; 10],
}

/// The pieces that have passed one probe id.
#[derive(Debug, Default)]
struct Passed {
    /// The number of pieces.
    count: usize,
    /// Payload frames in these pieces together.
    frames: u64,
    /// The positions of the pieces with each number of frames, in order of arrival.
    places: BTreeMap<u32, Vec<u32>>,
}

impl Passed {
    fn of(&self, frames: u32) -> &[u32] {
        self.places.get(&frames).map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, frames: u32) {
        self.places
            .entry(frames)
            .or_default()
            .push(self.count as u32);
        self.count += 1;
        self.frames += u64::from(frames);
    }
}

impl Pieces {
    /// The number of the piece with this many frames that passes `id` now: the first of its size that has passed the
    /// previous id but not this one.
    fn number(&mut self, id: usize, frames: u32) -> u32 {
        let (count, of_its_size) = (self.at[id].count, self.at[id].of(frames).len());
        self.at[id].push(frames);
        let before = (0..id).rev().find(|&before| self.at[before].count > 0);
        let Some(before) = before.filter(|_| id != 5).map(|before| &self.at[before]) else {
            return count as u32;
        };
        // A piece of a new size was fragmented or reassembled here: it gets a new number.
        let anew = count.min(before.count - 1) as u32;
        before.of(frames).get(of_its_size).copied().unwrap_or(anew)
    }

    /// Payload frames of the whole packet, as far as recorded.
    fn frames(&self) -> u64 {
        self.at
            .iter()
            .map(|passed| passed.frames)
            .max()
            .unwrap_or(0)
    }

    /// The largest number of pieces of the packet at any probe id.
    fn most(&self) -> usize {
        self.at.iter().map(|passed| passed.count).max().unwrap_or(0)
    }
}

impl Stitcher<'_> {
    /// Takes a record of the toolkit.
    pub(super) fn take_kperf(&mut self, index: EventIdx, event: &Event) {
        let Some(id) = Probe::KPERF.iter().position(|&probe| probe == event.probe) else {
            return;
        };
        let field = |field| self.run.field(index, field);
        let (Some(thread), Some(packet)) = (field(Field::Thread), field(Field::Packet)) else {
            return;
        };
        let frames = field(Field::Frames).unwrap_or(0);
        let mark = Mark { thread, packet };
        let is_new = match self.kperf.live.get(&mark) {
            None => true,
            Some((_, pieces)) => is_again(pieces, id),
        };
        if is_new {
            let direction = if id < 5 {
                Direction::Transmit
            } else {
                Direction::Receive
            };
            let mut draft = Draft::new(direction, AddrId::NONE);
            draft.mark = Some(mark);
            let packet = self.table.create(draft);
            self.kperf.live.insert(mark, (packet, Pieces::default()));
        }
        let Some((packet, pieces)) = self.kperf.live.get_mut(&mark) else {
            return;
        };
        let packet = *packet;
        let piece = pieces.number(id, frames);
        let (all, most) = (pieces.frames(), pieces.most());
        let draft = &mut self.table[packet];
        draft.entries.push(Entry {
            event: index,
            station: event.probe.station(),
            piece: if id == 9 { 0 } else { piece },
        });
        let bytes = all.saturating_mul(u64::from(PAYLOAD_FRAME));
        draft.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        draft.payload = draft.bytes;
        draft.frames.count_own((most as u32).max(1));
        draft.outcome.end = Some(event.time);
        draft.outcome.verdict = match id {
            9 => Verdict::Delivered {
                pid: event.pid,
                read: index,
            },
            4 => Verdict::Transmitted,
            _ => draft.outcome.verdict,
        };
        self.table.attribute(index, packet);
    }
}

/// Whether a record at `id` (from 0) belongs to a new packet with the same mark: the generator was restarted.
fn is_again(pieces: &Pieces, id: usize) -> bool {
    let was_read = pieces.at[9].count > 0;
    match id {
        0 => pieces.frames() > 0,
        9 => false,
        _ => was_read && pieces.at[9].frames >= pieces.at[5].frames,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Pieces;

    proptest! {
        /// The number equals the one found by searching all that passed each id, however the pieces are indexed.
        #[test]
        fn the_first_of_its_size_that_has_not_passed_yet(
            passing in prop::collection::vec((0_usize..10, 1_u32..4), 0..60)
        ) {
            let mut pieces = Pieces::default();
            let mut at: [Vec<u32>; 10] = Default::default();
            for (id, frames) in passing {
                let same = |passed: &[u32]| passed.iter().filter(|&&other| other == frames).count();
                let before = (0..id).rev().find(|&before| !at[before].is_empty());
                let wanted = match before.filter(|_| id != 5) {
                    None => at[id].len(),
                    Some(before) => (0..at[before].len())
                        .filter(|&place| at[before][place] == frames)
                        .nth(same(&at[id]))
                        .unwrap_or(at[id].len().min(at[before].len() - 1)),
                };
                prop_assert_eq!(pieces.number(id, frames) as usize, wanted);
                at[id].push(frames);
            }
            let frames = at.iter().map(|passed| passed.iter().map(|&frames| u64::from(frames)).sum()).max();
            prop_assert_eq!(Some(pieces.frames()), frames);
        }
    }
}

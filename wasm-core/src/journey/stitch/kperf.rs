//! Journeys from records of the 2005 toolkit, which name a packet by its sending
//! thread and number and its pieces by how many payload frames they carry.
//!
//! One record line is one piece at one layer boundary. A packet is one journey; its
//! pieces (TCP segments, IP fragments) are told apart by their frame counts and
//! their order (Demter et al. 2005, sections 3.2 and 4.6).

use std::collections::BTreeMap;

use super::Stitcher;
use super::draft::{Draft, Entry};
use crate::journey::{Mark, PAYLOAD_FRAME};
use crate::kernel::{AddrId, Direction, Event, EventIdx, Field, PacketId, Probe, Verdict};

/// The packets of a kperf record under way.
#[derive(Debug, Default)]
pub(super) struct Kperf {
    live: BTreeMap<Mark, (PacketId, Pieces)>,
}

/// Which pieces of a packet have passed which id.
#[derive(Debug, Default)]
struct Pieces {
    /// Frame counts in order of arrival, for each id.
    at: [Vec<u32>; 10],
    /// Frames read by the process so far.
    read: u32,
}

impl Pieces {
    /// The number of the piece with this many frames that passes `id` now: the first
    /// of its size that passed the id before and not yet this one.
    fn number(&mut self, id: usize, frames: u32) -> u16 {
        let passed = self.at[id].clone();
        self.at[id].push(frames);
        let before = (0..id).rev().find(|&before| !self.at[before].is_empty());
        let Some(before) = before.filter(|_| id != 5) else {
            return passed.len() as u16;
        };
        let same_before = passed.iter().filter(|&&other| other == frames).count();
        let place = self.at[before]
            .iter()
            .enumerate()
            .filter(|&(_, &other)| other == frames)
            .nth(same_before)
            .map(|(place, _)| place);
        // A piece of a new size was cut or put together here: it is counted anew.
        place.unwrap_or(passed.len().min(self.at[before].len().saturating_sub(1))) as u16
    }

    /// Payload frames of the whole packet, as far as it was seen.
    fn frames(&self) -> u32 {
        self.at
            .iter()
            .map(|pieces| pieces.iter().sum())
            .max()
            .unwrap_or(0)
    }

    /// How many pieces the packet was in at most.
    fn most(&self) -> u32 {
        self.at.iter().map(Vec::len).max().unwrap_or(0) as u32
    }
}

impl Stitcher<'_> {
    /// A record of the toolkit.
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
            let packet = self.create(draft);
            self.kperf.live.insert(mark, (packet, Pieces::default()));
        }
        let Some((packet, pieces)) = self.kperf.live.get_mut(&mark) else {
            return;
        };
        let packet = *packet;
        let piece = pieces.number(id, frames);
        if id == 9 {
            pieces.read += frames;
        }
        let (all, most) = (pieces.frames(), pieces.most());
        let draft = &mut self.drafts[packet.at()];
        draft.entries.push(Entry {
            event: index,
            station: event.probe.station(),
            piece: if id == 9 { 0 } else { piece },
        });
        draft.bytes = all * PAYLOAD_FRAME;
        draft.payload = all * PAYLOAD_FRAME;
        draft.parts = most.max(1);
        draft.end = Some(event.time);
        draft.verdict = match id {
            9 => Verdict::Delivered {
                pid: event.pid,
                read: index,
            },
            4 => Verdict::Transmitted,
            _ => draft.verdict,
        };
        self.packet_of[index.at()] = packet;
    }
}

/// Whether a record at `id` (from 0) is of another packet with the same name: the
/// generator was started again.
fn is_again(pieces: &Pieces, id: usize) -> bool {
    let was_read = !pieces.at[9].is_empty();
    match id {
        0 => pieces.frames() > 0,
        9 => false,
        _ => was_read && pieces.read >= pieces.at[5].iter().sum::<u32>(),
    }
}

//! How long a packet was worked on between any two times, itself or inside the
//! packet that it went on in.

use crate::journey::service::Work;
use crate::kernel::{Nanos, PacketId, sum_of_nanos};
use crate::order;
use crate::replay::Replay;

/// The steps of work of each packet.
#[derive(Debug, Clone)]
pub struct Served {
    /// Where a packet's steps start in `steps`; one entry more than packets.
    from: Vec<u32>,
    steps: Vec<(Nanos, Nanos, u32)>,
}

impl Served {
    /// Sorts the CPUs' work on these packets by packet.
    pub fn of(replay: &Replay, is_wanted: &[bool]) -> Self {
        let mut steps: Vec<(PacketId, Nanos, Nanos, u32)> = Vec::new();
        for work in &replay.journeys.work {
            for (place, &stay) in work.stay.iter().enumerate() {
                if stay != Work::NOTHING && is_wanted[work.packet[place].at()] {
                    let (begin, end) = (work.from[place], work.from[place + 1]);
                    steps.push((work.packet[place], begin, end, stay));
                }
            }
        }
        order::sort(&mut steps);
        let mut from = Vec::with_capacity(replay.journeys.packets.len() + 1);
        let mut next = 0;
        for packet in replay.journeys.ids() {
            from.push(next as u32);
            next += steps[next..]
                .iter()
                .take_while(|step| step.0 == packet)
                .count();
        }
        from.push(next as u32);
        let steps = steps
            .into_iter()
            .map(|(_, begin, end, stay)| (begin, end, stay))
            .collect();
        Self { from, steps }
    }

    /// Nanoseconds of work on a piece of a packet between two times.
    pub fn between(
        &self,
        replay: &Replay,
        packet: PacketId,
        piece: u32,
        begin: Nanos,
        end: Nanos,
    ) -> u64 {
        let mut total = self.own(replay, packet, Some(piece), begin, end);
        let mut since = begin;
        let mut before = packet;
        for into in replay.journeys.goes_on_in(packet) {
            since = since.max(replay.journeys.packets[before.at()].end);
            total = sum_of_nanos([total, self.own(replay, into, None, since, end)]);
            before = into;
        }
        total.min(end.since(begin))
    }

    fn own(
        &self,
        replay: &Replay,
        packet: PacketId,
        piece: Option<u32>,
        begin: Nanos,
        end: Nanos,
    ) -> u64 {
        let overlap = |from: Nanos, to: Nanos| to.min(end).since(from.max(begin));
        let stays = &replay.journeys.stays;
        let is_wanted = |number: u32| piece.is_none_or(|piece| piece == number);
        let steps =
            &self.steps[self.from[packet.at()] as usize..self.from[packet.at() + 1] as usize];
        let placed = steps
            .iter()
            .filter(|step| is_wanted(stays[step.2 as usize].piece))
            .map(|&(from, to, _)| overlap(from, to));
        // Where no CPU is named a stay is all service or all wait.
        let unplaced = replay
            .journeys
            .stays(packet)
            .iter()
            .filter(|stay| !stay.cpu.is_known() && is_wanted(stay.piece))
            .filter(|stay| !stay.station.is_queue())
            .map(|stay| overlap(stay.enter, stay.leave));
        sum_of_nanos(placed.chain(unplaced))
    }
}

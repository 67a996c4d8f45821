//! What is said about merged packets: why GRO merges, holds or releases a segment, and which fragments of a datagram
//! are missing.

use super::{Teller, Telling, say};
use crate::journey::{GroupId, Packet, Stay};
use crate::kernel::{CpuId, EventIdx, Field, PacketId, Probe, Station};
use crate::saying::Saying;
use crate::told::nics::Stacked;

/// `GRO_HELD` and `GRO_NORMAL`, `enum gro_result`, include/linux/netdevice.h (v6.1).
const HELD: u32 = 2;
const NORMAL: u32 = 3;

/// PSH in the flags of a TCP header, RFC 9293 section 3.1.
const PUSH: u32 = 0x08;

/// The limit of a merged packet's length in bytes: `GRO_LEGACY_MAX_SIZE`, include/linux/netdevice.h (v6.1).
const LONGEST: u64 = 65_536;

/// How many events are searched for the next one of a poll.
const AHEAD: usize = 4096;

impl Teller<'_> {
    /// What is said of a packet that a tunnel gives to GRO, or else a driver.
    pub(super) fn comes_up(&self, row: &Packet, stay: &Stay, at: u32) -> Telling {
        let Some(tunnel) = Stacked::on_the_way_up(self.replay, row, at) else {
            return self.comes_to_gro(stay);
        };
        let plain = say::unwrapped(tunnel.device, u64::from(tunnel.headers));
        (plain, say::short_handed_up(), self.gro_decides(stay))
    }

    /// What is said of a frame that the driver gives to GRO, and what becomes of it there, if recorded.
    pub(super) fn comes_to_gro(&self, stay: &Stay) -> Telling {
        let (plain, short) = if self.told.has_gro {
            (say::gro(), say::short_gro())
        } else {
            (say::gro_if_on(), say::short_handed_up())
        };
        (plain, short, self.gro_decides(stay))
    }

    /// What GRO decided about a packet, if recorded.
    fn gro_decides(&self, stay: &Stay) -> Option<Saying> {
        let run = &self.replay.run;
        let returns =
            |probe: Probe| matches!(probe, Probe::NapiGroReceiveExit | Probe::NapiGroFragsExit);
        let entered =
            |probe: Probe| matches!(probe, Probe::NapiGroReceive | Probe::NapiGroFragsEntry);
        let mut ahead = self.on_cpu_after(stay.event, stay.cpu);
        let event = ahead.find(|event| {
            let probe = run.probe[event.at()];
            returns(probe) || entered(probe)
        })?;
        if !returns(run.probe[event.at()]) {
            return None;
        }
        match run.field(event, Field::Ret)? {
            HELD => Some(say::why_held_by_gro()),
            NORMAL if self.told.has_gro => Some(say::why_not_merged()),
            NORMAL => Some(say::why_goes_alone()),
            _ => None,
        }
    }

    /// Why a segment was merged into another, and how much that one then holds.
    pub(super) fn why_merged(&self, packet: PacketId, into: PacketId) -> Option<Saying> {
        let journeys = &self.replay.journeys;
        let last = journeys.stays(packet).last()?;
        if last.station != Station::Gro {
            return None;
        }
        let end = journeys.packets[packet.at()].end;
        let (bytes, frames) = self.replay.growth.at(journeys, into, end);
        // GRO requires the same flow and consecutive bytes (net/ipv4/tcp_offload.c: tcp_gro_receive, v6.1); neither
        // is recorded.
        Some(say::why_merged(u64::from(frames), u64::from(bytes)).inferred())
    }

    /// Why GRO passes on a packet that it held and into which others were merged.
    pub(super) fn leaves_gro(&self, head: PacketId, gro: &Stay, next: &Stay) -> Option<Saying> {
        if gro.station != Station::Gro {
            return None;
        }
        let (run, journeys) = (&self.replay.run, &self.replay.journeys);
        let mut parts = self.replay.growth.parts_of(head);
        let last = parts.rfind(|&part| journeys.packets[part.at()].end <= next.enter)?;
        let flags = |&event: &EventIdx| run.field(event, Field::TcpFlags);
        let is_pushed = journeys.events(last).iter().find_map(flags);
        if is_pushed.is_some_and(|flags| flags & PUSH != 0) {
            return Some(say::why_flush_push());
        }
        let (bytes, _) = self.replay.growth.at(journeys, head, next.enter);
        let segment = journeys.packets[last.at()].bytes;
        if u64::from(bytes) + u64::from(segment) > LONGEST {
            return Some(say::why_flush_long(u64::from(bytes)));
        }
        // Within a poll it goes on because of a segment that follows; after the last of them
        // because the poll is over (net/core/dev.c: napi_complete_done, v6.1).
        let poll = self.replay.poll_after(next.event, gro.cpu)?;
        let mut rest = self.on_cpu_after(next.event, gro.cpu);
        let is_last = rest
            .find(|event| {
                let probe = run.probe[event.at()];
                let enters = matches!(
                    probe,
                    Probe::NapiGroReceive | Probe::NapiGroReceiveEntry | Probe::NapiGroFragsEntry
                );
                enters || *event >= poll
            })
            .is_some_and(|event| event >= poll);
        is_last.then(|| say::why_flush_poll().inferred())
    }

    /// What is said of a fragment that comes to reassembly.
    pub(super) fn fragment(&self, packet: PacketId, stay: &Stay) -> Telling {
        let short = say::short_fragment();
        let Some(piece) = self.replay.journeys.piece(packet) else {
            return (say::fragment_bare(), short, None);
        };
        let (number, of) = (u64::from(piece.number), u64::from(piece.of));
        let missing = self.missing(packet, stay.event);
        if missing.is_empty() && piece.is_end_known {
            let plain = say::fragment_completes(number, of);
            return (plain, say::short_fragment_completes(), None);
        }
        let plain = say::fragment(number, of);
        let here = of.saturating_sub(missing.len() as u64);
        let why = match missing.as_slice() {
            [] => None,
            [last] if piece.is_end_known => Some(say::why_missing_one(u64::from(*last))),
            few if piece.is_end_known && few.len() <= MOST_NAMED => {
                Some(say::why_missing_few(in_a_row(few)))
            }
            many => Some(say::why_missing(here, many.len() as u64)),
        };
        (plain, short, why)
    }

    /// Which pieces a datagram lacked when IP gave it up.
    pub(super) fn never_came(&self, packet: PacketId) -> Option<Saying> {
        let piece = self.replay.journeys.piece(packet)?;
        let gave_up = *self.replay.journeys.events(packet).last()?;
        match self.missing(packet, gave_up).as_slice() {
            [] if piece.is_end_known => None,
            [] => Some(say::why_last_never_came()),
            [one] => Some(say::why_never_came(u64::from(*one))),
            several => Some(say::why_never_came_several(in_a_row(several))),
        }
    }

    /// The numbers of the pieces of a fragment's datagram that had not come by an event: several may come in one
    /// microsecond.
    fn missing(&self, packet: PacketId, by: EventIdx) -> Vec<u16> {
        let journeys = &self.replay.journeys;
        let (Some(piece), Some(fragment)) = (
            journeys.piece(packet),
            journeys.packets[packet.at()].fragment,
        ) else {
            return Vec::new();
        };
        let here = self.here(fragment.group, by);
        (1..=piece.of)
            .filter(|number| !here.contains(number))
            .collect()
    }

    /// The numbers of the pieces of a datagram that had come to reassembly by an event.
    fn here(&self, group: GroupId, by: EventIdx) -> Vec<u16> {
        let journeys = &self.replay.journeys;
        let has_come = |&&packet: &&PacketId| {
            let mut stays = journeys.stays(packet).iter();
            stays.any(|stay| stay.station == Station::Reassembly && stay.event <= by)
        };
        let come = journeys.fragments(group).iter().filter(has_come);
        come.filter_map(|&packet| Some(journeys.piece(packet)?.number))
            .collect()
    }

    /// The events on a CPU after one of them, as far as they are searched.
    pub(super) fn on_cpu_after(
        &self,
        event: EventIdx,
        cpu: CpuId,
    ) -> impl Iterator<Item = EventIdx> + '_ {
        let run = &self.replay.run;
        let from = event.at() + 1;
        let ahead = from..run.len().min(from + AHEAD);
        let ahead = ahead.map(|at| EventIdx(at as u32));
        ahead.filter(move |event| run.cpu[event.at()] == cpu)
    }
}

/// So many missing pieces are named; of more the number is said.
const MOST_NAMED: usize = 4;

/// `2, 5`.
fn in_a_row(numbers: &[u16]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
    numbers.join(", ")
}

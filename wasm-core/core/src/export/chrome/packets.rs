//! Packets in Chrome trace JSON: slices of the work that CPUs did for them, arrows from one to
//! the next, their drops, and their stays where no CPU is told.

use std::io;

use crate::journey::service::Work;
use crate::kernel::{Nanos, PacketId, Verdict};
use crate::order;

use super::{ELSEWHERE, HOST, Writer, json, micros, thread};

impl Writer<'_> {
    /// What a CPU did for packets in one stretch of its lane, from a step of its work on. Work that
    /// lasts beyond the stretch is cut there, as slices of one track have to lie within each other.
    /// Gives the step to begin with in the next stretch.
    pub(super) fn work(
        &mut self,
        work: &Work,
        mut step: usize,
        (from, to): (Nanos, Nanos),
    ) -> io::Result<usize> {
        let tid = thread(work.cpu);
        while step < work.from.len() && work.from[step] < to {
            let end = work.from.get(step + 1).copied().unwrap_or(to);
            let (begin, cut) = (work.from[step].max(from), end.min(to));
            if work.stay[step] != Work::NOTHING && begin < cut {
                let stay = &self.replay.journeys.stays[work.stay[step] as usize];
                let packet = work.packet[step];
                let name = json(&format!("{} packet {}", stay.station, self.called(packet)));
                let bytes = self.replay.journeys.packets[packet.at()].bytes;
                let (ts, dur) = (self.ts(begin), micros(cut.since(begin)));
                self.event(
                    'X',
                    format_args!(
                        r#""name":{name},"cat":"packet","pid":{HOST},"tid":{tid},"ts":{ts},"dur":{dur},"args":{{"packet":{},"bytes":{bytes}}}"#,
                        packet.0
                    ),
                )?;
            }
            if end > to {
                break;
            }
            step += 1;
        }
        Ok(step)
    }

    /// An arrow through the work on each packet: one piece of work a stay and CPU, in their order.
    pub(super) fn arrows(&mut self) -> io::Result<()> {
        let mut points = Vec::new();
        for (lane, work) in self
            .replay
            .lanes
            .lanes
            .iter()
            .zip(&self.replay.journeys.work)
        {
            for (step, &stay) in work.stay.iter().enumerate() {
                let from = work.from[step];
                let end = work.from.get(step + 1).copied().unwrap_or(from);
                // The slice that it stands in: none is drawn of an idle CPU or of no length.
                let is_drawn = lane.doing(lane.at(from)).context != crate::kernel::Context::Idle
                    && from < end.min(self.replay.lanes.end);
                if stay != Work::NOTHING && is_drawn {
                    points.push((work.packet[step], from, stay, thread(work.cpu)));
                }
            }
        }
        order::sort(&mut points);
        points.dedup_by_key(|point| (point.0, point.2, point.3));
        for points_of_one in points.chunk_by(|one, other| one.0 == other.0) {
            if points_of_one.len() < 2 {
                continue;
            }
            for (at, &(packet, from, _, tid)) in points_of_one.iter().enumerate() {
                let (phase, binds) = match at {
                    0 => ('s', ""),
                    _ if at + 1 == points_of_one.len() => ('f', r#","bp":"e""#),
                    _ => ('t', r#","bp":"e""#),
                };
                let ts = self.ts(from);
                self.event(
                    phase,
                    format_args!(
                        r#""name":"packet","cat":"packet","id":{},"pid":{HOST},"tid":{tid},"ts":{ts}{binds}"#,
                        packet.0
                    ),
                )?;
            }
        }
        Ok(())
    }

    /// A mark where a packet was dropped, on the CPU that dropped it.
    pub(super) fn drops(&mut self) -> io::Result<()> {
        for id in self.replay.journeys.ids() {
            let packet = &self.replay.journeys.packets[id.at()];
            let Verdict::Dropped { reason } = packet.verdict else {
                continue;
            };
            let name = json(&format!("drop: {reason}"));
            let cpu = self.replay.journeys.events(id).last();
            let cpu = cpu.map(|event| self.replay.run.cpu[event.at()]);
            let (pid, tid, scope) = match cpu.filter(|cpu| cpu.is_known()) {
                Some(cpu) => (HOST, thread(cpu), 't'),
                None => (HOST, 0, 'p'),
            };
            let ts = self.ts(packet.end);
            self.event(
                'i',
                format_args!(
                    r#""name":{name},"cat":"drop","s":"{scope}","pid":{pid},"tid":{tid},"ts":{ts},"args":{{"packet":{}}}"#,
                    id.0
                ),
            )?;
        }
        Ok(())
    }

    /// The stays of which no CPU is told (the link, a record of 2005), as a track for each packet.
    pub(super) fn elsewhere(&mut self) -> io::Result<()> {
        let mut is_named = false;
        for id in self.replay.journeys.ids() {
            for stay in self.replay.journeys.stays(id) {
                if stay.cpu.is_known() {
                    continue;
                }
                if !is_named {
                    self.name_process(ELSEWHERE, "packets where no CPU is told")?;
                    is_named = true;
                }
                let name = json(&format!("{} packet {}", stay.station, self.called(id)));
                for (phase, time) in [('b', stay.enter), ('e', stay.leave)] {
                    let ts = self.ts(time);
                    self.event(
                        phase,
                        format_args!(
                            r#""name":{name},"cat":"stay","id":{},"pid":{ELSEWHERE},"tid":0,"ts":{ts}"#,
                            id.0
                        ),
                    )?;
                }
            }
        }
        Ok(())
    }

    fn called(&self, packet: PacketId) -> String {
        self.replay.journeys.name(packet).to_string()
    }
}

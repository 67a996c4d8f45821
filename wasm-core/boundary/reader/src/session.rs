//! An open run and everything that the page may ask of it.

use std::collections::BTreeSet;

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::columns::Columns;
use super::findings::FindingView;
use super::journey::{JourneyView, QueryView};
use super::lanes;
use super::machine;
use super::measures::MeasuresView;
use super::opened::OpenedView;
use super::told::{SaidView, Telling};
use ringside::export::fields_in_words;
use ringside::findings::findings;
use ringside::journey::Query;
use ringside::kernel::{CpuId, Direction, EventIdx, Nanos, PacketId, Verdict};
use ringside::measure;
use ringside::opened::Opened;
use ringside::replay::{NONE, Replay, StepKind};
use ringside::run::measured::Measured;

/// A run that is open. Times are nanoseconds since its start.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    pub(super) opened: Opened,
    /// What a simulation counted beside its events.
    pub(super) totals: Option<Measured>,
    /// The film that was asked for last.
    telling: Option<Telling>,
    /// The journeys that were asked for last, in their order.
    listed: Option<(Query, Vec<PacketId>)>,
}

impl Session {
    pub(super) const fn new(opened: Opened, totals: Option<Measured>) -> Self {
        Self {
            opened,
            totals,
            telling: None,
            listed: None,
        }
    }

    pub(super) fn at(&self, since_start: f64) -> Nanos {
        let run = &self.opened.run;
        let end = run.end().since(run.start());
        Nanos(run.start().0 + (since_start.max(0.0) as u64).min(end))
    }

    fn packet(&self, id: u32) -> Option<PacketId> {
        ((id as usize) < self.opened.journeys.packets.len()).then_some(PacketId(id))
    }

    /// The film with a focus, laid out once.
    fn telling(&mut self, focus: Option<u32>) -> (&Telling, &Replay) {
        let focus = focus.and_then(|id| self.packet(id));
        let replay = &self.opened.replay;
        let first = || Telling::of(replay, focus);
        let telling = self.telling.get_or_insert_with(first);
        telling.turn_to(replay, focus);
        (telling, replay)
    }

    /// The journeys that pass a filter, in order, sought once.
    fn listed(&mut self, query: &Ts<QueryView>) -> Result<(&[PacketId], &Opened), JsError> {
        let opened = &self.opened;
        let query = query.to_rust()?.query(opened.run.start());
        let last = self.listed.take().filter(|(of, _)| *of == query);
        let listed = last.unwrap_or_else(|| (query, opened.journeys.query(&query)));
        let (_, ids) = self.listed.insert(listed);
        Ok((ids, opened))
    }

    fn known(&self, ids: &[u32]) -> Vec<PacketId> {
        ids.iter().filter_map(|&id| self.packet(id)).collect()
    }
}

#[wasm_bindgen]
impl Session {
    /// What the run is and what became of its input.
    pub fn opened(&self) -> Result<Ts<OpenedView>, JsError> {
        Ok(OpenedView::from(&self.opened).into_ts()?)
    }

    /// The state at a moment, packed: the packets' columns, the CPUs', the queues',
    /// the counters, in the order of `web/core/unpack.ts`.
    pub fn frame(&self, time: f64, linger: f64) -> Vec<f64> {
        let frame = self.opened.replay.at(self.at(time), linger.max(0.0) as u64);
        let (packets, cpus, totals) = (&frame.packets, &frame.cpus, &frame.counters);
        let counters = [
            totals.delivered,
            totals.merged,
            totals.dropped,
            totals.transmitted,
            totals.consumed,
            totals.bytes_delivered,
            totals.interrupts,
            totals.polls,
            totals.frames_polled,
            totals.cross_cpu,
            totals.cache_handovers,
        ];
        let columns = Columns::default()
            .push(&[frame.time])
            .push(&packets.packet)
            .push(&packets.piece)
            .push(&packets.station)
            .push(&packets.cpu)
            .push(&packets.context)
            .push(&packets.since)
            .push(&packets.ready)
            .push(&packets.until)
            .push(&packets.next_station)
            .push(&packets.next_cpu)
            .push(&packets.place_cpu)
            .push(&packets.next_place_cpu)
            .push(&packets.queue)
            .push(&packets.next_queue)
            .push(&packets.is_served)
            .push(&packets.bytes)
            .push(&packets.parts)
            .push(&packets.group)
            .push(&packets.group_from)
            .push(&packets.group_to)
            .push(&packets.group_bytes)
            .push(&packets.piece_of)
            .push(&packets.piece_number)
            .push(&packets.piece_count)
            .push(&packets.verdict)
            .push(&packets.drop_reason)
            .push(&packets.merged_into)
            .push(&cpus.context)
            .push(&cpus.pid)
            .push(&cpus.since)
            .push(&cpus.packet)
            .push(&cpus.detail)
            .push(&frame.queue_depth)
            .push(&frame.queue_limit)
            .push(&counters.map(|count| count as f64));
        machine::push(columns, &frame.machine).into_array()
    }

    /// Lanes, queues, drops and rates between two times, packed; of some CPUs alone where
    /// they are named, and then without the queues.
    pub fn lanes(&self, from: f64, to: f64, columns: u32, cpus: Option<Vec<u16>>) -> Vec<f64> {
        let (from, to) = (self.at(from), self.at(to));
        let asked = cpus.map(BTreeSet::from_iter);
        lanes::pack(&self.opened.replay, from, to, columns, asked.as_ref())
    }

    /// The next or previous moment of a kind (`event`, `hop`, `packet`, `drop`): its
    /// time, packet and event; nothing when there is none.
    pub fn step(&self, time: f64, kind: &str, is_forward: bool, packet: Option<u32>) -> Vec<f64> {
        let kind = match kind {
            "event" => StepKind::Event,
            "hop" => StepKind::Hop,
            "packet" => StepKind::Packet,
            _ => StepKind::Drop,
        };
        let replay = &self.opened.replay;
        let packet = packet.and_then(|id| self.packet(id));
        match replay.step(self.at(time), kind, is_forward, packet) {
            None => Vec::new(),
            Some(step) => vec![
                replay.since_start(step.time),
                f64::from(step.packet.0),
                f64::from(step.event.0),
            ],
        }
    }

    /// A page of the journeys that pass a filter, in order: how many pass it, the place of the
    /// packet `of` among them ([`NONE`] if it is not), then `count` of their ids from `from` on.
    pub fn journeys(
        &mut self,
        query: &Ts<QueryView>,
        from: u32,
        count: u32,
        of: Option<u32>,
    ) -> Result<Vec<u32>, JsError> {
        let (ids, _) = self.listed(query)?;
        let place = of.and_then(|of| ids.iter().position(|id| id.0 == of));
        let page = ids.iter().skip(from as usize).take(count as usize);
        let head = [ids.len() as u32, place.map_or(NONE, |place| place as u32)];
        Ok(head.into_iter().chain(page.map(|id| id.0)).collect())
    }

    /// Rows of the table, packed: a column each.
    pub fn journey_rows(&self, ids: &[u32]) -> Vec<f64> {
        let journeys = &self.opened.journeys;
        let ids = self.known(ids);
        let column = |value: &dyn Fn(PacketId) -> f64| -> Vec<f64> {
            ids.iter().map(|&id| value(id)).collect()
        };
        let packet = |id: PacketId| &journeys.packets[id.at()];
        let replay = &self.opened.replay;
        let cpu = |stay: Option<&ringside::journey::Stay>| {
            f64::from(stay.map_or(CpuId::UNKNOWN, |stay| stay.cpu).0)
        };
        Columns::default()
            .push(&column(&|id| f64::from(id.0)))
            .push(&column(&|id| replay.since_start(packet(id).start)))
            .push(&column(&|id| packet(id).end.since(packet(id).start) as f64))
            .push(&column(&|id| journeys.service(id) as f64))
            .push(&column(&|id| journeys.wait(id) as f64))
            .push(&column(&|id| f64::from(packet(id).bytes)))
            .push(&column(&|id| f64::from(packet(id).parts)))
            .push(&column(&|id| f64::from(packet(id).verdict.kind() as u8)))
            .push(&column(&|id| match packet(id).verdict {
                Verdict::Dropped { reason } => f64::from(reason as u8),
                _ => f64::from(u8::MAX),
            }))
            .push(&column(&|id| {
                f64::from(u8::from(packet(id).direction == Direction::Transmit))
            }))
            .push(&column(&|id| f64::from(packet(id).flow.0)))
            .push(&column(&|id| cpu(journeys.stays(id).first())))
            .push(&column(&|id| cpu(journeys.stays(id).last())))
            .into_array()
    }

    /// What packets are called, each by its number.
    pub fn names(&self, ids: &[u32]) -> Vec<String> {
        let journeys = &self.opened.journeys;
        let name = |id| self.packet(id).map(|id| journeys.name(id).to_string());
        ids.iter().map(|&id| name(id).unwrap_or_default()).collect()
    }

    /// The packets that waited longest of those that arrived: for each its number, then the
    /// time at which the wait began, then how long it was.
    pub fn longest_waits(&self, limit: u32) -> Vec<f64> {
        let journeys = &self.opened.journeys;
        let waits = journeys.longest_waits(limit as usize);
        let from = |wait: &ringside::journey::Wait| {
            let stay = wait.stay(journeys);
            self.opened.replay.since_start(stay.leave) - wait.nanos as f64
        };
        let column = |value: &dyn Fn(&ringside::journey::Wait) -> f64| -> Vec<f64> {
            waits.iter().map(value).collect()
        };
        Columns::default()
            .push(&column(&|wait| f64::from(wait.packet.0)))
            .push(&column(&from))
            .push(&column(&|wait| wait.nanos as f64))
            .into_array()
    }

    /// Everything about one journey.
    pub fn journey(&self, packet: u32) -> Result<Ts<JourneyView>, JsError> {
        let Some(id) = self.packet(packet) else {
            return Err(JsError::new(&format!("there is no packet {packet}")));
        };
        Ok(JourneyView::of(&self.opened, id).into_ts()?)
    }

    /// What happened in the run, the most telling first.
    pub fn findings(&self) -> Result<Vec<Ts<FindingView>>, JsError> {
        let found = findings(&self.opened);
        let view = |finding| Ok(FindingView::of(finding, &self.opened).into_ts()?);
        found.iter().map(view).collect()
    }

    /// The measures between two times.
    pub fn measures(&self, from: f64, to: f64) -> Result<Ts<MeasuresView>, JsError> {
        let (from, to) = (self.at(from), self.at(to));
        Ok(MeasuresView::of(&self.opened, from, to).into_ts()?)
    }

    /// Of the packets that pass a filter every which one is looked at, so that there are `most`
    /// at most; then for each hop between the 2005 toolkit's probes its two ids, those of them
    /// that made it, and how long they took, packed.
    pub fn layer_times(&mut self, query: &Ts<QueryView>, most: u32) -> Result<Vec<f64>, JsError> {
        let (ids, opened) = self.listed(query)?;
        let every = ids.len().div_ceil(most.max(1) as usize).max(1);
        let ids: Vec<PacketId> = ids.iter().copied().step_by(every).collect();
        let layers = measure::layer_times(&opened.replay, &ids);
        let head = Columns::default().push(&[every as f64]);
        let packed = layers.iter().fold(head, |packed, times| {
            packed
                .push(&[times.hop.from, times.hop.to])
                .push(&times.packet)
                .push(&times.nanos)
        });
        Ok(packed.into_array())
    }

    /// The run as film, packed: the packet it opens with and where, the pieces, the actors.
    pub fn told(&mut self, focus: Option<u32>) -> Vec<f64> {
        let (telling, replay) = self.telling(focus);
        telling.packed(replay)
    }

    /// What some beats of the told film say, by their places in it.
    pub fn said(
        &mut self,
        focus: Option<u32>,
        from: u32,
        count: u32,
    ) -> Result<Vec<Ts<SaidView>>, JsError> {
        let (telling, replay) = self.telling(focus);
        let said = telling.said(replay, from, count).into_iter();
        said.map(|view| Ok(view.into_ts()?)).collect()
    }

    /// A stretch of the list of events, packed: a column each.
    pub fn events(&self, from: u32, count: u32) -> Vec<f64> {
        let (run, journeys) = (&self.opened.run, &self.opened.journeys);
        let events = self.stretch(from, count);
        let column = |value: &dyn Fn(EventIdx) -> f64| -> Vec<f64> {
            events.iter().map(|&index| value(index)).collect()
        };
        Columns::default()
            .push(&[run.len() as f64])
            .push(&column(&|index| f64::from(index.0)))
            .push(&column(&|index| {
                self.opened.replay.since_start(run.time(index))
            }))
            .push(&column(&|index| f64::from(run.probe[index.at()] as u8)))
            .push(&column(&|index| f64::from(run.cpu[index.at()].0)))
            .push(&column(&|index| f64::from(run.context[index.at()] as u8)))
            .push(&column(&|index| {
                f64::from(journeys.packet_of[index.at()].0)
            }))
            .into_array()
    }

    /// The fields of the events of that stretch, in words.
    pub fn event_details(&self, from: u32, count: u32) -> Vec<String> {
        let run = &self.opened.run;
        self.stretch(from, count)
            .into_iter()
            .map(|index| fields_in_words(run, index))
            .collect()
    }
}

impl Session {
    fn stretch(&self, from: u32, count: u32) -> Vec<EventIdx> {
        let end = from.saturating_add(count).min(self.opened.run.len() as u32);
        (from..end).map(EventIdx).collect()
    }
}

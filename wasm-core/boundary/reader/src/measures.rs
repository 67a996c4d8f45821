//! Measures of a stretch of the run, and layer times by packet.

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use super::machine::MachineMeasuresView;
use super::opened::DropCount;
use super::session::Session;
use ringside::kernel::Nanos;
use ringside::measure::{self, LayerMeasure, accounting};
use ringside::opened::Opened;

/// What was measured between two times.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MeasuresView {
    from: f64,
    to: f64,
    layers: Vec<LayerView>,
    /// Undefined where packets were read and the payload of none was recorded.
    #[tsify(type = "number | undefined")]
    bytes_delivered: Option<f64>,
    packets_delivered: f64,
    drops: Vec<DropCount>,
    #[tsify(type = "number | undefined")]
    interrupts: Option<f64>,
    #[tsify(type = "number | undefined")]
    polls: Option<f64>,
    #[tsify(type = "number | undefined")]
    frames_polled: Option<f64>,
    cross_cpu: f64,
    time_by_context: Vec<CpuTimesView>,
    queues: Vec<QueueUseView>,
    machine: MachineMeasuresView,
}

/// The time that packets took at one layer.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LayerView {
    name: String,
    #[tsify(type = "'kperf' | 'station'")]
    kind: &'static str,
    count: f64,
    mean: f64,
    median: f64,
    p95: f64,
    p99: f64,
    trimmed_mean: f64,
    service: f64,
    wait: f64,
}

/// What a CPU spent its time on, by context.
#[derive(Debug, Serialize, Tsify)]
pub struct CpuTimesView {
    cpu: u16,
    nanos: Vec<f64>,
}

/// How full a queue was.
#[derive(Debug, Serialize, Tsify)]
pub struct QueueUseView {
    queue: usize,
    max: u32,
    mean: f64,
}

/// The 2005 report's three ways to account socket-layer time.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SocketTimeView {
    last_only: f64,
    both_segments: f64,
    less_other_layers: f64,
}

impl MeasuresView {
    /// The measures between two times.
    pub fn of(opened: &Opened, from: Nanos, to: Nanos) -> Self {
        let measures = measure::Measures::of(&opened.replay, from, to);
        let (counters, recorded) = (&measures.counters, measures.recorded);
        Self {
            from: opened.replay.since_start(measures.from),
            to: opened.replay.since_start(measures.to),
            layers: measures.layers.iter().map(LayerView::from).collect(),
            bytes_delivered: (counters.delivered == 0
                || counters.unsized_delivered < counters.delivered)
                .then_some(counters.bytes_delivered as f64),
            packets_delivered: counters.delivered as f64,
            drops: measures
                .drops
                .iter()
                .map(|&(reason, count)| DropCount {
                    reason: reason.name(),
                    count,
                })
                .collect(),
            interrupts: recorded.interrupts.then_some(counters.interrupts as f64),
            polls: recorded.polls.then_some(counters.polls as f64),
            frames_polled: recorded.frames.then_some(counters.frames_polled as f64),
            cross_cpu: counters.cross_cpu as f64,
            time_by_context: measures
                .time_by_context
                .iter()
                .map(|(cpu, times)| CpuTimesView {
                    cpu: cpu.0,
                    nanos: times.iter().map(|&nanos| nanos as f64).collect(),
                })
                .collect(),
            queues: measures
                .queues
                .iter()
                .enumerate()
                .map(|(queue, measure)| QueueUseView {
                    queue,
                    max: measure.max,
                    mean: measure.mean,
                })
                .collect(),
            machine: MachineMeasuresView::of(&opened.replay, &measures.machine),
        }
    }
}

impl From<&LayerMeasure> for LayerView {
    fn from(measure: &LayerMeasure) -> Self {
        let times = &measure.times;
        Self {
            name: measure.layer.to_string(),
            kind: match measure.layer {
                measure::Layer::Hop(_) => "kperf",
                measure::Layer::Station(_) => "station",
            },
            count: times.count as f64,
            mean: times.mean,
            median: times.median as f64,
            p95: times.p95 as f64,
            p99: times.p99 as f64,
            trimmed_mean: times.trimmed_mean,
            service: measure.service as f64,
            wait: measure.wait as f64,
        }
    }
}

impl From<&accounting::SocketTime> for SocketTimeView {
    fn from(time: &accounting::SocketTime) -> Self {
        Self {
            last_only: time.last_only as f64,
            both_segments: time.both_segments.first().copied().unwrap_or(0) as f64,
            less_other_layers: time.less_other_layers as f64,
        }
    }
}

#[wasm_bindgen]
impl Session {
    /// Where the probe with this number is passed at a time or after it, or else for the first
    /// time: how often in all, which of these it is (from 1), the event, its time, its packet.
    /// Only how often, 0, where it is never passed.
    pub fn next_pass(&self, probe: u8, time: f64) -> Vec<f64> {
        let run = &self.opened.run;
        let Some(pass) = measure::next_pass(run, probe, self.at(time)) else {
            return vec![0.0];
        };
        let packet = self.opened.journeys.packet_of[pass.event.at()];
        let since = self.opened.replay.since_start(run.time(pass.event));
        let (count, number) = (pass.count as f64, pass.number as f64);
        vec![
            count,
            number,
            f64::from(pass.event.0),
            since,
            f64::from(packet.0),
        ]
    }
}

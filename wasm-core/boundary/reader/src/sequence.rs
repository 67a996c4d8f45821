//! The time-sequence graph of a flow for the page.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::journey::FlowId;
use ringside::kernel::Nanos;
use ringside::sequence::{End, Kind, Level, Segment, Sequence, of_connection};

/// A graph. Times are nanoseconds since the run's start, places bytes since the connection's first.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SequenceView {
    /// Whose data it is; none where no flow has sequence numbers.
    #[tsify(type = "number | undefined")]
    flow: Option<u32>,
    /// Segments in all of the run.
    total: usize,
    /// Of them sent again or late.
    repaired: usize,
    #[tsify(type = "('link' | 'sender' | 'receiver')[]")]
    ends: Vec<&'static str>,
    #[tsify(type = "'link' | 'sender' | 'receiver'")]
    end: &'static str,
    /// The sequence number that counts as 0.
    first: u32,
    segments: Vec<SegmentView>,
    acked: Vec<LevelView>,
    window: Vec<LevelView>,
    sacks: Vec<SackView>,
    cwnd: Vec<LevelView>,
    ssthresh: Vec<LevelView>,
    srtt: Vec<LevelView>,
}

/// A bar.
#[derive(Debug, Serialize, Tsify)]
pub struct SegmentView {
    at: f64,
    packet: u32,
    from: f64,
    to: f64,
    #[tsify(type = "'new' | 'again' | 'late'")]
    kind: &'static str,
    segments: u32,
}

/// A value from a time on.
#[derive(Debug, Serialize, Tsify)]
pub struct LevelView {
    at: f64,
    value: f64,
}

/// A block beyond what is acknowledged.
#[derive(Debug, Serialize, Tsify)]
pub struct SackView {
    at: f64,
    from: f64,
    to: f64,
}

impl SequenceView {
    fn new(graph: &Sequence, flow: FlowId, whole: &[Segment], start: Nanos) -> Self {
        let since = |at: Nanos| at.since(start) as f64;
        let places = |levels: &[Level<i64>]| {
            let view = |level: &Level<i64>| (level.at, level.value as f64);
            levels
                .iter()
                .map(view)
                .map(|(at, value)| LevelView {
                    at: since(at),
                    value,
                })
                .collect()
        };
        let counts = |levels: &[Level<u32>]| {
            let view = |level: &Level<u32>| (level.at, level.value.into());
            levels
                .iter()
                .map(view)
                .map(|(at, value)| LevelView {
                    at: since(at),
                    value,
                })
                .collect()
        };
        let segments = graph.segments.iter().map(|segment| SegmentView {
            at: since(segment.at),
            packet: segment.packet.0,
            from: segment.from as f64,
            to: segment.to as f64,
            kind: segment.kind.name(),
            segments: segment.segments,
        });
        let sacks = graph.sacks.iter().map(|sack| SackView {
            at: since(sack.at),
            from: sack.from as f64,
            to: sack.to as f64,
        });
        Self {
            flow: (flow != FlowId::NONE).then_some(flow.0),
            total: whole.len(),
            repaired: whole
                .iter()
                .filter(|segment| segment.kind != Kind::New)
                .count(),
            ends: graph.ends.iter().map(|end| end.name()).collect(),
            end: graph.end.name(),
            first: graph.first,
            segments: segments.collect(),
            acked: places(&graph.acked),
            window: places(&graph.window),
            sacks: sacks.collect(),
            cwnd: counts(&graph.sender.cwnd),
            ssthresh: counts(&graph.sender.ssthresh),
            srtt: counts(&graph.sender.srtt),
        }
    }
}

#[wasm_bindgen]
impl Session {
    /// The time-sequence graph of a connection's data from an end (`link`, `sender`, `receiver`; any other: the
    /// one that sees most) between two times, with no more than can be told apart in so many columns. Of the
    /// busiest flow where none is named; `is_turned` shows the way that has less data.
    pub fn sequence(
        &self,
        flow: Option<u32>,
        is_turned: bool,
        end: &str,
        from: f64,
        to: f64,
        columns: u32,
    ) -> Result<Ts<SequenceView>, JsError> {
        let (run, journeys) = (&self.opened.run, &self.opened.journeys);
        let (flow, end) = (flow.map(FlowId), End::from_name(end));
        let (flow, graph) = of_connection(run, journeys, flow, is_turned, end);
        let shown = graph.within(self.at(from), self.at(to), columns);
        Ok(SequenceView::new(&shown, flow, &graph.segments, run.start()).into_ts()?)
    }
}

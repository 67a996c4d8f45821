//! What the page is told when a run is open.

use std::collections::BTreeMap;

use serde::Serialize;
use tsify::Tsify;

use super::machine::MachineView;
use boundary_saying::SayingView;
use ringside::import::{Format, Ledger, Line, Tally};
use ringside::journey::Journeys;
use ringside::kernel::{CpuId, Origin, Pid, Verdict, VerdictKind};
use ringside::opened::Opened;
use ringside::replay::{Queue, QueueKey, Replay, Visit, sockets};
use ringside::wire::Attachment;

/// A run and what became of its input.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct OpenedView {
    #[tsify(type = "'recorded' | 'simulated'")]
    origin: &'static str,
    #[tsify(type = "string | undefined")]
    format: Option<&'static str>,
    fingerprint: String,
    metadata: Vec<(String, String)>,
    events: usize,
    duration: f64,
    starts_at: f64,
    cpus: Vec<u16>,
    queues: Vec<QueueView>,
    visits: Vec<VisitView>,
    machine: MachineView,
    tasks: Vec<TaskView>,
    flows: Vec<String>,
    has_sequences: bool,
    sockets: Vec<SocketView>,
    journeys: Counts,
    drops: Vec<DropCount>,
    #[tsify(type = "WireView | undefined")]
    wire: Option<WireView>,
    ledger: LedgerView,
}

/// How a capture of the link was fitted to the trace.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct WireView {
    offset_nanos: f64,
    is_estimated: bool,
    matched_rx: f64,
    matched_tx: f64,
    unmatched_rx: f64,
    unmatched_tx: f64,
    dropped_by_nic: f64,
    notes: Vec<SayingView>,
}

/// How many journeys ended in each way.
#[derive(Debug, Default, Serialize, Tsify)]
pub struct Counts {
    total: usize,
    delivered: usize,
    merged: usize,
    dropped: usize,
    transmitted: usize,
    consumed: usize,
    open: usize,
}

/// A reason and how many packets were dropped for it.
#[derive(Debug, Serialize, Tsify)]
pub struct DropCount {
    pub reason: &'static str,
    pub count: u64,
}

/// A queue.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct QueueView {
    kind: u8,
    label: String,
    cpu: u16,
    /// The CPU with which it is drawn.
    home: u16,
    /// The task that reads from it; none where that is not known.
    reader: u32,
    unit: &'static str,
    max_depth: u32,
    /// The largest limit of the run; 0 where none is known.
    limit: u32,
}

/// How much a station of a CPU is used in the run.
#[derive(Debug, Serialize, Tsify)]
pub struct VisitView {
    station: u8,
    cpu: u16,
    stays: u32,
    drops: u32,
    crossings: u32,
}

/// A task and its command.
#[derive(Debug, Serialize, Tsify)]
pub struct TaskView {
    pid: u32,
    comm: String,
}

/// The ledger.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LedgerView {
    total: f64,
    understood: f64,
    skipped: f64,
    unknown: f64,
    malformed: f64,
    lost_markers: f64,
    left_out: f64,
    lost_events: f64,
    lost_by_cpu: Vec<LostView>,
    skipped_by_name: Vec<TallyView>,
    unknown_by_name: Vec<TallyView>,
    malformed_reasons: Vec<ReasonView>,
    malformed_lines: Vec<MalformedView>,
    warnings: Vec<SayingView>,
}

/// A socket by the number that the table filters by.
#[derive(Debug, Serialize, Tsify)]
pub struct SocketView {
    id: u32,
    label: String,
}

/// Events lost on a CPU.
#[derive(Debug, Serialize, Tsify)]
pub struct LostView {
    cpu: u16,
    events: f64,
}

/// How many lines could not be read for a reason.
#[derive(Debug, Serialize, Tsify)]
pub struct ReasonView {
    why: String,
    count: f64,
}

/// How often a kind of line came.
#[derive(Debug, Serialize, Tsify)]
pub struct TallyView {
    name: String,
    count: f64,
    lines: Vec<LineView>,
}

/// A line of the input.
#[derive(Debug, Serialize, Tsify)]
pub struct LineView {
    number: f64,
    text: String,
}

/// A line that could not be read.
#[derive(Debug, Serialize, Tsify)]
pub struct MalformedView {
    number: f64,
    text: String,
    why: String,
}

impl From<&Opened> for OpenedView {
    fn from(opened: &Opened) -> Self {
        let run = &opened.run;
        Self {
            origin: match run.origin {
                Origin::Recorded => "recorded",
                Origin::Simulated => "simulated",
            },
            format: opened.format.map(Format::name),
            fingerprint: format!("{:016x}", run.fingerprint()),
            metadata: run.metadata.clone().into_iter().collect(),
            events: run.len(),
            duration: run.end().since(run.start()) as f64,
            starts_at: run.start().0 as f64,
            cpus: run.cpus().iter().map(|cpu| cpu.0).collect(),
            queues: queues(&opened.replay),
            visits: opened
                .replay
                .places
                .visits
                .iter()
                .map(VisitView::from)
                .collect(),
            machine: MachineView::of(&opened.replay),
            tasks: run
                .comm
                .iter()
                .map(|(pid, &comm)| TaskView {
                    pid: pid.0,
                    comm: run.names.text(comm).to_owned(),
                })
                .collect(),
            has_sequences: opened
                .journeys
                .packets
                .iter()
                .any(|packet| packet.seq.is_some()),
            flows: opened
                .journeys
                .flows
                .iter()
                .map(ToString::to_string)
                .collect(),
            sockets: sockets(run, &opened.journeys)
                .into_iter()
                .map(|(sk, label)| SocketView { id: sk.0, label })
                .collect(),
            journeys: Counts::of(&opened.journeys),
            drops: drops(&opened.journeys),
            wire: opened
                .wire
                .as_ref()
                .map(|wire| WireView::of(&wire.attachment, &opened.journeys)),
            ledger: LedgerView::of(&opened.ledger, &opened.journeys),
        }
    }
}

impl WireView {
    fn of(wire: &Attachment, journeys: &Journeys) -> Self {
        let said = |note| SayingView::of(note, journeys);
        Self {
            offset_nanos: wire.offset_ns as f64,
            is_estimated: wire.is_estimated,
            matched_rx: wire.matched_rx as f64,
            matched_tx: wire.matched_tx as f64,
            unmatched_rx: wire.unmatched_rx as f64,
            unmatched_tx: wire.unmatched_tx as f64,
            dropped_by_nic: wire.dropped_by_nic as f64,
            notes: wire.notes.iter().map(said).collect(),
        }
    }
}

impl Counts {
    fn of(journeys: &Journeys) -> Self {
        Self {
            total: journeys.packets.len(),
            delivered: journeys.count(VerdictKind::Delivered),
            merged: journeys.count(VerdictKind::Merged),
            dropped: journeys.count(VerdictKind::Dropped),
            transmitted: journeys.count(VerdictKind::Transmitted),
            consumed: journeys.count(VerdictKind::Consumed),
            open: journeys.count(VerdictKind::Open),
        }
    }
}

fn drops(journeys: &Journeys) -> Vec<DropCount> {
    let mut counts = BTreeMap::new();
    for packet in &journeys.packets {
        if let Verdict::Dropped { reason } = packet.verdict {
            *counts.entry(reason.name()).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .map(|(reason, count)| DropCount { reason, count })
        .collect()
}

fn queues(replay: &Replay) -> Vec<QueueView> {
    let places = &replay.places;
    let view = |(queue, (home, reader)): (&Queue, (&CpuId, &Pid))| QueueView {
        kind: queue.kind as u8,
        label: queue.label.clone(),
        cpu: match queue.key {
            QueueKey::Cpu(cpu) => cpu.0,
            QueueKey::None | QueueKey::Device(_) | QueueKey::Socket(_) => CpuId::UNKNOWN.0,
        },
        home: home.0,
        reader: reader.0,
        unit: queue.unit,
        max_depth: queue.max_depth(),
        limit: queue.limit.iter().copied().max().unwrap_or(0),
    };
    let whose = places.home.iter().zip(&places.reader);
    replay.queues.iter().zip(whose).map(view).collect()
}

impl From<&Visit> for VisitView {
    fn from(visit: &Visit) -> Self {
        Self {
            station: visit.station as u8,
            cpu: visit.cpu.0,
            stays: visit.stays,
            drops: visit.drops,
            crossings: visit.crossings,
        }
    }
}

impl LedgerView {
    fn of(ledger: &Ledger, journeys: &Journeys) -> Self {
        let said = |warning| SayingView::of(warning, journeys);
        Self {
            total: ledger.total() as f64,
            understood: ledger.understood as f64,
            skipped: ledger.skipped_lines() as f64,
            unknown: ledger.unknown_lines() as f64,
            malformed: ledger.malformed as f64,
            lost_markers: ledger.lost_markers as f64,
            left_out: ledger.left_out as f64,
            lost_events: ledger.lost() as f64,
            lost_by_cpu: ledger
                .lost_events
                .iter()
                .map(|(cpu, &events)| LostView {
                    cpu: cpu.0,
                    events: events as f64,
                })
                .collect(),
            skipped_by_name: ledger.skipped.iter().map(tally).collect(),
            unknown_by_name: ledger.unknown.iter().map(tally).collect(),
            malformed_reasons: ledger.malformed_reasons.iter().map(reason).collect(),
            malformed_lines: ledger
                .malformed_kept
                .iter()
                .map(|malformed| MalformedView {
                    number: malformed.line.number as f64,
                    text: malformed.line.text.clone(),
                    why: malformed.why.clone(),
                })
                .collect(),
            warnings: ledger.warnings.iter().map(said).collect(),
        }
    }
}

fn reason((why, &count): (&String, &u64)) -> ReasonView {
    ReasonView {
        why: why.clone(),
        count: count as f64,
    }
}

fn tally((name, tally): (&String, &Tally)) -> TallyView {
    let line = |line: &Line| LineView {
        number: line.number as f64,
        text: line.text.clone(),
    };
    TallyView {
        name: name.clone(),
        count: tally.count as f64,
        lines: tally.kept.iter().map(line).collect(),
    }
}

//! One journey and the table's questions, as the page sees them.

use serde::{Deserialize, Serialize};
use tsify::Tsify;

use super::measures::SocketTimeView;
use boundary_saying::SayingView;
use ringside::export::fields_in_words;
use ringside::journey::{self, FlowId, Query, Sort};
use ringside::kernel::{
    AddrId, CpuId, Direction, DropReason, Nanos, PacketId, Station, Verdict, VerdictKind,
};
use ringside::measure::accounting;
use ringside::opened::Opened;

/// What the table shows and in which order.
#[derive(Debug, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct QueryView {
    #[tsify(
        type = "'start' | 'duration' | 'wait' | 'service' | 'bytes' | 'verdict' | 'flow' | 'cpus'"
    )]
    sort: String,
    is_descending: bool,
    #[tsify(optional)]
    flow: Option<u32>,
    #[tsify(optional)]
    socket: Option<u32>,
    #[tsify(optional)]
    cpu: Option<u16>,
    #[tsify(optional)]
    station: Option<u8>,
    #[tsify(
        optional,
        type = "'delivered' | 'merged' | 'dropped' | 'transmitted' | 'consumed' | 'open'"
    )]
    verdict: Option<String>,
    #[tsify(optional)]
    drop_reason: Option<u8>,
    #[tsify(optional, type = "'rx' | 'tx'")]
    direction: Option<String>,
    #[tsify(optional)]
    min_duration: Option<f64>,
    #[tsify(optional)]
    max_duration: Option<f64>,
    #[tsify(optional)]
    from: Option<f64>,
    #[tsify(optional)]
    to: Option<f64>,
}

impl QueryView {
    /// The same for the core; a word that it does not know filters nothing.
    pub fn query(&self, start: Nanos) -> Query {
        let time = |since: f64| Nanos(start.0 + since.max(0.0) as u64);
        Query {
            sort: match self.sort.as_str() {
                "duration" => Sort::Duration,
                "wait" => Sort::Wait,
                "service" => Sort::Service,
                "bytes" => Sort::Bytes,
                "verdict" => Sort::Verdict,
                "flow" => Sort::Flow,
                "cpus" => Sort::Cpus,
                _ => Sort::Start,
            },
            is_descending: self.is_descending,
            flow: self.flow.map(FlowId),
            sk: self.socket.map(AddrId),
            cpu: self.cpu.map(CpuId),
            station: self.station.and_then(Station::from_index),
            verdict: self.verdict.as_deref().and_then(VerdictKind::from_name),
            reason: self.drop_reason.and_then(DropReason::from_index),
            direction: self.direction.as_deref().map(|way| {
                if way == "tx" {
                    Direction::Transmit
                } else {
                    Direction::Receive
                }
            }),
            min_duration: self.min_duration.map(|nanos| nanos as u64),
            max_duration: self.max_duration.map(|nanos| nanos as u64),
            from: self.from.map(time),
            to: self.to.map(time),
        }
    }
}

/// Everything about one journey.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct JourneyView {
    packet: u32,
    name: String,
    label: SayingView,
    #[tsify(type = "'rx' | 'tx'")]
    direction: &'static str,
    start: f64,
    end: f64,
    bytes: u32,
    payload: u32,
    parts: u32,
    flow: String,
    ending: SayingView,
    #[tsify(type = "'delivered' | 'merged' | 'dropped' | 'transmitted' | 'consumed' | 'open'")]
    verdict: &'static str,
    drop_reason: u8,
    merged_into: u32,
    cut_from: u32,
    merged_into_name: String,
    cut_from_name: String,
    part_packets: Vec<u32>,
    part_names: Vec<String>,
    #[tsify(type = "number | undefined")]
    longest_wait: Option<u32>,
    #[tsify(type = "MarkView | undefined")]
    mark: Option<MarkView>,
    service: f64,
    wait: f64,
    stays: Vec<StayView>,
    events: Vec<EventView>,
    #[tsify(type = "SocketTimeView | undefined")]
    socket_time: Option<SocketTimeView>,
}

/// The payload's marker.
#[derive(Debug, Serialize, Tsify)]
pub struct MarkView {
    thread: u32,
    packet: u32,
}

/// A stay.
#[derive(Debug, Serialize, Tsify)]
pub struct StayView {
    station: u8,
    cpu: u16,
    context: u8,
    piece: u32,
    enter: f64,
    leave: f64,
    service: f64,
    wait: f64,
}

/// An event of a journey.
#[derive(Debug, Serialize, Tsify)]
pub struct EventView {
    event: u32,
    time: f64,
    probe: u8,
    cpu: u16,
    context: u8,
    task: String,
    line: u32,
    details: String,
}

impl JourneyView {
    /// The journey of a packet.
    pub fn of(opened: &Opened, id: PacketId) -> Self {
        let (run, journeys) = (&opened.run, &opened.journeys);
        let since = |time: Nanos| opened.replay.since_start(time);
        let packet = &journeys.packets[id.at()];
        let (mut drop_reason, mut merged_into) = (u8::MAX, PacketId::NONE);
        match packet.verdict {
            Verdict::Dropped { reason } => drop_reason = reason as u8,
            Verdict::Merged { into } => merged_into = into,
            Verdict::Delivered { .. }
            | Verdict::Transmitted
            | Verdict::Consumed
            | Verdict::Open => {}
        }
        let merged = opened.replay.growth.parts_of(id);
        let parts: Vec<PacketId> = merged
            .chain(journeys.cut_into(id).iter().copied())
            .collect();
        Self {
            packet: id.0,
            name: journeys.name(id).to_string(),
            label: SayingView::of(&journey::words::label(run, journeys, id), journeys),
            direction: packet.direction.name(),
            start: since(packet.start),
            end: since(packet.end),
            bytes: packet.bytes,
            payload: packet.payload,
            parts: packet.parts,
            flow: journeys
                .flow(packet.flow)
                .map(ToString::to_string)
                .unwrap_or_default(),
            ending: SayingView::of(&journey::words::ended(journeys, id), journeys),
            verdict: packet.verdict.kind().name(),
            drop_reason,
            merged_into: merged_into.0,
            cut_from: packet.cut_from.0,
            merged_into_name: name_of(journeys, merged_into),
            cut_from_name: name_of(journeys, packet.cut_from),
            part_packets: parts.iter().map(|part| part.0).collect(),
            part_names: parts.iter().map(|&part| name_of(journeys, part)).collect(),
            longest_wait: journeys.longest_wait(id).map(|wait| wait.at),
            mark: packet.mark.map(|mark| MarkView {
                thread: mark.thread,
                packet: mark.packet,
            }),
            service: journeys.service(id) as f64,
            wait: journeys.wait(id) as f64,
            stays: journeys
                .stays(id)
                .iter()
                .map(|stay| StayView {
                    station: stay.station as u8,
                    cpu: stay.cpu.0,
                    context: stay.context as u8,
                    piece: stay.piece,
                    enter: since(stay.enter),
                    leave: since(stay.leave),
                    service: stay.service as f64,
                    wait: stay.wait() as f64,
                })
                .collect(),
            events: journeys
                .events(id)
                .iter()
                .map(|&index| {
                    let event = run.event(index);
                    EventView {
                        event: index.0,
                        time: since(event.time),
                        probe: event.probe as u8,
                        cpu: event.cpu.0,
                        context: event.context as u8,
                        task: task(opened, event.pid),
                        line: event.line,
                        details: fields_in_words(run, index),
                    }
                })
                .collect(),
            socket_time: accounting::of(&opened.replay, id)
                .as_ref()
                .map(SocketTimeView::from),
        }
    }
}

fn name_of(journeys: &journey::Journeys, packet: PacketId) -> String {
    if packet.is_some() {
        journeys.name(packet).to_string()
    } else {
        String::new()
    }
}

fn task(opened: &Opened, pid: ringside::kernel::Pid) -> String {
    match opened.run.comm(pid) {
        Some(comm) => format!("{comm}-{}", pid.0),
        None if pid == ringside::kernel::Pid::UNKNOWN => String::new(),
        None if pid == ringside::kernel::Pid::IDLE => "idle".to_owned(),
        None => format!("pid {}", pid.0),
    }
}

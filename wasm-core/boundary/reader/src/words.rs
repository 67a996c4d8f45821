//! The glossary as the page reads it: lists in the order of the vocabulary, so that
//! an index in a column is a place in a list.

use serde::Serialize;
use tsify::Tsify;

use ringside::glossary::{self, Entry};
use ringside::kernel::{Context, Direction, DropReason, Probe, QueueKind, Station, VerdictKind};

/// All words with their explanations.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Glossary {
    stations: Vec<StationWord>,
    probes: Vec<ProbeWord>,
    contexts: Vec<Word>,
    queues: Vec<QueueWord>,
    verdicts: Vec<Word>,
    drop_reasons: Vec<Word>,
}

/// A word and what it means.
#[derive(Debug, Serialize, Tsify)]
pub struct Word {
    name: &'static str,
    sentence: &'static str,
    function: &'static str,
    version: &'static str,
}

/// A station.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct StationWord {
    name: &'static str,
    sentence: &'static str,
    function: &'static str,
    version: &'static str,
    #[tsify(type = "'rx' | 'tx'")]
    direction: &'static str,
    is_queue: bool,
}

/// A probe and the station to which it brings a packet, 255 for none.
#[derive(Debug, Serialize, Tsify)]
pub struct ProbeWord {
    name: &'static str,
    sentence: &'static str,
    function: &'static str,
    version: &'static str,
    station: u8,
}

/// A kind of queue.
#[derive(Debug, Serialize, Tsify)]
pub struct QueueWord {
    name: &'static str,
    sentence: &'static str,
    function: &'static str,
    version: &'static str,
    unit: &'static str,
}

impl Glossary {
    /// The glossary of this version of the core.
    pub fn all() -> Self {
        Self {
            stations: Station::ALL
                .iter()
                .map(|&station| station_word(station))
                .collect(),
            probes: Probe::ALL.iter().map(|&probe| probe_word(probe)).collect(),
            contexts: Context::ALL
                .iter()
                .map(|&context| word(context.name(), glossary::context(context)))
                .collect(),
            queues: QueueKind::ALL
                .iter()
                .map(|&kind| queue_word(kind))
                .collect(),
            verdicts: VerdictKind::ALL
                .iter()
                .map(|&kind| word(kind.name(), glossary::verdict(kind)))
                .collect(),
            drop_reasons: DropReason::ALL
                .iter()
                .map(|&reason| word(reason.name(), glossary::drop_reason(reason)))
                .collect(),
        }
    }
}

const fn word(name: &'static str, entry: Entry) -> Word {
    Word {
        name,
        sentence: entry.sentence,
        function: entry.function,
        version: entry.version,
    }
}

fn station_word(station: Station) -> StationWord {
    let entry = glossary::station(station);
    StationWord {
        name: station.name(),
        sentence: entry.sentence,
        function: entry.function,
        version: entry.version,
        direction: Direction::name(station.direction()),
        is_queue: station.is_queue(),
    }
}

fn probe_word(probe: Probe) -> ProbeWord {
    let entry = glossary::probe(probe);
    ProbeWord {
        name: probe.name(),
        sentence: entry.sentence,
        function: entry.function,
        version: entry.version,
        station: probe.station().map_or(u8::MAX, |station| station as u8),
    }
}

fn queue_word(kind: QueueKind) -> QueueWord {
    let entry = glossary::queue(kind);
    QueueWord {
        name: kind.name(),
        sentence: entry.sentence,
        function: entry.function,
        version: entry.version,
        unit: kind.unit(),
    }
}

//! Every bundled recording and every shipped scenario's run, written as kperf 2 and as ftrace
//! text and imported again: the same events, journeys and measures. And a simulated run's
//! packets end, or wait where packets wait.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ringside::export;
use ringside::import::{Format, Import, Imported};
use ringside::journey;
use ringside::kernel::{Station, Verdict, VerdictKind};
use ringside::measure::Measures;
use ringside::opened::Opened;
use ringside::run::Run;
use sim::config::catalogue::Catalogue;
use sim::engine::simulate;

use crate::shipped;

/// Long enough for all that a scenario shows to have begun.
const LONGEST_US: u64 = 40_000;

/// A way to write a run, and the format that it then has.
type Writer = (fn(&Run, &mut dyn Write) -> io::Result<()>, Format);

const WRITERS: [Writer; 2] = [
    (export::kperf2, Format::Kperf2),
    (export::ftrace, Format::Ftrace),
];

fn recordings() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let entries = std::fs::read_dir(traces).expect("the traces are beside the core");
    let traces = entries.map(|entry| entry.expect("a folder can be listed").path());
    let traces = traces.map(|folder| folder.join("trace.txt.gz"));
    let mut found: Vec<PathBuf> = traces.filter(|trace| trace.exists()).collect();
    found.sort();
    found
}

fn import(bytes: &[u8]) -> Imported {
    let mut import = Import::new();
    import.push(bytes);
    import.finish().expect("it imports")
}

/// The run in every format, imported again.
fn written(run: &Run) -> Vec<Imported> {
    let again = |&(write, format): &Writer| {
        let mut text = Vec::new();
        write(run, &mut text).expect("a vector takes any bytes");
        let again = import(&text);
        assert_eq!(again.format, format);
        again
    };
    WRITERS.iter().map(again).collect()
}

/// Every journey as golden files show them.
fn journeys(opened: &Opened) -> Vec<String> {
    let picture = |id| journey::picture(&opened.run, &opened.journeys, id);
    opened.journeys.ids().map(picture).collect()
}

fn measures(opened: &Opened) -> Measures {
    Measures::of(&opened.replay, opened.run.start(), opened.run.end())
}

/// Holds the run that was written and read against the first one, in both formats; `lost`
/// events were told to be missing.
fn assert_same(name: &str, run: Run, lost: u64) {
    let formats = written(&run);
    let first = Opened::from(run);
    assert!(!first.journeys.packets.is_empty(), "{name}");
    let (journeys_of_first, measures_of_first) = (journeys(&first), measures(&first));
    for again in formats {
        let name = format!("{name}, {:?}", again.format);
        assert_eq!(again.run.fingerprint(), first.run.fingerprint(), "{name}");
        assert_eq!(again.run.origin, first.run.origin, "{name}");
        assert_eq!(again.run.metadata, first.run.metadata, "{name}");
        assert_eq!(again.ledger.malformed_kept, vec![], "{name}");
        assert!(again.ledger.unknown.is_empty(), "{name}");
        assert!(again.ledger.warnings.is_empty(), "{name}");
        assert_eq!(again.ledger.lost(), lost, "{name}");
        let again = Opened::from(again);
        assert_eq!(journeys(&again), journeys_of_first, "{name}");
        assert_eq!(measures(&again), measures_of_first, "{name}");
    }
}

#[test]
fn a_shipped_scenario_is_the_same_run_after_both_formats() {
    let catalogue = Catalogue::shipped().expect("it comes with the program");
    for shipped in catalogue.scenarios() {
        let mut scenario = shipped.scenario.clone();
        scenario.duration_us = scenario.duration_us.min(LONGEST_US);
        scenario.warmup_us = None;
        let simulated = simulate(&scenario, &catalogue, true).expect("it runs");
        let run = simulated.run.expect("it was recorded");
        assert_same(&shipped.name, run, 0);
    }
}

#[test]
fn a_bundled_recording_is_the_same_run_after_both_formats() {
    let recordings = recordings();
    assert!(!recordings.is_empty());
    for trace in recordings {
        let first = import(&std::fs::read(&trace).expect("the file was seen"));
        let name = trace.display().to_string();
        let lost = first.ledger.lost();
        assert_same(&name, first.run, lost);
    }
}

/// What a packet may still be doing when its last event is this long before the end, in ns.
const UNDER_WAY: u64 = 500_000;

#[test]
fn a_packet_of_a_shipped_scenario_ends_or_waits_and_has_a_flow() {
    for simulated in shipped::all() {
        let opened = simulated.opened();
        let (name, journeys) = (&simulated.shipped.name, &opened.journeys);
        let late = opened.run.end().0.saturating_sub(UNDER_WAY);
        for id in journeys.ids() {
            let packet = &journeys.packets[id.at()];
            let stations: Vec<Station> =
                journeys.stays(id).iter().map(|stay| stay.station).collect();
            if packet.verdict == Verdict::Open && packet.end.0 < late {
                let waits = stations.last().is_some_and(|last| {
                    let is_read = *last == Station::Process;
                    is_read || (last.is_queue() && *last != Station::Gro)
                });
                assert!(waits, "{name}: packet {} ends in {stations:?}", id.0);
            }
            let was_seen = stations
                .iter()
                .any(|at| matches!(at, Station::Tcp | Station::Udp | Station::TcpSend));
            let flow = journeys.flows.get(packet.flow.0 as usize);
            let has_ports = flow.is_some_and(|flow| flow.source_port > 0 && flow.source.is_some());
            assert!(
                !was_seen || has_ports,
                "{name}: packet {} has no flow",
                id.0
            );
        }
        assert!(journeys.count(VerdictKind::Delivered) > 0, "{name}");
    }
}

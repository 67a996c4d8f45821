//! Every shipped scenario as a recorded run: written as kperf 2 and as ftrace text and imported again
//! it has the same events, journeys and measures; and its packets end, or wait where packets wait.

use std::io::{self, Write};

use ringside::export;
use ringside::import::Import;
use ringside::journey;
use ringside::kernel::{Station, Verdict, VerdictKind};
use ringside::measure::Measures;
use ringside::opened::Opened;
use ringside::run::Run;
use ringside::sim::config::catalogue::Catalogue;
use ringside::sim::engine::simulate;

/// Long enough for all that a scenario shows to have begun.
const LONGEST_US: u64 = 40_000;

fn open(write: impl Fn(&Run, &mut dyn Write) -> io::Result<()>, run: &Run) -> Opened {
    let mut text = Vec::new();
    write(run, &mut text).expect("a vector takes any bytes");
    let mut import = Import::new();
    import.push(&text);
    Opened::from(import.finish().expect("it imports"))
}

fn journeys(opened: &Opened) -> Vec<String> {
    let picture = |id| journey::picture(&opened.run, &opened.journeys, id);
    opened.journeys.ids().map(picture).collect()
}

fn measures(opened: &Opened) -> Measures {
    Measures::of(&opened.replay, opened.run.start(), opened.run.end())
}

#[test]
fn a_shipped_scenario_is_the_same_run_after_both_formats() {
    let catalogue = Catalogue::shipped().expect("it comes with the program");
    for shipped in catalogue.scenarios() {
        let mut scenario = shipped.scenario.clone();
        scenario.duration_us = scenario.duration_us.min(LONGEST_US);
        scenario.warmup_us = None;
        let name = &shipped.name;
        let simulated = simulate(&scenario, &catalogue, true).expect("it runs");
        let run = simulated.run.expect("it was recorded");
        let fingerprint = run.fingerprint();
        let formats = [open(export::kperf2, &run), open(export::ftrace, &run)];
        let first = Opened::from(run);
        assert!(!first.journeys.packets.is_empty(), "{name}");
        let (journeys_of_first, measures_of_first) = (journeys(&first), measures(&first));
        for (again, format) in formats.iter().zip(["kperf 2", "ftrace"]) {
            assert_eq!(again.run.fingerprint(), fingerprint, "{name}, {format}");
            assert_eq!(journeys(again), journeys_of_first, "{name}, {format}");
            assert_eq!(measures(again), measures_of_first, "{name}, {format}");
        }
    }
}

/// What a packet may still be doing when its last event is this long before the end, in ns.
const UNDER_WAY: u64 = 500_000;

#[test]
fn a_packet_of_a_shipped_scenario_ends_or_waits_and_has_a_flow() {
    let catalogue = Catalogue::shipped().expect("it comes with the program");
    for shipped in catalogue.scenarios() {
        let simulated = simulate(&shipped.scenario, &catalogue, true).expect("it runs");
        let opened = Opened::from(simulated.run.expect("it was recorded"));
        let (name, journeys) = (&shipped.name, &opened.journeys);
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
            let has_ports = flow.is_some_and(|flow| flow.source_port > 0 && flow.source > 0);
            assert!(
                !was_seen || has_ports,
                "{name}: packet {} has no flow",
                id.0
            );
        }
        assert!(journeys.count(VerdictKind::Delivered) > 0, "{name}");
    }
}

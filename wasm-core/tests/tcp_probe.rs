//! `tcp:tcp_probe` of simulated runs: it tells each segment's connection as the segment found it, as
//! the text of a kernel that has the tracepoint, and is in no run of a kernel that has not.

#![allow(clippy::unwrap_used, reason = "tests")]

use ringside::export;
use ringside::kernel::{EventIdx, Field, Probe};
use ringside::run::Run;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::config::settings::Watch;
use sim::engine::simulate;

/// A frame of the only connection is lost after two milliseconds.
fn lost_frame() -> Scenario {
    let catalogue = Catalogue::shipped().unwrap();
    let shipped = catalogue.scenario("today-lost-frame").unwrap();
    shipped.scenario.clone()
}

fn run(scenario: &Scenario) -> Run {
    let catalogue = Catalogue::shipped().unwrap();
    simulate(scenario, &catalogue, true).unwrap().run.unwrap()
}

fn events(run: &Run, probe: Probe) -> Vec<EventIdx> {
    let all = run.indices();
    all.filter(|&index| run.event(index).probe == probe)
        .collect()
}

fn told(run: &Run, field: Field) -> Vec<u32> {
    let events = events(run, Probe::TcpProbe);
    let told = events.iter().map(|&index| run.field(index, field).unwrap());
    told.collect()
}

fn of_the_sender() -> Run {
    let mut scenario = lost_frame();
    scenario.settings.watch = Some(Watch::Sender);
    run(&scenario)
}

#[test]
fn a_segment_finds_the_window_that_earlier_segments_left() {
    let run = of_the_sender();
    let mut acknowledged = 1;
    let mut found = Vec::new();
    for index in run.indices() {
        match run.event(index).probe {
            Probe::TcpV4Rcv => found.push((acknowledged, run.field(index, Field::AckNo).unwrap())),
            Probe::TcpProbe => {
                let una = run.field(index, Field::SndUna).unwrap();
                let &(before, own) = found.last().unwrap();
                assert_eq!(una, before, "as no segment but this one has changed it");
                acknowledged = before.max(own);
            }
            _ => {}
        }
    }
    assert!(acknowledged > 100_000);
    let ordered = told(&run, Field::SndUna);
    let flights = ordered.iter().zip(told(&run, Field::SndNxt));
    for (una, nxt) in flights {
        assert!(*una <= nxt);
    }
}

#[test]
fn the_sender_starts_with_ten_segments_and_has_a_threshold_once_a_frame_is_lost() {
    const INFINITE: u32 = 0x7fff_ffff;
    let mut scenario = lost_frame();
    scenario.settings.watch = Some(Watch::Sender);
    scenario.settings.link_loss_permille = Some(10);
    let run = run(&scenario);
    let windows = told(&run, Field::SndCwnd);
    let thresholds = told(&run, Field::Ssthresh);
    assert_eq!(windows[0], 10, "RFC 6928");
    assert_eq!(thresholds[0], INFINITE);
    let first = thresholds.iter().position(|&it| it < INFINITE).unwrap();
    assert!(thresholds[first..].iter().all(|&it| it < INFINITE));
    // Cubic keeps seven tenths of the window (RFC 9438 section 4.6).
    assert_eq!(thresholds[first], windows[first - 1] * 7 / 10);
    // The link's way there and back takes 20 µs, and whatever waits in queues comes on top.
    let last = *told(&run, Field::Srtt).last().unwrap();
    assert!((20..1000).contains(&last), "{last} us");
}

#[test]
fn it_stands_behind_the_function_that_has_it() {
    let run = run(&lost_frame());
    let probes = events(&run, Probe::TcpProbe);
    assert!(probes.len() > 50);
    for index in probes {
        let before = run.event(EventIdx(index.0 - 1));
        assert_eq!(before.probe, Probe::TcpRcvEstablished);
        let payload = run.field(index, Field::Payload).unwrap();
        // A TCP header with timestamps has 32 bytes, one with reports of SACK more.
        assert_eq!(before.len, payload + 32);
    }
}

#[test]
fn its_text_is_the_tracepoints() {
    let mut text = Vec::new();
    export::ftrace(&run(&lost_frame()), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let line = text.lines().find(|line| line.contains(": tcp_probe: "));
    let (_, said) = line.unwrap().split_once(": tcp_probe: ").unwrap();
    let keys: Vec<&str> = said
        .split(' ')
        .map(|pair| pair.split_once('=').unwrap().0)
        .collect();
    assert_eq!(
        keys,
        [
            "src", "dest", "data_len", "snd_nxt", "snd_una", "snd_cwnd", "ssthresh", "snd_wnd",
            "srtt", "rcv_wnd"
        ]
    );
    assert!(said.starts_with("src=10.0.0.1:5001 dest=10.0.0.2:32768 data_len="));
}

#[test]
fn a_kernel_of_old_has_no_such_tracepoint() {
    let text = r#"{"machine":"xeon-3.2-dual","kernel":"2.6.3","workload":"iperf","duration_us":3000,"seed":1}"#;
    let scenario = Scenario::parse(text, &Catalogue::shipped().unwrap()).unwrap();
    let run = run(&scenario);
    assert!(!events(&run, Probe::TcpRcvEstablished).is_empty());
    assert!(events(&run, Probe::TcpProbe).is_empty());
}

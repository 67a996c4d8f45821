//! Queueing disciplines: whose packets wait before a link that is slower than its senders.
//!
//! Source: RFC 8289 (CoDel), RFC 8290 (`fq_codel`): a flow that sends little is served before those that fill the
//! queue, at a link that stays as busy as with a fifo. Shreedhar and Varghese, "Efficient Fair Queuing using Deficit
//! Round-Robin", 1995: flows that always have packets have equal shares. Pacing: `tcp_update_pacing_rate` and
//! `fq_dequeue` of Linux.

use std::collections::{BTreeMap, BTreeSet};

use ringside::journey::Journeys;
use ringside::kernel::{DropReason, Field, Nanos, PacketId, Probe, Station, Verdict};
use ringside::measure::{Transaction, transactions};
use ringside::run::Run;
use sim::engine::{Simulated, Simulation};

use super::*;

/// Twenty uploads and a request with its response over a link of 10 Mbit/s, 10 ms long; the run is of the host that
/// sends them.
pub(super) fn uploads(kernel: &str, settings: &Value, is_recording: bool) -> Simulated {
    let catalogue = Catalogue::shipped().unwrap();
    let mut scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": "bulk-and-request",
        "settings": { "cpus": 2, "connections": 21, "message_bytes": 65_536, "nics": 1, "watch": "sender",
            "link_mbit": 10, "link_delay_us": 10_000, "byte_queue_limits": true },
        "duration_us": 3_000_000, "warmup_us": 1_000_000, "seed": 1
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let mut simulation = Simulation::new(&scenario, &catalogue, is_recording).unwrap();
    while !simulation.advance(20_000) {
        assert_eq!(simulation.audit(), Vec::<String>::new(), "{settings}");
    }
    simulation.finish()
}

/// The mean round trip of a request in ms, and what the uploads deliver in Mbit/s.
fn round_trip_and_rate(settings: &Value) -> (f64, f64) {
    let got = uploads("6.18", settings, false).measured;
    let requests = got.tasks["request"].delivered_bytes / 100;
    let ms = got.elapsed_fs as f64 / 1e12;
    // Nearly all that is read is read of the uploads.
    let found = (ms / requests as f64, mbit(&got));
    println!("{settings}: {:.1} ms, {:.2} Mbit/s", found.0, found.1);
    found
}

#[test]
fn a_request_does_not_wait_behind_uploads_that_are_as_fast() {
    let (fifo, fifo_rate) = round_trip_and_rate(&json!({}));
    for qdisc in ["fq_codel", "fq"] {
        let (fq, fq_rate) = round_trip_and_rate(&json!({ "qdisc": qdisc }));
        // The link alone takes 20 ms.
        assert!(fq > 20.0 && fq < 40.0, "{fq}");
        assert!(fifo > 3.0 * fq, "{fifo} against {fq}");
        assert!(fq_rate > 8.5 && fq_rate > 0.95 * fifo_rate);
    }
}

/// The client asks again as soon as it has its answer, so all its time is response times but for what it does between.
#[test]
fn a_response_time_is_what_the_client_waits() {
    for qdisc in ["pfifo_fast", "fq_codel", "fq"] {
        let got = uploads("6.18", &json!({ "qdisc": qdisc }), true);
        let run = got.run.unwrap();
        let all = transactions(&run, &Journeys::of(&run));
        let warm_up = Nanos(run.start().0 + 1_000_000_000);
        let counted = all.iter().filter(|one| warm_up <= one.answered).count();
        let answers = got.measured.tasks["request"].delivered_bytes / 100;
        assert_eq!(counted as u64, answers, "{qdisc}");
        let between = |pair: &[Transaction]| pair[1].asked.since(pair[0].answered);
        let longest = all.windows(2).map(between).max();
        assert!(longest < Some(20_000), "{qdisc}: {longest:?} ns");
    }
}

/// A discipline decides only about what waits in it, not about what is in the ring.
#[test]
fn a_ring_that_takes_everything_leaves_a_discipline_nothing_to_decide() {
    let ring = |qdisc| round_trip_and_rate(&json!({ "qdisc": qdisc, "byte_queue_limits": false }));
    let (fifo, fq) = (ring("pfifo_fast").0, ring("fq_codel").0);
    assert!((fifo - fq).abs() < 0.1, "{fifo}, {fq}");
    assert!(fifo > 60.0, "{fifo}");
}

/// The port that a packet is for; 0 if that is not known.
fn port(journeys: &Journeys, id: PacketId) -> u16 {
    let flow = journeys.flow(journeys.packets[id.at()].flow);
    flow.map_or(0, |flow| flow.destination_port)
}

/// How long each packet that came to the qdisc after the first second was there, in ms: requests, and all others.
/// In the beginning all flows are new.
fn sojourns(qdisc: &str) -> [Vec<f64>; 2] {
    let run = uploads("6.18", &json!({ "qdisc": qdisc }), true)
        .run
        .unwrap();
    let journeys = Journeys::of(&run);
    let mut all = [Vec::new(), Vec::new()];
    for id in journeys.ids() {
        let stays = journeys.stays(id).iter();
        let waits = stays.filter(|stay| stay.station == Station::Qdisc);
        for stay in waits {
            let kind = match port(&journeys, id) {
                5001 => 0,
                5002 => 1,
                _ => panic!("{id:?} is of no flow: its journey begins in the queue"),
            };
            if stay.enter > Nanos(1_000_000_000) {
                all[kind].push(stay.duration() as f64 / 1e6);
            }
        }
    }
    all
}

#[test]
fn a_sparse_flow_leaves_next_and_a_fifo_makes_it_wait_like_all_others() {
    let most = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
    let least = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
    let ([fifo, fifo_uploads], [fq, fq_uploads]) = (sojourns("pfifo_fast"), sojourns("fq_codel"));
    for (of, all) in [
        ("fifo", &fifo),
        ("fifo, uploads", &fifo_uploads),
        ("fq", &fq),
        ("fq, uploads", &fq_uploads),
    ] {
        println!("{of}: {} to {} ms", least(all), most(all));
    }
    assert!(fifo.len() > 5 && fq.len() > 4 * fifo.len());
    // Of a fifo all packets find the same queue; a request finds the end of another flow's turn.
    assert!(least(&fifo) > 0.5 * least(&fifo_uploads));
    assert!(4.0 * most(&fq) < least(&fifo));
    assert!(most(&fq) < most(&fq_uploads));
}

/// The reasons and places of a run's drops, and the ports that the packets were for.
fn drops(run: &Run) -> (BTreeSet<String>, BTreeSet<u16>) {
    let journeys = Journeys::of(run);
    let is_dropped = |id: &PacketId| {
        let verdict = journeys.packets[id.at()].verdict;
        matches!(verdict, Verdict::Dropped { .. })
    };
    let ports = journeys
        .ids()
        .filter(is_dropped)
        .map(|id| port(&journeys, id))
        .collect();
    let events = run
        .indices()
        .filter(|&at| run.event(at).probe == Probe::KfreeSkb);
    let words = events.map(|at| {
        let reason = run.field(at, Field::Reason).unwrap();
        let reason = DropReason::ALL[reason as usize];
        format!(
            "{reason} in {}",
            run.field_name(at, Field::Location).unwrap()
        )
    });
    (words.collect(), ports)
}

#[test]
fn codel_drops_of_uploads_alone_with_the_word_of_the_kernels_release() {
    for (kernel, word) in [
        ("6.1", "NOT_SPECIFIED in drop_func"),
        ("6.18", "QDISC_CONGESTED in drop_func"),
    ] {
        let run = uploads(kernel, &json!({ "qdisc": "fq_codel" }), true).run;
        let (words, ports) = drops(&run.unwrap());
        assert_eq!(words, BTreeSet::from([word.to_owned()]));
        assert_eq!(ports, BTreeSet::from([5002]));
    }
}

/// Eight senders of datagrams wait for no ACK: each has more packets than a flow of `fq` may have, and what is too much
/// is refused where it came to, and never was in the queue.
#[test]
fn fq_refuses_what_is_too_much_of_a_flow_with_the_word_of_the_kernels_release() {
    for (kernel, word) in [
        ("6.1", "QDISC_DROP in __dev_queue_xmit"),
        ("6.18", "FQ_FLOW_LIMIT in __dev_queue_xmit"),
    ] {
        let settings = json!({ "cpus": 2, "connections": 8, "message_bytes": 8192, "nics": 1, "watch": "sender",
            "largest_buffer_bytes": 1 << 26, "send_buffer_bytes": 16_777_216, "link_mbit": 10, "byte_queue_limits": true, "qdisc": "fq" });
        let mut scenario = stream(kernel, &settings, (0, 60), 1);
        scenario["workload"] = json!("kperf-generator-udp");
        let catalogue = Catalogue::shipped().unwrap();
        let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
        let run = simulate(&scenario, &catalogue, true).unwrap().run.unwrap();
        assert_eq!(drops(&run).0, BTreeSet::from([word.to_owned()]));
        let journeys = Journeys::of(&run);
        let mut refused = journeys
            .ids()
            .filter(|id| matches!(journeys.packets[id.at()].verdict, Verdict::Dropped { .. }));
        let is_refused = |id: PacketId| {
            let last = journeys.packets[id.at()].stays.end - 1;
            journeys.is_refused(id, last)
                && journeys.stays(id).last().unwrap().station == Station::Qdisc
        };
        assert!(refused.all(is_refused), "{kernel}");
    }
}

/// What the NIC gets of data: when in ns, of which port for which port, and how many bytes.
fn departures(journeys: &Journeys) -> Vec<(u64, (u16, u16), u64)> {
    let mut all = Vec::new();
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        let leaves = journeys.stays(id).iter();
        let mut leaves = leaves.filter(|stay| stay.station == Station::TxRing);
        if let (Some(stay), Some(flow)) = (leaves.next(), journeys.flow(packet.flow)) {
            let ports = (flow.source_port, flow.destination_port);
            all.push((stay.enter.0, ports, u64::from(packet.bytes)));
        }
    }
    all.sort_unstable();
    all
}

/// DRR: of flows that always have packets none gets ahead of another by more than its turn, two frames, and the packet
/// with which it exceeds that, two more; here at the beginning of the count and at its end. What a fifo does with flows
/// of unequal windows is beside it in `fq`'s own tests, as small queues make these equal.
#[test]
fn flows_that_take_turns_have_equal_shares() {
    let run = uploads("6.18", &json!({ "qdisc": "fq" }), true).run;
    let mut sent: BTreeMap<u16, u64> = BTreeMap::new();
    for (at, (source, port), bytes) in departures(&Journeys::of(&run.unwrap())) {
        if port == 5002 && at > 1_000_000_000 {
            *sent.entry(source).or_default() += bytes;
        }
    }
    println!("{sent:?}");
    assert_eq!(sent.len(), 20);
    let (most, least) = (sent.values().max().unwrap(), sent.values().min().unwrap());
    assert!(most - least <= 2 * 4 * 1514, "{most} {least}");
    assert!(*least > 100_000, "they fill the link: {least}");
}

/// Bytes of a stream that leave within a millisecond, at most, by what may leave in that time at the largest pacing
/// rate so far: two windows in a round trip, beside the packet with which it begins, and half of it, which may be made
/// up for where it was late. The link is faster than the stream, and its round trip is 20 ms.
fn most_of_a_burst(kernel: &str, qdisc: &str) -> f64 {
    let settings = json!({
        "watch": "sender", "nics": 1, "link_delay_us": 10_000, "byte_queue_limits": true, "qdisc": qdisc
    });
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = stream(kernel, &settings, (0, 150), 1).to_string();
    let scenario = Scenario::parse(&scenario, &catalogue).unwrap();
    let run = simulate(&scenario, &catalogue, true).unwrap().run.unwrap();
    let sent = departures(&Journeys::of(&run));
    let field = |at, field| u64::from(run.field(at, field).unwrap());
    let probes = run.indices();
    let probes = probes.filter(|&at| run.event(at).probe == Probe::TcpProbe);
    // Without a round trip there is no rate yet.
    let probes = probes.filter(|&at| field(at, Field::Srtt) > 0);
    let rates: Vec<(u64, u64)> = probes
        .map(|at| {
            let window = field(at, Field::SndCwnd) * 1448;
            let in_a_ms = 2 * window * 1000 / field(at, Field::Srtt);
            (run.event(at).time.0, in_a_ms)
        })
        .collect();
    let mut most = 0.0_f64;
    for (index, &(from, _, first)) in sent.iter().enumerate() {
        let until = from + 1_000_000;
        let within = sent[index..].iter().take_while(|it| it.0 < until);
        let bytes: u64 = within.map(|it| it.2).sum();
        let so_far = rates.iter().take_while(|rate| rate.0 < until);
        if let Some(rate) = so_far.map(|rate| rate.1).max() {
            let beside = first + first / 2;
            most = most.max(bytes.saturating_sub(beside) as f64 / rate as f64);
        }
    }
    println!("{kernel}, {qdisc}: {} packets, {most:.2}", sent.len());
    most
}

#[test]
fn a_paced_flow_leaves_at_its_rate_and_without_pacing_in_bursts() {
    for kernel in ["6.1", "6.18"] {
        let (fifo, fq) = (
            most_of_a_burst(kernel, "pfifo_fast"),
            most_of_a_burst(kernel, "fq"),
        );
        assert!(fq <= 1.0, "{fq}");
        assert!(fifo > 4.0, "{fifo}");
    }
}

#[test]
fn a_kernel_without_the_discipline_refuses_it() {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = json!({
        "machine": "current-server", "kernel": "2.6.9", "workload": "iperf-link",
        "settings": { "qdisc": "fq_codel" }, "duration_us": 1000, "seed": 1
    });
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let refused = simulate(&scenario, &catalogue, false)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(
        refused,
        "settings.qdisc is \"fq_codel\", which the kernel 2.6.9 does not have; it has \"pfifo_fast\""
    );
}

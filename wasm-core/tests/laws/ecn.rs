//! Explicit congestion notification: a queue says that it is too long, and nothing is lost for it.
//!
//! Source: RFC 3168, sections 5 and 6.1; RFC 8290, section 5.2 (`fq_codel` marks by default).

use std::collections::BTreeMap;

use ringside::journey::Journeys;
use ringside::kernel::{EventIdx, Field, Probe, Station, Verdict};
use ringside::run::Run;
use serde_json::json;
use sim::engine::Simulated;

use super::mbit;
use super::qdisc::uploads;

/// What the bits of a TCP header are (RFC 9293, section 3.1), and marked of an IP header.
const ECE: u32 = 0x40;
const CWR: u32 = 0x80;
const CE: u32 = 3;

/// Uploads through `fq_codel`: of how many connections, and whether their ends ask for ECN.
fn through_fq_codel(kernel: &str, connections: u32, ecn: &str) -> Simulated {
    let settings = json!({ "qdisc": "fq_codel", "connections": connections, "tcp_ecn": ecn });
    uploads(kernel, &settings, true)
}

/// The events of a probe with a bit of TCP's header set.
fn with_flag(run: &Run, probe: Probe, flag: u32) -> impl Iterator<Item = EventIdx> {
    run.indices().filter(move |&at| {
        let flags = run.field(at, Field::TcpFlags).unwrap_or(0);
        run.event(at).probe == probe && flags & flag != 0
    })
}

/// How many packets the queue has marked.
pub(super) fn marks(run: &Run) -> usize {
    let leaves = |&at: &EventIdx| run.event(at).probe == Probe::QdiscDequeue;
    let is_marked = |&at: &EventIdx| run.field(at, Field::Ecn) == Some(CE);
    run.indices().filter(leaves).filter(is_marked).count()
}

/// The waits of all packets in the queue after the first second, in ms, in order.
pub(super) fn sojourns(run: &Run) -> Vec<f64> {
    let journeys = Journeys::of(run);
    let stays = journeys.ids().flat_map(|id| journeys.stays(id).to_vec());
    let mut waits: Vec<f64> = stays
        .filter(|stay| stay.station == Station::Qdisc && stay.enter.0 > 1_000_000_000)
        .map(|stay| stay.duration() as f64 / 1e6)
        .collect();
    waits.sort_by(f64::total_cmp);
    waits
}

#[test]
fn what_codel_would_drop_is_marked_and_nothing_is_lost() {
    for kernel in ["6.1", "6.18"] {
        let dropping = through_fq_codel(kernel, 21, "passive");
        let marking = through_fq_codel(kernel, 21, "asks");
        let run = marking.run.unwrap();
        let (marks, before) = (marks(&run), dropping.measured.dropped);
        let rates = [&marking.measured, &dropping.measured].map(mbit);
        println!("{kernel}: {marks} marks, {before} drops, {rates:.2?} Mbit/s");
        assert!(before > 100 && marks > 100, "the queue is too long in both");
        let journeys = Journeys::of(&run);
        let is_dropped = |verdict| matches!(verdict, Verdict::Dropped { .. });
        assert!(!journeys.packets.iter().any(|it| is_dropped(it.verdict)));
        assert!(rates[0] > 0.95 * rates[1]);
    }
}

/// RFC 8289, section 4.4: the law holds a queue by its least wait, at the target of 5 ms, where its senders can go on with
/// so little in it: the link alone has 17 segments on the way and 5 ms of it are four more, so that each of five has four.
/// Half of the packets wait no longer than twice the target, whether they are marked or dropped; a fifo has no law.
#[test]
fn a_queue_that_is_marked_is_as_short_as_one_that_is_dropped_from() {
    let of = |qdisc: &str, count: u32, ecn: &str| {
        let connections = count + 1;
        let settings = json!({ "qdisc": qdisc, "connections": connections, "tcp_ecn": ecn });
        let run = uploads("6.18", &settings, true).run.unwrap();
        let waits = sojourns(&run);
        let [least, half] = [5, 50].map(|part| waits[waits.len() * part / 100]);
        println!("{count} through {qdisc}, {ecn}: {least:.1} and {half:.1} ms");
        (least, half)
    };
    for count in [3, 5] {
        let marked = of("fq_codel", count, "asks");
        let dropped = of("fq_codel", count, "passive");
        assert!(marked.0 < 5.0 && marked.1 < 10.0, "{marked:?}");
        assert!(marked.1 < 1.25 * dropped.1, "{marked:?}, {dropped:?}");
    }
    let fifo = of("pfifo_fast", 5, "asks");
    assert!(fifo.1 > 20.0, "{fifo:?}");
}

/// RFC 3168, section 6.1.2: a sender does not reduce its window more than once in a round trip, which takes 20 ms on the
/// link alone; and it does so for a mark only.
#[test]
fn a_sender_reduces_its_window_once_in_a_round_trip() {
    for (kernel, connections) in [("6.1", 6), ("6.18", 21)] {
        let run = through_fq_codel(kernel, connections, "asks").run.unwrap();
        let journeys = Journeys::of(&run);
        let mut said: BTreeMap<u16, Vec<u64>> = BTreeMap::new();
        for at in with_flag(&run, Probe::TcpTransmitSkb, CWR) {
            let packet = &journeys.packets[journeys.packet_of[at.at()].at()];
            let flow = journeys.flow(packet.flow).unwrap();
            said.entry(flow.source_port)
                .or_default()
                .push(run.event(at).time.0);
        }
        let pauses = said.values().flat_map(|times| {
            let pairs = times.windows(2).map(|pair| pair[1] - pair[0]);
            pairs.collect::<Vec<_>>()
        });
        let least = pauses.min().unwrap();
        let (reductions, marks) = (said.values().map(Vec::len).sum::<usize>(), marks(&run));
        println!("{kernel}: {reductions} reductions, {marks} marks, {least} ns apart");
        assert!(least > 20_000_000, "{least}");
        assert!(reductions > 3 && reductions <= marks);
        assert!(with_flag(&run, Probe::TcpV4Rcv, ECE).count() >= reductions);
    }
}

/// Where nobody asks for it there is none, and a kernel that would agree to it does what it did without.
#[test]
fn without_a_question_packets_are_dropped_as_before() {
    let plain = uploads("6.18", &json!({ "qdisc": "fq_codel" }), false).measured;
    assert!(plain.dropped > 100);
    for ecn in ["passive", "never"] {
        let settings = json!({ "qdisc": "fq_codel", "tcp_ecn": ecn });
        let same = uploads("6.18", &settings, false).measured;
        assert_eq!((same.ecn_mark, &same), (0, &plain), "{ecn}");
    }
}

/// Only a queue that knows it marks: behind another, both ends know ECN for nothing.
#[test]
fn a_queue_that_knows_no_ecn_marks_nothing() {
    for qdisc in ["pfifo_fast", "fq"] {
        let settings = json!({ "qdisc": qdisc, "tcp_ecn": "asks" });
        let run = uploads("6.18", &settings, true).run.unwrap();
        assert_eq!(marks(&run), 0, "{qdisc}");
        assert_eq!(with_flag(&run, Probe::TcpV4Rcv, ECE).count(), 0);
    }
}

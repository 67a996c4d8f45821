//! Graphs of made-up connections, and properties of any.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::replay::tests::any_run::any_run;
use crate::replay::tests::replay_of;

/// Four segments at the receiver, of which the second is lost and comes again; each number is just below
/// where 32 bits end.
const LOSS: &str = "# kperf 2
    1 ev napi_gro_receive_entry ts 0.000001000 cpu 0 ctx softirq skb 10 len 1052 saddr 192.0.2.1 daddr 192.0.2.2 proto 6 sport 7 dport 80
    2 ev tcp_v4_rcv ts 0.000002000 cpu 0 ctx softirq skb 10 len 1032 seq_no 4294966296 ack_no 1
    3 ev __ip_queue_xmit ts 0.000003000 cpu 0 ctx softirq skb 90 len 32 seq_no 1 ack_no 0 rcv_wnd 9000 saddr 192.0.2.2 daddr 192.0.2.1 proto 6 sport 80 dport 7
    4 ev napi_gro_receive_entry ts 0.000004000 cpu 0 ctx softirq skb 20 len 1052 saddr 192.0.2.1 daddr 192.0.2.2 proto 6 sport 7 dport 80
    5 ev tcp_v4_rcv ts 0.000005000 cpu 0 ctx softirq skb 20 len 1032 seq_no 1000 ack_no 1
    6 ev __ip_queue_xmit ts 0.000006000 cpu 0 ctx softirq skb 91 len 44 seq_no 1 ack_no 4294967295 rcv_wnd 9000 sack_from 1000 sack_to 2000 saddr 192.0.2.2 daddr 192.0.2.1 proto 6 sport 80 dport 7
    7 ev napi_gro_receive_entry ts 0.000007000 cpu 0 ctx softirq skb 30 len 1052 saddr 192.0.2.1 daddr 192.0.2.2 proto 6 sport 7 dport 80
    8 ev tcp_v4_rcv ts 0.000008000 cpu 0 ctx softirq skb 30 len 1032 seq_no 0 ack_no 1
    9 ev __ip_queue_xmit ts 0.000009000 cpu 0 ctx softirq skb 92 len 32 seq_no 1 ack_no 2000 rcv_wnd 8000 saddr 192.0.2.2 daddr 192.0.2.1 proto 6 sport 80 dport 7
    10 ev napi_gro_receive_entry ts 0.000010000 cpu 0 ctx softirq skb 40 len 1052 saddr 192.0.2.1 daddr 192.0.2.2 proto 6 sport 7 dport 80
    11 ev tcp_v4_rcv ts 0.000011000 cpu 0 ctx softirq skb 40 len 1032 seq_no 500 ack_no 1
";

fn flow(journeys: &Journeys, port: u16) -> FlowId {
    let found = journeys
        .flows
        .iter()
        .position(|flow| flow.source_port == port);
    FlowId(found.expect("there is such a flow") as u32)
}

#[test]
fn a_lost_segment_leaves_a_hole_that_is_filled() {
    let replay = replay_of(LOSS);
    let journeys = &replay.journeys;
    let graph = sequence(&replay.run, journeys, flow(journeys, 7), None);
    expect![[r#"
        from the receiver of receiver; 0 is 4294966296
               1.000  data    0..1000
               4.000  data    2000..3000
               5.000  sack    2000..3000
               5.000  ack     999
               5.000  window  9999
               7.000  data    1000..2000 late
               8.000  ack     3000
               8.000  window  11000
              10.000  data    1500..2500 again
    "#]]
    .assert_eq(&picture(&graph, replay.run.start()));
}

/// Such a block tells nothing (`net/ipv4/tcp_input.c: tcp_is_sackblock_valid`, v6.12).
#[test]
fn a_block_that_does_not_end_behind_its_beginning_is_none() {
    let turned = "sack_from 2000 sack_to 1000 sack_from 1500 sack_to 1500";
    let replay = replay_of(&LOSS.replace("sack_from 1000 sack_to 2000", turned));
    let journeys = &replay.journeys;
    let graph = sequence(&replay.run, journeys, flow(journeys, 7), None);
    let sacks: Vec<_> = graph.sacks.iter().map(|it| (it.from, it.to)).collect();
    assert_eq!(sacks, []);
}

proptest! {
    /// Bars lie between the numbers of their segments, and thinning loses no byte and no extreme.
    #[test]
    fn a_thinned_graph_reaches_as_far(
        numbers in prop::collection::vec((0u64..40, 0i64..60, 1i64..20), 0..60),
        columns in 1u32..9,
    ) {
        let mut at = 0;
        let segments: Vec<Segment> = numbers
            .iter()
            .map(|&(gap, from, bytes)| {
                at += gap;
                let kind = [Kind::New, Kind::Again, Kind::Late][(from % 3) as usize];
                Segment { at: Nanos(at), packet: PacketId(0), from, to: from + bytes, kind, segments: 1 }
            })
            .collect();
        let acked: Vec<_> = segments.iter().map(|one| Level { at: one.at, value: one.to }).collect();
        let graph = Sequence {
            ends: vec![End::Link],
            end: End::Link,
            first: 0,
            segments,
            acked,
            window: Vec::new(),
            sacks: Vec::new(),
            sender: Sender::default(),
        };
        let thin = graph.within(Nanos(0), Nanos(at), columns);
        let bytes = |graph: &Sequence| {
            let mut covered = BTreeMap::new();
            for bar in &graph.segments {
                cover(&mut covered, bar.from, bar.to);
            }
            covered
        };
        let count = |graph: &Sequence| graph.segments.iter().map(|bar| bar.segments).sum::<u32>();
        prop_assert_eq!(bytes(&graph), bytes(&thin));
        prop_assert_eq!(count(&graph), count(&thin));
        let extremes = |graph: &Sequence| {
            let values = || graph.acked.iter().map(|level| level.value);
            (values().min(), values().max(), graph.acked.last().copied())
        };
        prop_assert_eq!(extremes(&graph), extremes(&thin));
        prop_assert!(thin.acked.len() <= 4 * (columns as usize + 1));
    }

    /// Whatever a run holds, each of its flows has a graph, by time, with bars that have bytes.
    #[test]
    fn any_run_has_graphs(run in any_run(), columns in 1u32..9) {
        let journeys = Journeys::of(&run);
        for flow in 0..journeys.flows.len() as u32 {
            for end in End::ALL {
                let graph = sequence(&run, &journeys, FlowId(flow), Some(end));
                let thin = graph.within(run.start(), run.end(), columns);
                for graph in [&graph, &thin] {
                    prop_assert!(graph.segments.is_sorted_by_key(|one| one.at));
                    prop_assert!(graph.segments.iter().all(|one| one.from < one.to));
                    prop_assert!(graph.acked.is_sorted_by_key(|one| (one.at, one.value)));
                }
            }
        }
    }
}

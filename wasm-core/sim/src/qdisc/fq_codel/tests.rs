//! Whose turn it is, and what is dropped.

use proptest::prelude::*;

use super::*;
use crate::ecn::Ecn;

const DEVICE: Device = Device {
    frame_bytes: 1514,
    queue_packets: 1000,
};

fn model() -> Parameters {
    Parameters {
        limit_packets: 10_240,
        memory_limit_bytes: 1 << 25,
        flows: 1024,
        target_us: 5000,
        interval_us: 100_000,
        ecn: true,
        ce_threshold_us: None,
        drop_batch_packets: 64,
        congested_reason: DropReason::QdiscCongested,
        overlimit_reason: DropReason::QdiscOverlimit,
        congested_function: "drop_func".to_owned(),
    }
}

fn packet(number: u32, flow: u32, bytes: u32, at: SimTime) -> Queued {
    Queued {
        skb: Skb(number),
        flow,
        bytes,
        memory: bytes + 512,
        departs: SimTime::ZERO,
        at,
        ecn: Ecn::NotEct,
    }
}

/// Flows by letters: `a` has packets of 1514 bytes, a capital letter's are of 100. Each `.` takes a packet and says
/// whose it was; the picture is what was taken.
fn taken(model: &Parameters, acts: &str) -> String {
    let mut fq = FqCodel::new(model, DEVICE);
    let mut flows = Vec::new();
    let mut picture = String::new();
    for act in acts.chars() {
        match act {
            '.' => {
                let next = fq.dequeue(SimTime::ZERO, &mut Verdicts::default());
                picture.push(next.map_or('-', |skb| flows[skb.0 as usize]));
            }
            ' ' => picture.push(' '),
            flow => {
                let bytes = if flow.is_uppercase() { 100 } else { 1514 };
                let dropped = fq.enqueue(packet(
                    flows.len() as u32,
                    flow.into(),
                    bytes,
                    SimTime::ZERO,
                ));
                flows.push(flow);
                let mut dropped: String =
                    dropped.iter().map(|it| flows[it.skb.0 as usize]).collect();
                if !dropped.is_empty() {
                    dropped = format!("[{dropped}]");
                }
                picture += &dropped;
            }
        }
    }
    picture
}

#[test]
fn flows_take_turns() {
    assert_eq!(taken(&model(), "aaabb ......"), " ababa-");
    assert_eq!(taken(&model(), "aaaabbcc ........"), " abcabcaa");
}

#[test]
fn a_turn_has_as_many_bytes_for_each_flow() {
    // Sixteen small packets are a turn as one large one is: the last of them may exceed it.
    let acts = format!("aaa{} {}", "S".repeat(20), ".".repeat(23));
    let picture = format!(" a{}a{}a", "S".repeat(16), "S".repeat(4));
    assert_eq!(taken(&model(), &acts), picture);
}

#[test]
fn a_sparse_flow_overtakes_a_queue() {
    assert_eq!(taken(&model(), "aaaaaaaa .. S .. S .."), " aa  Sa  Sa");
}

#[test]
fn a_flow_whose_turn_is_over_waits_however_new_it_is() {
    assert_eq!(taken(&model(), "aaaa . S . S . S . S ."), " a  S  S  S  S");
    assert_eq!(
        taken(&model(), "aaaa . b . b . b . b . ..."),
        " a  b  a  b  a bab"
    );
}

#[test]
fn the_fattest_flow_gives_way_with_the_oldest_half_of_its_queue() {
    let small = Parameters {
        limit_packets: 6,
        ..model()
    };
    assert_eq!(taken(&small, "aaaabbb ......."), "[aa] ababb--");
    let one = Parameters {
        drop_batch_packets: 1,
        ..small
    };
    assert_eq!(taken(&one, "aaaabbS ......."), "[a] abSaba-");
}

#[test]
fn a_packet_may_be_dropped_itself() {
    let none = Parameters {
        limit_packets: 1,
        memory_limit_bytes: 100,
        ..model()
    };
    assert_eq!(taken(&none, "a ."), "[a] -");
}

#[test]
fn a_standing_queue_is_dropped_from_and_a_sparse_flow_is_not() {
    let mut fq = FqCodel::new(&model(), DEVICE);
    let mut verdicts = Verdicts::default();
    let mut number = 0;
    let mut sparse = Vec::new();
    // The bulk flow always has a hundred packets; the sparse one has one in ten turns.
    for turn in 0..5000_u64 {
        let now = SimTime::from_us(turn * 1200);
        while fq.len() < 100 {
            fq.enqueue(packet(number, 1, 1514, now));
            number += 1;
        }
        if turn % 10 == 0 {
            sparse.push(Skb(number));
            fq.enqueue(packet(number, 2, 100, now));
            number += 1;
        }
        fq.dequeue(now, &mut verdicts);
    }
    let dropped = verdicts.dropped;
    assert!(dropped.len() > 50, "{}", dropped.len());
    assert!(!dropped.iter().any(|skb| sparse.contains(skb)));
}

/// A standing queue of two flows, of which one knows ECN: its packets are marked, the other's dropped, each by the law
/// of its own queue.
#[test]
fn each_flow_is_marked_or_dropped_by_what_its_own_packets_say() {
    let mut fq = FqCodel::new(&model(), DEVICE);
    let (mut marked, mut dropped) = (0, 0);
    let mut number = 0;
    for turn in 0..5000_u64 {
        let now = SimTime::from_us(turn * 1200);
        while fq.len() < 200 {
            let flow = 1 + number % 2;
            let ecn = if flow == 1 { Ecn::Ect0 } else { Ecn::NotEct };
            fq.enqueue(Queued {
                ecn,
                ..packet(number, flow, 1514, now)
            });
            number += 1;
        }
        let mut verdicts = Verdicts::default();
        let left = fq.dequeue(now, &mut verdicts).unwrap();
        assert!(
            !verdicts.is_marked || left.0 % 2 == 0,
            "packets of flow 1 are even"
        );
        assert!(verdicts.dropped.iter().all(|skb| skb.0 % 2 == 1));
        marked += u32::from(verdicts.is_marked);
        dropped += verdicts.dropped.len() as u32;
    }
    assert!(marked > 25 && dropped > 25, "{marked} and {dropped}");
}

/// What there is no room for is dropped, whatever its header says (`fq_codel_drop`).
#[test]
fn a_full_queue_marks_nothing() {
    let small = Parameters {
        limit_packets: 4,
        ..model()
    };
    let mut fq = FqCodel::new(&small, DEVICE);
    let full = (0..6).flat_map(|number| {
        fq.enqueue(Queued {
            ecn: Ecn::Ect0,
            ..packet(number, 1, 1514, SimTime::ZERO)
        })
    });
    let reasons: Vec<_> = full.map(|it| it.reason).collect();
    assert!(!reasons.is_empty());
    assert!(reasons.iter().all(|&it| it == DropReason::QdiscOverlimit));
}

proptest! {
    /// Each packet that came in is out, dropped or inside, once; no limit is exceeded; counts are those of the
    /// packets.
    #[test]
    fn packets_are_conserved(
        acts in prop::collection::vec((0..40_u32, 60..3000_u32, 0..3_u8, 0..30_000_u64), 1..400),
        limit in 1..40_u32,
    ) {
        let model = Parameters { limit_packets: limit, flows: 8, drop_batch_packets: 3, ..model() };
        let mut fq = FqCodel::new(&model, DEVICE);
        let (mut now, mut seen, mut put) = (SimTime::ZERO, Vec::new(), 0);
        for (flow, bytes, takes, pause) in acts {
            now = now + SimTime::from_us(pause);
            seen.extend(fq.enqueue(packet(put, flow, bytes, now)).iter().map(|it| it.skb));
            put += 1;
            for _ in 0..takes {
                let mut verdicts = Verdicts::default();
                seen.extend(fq.dequeue(now, &mut verdicts));
                seen.extend(verdicts.dropped);
            }
            prop_assert!(fq.len() <= limit);
            prop_assert_eq!(fq.packets().count(), fq.len() as usize);
            let all = fq.flows.iter().flat_map(|flow| &flow.packets);
            prop_assert_eq!(all.map(|it| u64::from(it.bytes)).sum::<u64>(), fq.bytes);
            let of_flows = fq.flows.iter().map(|flow| flow.bytes);
            prop_assert_eq!(of_flows.sum::<u64>(), fq.bytes);
        }
        let mut all: Vec<u32> = seen.into_iter().chain(fq.packets()).map(|skb| skb.0).collect();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..put));
    }

    /// Packets of one flow leave in the order in which they came.
    #[test]
    fn no_packet_overtakes_another_of_its_flow(flows in prop::collection::vec((0..6_u32, 0..2_u8), 1..200)) {
        let mut fq = FqCodel::new(&model(), DEVICE);
        let mut last = std::collections::BTreeMap::new();
        for (number, &(flow, takes)) in flows.iter().enumerate() {
            fq.enqueue(packet(number as u32, flow, 1000, SimTime::ZERO));
            for _ in 0..takes {
                let got = fq.dequeue(SimTime::ZERO, &mut Verdicts::default()).unwrap().0 as usize;
                let before = last.insert(flows[got].0, got);
                prop_assert!(before.is_none_or(|before| before < got));
            }
        }
    }
}

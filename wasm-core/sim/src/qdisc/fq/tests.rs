//! Whose turn it is, who waits for its time, and what is dropped.

use proptest::prelude::*;

use super::*;
use crate::ecn::Ecn;
use crate::qdisc::PfifoFast;

const DEVICE: Device = Device {
    frame_bytes: 1514,
    queue_packets: 1000,
};

fn parameters() -> Parameters {
    Parameters {
        limit_packets: 10_000,
        flow_limit_packets: 100,
        quantum_frames: 2,
        initial_quantum_frames: 10,
        flow_refill_delay_ms: 40,
        horizon_us: 10_000_000,
        timer_slack_us: 10,
        limit_reason: DropReason::FqBandLimit,
        flow_limit_reason: DropReason::FqFlowLimit,
        horizon_reason: DropReason::FqHorizonLimit,
    }
}

/// A packet that is enqueued at a time in µs and is to leave at another.
fn packet(number: u32, flow: u32, bytes: u32, (at_us, departs_us): (u64, u64)) -> Queued {
    Queued {
        skb: Skb(number),
        flow,
        bytes,
        memory: bytes,
        departs: SimTime::from_us(departs_us),
        at: SimTime::from_us(at_us),
        ecn: Ecn::NotEct,
    }
}

/// Flows by letters: `a` has packets of 1514 bytes, a capital letter's are of 100, all to leave at once. Each `.` takes
/// a packet and says whose it was, and a space waits for 50 ms; the picture is what was taken.
fn taken(parameters: Parameters, acts: &str) -> String {
    let mut fq = Fq::new(parameters, DEVICE);
    let (mut flows, mut now_us) = (Vec::new(), 0);
    let mut picture = String::new();
    for act in acts.chars() {
        match act {
            '.' => {
                let next = fq.dequeue(SimTime::from_us(now_us), &mut Verdicts::default());
                picture.push(next.map_or('-', |skb| flows[skb.0 as usize]));
            }
            ' ' => {
                now_us += 50_000;
                picture.push(' ');
            }
            flow => {
                let bytes = if flow.is_uppercase() { 100 } else { 1514 };
                let number = flows.len() as u32;
                flows.push(flow);
                let dropped = fq.enqueue(packet(number, flow.into(), bytes, (now_us, 0)));
                picture.extend(dropped.iter().map(|it| format!("[{}]", it.reason)));
            }
        }
    }
    picture
}

#[test]
fn a_flow_begins_with_ten_frames_and_goes_on_with_two_in_turn() {
    let acts = format!("{}{}{}", "a".repeat(14), "b".repeat(14), ".".repeat(29));
    let first = format!("{}{}", "a".repeat(10), "b".repeat(10));
    assert_eq!(taken(parameters(), &acts), format!("{first}aabbaabb-"));
}

#[test]
fn a_turn_has_as_many_bytes_for_each_flow() {
    let even = Parameters {
        initial_quantum_frames: 2,
        ..parameters()
    };
    // 31 small packets are a turn as two large ones are: the last of them may exceed it.
    let acts = format!("aaaa{}{}", "S".repeat(40), ".".repeat(44));
    let picture = format!("aa{}aa{}", "S".repeat(31), "S".repeat(9));
    assert_eq!(taken(even, &acts), picture);
}

#[test]
fn a_flow_that_was_empty_overtakes_a_queue_with_what_is_left_of_its_turn() {
    let even = Parameters {
        initial_quantum_frames: 2,
        ..parameters()
    };
    assert_eq!(taken(even, "aaaaaa..S.S.."), "aaSSa");
}

#[test]
fn a_flow_that_comes_back_has_what_was_left_of_its_turn_and_a_whole_one_after_a_while() {
    let even = Parameters {
        initial_quantum_frames: 2,
        ..parameters()
    };
    assert_eq!(taken(even.clone(), "b..aaaaa.bbb...."), "b-aabaa");
    assert_eq!(taken(even, "b..aaaaa. bbb...."), "b-a abba");
}

/// The shares of two flows in the bytes of a link, where each packet that leaves is followed by one of its flow: the
/// first has forty packets of 1514 bytes under way, the second four of 900.
fn shares(mut queue: impl Discipline) -> [f64; 2] {
    let bytes = [1514, 900];
    let mut flows: Vec<usize> = Vec::new();
    let mut sent = [0_u32; 2];
    for turn in 0..4000 {
        let next = if turn < 44 {
            usize::from(turn >= 40)
        } else {
            let skb = queue
                .dequeue(SimTime::ZERO, &mut Verdicts::default())
                .unwrap();
            let flow = flows[skb.0 as usize];
            sent[flow] += bytes[flow];
            flow
        };
        let new = packet(flows.len() as u32, next as u32, bytes[next], (0, 0));
        assert_eq!(queue.enqueue(new), []);
        flows.push(next);
    }
    let all = f64::from(sent[0] + sent[1]);
    sent.map(|bytes| f64::from(bytes) / all)
}

#[test]
fn two_flows_of_unequal_windows_have_equal_shares() {
    let [large, small] = shares(Fq::new(parameters(), DEVICE));
    assert!((large - small).abs() < 0.02, "{large} {small}");
    let [large, small] = shares(PfifoFast::new(1000));
    assert!(large > 10.0 * small, "{large} {small}");
}

#[test]
fn a_flow_waits_for_the_departure_of_its_packet_and_others_go() {
    let mut fq = Fq::new(parameters(), DEVICE);
    assert_eq!((fq.is_ready(SimTime::ZERO), fq.watchdog()), (false, None));
    fq.enqueue(packet(0, 1, 1514, (0, 100)));
    fq.enqueue(packet(1, 1, 1514, (0, 100)));
    fq.enqueue(packet(2, 2, 1514, (0, 0)));
    let mut take = |us| fq.dequeue(SimTime::from_us(us), &mut Verdicts::default());
    assert_eq!(take(1), Some(Skb(2)));
    assert_eq!(take(99), None);
    let at = SimTime::from_us;
    assert!(!fq.is_ready(at(99)) && fq.is_ready(at(100)));
    assert_eq!(fq.watchdog(), Some(at(110)), "the slack is 10 µs");
    let mut take = |us| fq.dequeue(at(us), &mut Verdicts::default());
    assert_eq!(
        [take(100), take(100), take(100)],
        [Some(Skb(0)), Some(Skb(1)), None]
    );
    assert_eq!(fq.watchdog(), None);
}

#[test]
fn a_packet_that_is_to_leave_before_another_of_its_flow_overtakes_it() {
    let mut fq = Fq::new(parameters(), DEVICE);
    for (number, departs_us) in [(0, 200), (1, 100), (2, 200)] {
        fq.enqueue(packet(number, 1, 1514, (0, departs_us)));
    }
    let order = [(); 3].map(|()| fq.dequeue(SimTime::from_us(200), &mut Verdicts::default()));
    assert_eq!(order, [1, 0, 2].map(|number| Some(Skb(number))));
}

#[test]
fn what_is_too_much_is_refused_and_says_why() {
    let small = Parameters {
        limit_packets: 4,
        flow_limit_packets: 3,
        ..parameters()
    };
    assert_eq!(
        taken(small, "aaaabb......"),
        "[FQ_FLOW_LIMIT][FQ_BAND_LIMIT]aaab--"
    );
    let mut fq = Fq::new(parameters(), DEVICE);
    let (last, beyond) = (
        packet(0, 1, 100, (5, 10_000_005)),
        packet(1, 1, 100, (5, 10_000_006)),
    );
    assert_eq!(fq.enqueue(last), []);
    let (skb, reason) = (Skb(1), DropReason::FqHorizonLimit);
    assert_eq!(fq.enqueue(beyond), [Dropped { skb, reason }]);
    assert_eq!(fq.len(), 1);
}

#[test]
fn a_turn_of_nothing_is_refused() {
    let none = Parameters {
        quantum_frames: 0,
        ..parameters()
    };
    let error = none.check().unwrap_err();
    assert!(error.starts_with("quantum_frames:"), "{error}");
    assert_eq!(parameters().check(), Ok(()));
}

proptest! {
    /// Each packet that came in is out, dropped or inside, once; none leaves before its time; limits hold; and the
    /// watchdog would go off as long as something waits and nothing may leave.
    #[test]
    fn packets_are_conserved_and_keep_to_their_times(
        acts in prop::collection::vec((0..6_u32, 60..3000_u32, 0..3_u8, 0..300_u64, 0..900_u64), 1..400),
        limit in 1..40_u32,
    ) {
        let parameters = Parameters { limit_packets: limit, flow_limit_packets: 5, ..parameters() };
        let mut fq = Fq::new(parameters, DEVICE);
        let (mut now_us, mut seen, mut put) = (0, Vec::new(), Vec::new());
        for (flow, bytes, takes, pause, ahead) in acts {
            now_us += pause;
            let number = put.len() as u32;
            let times = (now_us, now_us + ahead);
            seen.extend(fq.enqueue(packet(number, flow, bytes, times)).iter().map(|it| it.skb));
            put.push(times.1);
            let now = SimTime::from_us(now_us);
            for _ in 0..takes {
                let was_ready = fq.is_ready(now);
                let next = fq.dequeue(now, &mut Verdicts::default());
                prop_assert_eq!(was_ready, next.is_some());
                prop_assert!(next.is_none_or(|skb| put[skb.0 as usize] <= now_us));
                seen.extend(next);
            }
            prop_assert!(fq.len() <= limit);
            prop_assert_eq!(fq.packets().count(), fq.len() as usize);
            prop_assert_eq!(fq.watchdog().is_some(), fq.len() > 0);
        }
        let mut all: Vec<u32> = seen.into_iter().chain(fq.packets()).map(|skb| skb.0).collect();
        all.sort_unstable();
        prop_assert!(all.into_iter().eq(0..put.len() as u32));
    }
}

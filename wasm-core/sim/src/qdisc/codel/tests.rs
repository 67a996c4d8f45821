//! When `CoDel` drops, against RFC 8289's pseudo-code worked by hand.

use std::collections::VecDeque;

use super::*;
use crate::ecn::Ecn;
use crate::qdisc::Skb;

const LAW: Law = Law {
    target: SimTime::from_ms(5),
    interval: SimTime::from_ms(100),
    mtu: 1514,
    ecn: true,
    ce_threshold: None,
};

/// A packet of 1000 bytes that was enqueued at a time in µs.
fn packet(number: u32, at_us: u64) -> Queued {
    Queued {
        skb: Skb(number),
        flow: 0,
        bytes: 1000,
        memory: 0,
        departs: SimTime::ZERO,
        at: SimTime::from_us(at_us),
        ecn: Ecn::NotEct,
    }
}

/// A queue from which a packet is taken each 100 µs.
#[derive(Default)]
struct Bench {
    codel: Codel,
    queue: VecDeque<Queued>,
    taken: u32,
    now_us: u64,
    /// When packets were dropped, and marked, in µs.
    drops: Vec<u64>,
    marks: Vec<u64>,
    /// What the headers of packets say that `run` takes.
    ecn: Ecn,
}

impl Bench {
    /// Goes on until `until_us`; each packet taken has waited for `sojourn_us`, and others are behind it.
    fn run(&mut self, until_us: u64, sojourn_us: u64) {
        while self.now_us < until_us {
            let (now, taken) = (self.now_us, &mut self.taken);
            let mut pull = || {
                *taken += 1;
                let next = Queued {
                    ecn: self.ecn,
                    ..packet(*taken, now.saturating_sub(sojourn_us))
                };
                Some((next, 100_000))
            };
            let mut verdicts = Verdicts::default();
            let at = SimTime::from_us(now);
            let got = self.codel.dequeue(&LAW, at, &mut pull, &mut verdicts);
            let is_ce = got.unwrap().ecn == Ecn::Ce;
            assert_eq!(is_ce, verdicts.is_marked);
            self.marks.extend(is_ce.then_some(now));
            self.drops.extend(verdicts.dropped.iter().map(|_| now));
            self.now_us += 100;
        }
    }

    /// Takes one packet of its own queue at `now_us`.
    fn take(&mut self, now_us: u64) -> Option<Skb> {
        let queue = &mut self.queue;
        let mut pull = || {
            let packet = queue.pop_front()?;
            Some((packet, queue.iter().map(|it| u64::from(it.bytes)).sum()))
        };
        let mut verdicts = Verdicts::default();
        let now = SimTime::from_us(now_us);
        let got = self.codel.dequeue(&LAW, now, &mut pull, &mut verdicts);
        self.drops.extend(verdicts.dropped.iter().map(|_| now_us));
        got.map(|packet| packet.skb)
    }
}

/// RFC 8289, section 5.5: the queue is above the target from 20 ms on. The first drop comes when that has lasted for
/// an interval, and then each at `drop_next` = `drop_next` + interval / sqrt(count): 100, 70.7, 57.7, 50, 44.7,
/// 40.8 ms and so on. Linux's root of 2 is half a Newton step from that of 1, so that its second pause has 50.
#[test]
fn drops_come_as_the_rfc_says_but_for_the_second_pause() {
    let mut bench = Bench::default();
    bench.run(20_000, 1000);
    bench.run(900_000, 20_000);
    let first = bench.drops[0];
    assert_eq!(first, 120_100, "an interval above the target");
    let pauses = bench.drops.windows(2).map(|it| it[1] - it[0]);
    let pauses: Vec<u64> = pauses.take(12).map(|us| us / 100).collect();
    let by_hand = [
        1000, 707, 577, 500, 447, 408, 378, 354, 333, 316, 302, 289_u64,
    ];
    assert_eq!(pauses[0], by_hand[0]);
    assert_eq!(pauses[1], 500, "Linux, where the RFC has 707");
    for (at, (&here, &rfc)) in pauses.iter().zip(&by_hand).enumerate().skip(2) {
        assert!(
            here.abs_diff(rfc) * 100 <= rfc * 3,
            "pause {at}: {here}, {rfc} in the RFC"
        );
    }
}

/// `codel_dequeue` counts a mark as it counts a drop, and the packet behind a dropped one is taken in its place.
#[test]
fn marks_come_when_drops_would_and_then_nothing_is_dropped() {
    let of = |ecn| {
        let mut bench = Bench {
            ecn,
            ..Bench::default()
        };
        bench.run(20_000, 1000);
        bench.run(900_000, 20_000);
        bench
    };
    let (dropping, marking) = (of(Ecn::NotEct), of(Ecn::Ect0));
    assert!(dropping.marks.is_empty() && dropping.drops.len() > 12);
    assert_eq!((marking.drops, marking.marks), (Vec::new(), dropping.drops));
}

/// `ce_threshold`: a packet is marked for its own wait, however short that of others, and is never dropped for it.
#[test]
fn each_packet_that_waited_longer_than_the_threshold_is_marked_if_it_can_be() {
    let law = Law {
        ce_threshold: Some(SimTime::from_ms(1)),
        ..LAW
    };
    let marked = |ecn, waited_us| {
        let mut codel = Codel::default();
        let mut once = Some((
            Queued {
                ecn,
                ..packet(1, 0)
            },
            100_000,
        ));
        let mut verdicts = Verdicts::default();
        let now = SimTime::from_us(waited_us);
        let got = codel.dequeue(&law, now, &mut || once.take(), &mut verdicts);
        assert_eq!(got.unwrap().ecn == Ecn::Ce, verdicts.is_marked);
        verdicts.is_marked
    };
    assert!(marked(Ecn::Ect0, 1_001));
    assert!(!marked(Ecn::Ect0, 1_000));
    assert!(!marked(Ecn::NotEct, 4_000));
}

#[test]
fn a_law_that_does_not_mark_drops_whatever_the_header_says() {
    let law = Law { ecn: false, ..LAW };
    let mut packet = Queued {
        ecn: Ecn::Ect0,
        ..packet(1, 0)
    };
    assert!(!law.marks(&mut packet) && packet.ecn == Ecn::Ect0);
    assert!(LAW.marks(&mut packet) && packet.ecn == Ecn::Ce);
}

#[test]
fn no_packet_is_dropped_below_the_target_however_long() {
    let mut bench = Bench::default();
    bench.run(2_000_000, 4999);
    assert!(bench.drops.is_empty(), "{:?}", bench.drops);
}

#[test]
fn one_packet_below_the_target_begins_the_interval_anew() {
    let mut bench = Bench::default();
    bench.run(99_000, 20_000);
    bench.run(99_100, 0);
    bench.run(199_100, 20_000);
    assert!(bench.drops.is_empty(), "{:?}", bench.drops);
    bench.run(199_400, 20_000);
    assert_eq!(bench.drops, [199_200]);
}

/// RFC 8289, section 5.5: if dropping begins again soon, it begins at the rate at which it ended.
#[test]
fn dropping_that_begins_again_soon_begins_at_the_rate_at_which_it_ended() {
    let pause_after = |below_us: u64| {
        let mut bench = Bench::default();
        bench.run(1_000_000, 20_000);
        let before = bench.drops.len();
        bench.run(1_000_000 + below_us, 0);
        bench.run(1_300_000 + below_us, 20_000);
        bench.drops[before + 1] - bench.drops[before]
    };
    assert_eq!(
        pause_after(2_000_000),
        100_000,
        "after 16 intervals it is forgotten"
    );
    let soon = pause_after(50_000);
    assert!((15_000..35_000).contains(&soon), "{soon} µs");
}

#[test]
fn the_last_frame_of_a_queue_is_never_dropped() {
    let mut bench = Bench::default();
    for turn in 0..400_u64 {
        bench.queue.push_back(packet(turn as u32, turn * 1000));
        assert!(bench.take(turn * 1000 + 50_000).is_some());
    }
    assert!(bench.drops.is_empty(), "{:?}", bench.drops);
}

#[test]
fn a_queue_that_is_dropped_empty_gives_no_packet() {
    let mut bench = Bench::default();
    bench.run(150_000, 20_000);
    let (drops, due) = (bench.drops.len(), bench.codel.drop_next);
    let large = Queued {
        bytes: 100_000,
        ..packet(1, 0)
    };
    // Behind the first there is more than a frame, and so it is dropped; then there is no further one.
    let mut once = Some((large, 100_000));
    let mut verdicts = Verdicts::default();
    let got = bench.codel.dequeue(
        &LAW,
        due + SimTime::from_us(1),
        &mut || once.take(),
        &mut verdicts,
    );
    assert_eq!((got, verdicts.dropped.len(), drops), (None, 1, 1));
    assert!(!bench.codel.is_dropping);
}

#[test]
fn the_root_converges_though_the_count_jumps() {
    let mut codel = Codel {
        count: 1,
        inverse_root: u16::MAX,
        ..Codel::default()
    };
    codel.note_dropped(9_999);
    for _ in 0..20 {
        codel.newton_step();
    }
    let exact = 655; // 65,536 / sqrt(10,000)
    assert!(
        codel.inverse_root.abs_diff(exact) <= 8,
        "{}",
        codel.inverse_root
    );
}

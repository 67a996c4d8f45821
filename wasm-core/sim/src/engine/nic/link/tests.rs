//! What happens to frames on their way.

use super::*;
use crate::engine::events::EventQueue;
use crate::engine::ids::Id as _;
use crate::engine::setup::testing::{World, due, sock};
use crate::tcp::Segment;

/// How long a frame takes on the wire.
const FRAME: SimTime = SimTime::from_us(10);

fn core() -> Core {
    let mut core = World::default().at_rest().core;
    core.events.queue = EventQueue::default();
    core
}

/// The `number`th frame to a host.
fn flight(to: usize, number: u64, fault: Option<FrameFault>) -> Flight {
    let segment = Segment {
        seq: number,
        len: 100,
        ..Segment::default()
    };
    let frame = Frame {
        segment,
        from: Some(sock(0)),
        ..Frame::default()
    };
    Flight {
        to: (to, NicId::from_index(0)),
        frame,
        fault,
    }
}

/// When the `number`th frame arrives where nothing happens to it.
fn usually(core: &Core, number: u64) -> SimTime {
    SimTime(core.now().0 + FRAME.0 * number)
}

/// Sets frames off to a host, one behind the other, of which faults befall some.
fn fly(link: &mut Link, core: &mut Core, to: usize, faults: &[Option<FrameFault>]) {
    for (number, &fault) in (1..).zip(faults) {
        let arrival = usually(core, number);
        link.fly(core, flight(to, number, fault), arrival, FRAME.0);
    }
}

/// The frames that arrive, in order and with when they do.
fn arrivals(link: &mut Link, core: &mut Core) -> Vec<(u64, SimTime)> {
    let mut all = Vec::new();
    for (at, event) in due(core) {
        core.events.now = at;
        match event {
            Event::Arrive { flight } => all.push((link.land(flight).frame.segment.seq, at)),
            Event::LetGo { flight } => {
                link.let_go(core, flight);
                for (at, event) in due(core) {
                    assert_eq!(event, Event::Arrive { flight });
                    all.push((link.land(flight).frame.segment.seq, at));
                }
            }
            other => panic!("{other:?}"),
        }
    }
    all
}

fn order(link: &mut Link, core: &mut Core) -> Vec<u64> {
    let all = arrivals(link, core).into_iter();
    all.map(|(number, _)| number).collect()
}

#[test]
fn frames_arrive_when_they_are_said_to_and_are_under_way_until_then() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    fly(&mut link, &mut core, 1, &[None; 3]);
    assert_eq!(link.under_way(), 3);
    let expected = [1, 2, 3].map(|number| (number, usually(&core, number)));
    assert_eq!(arrivals(&mut link, &mut core), expected);
    assert_eq!((link.under_way(), link.lost), (0, 0));
}

#[test]
fn chance_loses_frames_at_the_rate_that_is_set() {
    let (mut core, mut link) = (core(), Link::new(100, 0));
    fly(&mut link, &mut core, 1, &vec![None; 10_000]);
    let lost = link.lost;
    // Five standard deviations of 30 frames.
    assert!((850..=1150).contains(&lost), "{lost}");
    assert_eq!(due(&mut core).len() as u64, 10_000 - lost);
}

#[test]
fn three_frames_overtake_one_that_chance_reorders() {
    let (mut core, mut link) = (core(), Link::new(0, 1000));
    let arrival = usually(&core, 1);
    link.fly(&mut core, flight(1, 1, None), arrival, FRAME.0);
    link.reorder_permille = 0;
    for number in 2..=6 {
        let arrival = usually(&core, number);
        link.fly(&mut core, flight(1, number, None), arrival, FRAME.0);
    }
    assert_eq!(order(&mut link, &mut core), [2, 3, 4, 1, 5, 6]);
}

#[test]
fn a_frame_that_is_dropped_by_hand_is_lost_and_the_next_is_not() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    fly(&mut link, &mut core, 1, &[Some(FrameFault::Drop), None]);
    assert_eq!((link.lost, link.under_way()), (1, 1));
    assert_eq!(order(&mut link, &mut core), [2]);
}

#[test]
fn a_frame_that_is_delayed_comes_by_so_much_later() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    let by = SimTime::from_us(25);
    let faults = [Some(FrameFault::Delay(by)), None, None, None];
    fly(&mut link, &mut core, 1, &faults);
    let late = usually(&core, 1) + by;
    let all = arrivals(&mut link, &mut core);
    assert_eq!(
        all.iter().map(|one| one.0).collect::<Vec<_>>(),
        [2, 3, 1, 4]
    );
    assert_eq!(all[2].1, late);
}

#[test]
fn a_frame_that_is_doubled_comes_again_a_frame_later() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    fly(&mut link, &mut core, 1, &[Some(FrameFault::Duplicate)]);
    let expected = [1, 2].map(|times| (1, usually(&core, times)));
    assert_eq!((link.duplicated, link.under_way()), (1, 2));
    assert_eq!(arrivals(&mut link, &mut core), expected);
}

#[test]
fn a_frame_that_is_reordered_comes_right_behind_the_last_that_overtakes_it() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    let mut faults = [None; 4];
    faults[0] = Some(FrameFault::Reorder(2));
    fly(&mut link, &mut core, 1, &faults);
    let third = usually(&core, 3);
    let all = arrivals(&mut link, &mut core);
    let numbers: Vec<u64> = all.iter().map(|one| one.0).collect();
    assert_eq!(numbers, [2, 3, 1, 4]);
    assert_eq!(all[2].1, third);
}

#[test]
fn only_frames_to_the_same_host_overtake_one() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    fly(&mut link, &mut core, 1, &[Some(FrameFault::Reorder(1))]);
    let arrival = usually(&core, 2);
    link.overtakes(&mut core, 0, arrival);
    assert_eq!(link.overtaken.len(), 1, "a frame to the other host");
    link.overtakes(&mut core, 1, arrival);
    assert!(link.overtaken.is_empty());
}

#[test]
fn a_frame_that_nothing_overtakes_is_let_go_in_the_end() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    fly(
        &mut link,
        &mut core,
        1,
        &[Some(FrameFault::Reorder(3)), None],
    );
    let until = usually(&core, 1) + LONGEST_OVERTAKEN;
    let all = arrivals(&mut link, &mut core);
    assert_eq!(all[1], (1, until));
    assert!(link.overtaken.is_empty());
}

#[test]
fn a_fault_waits_for_its_time_and_its_direction_and_befalls_one_frame() {
    let mut link = Link::new(0, 0);
    link.faults.push(Armed {
        from: SimTime::from_us(5),
        is_sent: true,
        fault: FrameFault::Drop,
    });
    assert_eq!(link.due(SimTime::from_us(4), true), None, "too early");
    assert_eq!(link.due(SimTime::from_us(5), false), None, "a received one");
    assert_eq!(link.due(SimTime::from_us(5), true), Some(FrameFault::Drop));
    assert_eq!(link.due(SimTime::from_us(6), true), None, "it has happened");
}

#[test]
fn frames_with_data_come_when_a_recording_has_them_and_never_sooner_than_sent() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    core.events.now = SimTime::ZERO;
    // Two frames at 15 µs, one at 20 µs.
    link.recorded(sock(0), &[vec![15, 2, 20, 1]]);
    let mut ack = flight(1, 9, None);
    ack.frame.segment.len = 0;
    let arrival = usually(&core, 1);
    link.fly(&mut core, ack, arrival, FRAME.0);
    fly(&mut link, &mut core, 1, &[None; 4]);
    let us = [(9, 10), (1, 15), (2, 20), (3, 30), (4, 40)];
    let expected = us.map(|(number, us)| (number, SimTime::from_us(us)));
    assert_eq!(arrivals(&mut link, &mut core), expected);
}

#[test]
fn the_place_of_a_frame_that_has_landed_is_used_again() {
    let (mut core, mut link) = (core(), Link::new(0, 0));
    for _ in 0..5 {
        fly(&mut link, &mut core, 1, &[None; 2]);
        assert_eq!(order(&mut link, &mut core), [1, 2]);
    }
    assert_eq!(link.flights.len(), 2);
}

//! Descriptors that frames take and drivers fill, and what an interrupt handler does.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::events::{Event, EventQueue};
use crate::engine::ids::{Device, Id as _};
use crate::engine::memory::skbuff::{Fragment, Frame, RxBuffer, SkBuff};
use crate::engine::nic::link::{Armed, Flight, FrameFault};
use crate::engine::setup::testing::{World, due, ops, sock};
use crate::qdisc::{PfifoFast, Queued};
use crate::tcp::Segment;

mod completion;

/// The first receive queue.
fn queue() -> QueueId {
    QueueId::from_index(0)
}

fn nic() -> NicId {
    NicId::from_index(0)
}

/// The watched host receives with eight descriptors and a driver that does not poll.
fn world() -> World {
    World {
        is_linked: true,
        settings: json!({ "nics": 1, "rx_ring": 8 }),
        ..World::default()
    }
}

/// The same with a driver that polls.
fn polling() -> World {
    World {
        change: |machine| machine.nics[0].napi = true,
        ..world()
    }
}

fn engine(world: &World) -> Engine {
    let mut engine = world.at_rest();
    engine.core.events.queue = EventQueue::default();
    engine
}

/// So many frames of socket 0 arrive now, one after the other.
fn arrive(engine: &mut Engine, count: u64) {
    for number in 0..count {
        let segment = Segment {
            seq: 1 + number * 100,
            len: 100,
            ..Segment::default()
        };
        let frame = Frame {
            segment,
            from: Some(sock(0)),
            to: Some(sock(1)),
            ..Frame::default()
        };
        arrives(engine, frame);
    }
}

/// A frame arrives now.
fn arrives(engine: &mut Engine, frame: Frame) {
    let flight = Flight {
        to: (0, nic()),
        frame,
        fault: None,
    };
    let now = engine.core.now();
    let core = &mut engine.core;
    engine.net.link.fly(core, flight, now, 0);
    for (_, event) in due(core) {
        if let Event::Arrive { flight } = event {
            engine.net.arrive(core, flight);
        }
    }
}

/// The driver has taken so many frames.
fn take(engine: &mut Engine, count: u64) {
    for _ in 0..count {
        engine.net.leave_ring(&engine.core, 0, queue());
    }
}

#[test]
fn a_frame_without_a_descriptor_is_missed_and_counted() {
    let mut engine = engine(&world());
    arrive(&mut engine, 6);
    assert_eq!(engine.core.hosts[0].totals.least_free, 2);
    arrive(&mut engine, 5);
    let totals = &engine.core.hosts[0].totals;
    assert_eq!((totals.frames_received, totals.rx_missed), (8, 3));
    assert_eq!(totals.least_free, 0);
    assert_eq!(engine.net.stacks[0].queues[queue()].ring.ready.len(), 8);
}

#[test]
fn frames_lie_in_the_ring_in_the_order_in_which_they_came() {
    let mut engine = engine(&world());
    arrive(&mut engine, 3);
    let ready = &engine.net.stacks[0].queues[queue()].ring.ready;
    let seq = |rx: &RxBuffer| engine.core.buffers[rx.buffer].frame.segment.seq;
    assert!(ready.iter().map(seq).eq([1, 101, 201]));
}

#[test]
fn a_driver_that_polls_masks_its_interrupt_until_a_poll_finds_nothing() {
    let mut engine = engine(&polling());
    arrive(&mut engine, 1);
    engine.net.nic_interrupt(&mut engine.core, 0, queue());
    let state = &engine.net.stacks[0].queues[queue()];
    assert!(state.interrupt.is_masked && state.napi.is_scheduled());
    assert!(engine.core.cpus[0].softirq.is_pending);
    assert_eq!(state.ring.ready.len(), 1, "the handler takes no frame");
    engine.net.napi_complete(&mut engine.core, 0, queue());
    let state = &engine.net.stacks[0].queues[queue()];
    assert!(!state.interrupt.is_masked && !state.napi.is_taken());
}

#[test]
fn a_queue_that_is_polled_is_not_scheduled_twice() {
    let mut engine = engine(&polling());
    engine.net.nic_interrupt(&mut engine.core, 0, queue());
    engine.net.nic_interrupt(&mut engine.core, 0, queue());
    assert_eq!(engine.net.softnet[0].polls.len(), 1);
    assert_eq!(engine.core.hosts[0].totals.interrupts, 2);
}

#[test]
fn without_polling_the_handler_brings_each_frame_to_the_backlog() {
    let mut engine = engine(&world());
    arrive(&mut engine, 2);
    engine.net.nic_interrupt(&mut engine.core, 0, queue());
    assert!(engine.net.softnet[0].polls.is_empty());
    ops(&mut engine.core, 0);
    let first = engine.net.stacks[0].queues[queue()].ring.ready[0];
    let skb = first.skb.unwrap();
    engine.net.driver_loop(&mut engine.core, 0, queue());
    let about = About::skb(skb);
    let expected = [
        Op::run(Path::DriverReceive, about.counting(100)),
        Op::LeaveRing { queue: queue() },
        Op::run(Path::NetifRx, about),
        Op::Enqueue { skb },
        Op::DriverLoop { queue: queue() },
    ];
    assert_eq!(ops(&mut engine.core, 0), expected);
}

#[test]
fn a_handler_looks_again_while_there_are_causes_but_not_for_ever() {
    let mut engine = engine(&world());
    engine.net.stacks[0].nics[nic()].driver.most_rounds = 3;
    let looks = |engine: &mut Engine, round, has_cause| {
        let interrupt = &mut engine.net.stacks[0].queues[queue()].interrupt;
        (interrupt.has_cause, interrupt.is_in_service) = (has_cause, true);
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.driver_round(core, 0, queue(), round);
        let state = &net.stacks[0].queues[queue()];
        let again = Op::DriverRound {
            queue: queue(),
            round: round + 1,
        };
        let looks = ops(core, 0).contains(&again);
        assert_eq!(state.interrupt.is_in_service, looks);
        looks
    };
    assert!(looks(&mut engine, 0, false), "once at least");
    assert!(looks(&mut engine, 2, true));
    assert!(!looks(&mut engine, 2, false), "nothing is left");
    assert!(!engine.net.stacks[0].queues[queue()].interrupt.is_raised);
    assert!(!looks(&mut engine, 3, true), "often enough");
    let interrupt = &engine.net.stacks[0].queues[queue()].interrupt;
    assert!(interrupt.is_raised, "the rest has an interrupt of its own");
}

#[test]
fn a_ring_is_refilled_when_enough_descriptors_are_used_or_half_of_a_small_one() {
    let mut engine = engine(&world());
    for (after, due_at) in [(3, 3), (1, 1), (0, 1), (100, 4)] {
        engine.net.stacks[0].nics[nic()].driver.refill_after = after;
        let ring = &mut engine.net.stacks[0].queues[queue()].ring;
        let kept = ring.posted.split_off(8 - due_at + 1);
        assert_eq!(ring.empty() as usize, due_at - 1);
        assert!(!engine.net.is_refill_due(0, queue()), "{after}");
        let ring = &mut engine.net.stacks[0].queues[queue()].ring;
        let last = ring.posted.pop_back().unwrap();
        assert!(engine.net.is_refill_due(0, queue()), "{after}");
        let ring = &mut engine.net.stacks[0].queues[queue()].ring;
        ring.posted.push_back(last);
        ring.posted.extend(kept);
    }
}

#[test]
fn each_empty_descriptor_gets_a_buffer_and_then_there_is_no_more_to_do() {
    let mut engine = engine(&world());
    arrive(&mut engine, 5);
    take(&mut engine, 3);
    let (core, net) = (&mut engine.core, &mut engine.net);
    let mut posted = 0;
    net.refill(core, 0, queue());
    while let Some(op) = core.stack(0).pop() {
        match op {
            Op::Refill { queue } => net.refill(core, 0, queue),
            Op::Post { buffer, skb, queue } => {
                net.post(core, 0, RxBuffer { buffer, skb }, queue);
                posted += 1;
            }
            _ => {}
        }
    }
    let ring = &net.stacks[0].queues[queue()].ring;
    assert_eq!((posted, ring.free(), ring.empty()), (3, 6, 0));
}

#[test]
fn a_buffer_for_a_ring_that_shrank_is_free_again() {
    let mut engine = engine(&world());
    let (core, net) = (&mut engine.core, &mut engine.net);
    let rx = net.ring_buffer(core, 0, nic());
    net.post(core, 0, rx, queue());
    assert_eq!(net.stacks[0].queues[queue()].ring.free(), 8);
    assert_eq!(net.ring_buffer(core, 0, nic()), rx, "the next one is this");
}

#[test]
fn a_tasklet_that_refills_is_scheduled_once_until_it_runs() {
    let mut engine = engine(&World {
        change: |machine| machine.nics[0].refill_in_tasklet = true,
        ..world()
    });
    arrive(&mut engine, 2);
    take(&mut engine, 2);
    let (core, net) = (&mut engine.core, &mut engine.net);
    core.cpus[0].softirq.is_pending = false;
    net.refill_if_due(core, 0, queue());
    net.refill_if_due(core, 0, queue());
    assert_eq!(net.softnet[0].tasklets, [queue()]);
    assert!(core.cpus[0].softirq.is_pending);
    ops(core, 0);
    assert!(net.run_tasklet(core, 0, Op::SoftirqNext));
    let queue = queue();
    assert_eq!(ops(core, 0)[1..], [Op::Refill { queue }, Op::SoftirqNext]);
    assert!(!net.run_tasklet(core, 0, Op::SoftirqNext), "it has run");
    net.refill_if_due(core, 0, queue);
    assert_eq!(net.softnet[0].tasklets.len(), 1, "it may be again");
}

#[test]
fn what_was_sent_is_freed_one_by_one_and_then_the_queue_goes_on() {
    let mut engine = engine(&world());
    let (core, net) = (&mut engine.core, &mut engine.net);
    let device = Device::Nic(nic());
    let packet = |core: &mut Core| core.alloc_skb(0, SkBuff::of(Frame::default(), device));
    let [one, two, waits] = [(); 3].map(|()| packet(core));
    let tx = &mut net.stacks[0].nics[nic()].tx;
    tx.limit = 2;
    tx.sent.extend([one, two]);
    tx.qdisc = Box::new(PfifoFast::new(1));
    tx.qdisc.enqueue(Queued::of(waits.into()));
    let again = Op::DriverLoop { queue: queue() };
    for skb in [one, two] {
        assert!(net.clean_tx(core, 0, queue(), again));
        let ops = ops(core, 0);
        assert_eq!(ops[2..], [Op::Free { skb }, again]);
    }
    assert!(net.clean_tx(core, 0, queue(), again));
    assert!(ops(core, 0).contains(&Op::HardXmit { skb: waits }));
    assert!(!net.clean_tx(core, 0, queue(), again), "nothing is left");
}

#[test]
fn a_frame_that_a_fault_keeps_away_leaves_its_descriptor_free() {
    let mut engine = engine(&world());
    engine.net.link.faults.push(Armed {
        from: SimTime::ZERO,
        is_sent: false,
        fault: FrameFault::Drop,
    });
    arrive(&mut engine, 2);
    let ring = &engine.net.stacks[0].queues[queue()].ring;
    assert_eq!((ring.ready.len(), ring.free(), ring.in_dma), (1, 7, 0));
    let only = engine.core.buffers[ring.ready[0].buffer].frame.segment.seq;
    assert_eq!((only, engine.net.link.lost), (101, 1));
    assert_eq!(engine.core.hosts[0].totals.frames_received, 1);
}

#[test]
fn a_flow_has_one_queue_and_flows_spread_over_those_of_their_nic() {
    let mut engine = engine(&World {
        change: |machine| machine.nics[0].queues = 4,
        ..world()
    });
    let of = |flow| engine.net.stacks[0].nics[nic()].queue_of_flow(flow).index();
    assert!((0..6).map(of).eq([0, 1, 2, 3, 0, 1]));
    let flow = engine.core.socks[sock(0)].flow as usize % 4;
    arrive(&mut engine, 2);
    let queues = engine.net.stacks[0].queues.iter();
    let filled: Vec<_> = queues.map(|queue| queue.ring.ready.len()).collect();
    assert_eq!((filled[flow], filled.iter().sum()), (2, 2usize));
}

#[test]
fn only_the_first_fragment_of_a_datagram_has_its_udp_header() {
    let engine = engine(&world());
    let mut frame = Frame::default();
    assert_eq!(
        engine.net.headers(0, &frame),
        engine.net.stacks[0].header_bytes
    );
    frame.is_udp = true;
    assert_eq!(engine.net.headers(0, &frame), 28);
    frame.fragment.offset = 1480;
    assert_eq!(engine.net.headers(0, &frame), 20);
}

#[test]
fn fragments_of_all_flows_share_one_queue() {
    let queue_of = |flow, total| {
        let mut engine = engine(&World {
            change: |machine| machine.nics[0].queues = 4,
            ..world()
        });
        engine.core.socks[sock(0)].flow = flow;
        let frame = Frame {
            is_udp: true,
            from: Some(sock(0)),
            to: Some(sock(1)),
            fragment: Fragment {
                total,
                ..Fragment::default()
            },
            ..Frame::default()
        };
        arrives(&mut engine, frame);
        let mut queues = engine.net.stacks[0].queues.iter();
        queues.position(|queue| !queue.ring.ready.is_empty())
    };
    let whole = [1, 2, 7].map(|flow| queue_of(flow, 0));
    assert_eq!(whole, [Some(1), Some(2), Some(3)]);
    assert_eq!([1, 2, 7].map(|flow| queue_of(flow, 6008)), [Some(0); 3]);
}

//! The device's queue, descriptors, and how frames go onto the wire.

use ringside::kernel::DropReason;
use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::events::EventQueue;
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::setup::testing::{World, due, ops, reasons, sock, wait};
use crate::qdisc::PfifoFast;
use crate::tcp::Flags;
use crate::tcp::Segment;

/// The first NIC.
fn nic() -> NicId {
    NicId::from_index(0)
}

/// The watched host sends from socket 0, with two descriptors and room for two packets before them, at
/// 1 Gbit/s over a link of 10 µs.
fn engine() -> Engine {
    let mut engine = World {
        kernel: "6.1",
        is_linked: true,
        is_recorded: true,
        settings: json!({ "watch": "sender", "nics": 1 }),
        ..World::default()
    }
    .at_rest();
    engine.core.events.queue = EventQueue::default();
    let tx = &mut engine.net.stacks[0].nics[nic()].tx;
    (tx.limit, tx.qdisc) = (2, Box::new(PfifoFast::new(2)));
    engine
}

/// Payload of a segment on this link.
const MSS: u32 = 1448;

/// A packet of socket 0 with so many bytes of payload.
fn packet(core: &mut Core, seq: u64, len: u32) -> SkbId {
    let segment = Segment {
        seq,
        len,
        flags: Flags::ACK | Flags::PSH,
        ..Segment::default()
    };
    let frame = Frame {
        segment,
        from: Some(sock(0)),
        to: Some(sock(1)),
        gso_size: if len > MSS { MSS } else { 0 },
        ..Frame::default()
    };
    core.alloc_skb(0, SkBuff::of(frame, Device::Nic(nic())))
}

/// Gives so many packets to the device, each a whole one of 1000 bytes; what was handed to the driver.
fn give(engine: &mut Engine, count: u64) -> Vec<SkbId> {
    let packets: Vec<_> = (0..count)
        .map(|number| packet(&mut engine.core, number * 1000, 1000))
        .collect();
    for &skb in &packets {
        engine.net.dev_xmit(&mut engine.core, 0, skb);
    }
    packets
}

/// The packets that the driver has got, in order; what the CPU would do about them is forgotten.
fn handed_over(core: &mut Core) -> Vec<SkbId> {
    let ops = ops(core, 0);
    let is_handed = |op: &Op| match *op {
        Op::HardXmit { skb } => Some(skb),
        _ => None,
    };
    ops.iter().filter_map(is_handed).collect()
}

/// The time of so many bytes at 1 Gbit/s.
fn bytes(count: u64) -> SimTime {
    SimTime::from_ns(count * 8)
}

#[test]
fn packets_wait_in_the_devices_queue_while_no_descriptor_is_free() {
    let mut engine = engine();
    let packets = give(&mut engine, 4);
    let tx = &engine.net.stacks[0].nics[nic()].tx;
    assert_eq!(tx.in_flight, 2);
    let waiting = tx.qdisc.packets().map(SkbId::from);
    assert_eq!(waiting.collect::<Vec<_>>(), packets[2..]);
    let mut given = handed_over(&mut engine.core);
    given.sort();
    assert_eq!(given, packets[..2]);
}

#[test]
fn a_queued_packet_counts_its_memory_whatever_its_sender_is_charged() {
    let mut engine = engine();
    let mut memory = |len, is_udp, charged| {
        let skb = packet(&mut engine.core, 1, len);
        engine.core.skbs[skb].frame.is_udp = is_udp;
        engine.core.skbs[skb].truesize = charged;
        engine.net.as_queued(&engine.core, 0, skb).memory
    };
    // A head of 512 bytes with its `sk_buff`, and what the payload takes.
    assert_eq!(
        [0, 1000].map(|charged| memory(1000, false, charged)),
        [1768; 2]
    );
    assert_eq!(memory(0, false, 0), 768, "an acknowledgement");
    assert_eq!(memory(1000, true, 0), 256 + 2048, "a datagram");
}

#[test]
fn what_finds_the_devices_queue_full_is_dropped_and_says_so() {
    let mut engine = engine();
    give(&mut engine, 5);
    assert_eq!(engine.core.hosts[0].totals.dropped, 1);
    assert_eq!(engine.net.stacks[0].nics[nic()].tx.qdisc.len(), 2);
    assert_eq!(reasons(&engine.core), [Some(DropReason::QdiscDrop as u32)]);
}

#[test]
fn a_queue_goes_on_when_the_driver_has_cleaned_up_what_was_sent() {
    let mut engine = engine();
    let packets = give(&mut engine, 4);
    handed_over(&mut engine.core);
    let Engine { core, net, .. } = &mut engine;
    net.sent(core, 0, nic(), packets[0]);
    net.wake_tx_queue(core, 0, nic());
    assert_eq!(core.stack(0), &[], "its descriptor is not cleaned up");
    net.stacks[0].nics[nic()].tx.sent.clear();
    net.wake_tx_queue(core, 0, nic());
    assert_eq!(
        core.stack(0).first(),
        Some(&Op::RestartQueue { nic: nic() })
    );
    assert_eq!(handed_over(core), [packets[2]]);
    net.wake_tx_queue(core, 0, nic());
    assert_eq!(handed_over(core), [], "both are in use again");
}

#[test]
fn a_packet_goes_behind_those_that_wait_though_a_descriptor_is_free() {
    let mut engine = engine();
    let packets = give(&mut engine, 3);
    handed_over(&mut engine.core);
    engine.net.stacks[0].nics[nic()].tx.in_flight -= 1;
    let last = packet(&mut engine.core, 9000, 1000);
    engine.net.dev_xmit(&mut engine.core, 0, last);
    assert_eq!(handed_over(&mut engine.core), [packets[2]]);
    let left = engine.net.stacks[0].nics[nic()].tx.qdisc.packets();
    assert_eq!(left.map(SkbId::from).collect::<Vec<_>>(), [last]);
}

#[test]
fn a_packet_before_its_time_waits_in_fq_for_the_watchdog() {
    let mut engine = World {
        kernel: "6.1",
        is_linked: true,
        settings: json!({ "watch": "sender", "nics": 1, "qdisc": "fq" }),
        ..World::default()
    }
    .at_rest();
    engine.core.events.queue = EventQueue::default();
    let Engine { core, net, .. } = &mut engine;
    let begin = core.now();
    let at = |us| begin + SimTime::from_us(us);
    assert!(!core.socks[sock(0)].is_paced);
    let packets = [0, 50, 70].map(|us| {
        let skb = packet(core, us, 1000);
        core.skbs[skb].frame.segment.departs = at(us);
        net.dev_xmit(core, 0, skb);
        skb
    });
    assert!(
        core.socks[sock(0)].is_paced,
        "TCP hears of it with the first"
    );
    assert_eq!(handed_over(core), packets[..1]);
    let (cpu, nic) = (0, nic());
    let goes_off = Event::QdiscWatchdog { cpu, nic };
    assert_eq!(due(core), [(at(60), goes_off)], "it is set once");
    net.wake_tx_queue(core, 0, nic);
    assert_eq!((handed_over(core), due(core)), (vec![], vec![]));
    wait(core, 60);
    assert!(net.watchdog_goes_off(core, 0, nic));
    assert!(!net.watchdog_goes_off(core, 0, nic), "it went off");
    net.netif_schedule(core, 0, nic);
    assert!(core.cpus[0].softirq.is_pending);
    assert_eq!(net.softnet[0].output_queue, [nic]);
    net.wake_tx_queue(core, 0, nic);
    assert_eq!(handed_over(core), packets[1..2]);
    assert_eq!(due(core), [(at(80), goes_off)], "the last one waits");
}

#[test]
fn a_frame_takes_its_bytes_on_the_wire_and_then_the_links_delay() {
    let mut engine = engine();
    let now = engine.core.now();
    let skb = packet(&mut engine.core, 1, 1000);
    engine.net.hard_xmit(&mut engine.core, 0, skb);
    // IP and TCP headers with options, then header, check sequence, preamble and gap.
    let headers = u64::from(engine.net.stacks[0].header_bytes);
    let end = now + bytes(1000 + headers + 38);
    let all = due(&mut engine.core);
    let sent = Event::Sent {
        host: 0,
        nic: nic(),
        skb,
    };
    assert_eq!(all[0], (end, sent));
    assert_eq!(all[1].0, end + SimTime::from_us(10));
    assert_eq!(engine.net.link.under_way(), 1);
}

#[test]
fn the_shortest_frame_takes_84_bytes_of_time() {
    let mut engine = engine();
    let now = engine.core.now();
    let skb = packet(&mut engine.core, 1, 0);
    engine.net.stacks[0].header_bytes = 40;
    engine.net.hard_xmit(&mut engine.core, 0, skb);
    assert_eq!(due(&mut engine.core)[0].0, now + bytes(84));
}

#[test]
fn frames_go_onto_the_wire_one_behind_the_other() {
    let mut engine = engine();
    let now = engine.core.now();
    engine.net.stacks[0].header_bytes = 52;
    for number in 0..3 {
        let skb = packet(&mut engine.core, 1 + number * 910, 910);
        engine.net.hard_xmit(&mut engine.core, 0, skb);
    }
    let sent = due(&mut engine.core);
    let ends = sent
        .iter()
        .filter(|(_, event)| matches!(event, Event::Sent { .. }))
        .map(|&(at, _)| at);
    let expected = [1, 2, 3].map(|frames| now + bytes(1000 * frames));
    assert!(ends.eq(expected));
    engine.core.events.now = now + bytes(5000);
    let skb = packet(&mut engine.core, 1, 910);
    engine.net.hard_xmit(&mut engine.core, 0, skb);
    let next = due(&mut engine.core)[0].0;
    assert_eq!(next, now + bytes(6000), "the wire was free meanwhile");
}

#[test]
fn a_large_segment_leaves_as_frames_of_the_mss_that_together_are_the_segment() {
    let mut engine = engine();
    let skb = packet(&mut engine.core, 500, 2 * MSS + 7);
    engine.net.hard_xmit(&mut engine.core, 0, skb);
    let all = due(&mut engine.core);
    let mut frames = Vec::new();
    for &(_, event) in &all {
        if let Event::Arrive { flight } = event {
            frames.push(engine.net.link.land(flight).frame.segment);
        }
    }
    let cut: Vec<_> = frames.iter().map(|one| (one.seq, one.len)).collect();
    let far = u64::from(MSS);
    assert_eq!(cut, [(500, MSS), (500 + far, MSS), (500 + 2 * far, 7)]);
    let pushes = frames.iter().map(|one| one.flags.contains(Flags::PSH));
    assert!(pushes.eq([false, false, true]), "only the last has PSH");
    assert_eq!(engine.core.hosts[0].totals.frames_sent, 3);
    let is_sent = |(_, event): &&(SimTime, Event)| matches!(event, Event::Sent { .. });
    assert_eq!(all.iter().filter(is_sent).count(), 1, "it is one packet");
}

#[test]
fn a_fault_by_hand_befalls_the_first_frame_of_a_segment_that_is_cut() {
    use crate::engine::nic::link::{Armed, FrameFault};
    let mut engine = engine();
    engine.net.link.faults.push(Armed {
        from: SimTime::ZERO,
        is_sent: true,
        fault: FrameFault::Drop,
    });
    let skb = packet(&mut engine.core, 500, 2 * MSS);
    engine.net.hard_xmit(&mut engine.core, 0, skb);
    let arrive = due(&mut engine.core)
        .into_iter()
        .find_map(|(_, event)| match event {
            Event::Arrive { flight } => Some(flight),
            _ => None,
        });
    let second = engine.net.link.land(arrive.unwrap()).frame.segment;
    assert_eq!(second.seq, 500 + u64::from(MSS));
    assert_eq!((engine.net.link.lost, engine.net.link.under_way()), (1, 0));
}

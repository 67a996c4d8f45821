//! What was sent is freed, and a poll ends.

use super::*;
use crate::engine::nic::byte_limit::ByteLimit;

#[test]
fn what_comes_while_a_poll_ends_interrupts_once_it_has_ended() {
    for comes in [0, 1] {
        let mut engine = engine(&polling());
        engine.net.nic_interrupt(&mut engine.core, 0, queue());
        ops(&mut engine.core, 0);
        // The poll finds nothing and hands up what it has gathered.
        engine.net.softirq_next(&mut engine.core, 0);
        let end = Op::NapiComplete { queue: queue() };
        assert!(ops(&mut engine.core, 0).contains(&end));
        arrive(&mut engine, comes);
        assert!(!engine.net.stacks[0].queues[queue()].interrupt.is_raised);
        engine.net.napi_complete(&mut engine.core, 0, queue());
        let interrupt = &engine.net.stacks[0].queues[queue()].interrupt;
        assert_eq!(interrupt.is_raised, comes > 0, "{comes} frames");
        assert!(engine.net.softnet[0].polls.is_empty());
    }
}

#[test]
fn a_poll_frees_what_was_sent_before_it_takes_a_frame() {
    let mut engine = engine(&polling());
    arrive(&mut engine, 8);
    engine.net.nic_interrupt(&mut engine.core, 0, queue());
    ops(&mut engine.core, 0);
    let (core, net) = (&mut engine.core, &mut engine.net);
    let skb = core.alloc_skb(0, SkBuff::of(Frame::default(), Device::Nic(nic())));
    net.stacks[0].nics[nic()].tx.sent.push_back(skb);
    net.softirq_next(core, 0);
    assert!(ops(core, 0).contains(&Op::Free { skb }));
    assert_eq!(net.softnet[0].taken, 0);
    net.softirq_next(core, 0);
    assert!(ops(core, 0).contains(&Op::LeaveRing { queue: queue() }));
    assert_eq!(net.softnet[0].taken, 1);
}

#[test]
fn the_limit_of_bytes_is_told_once_what_a_completion_has_freed() {
    let freed = |in_handler: bool| {
        let mut engine = engine(&polling());
        let (core, net) = (&mut engine.core, &mut engine.net);
        let packet =
            |core: &mut Core| core.alloc_skb(0, SkBuff::of(Frame::default(), Device::Nic(nic())));
        let skbs = [(); 4].map(|()| packet(core));
        let bytes = net.bytes_of_frames(core, 0, skbs[0]);
        let device = &mut net.stacks[0].nics[nic()];
        device.driver.tx_in_handler = in_handler;
        let mut limit = ByteLimit::default();
        // Of four packets the first is freed alone, so that the limit is what it needs to be.
        (0..4).for_each(|_| limit.sent(bytes));
        limit.completed(u64::from(bytes), core.now());
        let mut expected = limit;
        expected.completed(3 * u64::from(bytes), core.now());
        device.tx.byte_limit = Some(limit);
        device.tx.sent.extend(&skbs[1..]);
        if in_handler {
            net.nic_interrupt(core, 0, queue());
        } else {
            while net.clean_tx(core, 0, queue(), Op::SoftirqNext) {
                ops(core, 0);
            }
        }
        (net.stacks[0].nics[nic()].tx.byte_limit, Some(expected))
    };
    for in_handler in [false, true] {
        let (limit, expected) = freed(in_handler);
        assert_eq!(limit, expected, "in the handler: {in_handler}");
    }
}

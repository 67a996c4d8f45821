//! Which queue a segment joins, and what a full one does.

use super::*;
use crate::engine::Engine;
use crate::engine::ids::TaskId;
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::setup::testing::{ops, reading, reasons, sock, task};
use crate::tcp::{Flags, Segment, Tcb};

fn own() -> SockId {
    sock(1)
}

fn reader() -> TaskId {
    task(0)
}

fn segment(seq: u64, len: u32) -> Segment {
    Segment {
        seq,
        len,
        ack: 1,
        window: 65_535,
        flags: Flags::ACK,
        ..Segment::default()
    }
}

fn packet(core: &mut Core, segment: Segment, to: SockId) -> SkbId {
    let frame = Frame {
        segment,
        from: Some(sock(0)),
        to: Some(to),
        ..Frame::default()
    };
    let device = core.socks[to].device;
    core.alloc_skb(0, SkBuff::of(frame, device))
}

/// The socket gets a segment, whose queueing is done at once; what it pushed but that.
fn process(engine: &mut Engine, seq: u64, len: u32) -> (SkbId, Vec<Op>) {
    let (core, net) = (&mut engine.core, &mut engine.net);
    let skb = packet(core, segment(seq, len), own());
    net.process_segment(core, 0, skb, own(), false);
    let mut all = ops(core, 0);
    let queues = all.iter().position(|op| matches!(op, Op::Queue { .. }));
    if let Some(Op::Queue { in_order, .. }) = queues.map(|at| all.remove(at)) {
        net.queue_segment(core, 0, skb, own(), in_order);
        all.extend(ops(core, 0));
    }
    (skb, all)
}

/// Bytes that wait for the reader, by packet.
fn unread(engine: &Engine) -> Vec<u32> {
    let queue = engine.net.sockets[own()].receive_queue.iter();
    queue.map(|&skb| engine.core.skbs[skb].unread).collect()
}

#[test]
fn a_segment_for_an_owned_socket_waits_in_its_backlog() {
    let mut engine = reading("2.6.3");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.sockets[own()].owner = Some(reader());
    let skb = packet(core, segment(1, 100), own());
    net.deliver(core, 0, skb, own());
    assert_eq!(net.sockets[own()].backlog, [skb]);
    net.sockets[own()].owner = None;
    ops(core, 0);
    net.deliver(core, 0, skb, own());
    let (sock, is_eaten) = (own(), false);
    let works = Op::Process {
        skb,
        sock,
        is_eaten,
    };
    assert_eq!(ops(core, 0)[0], works, "nobody owns it");
    assert_eq!(net.sockets[own()].backlog.len(), 1);
}

#[test]
fn a_listening_socket_of_today_takes_what_comes_although_a_process_owns_it() {
    for (kernel, waits) in [("2.6.3", true), ("6.1", false)] {
        let mut engine = reading(kernel);
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.sockets[own()].owner = Some(reader());
        net.sockets[own()].life.is_listening = true;
        let skb = packet(core, segment(1, 0), own());
        net.deliver(core, 0, skb, own());
        assert_eq!(!net.sockets[own()].backlog.is_empty(), waits, "{kernel}");
    }
}

#[test]
fn segments_for_a_reader_that_waits_are_left_to_it_and_the_first_wakes_it() {
    for (kernel, has_prequeue) in [("2.6.3", true), ("6.1", false)] {
        let mut engine = reading(kernel);
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.sockets[own()].prequeues_for = Some(reader());
        let wakes = Op::WakeReader { sock: own() };
        let skb = packet(core, segment(1, 100), own());
        net.deliver(core, 0, skb, own());
        assert_eq!(ops(core, 0).contains(&wakes), has_prequeue, "{kernel}");
        let skb = packet(core, segment(101, 100), own());
        net.deliver(core, 0, skb, own());
        assert!(!ops(core, 0).contains(&wakes));
        let waiting = net.sockets[own()].prequeue.len();
        assert_eq!(waiting, if has_prequeue { 2 } else { 0 });
    }
}

#[test]
fn what_waited_behind_a_hole_follows_what_fills_it_in_order() {
    let mut engine = reading("2.6.3");
    process(&mut engine, 1, 100);
    process(&mut engine, 301, 70);
    process(&mut engine, 201, 100);
    assert_eq!(unread(&engine), [100]);
    assert_eq!(engine.net.sockets[own()].readable, 100);
    process(&mut engine, 101, 100);
    assert_eq!(unread(&engine), [100, 100, 100, 70]);
    let socket = &engine.net.sockets[own()];
    assert_eq!((socket.readable, socket.out_of_order.len()), (370, 0));
}

#[test]
fn what_came_twice_behind_a_hole_is_freed_and_read_once() {
    let mut engine = reading("2.6.3");
    process(&mut engine, 101, 100);
    // A longer one with the same bytes: held as well, and later not needed.
    let (twice, _) = process(&mut engine, 101, 150);
    let (_, pushed) = process(&mut engine, 1, 100);
    let sum: u32 = unread(&engine).iter().sum();
    assert_eq!(sum, 250);
    assert_eq!(engine.net.sockets[own()].readable, 250);
    assert!(engine.net.sockets[own()].out_of_order.is_empty());
    let freed = pushed.iter().filter(|op| matches!(op, Op::Free { .. }));
    let held = engine.net.sockets[own()].receive_queue.contains(&twice);
    assert_eq!((freed.count(), held), (0, true), "its end is new");
    let (again, pushed) = process(&mut engine, 101, 100);
    assert!(pushed.contains(&Op::Free { skb: again }), "all was read");
}

#[test]
fn a_reader_that_sleeps_is_woken_by_data_in_order_only() {
    let mut engine = reading("2.6.3");
    engine.core.socks[own()].readers.push_back(reader());
    let wakes = Op::WakeReader { sock: own() };
    let (_, pushed) = process(&mut engine, 101, 100);
    assert!(!pushed.contains(&wakes));
    let (_, pushed) = process(&mut engine, 1, 100);
    assert!(pushed.contains(&wakes));
}

#[test]
fn what_continues_the_last_packet_joins_it_until_that_has_all_fragments() {
    let mut engine = reading("6.1");
    let stack = &mut engine.net.stacks[0];
    let coalescing = &mut stack.tcp.parameters.coalescing;
    coalescing.as_mut().unwrap().max_fragments = 3;
    for number in 0..5 {
        process(&mut engine, 1 + number * 100, 100);
    }
    let queue = engine.net.sockets[own()].receive_queue.iter();
    let joined: Vec<bool> = queue
        .map(|&skb| engine.core.skbs[skb].joined.is_some())
        .collect();
    assert_eq!(joined, [false, true, true, false, true]);
    assert_eq!(engine.core.hosts[0].totals.tcp.rcv_coalesce, 3);
}

/// A listening socket for which so many connections wait, with room for two; another one asks.
fn listening(waiting: usize) -> Engine {
    let mut engine = reading("6.1");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.listen(0, 0, own());
    net.connecting.listen_backlog = 2;
    let queue = &mut net.sockets[own()].life.accept_queue;
    queue.extend(vec![sock(0); waiting]);
    core.socks[sock(0)].peer = Some(own());
    engine
}

#[test]
fn a_connection_is_asked_for_in_vain_when_more_than_the_backlog_wait() {
    let overflow = Some(DropReason::TcpListenOverflow as u32);
    for (waiting, refused) in [(2, vec![]), (3, vec![overflow])] {
        let mut engine = listening(waiting);
        let syn = Tcb::new(&engine.net.stacks[0].tcp).connect(engine.core.now());
        let skb = packet(&mut engine.core, syn, own());
        let sockets = engine.core.socks.len();
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.process_segment(core, 0, skb, own(), false);
        let is_made = engine.core.socks.len() > sockets;
        assert_eq!(is_made, refused.is_empty(), "{waiting} wait");
        assert_eq!(reasons(&engine.core), refused);
    }
}

#[test]
fn the_end_of_a_handshake_is_dropped_while_more_than_the_backlog_wait() {
    let mut engine = listening(2);
    let now = engine.core.now();
    let mut client = Tcb::new(&engine.net.stacks[0].tcp);
    let syn = client.connect(now);
    let skb = packet(&mut engine.core, syn, own());
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.process_segment(core, 0, skb, own(), false);
    let child = core.socks.ids().next_back().unwrap();
    let is_sent = |op: &Op| matches!(op, Op::Transmit { .. });
    let sent = core.stack(0).iter().rev().find(|op| is_sent(op)).copied();
    let syn_ack = core.skbs[sent.unwrap().skb().unwrap()].frame.segment;
    client.on_segment(&syn_ack, now);
    let ack = client.ack_segment();
    net.sockets[own()].life.accept_queue.push_back(sock(0));
    let skb = packet(core, ack, child);
    net.process_segment(core, 0, skb, child, false);
    assert_eq!(net.sockets[child].tcb.state(), State::SynReceived);
    net.sockets[own()].life.accept_queue.pop_front();
    let skb = packet(core, ack, child);
    net.process_segment(core, 0, skb, child, false);
    assert_eq!(net.sockets[child].tcb.state(), State::Established);
    assert_eq!(net.sockets[own()].life.accept_queue.back(), Some(&child));
    let overflow = Some(DropReason::TcpListenOverflow as u32);
    assert_eq!(reasons(&engine.core), [overflow]);
}

#[test]
fn what_ends_a_connection_takes_more_than_what_goes_on_with_it() {
    let mut engine = reading("6.18");
    let (core, net) = (&mut engine.core, &mut engine.net);
    let end = Segment {
        flags: Flags::ACK | Flags::FIN,
        ..segment(101, 0)
    };
    let mut takes_more = Vec::new();
    for segment in [segment(1, 100), end] {
        let skb = packet(core, segment, own());
        net.process_segment(core, 0, skb, own(), false);
        let more = Op::run(Path::TcpState, About::sock(own()));
        takes_more.push(ops(core, 0).contains(&more));
    }
    assert_eq!(takes_more, [false, true]);
    assert_eq!(net.sockets[own()].tcb.state(), State::CloseWait);
}

#[test]
fn a_segment_that_is_sent_shares_the_memory_of_what_was_written() {
    let mut engine = reading("2.6.3");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.send_loop(core, 0, sock(0), 100);
    net.queued(core, 0, sock(0), 100);
    ops(core, 0);
    let buffer = net.sockets[sock(0)].chunks[0].buffer;
    net.push_segments(core, 0, sock(0));
    let sent = ops(core, 0);
    let skb = sent[0].skb().unwrap();
    assert_eq!(
        sent[1..],
        [
            Op::Transmit { skb, sock: sock(0) },
            Op::Push { sock: sock(0) }
        ]
    );
    assert_eq!(core.skbs[skb].buffer, Some(buffer));
    assert_eq!(
        core.buffers[buffer].refs, 2,
        "it is kept until it is acknowledged"
    );
    core.free_skb(0, skb);
    assert_eq!(core.buffers[buffer].refs, 1);
    net.push_segments(core, 0, sock(0));
    assert!(core.stack(0).is_empty(), "all is sent");
}

//! The lives of sockets: connecting, accepted, given up, closed, gone.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::setup::testing::{World, due, in_call, ops, sock, task};

/// A program of the server's side in a call on CPU 0; sockets 0 and 1 are a connection.
fn engine() -> Engine {
    let mut engine = World {
        roles: json!([{ "name": "one", "side": "server", "per": "host" }]),
        settings: json!({ "cpus": 1 }),
        workload: json!({ "connect_retry_us": 40, "connect_timeout_ms": 3 }),
        ..World::default()
    }
    .at_rest();
    in_call(&mut engine.core, task(0), 0);
    due(&mut engine.core);
    engine
}

/// The program makes a socket that connects nowhere yet.
fn made(engine: &mut Engine) -> SockId {
    engine.net.make_socket(&mut engine.core, 0);
    engine.core.tasks[task(0)].sock.unwrap()
}

#[test]
fn who_finds_nobody_listening_lets_its_socket_go_and_tries_again_later() {
    let mut engine = engine();
    let sock = made(&mut engine);
    engine.net.start_connect(&mut engine.core, 0, sock);
    let expected = [
        Op::ReleaseSock { sock },
        Op::SleepFor { us: 40 },
        Op::LockSock { sock },
        Op::StartConnect { sock },
    ];
    assert_eq!(ops(&mut engine.core, 0), expected);
    assert_eq!(engine.net.sockets[sock].tcb.state(), State::Closed);
}

#[test]
fn a_connection_is_asked_for_by_a_syn_and_given_up_after_its_time() {
    let mut engine = engine();
    engine
        .net
        .listen(0, 0, super::super::setup::testing::sock(1));
    let sock = made(&mut engine);
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.start_connect(core, 0, sock);
    let skb = ops(core, 0).last().and_then(Op::skb).unwrap();
    assert!(core.skbs[skb].frame.segment.flags.contains(Flags::SYN));
    let now = core.now();
    let gives_up = (now + SimTime::from_ms(3), Event::GiveUp { sock });
    assert!(due(core).contains(&gives_up));
    core.tasks[task(0)].is_asleep = true;
    core.socks[sock].readers.push_back(task(0));
    net.give_up(core, sock);
    assert_eq!(net.sockets[sock].tcb.state(), State::Closed);
    assert!(!core.tasks[task(0)].is_asleep);
    ops(core, 0);
    net.await_connect(core, 0, sock);
    assert_eq!(ops(core, 0), [Op::StartOver]);
    assert_eq!(core.hosts[0].totals.connections_failed, 1);
    assert!(net.sockets[sock].life.is_gone);
}

#[test]
fn a_connection_that_stands_is_not_given_up() {
    let mut engine = engine();
    engine.core.socks[sock(0)].readers.push_back(task(0));
    engine.net.give_up(&mut engine.core, sock(0));
    assert_eq!(engine.net.sockets[sock(0)].tcb.state(), State::Established);
    assert_eq!(engine.core.socks[sock(0)].readers, [task(0)]);
}

#[test]
fn who_accepts_gets_the_connection_that_waits_longest_or_waits_or_goes_on() {
    let mut engine = engine();
    let listener = made(&mut engine);
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.sockets[listener]
        .life
        .accept_queue
        .extend([sock(1), sock(0)]);
    net.take_connection(core, 0, listener, true);
    assert_eq!(core.tasks[task(0)].sock, Some(sock(1)));
    ops(core, 0);
    net.sockets[listener].life.accept_queue.clear();
    net.take_connection(core, 0, listener, false);
    let release = Op::ReleaseSock { sock: listener };
    assert_eq!(ops(core, 0), [Op::SkipToYield, release]);
    net.take_connection(core, 0, listener, true);
    let waits = true;
    let again = Op::TakeConnection { listener, waits };
    assert_eq!(ops(core, 0).last(), Some(&again));
}

#[test]
fn a_socket_is_gone_when_both_ends_have_closed_and_its_memory_serves_the_next() {
    let mut engine = engine();
    let (core, net) = (&mut engine.core, &mut engine.net);
    let objects = core.socks[sock(1)].objects;
    net.start_close(core, 0, sock(1));
    net.destroy_if_closed(core, 0, sock(1));
    assert!(!net.sockets[sock(1)].life.is_gone, "its FIN is on its way");
    assert_eq!(core.hosts[0].totals.connections, 1);
    net.sockets[sock(1)].tcb = Tcb::new(&net.stacks[0].tcp);
    net.destroy_if_closed(core, 0, sock(1));
    net.destroy_if_closed(core, 0, sock(1));
    assert!(net.sockets[sock(1)].life.is_gone);
    assert_eq!(core.hosts[0].free_sockets, [objects], "once");
    let reused = net.new_socket(core, 0, Device::Loopback, false);
    assert_eq!(core.socks[reused].objects, objects);
}

/// As `tcp_event_new_data_sent` counts: on a host of kernel 6.18 a FIN without data is one of `TCPOrigDataSent`.
#[test]
fn a_fin_is_counted_with_the_data() {
    let core = &mut engine().core;
    let mut counted = |flags, len, is_retransmission| {
        let before = core.hosts[0].totals.tcp;
        let segment = Segment {
            len,
            flags,
            is_retransmission,
            ..Segment::default()
        };
        Net::packet(core, sock(1), 1448, segment);
        let mut tcp = core.hosts[0].totals.tcp;
        tcp -= before;
        [
            tcp.out_segs,
            tcp.orig_data_sent,
            tcp.retrans_segs,
            tcp.pure_acks(),
        ]
    };
    assert_eq!(counted(Flags::ACK, 0, false), [1, 0, 0, 1]);
    assert_eq!(counted(Flags::SYN, 0, false), [1, 0, 0, 1]);
    assert_eq!(counted(Flags::ACK, 3000, false), [3, 3, 0, 0]);
    assert_eq!(counted(Flags::ACK | Flags::FIN, 0, false), [1, 1, 0, 0]);
    assert_eq!(counted(Flags::ACK | Flags::FIN, 0, true), [1, 0, 1, 0]);
}

#[test]
fn what_nobody_has_read_is_freed_when_its_socket_is_closed() {
    let mut engine = engine();
    let (core, net) = (&mut engine.core, &mut engine.net);
    let skb = core.alloc_skb(0, SkBuff::default());
    let socket = &mut net.sockets[sock(1)];
    socket.receive_queue.push_back(skb);
    (socket.readable, socket.rmem_alloc) = (100, 768);
    (socket.forward_deficit, socket.reader_queue) = (256, 1);
    net.start_close(core, 0, sock(1));
    let socket = &net.sockets[sock(1)];
    assert!(socket.receive_queue.is_empty());
    assert_eq!((socket.readable, socket.rmem_alloc), (0, 0));
    assert_eq!((socket.forward_deficit, socket.reader_queue), (0, 0));
    assert_eq!(core.alloc_skb(0, SkBuff::default()), skb);
}

#[test]
fn all_connections_arrive_at_one_listener_or_each_at_its_own() {
    let mut engine = engine();
    let net = &mut engine.net;
    net.listen(0, 0, sock(0));
    net.listen(0, 2, sock(1));
    let of = |net: &Net| [0, 1, 2, 3].map(|connection| net.listener_of(connection));
    net.connecting.has_one_listener = false;
    assert_eq!(of(net), [Some(sock(0)), None, Some(sock(1)), None]);
    net.connecting.has_one_listener = true;
    assert_eq!(of(net), [Some(sock(0)); 4]);
}

//! What of a connection lies below TCP, and who lets it go on.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::memory::skbuff::Frame;
use crate::engine::setup::testing::{World, sock, task};

fn engine(is_linked: bool) -> Engine {
    World {
        kernel: "6.1",
        is_linked,
        roles: json!([{ "name": "writer", "side": "server", "per": "host" }]),
        ..World::default()
    }
    .at_rest()
}

fn own() -> SockId {
    sock(1)
}

/// What a segment of 1000 bytes counts with so large a limit.
fn counted(engine: &mut Engine, limit: u32) -> (u32, u32) {
    let core = &mut engine.core;
    let mut frame = Frame::default();
    frame.segment.len = 1000;
    let mut packet = SkBuff::of(frame, core.socks[own()].device);
    Net::charge(core, &mut packet, own(), limit);
    (packet.truesize, core.socks[own()].wmem_alloc)
}

#[test]
fn a_segment_counts_until_it_is_sent_where_queues_are_kept_small() {
    assert_eq!(counted(&mut engine(true), 0), (0, 0), "they are not");
    assert_eq!(counted(&mut engine(true), 1), (1000, 1000));
    assert_eq!(counted(&mut engine(false), 1), (0, 0), "lo: skb_orphan");
}

#[test]
fn a_socket_that_waits_is_let_go_on_by_the_next_softirq() {
    let Engine {
        mut core, mut net, ..
    } = engine(true);
    core.cpus[0].softirq.is_running = true;
    net.unthrottle(&mut core, 0, own());
    assert!(
        !core.cpus[0].softirq.is_pending,
        "the one that runs sees it"
    );
    core.cpus[0].softirq.is_running = false;
    net.unthrottle(&mut core, 0, sock(0));
    assert!(core.cpus[0].softirq.is_pending);
    assert_eq!(net.softnet[0].unthrottled, [own(), sock(0)]);
}

#[test]
fn an_owned_socket_goes_on_when_its_owner_lets_it_go() {
    let Engine {
        mut core, mut net, ..
    } = engine(true);
    let push = Op::Push { sock: own() };
    net.sockets[own()].owner = Some(task(0));
    net.small_queue(&mut core, 0, own());
    assert!(net.sockets[own()].is_push_deferred);
    assert!(core.stack(0).is_empty());
    net.sockets[own()].owner = None;
    net.small_queue(&mut core, 0, own());
    assert!(core.stack(0).contains(&push));
    let is_held = |op: &Op| *op == Op::Unlock { sock: own() };
    assert!(core.stack(0).first().is_some_and(is_held), "under its lock");
}

#[test]
fn a_socket_that_is_gone_does_not_go_on() {
    let Engine {
        mut core, mut net, ..
    } = engine(true);
    net.sockets[own()].life.is_gone = true;
    net.small_queue(&mut core, 0, own());
    assert!(core.stack(0).is_empty());
}

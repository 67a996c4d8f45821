//! A socket's timer, and whose work it is.

use super::*;
use crate::engine::Engine;
use crate::engine::setup::testing::{due, ops, reading, sock, task};

#[test]
fn a_timer_event_counts_only_at_the_time_that_is_set_now() {
    let mut engine = reading("2.6.3");
    let now = engine.core.now();
    engine.net.sockets[sock(1)].cpu = 3;
    engine.net.sockets[sock(1)].timer.at = SimTime(now.0 + 1);
    assert_eq!(engine.net.timer_is_due(sock(1), now), None, "set anew");
    engine.net.sockets[sock(1)].timer.at = now;
    assert_eq!(engine.net.timer_is_due(sock(1), now), Some(3));
    assert!(engine.net.sockets[sock(1)].timer.is_due);
    assert_eq!(engine.net.timer_is_due(sock(1), now), None, "once");
    engine.net.sockets[sock(1)].timer.at = now;
    engine.net.sockets[sock(1)].life.is_gone = true;
    assert_eq!(engine.net.timer_is_due(sock(1), now), None, "it is gone");
}

/// The client has sent a segment that nobody acknowledges, and its timer's time has come.
fn unanswered(kernel: &'static str) -> Engine {
    let mut engine = reading(kernel);
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.send_loop(core, 0, sock(0), 100);
    net.queued(core, 0, sock(0), 100);
    net.push_segments(core, 0, sock(0));
    ops(core, 0);
    let at = net.sockets[sock(0)].timer.at;
    assert_eq!(due(core), [(at, Event::SocketTimer { sock: sock(0) })]);
    core.events.now = at;
    assert!(net.timer_is_due(sock(0), at).is_some());
    engine
}

#[test]
fn a_segment_that_is_not_acknowledged_in_time_is_sent_again() {
    let mut engine = unanswered("2.6.3");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.timer(core, 0, sock(0));
    let again = ops(core, 0);
    let about = About::sock(sock(0));
    let expected = [Op::run(Path::RtoTimer, about), Op::Push { sock: sock(0) }];
    assert_eq!(again[..2], expected);
    assert_eq!(again[2..], [Op::Unlock { sock: sock(0) }]);
    assert_eq!(due(core).len(), 1, "and waited for again");
    net.push_segments(core, 0, sock(0));
    assert_eq!(core.hosts[0].totals.tcp.retrans_segs, 1);
}

#[test]
fn a_timer_that_finds_its_socket_owned_comes_again_later() {
    let mut engine = unanswered("2.6.3");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.sockets[sock(0)].owner = Some(task(0));
    net.timer(core, 0, sock(0));
    assert!(core.stack(0).is_empty());
    let again = core.now() + SimTime::from_ms(50);
    assert_eq!(due(core), [(again, Event::SocketTimer { sock: sock(0) })]);
}

#[test]
fn a_timer_of_today_leaves_its_work_to_the_owner_of_the_socket() {
    let mut engine = unanswered("6.1");
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.sockets[sock(0)].owner = Some(task(0));
    net.timer(core, 0, sock(0));
    assert!(core.stack(0).is_empty());
    assert_eq!(due(core), [], "no event: the owner lets go sooner or later");
    net.release_sock(core, 0, sock(0));
    let again = ops(core, 0);
    assert!(again.contains(&Op::Push { sock: sock(0) }));
    assert_eq!(again.last(), Some(&Op::ReleaseSock { sock: sock(0) }));
    let owner = net.sockets[sock(0)].owner;
    assert_eq!(owner, Some(task(0)), "until the work is done");
    net.release_sock(core, 0, sock(0));
    let release = Op::run(Path::ReleaseSock, About::sock(sock(0)));
    assert_eq!(ops(core, 0), [release], "once");
}

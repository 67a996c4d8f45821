//! Whose a socket is, and who sleeps for it.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::ids::{SkbId, TaskId};
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::setup::testing::{World, in_call, ops, sock, task};
use crate::engine::spinlock::LockId;
use crate::time::SimTime;

/// The socket.
fn own() -> SockId {
    sock(1)
}

/// Two readers with a CPU each, asleep.
fn engine() -> Engine {
    World {
        roles: json!([
            { "name": "one", "side": "server", "per": "host", "cpu": 0 },
            { "name": "two", "side": "server", "per": "host", "cpu": 1 },
        ]),
        ..World::default()
    }
    .at_rest()
}

/// The first of them is in a call on its CPU.
fn in_its_call() -> (Core, Net, TaskId, usize) {
    let Engine { mut core, net, .. } = engine();
    let cpu = in_call(&mut core, task(0), 0);
    (core, net, task(0), cpu)
}

fn packet(core: &mut Core) -> SkbId {
    let device = core.socks[own()].device;
    core.alloc_skb(0, SkBuff::of(Frame::default(), device))
}

#[test]
fn a_socket_is_one_tasks_and_others_sleep_until_it_lets_go() {
    let (mut core, mut net, one, cpu) = in_its_call();
    net.lock_sock(&mut core, cpu, own());
    net.lock_sock(&mut core, cpu, own());
    assert_eq!(net.sockets[own()].owner, Some(one), "it has it once more");
    let two = task(1);
    let other = in_call(&mut core, two, 1);
    assert_ne!(other, cpu);
    net.lock_sock(&mut core, other, own());
    assert_eq!(net.sockets[own()].owner, Some(one));
    assert!(core.tasks[two].is_asleep);
    let sock = own();
    assert_eq!(core.tasks[two].stack.last(), Some(&Op::LockSock { sock }));
    net.release_sock(&mut core, cpu, own());
    assert_eq!(net.sockets[own()].owner, None);
    assert!(!core.tasks[two].is_asleep, "it tries again");
}

#[test]
fn who_lets_a_socket_go_does_first_what_came_meanwhile() {
    let (mut core, mut net, one, cpu) = in_its_call();
    net.lock_sock(&mut core, cpu, own());
    let packets = [(); 2].map(|()| packet(&mut core));
    let socket = &mut net.sockets[own()];
    socket.backlog.extend(packets);
    (socket.is_push_deferred, socket.is_ack_deferred) = (true, true);
    let sock = own();
    let again = Op::ReleaseSock { sock };
    let process = |skb| Op::Process {
        skb,
        sock,
        is_eaten: false,
    };
    let ack = Op::Ack {
        sock,
        is_update: false,
    };
    for first in [
        process(packets[0]),
        process(packets[1]),
        Op::Push { sock },
        ack,
    ] {
        net.release_sock(&mut core, cpu, sock);
        assert_eq!(ops(&mut core, cpu), [first, again]);
        assert_eq!(net.sockets[sock].owner, Some(one), "it is its own still");
    }
    net.release_sock(&mut core, cpu, sock);
    assert_eq!(net.sockets[sock].owner, None);
}

#[test]
fn a_task_spins_for_a_socket_that_a_softirq_works_on() {
    let (mut core, mut net, one, cpu) = in_its_call();
    let softirq = usize::from(cpu == 0);
    core.acquire(softirq, LockId::Socket(own()), 0);
    net.lock_sock(&mut core, cpu, own());
    assert_eq!(net.sockets[own()].owner, None);
    assert!(!core.tasks[one].is_asleep);
    assert!(core.cpus[cpu].locks.spinning[0].is_some());
}

#[test]
fn a_reader_whose_data_came_before_it_slept_does_not_sleep() {
    let (mut core, mut net, one, cpu) = in_its_call();
    let skb = packet(&mut core);
    net.sockets[own()].receive_queue.push_back(skb);
    net.sleep_on(&mut core, cpu, own(), Wait::Data);
    assert!(!core.tasks[one].is_asleep);
    assert!(core.socks[own()].readers.is_empty());
    net.sockets[own()].receive_queue.clear();
    net.sleep_on(&mut core, cpu, own(), Wait::Data);
    assert!(core.tasks[one].is_asleep);
    assert_eq!(core.socks[own()].readers, [one]);
}

#[test]
fn a_writer_sleeps_only_while_its_buffer_is_full() {
    let (mut core, mut net, one, cpu) = in_its_call();
    net.sleep_on(&mut core, cpu, own(), Wait::Memory);
    assert!(!core.tasks[one].is_asleep);
    let tcb = &mut net.sockets[own()].tcb;
    tcb.write(tcb.send_room());
    net.sleep_on(&mut core, cpu, own(), Wait::Memory);
    assert_eq!(core.socks[own()].writers, [one]);
    Net::wake_writer(&mut core, 0, own());
    assert!(!core.tasks[one].is_asleep);
}

#[test]
fn an_acceptor_sleeps_until_a_connection_waits() {
    let (mut core, mut net, one, cpu) = in_its_call();
    net.listen(0, 0, own());
    net.sockets[own()].life.accept_queue.push_back(sock(0));
    net.sleep_on(&mut core, cpu, own(), Wait::Data);
    assert!(!core.tasks[one].is_asleep);
    net.sockets[own()].life.accept_queue.clear();
    net.sleep_on(&mut core, cpu, own(), Wait::Data);
    assert!(core.tasks[one].is_asleep);
}

#[test]
fn of_readers_the_one_that_slept_longest_is_woken_and_no_other() {
    let Engine { mut core, net, .. } = engine();
    core.socks[own()].readers.extend([task(1), task(0)]);
    net.wake_reader(&mut core, 0, own());
    let asleep = |core: &Core| [0, 1].map(|index| core.tasks[task(index)].is_asleep);
    assert_eq!(asleep(&core), [true, false]);
    core.stop_task(task(1), SimTime::from_us(9));
    core.socks[own()].readers.clear();
    net.wake_reader(&mut core, 0, own());
    assert_eq!(asleep(&core), [true, false], "nobody waits");
}

//! Who gets a lock when, and what waiting for one counts as.

use super::*;
use crate::engine::Engine;
use crate::engine::cpu::SOFT;
use crate::engine::setup::testing::{World, run, sock, wait};
use ringside::run::measured::LockUse;

/// The first lock of the kernel's own, which no socket has.
const LOCK: LockId = LockId::Host(0, 1);
/// A function that wants it.
const SITE: u16 = 3;

fn world() -> World {
    World {
        kernel: "6.1",
        ..World::default()
    }
}

fn core() -> Core {
    world().at_rest().core
}

fn used(core: &mut Core, cpu: u16) -> LockUse {
    *core.hosts[0].profile.lock(cpu, LOCK.number(), SITE)
}

fn spun(core: &Core, cpu: usize) -> u64 {
    core.cpus[cpu].time[slot(Context::Spinning)]
}

#[test]
fn a_lock_goes_to_who_waited_longest() {
    let mut core = core();
    assert!(core.acquire(0, LOCK, SITE).is_some());
    for cpu in [2, 1] {
        assert_eq!(core.acquire(cpu, LOCK, SITE), None, "CPU 0 has it");
    }
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(2));
    assert_eq!(core.lock(LOCK).waiting, [1]);
    assert!(core.acquire(2, LOCK, SITE).is_some(), "it goes on");
    core.release(2, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(1));
}

#[test]
fn who_gets_a_lock_goes_on_at_that_moment() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    assert_eq!(core.cpus[1].until, SimTime::NEVER, "it spins");
    wait(&mut core, 5);
    core.release(0, LOCK);
    assert_eq!(core.cpus[1].until, core.now());
}

#[test]
fn a_lock_that_is_taken_twice_is_free_when_it_is_let_go_twice() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(0));
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(1));
}

#[test]
fn a_task_that_holds_a_lock_or_spins_keeps_bottom_halves_off() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    let off = |core: &Core| [0, 1].map(|cpu: usize| core.cpus[cpu].softirq.count);
    assert_eq!(off(&core), [1, 1]);
    core.release(0, LOCK);
    core.acquire(1, LOCK, SITE);
    assert_eq!(off(&core), [0, 1], "it has them off once, not twice");
    core.release(1, LOCK);
    assert_eq!(off(&core), [0, 0]);
}

#[test]
fn a_softirq_that_holds_a_lock_leaves_bottom_halves_as_they_are() {
    let mut core = core();
    core.cpus[0].level = SOFT;
    core.acquire(0, LOCK, SITE);
    assert_eq!(core.cpus[0].softirq.count, 0);
    core.release(0, LOCK);
    assert_eq!(core.cpus[0].softirq.count, 0);
}

#[test]
fn who_holds_locks_is_not_preempted() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.acquire(0, LockId::Socket(sock(0)), SITE);
    assert_eq!(core.cpus[0].locks.preempt_count, 2);
    core.release(0, LOCK);
    core.release(0, LockId::Socket(sock(0)));
    assert_eq!(core.cpus[0].locks.preempt_count, 0);
}

#[test]
fn who_does_not_hold_a_lock_cannot_let_it_go() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.release(1, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(0));
    assert_eq!(core.cpus[1].locks.preempt_count, 0);
}

#[test]
fn a_cpu_that_an_interrupt_took_from_spinning_is_passed_over() {
    let mut core = core();
    for cpu in 0..3 {
        core.acquire(cpu, LOCK, SITE);
    }
    core.interrupt_step(1);
    core.cpus[1].level = HARD;
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(2), "CPU 1 does not look");
    core.cpus[1].level = TASK;
    assert!(!core.spins_no_more(1, LOCK), "CPU 2 has it");
    core.acquire(2, LOCK, SITE);
    core.release(2, LOCK);
    assert_eq!(core.lock(LOCK).holder, Some(1), "it still was in the line");
}

#[test]
fn a_cpu_that_is_back_from_an_interrupt_finds_a_lock_that_became_free() {
    let mut core = core();
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    core.interrupt_step(1);
    core.cpus[1].level = HARD;
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, None);
    core.cpus[1].level = TASK;
    assert!(core.spins_no_more(1, LOCK));
    assert_eq!(core.lock(LOCK).holder, Some(1));
    assert!(core.lock(LOCK).waiting.is_empty());
}

#[test]
fn a_cpu_sees_a_free_lock_only_in_its_own_turn() {
    let mut core = core();
    core.hosts[0].turn.is_taken = true;
    core.hosts[0].turn.cpu = 0;
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    assert!(!core.sees(1, LOCK));
    core.release(0, LOCK);
    assert_eq!(core.lock(LOCK).holder, None);
    core.hosts[0].turn.cpu = 1;
    assert!(core.sees(1, LOCK));
}

#[test]
fn waiting_counts_once_however_often_one_looks() {
    let mut core = core();
    let before = spun(&core, 1);
    core.acquire(0, LOCK, SITE);
    wait(&mut core, 1);
    core.acquire(1, LOCK, SITE);
    wait(&mut core, 3);
    core.count_all_spinning();
    core.count_all_spinning();
    assert_eq!(spun(&core, 1) - before, SimTime::from_us(3).0);
    wait(&mut core, 2);
    core.release(0, LOCK);
    core.acquire(1, LOCK, SITE);
    wait(&mut core, 9);
    core.count_all_spinning();
    let waited = SimTime::from_us(5).0;
    assert_eq!(spun(&core, 1) - before, waited);
    let of = |holds, spins, fs| LockUse { holds, spins, fs };
    assert_eq!(used(&mut core, 0), of(1, 0, 0), "it never waited");
    assert_eq!(used(&mut core, 1), of(1, 1, waited));
}

#[test]
fn the_time_of_an_interrupt_is_not_spun() {
    let mut engine = world().at_rest();
    let core = &mut engine.core;
    core.acquire(0, LOCK, SITE);
    core.acquire(1, LOCK, SITE);
    core.cpus[1].idle_since = None;
    let busy = |engine: &Engine| engine.core.cpus[1].time[1..].iter().sum::<u64>();
    let before = busy(&engine);
    run(&mut engine, 2);
    engine.core.events.lookahead = engine.core.now();
    engine.interrupt(1, Op::Steal { ns: 4000 });
    run(&mut engine, 8);
    engine.core.count_all_spinning();
    let stolen = engine.core.cpus[1].time[slot(Context::Hardirq)];
    assert!(stolen >= SimTime::from_us(4).0, "{stolen}");
    assert_eq!(busy(&engine) - before, SimTime::from_us(10).0);
    let all = SimTime::from_us(10).0;
    assert_eq!(used(&mut engine.core, 1).fs, all - stolen);
}

#[test]
fn an_operation_that_finds_its_socket_locked_comes_again() {
    let mut core = core();
    let (one, op) = (sock(0), Op::LockSock { sock: sock(0) });
    core.acquire(0, LockId::Socket(one), SITE);
    assert!(core.waits_for_socket(1, one, op, None));
    assert_eq!(core.stack(1).last(), Some(&op));
    assert!(core.cpus[1].locks.spinning[TASK].is_some());
    assert!(
        !core.waits_for_socket(1, sock(1), op, None),
        "another one's"
    );
    core.release(0, LockId::Socket(one));
    assert!(!core.waits_for_socket(1, one, op, None));
    assert_eq!(
        core.lock(LockId::Socket(one)).holder,
        None,
        "it only had to wait for it"
    );
}

#[test]
fn a_socket_is_held_until_what_is_pushed_behind_is_done() {
    let mut core = core();
    let (one, op) = (sock(0), Op::Timer { sock: sock(0) });
    assert!(core.holds_socket(0, one, op, Path::RtoTimer));
    assert_eq!(core.lock(LockId::Socket(one)).holder, Some(0));
    assert_eq!(core.stack(0).last(), Some(&Op::Unlock { sock: one }));
    assert!(!core.holds_socket(1, one, op, Path::RtoTimer));
    assert_eq!(core.stack(1).last(), Some(&op), "it comes again");
}

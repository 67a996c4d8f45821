//! Contexts that interrupt each other on a CPU, and whose time it is.

use serde_json::json;

use super::*;
use crate::config::workload::Act;
use crate::engine::events::EventQueue;
use crate::engine::ids::TaskId;
use crate::engine::setup::testing::{World, run, sock, task};
use crate::engine::spinlock::LockId;

/// One CPU that idles, with two programs asleep and no ticks.
fn engine(kernel: &'static str) -> Engine {
    let mut engine = World {
        kernel,
        is_recorded: true,
        roles: json!([
            { "name": "one", "side": "client", "per": "host" },
            { "name": "two", "side": "client", "per": "host" },
        ]),
        settings: json!({ "cpus": 1 }),
        ..World::default()
    }
    .at_rest();
    engine.core.events.queue = EventQueue::default();
    engine
}

/// A program computes for 100 µs from now on; its scheduler's work is over.
fn computes(engine: &mut Engine, index: usize) -> TaskId {
    // 6.25 ps a cycle: a quick CPU of 3.2 GHz.
    let cycles = 16_000_000;
    let each_cpu = false;
    engine.programs.scripts[index].once = vec![Act::Compute { cycles, each_cpu }];
    engine.core.time_to_wake(task(index));
    task(index)
}

const COMPUTED: SimTime = SimTime::from_us(100);

fn spent(engine: &Engine, context: Context) -> u64 {
    engine.core.cpus[0].time[slot(context)]
}

/// The probes that the CPU passes from now on, in order, of those that bracket contexts.
fn brackets(engine: &Engine, from: usize) -> Vec<Probe> {
    let run = engine.core.recorder.record.so_far().unwrap();
    let all = run.indices().skip(from).map(|at| run.event(at).probe);
    let wanted = [
        Probe::IrqHandlerEntry,
        Probe::IrqHandlerExit,
        Probe::SoftirqEntry,
        Probe::SoftirqExit,
    ];
    all.filter(|probe| wanted.contains(probe)).collect()
}

fn recorded(engine: &Engine) -> usize {
    engine.core.recorder.record.so_far().unwrap().len()
}

#[test]
fn an_interrupt_stops_a_step_and_the_rest_goes_on_behind_it() {
    let mut engine = engine("2.6.3");
    let user = spent(&engine, Context::User);
    computes(&mut engine, 0);
    run(&mut engine, 20);
    let end = engine.core.cpus[0].until;
    let hard = spent(&engine, Context::Hardirq);
    engine.interrupt(0, Op::Steal { ns: 5000 });
    assert_eq!(engine.core.cpus[0].level, HARD);
    run(&mut engine, 20);
    let taken = spent(&engine, Context::Hardirq) - hard;
    assert!(taken >= SimTime::from_us(5).0);
    assert_eq!(engine.core.cpus[0].until, end + SimTime(taken));
    assert_eq!(spent(&engine, Context::User) - user, COMPUTED.0);
}

#[test]
fn an_interrupt_that_comes_during_another_waits_for_its_end() {
    let mut engine = engine("2.6.3");
    computes(&mut engine, 0);
    run(&mut engine, 20);
    let (from, end) = (recorded(&engine), engine.core.cpus[0].until);
    let hard = spent(&engine, Context::Hardirq);
    engine.interrupt(0, Op::Steal { ns: 5000 });
    engine.interrupt(0, Op::Steal { ns: 3000 });
    assert_eq!(engine.core.cpus[0].apic.pending, [Op::Steal { ns: 3000 }]);
    run(&mut engine, 20);
    let (entry, exit) = (Probe::IrqHandlerEntry, Probe::IrqHandlerExit);
    assert_eq!(brackets(&engine, from), [entry, exit, entry, exit]);
    let taken = spent(&engine, Context::Hardirq) - hard;
    assert_eq!(engine.core.cpus[0].until, end + SimTime(taken));
}

#[test]
fn a_softirq_that_an_interrupt_raises_runs_behind_it_and_before_the_task() {
    let mut engine = engine("2.6.3");
    computes(&mut engine, 0);
    run(&mut engine, 20);
    let (from, end) = (recorded(&engine), engine.core.cpus[0].until);
    let before = [Context::Hardirq, Context::Softirq].map(|of| spent(&engine, of));
    engine.interrupt(0, Op::RaiseTimer { sock: sock(0) });
    run(&mut engine, 20);
    let expected = [
        Probe::IrqHandlerEntry,
        Probe::IrqHandlerExit,
        Probe::SoftirqEntry,
        Probe::SoftirqExit,
    ];
    assert_eq!(brackets(&engine, from), expected);
    let after = [Context::Hardirq, Context::Softirq].map(|of| spent(&engine, of));
    assert!(after[1] > before[1]);
    let taken = after[0] - before[0] + after[1] - before[1];
    assert_eq!(engine.core.cpus[0].until, end + SimTime(taken));
}

#[test]
fn a_softirq_waits_while_bottom_halves_are_off() {
    let mut engine = engine("2.6.3");
    computes(&mut engine, 0);
    run(&mut engine, 20);
    engine.core.cpus[0].softirq.count = 1;
    let before = spent(&engine, Context::Softirq);
    engine.interrupt(0, Op::RaiseTimer { sock: sock(0) });
    run(&mut engine, 20);
    assert!(engine.core.cpus[0].softirq.is_pending);
    assert_eq!(spent(&engine, Context::Softirq), before);
    engine.core.cpus[0].softirq.count = 0;
    run(&mut engine, 200);
    assert!(!engine.core.cpus[0].softirq.is_pending);
    assert!(spent(&engine, Context::Softirq) > before);
}

#[test]
fn a_task_that_loses_its_cpu_goes_on_where_it_was_and_pays_once() {
    let mut engine = engine("2.6.3");
    let user = spent(&engine, Context::User);
    let one = computes(&mut engine, 0);
    run(&mut engine, 20);
    let cpu_time = engine.core.tasks[one].cpu_fs;
    let left = engine.core.cpus[0].until.since(engine.core.now());
    let two = computes(&mut engine, 1);
    // Whatever the scheduler says: the other one first.
    engine.core.cpus[0].need_resched = true;
    let scheduler = &mut engine.core.hosts[0].tasks.scheduler;
    scheduler.yield_now(0, engine.core.events.now);
    engine.interrupt(0, Op::Steal { ns: 1000 });
    run(&mut engine, 20);
    assert_eq!(engine.core.cpus[0].current, Some(two));
    let state = &engine.core.tasks[one];
    assert_eq!((state.rest, state.rest_in_user), (left, true));
    assert!(state.cpu_fs < cpu_time, "what is left is given back");
    run(&mut engine, 1000);
    assert!(engine.core.tasks[one].is_asleep && engine.core.tasks[two].is_asleep);
    assert_eq!(spent(&engine, Context::User) - user, 2 * COMPUTED.0);
}

#[test]
fn a_holder_that_is_interrupted_keeps_its_lock() {
    let mut engine = engine("6.1");
    computes(&mut engine, 0);
    run(&mut engine, 20);
    let lock = LockId::Host(0, 1);
    engine.core.acquire(0, lock, 3);
    engine.interrupt(0, Op::Steal { ns: 5000 });
    assert_eq!(engine.core.lock(lock).holder, Some(0));
    run(&mut engine, 20);
    assert_eq!(engine.core.cpus[0].level, TASK);
    assert_eq!(engine.core.lock(lock).holder, Some(0));
}

#[test]
fn a_cpu_idles_for_all_the_time_in_which_it_does_nothing() {
    let mut engine = engine("2.6.3");
    let idle = spent(&engine, Context::Idle);
    let since = engine.core.cpus[0].idle_since.unwrap();
    run(&mut engine, 50);
    engine.interrupt(0, Op::Steal { ns: 5000 });
    let until = engine.core.now().since(since).0;
    assert_eq!(spent(&engine, Context::Idle) - idle, until);
    assert_eq!(engine.core.cpus[0].idle_since, None);
    let began = engine.core.now();
    let hard = spent(&engine, Context::Hardirq);
    run(&mut engine, 50);
    let taken = spent(&engine, Context::Hardirq) - hard;
    let again = engine.core.cpus[0].idle_since;
    assert!(again.is_some_and(|at| at.since(began).0 >= SimTime::from_us(5).0));
    assert!(again.is_some_and(|at| at.since(began).0 <= taken + SimTime::from_us(1).0));
}

#[test]
fn time_that_has_not_passed_is_not_measured() {
    let mut engine = engine("2.6.3");
    let user = spent(&engine, Context::User);
    computes(&mut engine, 0);
    run(&mut engine, 20);
    let left = engine.core.cpus[0].until.since(engine.core.now());
    let now = engine.core.now();
    let measured = engine.measure(now);
    assert_eq!(measured.user_fs - user, COMPUTED.0 - left.0);
    assert_eq!(engine.measure(now), measured, "a look changes nothing");
    run(&mut engine, 200);
    let measured = engine.measure(now);
    assert_eq!(measured.user_fs - user, COMPUTED.0);
}

#[test]
fn an_interrupt_for_a_cpu_waits_for_its_turn() {
    let mut engine = World::default().at_rest();
    engine.core.events.queue = EventQueue::default();
    let turn = &mut engine.core.hosts[0].turn;
    (turn.is_taken, turn.cpu) = (true, 0);
    engine.has_turns = true;
    let op = Op::Steal { ns: 5000 };
    engine.interrupt(1, op);
    assert_eq!(engine.core.cpus[1].level, TASK);
    assert_eq!(engine.core.cpus[1].postponed.interrupts, [op]);
    // CPU 0 idles: the next one that has something to do gets the turn.
    engine.take_turns();
    assert_eq!(engine.core.hosts[0].turn.cpu, 1);
    assert_eq!(engine.core.cpus[1].level, HARD);
    engine.interrupt(2, op);
    engine.take_turns();
    assert_eq!(engine.core.hosts[0].turn.cpu, 1, "its turn is not over");
    assert_eq!(engine.core.cpus[2].level, TASK);
}

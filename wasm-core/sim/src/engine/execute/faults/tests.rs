//! What is done to a machine by hand.

use serde_json::{Value, json};

use super::*;
use crate::engine::cpu::HARD;
use crate::engine::setup::testing::{World, run, task};

/// The receiver of a link with two NICs, eight descriptors each, and a program that sleeps.
fn engine() -> Engine {
    World {
        is_linked: true,
        roles: json!([{ "name": "one", "side": "server", "per": "host" }]),
        settings: json!({ "cpus": 4, "nics": 2, "rx_ring": 8 }),
        ..World::default()
    }
    .at_rest()
}

/// A fault a microsecond from now.
fn arm(engine: &mut Engine, mut fault: Value) -> Result<(), String> {
    fault["at_us"] = (engine.core.now().us() + 1).into();
    let fault = serde_json::from_value(fault).unwrap();
    Ok(engine.add_faults(&[fault])?)
}

fn happens(engine: &mut Engine, fault: Value) {
    arm(engine, fault).unwrap();
    run(engine, 2);
}

fn cpus(engine: &Engine) -> Vec<u16> {
    let queues = engine.net.stacks[0].queues.iter();
    queues.map(|queue| queue.cpu).collect()
}

#[test]
fn a_cpu_that_is_stolen_is_gone_for_as_long_as_is_said_and_no_other() {
    let mut engine = engine();
    happens(
        &mut engine,
        json!({ "do": "steal_cpu", "cpu": 2, "us": 50 }),
    );
    let gone = |engine: &Engine| [1, 2, 3].map(|cpu: usize| engine.core.cpus[cpu].level == HARD);
    assert_eq!(gone(&engine), [false, true, false]);
    run(&mut engine, 47);
    assert_eq!(gone(&engine), [false, true, false]);
    run(&mut engine, 5);
    assert_eq!(gone(&engine), [false, false, false]);
    happens(
        &mut engine,
        json!({ "do": "steal_cpu", "cpu": 4, "us": 50 }),
    );
    assert_ne!(engine.core.cpus[4].level, HARD, "the other host's first");
}

#[test]
fn a_ring_that_is_set_smaller_has_no_more_buffers_than_descriptors() {
    let mut engine = engine();
    let free = |engine: &Engine| engine.core.hosts[0].memory.heads.free().count();
    let before = free(&engine);
    happens(&mut engine, json!({ "do": "set_ring", "descriptors": 3 }));
    for queue in engine.net.stacks[0].queues.iter() {
        assert_eq!((queue.ring.limit, queue.ring.free()), (3, 3));
    }
    assert_eq!(free(&engine) - before, 2 * 5, "the others are free");
}

#[test]
fn interrupts_are_pinned_to_a_cpu_that_the_host_has() {
    let mut engine = engine();
    assert_eq!(cpus(&engine), [0, 1]);
    happens(&mut engine, json!({ "do": "pin_interrupts", "cpu": 2 }));
    assert_eq!(cpus(&engine), [2, 2]);
    happens(
        &mut engine,
        json!({ "do": "pin_queue", "queue": 1, "cpu": 60 }),
    );
    assert_eq!(cpus(&engine), [2, 3], "the last one");
}

#[test]
fn a_process_that_is_stopped_may_go_on_after_its_time() {
    let mut engine = engine();
    let stop = json!({ "do": "stop_task", "pid": FIRST_PID, "us": 30 });
    let now = engine.core.now();
    happens(&mut engine, stop);
    let until = engine.core.tasks[task(0)].stopped_until;
    assert_eq!(until.since(now).us(), 31);
}

#[test]
fn who_or_what_is_not_there_is_refused_by_its_field() {
    let mut engine = engine();
    let daemon = FIRST_PID + 1;
    for (fault, error) in [
        (
            json!({ "do": "stop_task", "pid": daemon, "us": 1 }),
            format!("faults.0.pid is {daemon}, must be one of {FIRST_PID}"),
        ),
        (
            json!({ "do": "pin_queue", "queue": 2, "cpu": 0 }),
            "faults.0.queue is 2, must be 0 to 1 here".to_owned(),
        ),
    ] {
        assert_eq!(arm(&mut engine, fault), Err(error));
    }
}

#[test]
fn faults_of_frames_wait_in_the_link_with_their_direction() {
    let mut engine = engine();
    arm(&mut engine, json!({ "do": "drop_frame", "sent": true })).unwrap();
    let armed = engine.net.link.faults[0];
    assert_eq!((armed.is_sent, armed.fault), (true, FrameFault::Drop));
    assert_eq!(armed.from.us(), engine.core.now().us() + 1);
}

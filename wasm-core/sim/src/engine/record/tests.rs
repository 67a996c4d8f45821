//! What an event says, and that counting does not depend on recording.

use serde_json::json;

use super::*;
use crate::engine::ids::NicId;
use crate::engine::setup::testing::{World, run, task};

fn world(is_recorded: bool) -> World {
    World {
        is_linked: true,
        is_recorded,
        roles: json!([{
            "name": "one",
            "side": "server",
            "per": "host",
            "forever": [{ "do": "sleep", "us": 50 }],
        }]),
        settings: json!({ "nics": 1 }),
        ..World::default()
    }
}

#[test]
fn as_many_events_count_without_a_recording_as_with_one() {
    let events = [true, false].map(|is_recorded| {
        let mut engine = world(is_recorded).engine();
        run(&mut engine, 3000);
        engine.events()
    });
    assert!(events[0] > 100);
    assert_eq!(events[0], events[1]);
}

#[test]
fn only_the_watched_hosts_events_are_written_down() {
    let mut core = world(true).at_rest().core;
    let written = |core: &Core| core.recorder.record.so_far().unwrap().len();
    let before = (written(&core), core.recorder.record.events);
    let other = core.hosts[1].first_cpu;
    assert!(core.emit(0, Probe::IrqHandlerEntry, About::NOTHING));
    assert!(!core.emit(other, Probe::IrqHandlerEntry, About::NOTHING));
    assert_eq!(written(&core), before.0 + 1);
    assert_eq!(core.recorder.record.events, before.1 + 2);
}

#[test]
fn an_event_says_who_runs_where_and_in_which_context() {
    use crate::engine::cpu::{HARD, SOFT, TASK};
    let mut core = world(true).at_rest().core;
    let mut passed = |current, level| {
        (core.cpus[1].current, core.cpus[1].level) = (current, level);
        core.emit(1, Probe::IrqHandlerEntry, About::NOTHING);
        let run = core.recorder.record.so_far().unwrap();
        let event = run.event(run.indices().last().unwrap());
        assert_eq!(event.cpu, CpuId(1));
        (event.pid, event.context)
    };
    assert_eq!(passed(None, TASK), (Pid::IDLE, Context::Idle));
    let own = Pid(FIRST_PID);
    assert_eq!(passed(Some(task(0)), TASK), (own, Context::Kernel));
    assert_eq!(passed(Some(task(0)), SOFT), (own, Context::Softirq));
    assert_eq!(passed(None, HARD), (Pid::IDLE, Context::Hardirq));
}

#[test]
fn a_name_has_one_number() {
    let mut record = Record::new(true);
    let nic = |index| Device::Nic(NicId::from_index(index));
    let [lo, one, two] = [Device::Loopback, nic(0), nic(1)].map(|of| record.device(of));
    assert!(lo != one && one != two);
    assert_eq!(record.device(nic(0)), one);
    assert_eq!(record.name("eth1"), two);
    let names = ["skb".to_owned(), "sock".to_owned()];
    let sock = record.object(1, &names);
    assert_eq!(
        (record.object(1, &names), record.name("sock")),
        (sock, sock)
    );
}

#[test]
fn a_flow_is_new_once() {
    let mut record = Record::new(true);
    assert!(record.is_new_flow(3));
    assert!(!record.is_new_flow(3));
    assert!(record.is_new_flow(0), "another one");
}

#[test]
fn a_task_that_lost_its_cpu_is_told_from_one_that_sleeps_or_was_stopped() {
    let mut record = Record::new(true);
    let states = [(true, false), (false, false), (false, true), (true, true)];
    let told = states.map(|(runs, stopped)| record.state_name(runs, stopped));
    let expected = ["R+", "S", "T", "R+"].map(|name| record.name(name));
    assert_eq!(told, expected);
}

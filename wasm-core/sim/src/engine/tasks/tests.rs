//! Sleeping, waking, stopping, and when a CPU chooses anew.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::cpu::SOFT;
use crate::engine::setup::testing::{World, due, run, task, wait};
use std::collections::VecDeque;

/// Three programs that have nothing to do, asleep.
fn world() -> World {
    World {
        roles: json!([{ "name": "one", "side": "client", "per": "host", "count": 3 }]),
        ..World::default()
    }
}

/// The same with the first of them in the kernel on its CPU.
fn with_one_running(world: &World) -> Engine {
    let mut engine = world.at_rest();
    engine.core.awaken(0, task(0), false);
    let cpu = engine.core.tasks[task(0)].cpu;
    engine.core.reschedule(cpu);
    engine.core.cpus[cpu].stacks[TASK].clear();
    assert_eq!(engine.core.cpus[cpu].current, Some(task(0)));
    engine
}

fn is_asleep(core: &Core, index: usize) -> bool {
    core.tasks[task(index)].is_asleep
}

#[test]
fn a_task_that_is_awake_is_not_woken_again() {
    let mut core = world().at_rest().core;
    let waiting = |core: &Core| core.hosts[0].tasks.scheduler.waiting(0);
    core.wake(0, task(0), None, false);
    let is_wake_up = |op: &Op| {
        matches!(
            op,
            Op::Run {
                path: Path::WakeUp,
                ..
            }
        )
    };
    assert_eq!(core.stack(0).iter().filter(|op| is_wake_up(op)).count(), 1);
    assert!(!is_asleep(&core, 0));
    let before = waiting(&core);
    core.wake(0, task(0), None, false);
    assert_eq!(core.stack(0).iter().filter(|op| is_wake_up(op)).count(), 1);
    assert_eq!(waiting(&core), before);
}

#[test]
fn a_task_that_was_woken_gets_a_cpu() {
    let mut engine = world().at_rest();
    let before = engine.core.tasks[task(1)].switches;
    engine.core.time_to_wake(task(1));
    run(&mut engine, 100);
    assert!(is_asleep(&engine.core, 1), "it has nothing to do");
    assert_eq!(engine.core.tasks[task(1)].switches, before + 1);
}

#[test]
fn a_timer_that_comes_behind_another_wake_up_does_nothing() {
    let mut core = with_one_running(&world()).core;
    let cpu = core.tasks[task(0)].cpu;
    due(&mut core);
    let now = core.now();
    core.sleep_for(cpu, 30);
    let wake = Event::Wake { task: task(0) };
    assert_eq!(due(&mut core), [(now + SimTime::from_us(30), wake)]);
    assert!(is_asleep(&core, 0));
    core.awaken(cpu, task(0), false);
    let events = core.recorder.record.events;
    core.time_to_wake(task(0));
    assert!(!is_asleep(&core, 0));
    assert_eq!(core.recorder.record.events, events, "nothing is told");
}

#[test]
fn a_task_that_sleeps_leaves_its_cpu() {
    let mut core = with_one_running(&world()).core;
    let cpu = core.tasks[task(0)].cpu;
    core.sleep(cpu);
    assert!(is_asleep(&core, 0));
    assert_eq!(core.cpus[cpu].current, None);
}

#[test]
fn a_wake_up_during_a_stop_is_kept_until_the_task_may_go_on() {
    let mut core = world().at_rest().core;
    due(&mut core);
    core.stop_task(task(0), SimTime::from_us(50));
    core.wake(0, task(0), None, false);
    core.time_to_wake(task(0));
    assert!(is_asleep(&core, 0));
    wait(&mut core, 40);
    core.continue_task(task(0));
    assert!(is_asleep(&core, 0), "it is stopped still");
    wait(&mut core, 10);
    core.continue_task(task(0));
    assert!(!is_asleep(&core, 0));
}

#[test]
fn a_stopped_task_that_nothing_woke_sleeps_on() {
    let mut core = world().at_rest().core;
    core.stop_task(task(0), SimTime::from_us(50));
    wait(&mut core, 50);
    core.continue_task(task(0));
    assert!(is_asleep(&core, 0));
}

#[test]
fn of_two_stops_the_one_that_ends_later_counts() {
    let mut core = world().at_rest().core;
    due(&mut core);
    let now = core.now();
    core.stop_task(task(0), SimTime::from_us(50));
    core.stop_task(task(0), SimTime::from_us(20));
    let all = due(&mut core);
    assert!(all.iter().all(|&(at, _)| at == now + SimTime::from_us(50)));
    assert_eq!(all.last().unwrap().1, Event::Continue { task: task(0) });
}

#[test]
fn a_task_that_runs_is_sent_to_where_it_looks_at_signals() {
    let mut core = with_one_running(&world()).core;
    let cpu = core.tasks[task(0)].cpu;
    due(&mut core);
    core.stop_task(task(1), SimTime::from_us(50));
    assert!(due(&mut core).len() == 1, "it sleeps: only its end is due");
    core.stop_task(task(0), SimTime::from_us(50));
    assert!(core.cpus[cpu].need_resched);
    let ipi = Event::Ipi { cpu: cpu as u16 };
    assert!(due(&mut core).iter().any(|&(_, event)| event == ipi));
    assert!(core.stops(cpu, task(0)));
    assert!(is_asleep(&core, 0));
    assert!(core.tasks[task(0)].goes_on, "it would have run");
}

#[test]
fn only_user_code_is_stopped_in_its_midst() {
    let mut core = with_one_running(&world()).core;
    core.stop_task(task(0), SimTime::from_us(50));
    core.tasks[task(0)].rest = SimTime::from_us(1);
    assert!(!core.stops_computing(task(0)), "it is in the kernel");
    core.tasks[task(0)].rest_in_user = true;
    assert!(core.stops_computing(task(0)));
    wait(&mut core, 50);
    assert!(!core.stops_computing(task(0)), "it may go on");
}

#[test]
fn who_waits_longest_and_is_not_stopped_is_next() {
    let mut core = world().at_rest().core;
    let mut waiting: VecDeque<_> = [2, 0, 1].map(task).into();
    core.stop_task(task(2), SimTime::from_us(50));
    assert_eq!(core.next_of(&mut waiting), Some(task(0)));
    core.stop_task(task(1), SimTime::from_us(50));
    assert_eq!(core.next_of(&mut waiting), Some(task(2)), "all are stopped");
    assert_eq!(waiting, [task(1)]);
}

#[test]
fn a_task_in_the_kernel_is_preempted_only_where_the_kernel_allows_it() {
    for (kernel, is_preemptible) in [("2.6.3", false), ("2.6.12", true)] {
        let mut core = with_one_running(&World { kernel, ..world() }).core;
        let cpu = core.tasks[task(0)].cpu;
        core.cpus[cpu].need_resched = true;
        core.tasks[task(0)].stack.push(Op::CallEnds);
        assert_eq!(core.must_switch(cpu), is_preemptible, "{kernel}");
        core.tasks[task(0)].rest_in_user = true;
        assert!(core.must_switch(cpu), "user code always is");
    }
}

#[test]
fn nobody_is_preempted_who_holds_a_lock_or_spins_or_keeps_bottom_halves_off() {
    let preemptible = World {
        kernel: "2.6.12",
        ..world()
    };
    let mut core = with_one_running(&preemptible).core;
    let cpu = core.tasks[task(0)].cpu;
    assert!(!core.must_switch(cpu), "nobody asks for it");
    core.cpus[cpu].need_resched = true;
    assert!(core.must_switch(cpu));
    core.cpus[cpu].locks.preempt_count = 1;
    assert!(!core.must_switch(cpu), "it holds a lock");
    core.cpus[cpu].locks.preempt_count = 0;
    core.cpus[cpu].softirq.count = 1;
    assert!(!core.must_switch(cpu), "bottom halves are off");
    core.cpus[cpu].softirq.count = 0;
    core.cpus[cpu].level = SOFT;
    assert!(!core.must_switch(cpu), "a softirq runs");
    core.cpus[cpu].level = TASK;
    core.cpus[cpu].stacks[TASK].push(Op::CallEnds);
    assert!(!core.must_switch(cpu), "the scheduler runs");
    core.cpus[cpu].stacks[TASK].clear();
    assert!(core.must_switch(cpu), "nothing is left of all that");
}

#[test]
fn a_busy_cpu_is_interrupted_and_a_halted_one_takes_longer() {
    let halted = World {
        change: |machine| {
            (machine.processors.ipi_ns, machine.processors.halted_ipi_ns) = (700, 3000);
        },
        ..world()
    };
    let mut core = halted.at_rest().core;
    due(&mut core);
    let now = core.now();
    let ipi = Event::Ipi { cpu: 3 };
    core.send_ipi(0, 3);
    assert_eq!(due(&mut core), [(now + SimTime::from_ns(3000), ipi)]);
    assert_eq!(
        core.cpus[3].apic.halt_ends,
        Some(now + SimTime::from_ns(3000))
    );
    core.cpus[3].until = now + SimTime::from_us(1);
    core.send_ipi(0, 3);
    assert_eq!(due(&mut core), [(now + SimTime::from_ns(700), ipi)]);
}

#[test]
fn an_idle_cpu_that_polls_needs_no_interrupt() {
    let polling = World {
        change: |machine| machine.processors.idle_polls = true,
        ..world()
    };
    for (world, polls) in [(world(), false), (polling, true)] {
        let mut core = world.at_rest().core;
        due(&mut core);
        let target = core.tasks[task(1)].cpu;
        let other = usize::from(target == 0);
        core.awaken(other, task(1), false);
        let cpu = core.tasks[task(1)].cpu as u16;
        assert_ne!(usize::from(cpu), other, "another CPU gets it");
        let expected = if polls {
            Event::Poll { cpu }
        } else {
            Event::Ipi { cpu }
        };
        assert_eq!(due(&mut core)[0].1, expected);
    }
}

#[test]
fn who_yields_comes_behind_those_that_wait() {
    let alone = World {
        settings: json!({ "cpus": 1 }),
        ..world()
    };
    let mut core = with_one_running(&alone).core;
    core.yield_now(0);
    assert_eq!(core.cpus[0].current, Some(task(0)), "nobody waits");
    core.awaken(0, task(1), false);
    core.yield_now(0);
    assert_eq!(core.cpus[0].current, Some(task(1)));
    assert!(!is_asleep(&core, 0), "it still wants to run");
}

#[test]
fn an_idle_cpu_begins_only_when_there_is_a_task_for_it() {
    let mut core = world().at_rest().core;
    core.cpus[2].need_resched = false;
    core.start_if_idle(2);
    assert_eq!(core.cpus[2].until, SimTime::NEVER);
    core.cpus[2].need_resched = true;
    core.start_if_idle(2);
    assert_eq!(core.cpus[2].until, core.now());
}

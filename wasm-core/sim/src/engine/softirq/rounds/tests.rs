//! When a softirq has done enough.

use serde_json::json;

use super::*;
use crate::engine::Engine;
use crate::engine::cpu::TASK;
use crate::engine::ids::{Id as _, NicId, QueueId, TaskId};
use crate::engine::memory::skbuff::{Frame, SkBuff};
use crate::engine::setup::testing::{World, ops, sock};

/// The receiver of a link with a driver that polls.
fn world(kernel: &'static str) -> World {
    World {
        kernel,
        is_linked: true,
        settings: json!({ "nics": 1, "cpus": 2 }),
        change: |machine| machine.nics[0].napi = true,
        ..World::default()
    }
}

fn queue() -> QueueId {
    QueueId::from_index(0)
}

fn packet(core: &mut Core) -> SkbId {
    let frame = Frame {
        from: Some(sock(0)),
        to: Some(sock(1)),
        ..Frame::default()
    };
    core.alloc_skb(0, SkBuff::of(frame, Device::Nic(NicId::from_index(0))))
}

/// CPU 0 polls a queue with so many frames and goes on until its softirq is over; how many it has
/// taken. Packets go nowhere.
fn polled(engine: &mut Engine, frames: usize) -> usize {
    let (core, net) = (&mut engine.core, &mut engine.net);
    // Buffers do not come back: half the ring has to be used until one is wanted.
    net.stacks[0].nics[NicId::from_index(0)].driver.refill_after = u32::MAX;
    let ring = &mut net.stacks[0].queues[queue()].ring;
    ring.ready.extend(ring.posted.drain(..frames));
    net.stacks[0].queues[queue()].napi.schedule_prep();
    net.napi_schedule(core, 0, queue());
    core.stack(0).clear();
    net.enter_softirq(core, 0);
    while let Some(op) = core.stack(0).pop() {
        match op {
            Op::SoftirqNext => net.softirq_next(core, 0),
            Op::LeaveRing { queue } => net.leave_ring(core, 0, queue),
            Op::NapiComplete { queue } => net.napi_complete(core, 0, queue),
            _ => {}
        }
    }
    frames - net.stacks[0].queues[queue()].ring.ready.len()
}

#[test]
fn a_round_ends_with_its_budget() {
    let Engine { core, mut net, .. } = world("2.6.3").at_rest();
    let budget = net.stacks[0].receive.budget;
    net.begin_round(&core, 0, 0);
    net.softnet[0].round.work = budget - 1;
    assert!(!net.is_round_over(&core, 0));
    net.softnet[0].round.work = budget;
    assert!(net.is_round_over(&core, 0));
    net.begin_round(&core, 0, 0);
    assert!(!net.is_round_over(&core, 0), "each has its own");
}

#[test]
fn a_round_polls_devices_once_or_as_long_as_there_is_budget() {
    for (kernel, polls_once) in [("2.6.3", false), ("6.1", true)] {
        let Engine { core, mut net, .. } = world(kernel).at_rest();
        net.softnet[0]
            .polls
            .extend([crate::engine::softnet::Poll::Backlog; 2]);
        net.begin_round(&core, 0, 0);
        net.softnet[0].round.was_polled();
        assert!(!net.is_round_over(&core, 0), "one is left");
        net.softnet[0].round.was_polled();
        assert_eq!(net.is_round_over(&core, 0), polls_once, "{kernel}");
    }
}

#[test]
fn a_round_ends_when_more_than_its_ticks_have_come() {
    let Engine {
        mut core, mut net, ..
    } = world("6.1").at_rest();
    let tick = core.hosts[0].tick.0;
    core.events.now = SimTime(tick * 5 - 1);
    net.begin_round(&core, 0, 0);
    core.events.now = SimTime(tick * 6 - 1);
    assert!(!net.is_round_over(&core, 0), "one tick has come");
    core.events.now = SimTime(tick * 6);
    assert!(net.is_round_over(&core, 0), "and a second one");
    net.stacks[0].receive.round_ticks = 0;
    assert!(!net.is_round_over(&core, 0), "there is no such limit");
}

#[test]
fn the_rest_is_left_when_the_softirq_has_started_over_often_enough() {
    let Engine { mut core, net, .. } = world("2.6.3").at_rest();
    core.cpus[0].softirq.rounds = net.stacks[0].receive.softirq_rounds - 1;
    core.cpus[0].softirq.began = SimTime::ZERO;
    assert!(!net.must_leave_rest(&core, 0));
    core.cpus[0].softirq.rounds += 1;
    assert!(net.must_leave_rest(&core, 0));
}

#[test]
fn the_rest_is_left_when_time_is_up_or_a_task_wants_the_cpu() {
    for (kernel, is_limited) in [("2.6.3", false), ("6.1", true)] {
        let Engine { mut core, net, .. } = world(kernel).at_rest();
        core.cpus[0].softirq.began = core.now();
        assert!(!net.must_leave_rest(&core, 0));
        core.cpus[0].need_resched = true;
        assert_eq!(net.must_leave_rest(&core, 0), is_limited, "{kernel}");
        core.cpus[0].need_resched = false;
        core.events.now = core.hosts[0].tick;
        assert_eq!(net.must_leave_rest(&core, 0), is_limited, "{kernel}");
    }
}

#[test]
fn a_softirq_with_no_end_of_packets_is_handed_to_ksoftirqd() {
    let mut engine = world("2.6.3").at_rest();
    let receive = &mut engine.net.stacks[0].receive;
    (receive.budget, receive.softirq_rounds) = (7, 3);
    let taken = polled(&mut engine, 200);
    assert_eq!(taken, 7 * 3, "as many rounds in all");
    let softirq = &engine.core.cpus[0].softirq;
    assert!(softirq.is_deferred && softirq.is_pending);
    let daemon = softirq.daemon.unwrap();
    assert!(!engine.core.tasks[daemon].is_asleep);
}

#[test]
fn a_softirq_that_finds_the_end_wakes_nobody() {
    let mut engine = world("2.6.3").at_rest();
    assert_eq!(polled(&mut engine, 200), 200);
    let softirq = &engine.core.cpus[0].softirq;
    assert!(!softirq.is_deferred && !softirq.is_pending);
    assert!(engine.core.tasks[softirq.daemon.unwrap()].is_asleep);
    assert!(!engine.net.stacks[0].queues[queue()].napi.is_taken());
}

#[test]
fn without_a_daemon_what_is_left_waits_until_a_task_lets_bottom_halves_run() {
    let mut core = world("2.6.3").at_rest().core;
    core.cpus[0].softirq.daemon = None;
    core.cpus[0].softirq.is_pending = true;
    core.defer_softirq(0);
    assert!(!core.cpus[0].can_enter_softirq());
    core.cpus[0].softirq.count = 2;
    core.enable_bottom_halves(0);
    assert!(
        !core.cpus[0].can_enter_softirq(),
        "one still holds them off"
    );
    core.enable_bottom_halves(0);
    assert!(core.cpus[0].can_enter_softirq());
}

#[test]
fn softirqs_wait_for_a_ksoftirqd_that_waits_for_the_cpu_where_the_kernel_has_it_so() {
    for (kernel, waits) in [("2.6.3", false), ("6.1", true), ("6.18", false)] {
        let mut core = world(kernel).at_rest().core;
        let (daemon, other) = (core.cpus[0].softirq.daemon, Some(TaskId::from_index(9)));
        let may_enter = |core: &mut Core, current: Option<TaskId>, is_asleep: bool| {
            core.tasks[daemon.unwrap()].is_asleep = is_asleep;
            core.cpus[0].current = current;
            core.cpus[0].softirq.is_pending = true;
            core.may_enter_softirq(0)
        };
        assert!(may_enter(&mut core, other, true), "{kernel}");
        assert_eq!(may_enter(&mut core, other, false), !waits, "{kernel}");
        assert!(may_enter(&mut core, daemon, false), "{kernel}: it runs");
    }
}

#[test]
fn a_timer_that_is_due_runs_before_the_next_round_and_not_between_two_packets() {
    let Engine {
        mut core, mut net, ..
    } = world("6.1").at_rest();
    net.softnet[0]
        .polls
        .push_back(crate::engine::softnet::Poll::Backlog);
    net.begin_round(&core, 0, 0);
    net.raise_timer(&mut core, 0, sock(1));
    let timer = Op::Timer { sock: sock(1) };
    net.softnet[0].round.work = 1;
    net.softirq_next(&mut core, 0);
    assert!(!ops(&mut core, 0).contains(&timer));
    net.begin_round(&core, 0, 0);
    net.softirq_next(&mut core, 0);
    assert!(ops(&mut core, 0).contains(&timer));
}

/// CPU 0's softirq runs while an interrupt raises it again each time before it looks for packets; how often it looked.
fn raised_again(engine: &mut Engine, times: u32) -> u32 {
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.enter_softirq(core, 0);
    let mut looks = 0;
    while let Some(op) = core.stack(0).pop() {
        if op == Op::SoftirqNext {
            core.cpus[0].softirq.is_pending |= looks < times;
            looks += 1;
            net.softirq_next(core, 0);
        }
    }
    looks
}

#[test]
fn what_is_raised_while_a_softirq_runs_is_another_round_of_it() {
    let mut engine = world("2.6.3").at_rest();
    assert_eq!(raised_again(&mut engine, 3), 4);
    let softirq = &engine.core.cpus[0].softirq;
    assert!(!softirq.is_pending && !softirq.is_deferred);
    let most = engine.net.stacks[0].receive.softirq_rounds;
    assert_eq!(raised_again(&mut engine, 100), most);
    assert!(engine.core.cpus[0].softirq.is_deferred, "ksoftirqd has it");
}

#[test]
fn a_kernel_that_polls_each_device_once_counts_its_budget_behind_each() {
    for (kernel, round) in [("2.6.3", 50), ("6.1", 64)] {
        let mut engine = world(kernel).at_rest();
        let receive = &mut engine.net.stacks[0].receive;
        (receive.budget, receive.softirq_rounds) = (50, 2);
        assert_eq!(polled(&mut engine, 200), 2 * round, "{kernel}");
    }
}

#[test]
fn what_was_sent_raises_a_softirq_unless_one_runs_that_will_see_it() {
    let Engine {
        mut core, mut net, ..
    } = world("2.6.3").at_rest();
    let skb = packet(&mut core);
    core.cpus[0].softirq.is_running = true;
    net.complete(&mut core, 0, skb);
    assert!(!core.cpus[0].softirq.is_pending);
    core.cpus[0].softirq.is_running = false;
    net.complete(&mut core, 0, skb);
    assert!(core.cpus[0].softirq.is_pending);
}

#[test]
fn the_softirq_frees_all_that_was_sent_and_then_lets_the_queue_go_on() {
    let Engine {
        mut core, mut net, ..
    } = world("2.6.3").at_rest();
    let packets = [(); 2].map(|()| packet(&mut core));
    net.softnet[0].completions.extend(packets);
    core.cpus[0].stacks[TASK].clear();
    net.run_completions(&mut core, 0);
    let is_path = |op: &Op| matches!(op, Op::Run { .. });
    let mut ops = ops(&mut core, 0);
    assert_eq!(ops[0], Op::run(Path::TxCompletion, About::NOTHING));
    ops.retain(|op| !is_path(op));
    let frees = packets.map(|skb| Op::Free { skb });
    let nic = NicId::from_index(0);
    assert_eq!(ops, [frees[0], frees[1], Op::RestartQueue { nic }]);
    assert!(net.softnet[0].completions.is_empty());
}

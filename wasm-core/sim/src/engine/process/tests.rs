//! A script's acts, and the order of what a call does.

use serde_json::json;

use super::*;
use crate::config::workload::Amount;
use crate::engine::Engine;
use crate::engine::host::File;
use crate::engine::setup::testing::{World, due, in_call, ops, sock, task};

#[test]
fn a_script_without_a_yield_ahead_begins_its_loop_again() {
    let pause = Act::Sleep {
        us: 1,
        up_to: false,
    };
    let script = Script {
        name: "server".to_owned(),
        once: vec![pause],
        forever: vec![pause, Act::Yield {}, pause],
        times_us: Vec::new(),
    };
    assert_eq!(script.next_yield(1), 2);
    assert_eq!(script.next_yield(2), 2);
    assert_eq!(script.next_yield(3), 1, "none is ahead");
}

/// A program of the server's side in user space on CPU 0, with so many connections.
fn engine(is_udp: bool, connections: u32) -> Engine {
    let mut engine = World {
        is_udp,
        roles: json!([{ "name": "one", "side": "server", "per": "host" }]),
        settings: json!({ "cpus": 1, "connections": connections, "message_bytes": 300 }),
        ..World::default()
    }
    .at_rest();
    in_call(&mut engine.core, task(0), 0);
    due(&mut engine.core);
    engine
}

/// What the program does for an act.
fn does(engine: &mut Engine, act: Act) -> Vec<Op> {
    engine.programs.begin_act(&mut engine.core, 0, task(0), act);
    ops(&mut engine.core, 0)
}

const fn compute(cycles: u64) -> Act {
    Act::Compute {
        cycles,
        each_cpu: false,
    }
}

#[test]
fn a_script_runs_once_what_comes_first_and_then_its_loop() {
    let mut engine = engine(false, 1);
    let script = &mut engine.programs.scripts[0];
    script.once = vec![compute(1)];
    script.forever = vec![compute(2), compute(3)];
    let mut done = Vec::new();
    for _ in 0..6 {
        engine.programs.next_act(&mut engine.core, 0, task(0));
        done.extend(ops(&mut engine.core, 0));
    }
    let expected = [1, 2, 3, 2, 3, 2].map(|cycles| Op::Compute { cycles });
    assert_eq!(done, expected);
    assert_eq!(engine.core.tasks[task(0)].rounds, 2);
}

#[test]
fn a_program_without_a_loop_ends_behind_its_last_act() {
    let mut engine = engine(false, 1);
    engine.programs.scripts[0].once = vec![compute(1)];
    engine.programs.next_act(&mut engine.core, 0, task(0));
    assert!(!engine.core.tasks[task(0)].is_asleep);
    ops(&mut engine.core, 0);
    engine.programs.next_act(&mut engine.core, 0, task(0));
    assert!(engine.core.tasks[task(0)].is_asleep);
    assert_eq!(engine.core.tasks[task(0)].rounds, 0);
}

#[test]
fn a_call_enters_the_kernel_does_its_work_and_leaves() {
    let mut engine = engine(false, 1);
    let sock = sock(1);
    let run = |path| Op::run(path, About::sock(sock));
    let bytes = Amount::Message;
    let expected = [
        run(Path::SyscallEntry),
        Op::LockSock { sock },
        run(Path::TcpSendmsg),
        Op::SendLoop { sock, left: 300 },
        Op::ReleaseSock { sock },
        run(Path::SyscallExit),
        Op::CallEnds,
    ];
    assert_eq!(does(&mut engine, Act::Send { bytes }), expected);
    assert_eq!(engine.core.tasks[task(0)].call, Call::Send);
    let calls = |engine: &mut Engine| engine.core.hosts[0].profile.call(Call::Send).calls;
    let before = calls(&mut engine);
    call_ends(&mut engine.core, 0);
    assert_eq!(engine.core.tasks[task(0)].call, Call::None);
    assert_eq!(calls(&mut engine), before + 1);
}

#[test]
fn a_call_that_receives_leaves_the_kernel_with_what_it_got() {
    for (is_udp, wait_all, least) in [(false, true, 200), (false, false, 1), (true, false, 1)] {
        let mut engine = engine(is_udp, 1);
        let bytes = Amount::Bytes(200);
        let all = does(&mut engine, Act::Receive { bytes, wait_all });
        let is_exit = |op: &Op| {
            matches!(
                op,
                Op::Run {
                    path: Path::SyscallExit,
                    ..
                }
            )
        };
        assert!(!all.iter().any(is_exit), "it comes with the return");
        assert_eq!(all.last(), Some(&Op::CallEnds));
        assert_eq!(engine.core.tasks[task(0)].least, least);
        let locks = all.contains(&Op::LockSock { sock: sock(1) });
        assert_eq!(locks, !is_udp, "datagrams need no owner");
    }
}

#[test]
fn a_file_is_read_page_by_page_and_from_its_beginning_again() {
    let mut engine = engine(false, 1);
    let core = &mut engine.core;
    let buffer = core.alloc_buffer(0, 6000);
    core.hosts[0].file = Some(File {
        buffer,
        bytes: 6000,
        page_objects: core.hosts[0].own_objects,
    });
    core.tasks[task(0)].file_at = 4000;
    let mut pages = Vec::new();
    read_page(core, 0, 2500);
    while let Some(op) = core.stack(0).pop() {
        match op {
            Op::ReadPage { left } => read_page(core, 0, left),
            Op::PageRead { bytes } => {
                pages.push((core.tasks[task(0)].file_at, bytes));
                page_read(core, 0, bytes);
            }
            _ => {}
        }
    }
    assert_eq!(pages[..2], [(4000, 96), (4096, 2404)]);
    assert_eq!(core.tasks[task(0)].file_at, 500, "6500 of 6000");
    assert_eq!(core.tasks[task(0)].moved, 2500);
}

#[test]
fn a_message_goes_to_each_connection_of_the_room_and_no_other() {
    let to = |connection, room| {
        let mut engine = engine(false, 5);
        engine.core.tasks[task(0)].connection = connection;
        let bytes = Amount::Message;
        engine
            .programs
            .begin_act(&mut engine.core, 0, task(0), Act::Broadcast { bytes, room });
        let mut sent = Vec::new();
        while let Some(op) = engine.core.stack(0).pop() {
            match op {
                Op::BroadcastNext { next, bytes } => {
                    engine
                        .programs
                        .broadcast_next(&mut engine.core, 0, next, bytes);
                }
                Op::SendLoop { sock, .. } => sent.push(sock.index()),
                _ => {}
            }
        }
        sent
    };
    // Of each pair the server's socket is the second.
    assert_eq!(to(3, 2), [5, 7]);
    assert_eq!(to(4, 2), [9], "the last room is not full");
    assert_eq!(to(1, 0), [1, 3, 5, 7, 9], "all are in one");
}

#[test]
fn computing_takes_its_cycles_at_the_machines_pace() {
    let mut engine = World {
        change: |machine| {
            (
                machine.processors.clock_khz,
                machine.processors.core_permille,
            ) = (1_000_000, 500);
        },
        roles: json!([{ "name": "one", "side": "server", "per": "host" }]),
        settings: json!({ "cpus": 4 }),
        ..World::default()
    }
    .at_rest();
    engine.core.cpus[0].current = Some(task(0));
    let core = &mut engine.core;
    let now = core.now();
    super::compute(core, 0, 3000);
    assert_eq!(core.cpus[0].until, now + SimTime::from_ns(1500));
    assert!(core.cpus[0].in_user);
    let each_cpu = true;
    let act = Act::Compute {
        cycles: 10,
        each_cpu,
    };
    engine.core.tasks[task(0)].stack.clear();
    assert_eq!(does(&mut engine, act), [Op::Compute { cycles: 40 }]);
}

#[test]
fn who_is_late_for_its_pace_makes_up_for_it() {
    let mut engine = engine(false, 1);
    let start = engine.core.now();
    let pace = Act::Pace { per_s: 10_000 };
    let sleeps = |ops: Vec<Op>| {
        let mut all = ops.into_iter();
        all.find_map(|op| match op {
            Op::SleepFor { us } => Some(us),
            _ => None,
        })
    };
    assert_eq!(sleeps(does(&mut engine, pace)), None, "the first is now");
    assert_eq!(sleeps(does(&mut engine, pace)), Some(100));
    engine.core.events.now = start + SimTime::from_us(450);
    for _ in 2..=4 {
        assert_eq!(sleeps(does(&mut engine, pace)), None, "it is late");
    }
    assert_eq!(sleeps(does(&mut engine, pace)), Some(50));
}

//! What a CPU does, told from its events.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

fn check_lanes(trace: &str, expected: &Expect) {
    let replay = replay_of(trace);
    let mut text = String::new();
    for lane in &replay.lanes.lanes {
        let _ = writeln!(text, "CPU {}", lane.cpu.0);
        for segment in 0..lane.from.len() {
            let doing = lane.doing(segment);
            let from = lane.from[segment].since(replay.run.start()) / 1000;
            let pid = match doing.pid.0 {
                u32::MAX => "?".to_owned(),
                pid => pid.to_string(),
            };
            let detail = match doing.detail {
                Lane::NO_DETAIL => String::new(),
                detail => format!(" {detail}"),
            };
            let _ = writeln!(text, "  {from:>3} {}{detail} (pid {pid})", doing.context);
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn an_interrupt_leads_to_a_softirq_and_back_to_what_was_interrupted() {
    check_lanes(
        "
        1 ev sched_switch ts 0.000000 cpu 0 pid 0 prev_pid 0 prev_state R next_pid 7
        2 ev irq_handler_entry ts 0.000010 cpu 0 pid 7 irq 11 name eth0
        3 ev irq_handler_exit ts 0.000012 cpu 0 pid 7 irq 11
        4 ev softirq_entry ts 0.000013 cpu 0 pid 7 vec 3
        5 ev irq_handler_entry ts 0.000015 cpu 0 pid 7 irq 11 name eth0
        6 ev irq_handler_exit ts 0.000016 cpu 0 pid 7 irq 11
        7 ev softirq_exit ts 0.000020 cpu 0 pid 7 vec 3
        8 ev call_function_single_entry ts 0.000022 cpu 0 ctx hardirq pid 7 vector 251
        9 ev sched_switch ts 0.000030 cpu 0 pid 7 prev_pid 7 prev_state S next_pid 0
        10 ev softirq_raise ts 0.000040 cpu 1 ctx hardirq pid 0 vec 9
        ",
        &expect![[r#"
            CPU 0
                0 kernel (pid 7)
               10 hardirq 11 (pid 7)
               12 kernel (pid 7)
               13 softirq 3 (pid 7)
               15 hardirq 11 (pid 7)
               16 softirq 3 (pid 7)
               20 kernel (pid 7)
               30 idle (pid 0)
            CPU 1
                0 unknown (pid ?)
               40 idle (pid 0)
        "#]],
    );
}

#[test]
fn a_system_call_is_remembered_while_others_run() {
    check_lanes(
        "
        1 ev sched_switch ts 0.000000 cpu 0 pid 0 prev_pid 0 prev_state R next_pid 7
        2 ev __sys_recvfrom ts 0.000010 cpu 0 ctx kernel pid 7
        3 ev sched_switch ts 0.000020 cpu 0 ctx kernel pid 7 prev_pid 7 prev_state S next_pid 8
        4 ev sched_switch ts 0.000030 cpu 0 ctx kernel pid 8 prev_pid 8 prev_state R next_pid 7
        5 ev __sys_recvfrom_ret ts 0.000040 cpu 0 ctx kernel pid 7
        6 ev sched_switch ts 0.000050 cpu 0 ctx kernel pid 7 prev_pid 7 prev_state R next_pid 8
        7 ev sched_switch ts 0.000060 cpu 0 ctx kernel pid 8 prev_pid 8 prev_state R next_pid 7
        8 ev __sys_recvfrom ts 0.000070 cpu 0 ctx kernel pid 7
        9 ev __sys_recvfrom_ret ts 0.000080 cpu 0 ctx kernel pid 7
        ",
        &expect![[r#"
            CPU 0
                0 user (pid 7)
               10 kernel (pid 7)
               20 user (pid 8)
               30 kernel (pid 7)
               40 user (pid 7)
               50 user (pid 8)
               60 user (pid 7)
               70 kernel (pid 7)
               80 user (pid 7)
        "#]],
    );
}

#[test]
fn lost_events_are_a_hole_and_a_lock_is_spun_on_at_its_level() {
    check_lanes(
        "
        1 ev softirq_entry ts 0.000000 cpu 0 ctx softirq pid 0 vec 3
        2 ev contention_begin ts 0.000010 cpu 0 ctx softirq pid 0
        3 ev irq_handler_entry ts 0.000012 cpu 0 ctx hardirq pid 0 irq 5
        4 ev irq_handler_exit ts 0.000014 cpu 0 ctx hardirq pid 0 irq 5
        5 ev contention_end ts 0.000016 cpu 0 ctx softirq pid 0
        6 ev napi_poll ts 0.000018 cpu 0 ctx softirq pid 0 work 1
        7 ev lost_events ts 0.000030 cpu 0 count 3
        8 ev softirq_raise ts 0.000040 cpu 0 ctx softirq pid 9 vec 3
        9 ev sched_waking ts 0.000050 cpu 0 ctx kernel pid 9 target_pid 3
        ",
        &expect![[r#"
            CPU 0
                0 softirq 3 (pid 0)
               10 spinning (pid 0)
               12 hardirq 5 (pid 0)
               14 spinning (pid 0)
               16 softirq 3 (pid 0)
               18 unknown (pid ?)
               40 softirq (pid 9)
               50 kernel (pid 9)
        "#]],
    );
}

#[test]
fn kernel_threads_never_see_user_space() {
    check_lanes(
        "
        # comm 3 kworker/0:1
        1 ev sched_switch ts 0.000000 cpu 0 pid 0 prev_pid 0 prev_state R next_pid 3
        2 ev sched_switch ts 0.000010 cpu 0 pid 3 prev_pid 3 prev_state R+ next_pid 0
        ",
        &expect![[r#"
            CPU 0
                0 kernel (pid 3)
               10 idle (pid 0)
        "#]],
    );
}

//! CPUs whose clocks are apart are told of where the order of a wake-up is certain; what a kernel writes is not.

use super::import;
use crate::english::say_of_file;

/// A reader on CPU 1 that sleeps, and is woken by CPU 0 and runs 6 us later, so many times: the clock of CPU 1 is ahead by
/// so many us. Lines are in the order of their times, as ftrace merges them.
fn woken(times: u64, ahead: i64) -> String {
    let mut lines = Vec::new();
    for turn in 0..times {
        let at = 100 * turn.cast_signed();
        let waking = "sched_waking: comm=urecv pid=7 prio=120 target_cpu=001";
        lines.push((at, format!("<idle>-0 [000] d.s2. TIME: {waking}")));
        let wakeup = "sched_wakeup: comm=urecv pid=7 prio=120 target_cpu=001";
        lines.push((
            at + 4 + ahead,
            format!("<idle>-0 [001] dNh2. TIME: {wakeup}"),
        ));
        let to = "sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=urecv next_pid=7 next_prio=120";
        lines.push((at + 6 + ahead, format!("<idle>-0 [001] d..2. TIME: {to}")));
        let from = "sched_switch: prev_comm=urecv prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120";
        lines.push((at + 40 + ahead, format!("urecv-7 [001] d..2. TIME: {from}")));
    }
    lines.sort_by_key(|&(at, _)| at);
    let stamped = |(at, line): (i64, String)| {
        let time = format!("1.{:06}", 1000 + at);
        line.replace("TIME", &time) + "\n"
    };
    lines.into_iter().map(stamped).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let ledger = import(text).expect("it is a trace").ledger;
    ledger.warnings.iter().map(say_of_file).collect()
}

#[test]
fn clocks_that_agree_or_are_apart_by_less_than_a_wake_up_takes_are_not_told_of() {
    for ahead in [0, 3, -4, 30] {
        assert_eq!(warnings(&woken(20, ahead)), Vec::<String>::new(), "{ahead}");
    }
}

#[test]
fn a_task_that_is_awake_before_it_is_woken_shows_that_the_clocks_are_apart() {
    let said = warnings(&woken(20, -10));
    assert_eq!(said.len(), 1, "{said:?}");
    // The first sleep of the task is not in the trace.
    let told = "The clocks of the CPUs are apart: 19 times a task on CPU 1 was awake before CPU 0 woke it, by up to 6.00 µs";
    assert!(said[0].starts_with(told), "{said:?}");
}

#[test]
fn what_was_lost_may_have_been_the_wake_up() {
    let lost = "CPU:0 [LOST 3 EVENTS]\n";
    let text: String = woken(20, -10)
        .lines()
        .flat_map(|line| [lost, line, "\n"])
        .collect();
    let said = warnings(&text);
    assert!(!said.iter().any(|said| said.contains("clocks")), "{said:?}");
}

#[test]
fn a_single_one_is_no_sign() {
    assert_eq!(warnings(&woken(2, -10)), Vec::<String>::new());
}

//! Profiles of made-up runs and of a scenario.

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::replay::tests::any_run::any_run;
use crate::replay::tests::{after, replay, replay_of};

#[test]
fn a_recording_tells_tasks_softirqs_and_interrupts() {
    let replay = replay_of(
        "# kperf 2\n\
         # comm 9 c;at\n\
         1 ev sched_switch ts 0.000000000 cpu 1 ctx kernel pid 7 prev_pid 7 prev_state R next_pid 9\n\
         2 ev irq_handler_entry ts 0.000001000 cpu 1 ctx hardirq pid 9 irq 24 name eth0\n\
         3 ev irq_handler_exit ts 0.000001400 cpu 1 ctx hardirq pid 9 irq 24\n\
         4 ev softirq_entry ts 0.000001400 cpu 1 ctx softirq pid 9 vec 3\n\
         5 ev softirq_exit ts 0.000002000 cpu 1 ctx softirq pid 9 vec 3\n\
         6 ev sched_switch ts 0.000002500 cpu 1 ctx kernel pid 9 prev_pid 9 prev_state S next_pid 7\n\
         7 ev sched_switch ts 0.000002700 cpu 1 ctx kernel pid 7 prev_pid 7 prev_state S next_pid 0\n\
         8 ev sched_switch ts 0.000003000 cpu 1 ctx kernel pid 0 prev_pid 0 prev_state R next_pid 9\n",
    );
    let (start, end) = (replay.run.start(), replay.run.end());
    expect![[r#"
        CPU 1;user;task 7 200
        CPU 1;kernel;c_at 1500
        CPU 1;softirq;NET_RX 600
        CPU 1;hardirq;irq 24 400
    "#]]
    .assert_eq(&Profile::recorded(&replay, start, end).folded(Weight::Time));
    let part = Profile::recorded(&replay, after(&replay, 1), after(&replay, 2));
    expect![[r#"
        CPU 1;softirq;NET_RX 600
        CPU 1;hardirq;irq 24 400
    "#]]
    .assert_eq(&part.folded(Weight::Time));
}

proptest! {
    #[test]
    fn what_is_not_idle_is_in_stacks_and_stretches_add_up(run in any_run(), cut in 0u64..2000) {
        let replay = replay(run);
        let (start, end) = (replay.run.start(), replay.run.end());
        let cut = Nanos(start.0 + cut).min(end);
        let whole = Profile::recorded(&replay, start, end);
        let mut busy = 0;
        for lane in &replay.lanes.lanes {
            let times = replay.lanes.times(lane, start, end);
            busy += times.iter().sum::<u64>() - times[Context::Idle as usize];
        }
        prop_assert_eq!(whole.nanos() as u64, busy);
        let parts = [(start, cut), (cut, end)].map(|(from, to)| Profile::recorded(&replay, from, to));
        prop_assert_eq!((parts[0].nanos() + parts[1].nanos()) as u64, busy);
    }
}

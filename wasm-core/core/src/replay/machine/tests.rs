//! What a model's events show at a moment, and what holds for any sequence of them.

mod order;
mod states;
mod waits;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::kernel::{CpuId, Pid};
use crate::replay::Replay;
use crate::replay::tests::any_run::any_run;
use crate::replay::tests::{after, replay, replay_of};

fn at(replay: &Replay, micros: u64) -> MachineColumns {
    replay.at(after(replay, micros), 2000).machine
}

/// What each cache holds, in words.
fn held(replay: &Replay, columns: &MachineColumns) -> Vec<String> {
    let caches = &replay.machine.caches;
    let held = &columns.held;
    (0..held.cache.len())
        .filter(|&row| held.lines[row] > 0)
        .map(|row| {
            let cpus: Vec<u16> = caches.groups[usize::from(held.cache[row])]
                .iter()
                .map(|cpu| cpu.0)
                .collect();
            let object = caches.objects[usize::from(held.object[row])];
            let object = object.map_or("?", |name| replay.run.names.text(name));
            format!("{cpus:?} {object} {}", held.lines[row])
        })
        .collect()
}

const LINES: &str = "# kperf 2
# origin: simulated
# cache_lines: 8192
1 ev cache_line_fill ts 1.000000000 cpu 0 lines 23 cycles 6000 object data
2 ev cache_line_fill ts 1.000001000 cpu 0 lines 4 cycles 900 object skb
3 ev cache_line_move ts 1.000002000 cpu 1 from_cpu 0 lines 4 cycles 800 object skb
4 ev cache_line_move ts 1.000003000 cpu 1 from_cpu 0 lines 23 cycles 4577 object data clone 1
5 ev cache_line_evict ts 1.000006000 cpu 0 lines 20 object data name capacity
6 ev cache_line_evict ts 1.000006000 cpu 0 lines 4 object skb name taken
7 ev cache_line_evict ts 1.000007000 cpu 1 lines 99 object data name freed";

#[test]
fn lines_are_where_they_were_brought_last() {
    let replay = replay_of(LINES);
    assert_eq!(replay.machine.caches.capacity, 8192);
    assert_eq!(replay.machine.line_bytes, 64);
    let small = LINES.replace("# cache_lines", "# cache_line_bytes: 32\n# cache_lines");
    assert_eq!(replay_of(&small).machine.line_bytes, 32);
    let held_at = |micros| held(&replay, &at(&replay, micros));
    assert_eq!(held_at(1), ["[0] data 23", "[0] skb 4"]);
    assert_eq!(held_at(2), ["[0] data 23", "[1] skb 4"]);
    assert_eq!(held_at(3), ["[0] data 23", "[1] data 23", "[1] skb 4"]);
    assert_eq!(held_at(6), ["[0] data 3", "[1] data 23", "[1] skb 4"]);
    assert_eq!(held_at(7), ["[0] data 3", "[1] skb 4"]);
}

#[test]
fn moves_are_counted_so_far_and_just_now() {
    let replay = replay_of(LINES);
    let flows = at(&replay, 3).flows;
    assert_eq!((flows.from, flows.to), (vec![0], vec![1]));
    assert_eq!((flows.lines, flows.cycles), (vec![27.0], vec![5377.0]));
    let later = at(&replay, 4);
    // Of the last two microseconds: the second move only, the first is just over.
    assert_eq!(later.flows.recent_lines, [23.0]);
    assert_eq!(later.flows.recent_cycles, [4577.0]);
    assert_eq!(
        (later.moves.at, later.moves.lines),
        (vec![3000.0], vec![23])
    );
    assert_eq!(later.fills.lines, [27.0]);
    assert_eq!(at(&replay, 7).flows.recent_lines, [0.0]);
}

#[test]
fn hyper_threads_share_a_cache() {
    let replay = replay_of(
        "# kperf 2
# cache_of: 0,0,1,1
1 ev cache_line_fill ts 1.000000000 cpu 0 lines 5 object sock
2 ev cache_line_move ts 1.000001000 cpu 1 from_cpu 0 lines 5 cycles 900 object sock
3 ev cache_line_move ts 1.000002000 cpu 3 from_cpu 1 lines 2 cycles 900 object sock",
    );
    assert_eq!(held(&replay, &at(&replay, 1)), ["[0, 1] sock 5"]);
    assert!(at(&replay, 1).flows.from.is_empty());
    assert_eq!(
        held(&replay, &at(&replay, 2)),
        ["[0, 1] sock 3", "[3] sock 2"]
    );
}

#[test]
fn a_lock_tells_who_holds_it_and_who_spins() {
    let replay = replay_of(
        "# kperf 2
1 ev contention_begin ts 1.000000000 cpu 1 lock sock from_cpu 0
2 ev contention_begin ts 1.000001000 cpu 2 lock sock from_cpu 0
3 ev lock_release ts 1.000002000 cpu 0 lock sock
4 ev contention_end ts 1.000003000 cpu 1 lock sock waited 3000
5 ev lock_release ts 1.000004000 cpu 1 lock sock
6 ev contention_end ts 1.000005000 cpu 2 lock sock waited 4000
7 ev rx_missed ts 1.000009000 cpu 0 dev eth0",
    );
    let spins = |micros| {
        let columns = at(&replay, micros);
        let holders: Vec<u16> = columns.locks.holder;
        let since = columns.spins.since.iter().map(|since| since / 1e3);
        let spins: Vec<(u16, f64)> = columns.spins.cpu.into_iter().zip(since).collect();
        (holders, spins)
    };
    let nobody = CpuId::UNKNOWN.0;
    assert_eq!(spins(1), (vec![0], vec![(1, 0.0), (2, 1.0)]));
    assert_eq!(spins(2), (vec![nobody], vec![(1, 0.0), (2, 1.0)]));
    assert_eq!(spins(3), (vec![1], vec![(2, 1.0)]));
    assert_eq!(spins(4), (vec![nobody], vec![(2, 1.0)]));
    assert_eq!(spins(5), (vec![], vec![]));
    assert_eq!(at(&replay, 9).lock_totals, [2.0, 7000.0]);
}

#[test]
fn a_slice_shrinks_and_who_was_preempted_waits() {
    let replay = replay_of(
        "# kperf 2
1 ev sched_wakeup ts 1.000000000 cpu 0 target_pid 9 target_cpu 0
2 ev sched_switch ts 1.000001000 cpu 0 prev_pid 7 prev_state R next_pid 8
3 ev time_slice ts 1.000001000 cpu 0 target_pid 8 slice 3
4 ev sched_switch ts 1.000005000 cpu 0 prev_pid 8 prev_state S next_pid 9
5 ev time_slice ts 1.000005000 cpu 0 target_pid 9 slice 100
6 ev sched_wakeup ts 1.000006000 cpu 0 target_pid 6 target_cpu 0",
    );
    let (two, four, six) = (at(&replay, 2), at(&replay, 4), at(&replay, 6));
    assert_eq!((two.tasks.pid, two.tasks.left), (vec![8], vec![2000.0]));
    assert_eq!(two.tasks.preempted, [7]);
    assert_eq!(two.tasks.preempted_at, [1000.0]);
    assert_eq!(two.waits.pid, [9, 7]);
    assert_eq!(four.tasks.left, [0.0]);
    assert_eq!(six.tasks.preempted, [Pid::UNKNOWN.0]);
    assert_eq!(six.waits.pid, [7, 6]);
}

#[test]
fn a_timer_holds_frames_back_until_it_fires() {
    let replay = replay_of(
        "# kperf 2
1 ev rx_dma ts 1.000000000 cpu 0 skb ffff888000000001 dev eth0 depth 1 limit 384
2 ev rx_itr ts 1.000000000 cpu 0 dev eth0 waited 80000 depth 1
3 ev rx_dma ts 1.000012000 cpu 0 skb ffff888000000002 dev eth0 depth 2 limit 384
4 ev rx_itr ts 1.000080000 cpu 0 dev eth0 waited 0 depth 2
5 ev rx_dma ts 1.000081000 cpu 0 skb ffff888000000003 dev eth1 depth 1 limit 384",
    );
    let timers = |micros| {
        let TimerColumns { since, until, held } = at(&replay, micros).timers;
        (since, until, held)
    };
    assert_eq!(timers(5), (vec![0.0], vec![80_000.0], vec![1]));
    assert_eq!(timers(12), (vec![0.0], vec![80_000.0], vec![2]));
    assert_eq!(timers(80), (vec![-1.0], vec![-1.0], vec![0]));
}

#[test]
fn probes_cost_so_far_and_just_now() {
    let replay = replay_of(
        "# kperf 2
1 ev probe_cost ts 1.000000000 cpu 0 cost 500
2 ev probe_cost ts 1.000001000 cpu 1 cost 500
3 ev probe_cost ts 1.000009000 cpu 0 cost 700",
    );
    let costs = at(&replay, 9).costs;
    assert_eq!((costs.cpu, costs.nanos), (vec![0, 1], vec![1200.0, 500.0]));
    assert_eq!(
        (costs.recent, costs.probes),
        (vec![700.0, 0.0], vec![2.0, 1.0])
    );
}

#[test]
fn a_recording_has_nothing_of_it_but_the_waits_for_a_cpu() {
    let replay = replay_of(
        "# kperf 2
1 ev sched_switch ts 1.000001000 cpu 0 prev_pid 7 prev_state R next_pid 8
2 ev contention_begin ts 1.000002000 cpu 0",
    );
    let waits = at(&replay, 2).waits;
    assert_eq!((&waits.pid, &waits.by), (&vec![7], &vec![8]));
    let nothing_else = MachineColumns {
        waits,
        ..MachineColumns::default()
    };
    assert_eq!(at(&replay, 2), nothing_else);
}

#[test]
fn a_queue_told_as_packets_come_empties_as_they_leave() {
    let replay = replay_of(
        "# kperf 2
1 ev tcp_prequeue ts 1.000000000 cpu 0 skb ffff888000000001 sk ffff88800000000a depth 1
2 ev tcp_prequeue ts 1.000001000 cpu 0 skb ffff888000000002 sk ffff88800000000a depth 2
3 ev tcp_v4_do_rcv ts 1.000002000 cpu 1 skb ffff888000000001 sk ffff88800000000a
4 ev tcp_v4_do_rcv ts 1.000003000 cpu 1 skb ffff888000000002 sk ffff88800000000a",
    );
    let depth = |micros| replay.at(after(&replay, micros), 0).queue_depth[0];
    assert_eq!([depth(0), depth(1), depth(2), depth(3)], [1, 2, 1, 0]);
}

/// What one step does to the caches of three CPUs: a fill, a move, an eviction.
type Step = (u8, u16, u16, u32, bool);

/// A run in which nothing moves or leaves that is not there, with what each CPU holds after it.
fn sensible(steps: &[Step]) -> (String, BTreeMap<(u16, usize), u32>) {
    const OBJECTS: [&str; 2] = ["data", "skb"];
    let mut held: BTreeMap<(u16, usize), u32> = BTreeMap::new();
    let mut text = String::from("# kperf 2\n1 ev probe_cost ts 1.000000000 cpu 0 cost 1");
    for (place, &(what, cpu, other, lines, is_first)) in steps.iter().enumerate() {
        let object = usize::from(is_first);
        let mut line = |probe: &str, lines: u32, more: &str| {
            let (nanos, object) = ((place + 1) * 1000, OBJECTS[object]);
            let at = format!("ts 1.{nanos:09} cpu {cpu} lines {lines} object {object}");
            let _ = write!(text, "\n1 ev {probe} {at}{more}");
        };
        let there = held.get(&(other, object)).copied().unwrap_or(0);
        let here = held.get(&(cpu, object)).copied().unwrap_or(0);
        match what {
            0 => {
                line("cache_line_fill", lines, " cycles 9");
                held.insert((cpu, object), here + lines);
            }
            1 | 2 if there > 0 && cpu != other => {
                let moved = lines.min(there);
                let keeps = if what == 1 { " clone 1" } else { "" };
                line(
                    "cache_line_move",
                    moved,
                    &format!(" from_cpu {other}{keeps}"),
                );
                held.insert((cpu, object), here + moved);
                if what == 2 {
                    held.insert((other, object), there - moved);
                }
            }
            3 if here > 0 => {
                line("cache_line_evict", lines.min(here), " name capacity");
                held.insert((cpu, object), here - lines.min(here));
            }
            _ => {}
        }
    }
    held.retain(|_, lines| *lines > 0);
    (text, held)
}

proptest! {
    #[test]
    fn what_is_held_is_what_was_brought_less_what_left(
        steps in prop::collection::vec((0u8..4, 0u16..3, 0u16..3, 1u32..9, any::<bool>()), 1..60)
    ) {
        let (text, expected) = sensible(&steps);
        let replay = replay_of(&text);
        let columns = replay.machine.at(&replay.run, replay.run.end(), 0).held;
        let caches = &replay.machine.caches;
        let found: BTreeMap<(u16, usize), u32> = (0..columns.cache.len())
            .map(|row| {
                let cpu = caches.groups[usize::from(columns.cache[row])][0].0;
                let name = caches.objects[usize::from(columns.object[row])];
                let is_skb = name.map(|name| replay.run.names.text(name)) == Some("skb");
                ((cpu, usize::from(is_skb)), columns.lines[row])
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn sums_grow_and_nothing_is_ahead_of_its_time(run in any_run(), linger in 0u64..50) {
        let replay = replay(run);
        let (start, end) = (replay.run.start().0, replay.run.end().0);
        let mut lines_before = 0.0;
        for time in start..=end + 2 {
            let now = replay.machine.at(&replay.run, Nanos(time), linger);
            let since = (time - start) as f64;
            let flows = &now.flows;
            let lines: f64 = flows.lines.iter().sum();
            prop_assert!(lines >= lines_before);
            lines_before = lines;
            for row in 0..flows.from.len() {
                prop_assert!(flows.recent_lines[row] <= flows.lines[row]);
                prop_assert!(flows.recent_cycles[row] <= flows.cycles[row]);
            }
            for row in 0..now.held.lines.len() {
                let HeldColumns { lines, modified, exclusive, shared, invalidated, .. } = &now.held;
                prop_assert!(lines[row] + invalidated[row] > 0);
                prop_assert!(modified[row] + exclusive[row] + shared[row] <= lines[row]);
            }
            prop_assert!(now.moves.at.len() <= 64);
            prop_assert!(now.moves.at.iter().all(|&at| at <= since));
            prop_assert!(now.spins.since.iter().all(|&at| at <= since));
            prop_assert!(now.spins.lock.iter().all(|lock| now.locks.lock.contains(lock)));
            let longest = replay.machine.slices.longest as f64;
            prop_assert!(now.tasks.left.iter().all(|&left| left <= longest));
            prop_assert!(now.costs.recent.iter().zip(&now.costs.nanos).all(|(new, all)| new <= all));
        }
    }

    #[test]
    fn stretches_that_adjoin_add_up(run in any_run(), cut in 0u64..900) {
        let replay = replay(run);
        let (start, end) = (replay.run.start(), replay.run.end());
        let cut = Nanos(start.0 + cut).min(end);
        let lines = |from, to| -> u64 {
            replay.machine.caches.moved(from, to).map(|moved| moved.lines).sum()
        };
        prop_assert_eq!(lines(start, cut) + lines(Nanos(cut.0 + 1), end), lines(start, end));
    }
}

const COPY: &str = "# kperf 2
# origin: simulated
# clock_khz: 1000000
# comm 7 reader
1 ev netif_receive_skb ts 1.000000000 cpu 1 ctx softirq pid 0 skb ffff0100 len 1500
2 ev ip_rcv ts 1.000000500 cpu 1 ctx softirq pid 0 skb ffff0100 len 1500
3 ev udp_queue_rcv_skb ts 1.000000700 cpu 1 ctx softirq pid 0 skb ffff0100 sk ffff0900 len 1480
4 ev __udp_enqueue_schedule_skb ts 1.000001000 cpu 1 ctx softirq pid 0 skb ffff0100 sk ffff0900 len 1480
5 ev skb_copy_datagram_iter ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 sk ffff0900 len 1472 count 1472
6 ev cache_line_move ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 from_cpu 1 lines 23 cycles 3220 object data clone 1
7 ev cache_line_fill ts 1.000002000 cpu 0 ctx kernel pid 7 lines 2 cycles 300 object user
8 ev irq_handler_entry ts 1.000003000 cpu 0 ctx hardirq pid 7 irq 24 name eth0
9 ev irq_handler_exit ts 1.000005000 cpu 0 ctx hardirq pid 7 irq 24 name eth0
10 ev cache_line_move ts 1.000009000 cpu 0 ctx kernel pid 7 skb ffff0100 from_cpu 1 lines 1 cycles 200 object route
11 ev sched_switch ts 1.000011000 cpu 0 ctx kernel pid 7 prev_pid 7 prev_state S next_pid 0";

#[test]
fn a_copy_tells_the_lines_it_waited_for_and_what_interrupted_it() {
    let replay = replay_of(COPY);
    assert!(at(&replay, 1).copies.cpu.is_empty());
    let copies = at(&replay, 4).copies;
    assert_eq!((copies.cpu, copies.packet), (vec![0], vec![0]));
    assert_eq!((copies.start, copies.end), (vec![2000.0], vec![9000.0]));
    assert_eq!(copies.interrupted, [2000.0]);
    assert_eq!((copies.from, copies.moved_lines), (vec![1], vec![23]));
    assert_eq!(
        (copies.moved_cycles, copies.filled_cycles),
        (vec![3220], vec![300])
    );
    assert_eq!(replay.machine.copies.clock_khz, 1_000_000);
}

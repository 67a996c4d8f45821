//! In which state lines are, where that is told, and where they were until just now.

use super::at;
use crate::replay::Replay;
use crate::replay::tests::replay_of;

/// CPU 0 writes what it has read; CPU 1 reads it, and then writes it.
const STATES: &str = "# kperf 2
1 ev cache_line_fill ts 1.000000000 cpu 0 lines 20 cycles 6000 object data newstate exclusive
2 ev cache_line_state ts 1.000001000 cpu 0 lines 12 object data oldstate exclusive newstate modified
3 ev cache_line_state ts 1.000002000 cpu 0 lines 12 object data oldstate modified newstate shared
4 ev cache_line_move ts 1.000002000 cpu 1 from_cpu 0 lines 12 cycles 900 object data clone 1 newstate shared
5 ev cache_line_state ts 1.000005000 cpu 1 lines 12 object data oldstate shared newstate modified
6 ev cache_line_evict ts 1.000005000 cpu 0 lines 12 object data name invalidated oldstate shared
7 ev cache_line_move ts 1.000009000 cpu 0 from_cpu 1 lines 5 cycles 900 object data oldstate modified newstate modified
8 ev cache_line_evict ts 1.000012000 cpu 0 lines 8 object data name capacity oldstate exclusive
9 ev cache_line_evict ts 1.000012000 cpu 0 lines 5 object data name dma oldstate modified";

/// `CPU: modified exclusive shared of all, invalidated`.
fn states(replay: &Replay, micros: u64) -> Vec<String> {
    let held = at(replay, micros).held;
    (0..held.cache.len())
        .map(|row| {
            let counts = [&held.modified, &held.exclusive, &held.shared].map(|column| column[row]);
            let [m, e, s] = counts;
            let (lines, gone) = (held.lines[row], held.invalidated[row]);
            format!("{}: {m} {e} {s} of {lines}, {gone}", held.cache[row])
        })
        .collect()
}

#[test]
fn lines_change_their_state_where_they_are_and_on_their_way() {
    let replay = replay_of(STATES);
    assert!(replay.machine.caches.tells_states);
    let told = |micros| states(&replay, micros);
    assert_eq!(told(0), ["0: 0 20 0 of 20, 0"]);
    assert_eq!(told(1), ["0: 12 8 0 of 20, 0"]);
    assert_eq!(told(2), ["0: 0 8 12 of 20, 0", "1: 0 0 12 of 12, 0"]);
    // The copy of CPU 0 is void: a ghost for the linger of 2 µs.
    assert_eq!(told(5), ["0: 0 8 0 of 8, 12", "1: 12 0 0 of 12, 0"]);
    assert_eq!(told(7), ["0: 0 8 0 of 8, 0", "1: 12 0 0 of 12, 0"]);
    assert_eq!(told(9), ["0: 5 8 0 of 13, 0", "1: 7 0 0 of 7, 5"]);
    // What had to make room is no ghost; what a device wrote is one.
    assert_eq!(told(12), ["0: 0 0 0 of 0, 5", "1: 7 0 0 of 7, 0"]);
}

#[test]
fn lines_whose_state_is_not_told_have_none() {
    let replay = replay_of(super::LINES);
    assert!(!replay.machine.caches.tells_states);
    assert_eq!(states(&replay, 3)[0], "0: 0 0 0 of 23, 0");
    assert_eq!(replay.machine.caches.most(), [23, 4]);
}

#[test]
fn more_lines_than_there_are_leave_nothing_behind() {
    let replay = replay_of(
        "# kperf 2
1 ev cache_line_fill ts 1.000000000 cpu 0 lines 4 object data newstate shared
2 ev cache_line_fill ts 1.000000000 cpu 0 lines 4294967295 object data newstate modified
3 ev cache_line_evict ts 1.000001000 cpu 0 lines 4294967294 object data name freed
4 ev cache_line_evict ts 1.000002000 cpu 0 lines 9 object data name freed oldstate exclusive",
    );
    assert_eq!(states(&replay, 1), ["0: 1 0 0 of 1, 0"]);
    assert_eq!(states(&replay, 2), Vec::<String>::new());
}

//! CPUs whose clocks are apart are told of where the order of a wake-up is certain; what a kernel writes is not.

use super::import;
use crate::english::say_of_file;
use crate::import::Format;

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
    // The first sleep of the task is not in the trace, nor how long its last one is.
    let told = "The clocks of the CPUs are apart: 18 times a task on CPU 1 was awake before CPU 0 woke it, by up to 6.00 µs";
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

/// A reader that is woken each time when it is about to sleep, as where an answer comes at once: the wake-up reaches its
/// CPU after it has left it. Only these lines of it are in the trace, from this one on.
fn woken_as_it_goes_to_sleep(from: usize) -> String {
    let turn = |turn: usize| {
        let at = |after: usize| format!("2.{:06}", 1000 + 20 * turn + after);
        [
            format!(
                "usend-9 [000] d.s2. {}: sched_waking: comm=urecv pid=7 prio=120 target_cpu=001",
                at(0)
            ),
            format!(
                "urecv-7 [001] d..2. {}: sched_switch: prev_comm=urecv prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120",
                at(1)
            ),
            format!(
                "<idle>-0 [001] dNh2. {}: sched_wakeup: comm=urecv pid=7 prio=120 target_cpu=001",
                at(3)
            ),
            format!(
                "<idle>-0 [001] d..2. {}: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=urecv next_pid=7 next_prio=120",
                at(5)
            ),
        ]
    };
    let lines: Vec<String> = (0..20).flat_map(turn).skip(from).collect();
    lines.join("\n") + "\n"
}

#[test]
fn wake_ups_of_a_task_about_to_sleep_are_none_of_clocks_wherever_a_recording_begins() {
    for from in 0..8 {
        let said = warnings(&woken_as_it_goes_to_sleep(from));
        assert_eq!(said, Vec::<String>::new(), "from line {from}");
    }
}

/// As where `grep` left lines out: every other time all is missing that the reader did but its `sched_wakeup`.
#[test]
fn what_a_task_lacks_between_two_wake_ups_was_lost() {
    let left = |ahead| -> String {
        let text = woken(40, ahead);
        let is_left = |(at, line): (usize, &str)| {
            let is_kept = at / 4 % 2 == 0 || line.contains("sched_wakeup");
            is_kept.then(|| line.to_owned() + "\n")
        };
        text.lines().enumerate().filter_map(is_left).collect()
    };
    assert_eq!(warnings(&left(0)), Vec::<String>::new());
    let said = warnings(&left(-10)).concat();
    assert!(said.contains("by up to 6.00 µs"), "{said}");
}

#[test]
fn a_clock_that_is_in_use_is_not_advised() {
    let of = |clock: &str| {
        let header = format!("# tracer: nop\n#\n# ringside-capture 1\n# clock: {clock}\n");
        let said = warnings(&(header + &woken(20, -10)));
        assert_eq!(said.len(), 1, "{said:?}");
        said.concat()
    };
    let advice = "record with trace_clock global or mono";
    assert!(of("local").contains(advice), "{}", of("local"));
    for clock in ["mono", "global", "boot"] {
        let said = of(clock);
        assert!(!said.contains(advice), "{said}");
        assert!(
            said.contains(&format!("though trace_clock {clock} ")),
            "{said}"
        );
    }
    // A file of kperf says its clock too.
    let mut lines = Vec::new();
    let run = import(&woken(20, -10)).expect("it is a trace").run;
    crate::export::kperf2(&run, &mut lines).expect("a vector takes any bytes");
    let lines = String::from_utf8(lines).expect("kperf 2 is text");
    let said = warnings(&lines.replacen("# origin", "# clock: mono\n# origin", 1)).concat();
    assert!(said.contains("though trace_clock mono "), "{said}");
}

/// `perf script` prints the events of `perf record`, which has no `trace_clock` and takes its clock by `-k`.
#[test]
fn a_recording_of_perf_is_advised_of_its_own_option() {
    let of_perf = |line: &str| {
        let (task, rest) = line.split_once(" [").expect("a task comes first");
        let (name, pid) = task.rsplit_once('-').expect("with its number");
        let (cpu, rest) = rest.split_once("] ").expect("a CPU comes next");
        let (_, rest) = rest.split_once(". ").expect("then the flags");
        let (time, event) = rest.split_once(": ").expect("and the time");
        format!("{name:>16} {pid:>5} [{cpu}] {time}: sched:{event}\n")
    };
    let text: String = woken(20, -10).lines().map(of_perf).collect();
    let imported = import(&text).expect("it is a trace");
    assert_eq!(imported.format, Format::PerfScript);
    let said = warnings(&text).concat();
    assert!(said.contains("by up to 6.00 µs"), "{said}");
    assert!(said.ends_with("record with perf record -k mono."), "{said}");
    assert!(!said.contains("trace_clock"), "{said}");
}

#[test]
fn a_single_one_is_no_sign() {
    assert_eq!(warnings(&woken(3, -10)), Vec::<String>::new());
    assert_eq!(warnings(&woken(4, -10)).len(), 1);
}

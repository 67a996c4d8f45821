//! Lines out of order, and lines that come twice, are told of; what a kernel writes is not.

use super::{import, refusal_of};
use crate::english::say_of_file;

const LINES: [&str; 4] = [
    "          <idle>-0       [000] ..s1.     1.000001: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=60\n",
    "          <idle>-0       [001] ..s1.     1.000900: net_dev_queue: dev=lo skbaddr=ffff88800916ef00 len=60\n",
    "          <idle>-0       [000] ..s1.     1.000700: net_dev_queue: dev=lo skbaddr=ffff88800916f000 len=60\n",
    "          <idle>-0       [000] ..s1.     1.250000: net_dev_queue: dev=lo skbaddr=ffff88800916f100 len=60\n",
];

fn warnings(lines: &[&str]) -> Vec<String> {
    let ledger = import(&lines.concat()).expect("it is a trace").ledger;
    ledger.warnings.iter().map(say_of_file).collect()
}

#[test]
fn clocks_that_differ_a_little_are_as_they_were_recorded() {
    assert_eq!(warnings(&LINES), Vec::<String>::new());
}

#[test]
fn lines_after_much_later_ones_are_counted_with_by_how_much() {
    let [a, b, c, d] = LINES;
    let said = warnings(&[a, d, b, c]);
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("2 lines come after later ones, by up to 249 ms"),
        "{said:?}"
    );
}

/// Of two recordings in one file the second begins long before the first has ended.
#[test]
fn a_line_is_later_than_the_latest_before_it() {
    let line = |time: u32, skb: u32| {
        format!(
            "          <idle>-0       [000] ..s1.     1.{time:06}: net_dev_queue: dev=lo skbaddr=ffff88800916e{skb:03} len=60\n"
        )
    };
    let lines: Vec<String> = [(0, 1), (100_000, 2), (200_000, 3), (1, 4), (100_001, 5)]
        .map(|(time, skb)| line(time, skb))
        .into();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let said = warnings(&lines);
    assert!(
        said[0].starts_with("2 lines come after later ones, by up to 200 ms"),
        "{said:?}"
    );
}

#[test]
fn a_file_that_was_written_twice_into_one_is_told_of() {
    let [a, b, c, d] = LINES;
    let said = warnings(&[a, a, b, b, c, c, d, d]);
    assert_eq!(said.len(), 1);
    assert!(
        said[0].starts_with("4 lines say the same again"),
        "{said:?}"
    );
}

/// `tac trace.txt`, and a list with the newest on top; the span of a file plays no part.
#[test]
fn a_file_whose_lines_run_backwards_is_told_of_once() {
    let line = |at: usize| {
        let time = 100 + at / 2 * 7;
        format!(
            "          <idle>-0       [00{}] ..s1.     1.{time:06}: net_dev_queue: dev=lo skbaddr=ffff88800916e{at:03} len=60\n",
            at % 2
        )
    };
    for lines in [10, 999] {
        let forwards: Vec<String> = (0..lines).map(line).collect();
        let forwards: Vec<&str> = forwards.iter().map(String::as_str).collect();
        assert_eq!(warnings(&forwards), Vec::<String>::new());
        let backwards: Vec<&str> = forwards.iter().rev().copied().collect();
        let said = warnings(&backwards);
        assert_eq!(said.len(), 1, "{said:?}");
        let told = "The lines of the file run backwards in time";
        assert!(said[0].starts_with(told), "{said:?}");
        // Events of one moment, of which there are two each, are in the order in which they were recorded.
        let order = |lines: &[&str]| -> Vec<u64> {
            let run = import(&lines.concat()).expect("it is a trace").run;
            let skbs = run
                .indices()
                .map(|index| run.addresses.value(run.skb(index)));
            skbs.collect()
        };
        assert_eq!(order(&backwards), order(&forwards));
        // Two files, of which each is in order.
        let joined = [&forwards[lines / 2..], &forwards[..lines / 2]].concat();
        let said = warnings(&joined);
        assert!(!said.iter().any(|said| said.starts_with(told)), "{said:?}");
    }
}

/// `cat one.txt another.txt`, and the buffer of a kernel that recorded nothing.
#[test]
fn recordings_one_after_the_other_in_a_file_are_told_of() {
    let header = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/4   #P:2\n#\n";
    let all = [&[header][..], &LINES].concat();
    let twice = [&all[..], &all[..1], &LINES[3..], &all[..2]].concat();
    let imported = import(&twice.concat()).expect("it is a trace");
    assert_eq!(imported.ledger.total(), 18);
    let said = warnings(&twice);
    let told = "The file holds 3 recordings one after the other, the second from line 9.";
    assert!(said.iter().any(|said| said.starts_with(told)), "{said:?}");
    let empty = [header, header].concat();
    for one in [&[&empty, LINES[0]][..], &[LINES[0], &empty]] {
        assert_eq!(warnings(one), Vec::<String>::new());
    }
}

/// `perf script --deltatime` of one recording, and the same without.
#[test]
fn times_that_are_differences_are_refused() {
    let times = [
        "0.000000", "0.039579", "0.003542", "0.000009", "0.050268", "0.000010",
    ];
    let of = |times: &[&str]| {
        let line = |time| {
            format!(
                "         python3  5222 [000]     {time}: net:net_dev_queue: dev=lo skbaddr=0xffff888104586200 len=92\n"
            )
        };
        times.iter().map(line).collect::<String>()
    };
    let refused = refusal_of(&import(&of(&times)).expect_err("its times are none"));
    let asks = "write it anew without that option (`perf script --ns`)";
    assert!(refused.contains("perf script --deltatime") && refused.contains(asks));
    // Two files of `--reltime` in one.
    let since_first: Vec<String> = (0..12).map(|at| format!("0.{:06}", at * 3000)).collect();
    let since_first: Vec<&str> = since_first.iter().map(String::as_str).collect();
    assert!(import(&of(&since_first)).is_ok());
    assert!(import(&of(&since_first.repeat(2))).is_ok());
}

/// Each event's second copy stands below the next event's first.
#[test]
fn a_file_that_holds_a_recording_twice_does_not_run_backwards() {
    let line = |at: usize| {
        format!(
            "          <idle>-0       [000] ..s1.     1.{at:06}: net_dev_queue: dev=lo skbaddr=ffff88800916e{at:03} len=60\n"
        )
    };
    let once: Vec<String> = (100..200).map(line).collect();
    let once: Vec<&str> = once.iter().map(String::as_str).collect();
    let said = warnings(&[once.clone(), once].concat());
    assert!(
        !said.iter().any(|said| said.contains("backwards")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|said| said.contains("say the same again")),
        "{said:?}"
    );
}

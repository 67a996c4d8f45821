//! What other programs put into a few lines, or behind each, and what a broken copy left: none of it becomes a part of an event.

use super::{import, import_in, picture};
use crate::english::say_of_file;

fn event(at: usize) -> String {
    let event = match at % 3 {
        0 => "irq_handler_exit: irq=24 ret=handled",
        1 => "netif_receive_skb: dev=eth0 skbaddr=0xffff888008476400 len=92",
        _ => "irq_handler_entry: irq=24 name=virtio1-input.0",
    };
    format!("          <idle>-0       [001] ..s1.   100.{at:06}: {event}\n")
}

/// Lines of which some are changed.
fn lines(count: usize, change: impl Fn(usize, String) -> String) -> String {
    (0..count).map(|at| change(at, event(at))).collect()
}

fn fingerprint(text: &str) -> u64 {
    import(text).expect("a trace").run.fingerprint()
}

/// `grep --color` with a word that few lines have: the key was another one with the colours in it, and the packet was lost.
#[test]
fn colours_in_a_few_lines() {
    let plain = fingerprint(&lines(600, |_, line| line));
    let key =
        |line: String| line.replace("skbaddr", "\u{1b}[01;31m\u{1b}[Kskbaddr\u{1b}[m\u{1b}[K");
    let whole = |line: String| format!("\u{1b}[32m{}\u{1b}[0m\n", line.trim_end());
    let texts = [
        lines(600, |_, line| key(line)),
        lines(600, |at, line| if at == 10 { key(line) } else { line }),
        lines(600, |at, line| if at == 550 { key(line) } else { line }),
        lines(600, |at, line| if at % 5 == 0 { whole(line) } else { line }),
        lines(600, |at, line| if at > 595 { whole(line) } else { line }),
    ];
    for text in texts {
        let imported = import(&text).expect("a trace");
        assert_eq!(imported.run.fingerprint(), plain);
        assert_eq!(imported.ledger.malformed, 0);
        let said: Vec<_> = imported.ledger.warnings.iter().map(say_of_file).collect();
        assert!(said.len() == 1 && said[0].contains("colours"), "{said:?}");
    }
}

/// A table of numbers, an array of JSON, a table of Markdown, and lines of a web page.
#[test]
fn what_ends_each_line_of_a_table_or_a_list_is_left_out() {
    let plain = fingerprint(&lines(30, |_, line| line));
    for (before, behind) in [
        ("\"", "\""),
        ("17,\"", "\""),
        ("  \"", "\","),
        ("| ", " |"),
        ("<span class=\"line\">", "</span>"),
        ("<tr><td>", "</td></tr>"),
        ("", "<br />"),
        ("^[[32m", "^[[0m"),
    ] {
        let text = lines(30, |_, line| {
            format!("{before}{}{behind}\n", line.trim_end())
        });
        let last = text.trim_end().strip_suffix(',').unwrap_or(&text);
        let imported = import(last).expect("a trace");
        assert_eq!(imported.run.fingerprint(), plain, "{}", picture(last));
        assert_eq!(imported.ledger.malformed, 0);
    }
}

#[test]
fn zeros_are_no_part_of_an_event() {
    let plain = fingerprint(&lines(30, |_, line| line));
    let ends = lines(30, |_, line| format!("\0{}\0\n", line.trim_end()));
    assert_eq!(fingerprint(&ends), plain);
    // A log that was emptied while a program wrote to it.
    for zeros in [64, 512, 100_000] {
        let hole = format!("{}{}", "\0".repeat(zeros), lines(30, |_, line| line));
        for size in [1, 1000, usize::MAX] {
            let imported = import_in(hole.as_bytes(), &[size]).expect("a trace");
            assert_eq!(imported.run.fingerprint(), plain);
        }
    }
    let within = lines(30, |at, line| match at {
        3 => line.replace("handled", "\0\0handled"),
        _ => line,
    });
    let imported = import(&within).expect("a trace");
    assert_eq!((imported.run.len(), imported.ledger.malformed), (29, 1));
    assert!(
        imported.ledger.malformed_kept[0]
            .why
            .starts_with("zeros stand in it")
    );
    let tail = lines(30, |_, line| line) + &"\0".repeat(4096);
    let imported = import(&tail).expect("a trace");
    assert_eq!((imported.run.len(), imported.ledger.malformed), (30, 1));
}

/// `cat` of files that programs of Windows wrote.
#[test]
fn a_mark_of_utf_8_within_a_file_costs_no_line() {
    let text = format!("\u{feff}{}\u{feff}{}", event(0), event(1));
    let imported = import(&text).expect("a trace");
    assert_eq!((imported.run.len(), imported.ledger.malformed), (2, 0));
}

/// A form of a web page that makes blanks of what ends lines: all was one comment, and understood.
#[test]
fn a_file_in_one_line_is_no_comment() {
    let text = format!("# tracer: nop\n{}", lines(100, |_, line| line)).replace('\n', " ");
    let imported = import(&text).expect("a trace without events");
    assert_eq!(imported.ledger.malformed, 1);
    let why = &imported.ledger.malformed_kept[0].why;
    assert!(why.starts_with("longer than any comment"), "{why}");
}

#[test]
fn a_graph_of_functions_with_its_times_is_not_needed() {
    let text = "\
# tracer: function_graph
#
  100.000001 |   0)               |  ip_rcv() {
  100.000002 |   0)   0.123 us    |    ip_rcv_core();
  100.000003 |   0)   1.234 us    |  }
";
    let imported = import(text).expect("a trace without events");
    assert_eq!(imported.ledger.malformed, 0);
    assert_eq!(imported.ledger.skipped["(function graph)"].count, 3);
}

//! Text that other programs have shown or kept: with colours, with other blanks, or with their own words before each line.

use expect_test::expect;

use super::{check, picture};

/// What a program makes of a line.
type Mark = fn(&str) -> String;

/// A recording as tracefs prints it, each line changed by a program.
fn changed(line: impl Fn(&str) -> String) -> String {
    let text = "\
# tracer: nop
#
# entries-in-buffer/entries-written: 3/10   #P:2
#
          <idle>-0       [001] ..s1.   100.000001: softirq_entry: vec=3 [action=NET_RX]
 memfd:sealed-91-14570   [001] .....   100.000002: netif_receive_skb: dev=eth0 skbaddr=0xffff888008476400 len=92
            bash-17      [001] d..2.   100.000003: sched_switch: prev_comm=bash prev_pid=17 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
";
    text.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn what_programs_put_before_each_line_is_left_out() {
    let marks: [(&str, Mark); 8] = [
        ("git diff", |line| format!("+{line}")),
        ("grep -H", |line| format!("trace.txt:{line}")),
        ("grep -n", |line| format!("{}:{line}", line.len())),
        ("cat -n", |line| format!("{:6}\t{line}", line.len())),
        ("docker compose", |line| format!("tracer-1  | {line}")),
        ("journald", |line| {
            format!("Nov 23 19:36:01 host bash[123]: {line}")
        }),
        ("kubectl", |line| {
            format!("2024-01-02T03:04:05.123456789Z stdout F {line}")
        }),
        ("dmesg -T", |line| {
            format!("[Thu Nov 23 19:36:01 2023] {line}")
        }),
    ];
    for (program, mark) in marks {
        let plain = picture(&changed(str::to_owned));
        let dressed = picture(&changed(mark));
        let said = "warning: Before the columns of each line stands what another program put there, as a log or a list does: it is left out.\n";
        assert!(dressed.contains(said), "{program}: {dressed}");
        assert_eq!(dressed.replace(said, ""), plain, "{program}");
    }
}

#[test]
fn the_latency_format_behind_the_words_of_others() {
    check(
        "\
+  <idle>-0       0d.h1. 1108457677us : softirq_raise: vec=3 [action=NET_RX]
+rcu_pree-15      0d.s1. 1108457679us+: softirq_entry: vec=3 [action=NET_RX]
+CPU:1 [LOST 5 EVENTS]
+    bash-17      1..... 1108457680us : softirq_exit: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace-latency
            # comm 15 rcu_pree
            # comm 17 bash
            1 ev softirq_raise ts 1108.457677000 cpu 0 ctx hardirq pid 0 vec 3
            2 ev softirq_entry ts 1108.457679000 cpu 0 ctx softirq pid 15 vec 3
            3 ev lost_events ts 1108.457680000 cpu 1 count 5
            4 ev softirq_exit ts 1108.457680000 cpu 1 ctx kernel pid 17 vec 3
            warning: Before the columns of each line stands what another program put there, as a log or a list does: it is left out.
        "#]],
    );
}

#[test]
fn colours_of_a_terminal() {
    let plain = picture(&changed(str::to_owned));
    let said = "warning: The lines have a terminal's colours in them (escape sequences): these are left out.\n";
    let by_grep = changed(|line| {
        line.replace("skb", "\u{1b}[01;31m\u{1b}[Kskb\u{1b}[m\u{1b}[K")
            .replace(": ", "\u{1b}[36m\u{1b}[K:\u{1b}[m\u{1b}[K ")
    });
    let whole = changed(|line| format!("\u{1b}[32m{line}\u{1b}(B\u{1b}[m"));
    for coloured in [by_grep, whole] {
        let picture = picture(&coloured);
        assert!(picture.contains(said), "{picture}");
        assert_eq!(picture.replace(said, ""), plain);
    }
}

#[test]
fn tabs_and_blanks_that_do_not_break() {
    let plain = picture(&changed(str::to_owned));
    let said = "warning: Where a trace has blanks, this file has tabs or blanks that do not break, as editors and web pages put them there: they are read as blanks.\n";
    let web = changed(|line| line.replace(' ', "\u{a0}"));
    let half = changed(|line| line.replace("  ", " \u{a0}"));
    let tabs = changed(|line| line.replace("    ", "\t"));
    for other in [web, half, tabs] {
        let picture = picture(&other);
        assert!(picture.contains(said), "{picture}");
        assert_eq!(picture.replace(said, ""), plain);
    }
}

/// A single task is named with an escape sequence and a tab in it.
#[test]
fn names_that_look_like_colours_stay() {
    check(
        "\
      \u{1b}[31mred\t-17      [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.   100.000002: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.   100.000003: softirq_exit: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 17 �[31mred�
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 17 vec 3
            2 ev softirq_entry ts 100.000002000 cpu 1 ctx softirq pid 0 vec 3
            3 ev softirq_exit ts 100.000003000 cpu 1 ctx softirq pid 0 vec 3
        "#]],
    );
}

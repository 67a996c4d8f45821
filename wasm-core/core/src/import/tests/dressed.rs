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

#[test]
fn html_that_was_not_shown_but_copied() {
    let plain = picture(&changed(str::to_owned));
    let said = "warning: The text is written as in HTML (&lt; for <), as when a page’s source is copied: it is read as what it stands for.\n";
    let named = changed(|line| line.replace('<', "&lt;").replace('>', "&gt;"));
    let numbered = changed(|line| line.replace('<', "&#60;").replace('>', "&#62;"));
    let hexadecimal = named.replace("&lt;", "&#x3c;").replace("&gt;", "&#x3E;");
    // As where a page's source is shown in a page.
    let twice = named.replace('&', "&amp;");
    for html in [named, numbered, hexadecimal, twice] {
        let picture = picture(&html);
        assert!(picture.contains(said), "{picture}");
        assert_eq!(picture.replace(said, ""), plain);
    }
}

/// Without it a name at the end of a line would end with the log's words, and be another one in each log.
#[test]
fn what_a_log_puts_behind_each_line_is_left_out() {
    let texts = |line: &str| {
        let interrupt = "irq_handler_entry: irq=24 name=virtio1-input.0";
        line.replace("softirq_entry: vec=3 [action=NET_RX]", interrupt)
    };
    let plain = picture(&changed(texts));
    let dropped = changed(|line| texts(line) + " host=web1 level=info");
    let picture = picture(&dropped);
    let said = "warning: Behind each line stands what another program put there, as a log does: “host=web1 level=info”. It is left out.\n";
    assert!(picture.contains(said), "{picture}");
    assert_eq!(picture.replace(said, ""), plain);
}

/// Docker's escapes are Go's; of the journal's objects the message is one value of many, and an array where it is not UTF-8.
#[test]
fn a_log_that_is_kept_as_json() {
    let plain = picture(&changed(str::to_owned));
    let quoted = |line: &str| line.replace('<', "\\u003c").replace('>', "\\u003e");
    let container = changed(|line| {
        let line = quoted(line);
        format!(r#"{{"log":"{line}\n","stream":"stdout","time":"2024-01-02T03:04:05.1Z"}}"#)
    });
    let journal = changed(|line| {
        let bytes = format!("{:?}", line.as_bytes());
        let message = if line.contains("bash") {
            bytes
        } else {
            format!("{line:?}")
        };
        format!(r#"{{"__CURSOR":"s=1","PRIORITY":"6","MESSAGE":{message},"_PID":"1"}}"#)
    });
    let said = "warning: The lines are a log’s, each an object of JSON: what was logged is taken out of them.\n";
    for logged in [container, journal] {
        let picture = picture(&logged);
        assert!(picture.contains(said), "{picture}");
        assert_eq!(picture.replace(said, ""), plain);
    }
}

/// Lines of a trace end alike too.
#[test]
fn what_an_event_ends_with_is_no_suffix_of_a_log() {
    for ends in [
        "len=92",
        "gso_type=0x0",
        "next_prio=120",
        "[action=NET_RX]",
        r#"func="lo""#,
        r#"func="l\"o""#,
    ] {
        let lines = [
            "netif_rx_entry",
            "napi_gro_receive_entry",
            "net_dev_start_xmit",
        ]
        .map(|name| {
            format!("          <idle>-0       [001] ..s1.   100.000001: {name}: dev=eth0 {ends}\n")
        });
        let picture = picture(&lines.concat());
        assert!(!picture.contains("warning"), "{picture}");
    }
}

#[test]
fn a_remark_that_points_at_an_event_is_left_out() {
    check(
        "\
          <idle>-0       [001] d.h1.   100.000001: irq_handler_entry: irq=24 name=virtio1-input.0 <-- look here
          <idle>-0       [001] ..s1.   100.000002: kfree_skb: skbaddr=ffff888008476400 protocol=2048 location=udp_rcv+0x1/0x2 reason: NO_SOCKET   <=== why?
          <idle>-0       [001] ..s1.   100.000003: udp_rcv_ret: (ip_protocol_deliver_rcu+0x1/0x2 <- udp_rcv) ret=0
",
        &expect![[r#"
            ftrace
            1 ev irq_handler_entry ts 100.000001000 cpu 1 ctx hardirq pid 0 irq 24 name virtio1-input.0
            2 ev kfree_skb ts 100.000002000 cpu 1 ctx softirq pid 0 skb ffff888008476400 protocol 0x800 location udp_rcv+0x1/0x2 reason NO_SOCKET
            not needed: udp_rcv_ret 1
            warning: Behind the event in line 1 stands a remark with an arrow: it and any like it are left out.
        "#]],
    );
}

/// A chat's code marks, a shell's and a list's quotation marks, a line that goes on: no part of the reason.
#[test]
fn what_stands_right_behind_a_drop_reason_is_left_out_and_told() {
    let line = |number: usize, end: &str| {
        format!(
            "          <idle>-0       [001] ..s1.   100.{number:06}: kfree_skb: skbaddr=ffff888008476400 protocol=2048 location=x+0x1/0x2 reason: {end}\n"
        )
    };
    let tails = [
        "`",
        "',",
        "\\",
        ";",
        "\"",
        "\\n",
        ")",
        "```",
        "&quot;",
        ". so why?",
    ];
    let plain = line(1, "NETFILTER_DROP") + &line(2, "NOT_KNOWN_YET");
    for tail in tails {
        let ends =
            line(1, &format!("NETFILTER_DROP{tail}")) + &line(2, &format!("NOT_KNOWN_YET{tail}"));
        let told =
            "warning: Behind the reason of a drop in line 1 stands text that is no part of it";
        let (events, warning) = {
            let picture = picture(&ends);
            let at = picture
                .find("warning: ")
                .unwrap_or_else(|| panic!("{picture}"));
            (picture[..at].to_owned(), picture[at..].to_owned())
        };
        assert_eq!(events, picture(&plain), "{tail}");
        assert!(warning.starts_with(told), "{warning}");
        assert_eq!(warning.lines().count(), 1, "{warning}");
    }
}

/// As where several files, or what several people pasted, were put together: the first lines are plain.
#[test]
fn what_stands_before_the_columns_from_somewhere_on_is_left_out() {
    let line = |number: usize| {
        format!(
            "          <idle>-0       [001] ..s1.   100.{number:06}: softirq_entry: vec=3 [action=NET_RX]\n"
        )
    };
    let plain: String = (0..600).map(line).collect();
    let marks: [(&str, Mark); 4] = [
        ("the columns of each line", |line| {
            format!("trace.txt:17:{line}")
        }),
        ("colours", |line| {
            format!("\u{1b}[32m{line}\u{1b}(B\u{1b}[m")
        }),
        ("do not break", |line| line.replace(' ', "\u{a0}")),
        ("do not break", |line| {
            format!("trace.txt:17:{line}").replace(' ', "\u{a0}")
        }),
    ];
    for (said, mark) in marks {
        let text = (0..600).map(|number| match number {
            0..300 => line(number),
            _ => mark(line(number).trim_end()) + "\n",
        });
        let both = picture(&text.collect::<String>());
        assert!(both.contains(said), "{both}");
        let events = |picture: &str| -> Vec<String> {
            let is_event = |line: &&str| line.contains(" ev ");
            picture
                .lines()
                .filter(is_event)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(events(&both), events(&picture(&plain)));
        assert!(!both.contains("\nline "), "{both}");
    }
}

/// A few lines that are none, or many of another text, are no such stretch.
#[test]
fn other_text_within_a_trace_is_told_line_by_line() {
    let event =
        "          <idle>-0       [001] ..s1.   100.000001: softirq_entry: vec=3 [action=NET_RX]\n";
    let later = event.replace("000001", "000002");
    let text = [event, &"no line\n".repeat(20), &later, "none\n"];
    let picture = picture(&text.concat());
    assert_eq!(
        picture.matches("no line of a trace").count(),
        21,
        "{picture}"
    );
    assert!(!picture.contains("warning"), "{picture}");
}

/// A word with a colon before perf's columns is nobody's buffer, as trace-cmd would print it.
#[test]
fn a_chat_before_the_columns_of_perf() {
    let event = |at: usize| {
        format!(
            "            perf 10121 [000]   681.82353{at}: irq:softirq_entry: vec=3 [action=NET_RX]\n"
        )
    };
    let plain: String = (0..4).map(event).collect();
    let chat: String = plain
        .lines()
        .flat_map(|line| ["chat: ", line, "\n"])
        .collect();
    let said = "warning: Before the columns of each line stands what another program put there, as a log or a list does: it is left out.\n";
    let chat = picture(&chat);
    assert_eq!(chat.replace(said, ""), picture(&plain));
    assert!(chat.contains(said), "{chat}");
}

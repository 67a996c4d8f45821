//! What `trace-cmd report` and `perf script` print with options that one reaches for: as these programs printed it.

use expect_test::expect;

use super::{check, picture};

/// `trace-cmd record -B rx`: each line begins with the buffer's name, and those of the main buffer with blanks for it.
#[test]
fn trace_cmd_of_a_buffer_that_has_a_name() {
    check(
        "\
cpus=2
rx:             bash-18614 [000] 86585.129504: softirq_raise:        vec=9 [action=RCU]
              <idle>-0     [001] 86585.129505: softirq_raise:        vec=9 [action=RCU]
rx:  memfd:sealed-91-14570 [001] 86585.129506: softirq_entry:        vec=9 [action=RCU]
rx: CPU:1 [12 EVENTS DROPPED]
          my: thread-7     [001] 86585.129507: softirq_exit:         vec=9 [action=RCU]
",
        &expect![[r#"
            trace-cmd
            # comm 7 my:%20thread
            # comm 14570 memfd:sealed-91
            # comm 18614 bash
            1 ev softirq_raise ts 86585.129504000 cpu 0 pid 18614 vec 9
            2 ev softirq_raise ts 86585.129505000 cpu 1 pid 0 vec 9
            3 ev softirq_entry ts 86585.129506000 cpu 1 pid 14570 vec 9
            4 ev lost_events ts 86585.129507000 cpu 1 count 12
            5 ev softirq_exit ts 86585.129507000 cpu 1 pid 7 vec 9
        "#]],
    );
}

/// In the latency format the task's column is narrow, and a buffer's name was read as a part of its name.
#[test]
fn trace_cmd_of_a_buffer_in_the_latency_format() {
    check(
        "\
cpus=2
rx:     bash-18614   0.Ns.. 86585.129551: softirq_exit:         vec=9 [action=RCU]
rx: rcu_pree-15      1..... 86585.129552063: softirq_raise:        vec=9 [action=RCU]
",
        &expect![[r#"
            trace-cmd-latency
            # comm 15 rcu_pree
            # comm 18614 bash
            1 ev softirq_exit ts 86585.129551000 cpu 0 ctx softirq pid 18614 vec 9
            2 ev softirq_raise ts 86585.129552063 cpu 1 ctx kernel pid 15 vec 9
        "#]],
    );
}

#[test]
fn trace_cmd_with_the_time_since_the_line_before() {
    check(
        "\
            bash-18614 [000] 86585.129504:          softirq_raise:        vec=9 [action=RCU]
            bash-18614 [000] 86585.129526: (+22)    softirq_entry:        vec=9 [action=RCU]
    ringside-now-14488 [001] 86585.129565: (+14)    sched_switch:         ringside-now:14488 [120] R ==> rcu_preempt:15 [120]
",
        &expect![[r#"
            trace-cmd
            # comm 15 rcu_preempt
            # comm 14488 ringside-now
            # comm 18614 bash
            1 ev softirq_raise ts 86585.129504000 cpu 0 pid 18614 vec 9
            2 ev softirq_entry ts 86585.129526000 cpu 0 pid 18614 vec 9
            3 ev sched_switch ts 86585.129565000 cpu 1 pid 14488 prev_pid 14488 prev_prio 120 prev_state R next_pid 15 next_prio 120
        "#]],
    );
}

/// States are numbers there, and drop reasons too: not all that is needed can be read.
#[test]
fn trace_cmd_without_the_words_of_events_says_what_to_do() {
    check(
        "\
     rcu_preempt-15    [001] 86585.129572: sched_switch:          prev_comm=rcu_preempt prev_pid=15 prev_prio=120 prev_state=128 next_comm=ringside-now next_pid=14488 next_prio=120
         python3-18618 [000] 86585.421290: sock_send_length:      sk=0xffff888102d0af40 family=2 protocol=17 ret=100 flags=0
",
        &expect![[r#"
            trace-cmd
            line 1: printed by trace-cmd without its own words (-R, -r): run `trace-cmd report` without that option
            line 2: printed by trace-cmd without its own words (-R, -r): run `trace-cmd report` without that option
            warning: The file has no event that Ringside knows.
        "#]],
    );
}

/// What perf printed stands behind what tracefs printed.
#[test]
fn lines_of_perf_in_a_file_of_another_format_are_told() {
    check(
        "\
# tracer: nop
          <idle>-0       [000] ..s1.  10.000001: netif_receive_skb: dev=eth0 skbaddr=00000000a1 len=92
          <idle>-0       [000] ..s1.  10.000002: netif_receive_skb: dev=eth0 skbaddr=00000000a2 len=92
         python3 18035 [000]    10.000003:            net:netif_receive_skb: dev=ra skbaddr=0xffff88810496da00 len=149
            perf 32567 [000]  1819.125213:               sched:sched_stat_runtime: comm=perf pid=32567 runtime=559904 [ns]
",
        &expect![[r#"
            ftrace
            1 ev netif_receive_skb ts 10.000001000 cpu 0 ctx softirq pid 0 skb a1 len 92 dev eth0
            2 ev netif_receive_skb ts 10.000002000 cpu 0 ctx softirq pid 0 skb a2 len 92 dev eth0
            line 4: a line of perf script in a file of another format: cut the file there and open each part by itself
            line 5: a line of perf script in a file of another format: cut the file there and open each part by itself
        "#]],
    );
}

/// A task may be named like that sign.
#[test]
fn an_arrow_that_an_editor_made_one_sign_is_told() {
    check(
        "\
     rcu_preempt-15    [001] 86585.129572: sched_switch: prev_comm=rcu_preempt prev_pid=15 prev_prio=120 prev_state=I ⇒ next_comm=cat next_pid=14488 next_prio=120
               ⇒-14489 [001] 86585.129573: sched_switch: prev_comm=⇒ prev_pid=14489 prev_prio=120 prev_state=S ==> next_comm=⇒ next_pid=14490 next_prio=120
",
        &expect![[r#"
            ftrace
            # comm 14489 ⇒
            # comm 14490 ⇒
            1 ev sched_switch ts 86585.129573000 cpu 1 pid 14489 prev_pid 14489 prev_prio 120 prev_state S next_pid 14490 next_prio 120
            line 1: an editor made one sign (⇒) of the arrow ==>: take the file as it was recorded
        "#]],
    );
}

/// The numbers of reasons differ between kernels.
#[test]
fn a_drop_reason_that_is_a_number_stays_one_and_is_told() {
    check(
        "\
          <idle>-0     [001] 86585.129572: kfree_skb:             skbaddr=0xffff888102d0af40 location=0xffffffff81a0 protocol=2048 reason=6
          <idle>-0     [001] 86585.129573: kfree_skb:             skbaddr=0xffff888102d0af40 location=0xffffffff81a0 protocol=2048 reason=0x6
          <idle>-0     [001] 86585.129574: kfree_skb:            skbaddr=0xffff888102d0af40 protocol=2048 location=0xffffffff81a0 reason: NO_SOCKET
",
        &expect![[r#"
            trace-cmd
            1 ev kfree_skb ts 86585.129572000 cpu 1 pid 0 skb ffff888102d0af40 location 0xffffffff81a0 protocol 0x800 reason UNRECOGNISED name 6
            2 ev kfree_skb ts 86585.129573000 cpu 1 pid 0 skb ffff888102d0af40 location 0xffffffff81a0 protocol 0x800 reason UNRECOGNISED name 0x6
            3 ev kfree_skb ts 86585.129574000 cpu 1 pid 0 skb ffff888102d0af40 protocol 0x800 location 0xffffffff81a0 reason NO_SOCKET
            warning: In line 1 and maybe in others the reason of a drop is a number, as trace-cmd report -R prints it. Which reason it is differs between kernels, so it stays a number: run trace-cmd report without -R.
        "#]],
    );
}

/// What options of ftrace leave out of a line is said, with the option.
#[test]
fn lines_without_columns_say_which_option_it_was() {
    for lines in [
        "16434 1 1795811169422004860 type: 375\n",
        "00003e14 00000000 18ec00be750e4ac2 type: 372\n",
        "            bash   16774   1 1 00000002 00000000 [141e89724d] 16.459ms (+3.462ms): sched_switch: prev_comm=bash\n",
        "sched_waking: comm=rcu_preempt pid=15 prio=120 target_cpu=001\n",
    ] {
        let pictures = picture(&format!("# tracer: nop\n{lines}"));
        let said = pictures
            .lines()
            .find_map(|line| line.strip_prefix("line 2: "));
        let expected = match lines {
            _ if lines.contains("type: ") => {
                "printed with ftrace's option raw, hex or bin: turn it off and print the trace again"
            }
            _ if lines.contains("ms): ") => {
                "printed with ftrace's options latency-format and verbose: turn verbose off and print the trace again"
            }
            _ => {
                "an event without its time: turn ftrace's option context-info on, or give perf script the fields \
                 comm,tid,cpu,time,event,trace, and print it again"
            }
        };
        assert_eq!(said, Some(expected), "{lines}");
    }
}

//! Names of tasks, files and interrupts that hold what parts an event from what is around it.

use expect_test::expect;

use super::{check, import, picture};

/// `prctl(PR_SET_NAME, "x <-- y")`: an arrow in a name is no remark of somebody's.
#[test]
fn a_task_whose_name_has_an_arrow() {
    check(
        "\
         x <-- y-1234    [000] d..2.  10.000102: sched_switch: prev_comm=x <-- y prev_pid=1234 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0       [000] d.s2.  10.000103: sched_wakeup: comm=x <-- y pid=1234 prio=120 target_cpu=000
          <idle>-0       [000] d..2.  10.000104: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=x <-- y next_pid=1234 next_prio=120
         a ==> b-1235    [000] d..2.  10.000105: sched_switch: prev_comm=a ==> b prev_pid=1235 prev_prio=120 prev_state=S ==> next_comm=c ==> d next_pid=7 next_prio=120
",
        &expect![[r#"
            ftrace
            # comm 7 c%20==>%20d
            # comm 1234 x%20<--%20y
            # comm 1235 a%20==>%20b
            1 ev sched_switch ts 10.000102000 cpu 0 ctx kernel pid 1234 prev_pid 1234 prev_prio 120 prev_state S next_pid 0 next_prio 120
            2 ev sched_wakeup ts 10.000103000 cpu 0 ctx softirq pid 0 target_pid 1234 prio 120 target_cpu 0
            3 ev sched_switch ts 10.000104000 cpu 0 ctx idle pid 0 prev_pid 0 prev_prio 120 prev_state R next_pid 1234 next_prio 120
            4 ev sched_switch ts 10.000105000 cpu 0 ctx kernel pid 1235 prev_pid 1235 prev_prio 120 prev_state S next_pid 7 next_prio 120
        "#]],
    );
}

/// In the words of `trace-cmd report`, and with a remark behind.
#[test]
fn a_task_whose_name_has_an_arrow_in_trace_cmds_words() {
    check(
        "\
         x <-- y-1234    [000] d..2.  10.000102: sched_switch:         x <-- y:1234 [120] S ==> swapper/0:0 [120] <-- look, [1]
          <idle>-0       [000] d.s2.  10.000103: sched_wakeup:         x <-- y:1234 [120] CPU:000
         a ==> b-1235    [000] d..2.  10.000105: sched_switch:         a ==> b:1235 [120] S ==> c ==> d:7 [120]
          <idle>-0       [000] d.s2.  10.000106: sched_wakeup:         comm=z pid=1234 prio=120 target_cpu=000 <== late
",
        &expect![[r#"
            trace-cmd
            # comm 7 c%20==>%20d
            # comm 1234 z
            # comm 1235 a%20==>%20b
            1 ev sched_switch ts 10.000102000 cpu 0 ctx kernel pid 1234 prev_pid 1234 prev_prio 120 prev_state S next_pid 0 next_prio 120
            2 ev sched_wakeup ts 10.000103000 cpu 0 ctx softirq pid 0 target_pid 1234 prio 120 target_cpu 0
            3 ev sched_switch ts 10.000105000 cpu 0 ctx kernel pid 1235 prev_pid 1235 prev_prio 120 prev_state S next_pid 7 next_prio 120
            4 ev sched_wakeup ts 10.000106000 cpu 0 ctx softirq pid 0 target_pid 1234 prio 120 target_cpu 0
            warning: Behind the event in line 1 stands a remark with an arrow: it and any like it are left out.
        "#]],
    );
}

/// A file's name may hold all that follows it.
#[test]
fn a_program_whose_path_looks_like_arguments() {
    check(
        "\
            bash-1234    [000] .....   10.000108: sched_process_exec: filename=/tmp/a pid=5 b/x pid=1234 old_pid=1235
            bash-1234    [000] .....   10.000109: sched_process_exec: filename=/tmp/a <-- b pid=1234 old_pid=1234
",
        &expect![[r#"
            ftrace
            # comm 1234 bash
            1 ev sched_process_exec ts 10.000108000 cpu 0 ctx kernel pid 1234 name /tmp/a%20pid=5%20b/x target_pid 1234
            2 ev sched_process_exec ts 10.000109000 cpu 0 ctx kernel pid 1234 name /tmp/a%20<--%20b target_pid 1234
        "#]],
    );
}

/// What a program writes is printed with its call, since 6.19, quotes as they are.
#[test]
fn what_a_program_writes_is_no_argument() {
    check(
        "\
         python3-100     [000] .....   10.000124: sys_write(fd: 4, buf: 0x7ffd1234 \"GET / HTTP, count: 0x9\", count: 0x12)
         python3-100     [000] .....   10.000125: sys_write(fd: 4, buf: 0x7ffd1234 (22:2c) \"\", fd: 7, count: 9, \"\", count: 0x13)
         python3-100     [000] .....   10.000126: sys_enter_write: fd: 4, buf: 0x7ffd1234 \"a, fd: 5\", count: 0x14
         python3-100     [000] .....   10.000127: sys_write(fd: 4, buf: 0x7ffd1234 \"a, count: 0x15
",
        &expect![[r#"
            ftrace
            # comm 100 python3
            1 ev sys_enter ts 10.000124000 cpu 0 ctx kernel pid 100 func write fd 4 size 18
            2 ev sys_enter ts 10.000125000 cpu 0 ctx kernel pid 100 func write fd 4 size 19
            3 ev sys_enter ts 10.000126000 cpu 0 ctx kernel pid 100 func write fd 4 size 20
            4 ev sys_enter ts 10.000127000 cpu 0 ctx kernel pid 100 func write fd 4
        "#]],
    );
}

/// `perf script -F +ip,sym`, `+symoff`, `+dso`, `+cgroup`: what stands behind an event is no part of it.
#[test]
fn what_perf_prints_behind_an_event_is_no_part_of_it() {
    let plain = "\
         swapper       0 [000]    10.000105:         skb:kfree_skb: skbaddr=0xffff888001000100 rx_sk=(nil) protocol=2048 location=tcp_v4_rcv+0x81 reason: NO_SOCKET
         swapper       0 [000]    10.000205:         skb:kfree_skb: skbaddr=0xffff888001000300 protocol=2048 location=a reason: NEW_ONE
         swapper       0 [000]    10.000305: irq:irq_handler_entry: irq=24 name=eth0-rx-0
         swapper       0 [000]    10.000306: irq:irq_handler_entry: irq=9 name=ACPI deadbeef thing
         swapper       0 [000]    10.000307: napi:napi_poll: napi poll on napi struct 0xffff88800694ec30 for device eth0
         swapper       0 [000]    10.000308: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
";
    let expected = picture(plain);
    for behind in [
        " ffffffff81a0b1c2",
        " ffffffff81a0b1c2 __handle_irq_event_percpu",
        " ffffffff81a0b1c2 __handle_irq_event_percpu+0x82",
        " ffffffff81a0b1c2 [unknown]",
        " ffffffff81a0b1c2 net_rx_action+0x0 ([kernel.kallsyms])",
        " ffffffff81a0b1c2 f+0x0 (/lib/a b.ko)",
        "           7f1234 __send+0x10 (/lib/libc.so)",
        " /user.slice",
        " /",
        " ffffffff81a0b1c2 f /system.slice/a.service",
    ] {
        let lines = plain.lines().map(|line| format!("{line}{behind}\n"));
        let text: String = lines.collect();
        assert_eq!(picture(&text), expected, "{behind}");
    }
    let junk = plain.replace("NO_SOCKET\n", "NO_SOCKET 17 more\n");
    assert_eq!(picture(&junk), expected);
    assert_eq!(import(plain).expect("a trace").run.len(), 6);
}

//! The leading columns in every variant, and the format that they tell.

use expect_test::expect;

use super::check;

#[test]
fn ftrace_with_a_header_and_five_flags() {
    check(
        "\
# tracer: nop
#
# entries-in-buffer/entries-written: 4/4   #P:4
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
          <idle>-0       [000] d.h1.    28.892368: softirq_raise: vec=3 [action=NET_RX]
     ksoftirqd/0-14      [000] ..s..    28.892500: softirq_entry: vec=3 [action=NET_RX]
    kworker/0:1H-77      [001] ..Z..    28.892501: softirq_exit: vec=3 [action=NET_RX]
           urecv-452     [003] .....    28.892600: napi_gro_receive_exit: ret=3
",
        &expect![[r#"
            ftrace
            # comm 14 ksoftirqd/0
            # comm 77 kworker/0:1H
            # comm 452 urecv
            1 ev softirq_raise ts 28.892368000 cpu 0 ctx hardirq pid 0 vec 3
            2 ev softirq_entry ts 28.892500000 cpu 0 ctx softirq pid 14 vec 3
            3 ev softirq_exit ts 28.892501000 cpu 1 ctx nmi pid 77 vec 3
            4 ev napi_gro_receive_exit ts 28.892600000 cpu 3 ctx kernel pid 452 ret 3
        "#]],
    );
}

#[test]
fn no_flags_four_flags_and_the_seven_of_preempt_rt() {
    check(
        "\
   tmux: server-23      [001]   100.000001: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] d.h1   100.000002: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] dN..s1.   100.000003: softirq_entry: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 23 tmux:%20server
            1 ev softirq_raise ts 100.000001000 cpu 1 pid 23 vec 3
            2 ev softirq_raise ts 100.000002000 cpu 1 ctx hardirq pid 0 vec 3
            3 ev softirq_entry ts 100.000003000 cpu 1 ctx softirq pid 0 vec 3
        "#]],
    );
}

#[test]
fn names_that_look_like_columns() {
    check(
        "\
   CPU 0/KVM-4242      [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
  vhost-5409-5422      [002] .....   100.000002: softirq_raise: vec=3 [action=NET_RX]
 [my task] 1: x-17     [003] .....   100.000003: softirq_raise: vec=3 [action=NET_RX]
           <...>-99    [000] .....   100.000004: softirq_raise: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 17 [my%20task]%201:%20x
            # comm 4242 CPU%200/KVM
            # comm 5422 vhost-5409
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 4242 vec 3
            2 ev softirq_raise ts 100.000002000 cpu 2 ctx kernel pid 5422 vec 3
            3 ev softirq_raise ts 100.000003000 cpu 3 ctx kernel pid 17 vec 3
            4 ev softirq_raise ts 100.000004000 cpu 0 ctx kernel pid 99 vec 3
        "#]],
    );
}

/// A name has 15 bytes at most; one that was cut within a character may show three bytes for the rest of it. What the
/// console puts before a line is known, and no other text is.
#[test]
fn no_name_is_longer_than_a_kernel_keeps() {
    check(
        "\
  kworker/u8:3-ev-31    [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
  läuft_langsam\u{fffd}-32    [001] .....   100.000002: softirq_raise: vec=3 [action=NET_RX]
lost in a crash          <idle>-0       [001] ..s1.   100.000003: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0     usend-17       [001] .....   100.000004: softirq_raise: vec=3 [action=NET_RX]
[  311.004217]          <idle>-0       [001] ..s1.   100.000005: softirq_exit: vec=3 [action=NET_RX]
Nov  2 08:00:01 host kernel: [  311.004217][   T17]     usend-17       [001] .....   100.000006: softirq_raise: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 17 usend
            # comm 31 kworker/u8:3-ev
            # comm 32 läuft_langsam�
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 31 vec 3
            2 ev softirq_raise ts 100.000002000 cpu 1 ctx kernel pid 32 vec 3
            3 ev softirq_exit ts 100.000005000 cpu 1 ctx softirq pid 0 vec 3
            4 ev softirq_raise ts 100.000006000 cpu 1 ctx kernel pid 17 vec 3
            line 3: what stands before its columns is longer than any task's name
            line 4: what stands before its columns is longer than any task's name
        "#]],
    );
    check(
        "\
        swapper     0 [003]   204.332219: irq:softirq_raise: vec=7 [action=SCHED]
not of it but before it   swapper     0 [003]   204.332220: irq:softirq_raise: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            1 ev softirq_raise ts 204.332219000 cpu 3 pid 0 vec 7
            line 2: what stands before its columns is longer than any task's name
        "#]],
    );
}

#[test]
fn tasks_that_are_named_like_records_of_kperf() {
    check(
        "\
# tracer: nop
#
           4 ev x-4242    [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
           4 ev x-4242    [001] .....   100.000002: softirq_raise: vec=3 [action=NET_RX]
           4 ev x-4242    [001] .....   100.000003: softirq_raise: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 4242 4%20ev%20x
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 4242 vec 3
            2 ev softirq_raise ts 100.000002000 cpu 1 ctx kernel pid 4242 vec 3
            3 ev softirq_raise ts 100.000003000 cpu 1 ctx kernel pid 4242 vec 3
        "#]],
    );
}

#[test]
fn remarks_under_the_header_of_tracefs_that_look_like_lines_of_others() {
    check(
        "\
# tracer: nop
#
# note:            tsend-1369  [002]   175.710578: ip_output:            (ffffffff81872380) len=1500
# note:            tsend 1369 [002] 175.710578: net:net_dev_xmit: len=66
# note: 3d.h1. 1108457677us : softirq_raise: vec=9 [action=RCU]
           usend-17      [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 17 usend
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 17 vec 3
        "#]],
    );
}

#[test]
fn the_thread_group_column() {
    check(
        "\
            bash-2794    (   2417) [001] .....   100.000001: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       (-------) [001] ..s1.   100.000002: softirq_entry: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            # comm 2794 bash
            1 ev softirq_raise ts 100.000001000 cpu 1 ctx kernel pid 2794 vec 3
            2 ev softirq_entry ts 100.000002000 cpu 1 ctx softirq pid 0 vec 3
        "#]],
    );
}

#[test]
fn the_latency_format() {
    check(
        "\
# tracer: nop
#
# nop latency trace v1.1.5 on 6.1.0-50-amd64
# --------------------------------------------------------------------
  <idle>-0         3d.h1. 1108457677us : softirq_raise: vec=9 [action=RCU]
  <idle>-0         3..s1. 1108457690us+: softirq_entry: vec=9 [action=RCU]
    bash-2794      0..... 1108457899us!: softirq_exit: vec=9 [action=RCU]
",
        &expect![[r#"
            ftrace-latency
            # kernel: 6.1.0-50-amd64
            # comm 2794 bash
            1 ev softirq_raise ts 1108.457677000 cpu 3 ctx hardirq pid 0 vec 9
            2 ev softirq_entry ts 1108.457690000 cpu 3 ctx softirq pid 0 vec 9
            3 ev softirq_exit ts 1108.457899000 cpu 0 ctx kernel pid 2794 vec 9
        "#]],
    );
}

#[test]
fn trace_cmd_with_padded_names_and_nanoseconds() {
    check(
        "\
cpus=4
            bash-327   [001]    10.641224977: sched_switch:         bash:327 [120] X ==> swapper/1:0 [120]
          <idle>-0     [000]    10.755069153: net_rx_action:        (ffffffff817d9d00)
          <idle>-0     [000]    10.755070216: e1000_clean:          (ffffffffc04207d0) napi=0xffff88800628ec30 budget=64
          <idle>-0     [000]    10.755074055: netif_receive_skb:    dev=eth0 skbaddr=0xffff88800513c900x len=92
",
        &expect![[r#"
            trace-cmd
            # comm 327 bash
            1 ev sched_switch ts 10.641224977 cpu 1 pid 327 prev_pid 327 prev_prio 120 prev_state X next_pid 0 next_prio 120
            2 ev net_rx_action ts 10.755069153 cpu 0 pid 0
            3 ev driver_poll ts 10.755070216 cpu 0 pid 0 func e1000_clean napi ffff88800628ec30 budget 64
            4 ev netif_receive_skb ts 10.755074055 cpu 0 pid 0 skb ffff88800513c900 len 92 dev eth0
        "#]],
    );
}

#[test]
fn trace_cmd_in_latency_format() {
    check(
        "\
cpus=4
  <idle>-0       3d.h1.    40.872137: softirq_raise:        vec=9 [action=RCU]
    bash-454     2d.s4.    40.872423: sched_waking:         comm=rcu_preempt pid=15 prio=120 target_cpu=001
",
        &expect![[r#"
            trace-cmd-latency
            # comm 15 rcu_preempt
            # comm 454 bash
            1 ev softirq_raise ts 40.872137000 cpu 3 ctx hardirq pid 0 vec 9
            2 ev sched_waking ts 40.872423000 cpu 2 ctx softirq pid 454 target_pid 15 prio 120 target_cpu 1
        "#]],
    );
}

#[test]
fn trace_cmd_of_several_files() {
    check(
        "\
  rx.dat: cpus=4
  tx.dat: cpus=2
  rx.dat:           <idle>-0     [003]    40.872137: softirq_raise:        vec=9 [action=RCU]
  tx.dat:            usend-7     [001]    40.872138: softirq_raise:        vec=9 [action=RCU]
",
        &expect![[r#"
            trace-cmd
            # comm 7 usend
            1 ev softirq_raise ts 40.872137000 cpu 3 pid 0 vec 9
            2 ev softirq_raise ts 40.872138000 cpu 1 pid 7 vec 9
        "#]],
    );
}

#[test]
fn perf_script() {
    check(
        "\
            perf  1630 [000]   203.846186:               sched:sched_waking: comm=migration/0 pid=16 prio=0 target_cpu=000
         swapper     0 [003]   204.332219:                irq:softirq_raise: vec=7 [action=SCHED]
         swapper     0/0     [003]   204.332219123:      net:netif_receive_skb: dev=eth0 skbaddr=0xffff888008476400 len=92
    tmux: server 77/78 [001]   204.332231:          1                    skb:kfree_skb: skbaddr=0xffff888008476400 rx_sk=(nil) protocol=2048 location=ip_rcv_core+0x1a reason: NOT_SPECIFIED

\tffffffff817d9d00 kfree_skb_reason+0x0 ([kernel.kallsyms])
",
        &expect![[r#"
            perf-script
            # comm 16 migration/0
            # comm 78 tmux:%20server
            # comm 1630 perf
            1 ev sched_waking ts 203.846186000 cpu 0 pid 1630 target_pid 16 prio 0 target_cpu 0
            2 ev softirq_raise ts 204.332219000 cpu 3 pid 0 vec 7
            3 ev netif_receive_skb ts 204.332219123 cpu 3 pid 0 skb ffff888008476400 len 92 dev eth0
            4 ev kfree_skb ts 204.332231000 cpu 1 pid 78 skb ffff888008476400 protocol 0x800 location ip_rcv_core+0x1a reason NOT_SPECIFIED
            not needed: (blank line) 1
            not needed: (stack trace) 1
        "#]],
    );
}

#[test]
fn perf_script_with_fewer_columns() {
    check(
        "\
204.332219: net:netif_receive_skb: dev=eth0 skbaddr=0xffff888008476400 len=92
   swapper     0   204.332231: irq:softirq_raise: vec=7 [action=SCHED]
       :-1    -1   204.332240: irq:softirq_raise: vec=7 [action=SCHED]
       :-1    -1 [001]   204.332250: irq:softirq_raise: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            1 ev netif_receive_skb ts 204.332219000 skb ffff888008476400 len 92 dev eth0
            2 ev softirq_raise ts 204.332231000 pid 0 vec 7
            3 ev softirq_raise ts 204.332240000 vec 7
            4 ev softirq_raise ts 204.332250000 cpu 1 vec 7
        "#]],
    );
}

#[test]
fn a_counter_for_a_clock() {
    check(
        "\
          <idle>-0       [001] d.h1.        123456: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.        123460: softirq_entry: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            1 ev softirq_raise ts 0.000123456 cpu 1 ctx hardirq pid 0 vec 3
            2 ev softirq_entry ts 0.000123460 cpu 1 ctx softirq pid 0 vec 3
            warning: The clock is a counter (trace_clock counter, uptime or x86-tsc): its ticks are taken for nanoseconds, so the order is right and durations are not. Record with trace_clock mono.
        "#]],
    );
}

/// It ticks a hundred times a second, so most lines have the time of the one before.
#[test]
fn the_clock_uptime_counts_hundredths_of_a_second() {
    check(
        "\
          <idle>-0       [001] d.h1.        123456: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.        123456: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.        123456: softirq_exit: vec=3 [action=NET_RX]
          <idle>-0       [001] d.h1.        123458: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.        123458: softirq_entry: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            1 ev softirq_raise ts 1234.560000000 cpu 1 ctx hardirq pid 0 vec 3
            2 ev softirq_entry ts 1234.560000000 cpu 1 ctx softirq pid 0 vec 3
            3 ev softirq_exit ts 1234.560000000 cpu 1 ctx softirq pid 0 vec 3
            4 ev softirq_raise ts 1234.580000000 cpu 1 ctx hardirq pid 0 vec 3
            5 ev softirq_entry ts 1234.580000000 cpu 1 ctx softirq pid 0 vec 3
            warning: The clock counts hundredths of a second (trace_clock uptime): within one the order is that of the lines, and shorter times are not known. Record with trace_clock mono.
        "#]],
    );
}

#[test]
fn a_comma_for_the_point_and_a_cpu_that_there_is_not() {
    check(
        "\
          <idle>-0       [001] d.h1.    28,892368: softirq_raise: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.    28,892368123: softirq_entry: vec=3 [action=NET_RX]
          <idle>-0       [70000] ..s1.  28,892369: softirq_exit: vec=3 [action=NET_RX]
          <idle>-0       [001] ..s1.    1,234: softirq_exit: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            1 ev softirq_raise ts 28.892368000 cpu 1 ctx hardirq pid 0 vec 3
            2 ev softirq_entry ts 28.892368123 cpu 1 ctx softirq pid 0 vec 3
            line 3: a number of a CPU that no kernel has
            line 4: no line of a trace
        "#]],
    );
}

#[test]
fn the_bpftrace_script_of_the_captures() {
    check(
        "\
Attaching 15 probes...
# kperf-like trace, clock boottime
N 1 P 0 S 1 T 609552565725 609.552565 x0 cpu 0 ctx S skb ffff8880130e8900 len 92
N 6 P 0 S 1 T 609552565800 609.552565 x1 cpu 0 ctx S skb ffff8880130e8900 len 64
N 99 P 0 S 1 T 609552565900 609.552565 x1 cpu 0 ctx P skb ffff8880130e8900 len 64
Lost 12 events
",
        &expect![[r#"
            bpftrace-kperf
            1 ev napi_gro_receive ts 609.552565725 cpu 0 ctx softirq skb ffff8880130e8900 len 92 thread 1 packet 0
            2 ev tcp_queue_rcv ts 609.552565800 cpu 0 ctx softirq skb ffff8880130e8900 len 64 thread 1 packet 0
            3 ev lost_events ts 609.552565800 count 12
            unknown: id 99 1
        "#]],
    );
}

//! What the tools print beside events: losses, headers, stacks, other tracers.

use expect_test::expect;

use super::{check, import};
use crate::kernel::CpuId;

const LOSSES: &str = "\
# entries-in-buffer/entries-written: 17635/20000   #P:4
          <idle>-0       [002] ..s1.     1.000001: softirq_entry: vec=3 [action=NET_RX]
##### CPU 1 buffer started ####
          <idle>-0       [001] ..s1.     1.000002: softirq_entry: vec=3 [action=NET_RX]
CPU:2 [LOST 11745 EVENTS]
CPU:3 [LOST EVENTS]
          <idle>-0       [002] ..s1.     1.000003: softirq_exit: vec=3 [action=NET_RX]
CPU:2 [5 EVENTS DROPPED]
";

#[test]
fn the_kernel_says_that_it_lost_events() {
    check(
        LOSSES,
        &expect![[r#"
            ftrace
            # overwritten: 2365
            1 ev softirq_entry ts 1.000001000 cpu 2 ctx softirq pid 0 vec 3
            2 ev lost_events ts 1.000002000 cpu 1
            3 ev softirq_entry ts 1.000002000 cpu 1 ctx softirq pid 0 vec 3
            4 ev lost_events ts 1.000003000 cpu 2 count 11745
            5 ev lost_events ts 1.000003000 cpu 3
            6 ev softirq_exit ts 1.000003000 cpu 2 ctx softirq pid 0 vec 3
            7 ev lost_events ts 1.000003000 cpu 2 count 5
            warning: The ring buffer overwrote 2,365 events.
        "#]],
    );
    let ledger = import(LOSSES).expect("a trace").ledger;
    assert_eq!(ledger.lost_markers, 4);
    assert_eq!(ledger.lost_events[&CpuId(2)], 11750);
    assert_eq!(ledger.lost(), 11750);
}

#[test]
fn what_the_buffer_overwrote_is_lost_though_no_mark_counts_it() {
    let overwritten = LOSSES
        .replace("11745 ", "")
        .replace("17635/20000", "3014/35424");
    let ledger = import(&overwritten).expect("a trace").ledger;
    assert_eq!(ledger.lost_markers, 4);
    assert_eq!(ledger.lost(), 32_410);
}

/// No mark among the events counts them, so what is written of the run has to.
#[test]
fn what_the_buffer_overwrote_stays_so_in_what_is_written() {
    let text = "\
# entries-in-buffer/entries-written: 1/3578   #P:4
          <idle>-0       [002] ..s1.     1.000001: softirq_entry: vec=3 [action=NET_RX]
";
    let first = import(text).expect("a trace");
    assert_eq!(first.ledger.overwritten, 3577);
    for write in [crate::export::kperf2, crate::export::ftrace] {
        let mut written = Vec::new();
        write(&first.run, &mut written).expect("a vector takes any bytes");
        let written = String::from_utf8(written).expect("it is text");
        let again = import(&written).expect("a trace");
        assert_eq!(again.ledger.overwritten, 3577, "{written}");
        assert_eq!(again.ledger.warnings, first.ledger.warnings);
        assert_eq!(again.run.metadata, first.run.metadata);
    }
}

#[test]
fn a_number_of_more_digits_than_a_count_has_counts_nothing() {
    let text = LOSSES.replace("17635/20000", "4/99999999999999999999999");
    assert_eq!(import(&text).expect("a trace").ledger.overwritten, 0);
}

#[test]
fn stacks_functions_and_events_that_are_not_needed() {
    check(
        "\
            a-1  [000] .....     1.000001: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=60
            a-1  [000] .....     1.000002: <stack trace>
 => __dev_queue_xmit
 => ip_finish_output2
            a-1  [000] .....     1.000003: ip_rcv <-__netif_receive_skb_one_core
            a-1  [000] .....     1.000004: page_pool_state_hold: page_pool=ffff888005 netmem=ffff8880 is_net_iov=0, pfn=0x1 hold=1
            a-1  [000] .....     1.000005: fib_table_lookup: table 255 oif 0 iif 1 proto 0 192.0.2.1/0 -> 192.0.2.2/0 tos 0 scope 0 flags 0 ==> dev - gw 0.0.0.0/:: err -11
            a-1  [000] .....     1.000006: my_own_event: a=1

 0)   1.234 us    |  ip_rcv();
",
        &expect![[r#"
            ftrace
            # comm 1 a
            1 ev net_dev_queue ts 1.000001000 cpu 0 ctx kernel pid 1 skb ffff88800916ee00 len 60 dev lo
            not needed: (blank line) 1
            not needed: (function graph) 1
            not needed: (function) 1
            not needed: (stack trace) 3
            not needed: fib_table_lookup 1
            not needed: page_pool_state_hold 1
            unknown: my_own_event 1
        "#]],
    );
}

/// `prctl(PR_SET_NAME, "\n# lost: 9")`: the kernel prints a task's name as it is.
#[test]
fn a_task_named_like_a_comment_hides_no_event() {
    let text = "\
# tracer: nop
# lost: 0
          <idle>-0       [000] d..2.     1.000001: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=
# lost: 9 next_pid=7 next_prio=120

# lost: 9-7    [000] .....     1.000002: net_dev_queue: dev=lo skbaddr=ffff88800916ee00 len=60
# a remark
";
    let import = import(text).expect("a trace");
    let probes: Vec<_> = import.run.probe.iter().map(|probe| probe.name()).collect();
    assert_eq!(probes, ["net_dev_queue"]);
    let kept = import.ledger.malformed_kept.iter();
    let lines: Vec<u64> = kept.map(|malformed| malformed.line.number).collect();
    assert_eq!(lines, [3, 4]);
}

/// `cat one.txt another.txt`: each recording has its own buffer. A number that is too large for their sum stays the largest.
#[test]
fn what_the_buffers_of_several_recordings_overwrote_is_added_up() {
    let of = |written: u64| {
        format!(
            "# tracer: nop\n# entries-in-buffer/entries-written: 1/{written}   #P:2\n\
             \x20         <idle>-0       [000] ..s1.     1.000001: softirq_raise: vec=3 [action=NET_RX]\n"
        )
    };
    let two = import(&[of(101), of(21)].concat()).expect("a trace");
    assert_eq!((two.ledger.overwritten, two.ledger.lost()), (120, 120));
    let told = two.ledger.warnings.iter().map(crate::english::say_of_file);
    let told: Vec<String> = told.filter(|said| said.contains("overwrote")).collect();
    assert_eq!(told, ["The ring buffer overwrote 120 events."]);
    for write in [crate::export::kperf2, crate::export::ftrace] {
        let mut written = Vec::new();
        write(&two.run, &mut written).expect("a vector takes any bytes");
        let written = String::from_utf8(written).expect("it is text");
        assert_eq!(
            import(&written).expect("a trace").ledger.overwritten,
            120,
            "{written}"
        );
    }
    let most = import(&[of(u64::MAX - 1), of(21)].concat()).expect("a trace");
    assert_eq!(most.ledger.overwritten, u64::MAX);
}

//! What `perf script` prints beside the columns of `columns`: call chains of programs, what perf says of itself, fewer
//! columns.

use expect_test::expect;

use super::{check, import, refusal_of};

/// `perf record -g`: the kernel's addresses have 16 digits, a program's fewer, in the same columns.
#[test]
fn call_chains_of_programs_are_not_needed() {
    check(
        "\
            perf  1630 [000]   203.846186: irq:softirq_raise: vec=7 [action=SCHED]
\tffffffff817d9d00 kfree_skb_reason+0x0 ([kernel.kallsyms])
\t           14f38 intel_check_word.constprop.0+0x158 (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)
\t               0 [unknown] ([unknown])
\t    7f52127c3000 main (inlined)

            perf  1630 [000]   203.846187: irq:softirq_entry: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            # comm 1630 perf
            1 ev softirq_raise ts 203.846186000 cpu 0 pid 1630 vec 7
            2 ev softirq_entry ts 203.846187000 cpu 0 pid 1630 vec 7
            not needed: (blank line) 1
            not needed: (stack trace) 4
        "#]],
    );
}

#[test]
fn what_perf_says_of_tasks_and_maps_is_not_needed() {
    check(
        "\
         swapper     0 [000]     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
 memfd:sealed-91     0 [000]     0.000000: PERF_RECORD_MMAP2 1642/1642: [0x7fd588d34000(0x2000) @ 0 00:00 0 0]: r-xp [vdso]
            perf  8148 [000]  1818.160900: PERF_RECORD_COMM exec: python3:8149/8149
            perf  8148 [000]  1818.160901: PERF_RECORD_COMM: python3:8149/8149
            perf  8148 [000]  1818.160902: PERF_RECORD_SWITCH OUT preempt
            perf  8148 [000]  1818.160903: irq:softirq_raise: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            # comm 8148 perf
            1 ev softirq_raise ts 1818.160903000 cpu 0 pid 8148 vec 7
            not needed: (PERF_RECORD_COMM) 2
            not needed: (PERF_RECORD_MMAP) 1
            not needed: (PERF_RECORD_MMAP2) 1
            not needed: (PERF_RECORD_SWITCH) 1
        "#]],
    );
}

/// A number of five digits and more has no blank before it in perf's columns.
#[test]
fn tasks_without_names_and_none_at_all() {
    let events = |columns: &str| {
        let text = format!("{columns}  1818.160821: irq:softirq_raise: vec=7 [action=SCHED]\n");
        let imported = import(&text).map_err(|error| refusal_of(&error))?;
        let first = imported.run.indices().next().ok_or("no event")?;
        let event = imported.run.event(first);
        Ok::<_, String>((event.pid.0, event.cpu.0))
    };
    let unknown = (u32::MAX, u16::MAX);
    assert_eq!(events(" 8148 [001]"), Ok((8148, 1)));
    assert_eq!(events("18148 [001]"), Ok((18_148, 1)));
    assert_eq!(events("18148"), Ok((18_148, unknown.1)));
    assert_eq!(events("18147/18148 [001]"), Ok((18_148, 1)));
    assert_eq!(events("[001]"), Ok((unknown.0, 1)));
    let torn = import("6     [001] d..2. 37.441606: sched_switch");
    assert!(
        torn.is_err(),
        "it is what is left of another program's line"
    );
    let other = import("[000]  1818.160821: something else\n").map(|_| ());
    let why = refusal_of(&other.expect_err("it has no subsystem"));
    assert!(!why.contains("JSON"), "{why}");
}

/// `-F +misc`: whose code ran stands before the time.
#[test]
fn what_kind_a_sample_is_stands_before_its_time() {
    check(
        "\
            perf 17108 [000] K     86412.960923:          sched:sched_waking: comm=migration/0 pid=18 prio=0 target_cpu=000
         swapper     0 [001] Sp    86412.960924:          1      irq:softirq_raise: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            # comm 18 migration/0
            # comm 17108 perf
            1 ev sched_waking ts 86412.960923000 cpu 0 pid 17108 target_pid 18 prio 0 target_cpu 0
            2 ev softirq_raise ts 86412.960924000 cpu 1 pid 0 vec 7
        "#]],
    );
}

/// `-F comm,cpu,time,event,trace`: what ends a task's name is not its number.
#[test]
fn names_without_numbers_of_tasks() {
    check(
        "\
            perf [000] 86412.960923:          sched:sched_waking: comm=migration/0 pid=18 prio=0 target_cpu=000
      ksoftirqd/1 [001] 86412.960964:          irq:softirq_raise: vec=7 [action=SCHED]
       memfd:s-91 [001] 86412.960965:          irq:softirq_entry: vec=7 [action=SCHED]
",
        &expect![[r#"
            perf-script
            # comm 18 migration/0
            1 ev sched_waking ts 86412.960923000 cpu 0 target_pid 18 prio 0 target_cpu 0
            2 ev softirq_raise ts 86412.960964000 cpu 1 vec 7
            3 ev softirq_entry ts 86412.960965000 cpu 1 vec 7
        "#]],
    );
}

/// `-F ip,sym,...`: addresses of programs are short, and no file ends their lines.
#[test]
fn call_chains_without_files() {
    check(
        "\
python3 17108 [000] 86412.960923:          irq:softirq_raise: vec=7 [action=SCHED]
\tffffffff821fb643 schedule
\t           ee137 sched_setaffinity@@GLIBC_2.3.4
\t           9f189 [unknown]
",
        &expect![[r#"
            perf-script
            # comm 17108 python3
            1 ev softirq_raise ts 86412.960923000 cpu 0 pid 17108 vec 7
            not needed: (stack trace) 3
        "#]],
    );
}

/// Of `perf script -F comm,tid,cpu,time,event`: nothing of a packet is there, and no word said why.
#[test]
fn events_without_their_arguments_say_which_field_has_them() {
    let text = "            perf 12258 [000] 21222.601747:                  net:net_dev_queue: \n\
                         swapper     0 [001] 21222.601748:             irq:softirq_entry: vec=3 [action=NET_RX]\n";
    let picture = super::picture(text);
    assert!(
        picture
            .contains("line 1: an event without its arguments: give perf script the field trace"),
        "{picture}"
    );
    assert!(picture.contains("softirq_entry"), "{picture}");
}

/// Of `--show-lost-events`: the buffer was full, and the records count what it had no room for.
#[test]
fn perf_says_that_it_lost_events() {
    let text = "\
         swapper     0 [001]    10.000100: irq:softirq_raise: vec=3 [action=NET_RX]
         swapper     0 [001]    10.000101: PERF_RECORD_LOST lost 12
         swapper     0 [001]    10.000102: PERF_RECORD_LOST_SAMPLES lost 3
         swapper     0 [000]    10.000103: PERF_RECORD_LOST_SAMPLES
         swapper     0 [001]    10.000105: irq:softirq_entry: vec=3 [action=NET_RX]
";
    check(
        text,
        &expect![[r#"
            perf-script
            1 ev softirq_raise ts 10.000100000 cpu 1 pid 0 vec 3
            2 ev lost_events ts 10.000105000 cpu 1 count 12
            3 ev lost_events ts 10.000105000 cpu 1 count 3
            4 ev lost_events ts 10.000105000 cpu 0
            5 ev softirq_entry ts 10.000105000 cpu 1 pid 0 vec 3
        "#]],
    );
    let ledger = import(text).expect("a trace").ledger;
    assert_eq!((ledger.lost_markers, ledger.lost()), (3, 15));
}

/// `-F comm,time,event,trace` and `-F +tod`: what is refused says which field it wants, or has too many of.
#[test]
fn a_field_that_is_missing_or_too_much_is_named() {
    let event = "sched:sched_waking: comm=migration/0 pid=18 prio=0 target_cpu=000";
    for (columns, said) in [
        (
            "ringside-captur 2312.571986:",
            "give perf script the fields comm,tid,cpu,time",
        ),
        (
            "my task 2312.571986123:",
            "give perf script the fields comm,tid,cpu,time",
        ),
        (
            "ringside-captur   17866 [000] 2026-11-28 07:00:00.571986 2312.571986:",
            "the field tod",
        ),
        (
            "ringside-captur   17866 [000] 2026-11-28 07:00:00.571986",
            "without its time",
        ),
    ] {
        let text = format!(" {columns}         {event}\n").repeat(3);
        let refused = refusal_of(&import(&text).expect_err("no columns"));
        assert!(refused.contains(said), "{refused}");
    }
}

//! kperf lines as pictures, the paper's sample, and damaged input.

use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::english::say_of_file;
use crate::run::Run;

/// The sample of section 3.4, as the paper prints it.
pub(crate) const PAPER: &str = "\
278 id 6 seq 31 thread 1 ts 1105888396.088332 x90
279 id 7 seq 31 thread 1 ts 1105888396.088341 x90
280 id 8 seq 31 thread 1 ts 1105888396.088345 x90
281 id 6 seq 31 thread 1 ts 1105888396.088511 x34
282 id 7 seq 31 thread 1 ts 1105888396.088520 x34
283 id 8 seq 31 thread 1 ts 1105888396.088524 x34
284 id 9 seq 31 thread 1 ts 1105888396.088649 x90
285 id 9 seq 31 thread 1 ts 1105888396.088663 x34
286 id 10 seq 31 thread 1 ts 1105888396.088691 x125
";

fn import(text: &[u8]) -> (Run, Ledger) {
    let mut kperf = Kperf::default();
    let mut run = RunBuilder::new(Origin::Recorded);
    let mut ledger = Ledger::default();
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        kperf.line(number, line, &mut run, &mut ledger);
    }
    (run.finish(), ledger)
}

/// The run as it is exported again, and what the ledger says.
fn check(text: &str, expected: &Expect) {
    let (run, ledger) = import(text.as_bytes());
    assert_eq!(ledger.total(), text.lines().count() as u64);
    let mut picture = Vec::new();
    crate::export::kperf2(&run, &mut picture).expect("a vector takes any bytes");
    let mut picture = String::from_utf8(picture).expect("the export is text");
    writeln!(picture, "-- {} understood", ledger.understood).expect("a String takes any text");
    for (what, tallies) in [("skipped", &ledger.skipped), ("unknown", &ledger.unknown)] {
        for (name, tally) in tallies {
            writeln!(picture, "-- {what} {name}: {}", tally.count)
                .expect("a String takes any text");
        }
    }
    for damaged in &ledger.malformed_kept {
        writeln!(picture, "-- line {}: {}", damaged.line.number, damaged.why)
            .expect("a String takes any text");
    }
    for (cpu, lost) in &ledger.lost_events {
        writeln!(picture, "-- cpu {} lost {lost}", cpu.0).expect("a String takes any text");
    }
    for warning in &ledger.warnings {
        writeln!(picture, "-- warning: {}", say_of_file(warning)).expect("a String takes any text");
    }
    expected.assert_eq(&picture);
}

#[test]
fn the_papers_sample() {
    check(
        PAPER,
        &expect![[r#"
        # kperf 2
        # origin: recorded
        1 id 6 seq 31 thread 1 ts 1105888396.088332000 x90
        2 id 7 seq 31 thread 1 ts 1105888396.088341000 x90
        3 id 8 seq 31 thread 1 ts 1105888396.088345000 x90
        4 id 6 seq 31 thread 1 ts 1105888396.088511000 x34
        5 id 7 seq 31 thread 1 ts 1105888396.088520000 x34
        6 id 8 seq 31 thread 1 ts 1105888396.088524000 x34
        7 id 9 seq 31 thread 1 ts 1105888396.088649000 x90
        8 id 9 seq 31 thread 1 ts 1105888396.088663000 x34
        9 id 10 seq 31 thread 1 ts 1105888396.088691000 x125
        -- 9 understood
    "#]],
    );
    let (run, _) = import(PAPER.as_bytes());
    let frames_at = |probe| -> Vec<u32> {
        let passed = run
            .indices()
            .filter(|&index| run.event(index).probe == probe);
        passed
            .filter_map(|index| run.field(index, Field::Frames))
            .collect()
    };
    assert_eq!(frames_at(Probe::TprNet), [90, 34]);
    assert_eq!(frames_at(Probe::TprNetIp), [90, 34]);
    assert_eq!(frames_at(Probe::TprIpTrans), [90, 34]);
    assert_eq!(frames_at(Probe::TprTransSocket), [90, 34]);
    assert_eq!(frames_at(Probe::TprSocket), [125]);
    for index in run.indices() {
        assert_eq!(run.field(index, Field::Packet), Some(31));
        assert_eq!(run.field(index, Field::Thread), Some(1));
    }
    assert!(run.cpus().is_empty());
}

#[test]
fn a_header_may_give_the_ids_other_names() {
    check(
        "\
# probe 9 TPR_UDP_SOCKET
# probe 11 __ip_local_out
# probe 12 tpr_nonsense
1 id 9 seq 1 thread 1 ts 3.000001 x90
2 id 11 seq 1 thread 1 ts 3.000002 x90
3 id 12 seq 1 thread 1 ts 3.000003 x90
4 id 13 seq 1 thread 1 ts 3.000004 x90
",
        &expect![[r#"
            # kperf 2
            # origin: recorded
            1 id 9 seq 1 thread 1 ts 3.000001000 x90
            2 ev __ip_local_out ts 3.000002000 packet 1 thread 1 frames 90
            -- 5 understood
            -- unknown id 13: 1
            -- unknown tpr_nonsense: 1
            -- warning: `tpr_nonsense`, which the file gives id 12, is not a known probe.
        "#]],
    );
}

#[test]
fn kperf_2_has_pairs_events_and_headers() {
    check(
        "\
# kperf 2
# origin: simulated
# kernel: 6.12
# host:
# comm 534 ur%20ecv
# a remark of the author

1 ev irq_handler_entry ts 27.046266000 cpu 0 ctx hardirq irq 11 name eth0
2 id 6 seq 31 thread 1 ts 27.046316000 x90 cpu 0 ctx softirq skb ffff888009032400 len 1500 dev eth0
3 ev ip_rcv_core ts 27.046351000 cpu 0 skb 0xffff888009032400 len 1500 ip_id 0x8d97 frag_off 0x20b9 saddr 192.0.2.1
4 ev kfree_skb ts 27.046351000 cpu 0 skb ffff888009032400 reason NO_SOCKET location % ret -11
5 ev lost_events ts 27.05 cpu 1
6 ev lost_events ts 27.050000 cpu 1 count 12
",
        &expect![[r#"
            # kperf 2
            # origin: simulated
            # host:
            # kernel: 6.12
            # comm 534 ur%20ecv
            1 ev irq_handler_entry ts 27.046266000 cpu 0 ctx hardirq irq 11 name eth0
            2 id 6 seq 31 thread 1 ts 27.046316000 x90 cpu 0 ctx softirq skb ffff888009032400 len 1500 dev eth0
            3 ev ip_rcv_core ts 27.046351000 cpu 0 skb ffff888009032400 len 1500 ip_id 0x8d97 frag_off 0x20b9 saddr 192.0.2.1
            4 ev kfree_skb ts 27.046351000 cpu 0 skb ffff888009032400 reason NO_SOCKET location % ret -11
            5 ev lost_events ts 27.050000000 cpu 1 count 12
            -- 9 understood
            -- skipped (blank line): 1
            -- skipped (remark): 1
            -- line 12: a time is seconds up to 9223372036, a point and 6 or 9 digits, not `27.05`
            -- cpu 1 lost 12
        "#]],
    );
}

#[test]
fn a_damaged_line_says_what_is_wrong_and_costs_only_itself() {
    check(
        "\
id 6 seq 31 thread 1 ts 1.000000 x90
1 at 6
2 id six
3 id 6 seq 31 thread 1 ts 1.00000 x90
4 id 6 seq 31 thread 1 ts 99999999999999.000000 x90
5 id 6 seq 31 thread 1 ts 1.000000
6 id 6 seq 31 thread 1 ts 1.000000 90
7 id 6 seq 31 thread 1 ts 1.000000 x90 cpu
8 id 6 seq 31 thread 1 ts 1.000000 x90 cpu 65535
9 id 6 seq 31 thread 1 ts 1.000000 x90 saddr 1.2.3
10 ev made_up ts 1.000000 cpu 0
11 ev net_dev_xmit ts 1.000000 colour blue len 5 shape round
12 ev net_dev_xmit
# probe six TPR_NET
# comm 5
# origin: invented
# kperf
# kperf 3
13 id 6 seq 31 thread 1 ts 1.000000 x90
",
        &expect![[r#"
            # kperf 2
            # origin: recorded
            1 ev net_dev_xmit ts 1.000000000 len 5
            2 id 6 seq 31 thread 1 ts 1.000000000 x90
            -- 3 understood
            -- unknown made_up: 1
            -- line 1: a record begins with its number, not `id`
            -- line 2: after the record's number comes `id` or `ev`, not `at`
            -- line 3: the probe's id is a number of at most 32 bits, not `six`
            -- line 4: a time is seconds up to 9223372036, a point and 6 or 9 digits, not `1.00000`
            -- line 5: a time is seconds up to 9223372036, a point and 6 or 9 digits, not `99999999999999.000000`
            -- line 6: the line ends before the number of frames, as `x90`
            -- line 7: the number of frames is written as `x90`, not `90`
            -- line 8: the line ends after the key `cpu`
            -- line 9: `cpu` cannot be `65535`
            -- line 10: `saddr` is an IPv4 address, not `1.2.3`
            -- line 13: the line ends before `ts`
            -- line 14: a probe header is `# probe ID NAME`
            -- line 15: a task's header is `# comm PID NAME`
            -- line 16: the origin is `recorded` or `simulated`
            -- line 17: `# kperf` without a version
            -- warning: The key `colour` is not known (first on line 12); its values are left out.
            -- warning: The key `shape` is not known (first on line 12); its values are left out.
            -- warning: This file states version 3 of kperf; it is read as version 2.
        "#]],
    );
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_whole() {
    let text = PAPER.as_bytes();
    for end in 0..=text.len() {
        let (run, ledger) = import(&text[..end]);
        let whole = memchr::memchr_iter(b'\n', &text[..end]).count();
        assert!(run.len() >= whole);
        assert_eq!(
            ledger.total(),
            text[..end].split_inclusive(|&byte| byte == b'\n').count() as u64
        );
    }
}

#[test]
fn only_kperf_lines_look_like_one() {
    assert!(Kperf::is_like(
        b"278 id 6 seq 31 thread 1 ts 1105888396.088332 x90"
    ));
    assert!(Kperf::is_like(b"# kperf 2"));
    assert!(Kperf::is_like(b"  1 ev net_dev_xmit ts 1.000000"));
    assert!(!Kperf::is_like(b"# tracer: nop"));
    assert!(!Kperf::is_like(b"# kperf-like trace, clock boottime"));
    assert!(!Kperf::is_like(
        b" bash-1282 [003] d..2. 55.329794: sched_switch: prev_comm=bash"
    ));
    assert!(!Kperf::is_like(b""));
}

/// Every key in the first column of FORMAT.md's tables, and every example in it.
#[test]
fn the_format_is_described_as_it_is_read() {
    let document = include_str!("../../../../../traces/FORMAT.md");
    let described: BTreeSet<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let leading = ["cpu", "ctx", "pid", "skb", "sk", "len"];
    let keys = Field::ALL.iter().map(|field| field.name()).chain(leading);
    assert_eq!(described, keys.collect());

    let examples: Vec<&str> = document.split("```kperf\n").skip(1).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let text = example.split("```").next().unwrap_or_default();
        let (run, ledger) = import(text.as_bytes());
        assert_eq!(ledger.malformed_kept, vec![], "{text}");
        assert!(ledger.unknown.is_empty(), "{:?}", ledger.unknown);
        assert!(ledger.warnings.is_empty(), "{:?}", ledger.warnings);
        assert!(!run.is_empty());
    }
}

const MIXED: &str = "\
# kperf 2
# comm 534 urecv
1 ev irq_handler_entry ts 27.046266000 cpu 0 ctx hardirq irq 11 name eth0
2 id 6 seq 31 thread 1 ts 27.046316000 x90 cpu 0 ctx softirq skb ffff888009032400 len 1500 dev eth0
3 ev kfree_skb ts 27.046351000 cpu 0 skb ffff888009032400 reason NO_SOCKET saddr 192.0.2.1
";

proptest! {
    #[test]
    fn mutated_input_never_panics_and_every_line_is_entered(
        changes in prop::collection::vec((0..MIXED.len(), any::<u8>()), 0..12),
    ) {
        let mut text = MIXED.as_bytes().to_vec();
        for (at, byte) in changes {
            text[at] = byte;
        }
        let lines = text.split_inclusive(|&byte| byte == b'\n').count() as u64;
        prop_assert_eq!(import(&text).1.total(), lines);
    }
}

//! Lines that were cut at a column are told of; lines that are merely as long as each other are not.

use super::import;
use crate::english::say_of_file;

/// Packets that come in and are woken for, and nothing of them cut: the lines of each event have one length.
fn whole() -> String {
    let events = [
        "netif_receive_skb_entry: dev=eth0 napi_id=0x2001 queue_mapping=1 skbaddr=ffff888008476400 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=92 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0",
        "napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476400 len=92 ipid_be=0xe146 frag_be=0x40 proto=17 sport_be=0xb9be dport_be=0x8913",
        "sched_switch: prev_comm=urecv prev_pid=325 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120",
        "net_dev_start_xmit: dev=eth0 queue_mapping=0 skbaddr=ffff888008476400 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=74 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0",
        "sched_waking: comm=urecv pid=325 prio=120 target_cpu=001",
    ];
    let line = |at: usize| {
        let event = events[at % events.len()];
        format!("          <idle>-0       [001] ..s1.    28.{at:06}: {event}\n")
    };
    (0..100).map(line).collect()
}

/// Each line up to this column.
fn cut(text: &str, width: usize) -> String {
    let cut = |line: &str| line[..line.len().min(width)].to_owned() + "\n";
    text.lines().map(cut).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let ledger = import(text).expect("it is a trace").ledger;
    ledger.warnings.iter().map(say_of_file).collect()
}

#[test]
fn lines_of_one_length_that_end_with_a_value_are_whole() {
    assert_eq!(warnings(&whole()), Vec::<String>::new());
    // Only the lines of one event, or of each but the longest.
    for event in ["netif_receive_skb_entry", "sched_switch", "napi_gro"] {
        let is_of_it = |line: &&str| line.contains(event);
        let lines = |is_left: &dyn Fn(&&str) -> bool| -> String {
            let text = whole();
            let left = text.lines().filter(|line| is_left(line));
            left.flat_map(|line| [line, "\n"]).collect()
        };
        assert_eq!(warnings(&lines(&is_of_it)), Vec::<String>::new());
        let others = lines(&|line| !is_of_it(line));
        assert_eq!(warnings(&others), Vec::<String>::new());
    }
}

#[test]
fn lines_cut_at_a_column_are_told_of_once() {
    // Ends of lines: `dev=`, `(napi_gro_r`, `pid=`; `skba`, `napi=0xffff88800694ec3`; `protocol=0x`, `sport_be=0x`, `len`.
    for (width, lines, broken) in [(80, 100, 60), (120, 80, 40), (200, 60, 60)] {
        let said = warnings(&cut(&whole(), width));
        let told = format!(
            "{lines} lines end at column {width} and none goes beyond it, and {broken} of them end in the middle of a field"
        );
        let of_cut = said.iter().filter(|said| said.starts_with(&told)).count();
        assert_eq!((of_cut, said.len()), (1, 1), "{width}: {said:?}");
    }
    // One line that goes on shows that no column was the end.
    let with_longer = cut(&whole(), 120) + whole().lines().next().unwrap_or_default() + "\n";
    assert_eq!(warnings(&with_longer), Vec::<String>::new());
}

/// `netif_rec`, `napi_gro_`, `sched_swi`; with the name's colon and the first letters of a key.
#[test]
fn lines_cut_within_the_name_of_the_event_or_just_behind_it_are_told_of() {
    for (width, broken) in [(60, 100), (64, 60), (71, 60)] {
        let said = warnings(&cut(&whole(), width));
        let told = format!(
            "100 lines end at column {width} and none goes beyond it, and {broken} of them end in the middle of a field"
        );
        let of_cut = said.iter().filter(|said| said.starts_with(&told)).count();
        assert_eq!(of_cut, 1, "{width}: {said:?}");
    }
}

/// A function tracer without the callers prints nothing but a name.
#[test]
fn names_of_functions_are_not_cut() {
    let traced = |names: &[&str]| -> String {
        let line = |at: usize| {
            let name = names[at % names.len()];
            format!("          <idle>-0       [001] ..s1.    28.{at:06}: {name}\n")
        };
        (0..100).map(line).collect()
    };
    for names in [
        &["ip_rcv"][..],
        &["ip_rcv", "ip_rcv_finish", "tcp_v4_do_rcv"],
    ] {
        let said = warnings(&traced(names));
        assert!(!said.iter().any(|said| said.contains("column")), "{said:?}");
    }
}

/// Each line broken in two at this column, and again, as by a terminal.
fn wrapped(text: &str, width: usize) -> String {
    let parts = |line: &str| -> String {
        let parts = line.as_bytes().chunks(width);
        let part = |part| String::from_utf8_lossy(part).into_owned() + "\n";
        parts.map(part).collect()
    };
    text.lines().map(parts).collect()
}

/// Each line broken at the last blank before this column, as by a mail program.
fn wrapped_at_blanks(text: &str, width: usize) -> String {
    let mut broken = String::new();
    for line in text.lines() {
        let mut rest = line;
        while rest.len() > width {
            let blank = rest[..width].rfind(' ').unwrap_or(width);
            broken += rest[..blank].trim_end();
            broken.push('\n');
            rest = &rest[blank + 1..];
        }
        broken += rest;
        broken.push('\n');
    }
    broken
}

#[test]
fn wrapped_lines_are_told_of_once() {
    for text in [
        wrapped(&whole(), 60),
        wrapped(&whole(), 80),
        wrapped(&whole(), 132),
        wrapped_at_blanks(&whole(), 78),
        wrapped_at_blanks(&whole(), 100),
    ] {
        let mut said = warnings(&text);
        said.retain(|said| !said.contains("no event that Ringside knows"));
        let of_wrapped = said
            .iter()
            .filter(|said| said.contains("the rest of the line before"));
        assert_eq!(
            (of_wrapped.count(), said.len()),
            (1, 1),
            "{said:?}\n{text:.500}"
        );
    }
}

/// Lines of another program between those of a trace are no rest of them.
#[test]
fn foreign_lines_between_events_are_no_rests() {
    let between = |line: &str| [line, "\nlink is up\n"].concat();
    let text: String = whole().lines().map(between).collect();
    assert_eq!(warnings(&text), Vec::<String>::new());
}

/// What a program prints into the trace ends as it likes.
#[test]
fn texts_of_programs_are_not_cut() {
    for name in ["bpf_trace_printk", "tracing_mark_write", "print", "console"] {
        let line = |at: usize| {
            format!(
                "          <idle>-0       [001] ..s1.    28.{at:06}: {name}: state=up of the link that was asked for by somebody else queue=7 again\n"
            )
        };
        let text = cut(&whole(), 60) + &(0..50).map(line).collect::<String>();
        let said = warnings(&text);
        assert!(!said.iter().any(|said| said.contains("column")), "{said:?}");
    }
}

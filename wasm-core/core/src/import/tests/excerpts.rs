//! A part of a file: its events are those of the whole that belong to it, and every line is entered once.

use proptest::prelude::*;

use crate::import::{Import, Imported, says};
use crate::kernel::{CpuId, Event, Nanos};
use crate::run::{Excerpt, Run};

const FTRACE: &str = "\
# tracer: nop
          <idle>-0       [000] d.h1.    28.892368: irq_handler_entry: irq=11 name=eth0
          <idle>-0       [001] ..s1.    28.892400: consume_skb: skbaddr=ffff888008476400
CPU:1 [LOST 7 EVENTS]
          <idle>-0       [000] ..s1.    28.892410: napi_poll: napi poll on napi struct ffff88800694ec30 for device eth0 work 4 budget 64
          <idle>-0       [001] ..s1.    28.892420: my_event: a=1
   tmux: server-452      [001] d..2.    28.892500: sched_switch: prev_comm=tmux: server prev_pid=452 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
damaged
          <idle>-0       [002] ..s1.    28.892510: consume_skb: skbaddr=ffff888008476400
";

fn import(text: &str, excerpt: Excerpt) -> Imported {
    let mut import = Import::of(excerpt);
    import.push(text.as_bytes());
    import.finish().expect("a trace")
}

fn events(run: &Run) -> Vec<Event> {
    run.indices().map(|index| run.event(index)).collect()
}

proptest! {
    #[test]
    fn a_part_has_those_events_of_the_whole_that_belong_to_it(
        cpu in prop::option::of(0u16..4),
        from in prop::option::of(28_892_360_000u64..28_892_520_000),
        to in prop::option::of(28_892_360_000u64..28_892_520_000),
    ) {
        let excerpt = Excerpt { cpu: cpu.map(CpuId), from: from.map(Nanos), to: to.map(Nanos) };
        let whole = import(FTRACE, Excerpt::default());
        let part = import(FTRACE, excerpt);
        let is_in = |event: &Event| excerpt.has(event.time, event.cpu);
        let wanted: Vec<_> = events(&whole.run).into_iter().filter(is_in).collect();
        let shown = |events: &[Event]| -> Vec<_> {
            events.iter().map(|event| (event.time, event.cpu, event.probe, event.pid, event.line)).collect()
        };
        prop_assert_eq!(shown(&events(&part.run)), shown(&wanted));
        prop_assert_eq!(part.ledger.total(), FTRACE.lines().count() as u64);
        prop_assert_eq!(part.ledger.understood + part.ledger.left_out, whole.ledger.understood);
        prop_assert_eq!(part.ledger.malformed, whole.ledger.malformed);
    }
}

fn of_cpu(cpu: u16, text: &str) -> Imported {
    let excerpt = Excerpt {
        cpu: Some(CpuId(cpu)),
        ..Excerpt::default()
    };
    import(text, excerpt)
}

#[test]
fn what_is_left_out_is_counted_by_itself() {
    let ledger = of_cpu(1, FTRACE).ledger;
    assert_eq!((ledger.understood, ledger.left_out), (3, 3));
}

#[test]
fn a_line_that_goes_on_with_what_was_left_out_is_left_out_too() {
    let wrapped = "\
# tracer: nop
          <idle>-0       [000] ..s1.    28.892400: consume_skb: skbaddr=ffff888008476400
protocol=2048
          <idle>-0       [001] ..s1.    28.892410: consume_skb: skbaddr=ffff888008476500
protocol=2048
";
    let ledger = of_cpu(1, wrapped).ledger;
    assert_eq!((ledger.understood, ledger.left_out), (3, 2));
}

#[test]
fn a_part_with_nothing_in_it_does_not_blame_the_file() {
    let ledger = of_cpu(9, FTRACE).ledger;
    assert_eq!(ledger.warnings, [says::nothing_in_part()]);
}

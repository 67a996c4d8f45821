//! Damaged input costs the damaged lines and nothing else; every line is entered once.

use expect_test::expect;
use proptest::prelude::*;

use super::{check, import_in};
use crate::run::Run;

const TRACE: &str = "\
# tracer: nop
#
# entries-in-buffer/entries-written: 6/6   #P:4
          <idle>-0       [000] d.h1.    28.892368: irq_handler_entry: irq=11 name=eth0
          <idle>-0       [000] ..s1.    28.892400: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476400 len=92 ipid_be=0xe146 frag_be=0x40 proto=17 sport_be=0xb9be dport_be=0x8913
CPU:1 [LOST 7 EVENTS]
          <idle>-0       [000] ..s1.    28.892410: napi_poll: napi poll on napi struct ffff88800694ec30 for device eth0 work 4 budget 64
   tmux: server-452      [001] d..2.    28.892500: sched_switch: prev_comm=tmux: server prev_pid=452 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120

           urecv-452     [001] .....    28.892600: kfree_skb: skbaddr=ffff888008476400 protocol=2048 location=ip_rcv+0x1/0x2 reason: NO_SOCKET
           urecv-452     [001] .....    28.892700: sys_recvfrom -> 0x5a\r
           urecv-452     [001] .....    28.892800: page_pool_release: page_pool=a
";

#[test]
fn prose_quotes_wrapped_lines_and_a_pagers_edge() {
    check(
        "\
Hello list, this is what I see here: my machine drops packets.

> >           <idle>-0       [000] ..s1.    28.892400: netif_receive_skb: dev=eth0
> > skbaddr=ffff888008476400 len=92
>           <idle>-0       [000] ..s1.    28.892410: udp_rcv: (udp_rcv+0x0/0x20) skb=0xffff888008476400
          <idle>-0       [000] ..s1.    28.892420: netif_receive_skb: dev=eth0 skbaddr=ffff88>
          <idle>-0       [000] ..s1.    28.892430: sched_switch: prev_comm=bash prev_p
          <idle>-0       [000] ..s1.    28.892440: \u{7f}\u{7f}
          <idle>-0       [000] ..s1.    28.8
[...]
          <idle>-0       [000] ..s1.    28.892450: softirq_exit: vec=3 [action=NET_RX]
",
        &expect![[r#"
            ftrace
            1 ev netif_receive_skb ts 28.892400000 cpu 0 ctx softirq pid 0 skb ffff888008476400 len 92 dev eth0
            2 ev udp_rcv ts 28.892410000 cpu 0 ctx softirq pid 0 skb ffff888008476400
            3 ev softirq_exit ts 28.892450000 cpu 0 ctx softirq pid 0 vec 3
            not needed: (blank line) 1
            line 1: no line of a trace
            line 6: cut off at the edge of a pager's screen
            line 7: sched_switch without the arguments it always has
            line 8: no event behind the time
            line 9: no line of a trace
            line 10: no line of a trace
        "#]],
    );
}

#[test]
fn cut_anywhere_it_is_still_accounted_for() {
    for end in 0..=TRACE.len() {
        let text = &TRACE[..end];
        if let Ok(imported) = import_in(text.as_bytes(), &[usize::MAX]) {
            assert_eq!(imported.ledger.total(), text.lines().count() as u64);
        }
    }
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_run_and_ledger(
        sizes in prop::collection::vec(1usize..200, 1..6),
    ) {
        let whole = import_in(TRACE.as_bytes(), &[usize::MAX]).expect("a trace");
        let cut = import_in(TRACE.as_bytes(), &sizes).expect("a trace");
        prop_assert_eq!(whole.run.fingerprint(), cut.run.fingerprint());
        let lines = |run: &Run| run.indices().map(|index| run.line(index)).collect::<Vec<_>>();
        prop_assert_eq!(lines(&whole.run), lines(&cut.run));
        prop_assert_eq!(whole.ledger, cut.ledger);
    }

    #[test]
    fn any_damage_is_accounted_for(
        changes in prop::collection::vec((0..TRACE.len(), any::<u8>()), 0..20),
        removed in prop::collection::vec(0..TRACE.len(), 0..4),
    ) {
        let mut bytes = TRACE.as_bytes().to_vec();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        for at in removed {
            bytes.drain(at.min(bytes.len())..(at + 9).min(bytes.len()));
        }
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
        if let Ok(imported) = import_in(&bytes, &[usize::MAX]) {
            prop_assert_eq!(imported.ledger.total(), lines);
        }
    }

    #[test]
    fn any_bytes_are_an_import_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = import_in(&bytes, &[64]);
    }
}

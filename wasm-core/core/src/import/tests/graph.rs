//! Events within a graph of functions, as the kernel prints them while the tracer `function_graph` is on.

use expect_test::expect;

use super::{check, import, picture};

const GRAPH: &str = "\
# tracer: function_graph
#
#     TIME        CPU  DURATION                  FUNCTION CALLS
#      |          |     |   |                     |   |   |   |
  100.000001 |   0)               |  __netif_receive_skb_core() {
  100.000002 |   0)               |    /* netif_receive_skb: dev=lo skbaddr=ffff888001000100 len=60 */
  100.000003 |   0)   1.234 us    |    ip_rcv();
  100.000004 |   0)               |    /* kfree_skb: skbaddr=ffff888001000100 rx_sk=(nil) protocol=2048 location=tcp_v4_rcv+0x81/0x100 reason: NO_SOCKET */
  100.000005 |   0) + 12.234 us   |  }
  100.000006 |  12)               |  /* sys_sendto(fd: 4, buff: 7ffe, len: 12) */
  100.000007 |  12)               |  /* a text of trace_marker */
 ------------------------------------------
 0)   bash-2794   =>  sshd-1234
 ------------------------------------------

";

/// With `options/funcgraph-abstime`.
#[test]
fn events_within_a_graph_with_its_times_are_read() {
    check(
        GRAPH,
        &expect![[r#"
        ftrace
        1 ev netif_receive_skb ts 100.000002000 cpu 0 skb ffff888001000100 len 60 dev lo
        2 ev kfree_skb ts 100.000004000 cpu 0 skb ffff888001000100 protocol 0x800 location tcp_v4_rcv+0x81/0x100 reason NO_SOCKET
        3 ev sys_enter ts 100.000006000 cpu 12 func sendto fd 4 size 18
        not needed: (blank line) 1
        not needed: (function graph) 7
    "#]],
    );
}

/// With `options/funcgraph-proc` and the latency format: a task's name is cut to seven letters.
#[test]
fn tasks_and_contexts_of_a_graph() {
    check(
        "\
# tracer: function_graph
  100.000001 |   0)  sshd-1234   | d.h1.               |  __netif_receive_skb_core() {
  100.000002 |   0)  sshd-1234   | d.h1.               |    /* softirq_raise: vec=3 [action=NET_RX] */
  100.000003 |   1)   <idle>-0   | ..s1. |               |  /* softirq_entry: vec=3 [action=NET_RX] */
  100.000004 |   1) ksoftir-17   |               |  /* softirq_exit: vec=3 [action=NET_RX] */
",
        &expect![[r#"
            ftrace
            # comm 1234 sshd
            1 ev softirq_raise ts 100.000002000 cpu 0 ctx hardirq pid 1234 vec 3
            2 ev softirq_entry ts 100.000003000 cpu 1 ctx softirq pid 0 vec 3
            3 ev softirq_exit ts 100.000004000 cpu 1 pid 17 vec 3
            not needed: (function graph) 1
        "#]],
    );
}

/// Without a time, or without a CPU, an event is lost, and it is said what to do.
#[test]
fn a_graph_without_its_times_says_what_to_do() {
    let mut text = String::new();
    for line in GRAPH.lines() {
        let columns = line.split_once(" | ").filter(|_| !line.starts_with('#'));
        text += columns.map_or(line, |(_, rest)| rest);
        text += "\n";
    }
    let told = picture(&text);
    assert!(
        told.contains("line 6: an event within a graph of functions")
            && told.contains("options/funcgraph-abstime"),
        "{told}"
    );
    let ledger = import(&text).expect("a trace without events").ledger;
    assert_eq!((ledger.malformed, ledger.understood), (3, 4));
    let refused = picture(text.split_once("|   |\n").expect("a header").1);
    assert!(refused.contains("options/funcgraph-abstime"), "{refused}");
    let without_cpu = GRAPH.replace(" 0)", "").replace("12)", "");
    let told = picture(&without_cpu);
    assert!(told.contains("options/funcgraph-cpu"), "{told}");
}

/// Lines that were cut out of a file, without its header.
#[test]
fn a_graph_is_known_without_its_header() {
    let lines = GRAPH.split_once("|   |\n").expect("a header").1;
    assert_eq!(import(lines).expect("a trace").run.len(), 3);
}

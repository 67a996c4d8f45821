//! Packets that a task receives itself: NAPI in a thread, the writer of a tun device, a virtual machine's NIC.
//!
//! The lines are of kernel 6.1, which names no function that frees.

use super::few_events::opened;
use crate::journey::ending;
use crate::kernel::PacketId;

/// ARP comes in this task, or in a softirq on top of it, and is freed by the task.
fn arp(task: &str, flags: &str) -> Vec<String> {
    let trace = format!(
        "
   {task}     [000] {flags}    13.000001: netif_receive_skb: dev=eth0 skbaddr=00000000e9c02740 len=46
   {task}     [000] .....    13.000004: consume_skb: skbaddr=00000000e9c02740"
    );
    let (run, journeys) = opened(&trace);
    let end = |packet| ending(&run, &journeys, packet);
    journeys.ids().map(end).collect()
}

#[test]
fn what_a_task_receives_itself_it_does_not_read() {
    for task in ["napi/eth0-5-44", "vhost-1234-1240", "openvpn-77"] {
        assert_eq!(arp(task, "b...."), ["consumed by the stack"], "{task}");
    }
    assert_eq!(arp("reader-77", "..s.."), ["delivered to reader (77)"]);
}

/// With drops alone: netfilter drops for one reason what comes and what goes.
#[test]
fn a_thread_of_the_kernel_sends_nothing_that_is_filtered() {
    let way = |task: &str| {
        let (_, journeys) = opened(&format!(
            "
   {task}     [000] b....    13.000001: kfree_skb: skbaddr=00000000e9c02740 protocol=2048 location=00000000a1b2c3d4 reason: NETFILTER_DROP"
        ));
        journeys.packets[0].direction.name()
    };
    assert_eq!(way("napi/eth0-5-44"), "rx");
    assert_eq!(way("vhost-1234-1240"), "rx");
    assert_eq!(way("curl-77"), "tx");
}

/// Where symbols are not known, an address stands for the function that frees: it says no more than no function does.
#[test]
fn an_address_rules_out_no_reader() {
    let end = |location: &str| {
        let (run, journeys) = opened(&format!(
            "
   <idle>-0      [001] ..s..    13.000001: netif_receive_skb: dev=eth0 skbaddr=00000000e9c02740 len=165
   reader-77     [001] .....    13.000004: consume_skb: skbaddr=00000000e9c02740{location}"
        ));
        ending(&run, &journeys, PacketId(0))
    };
    assert_eq!(end(""), "delivered to reader (77)");
    for address in ["00000000a1b2c3d4", "0xffffffff8190db88"] {
        assert_eq!(end(&format!(" location={address}")), end(""), "{address}");
    }
    let by_stack = end(" location=icmp_rcv+0x259/0x3a0");
    assert_eq!(by_stack, "consumed by the stack");
}

//! Recordings of one device alone, as `ringside-capture -i` makes them: of other devices' packets they have the drops.
//!
//! The lines are of kernel 6.18.

mod sending;

use super::few_events::opened;
use crate::journey::ending;

const NIC: &str = "\
# tracer: nop
# ringside-capture 1
# nic: eth0
";

/// What comes by the device that is recorded.
const OWN: &str = "
   <idle>-0      [000] ..s1.    13.000001: napi_gro_receive_entry: dev=eth0 napi_id=0x2 queue_mapping=0 skbaddr=ffff888000000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=92
   <idle>-0      [000] ..s1.    13.000002: netif_receive_skb: dev=eth0 skbaddr=ffff888000000100 len=92
   <idle>-0      [000] ..s1.    13.000003: kfree_skb: skbaddr=ffff888000000100 rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET";

/// What is dropped of another device.
fn dropped(location: &str, reason: &str) -> String {
    format!(
        "
   <idle>-0      [000] ..s1.    13.000013: kfree_skb: skbaddr=ffff888000000200 rx_sk=0000000000000000 protocol=2048 location={location} reason: {reason}"
    )
}

/// Direction and end of the packet of another device, or of all of them.
fn other(trace: &str) -> Vec<String> {
    let (run, journeys) = opened(trace);
    let others = journeys.ids().skip(1);
    let told = others.map(|id| {
        let way = journeys.packets[id.at()].direction.name();
        format!("{way} {}", ending(&run, &journeys, id))
    });
    told.collect()
}

#[test]
fn a_filtered_packet_of_another_device_came_in() {
    let filtered = dropped("nf_hook_slow+0xa6/0xf0", "NETFILTER_DROP");
    assert_eq!(
        other(&[NIC, OWN, &filtered].concat()),
        ["rx dropped: NETFILTER_DROP"]
    );
}

#[test]
fn a_full_buffer_behind_another_device_is_told() {
    // Kernel 6.1 names no function.
    for location in ["__udp_queue_rcv_skb+0xa6/0xf0", "00000000a1b2c3d4"] {
        let full = dropped(location, "SOCKET_RCVBUFF");
        assert_eq!(
            other(&[NIC, OWN, &full].concat()),
            ["rx dropped: SOCKET_RCVBUFF"]
        );
    }
}

/// The answer to a SYN may leave by another device: that it does not leave by this one refuses nothing.
#[test]
fn a_syn_is_not_refused_whose_answer_leaves_elsewhere() {
    let syn = "
   <idle>-0      [000] ..s1.    13.000021: netif_receive_skb: dev=eth0 skbaddr=ffff888000000300 len=60
   <idle>-0      [000] ..s1.    13.000023: consume_skb: skbaddr=ffff888000000300 location=tcp_rcv_state_process+0xa6/0xf0";
    let sent = "
   <idle>-0      [000] ..s1.    13.000025: net_dev_queue: dev=eth0 skbaddr=ffff888000000400 len=60";
    let of_one = [NIC, OWN, syn, sent].concat();
    assert_eq!(other(&of_one)[0], "rx consumed by the stack");
    assert_eq!(
        other(&of_one[NIC.len()..])[0],
        "rx dropped: NOT_SPECIFIED (inferred)"
    );
}

/// In a recording of all devices, what stood in a queue before it began, or lost its events, is told as inferred, where
/// the function is named and handles no clones.
#[test]
fn a_drop_of_what_was_not_seen_to_come_is_inferred() {
    let ends = "
   <idle>-0      [000] ..s1.    13.000009: softirq_exit: vec=3 [action=NET_RX]";
    let told =
        |location: &str, reason: &str| other(&[OWN, ends, &dropped(location, reason)].concat());
    assert_eq!(
        told("__udp_queue_rcv_skb+0xa6/0xf0", "SOCKET_RCVBUFF"),
        ["rx dropped: SOCKET_RCVBUFF (inferred)"]
    );
    for (location, reason) in [
        ("packet_rcv+0xa6/0xf0", "SOCKET_RCVBUFF"),
        ("raw_rcv+0xa6/0xf0", "SOCKET_RCVBUFF"),
        ("00000000a1b2c3d4", "SOCKET_RCVBUFF"),
        ("sk_stream_kill_queues+0x57/0xf0", "QUEUE_PURGE"),
        ("tcp_ofo_queue+0x57/0xf0", "TCP_OFO_DROP"),
    ] {
        assert_eq!(told(location, reason), [""; 0], "{location}");
    }
    // While its CPU receives another packet, it may be a clone of that one.
    let full = dropped("udp_queue_rcv_one_skb+0xa6/0xf0", "SOCKET_RCVBUFF");
    assert_eq!(other(&[OWN, &full].concat()), [""; 0]);
}

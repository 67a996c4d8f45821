//! VLAN tags that the NIC leaves in the frame.
//!
//! The lines are of kernel 6.18.

use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

/// A datagram of 100 bytes comes behind a tag, and its reader takes so many.
fn read(bytes: u32) -> (Verdict, u32, u32) {
    let (_, journeys) = opened(&format!(
        "
     <idle>-0     [000] ..s1. 13.000001: napi_gro_receive_entry: dev=eth0 napi_id=0x2 queue_mapping=0 skbaddr=00000000e9c02740 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x8100 ip_summed=0 hash=0x00000000 l4_hash=0 len=132
     <idle>-0     [000] ..s1. 13.000002: netif_receive_skb: dev=eth0 skbaddr=00000000e9c02740 len=132
     <idle>-0     [000] ..s1. 13.000003: sk_data_ready: family=2 protocol=17 func=sock_def_readable
     reader-8     [001] ..... 13.000030: sock_recv_length: sk address = 000000005e769b64, family = AF_INET protocol = 0x11, length = {bytes}, error = 0, flags = 0x0"
    ));
    let packet = &journeys.packets[0];
    (packet.verdict, packet.payload, packet.read)
}

#[test]
fn a_datagram_behind_a_tag_is_read_whole() {
    let (verdict, payload, read) = read(100);
    assert!(
        matches!(verdict, Verdict::Delivered { pid: Pid(8), .. }),
        "{verdict:?}"
    );
    assert_eq!((payload, read), (100, 100));
}

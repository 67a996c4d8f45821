//! Segments that TCP sends again, as the kernel tells of them: behind what it sent.
//!
//! The lines are of kernel 6.18.

use super::few_events::opened;
use crate::kernel::{PacketId, Probe};

/// A packet of another connection and the segment that is sent again, one after the other on one CPU.
fn trace(err: &str, flags: &str) -> String {
    format!(
        "
   <idle>-0      [000] b.s..    13.000001: net_dev_queue: dev=eth0 skbaddr=ffff888000000100 len=1514
   <idle>-0      [000] b.s..    13.000005: net_dev_queue: dev=eth0 skbaddr=ffff888000000200 len=1514
   <idle>-0      [000] b.s..    13.000006: net_dev_start_xmit: dev=eth0 queue_mapping=0 skbaddr=ffff888000000200 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=1514 data_len=1448 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
   <idle>-0      [000] b.s..    13.000007: net_dev_xmit: dev=eth0 skbaddr=ffff888000000200 len=1514 rc=0
   <idle>-0      [000] {flags}    13.000008: tcp_retransmit_skb: skbaddr=ffff888000000f00 skaddr=ffff888000002300 family=AF_INET state=TCP_ESTABLISHED sport=5001 dport=33002 saddr=192.0.2.1 daddr=192.0.2.2 saddrv6=::ffff:192.0.2.1 daddrv6=::ffff:192.0.2.2{err}
   <idle>-0      [000] b.s..    13.000010: net_dev_queue: dev=eth0 skbaddr=ffff888000000300 len=1514"
    )
}

/// The flow of each packet, and which of them is the one that was sent again.
fn told(trace: &str) -> (Vec<String>, PacketId) {
    let (run, journeys) = opened(trace);
    let flow = |id: PacketId| {
        let flow = journeys.flow(journeys.packets[id.at()].flow);
        flow.map_or_else(|| "?".to_owned(), ToString::to_string)
    };
    let mut events = run.indices();
    let again = events.find(|index| run.probe[index.at()] == Probe::TcpRetransmitSkb);
    let of = again.map_or(PacketId::NONE, |index| journeys.packet_of[index.at()]);
    (journeys.ids().map(flow).collect(), of)
}

#[test]
fn what_was_sent_before_the_event_is_the_segment() {
    let own = "TCP 192.0.2.1:5001 → 192.0.2.2:33002".to_owned();
    let open = || "?".to_owned();
    // The field is new in 6.18.
    for err in ["", " err=0"] {
        let (flows, of) = told(&trace(err, "..s.."));
        assert_eq!(flows, [open(), own.clone(), open()], "{err}");
        assert_eq!(of, PacketId(1), "{err}");
    }
}

#[test]
fn an_attempt_that_failed_sent_nothing() {
    let (flows, of) = told(&trace(" err=-11", "..s.."));
    assert_eq!((flows, of), (vec!["?".to_owned(); 3], PacketId::NONE));
}

/// An interrupt's softirq has sent the packet, and the event is the task's below it.
#[test]
fn another_context_sent_it() {
    let (flows, of) = told(&trace(" err=0", "....."));
    assert_eq!((flows, of), (vec!["?".to_owned(); 3], PacketId::NONE));
}

/// With kprobes: of IPv6 no function that IP passes tells which segment it is.
#[test]
fn a_segment_of_ipv6_is_what_tcp_sends() {
    let trace = "
   curl-9        [000] .....    13.000001: __tcp_transmit_skb: (__tcp_transmit_skb+0x0/0xc80) sk=0xffff888000002300 skb=0xffff888000000f00 clone=1 len=100
   curl-9        [000] b....    13.000004: __dev_queue_xmit: (__dev_queue_xmit+0x0/0xf50) skb=0xffff888000000100 len=186 ipid_be=0x2000 frag_be=0x4006 proto=1 seq_be=0x1020304 sport_be=0x0
   curl-9        [000] b....    13.000005: net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr=ffff888000000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=3 len=186 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=54 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0";
    let (run, journeys) = opened(trace);
    let events: Vec<_> = journeys
        .events(PacketId(0))
        .iter()
        .map(|event| run.probe[event.at()])
        .collect();
    assert_eq!(
        events,
        [
            Probe::TcpTransmitSkb,
            Probe::DevQueueXmit,
            Probe::NetDevStartXmit
        ]
    );
    assert_eq!(journeys.packets[0].seq, None);
}

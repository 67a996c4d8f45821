//! Fragments that come in another order than they were sent in, and what is no fragment. The lines are of kernel 6.18, most
//! of them of what a program wrote to a tun device.

use std::fmt::Write as _;

use super::few_events::opened;
use crate::journey::Journeys;
use crate::kernel::{Pid, Verdict};

/// Addresses of a datagram's fragments, in the order of their offsets.
const SKBS: [&str; 3] = ["45c72280", "32fb76ab", "2aa5d9a2"];
/// The reader.
const RD1: Pid = Pid(6841);

/// A packet of this length comes.
pub(super) fn comes(micros: u32, skb: &str, len: u32) -> String {
    format!(
        "
    tunner-6837 [000] b.... 1.{micros:06}: netif_receive_skb_entry: dev=tn0 napi_id=0x0 queue_mapping=1 skbaddr=00000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len={len} data_len=0 truesize=1472 mac_header_valid=1 mac_header=0 nr_frags=0 gso_size=0 gso_type=0x0
    tunner-6837 [000] b.... 1.{micros:06}: netif_receive_skb: dev=tn0 skbaddr=00000000{skb} len={len}
    tunner-6837 [000] b.... 1.{micros:06}: netif_receive_skb_exit: ret=0"
    )
}

/// A datagram is complete, comes to its socket and is read, with so many bytes, and what it was put together of is freed.
/// Its first fragment's `sk_buff` is freed before, unless it came last.
fn is_read(micros: u32, first: Option<&str>, parts: &[&str], bytes: u32) -> String {
    let (ready, read) = (micros + 1, micros + 2);
    let freed = first.map_or_else(String::new, |first| {
        format!(
            "
    tunner-6837 [000] b..1. 1.{micros:06}: consume_skb: skbaddr=00000000{first} location=inet_frag_reasm_prepare+0xe2/0x330"
        )
    });
    let mut list = String::new();
    for skb in parts {
        write!(
            list,
            "
    rd1-6841 [000] b.... 1.{read:06}: consume_skb: skbaddr=00000000{skb} location=skb_release_data+0x163/0x1d0"
        )
        .expect("a string takes all");
    }
    format!(
        "{freed}
    tunner-6837 [000] b.... 1.{ready:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable{list}
    rd1-6841 [000] ..... 1.{read:06}: sock_recv_length: sk address = 0000000031c78349, family = AF_INET protocol = 0x11, length = {bytes}, error = 0, flags = 0x40"
    )
}

/// The lines of a datagram whose fragments have these lengths and come in this order. The one that came last, if it is
/// not the first, is a clone at another address from then on.
fn comes_so(order: &[usize], lengths: &[u32], bytes: u32) -> String {
    let mut lines: String = order
        .iter()
        .zip(0..)
        .map(|(&fragment, nth)| comes(100 + nth * 10, SKBS[fragment], lengths[fragment]))
        .collect();
    let last = order.last().map(|&last| SKBS[last]);
    let first = Some(SKBS[0]).filter(|&first| last != Some(first));
    let parts: Vec<&str> = (1..order.len())
        .map(|fragment| SKBS[fragment])
        .map(|skb| if last == Some(skb) { "07ec5ccc" } else { skb })
        .collect();
    lines += &is_read(200, first, &parts, bytes);
    lines
}

/// What became of a packet: the bytes that were read of it, and where it is in its datagram.
type End = (Verdict, u32, Option<(u32, u32)>);

fn ends(journeys: &Journeys) -> Vec<End> {
    let packets = journeys.packets.iter();
    let end = packets.map(|packet| {
        let fragment = packet.fragment.map(|fragment| (fragment.from, fragment.to));
        (packet.verdict, packet.read, fragment)
    });
    end.collect()
}

#[test]
fn fragments_of_a_datagram_may_come_in_any_order() {
    let orders: [&[usize]; 8] = [
        &[0, 1, 2],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 2, 0],
        &[2, 0, 1],
        &[2, 1, 0],
        &[0, 1],
        &[1, 0],
    ];
    for order in orders {
        let (lengths, bytes): (&[u32], u32) = match order.len() {
            3 => (&[820, 1020, 430], 800 + 1000 + 410 - 8),
            _ => (&[820, 431], 800 + 411 - 8),
        };
        let plain = [comes(300, SKBS[1], 78), is_read(310, None, &[], 50)].concat();
        let (_, journeys) = opened(&[comes_so(order, lengths, bytes), plain].concat());
        let found = ends(&journeys);
        let (whole, parts) = (order.len() - 1, &found[..order.len() - 1]);
        for (nth, &(verdict, read, fragment)) in found[..=whole].iter().enumerate() {
            let before = lengths[..order[nth]].iter().map(|len| len - 20).sum();
            let behind = before + lengths[order[nth]] - 20;
            assert_eq!(fragment, Some((before, behind)), "{order:?}: {nth}");
            if nth < whole {
                assert_eq!((verdict.kind().name(), read), ("merged", 0), "{order:?}");
            }
        }
        assert_eq!(parts.len() + 2, found.len(), "{order:?}");
        let is_to_rd1 = |verdict| matches!(verdict, Verdict::Delivered { pid: RD1, .. });
        assert!(is_to_rd1(found[whole].0), "{order:?}: {found:?}");
        assert_eq!(found[whole].1, bytes, "{order:?}");
        assert!(is_to_rd1(found[whole + 1].0), "{order:?}: {found:?}");
        assert_eq!(found[whole + 1].1, 50, "{order:?}");
    }
}

/// The last fragment is shorter than UDP's header, which is in the first.
#[test]
fn the_last_fragment_of_a_datagram_may_have_three_bytes() {
    let (_, journeys) = opened(&comes_so(&[0, 1, 2], &[820, 820, 23], 1595));
    let whole = journeys.packets.last().expect("the last fragment");
    assert_eq!((whole.read, whole.payload), (1595, 1595));
}

/// What no read returned stays as it is: another datagram's fragments are none of this one.
#[test]
fn fragments_that_no_read_adds_up_to_are_left() {
    let (_, journeys) = opened(&comes_so(&[2, 1, 0], &[820, 1020, 430], 777));
    let merged = journeys
        .packets
        .iter()
        .filter(|packet| packet.fragment.is_some());
    assert_eq!(merged.count(), 0);
}

/// Nothing is told of a bare acknowledgement once it has come; it is of another flow than the datagram after it.
#[test]
fn a_datagram_behind_a_packet_of_another_flow_is_whole() {
    let (_, journeys) = opened(
        "
    t-5 [000] ..s1. 1.000010: netif_receive_skb_entry: dev=vB napi_id=0x0 queue_mapping=0 skbaddr=00000000bd0b0801 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x5bec0f11 l4_hash=1 len=52 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    t-5 [000] ..s1. 1.000011: netif_receive_skb: dev=vB skbaddr=00000000bd0b0801 len=52
    t-5 [000] ..s1. 1.000012: softirq_exit: vec=3 [action=NET_RX]
    s-6 [000] ..s1. 1.000020: netif_receive_skb_entry: dev=vB napi_id=0x0 queue_mapping=0 skbaddr=00000000bd0b0802 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    s-6 [000] ..s1. 1.000021: netif_receive_skb: dev=vB skbaddr=00000000bd0b0802 len=128
    s-6 [000] ..s1. 1.000022: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    s-6 [000] d.s4. 1.000023: sched_waking: comm=rd1 pid=7 prio=120 target_cpu=000
    rd1-7 [000] ..... 1.000030: sock_recv_length: sk address = 0000000031c78349, family = AF_INET protocol = 0x11, length = 100, error = 0, flags = 0x40
",
    );
    let [_, datagram] = &journeys.packets[..] else {
        panic!("two packets came");
    };
    let is_to_its_reader = matches!(datagram.verdict, Verdict::Delivered { pid: Pid(7), .. });
    assert!(is_to_its_reader, "{:?}", datagram.verdict);
}

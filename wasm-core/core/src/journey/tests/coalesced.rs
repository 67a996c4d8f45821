//! What is read with a copy that names another segment, where nothing else reports TCP: net and skb events alone.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::few_events::opened;
use crate::kernel::Verdict;

/// Headers of IPv4 and of TCP with timestamps.
const HEADERS: u32 = 20 + 32;

/// With fewer bytes behind it a segment may be a datagram, whose header is shorter by so many.
const SHORTEST: u32 = 32 - 8 + 1;

/// Segments of one flow with these payloads, and copies of these lengths that all name the first.
fn trace(payloads: &[u32], copies: &[u32]) -> String {
    let mut text = String::new();
    for (at, payload) in payloads.iter().enumerate() {
        let (len, skb) = (payload + HEADERS, 0xe01c_0000_u32 + at as u32 * 256);
        let fields = format!("skbaddr=00000000{skb:08x} vlan_tagged=0 hash=0x1234abcd len={len}");
        writeln!(
            text,
            "  app-7 [000] b.... 1.{at:06}: netif_rx_entry: dev=lo {fields}"
        )
        .unwrap();
        let fields = format!("dev=lo skbaddr=00000000{skb:08x} len={len}");
        writeln!(
            text,
            "  app-7 [000] ..s1. 1.{at:06}: netif_receive_skb: {fields}"
        )
        .unwrap();
    }
    for (at, count) in copies.iter().enumerate() {
        let copy = format!("skb_copy_datagram_iovec: skbaddr=00000000e01c0000 len={count}");
        writeln!(text, "  app-8 [001] ..... 2.{at:06}: {copy}").unwrap();
    }
    text
}

/// Cuts of a stream into reads, by how much each may take.
fn reads(mut bytes: u32, rooms: &[u32]) -> Vec<u32> {
    let mut reads = Vec::new();
    for &room in rooms.iter().cycle() {
        let read = room.min(bytes);
        bytes -= read;
        reads.push(read);
        if bytes == 0 {
            return reads;
        }
    }
    reads
}

proptest! {
    /// However many reads the bytes are taken in, and none is delivered of which a byte was left.
    #[test]
    fn what_copies_took_was_brought_by_the_segments_behind(
        payloads in prop::collection::vec(SHORTEST..3000, 1..12),
        read in 1_usize..12,
        rooms in prop::collection::vec(1_u32..9000, 1..4),
    ) {
        let read = read.min(payloads.len());
        let bytes: u32 = payloads[..read].iter().sum();
        // A first read of just so much is taken for one of a datagram, of a raw socket or of a packet socket.
        let taken_for = [SHORTEST - 1, HEADERS, HEADERS + 14].map(|more| payloads[0] + more);
        prop_assume!(!taken_for.contains(&rooms[0].min(bytes)));
        let (_, journeys) = opened(&trace(&payloads, &reads(bytes, &rooms)));
        let delivered = journeys.packets.iter().filter(|packet| {
            matches!(packet.verdict, Verdict::Delivered { .. })
        });
        let delivered: Vec<u32> = delivered.map(|packet| packet.payload).collect();
        prop_assert_eq!(&delivered, &payloads[..read]);
    }

    /// A datagram that came in fragments, say, has no such sum: nothing is said of what came behind it.
    #[test]
    fn segments_that_do_not_add_up_stay_open(
        payloads in prop::collection::vec(100_u32..3000, 2..12),
        more in 1_u32..100,
    ) {
        let (_, journeys) = opened(&trace(&payloads, &[payloads[0] + more]));
        let open = journeys.packets.iter().filter(|packet| packet.verdict == Verdict::Open);
        prop_assert_eq!(open.count(), payloads.len() - 1);
    }
}

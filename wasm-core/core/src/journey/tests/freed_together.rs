//! Fragments are freed with the datagram that they were put together to, and so tell which one that is: where two came by
//! turns, in any order, and nobody reads them. The lines are of kernel 6.18.

use super::few_events::opened;
use super::reordered::comes;
use crate::journey::Journeys;
use crate::kernel::{DropReason, PacketId, Verdict};

/// A line of the CPU that receives.
fn here(micros: u32, event: &str) -> String {
    format!(
        "
    tunner-6837 [000] b.... 1.{micros:06}: {event}"
    )
}

/// The first fragment's `sk_buff` is freed, as its datagram is complete with the one that has just come.
fn prepared(micros: u32, first: &str) -> String {
    let function = "inet_frag_reasm_prepare+0xe2/0x330";
    here(
        micros,
        &format!("consume_skb: skbaddr=00000000{first} location={function}"),
    )
}

fn ready(micros: u32) -> String {
    here(
        micros,
        "sk_data_ready: family=2 protocol=17 func=sock_def_readable",
    )
}

/// A task reads the datagram at this address, and frees it with its parts.
fn read(micros: u32, skb: &str, parts: &[&str], bytes: u32) -> String {
    let rd1 = |event: &str| {
        format!(
            "
    rd1-6841 [001] ..... 1.{micros:06}: {event}"
        )
    };
    let copy = rd1(&format!(
        "skb_copy_datagram_iovec: skbaddr=00000000{skb} len={bytes}"
    ));
    let free = |skb: &&str| {
        rd1(&format!(
            "consume_skb: skbaddr=00000000{skb} location=skb_release_data+0x163/0x1d0"
        ))
    };
    let freed: String = parts.iter().map(free).collect();
    let returns = rd1(&format!(
        "sock_recv_length: sk address = 0000000031c78349, family = AF_INET protocol = 0x11, length = {bytes}, error = 0, flags = 0x40"
    ));
    [copy, freed, returns].concat()
}

/// The datagram at this address is freed with its parts, by this event and for this reason.
fn freed(micros: u32, event: &str, skb: &str, parts: &[&str]) -> String {
    let whole = here(micros, &event.replace("SKB", skb));
    let free = |skb: &&str| {
        here(
            micros,
            &format!(
                "kfree_skb: skbaddr=00000000{skb} rx_sk=0000000000000000 protocol=2048 location=skb_release_data+0x163/0x1d0 reason: NOT_SPECIFIED"
            ),
        )
    };
    let parts: String = parts.iter().map(free).collect();
    whole + &parts
}

/// Into which packet each is merged, and of how many parts it is.
fn merged(journeys: &Journeys) -> Vec<(Option<u32>, u32)> {
    let packets = journeys.packets.iter();
    let of = packets.map(|packet| match packet.verdict {
        Verdict::Merged { into } => (Some(into.0), packet.parts),
        _ => (None, packet.parts),
    });
    of.collect()
}

const INTO_NONE: Option<u32> = Some(PacketId::NONE.0);

#[test]
fn two_datagrams_whose_last_fragments_came_first_are_told_apart() {
    let [a1, a2, b1, b2] = ["45c72280", "32fb76ab", "2aa5d9a2", "07ec5ccc"];
    let (_, journeys) = opened(
        &[
            comes(100, a2, 548),
            comes(110, b2, 948),
            comes(120, a1, 1500),
            ready(121),
            comes(130, b1, 1500),
            ready(131),
            read(200, a1, &[a2], 2000),
            read(210, b1, &[b2], 2400),
        ]
        .concat(),
    );
    let expected = [(Some(2), 1), (Some(3), 1), (None, 2), (None, 2)];
    assert_eq!(merged(&journeys), expected);
    let read: Vec<u32> = journeys.packets.iter().map(|packet| packet.read).collect();
    assert_eq!(read, [0, 0, 2000, 2400]);
}

/// Three datagrams of one length, in two fragments each, all begun before one is complete.
#[test]
fn datagrams_of_one_length_by_turns_are_told_apart() {
    let firsts = ["45c72280", "32fb76ab", "2aa5d9a2"];
    let lasts = ["07ec5ccc", "07ec5cd0", "07ec5cd4"];
    let clones = ["09ec5ccc", "09ec5cd0", "09ec5cd4"];
    let mut lines = String::new();
    for (nth, first) in (0..).zip(firsts) {
        lines += &comes(100 + nth * 10, first, 1500);
    }
    for (nth, of) in [(0, 2), (1, 0), (2, 1)] {
        lines += &comes(200 + nth * 10, lasts[of], 548);
        lines += &prepared(201 + nth * 10, firsts[of]);
        lines += &ready(202 + nth * 10);
    }
    for (nth, of) in [(0, 2), (1, 0), (2, 1)] {
        lines += &read(300 + nth * 10, lasts[of], &[clones[of]], 2000);
    }
    let (_, journeys) = opened(&lines);
    let parts = [Some(4), Some(5), Some(3)].map(|into| (into, 1));
    let expected = [parts, [(None, 2); 3]].concat();
    assert_eq!(merged(&journeys), expected);
}

#[test]
fn a_datagram_that_nobody_listens_for_is_put_together_of_what_came_before_its_first_fragment() {
    let [first, second, third] = ["45c72280", "32fb76ab", "2aa5d9a2"];
    let refused = "kfree_skb: skbaddr=00000000SKB rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET";
    let (_, journeys) = opened(
        &[
            comes(100, third, 1068),
            comes(110, second, 1500),
            comes(120, first, 1500),
            freed(130, refused, first, &[second, third]),
        ]
        .concat(),
    );
    assert_eq!(merged(&journeys), [(Some(2), 1), (Some(2), 1), (None, 3)]);
    let whole = &journeys.packets[2];
    let reason = DropReason::NoSocket;
    assert_eq!(
        (whole.verdict, whole.payload),
        (Verdict::Dropped { reason }, 4000)
    );
}

#[test]
fn a_fragmented_echo_request_is_whole_when_it_is_answered() {
    let [first, second, third, clone] = ["45c72280", "32fb76ab", "2aa5d9a2", "07ec5ccc"];
    let answered = "consume_skb: skbaddr=00000000SKB location=icmp_rcv+0x259/0x3c0";
    let (_, journeys) = opened(
        &[
            comes(100, first, 1500),
            comes(110, second, 1500),
            comes(120, third, 68),
            prepared(121, first),
            freed(130, answered, third, &[second, clone]),
        ]
        .concat(),
    );
    assert_eq!(merged(&journeys), [(Some(2), 1), (Some(2), 1), (None, 3)]);
    assert_eq!(journeys.packets[2].verdict, Verdict::Consumed);
}

/// One fragment more is freed than came: nothing is told of which datagram those are that did.
#[test]
fn a_datagram_that_has_more_fragments_than_came_is_not_put_together() {
    let [first, second, third, other] = ["45c72280", "32fb76ab", "2aa5d9a2", "07ec5ccc"];
    let answered = "consume_skb: skbaddr=00000000SKB location=icmp_rcv+0x259/0x3c0";
    let (_, journeys) = opened(
        &[
            comes(110, second, 1500),
            comes(120, first, 1500),
            freed(130, answered, first, &[second, third, other]),
        ]
        .concat(),
    );
    assert_eq!(merged(&journeys), [(INTO_NONE, 1), (None, 1)]);
}

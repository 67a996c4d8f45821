//! Captures of a link whose both ends are the host under trace, as a veth pair's are.

use std::fmt::Write as _;

use super::attach::{join, run, said};
use super::*;

/// Datagrams from one end to the other, each of another length and answered by one that is as long as the first of them:
/// for a moment the answer fits the packet that it answers.
fn both_ends(has_content: bool) -> (String, Vec<(u64, Vec<u8>)>) {
    let mut trace = "# kperf 2\n".to_owned();
    let mut line = 0;
    let mut say = |what: &str, micros: u64, skb: u64, len: usize, more: &str| {
        line += 1;
        let line = format!("{line} ev {what} ts 5.{micros:06} cpu 0");
        writeln!(trace, "{line} skb ffff888000{skb:06x} len {len} {more}")
            .expect("a String takes any text");
    };
    let mut frames = Vec::new();
    for at in 0..6_u64 {
        let time = 10 + at * 2_000;
        let request = if at == 0 { 22 } else { 100 + at as usize };
        let payloads = [(false, vec![0; request]), (true, vec![0; 22])];
        for (number, (is_to_host, payload)) in payloads.into_iter().enumerate() {
            let id = (at * 2) as u16 + number as u16 + 1;
            let packet = ipv4(is_to_host, 17, id, 0x4000, &udp(40_000, 5001, &payload));
            let (skb, time) = (u64::from(id) << 8, time + number as u64 * 13);
            let (from, to) = if is_to_host {
                ("bv0", "bv1")
            } else {
                ("bv1", "bv0")
            };
            let ids = if has_content {
                format!("ip_id {id} frag_off 0x4000 proto 17 ")
            } else {
                String::new()
            };
            say(
                "net_dev_queue",
                time,
                skb,
                packet.len() + 14,
                &format!("dev {from} protocol 0x800 {ids}"),
            );
            say(
                "net_dev_start_xmit",
                time + 2,
                skb,
                packet.len() + 14,
                &format!("dev {from} protocol 0x800"),
            );
            say(
                "netif_receive_skb",
                time + 9,
                skb,
                packet.len(),
                &format!("dev {to} protocol 0x800 {ids}"),
            );
            frames.push((time + 1, ethernet(is_to_host, &packet)));
        }
    }
    (trace, frames)
}

#[test]
fn the_frames_of_a_veth_pair_are_found_with_either_end() {
    for has_content in [false, true] {
        let (trace, frames) = both_ends(has_content);
        let (_, attachment) = join(&trace, &frames, None);
        let told = said(&attachment);
        assert_eq!(
            attachment.matched_rx + attachment.matched_tx,
            12,
            "{attachment:#?}\n{told}"
        );
        assert!(!told.contains("another host"), "{told}");
        assert_eq!(attachment.dropped_by_nic, 0, "{told}");
    }
}

/// Where few frames fit, and those by their lengths and at times that contradict each other, none is taken over.
#[test]
fn what_fits_by_chance_is_left_out() {
    const TRACE: &str = "\
# kperf 2
1 ev netif_receive_skb ts 5.000012 cpu 0 skb ffff888000000100 len 44 dev eth0
2 ev net_dev_queue ts 5.010000 cpu 0 skb ffff888000000200 len 74 dev eth0
3 ev net_dev_start_xmit ts 5.010001 cpu 0 skb ffff888000000200 len 74 dev eth0
4 ev netif_receive_skb ts 5.020000 cpu 0 skb ffff888000000300 len 1200 dev eth0
";
    let frame = |is_to_host: bool, bytes: usize| {
        let payload = vec![0; bytes - 28];
        let packet = ipv4(is_to_host, 17, 7, 0x4000, &udp(40_000, 5001, &payload));
        ethernet(is_to_host, &packet)
    };
    let mut frames: Vec<(u64, Vec<u8>)> = (0..30)
        .map(|nth| (nth * 1_000, frame(true, 100 + nth as usize)))
        .collect();
    frames.extend([(9_000, frame(true, 44)), (1_000, frame(false, 60))]);
    frames.sort();
    let (after, attachment) = join(TRACE, &frames, None);
    let told = said(&attachment);
    assert!(attachment.matched_rx + attachment.matched_tx > 0, "{told}");
    assert!(told.contains("is taken over"), "{told}");
    assert_eq!(after.fingerprint(), run(TRACE).fingerprint());
}

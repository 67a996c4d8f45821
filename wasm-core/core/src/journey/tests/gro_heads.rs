//! Segments that GRO merges, and the packet that it holds for them.

use super::*;

/// The recording begins when GRO holds a head already.
#[test]
fn a_segment_is_merged_though_its_head_was_not_seen() {
    check_journeys(
        "
        1 ev napi_gro_receive ts 0.000001000 cpu 0 ctx softirq pid 0 skb 20 len 1500
        2 ev skb_gro_receive ts 0.000002000 cpu 0 ctx softirq pid 0 skb 20 into 10 len 1448
        ",
        &expect![[r#"
            packet 0: rx 1500 B, merged into a head that was not observed: 1 µs, 1 in service
              +0          cpu0  softirq  GRO                1 = 1 service + 0 wait
        "#]],
    );
}

fn entry(at: u32, skb: &str, hash: &str) -> String {
    format!(
        "  <idle>-0 [000] ..s1. 31.{at:06}: napi_gro_receive_entry: dev=eth0 napi_id=0x2001 queue_mapping=1 skbaddr=ffff8880000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=1 hash={hash} l4_hash=1 len=1500 data_len=0 truesize=2304 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0\n"
    )
}

fn exit(at: u32, ret: u32) -> String {
    format!("  <idle>-0 [000] ..s1. 31.{at:06}: napi_gro_receive_exit: ret={ret}\n")
}

/// The verdicts of packets that GRO is given one after the other, each with its hash and what GRO does with it.
fn verdicts(given: &[(&str, u32)], then: &str) -> Vec<String> {
    let lines = given.iter().enumerate().map(|(number, (hash, ret))| {
        let at = 10 * number as u32;
        entry(at, &format!("{number:02}00"), hash) + &exit(at + 1, *ret)
    });
    let trace = format!("# tracer: nop\n#\n{}{then}", lines.collect::<String>());
    let (_, journeys) = super::few_events::opened(&trace);
    let packets = journeys.packets.iter();
    packets
        .map(|packet| match packet.verdict {
            Verdict::Merged { into } if into.is_some() => {
                assert!(packet.is_inferred);
                format!("in {}", into.0)
            }
            Verdict::Merged { .. } => "in what was not seen".to_owned(),
            _ => "by itself".to_owned(),
        })
        .collect()
}

/// `napi_gro_receive_exit` tells that a segment was merged and not into which.
#[test]
fn the_head_of_a_segment_is_the_one_of_its_flow_that_gro_holds() {
    let own = "by itself".to_owned();
    let of_two = [("0x1", 2), ("0x2", 2), ("0x1", 0), ("0x2", 1)];
    let expected = [
        own.clone(),
        own.clone(),
        "in 0".to_owned(),
        "in 1".to_owned(),
    ];
    assert_eq!(verdicts(&of_two, ""), expected);
    // Without a hash the only one.
    let only = [("0x0", 2), ("0x0", 0)];
    assert_eq!(verdicts(&only, ""), [own.clone(), "in 0".to_owned()]);
    let unseen = "in what was not seen".to_owned();
    let of_which = [("0x0", 2), ("0x0", 2), ("0x0", 0)];
    assert_eq!(
        verdicts(&of_which, ""),
        [own.clone(), own.clone(), unseen.clone()]
    );
    let none_held = [("0x1", 3), ("0x1", 0)];
    assert_eq!(verdicts(&none_held, ""), [own, unseen]);
}

/// It goes on to the protocols, and takes up no more.
#[test]
fn a_head_that_has_gone_on_takes_up_no_segment() {
    let up = "  <idle>-0 [000] ..s1. 31.000005: netif_receive_skb: dev=eth0 skbaddr=ffff88800000000 len=1500\n";
    let later = up.to_owned() + &entry(6, "0900", "0x1") + &exit(7, 0);
    let verdicts = verdicts(&[("0x1", 2)], &later);
    assert_eq!(verdicts, ["by itself", "in what was not seen"]);
}

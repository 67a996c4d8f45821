//! What is said of GRO where it is on, where it is off, and where nothing tells.

use expect_test::expect;

use super::said::check;
use crate::kernel::{Origin, PacketId};
use crate::replay::tests::{replay, run_of};
use crate::told::{Told, What, said};

/// A frame that a kernel hands up through `napi_gro_receive`, which returns this.
fn handed_up(result: u32) -> String {
    format!(
        "
        1 ev wire_rx ts 1.000001 skb ffff888005001000 len 106 dev eth0
        2 ev softirq_entry ts 1.000008 cpu 0 ctx softirq pid 0 vec 3
        3 ev napi_gro_receive_entry ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
        4 ev napi_gro_receive_exit ts 1.000011 cpu 0 ctx softirq pid 0 ret {result}
        5 ev netif_receive_skb ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
        6 ev napi_poll ts 1.000020 cpu 0 ctx softirq pid 0 work 1 budget 64 dev eth0
        7 ev softirq_exit ts 1.000021 cpu 0 ctx softirq pid 0 vec 3"
    )
}

#[test]
fn a_recording_in_which_nothing_is_merged_does_not_say_that_gro_is_on() {
    check(
        &handed_up(3),
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 106 B. [wire_rx]
            0 µs #0 The NIC writes the frame into the ring, which was empty. No CPU knows of it yet: the NIC will interrupt one. [wire_rx]
            9 µs #0 In its softirq CPU 0 takes the frame out of the ring, where it waited 9.00 µs. It goes on alone: GRO is switched off or has nothing to merge it with. [napi_gro_receive_entry on CPU 0, softirq]
            11 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
        "#]],
    );
}

#[test]
fn what_gro_holds_says_that_it_is_on() {
    check(
        &handed_up(2),
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 106 B. [wire_rx]
            0 µs #0 The NIC writes the frame into the ring, which was empty. No CPU knows of it yet: the NIC will interrupt one. [wire_rx]
            9 µs #0 In its softirq CPU 0 takes the frame out of the ring, where it waited 9.00 µs. GRO holds it: more of its flow may come in this poll. [napi_gro_receive_entry on CPU 0, softirq]
            11 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
        "#]],
    );
}

/// `napi_gro_receive_exit` says that a frame was merged, and names no packet that took it in.
#[test]
fn what_took_a_merged_frame_in_is_not_numbered_where_it_is_not_known() {
    let trace = "
        1 ev softirq_entry ts 1.000008 cpu 0 ctx softirq pid 0 vec 3
        2 ev napi_gro_receive_entry ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 1500 dev eth0
        3 ev napi_gro_receive_exit ts 1.000011 cpu 0 ctx softirq pid 0 ret 1
        4 ev softirq_exit ts 1.000021 cpu 0 ctx softirq pid 0 vec 3";
    check(
        trace,
        0,
        &expect![[r#"
        0.715 µs #0 We follow packet 0 as soon as it comes: 1.50 kB. It is first seen here: GRO. [napi_gro_receive_entry on CPU 0, softirq]
        2 µs #0 GRO looks whether the frame can be merged with those before it. [napi_gro_receive_entry on CPU 0, softirq]
        3 µs #0 GRO merges it into another packet: which one is not recorded. [napi_gro_receive_entry on CPU 0, softirq]
    "#]],
    );
}

/// The same of a fragment that is freed with a datagram of which nothing else was recorded.
#[test]
fn what_a_fragment_became_a_part_of_is_not_numbered_where_it_is_not_known() {
    let trace = "
        1 ev netif_receive_skb ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 1500 dev eth0
        2 ev consume_skb ts 1.000020 cpu 0 ctx softirq pid 0 skb ffff888005001000 location skb_release_data+0x163/0x1d0";
    check(
        trace,
        0,
        &expect![[r#"
        0 µs #0 We follow packet 0: 1.50 kB. [netif_receive_skb on CPU 0, softirq]
        0 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
        8 µs #0 It goes on as a part of another packet: which one is not recorded. [consume_skb on CPU 0, softirq]
    "#]],
    );
}

/// The sentences of a simulated frame that the driver makes a packet of, with what follows on that.
fn simulated(then: &str) -> Vec<&'static str> {
    let trace = format!(
        "
        1 ev wire_rx ts 1.000001 skb ffff888005001000 len 106 dev eth0
        2 ev softirq_entry ts 1.000008 cpu 0 ctx softirq pid 0 vec 3
        3 ev build_skb ts 1.000009 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92
        {then}
        5 ev netif_receive_skb ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
        6 ev softirq_exit ts 1.000021 cpu 0 ctx softirq pid 0 vec 3"
    );
    let mut run = run_of(&trace);
    run.origin = Origin::Simulated;
    let replay = replay(run);
    let told = Told::of(&replay, Some(PacketId(0)));
    let comes = told
        .beats
        .iter()
        .filter(|beat| matches!(beat.what, What::Comes(_)));
    let said = comes.map(|beat| said(&replay, &told, beat));
    said.flat_map(|said| std::iter::once(said.plain).chain(said.why))
        .map(|saying| saying.code)
        .collect()
}

#[test]
fn a_simulation_says_what_its_driver_does() {
    let gro = "4 ev napi_gro_receive ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0";
    assert!(simulated(gro).contains(&"told.gro"), "{:?}", simulated(gro));
    let without = simulated("");
    assert!(
        !without.iter().any(|code| code.contains("gro")),
        "{without:?}"
    );
    assert!(without.contains(&"told.polled_in_softirq"), "{without:?}");
}

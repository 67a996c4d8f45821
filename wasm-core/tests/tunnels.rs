//! Tunnels between two network namespaces of one host, joined by a veth pair, as `ringside-capture` recorded them
//! on Linux 6.1 with kprobes and without: each datagram of 700 bytes is one packet from where it is sent to its
//! reader, whatever is put around it and taken off again.
//!
//! What tells it differs: a kprobe of this kernel has neither length nor device, WireGuard decrypts on whatever CPU
//! its workqueue runs on, and ESP is taken up at the device that received it, by `gro_cells` or by `netif_rx`.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::journey::{Journeys, Packet};
use ringside::kernel::{Direction, VerdictKind};

use crate::recordings::recording;

fn delivered(journeys: &Journeys) -> impl Iterator<Item = &Packet> {
    let packets = journeys.packets.iter();
    packets.filter(|it| it.verdict.kind() == VerdictKind::Delivered)
}

/// How many datagrams are read of a recording in which no packet's end is missing. How much of one, only kprobes tell.
fn datagrams(name: &str, outer: u32) -> usize {
    let (_, journeys) = recording(name);
    let payload = if name.ends_with("kprobes") { 700 } else { 0 };
    assert_eq!(journeys.count(VerdictKind::Open), 0, "{name}");
    for packet in delivered(&journeys) {
        assert_eq!(packet.direction, Direction::Transmit, "{name}");
        // On the veth pair, with Ethernet's header.
        assert_eq!((packet.bytes, packet.payload), (outer, payload), "{name}");
    }
    delivered(&journeys).count()
}

#[test]
fn a_datagram_through_vxlan_is_one_packet() {
    let (_, journeys) = recording("vxlan-kprobes");
    assert_eq!(journeys.packets.len(), 4);
    assert_eq!(datagrams("vxlan-kprobes", 792), 4);
}

#[test]
fn a_datagram_through_wireguard_is_one_packet() {
    let (_, journeys) = recording("wireguard");
    assert_eq!(journeys.packets.len(), 7);
    assert_eq!(datagrams("wireguard", 810), 7);
    // Where IP's probe tells no length it is safe to go on without.
    let (_, journeys) = recording("wireguard-kprobes");
    assert_eq!(journeys.count(VerdictKind::Transmitted), 0);
    assert_eq!(journeys.packets.len(), 3);
    assert_eq!(datagrams("wireguard-kprobes", 810), 3);
}

#[test]
fn a_datagram_through_esp_is_one_packet() {
    for (name, count) in [("esp-kprobes", 3), ("esp", 4)] {
        let (_, journeys) = recording(name);
        assert_eq!(journeys.packets.len(), count, "{name}");
        assert_eq!(datagrams(name, 798), count);
    }
}

#[test]
fn an_acknowledgement_that_goes_by_netif_rx_is_one_packet() {
    let (_, journeys) = recording("esp-tcp");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
    let bare = journeys.packets.iter().filter(|it| it.payload == 0);
    let consumed = bare.filter(|it| it.verdict.kind() == VerdictKind::Consumed);
    assert_eq!((consumed.count(), delivered(&journeys).count()), (8, 5));
    let (_, journeys) = recording("wireguard-tcp-kprobes");
    assert_eq!(journeys.count(VerdictKind::Open), 0);
}

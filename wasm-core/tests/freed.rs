//! Who frees a packet tells how it ended: not each task that frees one has read it. Stretches in `tests/tracepoints/` of
//! what `ringside-capture` recorded of short Python programs, over veth between network namespaces and over a tap.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::journey::{Journeys, Packet};
use ringside::kernel::{Field, Probe, VerdictKind};
use ringside::run::Run;

use crate::recordings::recording;

/// The packets among whose events is a free by this function.
fn freed_by<'a>(run: &Run, journeys: &'a Journeys, function: &str) -> Vec<&'a Packet> {
    let is_it = |&at: &_| {
        let location = run.field_name(at, Field::Location);
        run.probe[at.at()] == Probe::ConsumeSkb
            && location.is_some_and(|location| location.starts_with(function))
    };
    let packets = run
        .indices()
        .filter(is_it)
        .map(|at| journeys.packet_of[at.at()]);
    packets
        .filter_map(|packet| journeys.packets.get(packet.at()))
        .collect()
}

/// The note that data sent without a copy are done with, and the copy with which a neighbour is asked for, have the
/// memory of segments that TCP was done with before.
#[test]
fn memory_that_was_used_again_is_no_end() {
    for (name, function) in [
        ("tcp-zero-copy", "__msg_zerocopy_callback"),
        ("neighbour-asked", "__neigh_event_send"),
    ] {
        let (run, journeys) = recording(name);
        let frees = run.indices().filter(|&at| {
            let location = run.field_name(at, Field::Location);
            location.is_some_and(|location| location.starts_with(function))
        });
        assert!(frees.count() > 0, "{name}");
        assert!(freed_by(&run, &journeys, function).is_empty(), "{name}");
        let mut packets = journeys.packets.iter();
        let is_read = |packet: &Packet| packet.verdict.kind() == VerdictKind::Delivered;
        assert!(
            packets.all(|packet| packet.payload > 0 || !is_read(packet)),
            "{name}"
        );
    }
}

/// A program that writes to a tap, or lets a packet pass from a queue of netfilter, is not its reader: ARP and TCP use
/// it up in that call.
#[test]
fn what_protocols_use_up_in_a_call_that_hands_it_over_is_not_read() {
    for (name, function) in [
        ("tap-arp-and-syn", "arp_process"),
        ("tap-arp-and-syn", "tcp_rcv_state_process"),
        ("netfilter-queue-in", "tcp_rcv_state_process"),
    ] {
        let (run, journeys) = recording(name);
        let used_up = freed_by(&run, &journeys, function);
        assert!(!used_up.is_empty(), "{name}: {function}");
        let is_it = |packet: &&Packet| packet.verdict.kind() == VerdictKind::Consumed;
        assert!(used_up.iter().all(is_it), "{name}: {function}");
    }
}

//! Frames that the kernel has no event of: what they are, and whether the NIC lost them.

use super::attach::{UDP, datagram, join};
use super::*;

/// A frame of IPv6 that the kernel has no event of, in a trace of another datagram.
#[test]
fn a_frame_of_ipv6_has_its_addresses() {
    let mut packet = vec![0x60, 0, 0, 0, 0, 24, 17, 64];
    for host in [2, 1] {
        packet.extend([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host]);
    }
    packet.extend(udp(5001, 40_000, &marker(1, 31)));
    let frame = [&HOST[..], &PEER, &[0x86, 0xdd], &packet].concat();
    let (run, _) = join(
        UDP,
        &[(5_000_009, datagram(7, 1)), (5_000_020, frame)],
        Some(0),
    );
    let journeys = crate::journey::Journeys::of(&run);
    let flows: Vec<String> = journeys.flows.iter().map(ToString::to_string).collect();
    assert!(
        flows.contains(&"UDP [2001:db8::2]:5001 → [2001:db8::1]:40000".to_owned()),
        "{flows:?}"
    );
}

/// The driver took three frames, and the kernel has events of two: what an XDP program drops has had its descriptor.
#[test]
fn a_frame_that_the_driver_took_found_its_descriptor() {
    let frames = [
        (1_000, datagram(7, 0)),
        (1_010, datagram(8, 1)),
        (1_015, datagram(9, 2)),
        (1_100, datagram(10, 3)),
    ];
    let dropped = |work: u32| {
        let polled = "1 ev napi_poll ts 5.000020 cpu 0 napi ffff888000000900 dev eth0 work 1 budget 64\n3 ev napi_gro";
        let trace = UDP
            .replace("work 2", &format!("work {work}"))
            .replace("3 ev napi_gro", polled);
        join(&trace, &frames, None).1.dropped_by_nic
    };
    assert_eq!(dropped(1), 1);
    assert_eq!(dropped(2), 0);
}

//! Frames of IPv6, which have no number of their own: addresses, ports, TCP's sequence number and lengths tell them apart.

use super::attach::join;
use super::*;
use crate::kernel::{Field, Probe};
use crate::run::Run;

/// A hop-by-hop header with router alert (RFC 2711), 8 bytes, before what this protocol number stands for.
fn router_alert(next: u8) -> Vec<u8> {
    vec![next, 0, 5, 2, 0, 0, 1, 0]
}

/// A frame of IPv6 from 2001:db8::`from` to 2001:db8::1, or back.
fn v6(is_to_host: bool, peer: u8, next: u8, above: &[u8]) -> Vec<u8> {
    let (to, from) = if is_to_host {
        (HOST, PEER)
    } else {
        (PEER, HOST)
    };
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((above.len() as u16).to_be_bytes());
    packet.extend([next, 64]);
    let ends = if is_to_host { [peer, 1] } else { [1, peer] };
    for host in ends {
        packet.extend([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host]);
    }
    [&to[..], &from, &[0x86, 0xdd], &packet, above].concat()
}

/// The last digits of the address of the packet that each frame became, in the order of the frames; 0 for none.
fn packets(run: &Run) -> Vec<u64> {
    let frames = run.indices().filter(|index| {
        let probe = run.probe[index.at()];
        matches!(probe, Probe::WireRx | Probe::WireTx)
    });
    let mut frames: Vec<_> = frames.map(|index| run.event(index)).collect();
    frames.sort_by_key(|frame| frame.line);
    let skb = |skb: crate::kernel::AddrId| {
        if skb.is_some() {
            run.addresses.value(skb) & 0xfff
        } else {
            0
        }
    };
    frames.into_iter().map(|frame| skb(frame.skb)).collect()
}

/// Events of packets in another order than that of their frames, as their driver has two queues.
fn received(fields: [&str; 2]) -> String {
    format!(
        "\
# kperf 2
1 ev napi_gro_receive ts 5.000010 cpu 0 skb ffff888000000100 dev eth0 protocol 0x86dd {}
2 ev napi_gro_receive ts 5.000012 cpu 1 skb ffff888000000200 dev eth0 protocol 0x86dd {}
",
        fields[0], fields[1]
    )
}

#[test]
fn ports_addresses_numbers_and_lengths_tell_frames_apart() {
    let of = |peer: u8| format!("saddrv6 2001:db8::{peer} daddrv6 2001:db8::1 sport 5001 dport 40");
    let datagram =
        |peer: u8, sport: u16, bytes: usize| v6(true, peer, 17, &udp(sport, 40, &vec![0; bytes]));
    let segment = |seq: u32| v6(true, 2, 6, &tcp(5001, 40, seq, &[0; 100]));
    let cases = [
        // Who sent it.
        (
            [
                format!("len 148 proto 17 {}", of(3)),
                format!("len 148 proto 17 {}", of(2)),
            ],
            [datagram(2, 5001, 100), datagram(3, 5001, 100)],
        ),
        // From which port.
        (
            [
                "len 148 proto 17 sport 5002 dport 40".to_owned(),
                "len 148 proto 17 sport 5001 dport 40".to_owned(),
            ],
            [datagram(2, 5001, 100), datagram(2, 5002, 100)],
        ),
        // How long it is, where GRO or a tunnel has not changed that.
        (
            [
                format!("len 248 proto 17 {}", of(2)),
                format!("len 148 proto 17 {}", of(2)),
            ],
            [datagram(2, 5001, 100), datagram(2, 5001, 200)],
        ),
        // Where in the stream it is.
        (
            [
                format!("len 160 proto 6 seq_no 1100 {}", of(2)),
                format!("len 160 proto 6 seq_no 1000 {}", of(2)),
            ],
            [segment(1000), segment(1100)],
        ),
    ];
    for ([first, second], [one, other]) in cases {
        let trace = received([&first, &second]);
        let (run, attachment) = join(&trace, &[(1_000, one), (1_001, other)], None);
        assert_eq!(packets(&run), [0x200, 0x100], "{trace}");
        assert_eq!(attachment.matched_by_order, 0);
    }
}

/// An extension header is a part of neither the datagram nor the segment, and a segment that GRO put together has the frames that
/// its payload takes.
#[test]
fn extension_headers_are_no_payload() {
    let above = |above: Vec<u8>, next| [router_alert(next), above].concat();
    let segment = |seq: u32| v6(true, 2, 0, &above(tcp(5001, 40, seq, &[0; 100]), 6));
    let trace = received([
        "len 268 proto 6 sport 5001 dport 40 seq_no 1000",
        "len 156 proto 17 sport 5001 dport 40",
    ]);
    let frames = [
        (1_000, segment(1000)),
        (1_001, segment(1100)),
        (1_002, segment(1200)),
        (1_003, v6(true, 2, 0, &above(udp(5001, 40, &[0; 100]), 17))),
    ];
    let (run, _) = join(&trace, &frames, None);
    // The packet's event has the skb with the first of its frames only.
    assert_eq!(packets(&run), [0x100, 0, 0, 0x200]);
    let payloads = run
        .indices()
        .filter(|at| run.probe[at.at()] == Probe::WireRx);
    let payloads: Vec<_> = payloads.map(|at| run.field(at, Field::Payload)).collect();
    assert_eq!(payloads, [Some(100); 4]);
}

/// What cannot be a packet's frame is none, though it is as long and comes in time.
#[test]
fn a_frame_of_another_flow_is_not_taken_for_its_length() {
    let trace = received([
        "len 148 proto 17 saddrv6 2001:db8::2 daddrv6 2001:db8::1 sport 5001 dport 40",
        "len 148 proto 17 saddrv6 2001:db8::2 daddrv6 2001:db8::1 sport 5001 dport 40",
    ]);
    let datagram = |sport: u16| v6(true, 2, 17, &udp(sport, 40, &[0; 100]));
    let frames = [
        (1_000, datagram(7)),
        (1_001, datagram(5001)),
        (1_002, datagram(5001)),
    ];
    let (run, attachment) = join(&trace, &frames, None);
    // The first is of none of the packets, and lies before the recording.
    assert_eq!(packets(&run), [0x100, 0x200]);
    assert_eq!((attachment.matched_rx, attachment.matched_by_order), (2, 0));
}

/// TCP tells of a segment which socket it came to: that one's own end is the destination.
#[test]
fn what_tcp_tells_of_a_segment_tells_its_frame() {
    let trace = "\
# kperf 2
1 ev netif_receive_skb ts 5.000010 cpu 0 skb ffff888000000100 len 160 dev eth0
2 ev tcp_probe ts 5.000011 cpu 0 skb ffff888000000100 proto 6 saddrv6 2001:db8::1 daddrv6 2001:db8::3 sport 40 dport 5001 payload 100
3 ev netif_receive_skb ts 5.000012 cpu 1 skb ffff888000000200 len 160 dev eth0
4 ev tcp_probe ts 5.000013 cpu 1 skb ffff888000000200 proto 6 saddrv6 2001:db8::1 daddrv6 2001:db8::2 sport 40 dport 5001 payload 100
";
    let segment = |peer: u8| v6(true, peer, 6, &tcp(5001, 40, 1000, &[0; 100]));
    let (run, _) = join(trace, &[(1_000, segment(2)), (1_001, segment(3))], None);
    assert_eq!(packets(&run), [0x200, 0x100]);
}

/// A sender of IPv6 whose segment the NIC cuts.
#[test]
fn a_large_segment_leaves_as_several_frames() {
    let trace = "\
# kperf 2
1 ev net_dev_start_xmit ts 5.000011 cpu 1 skb ffff888000000100 len 282 dev eth0 protocol 0x86dd proto 6 sport 40 dport 5001 seq_no 1000
2 ev net_dev_xmit ts 5.000020 cpu 1 skb ffff888000000100 len 282 dev eth0 rc 0
";
    let segment = |seq: u32| {
        v6(
            false,
            2,
            0,
            &[router_alert(6), tcp(40, 5001, seq, &[0; 100])].concat(),
        )
    };
    let (run, attachment) = join(
        trace,
        &[(1_013, segment(1000)), (1_014, segment(1100))],
        None,
    );
    assert_eq!(packets(&run), [0x100, 0x100]);
    assert_eq!(attachment.matched_tx, 2);
}

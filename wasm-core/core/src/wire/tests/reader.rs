//! Every format and byte order, any chunking, any damage.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::english::say_of_file;
use crate::kernel::Direction;
use crate::wire::{Endpoint, Frame, NotACapture};

fn samples() -> Vec<Sent> {
    let row = marker(1, 31);
    let first = [&row[..], &[b'a'; 16]].concat();
    let datagram = ipv4(true, 17, 7, 0x4000, &udp(40_000, 5001, &first));
    let beginning = ipv4(true, 17, 8, 0x2000, &udp(40_000, 5001, &first));
    let rest = ipv4(true, 17, 8, 5, &[&[b'z'; 8][..], &row].concat());
    let segment = ipv4(false, 6, 9, 0x4000, &tcp(5002, 40_001, 1_000, b"hello"));
    let packets = [
        (true, datagram),
        (true, beginning),
        (true, rest),
        (false, segment),
    ];
    (0..)
        .zip(packets)
        .map(|(number, (is_to_host, packet))| Sent {
            time: 1_000_000_000_000 + number * 1_000,
            bytes: ethernet(is_to_host, &packet),
        })
        .collect()
}

fn picture(frame: &Frame) -> String {
    let endpoint = |endpoint: Option<Endpoint>| {
        endpoint.map_or_else(|| "?".to_owned(), |endpoint| endpoint.to_string())
    };
    let link = format!(
        "{} {} {} > {} {} bytes",
        frame.number,
        frame.time.0,
        endpoint(frame.source),
        endpoint(frame.destination),
        frame.length,
    );
    let ip = frame.ip.map(|ip| {
        let (id, frag_off) = (ip.id.unwrap_or(0), ip.frag_off);
        let (source, destination, proto) = (ip.source, ip.destination, ip.proto);
        format!("{source} > {destination} proto {proto} id {id} frag {frag_off:#x}")
    });
    let transport = frame.transport.map(|transport| {
        let tcp = transport.tcp.map(|tcp| {
            let (seq, ack, flags, window) = (tcp.seq, tcp.ack, tcp.flags, tcp.window);
            let scale = tcp
                .scale
                .map(|scale| format!(" scale {scale}"))
                .unwrap_or_default();
            let sack: Vec<String> = frame
                .sack
                .iter()
                .map(|(from, to)| format!(" sack {from}-{to}"))
                .collect();
            let sack = sack.concat();
            format!(" seq {seq} ack {ack} flags {flags:#x} window {window}{scale}{sack}")
        });
        let tcp = tcp.unwrap_or_default();
        format!("{} > {}{tcp}", transport.sport, transport.dport)
    });
    let payload = format!("payload {}", frame.payload);
    let marker = frame
        .marker
        .map(|marker| format!("thread {} packet {}", marker.thread, marker.packet));
    let parts = [Some(link), ip, transport, Some(payload), marker];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn check(capture: &Capture, expected: &Expect) {
    let mut lines: Vec<String> = capture.frames.iter().map(picture).collect();
    for damaged in &capture.ledger.malformed_kept {
        lines.push(format!("-- frame {}: {}", damaged.line.number, damaged.why));
    }
    for (name, tally) in &capture.ledger.skipped {
        lines.push(format!("-- skipped {name}: {}", tally.count));
    }
    let damage = capture
        .damage
        .iter()
        .map(|damage| damage.said("the capture"));
    lines.extend(damage.map(|said| format!("-- {}", say_of_file(&said))));
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn a_capture_as_a_table() {
    check(
        &read(&pcap(false, true, 1, &samples())),
        &expect![[r#"
            1 1000000000000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 7 frag 0x4000, 40000 > 5001, payload 32, thread 1 packet 31
            2 1000000001000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x2000, 40000 > 5001, payload 32, thread 1 packet 31
            3 1000000002000 52:54:00:00:00:01 > 52:54:00:00:00:02 58 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x5, payload 24
            4 1000000003000 52:54:00:00:00:02 > 52:54:00:00:00:01 59 bytes, 192.0.2.2 > 192.0.2.1 proto 6 id 9 frag 0x4000, 5002 > 40001 seq 1000 ack 9 flags 0x18 window 65535, payload 5
        "#]],
    );
}

/// An IPv6 packet from 2001:db8::1 to 2001:db8::2 with this first protocol.
fn ipv6(proto: u8, above: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((above.len() as u16).to_be_bytes());
    packet.extend([proto, 64]);
    for host in [1, 2] {
        packet.extend([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host]);
    }
    packet.extend(above);
    [&HOST[..], &PEER, &[0x86, 0xdd], &packet].concat()
}

/// A router alert as MLD has it, fragments, the first and a later one, and an authentication header.
#[test]
fn extension_headers_are_walked() {
    let datagram = udp(40_000, 5001, &marker(1, 31));
    let later = [&[b'z'; 8][..], &marker(1, 31)].concat();
    let packets = [
        ipv6(0, &[&[17, 0, 5, 2, 0, 0, 1, 0][..], &datagram].concat()),
        ipv6(44, &[&[17, 0, 0, 1, 0, 0, 0, 9][..], &datagram].concat()),
        ipv6(44, &[&[17, 0, 0, 40, 0, 0, 0, 9][..], &later].concat()),
        ipv6(51, &[&[17, 4][..], &[0; 22], &datagram].concat()),
        ipv6(50, &datagram),
        // It ends within its first extension header.
        ipv6(0, &[17]),
    ];
    let sent: Vec<Sent> = packets
        .into_iter()
        .map(|bytes| Sent { time: 0, bytes })
        .collect();
    check(
        &read(&pcap(false, true, 1, &sent)),
        &expect![[r#"
        1 0 52:54:00:00:00:01 > 52:54:00:00:00:02 86 bytes, 2001:db8::1 > 2001:db8::2 proto 17 id 0 frag 0x0, 40000 > 5001, payload 16, thread 1 packet 31
        2 0 52:54:00:00:00:01 > 52:54:00:00:00:02 86 bytes, 2001:db8::1 > 2001:db8::2 proto 17 id 0 frag 0x2000, 40000 > 5001, payload 16, thread 1 packet 31
        3 0 52:54:00:00:00:01 > 52:54:00:00:00:02 86 bytes, 2001:db8::1 > 2001:db8::2 proto 17 id 0 frag 0x5, payload 24
        4 0 52:54:00:00:00:01 > 52:54:00:00:00:02 102 bytes, 2001:db8::1 > 2001:db8::2 proto 17 id 0 frag 0x0, 40000 > 5001, payload 16, thread 1 packet 31
        5 0 52:54:00:00:00:01 > 52:54:00:00:00:02 78 bytes, 2001:db8::1 > 2001:db8::2 proto 50 id 0 frag 0x0, payload 24
        6 0 52:54:00:00:00:01 > 52:54:00:00:00:02 55 bytes, 2001:db8::1 > 2001:db8::2 proto 0 id 0 frag 0x0, payload 1
    "#]],
    );
}

/// pcap-savefile(5): the link type is in the lower half of its field, the check sequence's words in the upper four bits.
#[test]
fn a_link_type_may_come_with_the_length_of_the_check_sequence() {
    let plain = read(&pcap(false, true, 1, &samples())).frames;
    for is_big_endian in [false, true] {
        let with_sequence: Vec<Sent> = samples()
            .into_iter()
            .map(|sent| Sent {
                bytes: [&sent.bytes[..], &[1, 2, 3, 4]].concat(),
                ..sent
            })
            .collect();
        let file = pcap(is_big_endian, true, 0x2400_0001, &with_sequence);
        assert_eq!(read(&file).frames, plain);
    }
    // Without the flag the upper bits say nothing.
    assert_eq!(
        read(&pcap(false, true, 0x2000_0001, &samples())).frames,
        plain
    );
    let other = read(&pcap(false, true, u32::MAX, &samples()));
    let told: Vec<String> = other
        .left_out
        .notes()
        .map(|note| say_of_file(&note))
        .collect();
    expect!["Frames of the capture that are left out, as Ringside does not read link type 4294967295: 4."]
        .assert_eq(&told.join("\n"));
}

#[test]
fn all_formats_and_byte_orders_say_the_same() {
    let expected = read(&pcap(false, true, 1, &samples())).frames;
    for is_big_endian in [false, true] {
        assert_eq!(
            read(&pcap(is_big_endian, true, 1, &samples())).frames,
            expected
        );
        assert_eq!(
            read(&pcap(is_big_endian, false, 1, &samples())).frames,
            expected
        );
        assert_eq!(read(&pcapng(is_big_endian, &samples())).frames, expected);
    }
}

#[test]
fn other_links_have_other_headers() {
    let packet = &samples()[0].bytes[14..];
    let sent = |head: &[u8]| {
        [Sent {
            time: 5_000,
            bytes: [head, packet].concat(),
        }]
    };
    // LINKTYPE_LINUX_SLL: packet type 4 is outgoing.
    let sll = [&[0, 4, 0, 1, 0, 6][..], &HOST, &[0, 0, 8, 0]].concat();
    let sll2 = [&[8, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6][..], &PEER, &[0, 0]].concat();
    let raw = read(&pcap(false, true, 101, &sent(&[])));
    let cooked = read(&pcap(false, true, 113, &sent(&sll)));
    let cooked_2 = read(&pcap(false, true, 276, &sent(&sll2)));
    let virtio = [&[0; 12][..], &samples()[0].bytes[..14]].concat();
    let virtio = read(&pcap(false, true, 1, &sent(&virtio)));
    for capture in [&raw, &cooked, &cooked_2, &virtio] {
        assert_eq!(
            capture.frames[0].ip,
            read(&pcap(false, true, 1, &samples())).frames[0].ip
        );
    }
    assert_eq!(cooked.frames[0].direction, Some(Direction::Transmit));
    assert_eq!(cooked_2.frames[0].direction, Some(Direction::Receive));
    assert_eq!(virtio.frames[0].length, samples()[0].bytes.len() as u32);
    check(
        &raw,
        &expect![[r#"
        1 5000 192.0.2.1 > 192.0.2.2 60 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 7 frag 0x4000, 40000 > 5001, payload 32, thread 1 packet 31
    "#]],
    );
    check(
        &read(&pcap(false, true, 105, &sent(&[]))),
        &expect![[r#"
        -- skipped (link type 105): 1
    "#]],
    );
}

#[test]
fn damage_says_where_it_is_and_what_was_kept() {
    let whole = pcap(false, true, 1, &samples());
    check(
        &read(&whole[..whole.len() - 3]),
        &expect![[r#"
            1 1000000000000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 7 frag 0x4000, 40000 > 5001, payload 32, thread 1 packet 31
            2 1000000001000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x2000, 40000 > 5001, payload 32, thread 1 packet 31
            3 1000000002000 52:54:00:00:00:01 > 52:54:00:00:00:02 58 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x5, payload 24
            -- frame 4: the file ends within it
            -- Only a part of the capture could be read: it ends within a frame that begins at byte 278. Frames before it, which were kept: 3.
        "#]],
    );

    let mut lying = whole.clone();
    lying[24 + 16 + samples()[0].bytes.len() + 11] = 0xff;
    check(
        &read(&lying),
        &expect![[r#"
            1 1000000000000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 7 frag 0x4000, 40000 > 5001, payload 32, thread 1 packet 31
            -- frame 2: it states 4278190154 bytes
            -- Only a part of the capture could be read: what begins at byte 114 states 4,278,190,154 bytes, which no frame has. Frames before it, which were kept: 1.
        "#]],
    );

    let mut lying = pcapng(true, &samples());
    let last = lying.len() - 8;
    lying[last] ^= 1;
    let length = lying.len();
    lying[length - 1] ^= 4;
    check(
        &read(&lying),
        &expect![[r#"
        1 1000000000000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 7 frag 0x4000, 40000 > 5001, payload 32, thread 1 packet 31
        2 1000000001000 52:54:00:00:00:01 > 52:54:00:00:00:02 74 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x2000, 40000 > 5001, payload 32, thread 1 packet 31
        3 1000000002000 52:54:00:00:00:01 > 52:54:00:00:00:02 58 bytes, 192.0.2.1 > 192.0.2.2 proto 17 id 8 frag 0x5, payload 24
        -- frame 4: its block cannot be read
    "#]],
    );

    assert!(matches!(Reader::default().finish(), Err(NotACapture)));
    let mut text = Reader::default();
    text.feed(b"# tracer: nop\n");
    assert!(matches!(text.finish(), Err(NotACapture)));
}

#[test]
fn damage_is_told_the_same_in_pieces_of_any_size() {
    let mut records = pcap(false, true, 1, &samples());
    records[24 + 11] = 0xff;
    let mut blocks = pcapng(false, &samples());
    let third = blocks.len() - 100;
    blocks[third..].fill(0xff);
    for file in [records, blocks] {
        let mut reader = Reader::default();
        for byte in &file {
            reader.feed(&[*byte]);
        }
        let (capture, whole) = (reader.finish().expect("it is a capture"), read(&file));
        assert!(whole.damage.is_some());
        assert_eq!(capture.damage, whole.damage);
        assert_eq!(capture.ledger, whole.ledger);
    }
}

#[test]
fn a_file_cut_anywhere_keeps_the_frames_before_the_cut() {
    for file in [pcap(false, true, 1, &samples()), pcapng(true, &samples())] {
        let mut kept = 0;
        for end in 0..=file.len() {
            let mut reader = Reader::default();
            reader.feed(&file[..end]);
            let Ok(capture) = reader.finish() else {
                continue;
            };
            assert!(capture.frames.len() >= kept);
            kept = capture.frames.len();
            assert!(capture.ledger.total() <= kept as u64 + 1);
        }
        assert_eq!(kept, samples().len());
    }
}

proptest! {
    #[test]
    fn any_chunking_gives_the_same_capture(
        is_ng in any::<bool>(),
        cuts in prop::collection::vec(1usize..90, 0..30),
    ) {
        let file = if is_ng { pcapng(false, &samples()) } else { pcap(true, false, 1, &samples()) };
        let mut reader = Reader::default();
        let mut rest = &file[..];
        for cut in cuts {
            let (chunk, after) = rest.split_at(cut.min(rest.len()));
            reader.feed(chunk);
            rest = after;
        }
        reader.feed(rest);
        let capture = reader.finish().expect("it is a capture");
        let whole = read(&file);
        prop_assert_eq!(capture.frames, whole.frames);
        prop_assert_eq!(capture.ledger, whole.ledger);
    }

    #[test]
    fn mutated_captures_never_panic_and_every_frame_is_entered(
        is_ng in any::<bool>(),
        is_big_endian in any::<bool>(),
        changes in prop::collection::vec((0usize..700, any::<u8>()), 0..10),
    ) {
        let mut file = if is_ng {
            pcapng(is_big_endian, &samples())
        } else {
            pcap(is_big_endian, true, 1, &samples())
        };
        for (at, byte) in changes {
            if let Some(place) = file.get_mut(at) {
                *place = byte;
            }
        }
        let mut reader = Reader::default();
        reader.feed(&file);
        if let Ok(capture) = reader.finish() {
            prop_assert_eq!(capture.ledger.understood, capture.frames.len() as u64);
            prop_assert_eq!(capture.damage.is_some() && capture.ledger.malformed == 0, false);
        }
    }
}

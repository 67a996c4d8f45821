//! A run's frames as pcapng: what a capture saw of a recording comes out of it again, and what is
//! composed of a simulation reads, by our own reader here and by tshark in `tests/others.rs`.

#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ringside::export::{Unwritten, pcapng};
use ringside::import::{Import, Input};
use ringside::opened::{Opened, Part};
use ringside::wire::{Capture, Frame};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn input(bytes: &[u8]) -> Input {
    let mut import = Import::new();
    import.push(bytes);
    import.finish_any().unwrap()
}

fn open(parts: Vec<Input>) -> Opened {
    let part = |input| Part {
        name: String::new(),
        input,
        clock_offset: None,
    };
    Opened::together(parts.into_iter().map(part).collect()).unwrap()
}

fn written(opened: &Opened) -> Vec<u8> {
    let mut bytes = Vec::new();
    pcapng(opened, &mut bytes).unwrap();
    bytes
}

fn frames(bytes: &[u8]) -> Vec<Frame> {
    let Input::Capture(capture) = input(bytes) else {
        panic!("it is a trace");
    };
    let Capture { frames, damage, .. } = *capture;
    assert_eq!(damage, None);
    frames
}

/// What a header says of a frame, without addresses of the link, the time and the bytes.
fn facts(frame: &Frame) -> String {
    let Frame {
        length,
        protocol,
        ip,
        transport,
        payload,
        sack,
        ..
    } = frame;
    format!("{length} {protocol:#06x} {ip:?} {transport:?} {payload} {sack:?}")
}

#[test]
fn what_a_capture_saw_comes_out_again() {
    let mut compared = 0;
    for name in ["tcp-loss", "udp-fragments", "closed-and-filtered-ports"] {
        let folder = root().join("traces").join(name);
        let trace = input(&fs::read(folder.join("trace.txt.gz")).unwrap());
        let capture = fs::read(folder.join("wire.pcap.gz")).unwrap();
        let saw = frames(&capture);
        let opened = open(vec![trace, input(&capture)]);
        let read = frames(&written(&opened));
        let wire = opened.wire.as_ref().unwrap();
        let outside = wire.attachment.outside + wire.attachment.of_others;
        assert_eq!(read.len() as u64, saw.len() as u64 - outside, "{name}");
        // A frame that the trace has before the link's clock is put before it, so only sets are compared.
        let mut left: BTreeMap<String, u32> = BTreeMap::new();
        for frame in &saw {
            *left.entry(facts(frame)).or_default() += 1;
        }
        for frame in read.iter().filter(|frame| frame.protocol == 0x0800) {
            let fact = facts(frame);
            let count = left.get_mut(&fact);
            let count = count.unwrap_or_else(|| panic!("{name}: nobody saw {fact}"));
            *count = count
                .checked_sub(1)
                .unwrap_or_else(|| panic!("{name}: {fact} is there too often"));
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared} frames");
}

#[test]
fn a_recording_without_its_link_has_no_frames() {
    let trace = fs::read(root().join("traces/tcp-loss/trace.txt.gz")).unwrap();
    let why = pcapng(&open(vec![input(&trace)]), &mut Vec::new()).unwrap_err();
    let Unwritten::Refused(saying) = why else {
        panic!("it is refused: {why:?}");
    };
    assert_eq!(saying.code, "export.no_frames");
}

/// The sum of a header's 16-bit words with its checksum is all ones (RFC 1071).
fn is_sound(bytes: &[u8]) -> bool {
    let words = bytes.chunks(2);
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
    let mut sum: u32 = words.map(word).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum == 0xffff
}

#[test]
fn a_simulations_frames_are_those_that_are_checked_in() {
    let folder = root().join("wasm-core/tests/others/captures");
    let text = fs::read(folder.join("simulated.kperf.gz")).unwrap();
    let bytes = written(&open(vec![input(&text)]));
    let file = folder.join("simulated.pcapng");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &bytes).unwrap();
    }
    assert!(
        bytes == fs::read(file).unwrap(),
        "UPDATE_EXPECT=1 writes it, rows.sh reads it"
    );
    let said = String::from_utf8_lossy(&bytes);
    assert!(said.contains("This run is simulated. Headers are composed"));
    assert!(said.contains("simulated; composed: "));
    // The headers stand behind the block's 28 bytes and Ethernet's 14.
    let mut sums = [0; 2];
    let mut rest = &bytes[..];
    while let Some(length) = rest.get(4..8) {
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let (block, behind) = rest.split_at(length);
        rest = behind;
        if block[0] != 6 {
            continue;
        }
        let captured = u32::from_le_bytes(block[20..24].try_into().unwrap()) as usize;
        let packet = &block[28 + 14..28 + captured];
        assert!(is_sound(&packet[..20]));
        sums[0] += 1;
        let total = u16::from_be_bytes([packet[2], packet[3]]);
        let is_fragment = u16::from_be_bytes([packet[6], packet[7]]) & 0x3fff != 0;
        if !is_fragment {
            let mut above = packet[12..20].to_vec();
            above.extend([0, packet[9]]);
            above.extend((total - 20).to_be_bytes());
            above.extend(&packet[20..]);
            assert!(is_sound(&above));
            sums[1] += 1;
        }
    }
    assert!(sums[0] > sums[1] && sums[1] > 10, "{sums:?}");
}

//! Captures of the link, alone and joined with a trace.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use ringside::import::Input;
use ringside::journey::invariants;
use ringside::opened::{Opened, Part};
use ringside::wire::Reader;

use crate::import;

/// A capture, whole and in pieces: every frame is entered once, and they are in order.
pub fn capture(data: &[u8]) {
    import::file(data);
    let mut reader = Reader::default();
    reader.feed(data);
    let frames = reader.frames();
    if let Ok(capture) = reader.finish() {
        assert!(capture.frames.is_sorted_by_key(|frame| frame.time));
        assert!(capture.frames.len() as u64 <= frames);
        let lines = capture.ledger.total();
        let is_damaged = u64::from(capture.damage.is_some());
        assert!(
            (frames..=frames + is_damaged).contains(&lines),
            "{lines} of {frames}"
        );
    }
}

/// The trace that captures are joined with: a part of a recording with fragments and drops.
static TRACE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let recording =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../traces/udp-fragments-loss/trace.txt.gz");
    let mut text = String::new();
    GzDecoder::new(fs::File::open(recording).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').take(200).collect();
    lines.concat().into_bytes()
});

/// A capture, joined with a trace. The first byte says by how far their clocks differ.
pub fn joined(data: &[u8]) {
    let Some((&offset, data)) = data.split_first() else {
        return;
    };
    let Ok(capture @ Input::Capture(_)) = import::read(data, &[data.len().max(1)]) else {
        return;
    };
    let trace = import::read(&TRACE, &[TRACE.len()]).unwrap();
    join(trace, capture, clock_offset(offset));
}

/// By how far two clocks differ, told by a byte: not known, at the edges, or anything between.
pub fn clock_offset(byte: u8) -> Option<i64> {
    match byte {
        0..8 => None,
        8..16 => Some(i64::MAX),
        16..24 => Some(i64::MIN),
        _ => Some(i64::from(byte) << (byte % 64)),
    }
}

/// A trace and a capture in one run, of which everything holds that must.
pub fn join(trace: Input, capture: Input, clock_offset: Option<i64>) -> Opened {
    let parts = vec![
        part("trace", trace, None),
        part("capture", capture, clock_offset),
    ];
    let opened = Opened::together(parts).unwrap();
    assert!(opened.run.times().is_sorted());
    assert_eq!(invariants::broken(&opened.run, &opened.journeys), []);
    import::read_back(&opened.run);
    opened
}

fn part(name: &str, input: Input, clock_offset: Option<i64>) -> Part {
    Part {
        name: name.to_owned(),
        input,
        clock_offset,
    }
}

//! Bytes as damage to a stretch of a shipped recording and its capture of the link: they say what is
//! missing, duplicated, exchanged or corrupted. States that only a coherent history of a host reaches
//! (a connection, a read, a frame and the packet that it became) exist before the first byte.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use ringside::import::Input;
use ringside::opened::Opened;

use crate::{explore, import, wire};

/// Losses, fragments, merging, several flows, refused connections, both directions and both formats,
/// with a capture beside them; and a host that has no kprobes, without one.
const SHIPPED: [&str; 9] = [
    "udp-fragments-loss",
    "tcp-loss",
    "tcp-gro-on",
    "closed-and-filtered-ports",
    "rps-udp-flows",
    "several-connections",
    "send-tcp-tso",
    "kperf-2005-tcp-ftrace",
    "veth-6.18",
];

/// Lines of a stretch, and frames of its capture: some packets, all of them asked about quickly.
const LINES: usize = 250;
const FRAMES: usize = 60;

/// So many bytes of a frame are kept: its headers.
const HEADERS: usize = 100;

/// So much damage at most.
const MOST: usize = 60;

/// Lengths of the parts of a classic pcap file before the packets and before each.
const FILE_HEAD: usize = 24;
const FRAME_HEAD: usize = 16;

/// A text as its lines, or a capture as its frames.
type Pieces = Vec<Vec<u8>>;

struct Recording {
    head: Pieces,
    lines: Pieces,
    /// Of a recording without a capture both are empty.
    capture_head: Vec<u8>,
    frames: Pieces,
}

static RECORDINGS: LazyLock<Vec<Recording>> =
    LazyLock::new(|| SHIPPED.iter().map(|name| Recording::read(name)).collect());

/// A stretch of a recording, damaged: everything that can be asked of it is answered, and what
/// must hold of its journeys does, alone and joined with its capture.
///
/// The first four bytes are the recording, where its stretch begins and where its frames do; each
/// three after that are one damage.
pub fn damaged(data: &[u8]) {
    let Some((&[recording, line, frame, joined], damage)) = data.split_first_chunk() else {
        return;
    };
    let recording = &RECORDINGS[usize::from(recording) % RECORDINGS.len()];
    let mut lines = stretch(&recording.lines, line, LINES);
    let mut frames = stretch(&recording.frames, frame, FRAMES);
    for &[kind, place, how] in damage.as_chunks().0.iter().take(MOST) {
        let pieces = if kind & 1 == 0 {
            &mut lines
        } else {
            &mut frames
        };
        spoil(pieces, kind >> 1, place, how);
    }
    let trace = [recording.head.concat(), lines.concat()].concat();
    let capture = [&recording.capture_head[..], &frames.concat()].concat();
    let Ok(Input::Trace(trace)) = import::read(&trace, &[trace.len()]) else {
        return;
    };
    if capture.is_empty() {
        explore(&Opened::from(*trace));
    } else if let Ok(capture @ Input::Capture(_)) = import::read(&capture, &[capture.len()]) {
        let offset = wire::clock_offset(joined);
        explore(&wire::join(Input::Trace(trace), capture, offset));
    }
}

/// Of some pieces those from so many 256ths of the whole.
fn stretch(pieces: &Pieces, from: u8, most: usize) -> Pieces {
    let from = pieces.len() * usize::from(from) / 256;
    pieces[from..].iter().take(most).cloned().collect()
}

/// One damage to a piece: it is gone, or with all that follow it up to a number; it comes again
/// later; it changes places; or a byte of it is another one.
fn spoil(pieces: &mut Pieces, kind: u8, place: u8, how: u8) {
    if pieces.is_empty() {
        return;
    }
    let (at, other) = (
        usize::from(place) % pieces.len(),
        usize::from(how) % pieces.len(),
    );
    match kind % 5 {
        0 => {
            pieces.remove(at);
        }
        1 => {
            let end = pieces.len().min(at + usize::from(how));
            pieces.drain(at..end);
        }
        2 => {
            let again = pieces[at].clone();
            pieces.insert(other, again);
        }
        3 => pieces.swap(at, other),
        _ => {
            let piece = &mut pieces[at];
            let byte = usize::from(how) % piece.len();
            piece[byte] ^= 1 << (how & 7);
        }
    }
}

impl Recording {
    fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../traces")
            .join(name);
        let text = unpacked(&folder.join("trace.txt.gz"));
        let (head, lines) = text
            .split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .partition(|line: &Vec<u8>| line.starts_with(b"#"));
        let capture = folder.join("wire.pcap.gz");
        let capture = if capture.exists() {
            unpacked(&capture)
        } else {
            Vec::new()
        };
        let (capture_head, mut rest) = capture.split_at(FILE_HEAD.min(capture.len()));
        let mut frames = Vec::new();
        while let Some((head, behind)) = rest.split_first_chunk::<FRAME_HEAD>() {
            let kept = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
            let bytes = &behind[..kept.min(HEADERS)];
            let mut frame = head.to_vec();
            frame[8..12].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
            frame.extend_from_slice(bytes);
            frames.push(frame);
            rest = &behind[kept..];
        }
        Self {
            head,
            lines,
            capture_head: capture_head.to_vec(),
            frames,
        }
    }
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(fs::File::open(path).unwrap())
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

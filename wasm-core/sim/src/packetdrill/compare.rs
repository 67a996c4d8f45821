//! Compares sent segments and times with a script, and reports differences as packetdrill does.

use std::fmt::Write as _;

use crate::ecn::Ecn;
use crate::tcp::{Flags, Segment};

use super::host::Sent;
use super::script::{EcnField, Packet, TcpOption, Us};

/// Joins successive segments that a script has as one: the first, with the end and the flags of the last.
///
/// # Errors
/// Segments that packetdrill would not join: all but the last must have one size and the same options.
pub fn joined(pieces: &[Sent], expected: u32) -> Result<Sent, String> {
    let mut whole = pieces[0].clone();
    for (piece, before) in pieces[1..].iter().zip(pieces) {
        let next = before.segment.seq + u64::from(before.segment.len);
        let is_next = piece.segment.seq == next
            && piece.segment.ecn == whole.segment.ecn
            && piece.segment.ack == whole.segment.ack
            && piece.options.len() == whole.options.len();
        let is_last = whole.segment.len + piece.segment.len >= expected;
        if !is_next || (!is_last && piece.segment.len != before.segment.len) {
            return Err(format!(
                "fragment payload: {} bytes at {} do not go on from {} bytes at {}",
                piece.segment.len, piece.segment.seq, before.segment.len, before.segment.seq
            ));
        }
        whole.segment.len += piece.segment.len;
        let cwr = whole.segment.flags.contains(Flags::CWR);
        whole.segment.flags = piece.segment.flags;
        if cwr {
            whole.segment.flags = whole.segment.flags | Flags::CWR;
        }
    }
    if whole.segment.len != expected {
        return Err(format!(
            "live packet payload: expected {expected} bytes vs actual {} bytes",
            whole.segment.len
        ));
    }
    Ok(whole)
}

/// The first field in which a segment differs from the script.
pub fn field(script: &Packet, actual: &Sent) -> Option<String> {
    let live = |name: &str, expected: u64, actual: u64| {
        (expected != actual).then(|| {
            format!(
                "live packet field {name}: expected: {expected} (0x{expected:x}) vs actual: {actual} \
                 (0x{actual:x})"
            )
        })
    };
    let flags = [
        ("tcp_fin", Flags::FIN),
        ("tcp_syn", Flags::SYN),
        ("tcp_rst", Flags::RST),
        ("tcp_psh", Flags::PSH),
        ("tcp_ack", Flags::ACK),
        ("tcp_ece", Flags::ECE),
        ("tcp_cwr", Flags::CWR),
    ];
    let segment = &actual.segment;
    let bit = |flags: Flags, flag| u64::from(flags.contains(flag));
    let acked = if segment.flags.contains(Flags::ACK) {
        segment.ack
    } else {
        0
    };
    flags
        .into_iter()
        .find_map(|(name, flag)| live(name, bit(script.flags, flag), bit(segment.flags, flag)))
        .or_else(|| live("tcp_seq", script.seq, segment.seq))
        .or_else(|| live("tcp_ack_seq", script.ack.unwrap_or(0), acked))
        .or_else(|| {
            let window = script.window?;
            live("tcp_window", u64::from(window), u64::from(actual.window))
        })
        .or_else(|| ecn(script.ecn, segment.ecn))
        .or_else(|| options(script.options.as_deref()?, &actual.options))
}

/// How the ECN field differs, if it does (`verify_outbound_live_ecn`).
fn ecn(script: EcnField, actual: Ecn) -> Option<String> {
    let expected = match script {
        EcnField::Unchecked => return None,
        EcnField::AnyEct if matches!(actual, Ecn::Ect0 | Ecn::Ect1) => return None,
        EcnField::Is(ecn) if ecn == actual => return None,
        EcnField::AnyEct => "0x1 or 0x2".to_owned(),
        EcnField::Is(ecn) => format!("{:#x}", ecn as u8),
    };
    let actual = actual as u8;
    Some(format!(
        "live packet field ip_ecn: expected: {expected} vs actual: {actual:#x}"
    ))
}

fn options(script: &[TcpOption], actual: &[TcpOption]) -> Option<String> {
    // The values of timestamps are not compared, as in packetdrill without a tick for them.
    let is_same = |(left, right): (&TcpOption, &TcpOption)| {
        left == right
            || matches!(
                (left, right),
                (TcpOption::Timestamps(..), TcpOption::Timestamps(..))
            )
    };
    let same = script.len() == actual.len() && script.iter().zip(actual).all(is_same);
    (!same).then(|| "bad outbound TCP options".to_owned())
}

/// Describes by how much a time is outside the tolerance; `None` if it is within.
pub fn timing(what: &str, (from, to): (Us, Us), tolerance: Us, actual: Us) -> Option<String> {
    if from - tolerance <= actual && actual <= to + tolerance {
        return None;
    }
    let seconds = |us: Us| format!("{:.6}", us as f64 / 1e6);
    let expected = if from == to {
        seconds(from)
    } else {
        format!("in relative time range {}~{}", seconds(from), seconds(to))
    };
    Some(format!(
        "timing error: expected {what} at {expected} sec but happened at {} sec; tolerance {} sec",
        seconds(actual),
        seconds(tolerance)
    ))
}

/// The segment that the script expects, as text.
pub fn script_line(packet: &Packet, at: Us) -> String {
    let segment = Segment {
        seq: packet.seq,
        ack: packet.ack.unwrap_or(0),
        len: packet.len,
        flags: packet.flags,
        ..Segment::default()
    };
    let options = packet.options.as_deref();
    line("script packet", &segment, packet.window, options, at)
}

/// The segment that was sent, as text.
pub fn actual_line(sent: &Sent, at: Us) -> String {
    let options = Some(&sent.options[..]);
    line(
        "actual packet",
        &sent.segment,
        Some(sent.window),
        options,
        at,
    )
}

fn line(
    what: &str,
    segment: &Segment,
    window: Option<u32>,
    options: Option<&[TcpOption]>,
    at: Us,
) -> String {
    let flags = segment.flags;
    let letters: String = [
        (Flags::FIN, 'F'),
        (Flags::SYN, 'S'),
        (Flags::RST, 'R'),
        (Flags::PSH, 'P'),
        (Flags::ECE, 'E'),
        (Flags::CWR, 'W'),
        (Flags::ACK, '.'),
    ]
    .into_iter()
    .filter_map(|(flag, letter)| flags.contains(flag).then_some(letter))
    .collect();
    let (seq, len) = (segment.seq, segment.len);
    let end = seq + u64::from(len);
    let seconds = at as f64 / 1e6;
    let mut text = format!("{what}: {seconds:9.6} {letters} {seq}:{end}({len})");
    if flags.contains(Flags::ACK) {
        let _ = write!(text, " ack {}", segment.ack);
    }
    if let Some(window) = window {
        let _ = write!(text, " win {window}");
    }
    match options {
        None => text.push_str(" <...>"),
        Some([]) => {}
        Some(options) => {
            let words: Vec<String> = options.iter().map(word).collect();
            let _ = write!(text, " <{}>", words.join(","));
        }
    }
    text
}

fn word(option: &TcpOption) -> String {
    match option {
        TcpOption::Nop => "nop".to_owned(),
        TcpOption::End => "eol".to_owned(),
        TcpOption::Mss(mss) => format!("mss {mss}"),
        TcpOption::Scale(scale) => format!("wscale {scale}"),
        TcpOption::SackPermitted => "sackOK".to_owned(),
        TcpOption::Timestamps(value, echo) => format!("TS val {value} ecr {echo}"),
        TcpOption::Sack(blocks) => {
            let blocks: Vec<String> = blocks.iter().map(|(a, b)| format!("{a}:{b}")).collect();
            format!("sack {}", blocks.join(" "))
        }
    }
}

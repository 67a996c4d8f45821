//! Traces with numbers that no kernel prints: times and lengths at the end of what fits, counts
//! that add up to more than fits; lines that are gone, come again or are about another packet.
//! They are opened, replayed, measured, told and written out.
//!
//! What holds for the journeys of any run is checked whenever a run is opened
//! (`journey::invariants`).
//!
//! Nothing wraps: tests are built with overflow checks, so whatever would wrap panics here.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use proptest::prelude::*;

use fuzz::explore;
use ringside::import::Import;
use ringside::kernel::{Field, FieldKind, Probe};
use ringside::opened::Opened;

/// Numbers at the edges of the types that hold them, and a few that are sound.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "64",
    "1500",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "268435457",
    "9223372036854775807",
    "18446744073709551615",
    "0xffffffff",
];

/// Times in seconds, with the last that fits and the first that does not.
const TIMES: &[&str] = &[
    "0.000000",
    "0.000001",
    "1.000000",
    "1.000001",
    "1.000002",
    "1.000003",
    "1.000004",
    "7.000000",
    "9007199.254740993",
    "9223372036.854775807",
    "9223372036.854775808",
    "18446744073.709551616",
    "18446744073.000000",
];

/// One of the fields, with a value.
fn field() -> impl Strategy<Value = String> {
    let value = (0..NUMBERS.len(), any::<bool>());
    (prop::sample::select(Field::ALL), value).prop_map(|(field, (value, is_negative))| {
        let number = NUMBERS[value];
        let value = match field.kind() {
            // One of the packets, so that something merges.
            FieldKind::Addr if is_negative => format!("ffff88800100{:04x}", value % 4),
            FieldKind::Signed if is_negative => format!("-{number}"),
            FieldKind::Number | FieldKind::Hex | FieldKind::Signed | FieldKind::Reason => {
                number.to_owned()
            }
            FieldKind::Name => ["R", "S", "eth0", "%"][value % 4].to_owned(),
            FieldKind::Addr => format!("ffff88800000{value:04x}"),
            FieldKind::Ipv4 => format!("255.0.0.{value}"),
        };
        format!(" {} {value}", field.name())
    })
}

/// A line of kperf 2.
fn line() -> impl Strategy<Value = String> {
    let number = || prop::sample::select(NUMBERS);
    let columns = (
        prop::sample::select(TIMES),
        prop::sample::select(vec!["0", "1", "2", "63", "4095", "65534", "65535", "70000"]),
        prop::sample::select(vec!["hardirq", "softirq", "kernel", "user", "idle"]),
        number(),
        number(),
        (0..4_u8, 0..3_u8),
    );
    let fields = prop::collection::vec(field(), 0..6);
    (prop::sample::select(Probe::ALL), columns, fields).prop_map(
        |(probe, (time, cpu, context, pid, len, (skb, sk)), fields)| {
            format!(
                "1 ev {} ts {time} cpu {cpu} ctx {context} pid {pid} \
                 skb ffff88800100{skb:04x} sk ffff88800200{sk:04x} len {len}{}",
                probe.name(),
                fields.concat()
            )
        },
    )
}

/// A line of kperf as the paper has it: a packet passes a probe.
fn passing() -> impl Strategy<Value = String> {
    let frames = prop::sample::select(NUMBERS);
    let time = prop::sample::select(TIMES);
    (1..14_u8, 0..3_u8, 0..2_u8, time, frames).prop_map(|(id, packet, thread, time, frames)| {
        format!("1 id {id} seq {packet} thread {thread} ts {time} x{frames}")
    })
}

/// Recordings of all that there is: fragments, merging, steering, sending.
const RECORDINGS: [&str; 6] = [
    "udp-fragments",
    "tcp-gro-on",
    "ring-overflow",
    "loopback",
    "send-tcp-tso",
    "qdisc-drop",
];

/// Their first lines.
static SHIPPED: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../traces");
    let lines = |name: &&str| {
        let file = fs::File::open(traces.join(name).join("trace.txt.gz")).unwrap();
        let mut text = String::new();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text.lines().take(LINES).map(str::to_owned).collect()
    };
    RECORDINGS.iter().map(lines).collect()
});

/// So many lines of each.
const LINES: usize = 300;

/// The text with number `place` in it replaced.
fn with_number(line: &str, place: usize, number: &str) -> String {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = line.as_bytes();
    let begins = |at: usize| is_digit(&bytes[at]) && (at == 0 || !is_digit(&bytes[at - 1]));
    let starts: Vec<usize> = (0..bytes.len()).filter(|&at| begins(at)).collect();
    let Some(&start) = starts.get(place % starts.len().max(1)) else {
        return line.to_owned();
    };
    let end = (start..bytes.len())
        .find(|&at| !is_digit(&bytes[at]))
        .unwrap_or(bytes.len());
    format!("{}{number}{}", &line[..start], &line[end..])
}

/// What may become of a line of a recording.
#[derive(Debug, Clone)]
enum Change {
    Number(usize, &'static str),
    /// It is gone.
    Gone,
    /// It comes again, behind another.
    Again(usize),
    /// It is about the packet of another line.
    Readdressed(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let number = (any::<usize>(), prop::sample::select(NUMBERS));
    prop_oneof![
        number.prop_map(|(place, number)| Change::Number(place, number)),
        Just(Change::Gone),
        any::<usize>().prop_map(Change::Again),
        any::<usize>().prop_map(Change::Readdressed),
    ]
}

fn apply(lines: &mut Vec<String>, at: usize, change: &Change) {
    let other = |number: usize| number % lines.len();
    match *change {
        Change::Number(place, number) => lines[at] = with_number(&lines[at], place, number),
        Change::Gone => {
            lines.remove(at);
        }
        Change::Again(number) => lines.insert(other(number), lines[at].clone()),
        Change::Readdressed(number) => {
            if let (Some(own), Some(new)) = (address(&lines[at]), address(&lines[other(number)])) {
                lines[at] = lines[at].replace(own, new);
            }
        }
    }
}

/// The last address of the kernel's memory in a line: of the packet, or of what it merges into.
fn address(line: &str) -> Option<&str> {
    let words = line.rsplit(|character: char| !character.is_ascii_hexdigit());
    words.into_iter().find(|word| word.len() == 16)
}

fn open(text: &str) -> Opened {
    let mut import = Import::new();
    import.push(text.as_bytes());
    Opened::from(import.finish().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_numbers_in_a_kperf_trace(
        lines in prop::collection::vec(prop_oneof![line(), passing()], 1..40)
    ) {
        explore(&open(&format!("# kperf 2\n{}\n", lines.join("\n"))));
    }

    #[test]
    fn anything_in_a_recording(
        recording in 0..RECORDINGS.len(),
        changes in prop::collection::vec((any::<usize>(), change()), 1..24),
    ) {
        let mut lines = SHIPPED[recording].clone();
        for (line, change) in changes {
            let at = line % lines.len();
            apply(&mut lines, at, &change);
        }
        explore(&open(&lines.join("\n")));
    }
}

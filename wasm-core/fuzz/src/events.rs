//! Bytes as events: each few bytes are a line of kperf 2, so that a changed byte is another probe,
//! packet or moment and hardly ever a line that cannot be read.

use std::fmt::Write as _;

use ringside::export;
use ringside::import::{Imported, Input};
use ringside::journey::{Journeys, invariants};
use ringside::kernel::{Context, DropReason, Field, FieldKind, Probe};
use ringside::opened::Opened;

use crate::{explore, import};

/// Between one event and the next, in ns; the last two go back in time or far ahead.
const STEPS: [i64; 8] = [0, 1, 10, 1000, 50_000, 4_000_000, -2000, 3_000_000_000_000];

/// Numbers at the edges of what holds them. A byte below [`PLAIN`] is itself.
const EDGES: [u64; 8] = [
    1500,
    65_535,
    65_536,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    u64::MAX,
];
const PLAIN: u8 = 240;

/// So many bytes are read: some hundred events, of which everything can be asked quickly.
const MOST: usize = 600;

/// Any events: what must hold of a run's journeys does.
pub fn journeys(data: &[u8]) {
    let imported = imported(data);
    let journeys = Journeys::of(&imported.run);
    assert_eq!(invariants::broken(&imported.run, &journeys), []);
}

/// Any events: everything that can be asked of a run is answered, and the answers fit together.
pub fn frames(data: &[u8]) {
    let opened = Opened::from(imported(data));
    explore::frames(&opened.replay);
    explore(&opened);
}

/// Any events: both exports read back as the same run, and write the same again.
pub fn exports(data: &[u8]) {
    let imported = imported(data);
    import::read_back(&imported.run);
    let mut text = Vec::new();
    export::kperf2(&imported.run, &mut text).unwrap();
    let Ok(Input::Trace(again)) = import::read(&text, &[text.len()]) else {
        panic!("it was read before");
    };
    let mut second = Vec::new();
    export::kperf2(&again.run, &mut second).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&text),
        String::from_utf8_lossy(&second)
    );
}

fn imported(data: &[u8]) -> Imported {
    let text = lines(data);
    match import::read(text.as_bytes(), &[text.len()]) {
        Ok(Input::Trace(imported)) => *imported,
        other => panic!("{other:?}:\n{text}"),
    }
}

/// The bytes as a file of kperf 2.
fn lines(data: &[u8]) -> String {
    let mut bytes = data.iter().copied().take(MOST);
    let mut text = "# kperf 2\n".to_owned();
    let mut time: i64 = 1_000_000_000;
    while let Some(probe) = bytes.next() {
        let mut next = || bytes.next().unwrap_or(0);
        let (who, what, more) = (next(), next(), next());
        time = time.saturating_add(STEPS[usize::from(what >> 5)]).max(0);
        let context = Context::ALL[usize::from(who >> 2) % Context::ALL.len()];
        let _ = write!(
            text,
            "1 ev {} ts {}.{:09} cpu {} ctx {context} pid {}",
            Probe::ALL[usize::from(probe) % Probe::ALL.len()],
            time / 1_000_000_000,
            time % 1_000_000_000,
            who & 3,
            who >> 5,
        );
        // No packet, or one of seven; the same for sockets.
        for (key, number) in [("skb", what & 7), ("sk", (what >> 3) & 3)] {
            if number > 0 {
                let _ = write!(text, " {key} {}", address(number));
            }
        }
        if more & 8 != 0 {
            let _ = write!(text, " len {}", number(next()));
        }
        for _ in 0..more & 7 {
            let (field, value) = (next(), next());
            let field = Field::ALL[usize::from(field) % Field::ALL.len()];
            let _ = write!(text, " {field} {}", value_of(field, value));
        }
        text.push('\n');
    }
    text
}

fn value_of(field: Field, byte: u8) -> String {
    match field.kind() {
        FieldKind::Signed if (128..PLAIN).contains(&byte) => format!("-{}", byte - 127),
        FieldKind::Number | FieldKind::Signed => number(byte).to_string(),
        FieldKind::Hex => format!("{:x}", number(byte)),
        FieldKind::Name => [
            "R",
            "S",
            "eth0",
            "lo",
            "recvfrom",
            "%",
            "a%20b",
            "e1000_clean",
        ][usize::from(byte % 8)]
        .to_owned(),
        FieldKind::Addr => address(byte % 8),
        FieldKind::Ipv4 => format!("192.0.2.{byte}"),
        FieldKind::Reason => DropReason::ALL[usize::from(byte) % DropReason::ALL.len()]
            .name()
            .to_owned(),
    }
}

fn address(number: u8) -> String {
    format!("ffff8880010000{number:02x}")
}

fn number(byte: u8) -> u64 {
    match byte.checked_sub(PLAIN) {
        None => byte.into(),
        Some(edge) => EDGES[usize::from(edge) % EDGES.len()],
    }
}

//! Files: a trace in any format, packed or not, or a capture of the link.
//!
//! Any cutting gives the same; every line is entered once; what is read and written reads back.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use ringside::export;
use ringside::import::{Format, Import, ImportError, Imported, Input, Ledger};
use ringside::journey::{Journeys, invariants};
use ringside::run::Run;

/// A file, whole and in pieces, and what is in it.
pub fn file(data: &[u8]) {
    let whole = read(data, &[data.len().max(1)]);
    let sizes: Vec<usize> = data.iter().rev().take(8).map(|&byte| byte.into()).collect();
    assert_alike(&whole, &read(data, &sizes));
    if let Ok(Input::Trace(imported)) = whole {
        if !is_packed(data) {
            assert_eq!(imported.ledger.total(), lines(data), "lines in the ledger");
        }
        trace(&imported);
    }
}

/// The first two bytes say after how many the rest, packed as a file, breaks off.
pub fn packed(data: &[u8]) {
    file(data);
    let Some((&[low, high], text)) = data.split_first_chunk() else {
        return;
    };
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text).unwrap();
    let packed = gzip.finish().unwrap();
    let plain = read(text, &[text.len().max(1)]);
    let again = read(&packed, &[usize::from(low).max(1)]);
    if let (Ok(Input::Trace(plain)), Ok(Input::Trace(again))) = (&plain, &again) {
        assert_same_run(&plain.run, &again.run);
        assert_eq!(plain.ledger, again.ledger);
    } else if matches!(plain, Ok(Input::Trace(_))) && !is_packed(text) {
        // What is packed twice is refused, with words.
        panic!("the same file, packed: {:?}", again.err());
    }
    let end = usize::from(u16::from_le_bytes([low, high])) % (packed.len() + 1);
    file(&packed[..end]);
}

fn is_packed(data: &[u8]) -> bool {
    data.starts_with(&[0x1f, 0x8b]) || data.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
}

/// What holds for any trace that was imported.
pub fn trace(imported: &Imported) {
    let run = &imported.run;
    assert!(run.times().is_sorted());
    assert_eq!(invariants::broken(run, &Journeys::of(run)), []);
    read_back(run);
}

/// A run that is written in either format reads back as the same run.
pub fn read_back(run: &Run) {
    let mut text = Vec::new();
    export::kperf2(run, &mut text).unwrap();
    assert_read_back(run, &text, Format::Kperf2);
    text.clear();
    export::ftrace(run, &mut text).unwrap();
    assert_read_back(run, &text, Format::Ftrace);
}

fn assert_read_back(run: &Run, text: &[u8], format: Format) {
    let shown = String::from_utf8_lossy(text);
    let again = match read(text, &[text.len()]) {
        Ok(Input::Trace(again)) => again,
        other => panic!("{format} is read as {other:?}:\n{shown}"),
    };
    assert_eq!(again.format, format, "{shown}");
    assert_eq!(again.ledger.malformed_kept, [], "{shown}");
    assert_eq!(again.ledger.unknown_lines(), 0, "{shown}");
    assert_eq!(again.run.len(), run.len(), "{shown}");
    assert_eq!(again.run.fingerprint(), run.fingerprint(), "{shown}");
    assert_eq!(again.run.metadata, run.metadata, "{shown}");
}

/// Reads bytes in pieces of these sizes, over and over.
pub fn read(data: &[u8], sizes: &[usize]) -> Result<Input, ImportError> {
    let mut import = Import::new();
    let mut rest = data;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, tail) = rest.split_at(size.clamp(1, rest.len()));
        import.push(piece);
        rest = tail;
    }
    import.finish_any()
}

/// Lines of a text, with a last one that has no end.
fn lines(text: &[u8]) -> u64 {
    text.split_inclusive(|&byte| byte == b'\n').count() as u64
}

fn assert_alike(whole: &Result<Input, ImportError>, cut: &Result<Input, ImportError>) {
    match (whole, cut) {
        (Ok(Input::Trace(whole)), Ok(Input::Trace(cut))) => {
            assert_eq!(whole.format, cut.format);
            assert_ledgers(&whole.ledger, &cut.ledger);
            assert_same_run(&whole.run, &cut.run);
        }
        (Ok(Input::Capture(whole)), Ok(Input::Capture(cut))) => {
            assert_ledgers(&whole.ledger, &cut.ledger);
            assert_eq!(whole.frames, cut.frames);
            assert_eq!(whole.damage, cut.damage);
        }
        // How much was read before it was certain depends on the pieces.
        (Err(ImportError::Bomb { .. }), Err(ImportError::Bomb { .. })) => {}
        (Err(whole), Err(cut)) => assert_eq!(whole, cut),
        (whole, cut) => panic!("whole: {whole:?}\nin pieces: {cut:?}"),
    }
}

fn assert_ledgers(whole: &Ledger, cut: &Ledger) {
    assert_eq!(whole, cut, "the ledger of the whole, and in pieces");
}

fn assert_same_run(one: &Run, other: &Run) {
    assert_eq!(one.fingerprint(), other.fingerprint());
    let lines = |run: &Run| {
        run.indices()
            .map(|index| run.line(index))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(one), lines(other));
    assert_eq!(one.metadata, other.metadata);
}

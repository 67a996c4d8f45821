//! gzip and zstd, whole, in pieces, cut off, damaged, and as a bomb.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{import, import_in, refusal_of};
use crate::english::say_of_file;
use crate::import::{Import, ImportError};

fn trace() -> String {
    let mut text = String::new();
    for number in 0..2000_u64 {
        let (second, micros) = (
            10 + number / 100,
            number % 100 * 10_000 + number * 7919 % 10_000,
        );
        let skb = 0xffff_8880_0000_0000_u64 + number * 0x9e37_79b1 % 0xffff_ffff;
        let _ = writeln!(
            text,
            "  <idle>-0  [000] ..s1.  {second}.{micros:06}: netif_receive_skb: dev=eth0 skbaddr={skb:x} len=92",
        );
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector takes any bytes");
    encoder.finish().expect("a vector takes any bytes")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

#[test]
fn packed_and_plain_give_the_same_run() {
    let text = trace();
    let plain = import(&text).expect("a trace").run.fingerprint();
    let (head, tail) = text.split_at(text.len() / 2);
    let in_members = [gzip(head.as_bytes()), gzip(tail.as_bytes())].concat();
    let in_frames = [zstd(head.as_bytes()), zstd(tail.as_bytes())].concat();
    for packed in [
        gzip(text.as_bytes()),
        in_members,
        zstd(text.as_bytes()),
        in_frames,
    ] {
        for size in [1, 1000, usize::MAX] {
            let imported = import_in(&packed, &[size]).expect("a packed trace");
            assert_eq!(imported.run.fingerprint(), plain);
            assert_eq!(imported.ledger.warnings, []);
        }
    }
}

/// `dd conv=sync` fills its last block with zeros, which gzip ignores as well.
#[test]
fn zeros_behind_a_gzip_are_no_damage() {
    let text = trace();
    let plain = import(&text).expect("a trace").run.fingerprint();
    for zeros in [1, 3, 511, 1024, 20_000] {
        let padded = [gzip(text.as_bytes()), vec![0; zeros]].concat();
        for size in [1, 1000, usize::MAX] {
            let imported = import_in(&padded, &[size]).expect("a padded trace");
            assert_eq!(imported.run.fingerprint(), plain);
            assert_eq!(imported.ledger.warnings, [], "{zeros}");
        }
        let followed = [padded, b"x".to_vec()].concat();
        let imported = import_in(&followed, &[1000]).expect("a padded trace");
        let warning = say_of_file(&imported.ledger.warnings[0]);
        assert!(
            warning.contains("text follows, which is not read"),
            "{warning}"
        );
        assert_eq!(imported.run.fingerprint(), plain);
    }
}

#[test]
fn a_frame_that_wants_a_dictionary_says_so() {
    // A frame's header with a dictionary's number, and a raw block of one byte (RFC 8878 section 3.1.1).
    let packed = [0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x00, 0x07, 0x09, 0, 0, b'x'];
    let error = import_in(&packed, &[usize::MAX]).expect_err("no dictionary");
    let why = refusal_of(&error);
    assert!(why.contains("packed with dictionary 7"), "{why}");
}

/// What `zstd --long=31` writes: a window of 2 GiB, and a raw block of one byte (RFC 8878 section 3.1.1.1.2).
#[test]
fn a_frame_with_a_large_window_says_what_to_do() {
    let packed = [
        0x28,
        0xb5,
        0x2f,
        0xfd,
        0x00,
        (31 - 10) << 3,
        0x09,
        0,
        0,
        b'x',
    ];
    let error = import_in(&packed, &[usize::MAX]).expect_err("a window too large");
    let why = refusal_of(&error);
    assert!(
        why.contains("a window of 2,048 MiB") && why.contains("zstd -d --long=31"),
        "{why}"
    );
}

/// A disk that fails, or a file that is removed from a folder of another machine while it is read.
#[test]
fn a_file_that_can_be_read_no_further_gives_what_came_before_and_says_where() {
    let text = trace();
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let end = bytes.len() - 100;
        let mut import = Import::new();
        import.push(&bytes[..end]);
        import.break_off();
        let imported = import.finish().expect("most of a trace");
        let [said] = &imported.ledger.warnings[..] else {
            panic!("{:?}", imported.ledger.warnings);
        };
        let said = say_of_file(said).replace(',', "");
        assert!(said.contains(&format!("from byte {end} on")), "{said}");
        assert!(imported.run.len() > 1000);
    }
    let mut import = Import::new();
    import.break_off();
    let error = import.finish().map(|_| ()).expect_err("nothing came");
    assert_eq!(error, ImportError::Unreadable);
}

/// A frame that every reader of zstd passes over (RFC 8878 section 3.1.2).
fn skippable(bytes: u32) -> Vec<u8> {
    let head = [[0x5a, 0x2a, 0x4d, 0x18], bytes.to_le_bytes()].concat();
    [head, vec![b'x'; bytes as usize]].concat()
}

#[test]
fn skippable_frames_are_passed_over() {
    let text = trace();
    let plain = import(&text).expect("a trace").run.fingerprint();
    let (head, tail) = text.split_at(text.len() / 2);
    let [head, tail] = [head, tail].map(|part| zstd(part.as_bytes()));
    let before = [skippable(0), skippable(300_000), head.clone(), tail.clone()].concat();
    let between = [head.clone(), skippable(7), tail.clone()].concat();
    let behind = [head, tail, skippable(5)].concat();
    for packed in [before, between, behind] {
        for size in [1, 1000, usize::MAX] {
            let imported = import_in(&packed, &[size]).expect("a packed trace");
            assert_eq!(imported.run.fingerprint(), plain);
            assert_eq!(imported.ledger.warnings, []);
        }
    }
}

#[test]
fn a_skippable_frame_that_is_cut_off_is_told() {
    let whole = [zstd(trace().as_bytes()), skippable(100)].concat();
    for missing in [1, 50, 103] {
        let imported = import_in(&whole[..whole.len() - missing], &[4096]).expect("a trace");
        let warning = say_of_file(&imported.ledger.warnings[0]);
        assert!(
            warning.contains("the zstd has no right end at byte"),
            "{warning}"
        );
        assert_eq!(imported.run.len(), 2000);
    }
    assert!(import_in(&skippable(10), &[usize::MAX]).is_err());
}

#[test]
fn cut_off_it_gives_what_it_had_and_says_where() {
    let text = trace();
    for (packed, said) in [
        (gzip(text.as_bytes()), "the gzip has no right end at byte "),
        (zstd(text.as_bytes()), "the zstd has no right end at byte "),
    ] {
        let end = packed.len() - 1;
        let imported = import_in(&packed[..end], &[4096]).expect("most of a trace");
        let warning = say_of_file(&imported.ledger.warnings[0]).replace(',', "");
        let is_said = warning.starts_with(&format!(
            "Only a part could be read: {said}{end}. The file was cut off"
        ));
        assert!(is_said, "{warning}");
        assert!(imported.run.len() > 1000, "{said}: {}", imported.run.len());
    }
}

/// The damage has broken them.
#[test]
fn lines_of_a_damaged_file_were_broken_by_no_mail_program() {
    let broken = |line: &str| [&line[..79], "\n", &line[79..], "\n"].concat();
    let broken: String = trace().lines().map(broken).collect();
    let told = |packed: &[u8]| {
        let imported = import_in(packed, &[4096]).expect("a trace");
        let said: Vec<String> = imported.ledger.warnings.iter().map(say_of_file).collect();
        said.iter().any(|said| said.contains("mail program"))
    };
    let packed = gzip(broken.as_bytes());
    assert!(told(&packed));
    assert!(!told(&packed[..packed.len() - 9]));
}

#[test]
fn a_zstd_without_one_whole_block_has_nothing_to_give() {
    let packed = zstd(trace().as_bytes());
    let error = import_in(&packed[..packed.len() / 2], &[4096]).expect_err("no block");
    assert!(matches!(error, ImportError::Corrupt(_)), "{error:?}");
}

#[test]
fn damaged_it_gives_what_came_before_and_says_where() {
    let whole = gzip(trace().as_bytes());
    let packed = [whole.as_slice(), b"\x01\x02\x03\x04"].concat();
    let imported = import_in(&packed, &[512]).expect("a trace");
    let warning = say_of_file(&imported.ledger.warnings[0]).replace(',', "");
    let end = whole.len();
    let said = format!("Only a part could be read: the gzip is damaged near byte {end} ");
    assert!(warning.starts_with(&said), "{warning}");
    assert_eq!(imported.run.len(), 2000);
    let garbage = b"\x1f\x8b\x08\x00garbage that is no deflate stream";
    let why = refusal_of(&import_in(garbage, &[usize::MAX]).expect_err("no gzip"));
    let begins = "the gzip cannot be unpacked: it is damaged near byte ";
    assert!(why.starts_with(begins), "{why}");
}

/// As of `cat a.gz b.zst`: the first is read, and what follows is named, wherever the pieces are cut.
#[test]
fn what_follows_a_packed_file_is_named() {
    let text = trace();
    let [first, second] = [gzip(text.as_bytes()), zstd(text.as_bytes())];
    let plain = import(&text).expect("a trace").run.fingerprint();
    let cases: [(&[u8], &[u8], &str); 5] = [
        (
            &first,
            &second,
            "the gzip ends at byte END, and zstd follows",
        ),
        (
            &second,
            &first,
            "the zstd ends at byte END, and gzip follows",
        ),
        (
            &first,
            text.as_bytes(),
            "the gzip ends at byte END, and text follows",
        ),
        (&second, b"x", "the zstd ends at byte END, and text follows"),
        (
            &first,
            b"BZh9",
            "the gzip ends at byte END, and bzip2 follows",
        ),
    ];
    for (packed, behind, said) in cases {
        let both = [packed, behind].concat();
        let said = said.replace("END", &packed.len().to_string());
        for size in [1, 1000, usize::MAX] {
            let imported = import_in(&both, &[size]).expect("a trace before it");
            let warning = say_of_file(&imported.ledger.warnings[0]).replace(',', "");
            assert!(warning.contains(&said.replace(',', "")), "{warning}");
            assert_eq!(imported.run.fingerprint(), plain);
        }
    }
}

proptest! {
    /// What is left of a broken file does not depend on the pieces in which it comes.
    #[test]
    fn broken_anywhere_any_chunking_gives_the_same(
        is_zstd in any::<bool>(),
        at in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        size in 1_usize..5000,
    ) {
        let text = trace();
        let mut packed = if is_zstd { zstd(text.as_bytes()) } else { gzip(text.as_bytes()) };
        let at = at.index(packed.len());
        if is_cut {
            packed.truncate(at);
        } else {
            packed[at] ^= 0x55;
        }
        let outcome = |sizes: &[usize]| {
            import_in(&packed, sizes)
                .map(|imported| (imported.run.fingerprint(), imported.ledger.warnings))
                .map_err(|error| refusal_of(&error))
        };
        prop_assert_eq!(outcome(&[size]), outcome(&[usize::MAX]));
    }
}

#[test]
fn a_bomb_is_refused() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let same = vec![b'x'; 1 << 20];
    for _ in 0..40 {
        encoder.write_all(&same).expect("a vector takes any bytes");
    }
    let bomb = encoder.finish().expect("a vector takes any bytes");
    let error = import_in(&bomb, &[65536]).expect_err("a bomb");
    assert!(matches!(error, ImportError::Bomb { .. }), "{error:?}");
}

/// It begins as UTF-16 does.
#[test]
fn text_in_utf_32_is_told_as_such() {
    for bytes in [&b"\xff\xfe\0\0#\0\0\0"[..], b"\0\0\xfe\xff\0\0\0#"] {
        let refused = import_in(bytes, &[usize::MAX]).map(|_| ());
        let why = refusal_of(&refused.expect_err("it is no trace"));
        assert!(why.contains("UTF-32"), "{why}");
    }
}

//! gzip and zstd, whole, in pieces, cut off, damaged, and as a bomb.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{import, import_in};
use crate::import::ImportError;

fn trace() -> String {
    let mut text = String::new();
    for number in 0..2000_u64 {
        let (second, micros) = (10 + number / 100, number * 7919 % 1_000_000);
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
            assert_eq!(imported.ledger.warnings, Vec::<String>::new());
        }
    }
}

#[test]
fn cut_off_it_gives_what_it_had_and_says_so() {
    let text = trace();
    for (packed, name) in [
        (gzip(text.as_bytes()), "gzip"),
        (zstd(text.as_bytes()), "zstd"),
    ] {
        for end in [packed.len() / 2, packed.len() - 1] {
            let imported = match import_in(&packed[..end], &[4096]) {
                Ok(imported) => imported,
                // A zstd of one block has nothing to give before its end.
                Err(error) => {
                    assert!(matches!(error, ImportError::Corrupt { .. }), "{error}");
                    continue;
                }
            };
            let warning = format!("the {name} ends early: the file was cut off");
            assert_eq!(imported.ledger.warnings, [warning]);
            assert!(!imported.run.is_empty());
        }
    }
}

#[test]
fn damaged_it_gives_what_came_before() {
    let mut packed = gzip(trace().as_bytes());
    let middle = packed.len() / 2;
    packed[middle..middle + 64].fill(0xff);
    let imported = import_in(&packed, &[512]).expect("half a trace");
    assert!(imported.ledger.warnings[0].starts_with("the gzip "));
    assert_eq!(
        import_in(
            b"\x1f\x8b\x08\x00garbage that is no deflate stream",
            &[usize::MAX]
        )
        .expect_err("no gzip")
        .to_string()
        .split(':')
        .next(),
        Some("the gzip cannot be unpacked")
    );
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
    assert!(matches!(error, ImportError::Bomb { .. }), "{error}");
}

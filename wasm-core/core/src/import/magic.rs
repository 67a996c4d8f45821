//! Recognises binary files by their first bytes: what people send instead of a trace, or around one.

use super::content::is_control;
use super::found::Kind;

/// Magic numbers of files that people take for a trace, with the kind of each.
const MAGIC: [(&[u8], Kind); 33] = [
    (b"\x17\x08\x44tracing", Kind::TraceDat),
    (b"PERFILE2", Kind::PerfData),
    (b"TRACE:\n", Kind::Systrace),
    (b"\x7fELF", Kind::Elf),
    (b"PK\x03\x04", Kind::Zip),
    (b"PK\x05\x06", Kind::ZipEmpty),
    (b"PK\x07\x08", Kind::Zip),
    (b"\xfd7zXZ\x00", Kind::Xz),
    (b"BZh", Kind::Bzip2),
    (b"\x04\x22\x4d\x18", Kind::Lz4),
    (b"\x02\x21\x4c\x18", Kind::Lz4),
    (b"7z\xbc\xaf\x27\x1c", Kind::SevenZ),
    (b"Rar!\x1a\x07", Kind::Rar),
    (b"LZIP\x01", Kind::Lzip),
    (b"\x5d\0\0", Kind::Lzma),
    (b"\x1f\x9d", Kind::Compress),
    (b"\x1f\x8b", Kind::GzipInside),
    (b"\x28\xb5\x2f\xfd", Kind::ZstdInside),
    (b"070701", Kind::Cpio),
    (b"070707", Kind::Cpio),
    (b"!<arch>\n", Kind::Ar),
    (b"\xc1\x1f\xfc\xc1", Kind::Lttng),
    (b"snoop\0", Kind::Snoop),
    (b"LPKSHHRH", Kind::Journal),
    (b"\xa1\xb2\xcd\x34", Kind::PcapModified),
    (b"\x34\xcd\xb2\xa1", Kind::PcapModified),
    (b"GMBU", Kind::NetworkMonitor),
    (b"SQLite format 3", Kind::Sqlite),
    (b"%PDF", Kind::Pdf),
    (b"\x89PNG", Kind::Png),
    (b"\xff\xd8\xff", Kind::Jpeg),
    (b"\xff\xfe\x00\x00", Kind::Utf32),
    (b"\x00\x00\xfe\xff", Kind::Utf32),
];

/// What the bytes are, unless they may be text.
pub(super) fn binary(head: &[u8]) -> Option<Kind> {
    if let Some(&(_, kind)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(kind);
    }
    if is_tar(head) {
        return Some(Kind::Tar);
    }
    if is_split_by_returns(head) {
        return Some(Kind::Returns);
    }
    if is_zeros(head) {
        return Some(Kind::Zeros);
    }
    // One damaged byte must not cost the file; a binary file is full of control characters.
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    if controls * 20 > head.len() {
        // A Perfetto trace is one protobuf message: field 1, length-delimited.
        return Some(if head[0] == 0x0a {
            Kind::Protobuf
        } else {
            Kind::UnknownBinary
        });
    }
    None
}

/// Whether all bytes are zero.
pub(super) fn is_zeros(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// Whether it is the header of a tar archive: "ustar" at offset 257 (POSIX.1-1988), or, in older ones, at offset 148
/// a checksum of all bytes with its own field counted as blanks.
fn is_tar(head: &[u8]) -> bool {
    if head.get(257..262) == Some(b"ustar") {
        return true;
    }
    let Some(header) = head.first_chunk::<512>() else {
        return false;
    };
    let digits = header[148..156].trim_ascii_start();
    let octal = digits.iter().take_while(|byte| matches!(byte, b'0'..=b'7'));
    let said = octal.fold(0, |sum, byte| sum * 8 + u32::from(byte - b'0'));
    let others = header[..148].iter().chain(&header[156..]);
    let sum = others.map(|&byte| u32::from(byte)).sum::<u32>() + 8 * u32::from(b' ');
    said == sum
}

/// Whether lines end with a carriage return, as before Mac OS X. A single one may be part of a task's name, and a
/// file that is not all text may be damaged.
fn is_split_by_returns(head: &[u8]) -> bool {
    let is_text = |&byte: &u8| matches!(byte, b' '..=b'~' | 0x80.. | b'\t' | b'\r');
    memchr::memchr_iter(b'\r', head).count() > 1 && head.iter().all(is_text)
}

//! Recognises binary files by their first bytes and advises what to do: what people send instead of a trace, or
//! around one.

use super::content::is_control;

/// Magic numbers of files that people take for a trace, with the advice for each.
const MAGIC: [(&[u8], &str); 33] = [
    (
        b"\x17\x08\x44tracing",
        "trace.dat, trace-cmd's binary: run `trace-cmd report` and open its output",
    ),
    (
        b"PERFILE2",
        "perf.data, perf's binary: run `perf script` and open its output",
    ),
    (
        b"TRACE:\n",
        "a compressed systrace (TRACE:): open the ftrace text it was made of",
    ),
    (b"\x7fELF", "an ELF binary"),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", "a zip archive with nothing in it"),
    (b"PK\x07\x08", ZIP),
    (
        b"\xfd7zXZ\x00",
        "an xz file: unpack it first (`xz -dk FILE`, or `tar -xf FILE` if it is a .tar.xz), or pack it with gzip or zstd",
    ),
    (
        b"BZh",
        "a bzip2 file: unpack it first (`bunzip2 -k FILE`, or `tar -xf FILE` if it is a .tar.bz2), or pack it with gzip or zstd",
    ),
    (b"\x04\x22\x4d\x18", LZ4),
    (b"\x02\x21\x4c\x18", LZ4),
    (
        b"7z\xbc\xaf\x27\x1c",
        "a 7z archive: unpack it first (`7z x FILE`) and open the trace that is in it",
    ),
    (
        b"Rar!\x1a\x07",
        "a rar archive: unpack it first (`unrar x FILE`) and open the trace that is in it",
    ),
    (
        b"LZIP\x01",
        "an lzip file: unpack it first (`lzip -dk FILE`), or pack it with gzip or zstd",
    ),
    (
        b"\x5d\0\0",
        "an lzma file: unpack it first (`xz -dk FILE`), or pack it with gzip or zstd",
    ),
    (
        b"\x1f\x9d",
        "a file of compress (.Z): unpack it first (`gzip -d FILE`), or pack it with gzip or zstd",
    ),
    (
        b"\x1f\x8b",
        "a gzip inside a packed file: unpack it once (`gzip -d`)",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "a zstd inside a packed file: unpack it once",
    ),
    (b"070701", CPIO),
    (b"070707", CPIO),
    (
        b"!<arch>\n",
        "an ar archive, as a package of Debian is: unpack it first (`ar x FILE`) and open the trace that is in it",
    ),
    (
        b"\xc1\x1f\xfc\xc1",
        "a trace of LTTng (CTF), which is not read: record with ftrace, trace-cmd or perf",
    ),
    (
        b"snoop\0",
        "a capture of snoop: make a pcap of it (`editcap -F pcap FILE NEW`)",
    ),
    (
        b"LPKSHHRH",
        "a journal of systemd: open what `journalctl -o short` prints of it, if a trace is in it",
    ),
    (b"\xa1\xb2\xcd\x34", PCAP),
    (b"\x34\xcd\xb2\xa1", PCAP),
    (
        b"GMBU",
        "a capture of Network Monitor: make a pcap of it (`editcap -F pcap FILE NEW`)",
    ),
    (b"SQLite format 3", "a database of SQLite"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"\xff\xfe\x00\x00", UTF_32),
    (b"\x00\x00\xfe\xff", UTF_32),
];

/// Kuznetzov's format of 1999, with a longer header before each frame.
const PCAP: &str = "a modified pcap: make a plain one of it (`editcap -F pcap FILE NEW`)";
const ZIP: &str = "a zip archive: unpack it first (`unzip FILE`) and open the trace that is in it";
const TAR: &str =
    "a tar archive: unpack it first (`tar -xf FILE`) and open the trace that is in it";
const CPIO: &str =
    "a cpio archive: unpack it first (`cpio -id <FILE`) and open the trace that is in it";
const LZ4: &str = "an lz4 file: unpack it first (`lz4 -d FILE`), or pack it with gzip or zstd";
const UTF_32: &str = "text in UTF-32: save it as UTF-8";

/// What the bytes are, unless they may be text.
pub(super) fn binary(head: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(name);
    }
    if is_tar(head) {
        return Some(TAR);
    }
    if is_split_by_returns(head) {
        return Some(
            "text whose lines end with a carriage return alone: turn each into a line feed (`tr '\\r' '\\n'`)",
        );
    }
    if is_zeros(head) {
        return Some(
            "zeros, as a copy that was broken off or a full disk leaves in place of a file: copy it again",
        );
    }
    // One damaged byte must not cost the file; a binary file is full of control characters.
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    if controls * 20 > head.len() {
        // A Perfetto trace is one protobuf message: field 1, length-delimited.
        return Some(if head[0] == 0x0a {
            "a binary protobuf, perhaps a Perfetto trace (.pftrace): export it as ftrace text"
        } else {
            "a binary file of no known kind; if it is a later part of a file that was split, put the parts together first (`cat PART... >FILE`)"
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

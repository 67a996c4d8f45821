//! Where the output goes. What is printed is for people: a task may call itself anything, and a terminal obeys control characters:
//! those that a name brings along are not passed on.

use std::fs;
use std::io::{self, StdoutLock, Write};
use std::path::Path;

use ringside::run::is_format;

use crate::Failure;

/// Standard output.
pub struct Output {
    to: StdoutLock<'static>,
    obscures: Obscures,
    is_exact: bool,
}

/// Standard output: `is_exact` for a program that reads it, whose format has its own escapes; else for people.
pub fn stdout(is_exact: bool) -> Output {
    Output {
        to: io::stdout().lock(),
        obscures: Obscures::default(),
        is_exact,
    }
}

/// The text as a terminal may have it.
pub fn plain(text: &str) -> String {
    let mut bytes = text.replace(is_format, "_").into_bytes();
    Obscures::default().each(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether both paths lead to one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => false,
    }
}

/// Refuses to write over what a command reads: each source with what it is to the command, `-` for standard input.
pub fn spare<'a>(
    to: &str,
    sources: impl IntoIterator<Item = (&'a Path, &'a str)>,
) -> Result<(), Failure> {
    for (source, what) in sources {
        // Where standard input is a file, this leads to it.
        let is_input = source == Path::new("-");
        let source = if is_input {
            Path::new("/dev/stdin")
        } else {
            source
        };
        if is_same(source, Path::new(to)) {
            let why = format!("{to} is the {what} itself: choose another name");
            return Err(Failure::Usage(why));
        }
    }
    Ok(())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_exact {
            return self.to.write(bytes);
        }
        let mut plain = bytes.to_vec();
        self.obscures.each(&mut plain);
        self.to.write_all(&plain)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Replaces control characters byte for byte, so that columns stay: those of ASCII but the line's end and
/// the tab by `_`, those of Latin-1 (U+0080 to U+009F, two bytes of UTF-8) by a space.
#[derive(Default)]
struct Obscures {
    /// The byte before was the first of a character from U+0080 to U+00BF.
    is_latin: bool,
}

impl Obscures {
    fn each(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t') {
                *byte = b'_';
            } else if self.is_latin && (0x80..0xa0).contains(byte) {
                *byte = 0xa0;
            }
            self.is_latin = *byte == 0xc2;
        }
    }
}

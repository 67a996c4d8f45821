//! Where the output goes. What is printed is for people: a task may call itself anything, and a terminal obeys control characters:
//! those that a name brings along are not passed on.

use std::fs::{self, File};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use tempfile::Builder;

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
    let mut bytes = text.as_bytes().to_vec();
    Obscures::default().each(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes a file, which is there whole or not at all: what stood at its place stays until all is
/// written. Fails with its name in the error.
pub fn write_file(
    path: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    write_whole(path, write)
        .map_err(|error| Failure::Output(io::Error::new(error.kind(), format!("{path}: {error}"))))
}

fn write_whole(path: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link is followed: what it leads to is written, and it stays a link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    if target.exists() && !target.is_file() {
        // A pipe or a device is no place for another file; a folder is refused here.
        let mut file = File::options().write(true).open(&target)?;
        write(&mut file)?;
        return file.flush();
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(".ringside-");
    // As any new file, and not for its owner alone: the umask takes off what it does.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Errors do not name the file beside, of which nobody has heard: that of making it and its own writer's would.
    let beside = builder.tempfile_in(folder).map_err(|error| {
        let folder = folder.display();
        let why = match error.kind() {
            io::ErrorKind::NotFound => format!("there is no folder {folder}"),
            kind => format!("no file can be made in the folder {folder}: {kind}"),
        };
        io::Error::new(error.kind(), why)
    })?;
    let mut buffered = BufWriter::new(beside.as_file());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    beside.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Whether both paths lead to one file that is there.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => false,
    }
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

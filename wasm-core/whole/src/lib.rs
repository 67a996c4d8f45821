//! Files that are written and read completely or not at all.
//!
//! A file has no name until it is complete, so nothing of it is left when a signal, `kill -9` or a crash ends
//! the command. Where the system or the file system has no unnamed files (Linux has them with `O_TMPFILE`,
//! but not on NFS), it has a temporary name in its folder, which survives a signal: the writer holds a lock
//! on it, and the next command that writes into that folder removes files that nobody has locked.
//!
//! A text is read completely or refused, so one that never ends is not read to its end.

pub mod data;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Bytes that no text has which somebody wrote by hand.
pub const LARGER_THAN_TEXTS: usize = 1 << 20;

/// Reads a text; `what` it is, for the error.
pub fn read_text(from: impl Read, what: &str) -> io::Result<String> {
    read_below(LARGER_THAN_TEXTS as u64, from, what)
}

/// Reads a text that has fewer bytes than `limit`; `what` it is, for the error.
pub fn read_below(limit: u64, from: impl Read, what: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == limit {
        let why = format!("no {what} has {limit} bytes or more");
        return Err(io::Error::other(why));
    }
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Writes a file: what stood at its place stays until all is written. Fails with its name in the error.
pub fn write_file(
    path: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write_whole(path, write)
        .map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))
}

/// Finds out whether a file can be written, and changes nothing; for commands that take long before they write.
/// Fails as [`write_file`] would. Of what is no file, such as a pipe, it says nothing.
pub fn try_file(path: &str) -> io::Result<()> {
    try_whole(path).map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))
}

fn try_whole(path: &str) -> io::Result<()> {
    match fs::metadata(path) {
        // Refused, with the system's reason.
        Ok(there) if there.is_dir() => return File::options().write(true).open(path).map(drop),
        Ok(there) if !there.is_file() => return Ok(()),
        _ => {}
    }
    let target = followed(Path::new(path), LINKS)?;
    let folder = folder_of(&target);
    #[cfg(target_os = "linux")]
    if nameless::create(folder).is_some() {
        return Ok(());
    }
    locked(folder).map_err(|error| refused(folder, &error))?;
    Ok(())
}

/// The folder that a file is in.
fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn write_whole(path: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A pipe or a device is no place for another file; a folder is refused here. It is opened by the name that was
    // given: `/dev/stdout` leads to an unnamed pipe by a link of which the text is no path (proc_pid_fd(5)).
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let mut file = File::options().write(true).open(path)?;
        write(&mut file)?;
        return file.flush();
    }
    let target = followed(Path::new(path), LINKS)?;
    let folder = folder_of(&target);
    remove_left(folder);
    #[cfg(target_os = "linux")]
    if let Some(unnamed) = nameless::create(folder) {
        let _ = unnamed.lock();
        fill(&unnamed, &target, write)?;
        return nameless::name(&unnamed, folder, &target);
    }
    let beside = locked(folder).map_err(|error| refused(folder, &error))?;
    fill(beside.as_file(), &target, write)?;
    place(beside, &target)
}

/// So many links are followed, as the kernel does (`include/linux/namei.h`, `MAXSYMLINKS`, v6.12).
const LINKS: u32 = 40;

/// Where a file is to be written. A link is followed: what it leads to is written, be it there or not, and it stays a link.
fn followed(path: &Path, links: u32) -> io::Result<PathBuf> {
    let error = match fs::canonicalize(path) {
        Ok(target) => return Ok(target),
        Err(error) => error,
    };
    match fs::read_link(path) {
        Ok(to) if error.kind() == io::ErrorKind::NotFound && links > 0 => {
            let folder = path.parent().unwrap_or(Path::new(""));
            followed(&folder.join(to), links - 1)
        }
        // Links that lead to each other lead nowhere.
        Ok(_) => Err(error),
        // What keeps the file from being there is told when it is made.
        Err(_) => Ok(path.into()),
    }
}

/// How the names of files beside their place begin; six letters and digits follow.
const BESIDE: &str = ".ringside-";

/// Makes a file beside its place that no other command takes for left behind. It may have before it was locked: then it
/// is gone, and another is made. A file system without locks has none that could be so taken.
fn locked(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let beside = builder().tempfile_in(folder)?;
        if beside.as_file().lock().is_err() || beside.path().exists() {
            return Ok(beside);
        }
    }
}

/// Removes what commands that were killed have left in a folder. What cannot be removed stays.
fn remove_left(folder: &Path) {
    let is_ours = |name: &str| {
        let letters = name.strip_prefix(BESIDE);
        letters.is_some_and(|it| it.len() == 6 && it.bytes().all(|it| it.is_ascii_alphanumeric()))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_str().is_some_and(is_ours)
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_left
            && let Ok(left) = File::options().write(true).open(entry.path())
            && left.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// How files beside their place are called and who may read them.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(BESIDE);
    // As any new file, and not for its owner alone: the umask takes off what it does.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// Why no file can be made. The error of making it would name a file beside its place, of which nobody has heard.
fn refused(folder: &Path, error: &io::Error) -> io::Error {
    let shown = folder.display();
    let why = match error.kind() {
        io::ErrorKind::NotFound if !folder.exists() => format!("there is no folder {shown}"),
        // As /proc says it.
        io::ErrorKind::NotFound => format!("no file can be made in the folder {shown}"),
        kind => format!("no file can be made in the folder {shown}: {kind}"),
    };
    io::Error::new(error.kind(), why)
}

/// Writes what is to be at the target. Who may read what stood there may read that, and nobody else.
fn fill(
    file: &File,
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(before) = fs::metadata(target) {
        file.set_permissions(before.permissions())?;
    }
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    buffered.flush()
}

/// Moves a file to its place.
fn place<F>(beside: NamedTempFile<F>, target: &Path) -> io::Result<()> {
    let placed = beside.persist(target);
    placed.map_err(|error| error.error)?;
    Ok(())
}

/// Files without a name, until they get one.
#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, OFlags, linkat};

    /// Makes one; none where there are none, or where it could get no name: that takes /proc.
    pub fn create(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE.bits().cast_signed();
        let mut options = OpenOptions::new();
        options.write(true).mode(0o666).custom_flags(flags);
        let file = options.open(folder).ok()?;
        shown(&file).exists().then_some(file)
    }

    /// Gives it its name. A link does not take the place of another file, so there it has a name beside it first.
    pub fn name(file: &File, folder: &Path, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            named => return named,
        }
        let beside = super::builder().make_in(folder, |beside| link(file, beside));
        let beside = beside.map_err(|error| super::refused(folder, &error))?;
        super::place(beside, target)
    }

    fn link(file: &File, path: &Path) -> io::Result<()> {
        linkat(CWD, shown(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
    }

    /// Where /proc shows it (open(2), "O_TMPFILE").
    fn shown(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

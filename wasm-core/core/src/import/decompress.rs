//! Compressed files, decompressed as a stream: gzip (RFC 1952) and zstd (RFC 8878), recognised by their magic
//! numbers. A truncated or damaged file yields what precedes the damage and a warning with its offset, independent of
//! the sizes of the chunks.

mod gzip;

use std::io::{ErrorKind, Read as _};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::ImportError;
use super::broken::Broken;
use super::content::Content;
use gzip::Gzip;

/// Size in bytes up to which decompressed data is always accepted.
const ALWAYS_ALLOWED: u64 = 32 << 20;
/// Largest ratio of decompressed to compressed size. Traces compress 10 to 30 times; deflate allows 1032 times and
/// zstd far more.
const MOST_TIMES: u64 = 200;
/// The largest zstd block with its header (RFC 8878 section 3.1.1.2) plus a frame's header and checksum, in bytes:
/// with that much input the decoder always makes progress.
const ZSTD_ENOUGH: usize = (128 << 10) + 3 + 18 + 4;

/// The end of a zstd frame: a last block, raw and empty (RFC 8878 section 3.1.1.2), and room for a checksum, which
/// the decoder does not verify.
const ZSTD_END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Length in bytes of a skippable frame's header: magic number and length of the rest (RFC 8878 section 3.1.2).
const SKIPPABLE_HEADER: usize = 8;

/// The decompressor.
#[derive(Debug)]
pub(crate) struct Decompress {
    state: State,
    packed: u64,
    unpacked: u64,
}

enum State {
    /// The first bytes, until the magic number is known.
    Start(Vec<u8>),
    Plain,
    Gzip(Box<Gzip>),
    Zstd(Box<Zstd>),
    /// Damaged; what was decompressed before is kept.
    Damaged(Broken),
}

struct Zstd {
    decoder: FrameDecoder,
    taken: u64,
    is_in_frame: bool,
    /// Remaining bytes of a skippable frame.
    to_skip: usize,
    packed: Vec<u8>,
    unpacked: Vec<u8>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.packing())
    }
}

impl State {
    const fn packing(&self) -> &'static str {
        match self {
            Self::Start(_) | Self::Plain | Self::Damaged(_) => "plain",
            Self::Gzip(_) => "gzip",
            Self::Zstd(_) => "zstd",
        }
    }
}

impl Decompress {
    pub const fn new() -> Self {
        Self {
            state: State::Start(Vec::new()),
            packed: 0,
            unpacked: 0,
        }
    }

    /// Decompresses the next bytes of the file into `content`.
    pub fn push(&mut self, bytes: &[u8], content: &mut Content) -> Result<(), ImportError> {
        self.packed += bytes.len() as u64;
        if let State::Start(start) = &mut self.state {
            start.extend_from_slice(bytes);
            if start.len() < ZSTD_MAGIC.len() {
                return Ok(());
            }
            let start = self.begin();
            return self.unpack(&start, content);
        }
        self.unpack(bytes, content)
    }

    /// Ends the input. Returns where the file broke off, if it did.
    pub fn finish(mut self, content: &mut Content) -> Result<Option<Broken>, ImportError> {
        if let State::Start(_) = self.state {
            let start = self.begin();
            self.unpack(&start, content)?;
        }
        let broken = match &mut self.state {
            State::Start(_) | State::Plain => None,
            State::Damaged(broken) => Some(broken.clone()),
            State::Gzip(gzip) => {
                let packed = self.packed;
                let unpacked = &mut self.unpacked;
                gzip.finish(|bytes| give(bytes, packed, unpacked, "gzip", content))?
            }
            State::Zstd(zstd) => {
                let packed = self.packed;
                let unpacked = &mut self.unpacked;
                match zstd.step(true, |bytes| give(bytes, packed, unpacked, "zstd", content)) {
                    Ok(true) => None,
                    Ok(false) => Some(Broken::cut_off("zstd", packed)),
                    Err(Stop::Refused(error)) => return Err(error),
                    Err(Stop::Damaged(broken)) => Some(broken),
                }
            }
        };
        match broken {
            Some(broken) if self.unpacked == 0 => Err(ImportError::Corrupt(broken)),
            other => Ok(other),
        }
    }

    fn begin(&mut self) -> Vec<u8> {
        let State::Start(start) = &mut self.state else {
            return Vec::new();
        };
        let start = std::mem::take(start);
        self.state = if start.starts_with(GZIP_MAGIC) {
            State::Gzip(Box::new(Gzip::new()))
        } else if start.starts_with(ZSTD_MAGIC) || is_skippable(&start) {
            State::Zstd(Box::new(Zstd::new()))
        } else {
            State::Plain
        };
        start
    }

    fn unpack(&mut self, bytes: &[u8], content: &mut Content) -> Result<(), ImportError> {
        let stop = match &mut self.state {
            State::Start(_) | State::Damaged(_) => return Ok(()),
            State::Plain => return content.push(bytes),
            State::Gzip(gzip) => gzip.take(bytes, |bytes| {
                give(bytes, self.packed, &mut self.unpacked, "gzip", content)
            }),
            State::Zstd(zstd) => {
                zstd.packed.extend_from_slice(bytes);
                zstd.step(false, |bytes| {
                    give(bytes, self.packed, &mut self.unpacked, "zstd", content)
                })
                .map(|_| ())
            }
        };
        match stop {
            Ok(()) => Ok(()),
            Err(Stop::Refused(error)) => Err(error),
            Err(Stop::Damaged(broken)) => {
                if self.unpacked == 0 {
                    return Err(ImportError::Corrupt(broken));
                }
                self.state = State::Damaged(broken);
                Ok(())
            }
        }
    }
}

/// Why decompression stops.
enum Stop {
    /// The reader refused the content, or the ratio exceeded the limit.
    Refused(ImportError),
    /// The decompressor reported damage.
    Damaged(Broken),
}

impl From<ImportError> for Stop {
    fn from(error: ImportError) -> Self {
        Self::Refused(error)
    }
}

/// Passes decompressed bytes on, unless they exceed the limit.
fn give(
    bytes: &[u8],
    packed: u64,
    unpacked: &mut u64,
    packing: &'static str,
    content: &mut Content,
) -> Result<(), ImportError> {
    *unpacked += bytes.len() as u64;
    if *unpacked > ALWAYS_ALLOWED && *unpacked / MOST_TIMES > packed {
        return Err(ImportError::Bomb {
            packing,
            packed,
            unpacked: *unpacked,
        });
    }
    content.push(bytes)
}

impl Zstd {
    fn new() -> Self {
        Self {
            decoder: FrameDecoder::new(),
            taken: 0,
            is_in_frame: false,
            to_skip: 0,
            packed: Vec::new(),
            unpacked: vec![0; 128 << 10],
        }
    }

    /// Decompresses what is possible. Returns whether nothing is missing at the end of the file.
    fn step(
        &mut self,
        is_end: bool,
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<bool, Stop> {
        let mut at = 0;
        loop {
            let skipped = self.to_skip.min(self.packed.len() - at);
            self.to_skip -= skipped;
            at += skipped;
            let mut source = &self.packed[at..];
            if source.len() < ZSTD_ENOUGH && !is_end || source.is_empty() && !self.is_in_frame {
                break;
            }
            if let (false, Some(header)) = (self.is_in_frame, source.get(..SKIPPABLE_HEADER))
                && is_skippable(header)
            {
                let length = [header[4], header[5], header[6], header[7]];
                self.to_skip = u32::from_le_bytes(length) as usize;
                at += SKIPPABLE_HEADER;
                continue;
            }
            // One block at a time: a few bytes of input may produce 128 KiB each.
            let one = BlockDecodingStrategy::UptoBlocks(1);
            let result = if self.is_in_frame {
                self.decoder.decode_blocks(&mut source, one).map(|_| ())
            } else {
                self.decoder.init(&mut source)
            };
            if let Err(error) = result {
                let begins = &self.packed[at..][..ZSTD_MAGIC.len().min(self.packed.len() - at)];
                let is_frame = ZSTD_MAGIC.starts_with(begins) || is_skippable(begins);
                if !self.is_in_frame && !is_frame {
                    let broken =
                        Broken::followed("zstd", self.taken + at as u64, &self.packed[at..]);
                    return Err(Stop::Damaged(broken));
                }
                let is_cut_off = is_end && ends_early(&error);
                if self.is_in_frame {
                    self.close(&mut give)?;
                }
                if is_cut_off {
                    return Ok(false);
                }
                let at = self.taken + at as u64;
                let broken = match error {
                    FrameDecoderError::DictNotProvided { dict_id } => {
                        Broken::wants_dictionary("zstd", at, dict_id)
                    }
                    FrameDecoderError::WindowSizeTooBig { requested, .. } => {
                        Broken::wants_window("zstd", at, requested)
                    }
                    _ => Broken::damaged("zstd", at),
                };
                return Err(Stop::Damaged(broken));
            }
            self.is_in_frame = true;
            at = self.packed.len() - source.len();
            self.hand_out(&mut give)?;
            self.is_in_frame = !self.decoder.is_finished();
        }
        self.packed.drain(..at);
        self.taken += at as u64;
        Ok(!self.is_in_frame && self.to_skip == 0)
    }

    /// Outputs what the decoder retains for later blocks to refer to, as none follows.
    fn close(&mut self, give: impl FnMut(&[u8]) -> Result<(), ImportError>) -> Result<(), Stop> {
        let end = BlockDecodingStrategy::UptoBlocks(1);
        if self.decoder.decode_blocks(&mut &ZSTD_END[..], end).is_ok() {
            return self.hand_out(give).map_err(Stop::from);
        }
        Err(Stop::Damaged(Broken::damaged("zstd", self.taken)))
    }

    fn hand_out(
        &mut self,
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        while let Ok(length @ 1..) = self.decoder.read(&mut self.unpacked) {
            give(&self.unpacked[..length])?;
        }
        Ok(())
    }
}

/// Whether a skippable frame begins here: its magic number is 0x184D2A50 to 0x184D2A5F.
fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Whether the error, or any of its causes, is an unexpected end of input.
fn ends_early(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let is_end = |error: &std::io::Error| error.kind() == ErrorKind::UnexpectedEof;
        if error.downcast_ref().is_some_and(is_end) {
            return true;
        }
        cause = error.source();
    }
    false
}

//! Packed files, unpacked as they come: gzip (RFC 1952) and zstd (RFC 8878) by
//! their magic numbers. A file that is cut off gives what it had and a warning.

use std::io::{ErrorKind, Read as _, Write as _};

use flate2::write::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::ImportError;
use super::content::Content;

/// Unpacked bytes below which nothing is refused.
const ALWAYS_ALLOWED: u64 = 32 << 20;
/// A trace packs 10 to 30 times; deflate can pack 1032 times and zstd far more.
const MOST_TIMES: u64 = 200;
/// Fed to gzip at once, so that the unpacked bytes waiting in memory stay few.
const GZIP_PIECE: usize = 16 << 10;
/// The largest zstd block with its header (RFC 8878 section 3.1.1.2) and a frame's
/// header and checksum: with this much at hand the decoder always gets on.
const ZSTD_ENOUGH: usize = (128 << 10) + 3 + 18 + 4;

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// The unpacker.
#[derive(Debug)]
pub(crate) struct Decompress {
    state: State,
    packed: u64,
    unpacked: u64,
}

enum State {
    /// The first bytes, until the magic numbers are told apart.
    Start(Vec<u8>),
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Zstd(Box<Zstd>),
    /// Damaged on the way; what was unpacked before stands.
    Damaged(String),
}

struct Zstd {
    decoder: FrameDecoder,
    is_in_frame: bool,
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

    /// Unpacks the next bytes of the file into `content`.
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

    /// The end of the file; a text says that it was cut off.
    pub fn finish(mut self, content: &mut Content) -> Result<Option<String>, ImportError> {
        if let State::Start(_) = self.state {
            let start = self.begin();
            self.unpack(&start, content)?;
        }
        let packing = self.state.packing();
        let cut_off = match &mut self.state {
            State::Start(_) | State::Plain => None,
            State::Damaged(why) => Some(std::mem::take(why)),
            State::Gzip(decoder) => {
                let end = decoder.try_finish();
                let rest = std::mem::take(decoder.get_mut());
                self.unpacked += rest.len() as u64;
                content.push(&rest)?;
                end.err()
                    .map(|_| "the gzip ends early: the file was cut off".to_owned())
            }
            State::Zstd(zstd) => {
                let packed = self.packed;
                let unpacked = &mut self.unpacked;
                let end = zstd.step(true, |bytes| give(bytes, packed, unpacked, "zstd", content));
                match end {
                    Ok(is_whole) => {
                        (!is_whole).then(|| "the zstd ends early: the file was cut off".to_owned())
                    }
                    Err(Stop::Refused(error)) => return Err(error),
                    Err(Stop::Damaged(why)) => Some(damaged(packing, &why)),
                }
            }
        };
        match cut_off {
            Some(why) if self.unpacked == 0 => Err(ImportError::Corrupt { packing, why }),
            other => Ok(other),
        }
    }

    fn begin(&mut self) -> Vec<u8> {
        let State::Start(start) = &mut self.state else {
            return Vec::new();
        };
        let start = std::mem::take(start);
        self.state = if start.starts_with(GZIP_MAGIC) {
            State::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))
        } else if start.starts_with(ZSTD_MAGIC) {
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
            State::Gzip(decoder) => gunzip(decoder, bytes, |bytes| {
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
            Err(Stop::Damaged(why)) => {
                let packing = self.state.packing();
                if self.unpacked == 0 {
                    return Err(ImportError::Corrupt { packing, why });
                }
                self.state = State::Damaged(damaged(packing, &why));
                Ok(())
            }
        }
    }
}

/// Why unpacking stops.
enum Stop {
    /// By the reader behind, or as a bomb.
    Refused(ImportError),
    /// By the unpacker.
    Damaged(String),
}

impl From<ImportError> for Stop {
    fn from(error: ImportError) -> Self {
        Self::Refused(error)
    }
}

fn damaged(packing: &str, why: &str) -> String {
    format!("the {packing} is damaged, what comes after is lost: {why}")
}

/// Hands unpacked bytes on, unless they are too many.
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

fn gunzip(
    decoder: &mut MultiGzDecoder<Vec<u8>>,
    bytes: &[u8],
    mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
) -> Result<(), Stop> {
    for mut piece in bytes.chunks(GZIP_PIECE) {
        while !piece.is_empty() {
            let taken = match decoder.write(piece) {
                Ok(taken) => taken,
                Err(error) if error.kind() == ErrorKind::Interrupted => 0,
                Err(error) => return Err(Stop::Damaged(error.to_string())),
            };
            piece = &piece[taken..];
            give(decoder.get_ref())?;
            decoder.get_mut().clear();
            if taken == 0 && decoder.get_ref().is_empty() && !piece.is_empty() {
                // After the last member: padding, as tape writers leave it.
                return Ok(());
            }
        }
    }
    Ok(())
}

impl Zstd {
    fn new() -> Self {
        Self {
            decoder: FrameDecoder::new(),
            is_in_frame: false,
            packed: Vec::new(),
            unpacked: vec![0; 128 << 10],
        }
    }

    /// Unpacks what can be; at the end of the file, whether nothing is missing.
    fn step(
        &mut self,
        is_end: bool,
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<bool, Stop> {
        let mut at = 0;
        loop {
            let mut source = &self.packed[at..];
            if source.len() < ZSTD_ENOUGH && !is_end || source.is_empty() && !self.is_in_frame {
                break;
            }
            // One block at a time: a few bytes may ask for 128 KiB each.
            let one = BlockDecodingStrategy::UptoBlocks(1);
            let result = if self.is_in_frame {
                self.decoder.decode_blocks(&mut source, one).map(|_| ())
            } else {
                self.decoder.init(&mut source)
            };
            if let Err(error) = result {
                if is_end && self.is_in_frame {
                    break;
                }
                return Err(Stop::Damaged(error.to_string()));
            }
            self.is_in_frame = true;
            at = self.packed.len() - source.len();
            while let Ok(length @ 1..) = self.decoder.read(&mut self.unpacked) {
                give(&self.unpacked[..length])?;
            }
            self.is_in_frame = !self.decoder.is_finished();
        }
        self.packed.drain(..at);
        Ok(!self.is_in_frame)
    }
}

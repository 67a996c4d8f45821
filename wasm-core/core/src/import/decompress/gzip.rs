//! Decompresses gzip in pieces of constant size: its members, and zeros after the last of them.

use std::io::{ErrorKind, Write as _};

use flate2::write::GzDecoder;

use super::{GZIP_MAGIC, Stop};
use crate::import::ImportError;
use crate::import::broken::Broken;

/// Bytes passed to the decompressor at once, counted from the start of the file. It returns nothing of the piece in
/// which damage occurs, so pieces are small and independent of the chunks.
const GZIP_PIECE: usize = 1 << 10;

/// The gzip decompressor.
pub(super) struct Gzip {
    /// Of the current member; `None` after its end.
    decoder: Option<GzDecoder<Vec<u8>>>,
    /// Zeros follow the last member, as tape writers leave them, and no further member.
    is_padded: bool,
    /// Bytes of the file not yet decompressed: less than a piece.
    packed: Vec<u8>,
    fed: u64,
}

impl Gzip {
    pub fn new() -> Self {
        Self {
            decoder: Some(GzDecoder::new(Vec::new())),
            is_padded: false,
            packed: Vec::with_capacity(GZIP_PIECE),
            fed: 0,
        }
    }

    /// Decompresses the next bytes of the file, as far as they fill whole pieces.
    pub fn take(
        &mut self,
        mut bytes: &[u8],
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), Stop> {
        while self.packed.len() + bytes.len() >= GZIP_PIECE {
            let (filling, rest) = bytes.split_at(GZIP_PIECE - self.packed.len());
            self.packed.extend_from_slice(filling);
            bytes = rest;
            self.feed(false, &mut give)?;
        }
        self.packed.extend_from_slice(bytes);
        Ok(())
    }

    /// Decompresses the rest. Returns where the file broke off, if it did.
    pub fn finish(
        &mut self,
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<Option<Broken>, ImportError> {
        match self.feed(true, &mut give) {
            Err(Stop::Refused(error)) => return Err(error),
            Err(Stop::Damaged(broken)) => return Ok(Some(broken)),
            Ok(()) => {}
        }
        let Some(mut decoder) = self.decoder.take() else {
            return Ok(None);
        };
        let end = decoder.try_finish();
        give(decoder.get_ref())?;
        // The decoder does not distinguish a missing checksum from a wrong one.
        Ok(end.err().map(|_| Broken::cut_off("gzip", self.fed)))
    }

    fn feed(
        &mut self,
        is_end: bool,
        mut give: impl FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), Stop> {
        let mut piece = self.packed.as_slice();
        loop {
            let Some(decoder) = &mut self.decoder else {
                let zeros = piece.iter().take_while(|&&byte| byte == 0).count();
                self.is_padded |= zeros > 0;
                piece = &piece[zeros..];
                if piece.is_empty() {
                    break;
                }
                if self.is_padded || piece[0] != GZIP_MAGIC[0] {
                    if piece.len() < Broken::TELLING && !is_end {
                        break;
                    }
                    let at = self.fed + (self.packed.len() - piece.len()) as u64;
                    return Err(Stop::Damaged(Broken::followed("gzip", at, piece)));
                }
                self.decoder = Some(GzDecoder::new(Vec::new()));
                continue;
            };
            if piece.is_empty() {
                break;
            }
            // Flushed after each piece: an error would discard what was decompressed before it.
            let written = decoder.write(piece);
            let taken = match written.and_then(|taken| decoder.flush().map(|()| taken)) {
                Ok(taken) => taken,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => {
                    return Err(Stop::Damaged(Broken::damaged("gzip", self.fed)));
                }
            };
            piece = &piece[taken..];
            give(decoder.get_ref())?;
            let was_idle = taken == 0 && decoder.get_ref().is_empty();
            decoder.get_mut().clear();
            if was_idle {
                if decoder.try_finish().is_err() {
                    return Err(Stop::Damaged(Broken::damaged("gzip", self.fed)));
                }
                give(decoder.get_ref())?;
                self.decoder = None;
            }
        }
        let fed = self.packed.len() - piece.len();
        self.packed.drain(..fed);
        self.fed += fed as u64;
        Ok(())
    }
}

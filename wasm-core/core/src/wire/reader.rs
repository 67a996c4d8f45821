//! Reads pcap and pcapng in chunks of any size, block by block.
//!
//! Blocks are parsed by the crate pcap-parser, which is always given one complete block, so that "incomplete" and
//! "damaged" cannot be confused. A frame that cannot be read is entered in the ledger and left out. An impossible
//! length ends the reading, as the start of the next block is unknown.

use std::fmt;

use pcap_parser::nom::IResult;
use pcap_parser::{
    Block, InterfaceDescriptionBlock, LegacyPcapBlock, Linktype, PcapError, PcapHeader,
    parse_block_be, parse_block_le, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_header,
};

use super::Capture;
use super::dissect::dissect;
use super::link_type::{Trailer, link_and_trailer};
use super::unread::{Broken, Damage, Unread};
use super::words;
use crate::kernel::Nanos;
use crate::order;

/// Reads a capture file.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    buffer: Vec<u8>,
    /// Bytes of the file before `buffer`.
    before: u64,
    format: Format,
    frames: u64,
    /// The number of unreadable blocks without a frame, and the offset of the first.
    unreadable_blocks: Option<(u64, u64)>,
    capture: Capture,
}

/// The bytes are no capture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACapture;

impl fmt::Display for NotACapture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the file begins with no pcap or pcapng header")
    }
}

#[derive(Debug, Clone, Default)]
enum Format {
    #[default]
    Unknown,
    Neither,
    Pcap(PcapHeader, Trailer),
    PcapNg {
        is_big_endian: bool,
        interfaces: Vec<Interface>,
    },
    Damaged,
}

/// The time format of an interface in a pcapng section.
#[derive(Debug, Clone, Copy)]
struct Interface {
    link: Linktype,
    ticks_per_second: u128,
    offset_seconds: i64,
}

type Parse<'a, T> = fn(&'a [u8]) -> IResult<&'a [u8], T, PcapError<&'a [u8]>>;

/// The result of parsing the next bytes.
enum Next {
    /// More bytes are needed.
    More,
    /// A block of this size was read.
    Read(usize),
    /// Nothing after this can be read, for this reason.
    Damaged(Broken),
}

impl Reader {
    /// The largest frame in bytes that libpcap writes (MAXIMUM_SNAPLEN), for files without a limit of their own.
    const LARGEST_FRAME: u32 = 262_144;
    /// The largest accepted block, in bytes.
    const LARGEST_BLOCK: u32 = 16 << 20;
    const PCAP_HEADER: usize = 24;
    /// The shortest block of pcapng, in bytes; a pcap record's header is longer.
    const SHORTEST: usize = 12;
    const SECTION: [u8; 4] = [0x0a, 0x0d, 0x0d, 0x0a];

    /// Frames read so far.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Whether a file that begins with these bytes is a capture.
    pub fn is_like(bytes: &[u8]) -> bool {
        let Some(&magic) = bytes.first_chunk::<4>() else {
            return false;
        };
        let number = u32::from_le_bytes(magic);
        magic == Self::SECTION
            || [number, number.swap_bytes()]
                .iter()
                .any(|number| [0xa1b2_c3d4, 0xa1b2_3c4d].contains(number))
    }

    /// Takes the next bytes of the file.
    pub fn feed(&mut self, chunk: &[u8]) {
        if matches!(self.format, Format::Damaged | Format::Neither) {
            self.before += chunk.len() as u64;
            return;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.extend_from_slice(chunk);
        let mut at = 0;
        loop {
            match self.block(&buffer[at..], self.before + at as u64) {
                Next::More => break,
                Next::Read(size) => at += size,
                Next::Damaged(why) => {
                    // How much of the rest is available depends on the chunks.
                    let head = buffer.get(at..at + Self::SHORTEST).unwrap_or_default();
                    self.damage(self.before + at as u64, head, why);
                    at = buffer.len();
                    break;
                }
            }
        }
        buffer.drain(..at);
        self.before += at as u64;
        self.buffer = buffer;
    }

    /// Ends the file and returns the capture. Fails if the file is not one.
    pub fn finish(mut self) -> Result<Capture, NotACapture> {
        if matches!(self.format, Format::Unknown | Format::Neither) {
            return Err(NotACapture);
        }
        if !self.buffer.is_empty() {
            let rest = std::mem::take(&mut self.buffer);
            self.damage(self.before, &rest, Broken::Ends);
        }
        if let Some((blocks, at)) = self.unreadable_blocks {
            let warning = words::unreadable_blocks(blocks, at);
            self.capture.ledger.warn(warning);
        }
        // Several queues or interfaces may have written; their frames interleave by time.
        order::sort_by_key(&mut self.capture.frames, |frame| frame.time);
        Ok(self.capture)
    }

    fn damage(&mut self, at: u64, bytes: &[u8], why: Broken) {
        if matches!(self.format, Format::Neither) {
            return;
        }
        self.format = Format::Damaged;
        self.frames += 1;
        let text = hexadecimal(bytes);
        let ledger = &mut self.capture.ledger;
        ledger.malformed(self.frames, text.as_bytes(), &why.text());
        let kept = self.capture.frames.len() as u64;
        self.capture.damage = Some(Damage { at, kept, why });
    }

    fn block(&mut self, bytes: &[u8], at: u64) -> Next {
        match &self.format {
            Format::Unknown => self.start(bytes),
            Format::Pcap(header, trailer) => {
                let (header, trailer) = (header.clone(), *trailer);
                self.pcap_frame(&header, trailer, bytes)
            }
            Format::PcapNg { is_big_endian, .. } => {
                let is_big_endian = *is_big_endian;
                self.pcapng_block(is_big_endian, bytes, at)
            }
            Format::Damaged | Format::Neither => Next::Read(bytes.len().max(1)),
        }
    }

    fn start(&mut self, bytes: &[u8]) -> Next {
        if bytes.len() < 4 {
            return Next::More;
        }
        if bytes.starts_with(&Self::SECTION) {
            self.format = Format::PcapNg {
                is_big_endian: false,
                interfaces: Vec::new(),
            };
            return Next::Read(0);
        }
        if !Self::is_like(bytes) {
            self.format = Format::Neither;
            return Next::Damaged(Broken::Header);
        }
        let Some(header) = bytes.get(..Self::PCAP_HEADER) else {
            return Next::More;
        };
        match parse_pcap_header(header) {
            Ok((_, mut header)) => {
                let trailer;
                (header.network, trailer) = link_and_trailer(header.network);
                self.format = Format::Pcap(header, trailer);
                Next::Read(Self::PCAP_HEADER)
            }
            Err(_) => Next::Damaged(Broken::Header),
        }
    }

    fn pcap_frame(&mut self, header: &PcapHeader, trailer: Trailer, bytes: &[u8]) -> Next {
        const RECORD: usize = 16;
        let Some(head) = bytes.get(..RECORD) else {
            return Next::More;
        };
        let captured = word(head, 8, header.is_bigendian());
        if captured > Self::LARGEST_FRAME.max(header.snaplen.min(Self::LARGEST_BLOCK)) {
            return Next::Damaged(Broken::States(captured));
        }
        let size = RECORD + captured as usize;
        let Some(record) = bytes.get(..size) else {
            return Next::More;
        };
        let parse: Parse<'_, LegacyPcapBlock<'_>> = if header.is_bigendian() {
            parse_pcap_frame_be
        } else {
            parse_pcap_frame
        };
        let Ok((_, block)) = parse(record) else {
            return Next::Damaged(Broken::Header);
        };
        let unit = if header.is_nanosecond_precision() {
            1
        } else {
            1_000
        };
        let time = u64::from(block.ts_sec) * 1_000_000_000 + u64::from(block.ts_usec) * unit;
        let length = block.origlen.saturating_sub(trailer.0);
        let kept = block.data.len().min(length as usize);
        self.frame(header.network, &block.data[..kept], length, Nanos(time));
        Next::Read(size)
    }

    fn pcapng_block(&mut self, mut is_big_endian: bool, bytes: &[u8], at: u64) -> Next {
        let Some(head) = bytes.get(..Self::SHORTEST) else {
            return Next::More;
        };
        if head.starts_with(&Self::SECTION) {
            // A section header gives its byte order in the third word.
            is_big_endian = head[8..] == [0x1a, 0x2b, 0x3c, 0x4d];
        }
        let length = word(head, 4, is_big_endian);
        if (length as usize) < Self::SHORTEST
            || !length.is_multiple_of(4)
            || length > Self::LARGEST_BLOCK
        {
            return Next::Damaged(Broken::States(length));
        }
        let Some(whole) = bytes.get(..length as usize) else {
            return Next::More;
        };
        let parse: Parse<'_, Block<'_>> = if is_big_endian {
            parse_block_be
        } else {
            parse_block_le
        };
        match parse(whole) {
            Ok((_, block)) => self.known_block(is_big_endian, &block, whole),
            Err(_) if is_frame(word(head, 0, is_big_endian)) => {
                self.leave_out(whole, Unread::Block);
            }
            Err(_) => self.unreadable_blocks.get_or_insert((0, at)).0 += 1,
        }
        Next::Read(length as usize)
    }

    fn known_block(&mut self, big_endian: bool, block: &Block<'_>, whole: &[u8]) {
        match block {
            Block::SectionHeader(_) => {
                self.format = Format::PcapNg {
                    is_big_endian: big_endian,
                    interfaces: Vec::new(),
                };
            }
            Block::InterfaceDescription(description) => {
                if let Format::PcapNg { interfaces, .. } = &mut self.format {
                    interfaces.push(Interface::new(description));
                }
            }
            Block::EnhancedPacket(packet) => {
                let Format::PcapNg { interfaces, .. } = &self.format else {
                    return;
                };
                let Some(&interface) = interfaces.get(packet.if_id as usize) else {
                    self.leave_out(whole, Unread::Interface);
                    return;
                };
                let Some(data) = packet.data.get(..packet.caplen as usize) else {
                    self.leave_out(whole, Unread::Cut);
                    return;
                };
                let ticks = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                self.frame(interface.link, data, packet.origlen, interface.time(ticks));
            }
            Block::SimplePacket(_) => self.leave_out(whole, Unread::NoTime),
            Block::Unknown(_) if is_frame(word(whole, 0, big_endian)) => {
                self.leave_out(whole, Unread::Obsolete);
            }
            _ => {}
        }
    }

    fn frame(&mut self, link: Linktype, data: &[u8], length: u32, time: Nanos) {
        match dissect(link, data, length, time, self.frames as u32 + 1) {
            Ok(frame) => {
                self.frames += 1;
                self.capture.ledger.understood += 1;
                self.capture.frames.push(frame);
            }
            Err(why) => self.leave_out(data, why),
        }
    }

    fn leave_out(&mut self, bytes: &[u8], why: Unread) {
        self.frames += 1;
        self.capture.left_out.add(why);
        let (text, why_text) = (hexadecimal(bytes), why.text());
        let ledger = &mut self.capture.ledger;
        if why.is_known() {
            ledger.skip(&why_text, self.frames, text.as_bytes());
        } else {
            ledger.malformed(self.frames, text.as_bytes(), &why_text);
        }
    }
}

impl Interface {
    fn new(description: &InterfaceDescriptionBlock<'_>) -> Self {
        let exponent = u32::from(description.if_tsresol & 0x7f);
        let base: u128 = if description.if_tsresol & 0x80 == 0 {
            10
        } else {
            2
        };
        Self {
            link: description.linktype,
            // A resolution too fine to represent is read as the default, microseconds.
            ticks_per_second: base.checked_pow(exponent).unwrap_or(1_000_000),
            offset_seconds: description.if_tsoffset,
        }
    }

    fn time(self, ticks: u64) -> Nanos {
        let nanos = u128::from(ticks).saturating_mul(1_000_000_000) / self.ticks_per_second;
        let shifted = i128::try_from(nanos).unwrap_or(i128::MAX)
            + i128::from(self.offset_seconds) * 1_000_000_000;
        Nanos(shifted.clamp(0, i64::MAX.into()) as u64)
    }
}

/// Whether a block is an enhanced, simple or obsolete packet block (pcapng draft, section 4).
const fn is_frame(kind: u32) -> bool {
    matches!(kind, 2 | 3 | 6)
}

fn word(bytes: &[u8], at: usize, is_big_endian: bool) -> u32 {
    let Some(&word) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        return 0;
    };
    if is_big_endian {
        u32::from_be_bytes(word)
    } else {
        u32::from_le_bytes(word)
    }
}

/// The first bytes of a damaged or skipped frame, for the ledger.
fn hexadecimal(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes
        .iter()
        .take(32)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    pairs.join(" ")
}

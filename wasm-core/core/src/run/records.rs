//! The values that not every event has (task, packet, socket,
//! length and fields), packed as one record of bytes per event.
//!
//! A record begins with a byte that holds the widths of the four leading values, two bits each. The values
//! follow, in little endian, and then key and value of each field. A field's value is LEB128 (7 bits a byte,
//! the lowest first; DWARF 5 section 7.6), as most are small. Every pass over a run reads leading values, so
//! each is found without decoding those before it. A value that an event does not have takes no space.

use super::halved::grow;
use crate::kernel::{AddrId, Event, Field, Pid};

/// The records of all events, in their order.
#[derive(Debug, Clone)]
pub(super) struct Records {
    /// Where each record begins in `bytes`, and where the last one ends. As a `Halved`
    /// column it would save 2 bytes per event, but opening a file took a third longer.
    pub(super) from: Vec<u32>,
    pub(super) bytes: Vec<u8>,
}

/// The values that a record begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leading {
    pub pid: Pid,
    pub skb: AddrId,
    pub sk: AddrId,
    pub len: u32,
}

/// Width in bytes of a leading value by its two bits, and the mask of its bytes in a word of four.
const WIDTHS: [u8; 4] = [0, 1, 2, 4];
const MASKS: [u32; 4] = [0, 0xff, 0xffff, u32::MAX];

/// Total width in bytes of the four leading values, by the first byte of the record.
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut widths = 0;
    while widths < 256 {
        let mut rest = widths;
        while rest > 0 {
            lengths[widths] += WIDTHS[rest & 3];
            rest >>= 2;
        }
        widths += 1;
    }
    lengths
};

/// Where the leading values stand in a record.
const PID: u32 = 0;
const SKB: u32 = 1;
const SK: u32 = 2;
const LEN: u32 = 3;

/// The value of a leading value that an event does not have.
const MISSING: u32 = u32::MAX;
const _: () = assert!(
    Pid::UNKNOWN.0 == MISSING && AddrId::NONE.0 == MISSING && Event::NO_LEN == MISSING,
    "each leading value is missing in the same way"
);

impl Records {
    /// No records.
    pub fn new() -> Self {
        Self {
            from: vec![0],
            bytes: Vec::new(),
        }
    }

    /// Appends the record of an event.
    pub fn push(&mut self, leading: Leading, fields: impl IntoIterator<Item = (Field, u32)>) {
        let values = [leading.pid.0, leading.skb.0, leading.sk.0, leading.len];
        // The byte of widths and four values of at most four bytes. Each value is written
        // with all four bytes, and the next one overwrites those that are not needed.
        let mut begin = [0; 17];
        let mut end = 1;
        for (place, value) in values.into_iter().enumerate() {
            let width: usize = match value {
                MISSING => 0,
                0..0x100 => 1,
                0x100..0x1_0000 => 2,
                _ => 3,
            };
            begin[0] |= (width << (2 * place)) as u8;
            begin[end..end + 4].copy_from_slice(&value.to_le_bytes());
            end += usize::from(WIDTHS[width]);
        }
        // A copy of fixed size: WebAssembly would move a variable number of bytes one by one.
        grow(&mut self.bytes, begin.len());
        self.bytes.extend_from_slice(&begin);
        self.bytes.truncate(self.bytes.len() - (begin.len() - end));
        for (key, value) in fields {
            grow(&mut self.bytes, 6);
            self.bytes.push(key as u8);
            write(&mut self.bytes, value);
        }
        grow(&mut self.from, 1);
        self.from.push(self.bytes.len() as u32);
    }

    /// The leading values of an event.
    #[inline]
    pub fn leading(&self, place: usize) -> Leading {
        let begin = self.from[place] as usize;
        let widths = self.bytes[begin];
        let value = |which| self.value(begin + 1, widths, which);
        Leading {
            pid: Pid(value(PID)),
            skb: AddrId(value(SKB)),
            sk: AddrId(value(SK)),
            len: value(LEN),
        }
    }

    /// The task of an event.
    #[inline]
    pub fn pid(&self, place: usize) -> Pid {
        Pid(self.one(place, PID))
    }

    /// The packet's address of an event.
    #[inline]
    pub fn skb(&self, place: usize) -> AddrId {
        AddrId(self.one(place, SKB))
    }

    /// The socket's address of an event.
    #[inline]
    pub fn sk(&self, place: usize) -> AddrId {
        AddrId(self.one(place, SK))
    }

    /// The length of an event.
    #[inline]
    pub fn len_of(&self, place: usize) -> u32 {
        self.one(place, LEN)
    }

    /// The fields of an event.
    #[inline]
    pub fn fields(&self, place: usize) -> Fields<'_> {
        let record = self.record(place);
        let leading = 1 + usize::from(LENGTHS[usize::from(record[0])]);
        Fields {
            bytes: &record[leading..],
        }
    }

    #[inline]
    fn one(&self, place: usize, which: u32) -> u32 {
        let begin = self.from[place] as usize;
        self.value(begin + 1, self.bytes[begin], which)
    }

    /// A leading value of the record whose values begin here, with these widths.
    #[inline]
    fn value(&self, values: usize, widths: u8, which: u32) -> u32 {
        let width = usize::from(widths >> (2 * which)) & 3;
        let before = usize::from(widths) & ((1 << (2 * which)) - 1);
        let rest = &self.bytes[values + usize::from(LENGTHS[before])..];
        let four = match rest.first_chunk() {
            Some(four) => *four,
            // The last record may end within the word that is read.
            None => std::array::from_fn(|at| rest.get(at).copied().unwrap_or_default()),
        };
        match width {
            0 => MISSING,
            _ => u32::from_le_bytes(four) & MASKS[width],
        }
    }

    /// The records in the order of these places.
    pub fn in_order(&self, order: &[u32]) -> Self {
        let mut sorted = Self::new();
        sorted.bytes.reserve_exact(self.bytes.len());
        sorted.from.reserve_exact(order.len());
        for &place in order {
            sorted.bytes.extend_from_slice(self.record(place as usize));
            sorted.from.push(sorted.bytes.len() as u32);
        }
        sorted
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.from.len() - 1
    }

    /// Gives back what growing left over.
    pub fn shrink_to_fit(&mut self) {
        self.from.shrink_to_fit();
        self.bytes.shrink_to_fit();
    }

    /// Bytes of memory reserved.
    pub fn memory_bytes(&self) -> usize {
        self.from.capacity() * size_of::<u32>() + self.bytes.capacity()
    }

    #[inline]
    fn record(&self, place: usize) -> &[u8] {
        &self.bytes[self.from[place] as usize..self.from[place + 1] as usize]
    }
}

/// The fields of one event, in recorded order.
#[derive(Debug, Clone)]
pub(super) struct Fields<'run> {
    bytes: &'run [u8],
}

impl Iterator for Fields<'_> {
    type Item = (Field, u32);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (&key, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let value = read(&mut self.bytes);
        Some((Field::from_index(key)?, value))
    }
}

fn write(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[inline]
fn read(bytes: &mut &[u8]) -> u32 {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let Some((&byte, rest)) = bytes.split_first() else {
            break;
        };
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

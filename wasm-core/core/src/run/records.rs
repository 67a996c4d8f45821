//! What not every event has (its task, packet, socket, length and fields), packed: a record of
//! bytes for each event, one after the other.
//!
//! A record is a byte that says which of the four leading values follow, these values, and then
//! key and value of each field. A value is written as LEB128 is (7 bits a byte, the lowest first;
//! DWARF 5 section 7.6), as most are small. What an event does not have takes no room.

use super::halved::grow;
use crate::kernel::{AddrId, Event, Field, Pid};

/// The records of all events, in their order.
#[derive(Debug, Clone)]
pub(super) struct Records {
    /// Where each record begins in `bytes`, and where the last one ends. Half as wide with a list
    /// of steps beside it they took 2 bytes less, and opening a file a third longer.
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

const HAS_PID: u8 = 1;
const HAS_SKB: u8 = 2;
const HAS_SK: u8 = 4;
const HAS_LEN: u8 = 8;

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
        let values = [
            (HAS_PID, leading.pid.0, Pid::UNKNOWN.0),
            (HAS_SKB, leading.skb.0, AddrId::NONE.0),
            (HAS_SK, leading.sk.0, AddrId::NONE.0),
            (HAS_LEN, leading.len, Event::NO_LEN),
        ];
        let begin = self.bytes.len();
        // A flag and four values of at most five bytes each.
        grow(&mut self.bytes, 21);
        self.bytes.push(0);
        for (flag, value, missing) in values {
            if value != missing {
                self.bytes[begin] |= flag;
                write(&mut self.bytes, value);
            }
        }
        for (key, value) in fields {
            grow(&mut self.bytes, 6);
            self.bytes.push(key as u8);
            write(&mut self.bytes, value);
        }
        grow(&mut self.from, 1);
        self.from.push(self.bytes.len() as u32);
    }

    /// The leading values of an event, and its fields.
    #[inline]
    pub fn at(&self, place: usize) -> (Leading, Fields<'_>) {
        let mut bytes = self.record(place);
        let flags = bytes[0];
        bytes = &bytes[1..];
        let mut value = |flag, missing| {
            if flags & flag == 0 {
                return missing;
            }
            read(&mut bytes)
        };
        let leading = Leading {
            pid: Pid(value(HAS_PID, Pid::UNKNOWN.0)),
            skb: AddrId(value(HAS_SKB, AddrId::NONE.0)),
            sk: AddrId(value(HAS_SK, AddrId::NONE.0)),
            len: value(HAS_LEN, Event::NO_LEN),
        };
        (leading, Fields { bytes })
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

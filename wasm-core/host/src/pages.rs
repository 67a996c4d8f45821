//! Page-aligned memory for the data that loads send and read.
//!
//! Some processors copy a string byte by byte if the destination lies a few bytes above the source, modulo the
//! page size: an EPYC of Zen 3 is 25 to 30 times slower from 1 to 31 bytes above, as we measured. The address
//! of an allocation is random, and headers shift the kernel's data by some ten bytes: with unaligned memory a
//! load is slow or fast by chance.

use std::ops::{Deref, DerefMut};

/// Bytes of a page.
const PAGE: usize = 4096;

/// A buffer that begins at a page boundary.
#[derive(Debug)]
pub struct Pages {
    memory: Vec<u8>,
    from: usize,
    bytes: usize,
}

impl Pages {
    /// A buffer of `bytes` bytes with this value.
    pub fn of(value: u8, bytes: usize) -> Self {
        let memory = vec![value; bytes + PAGE];
        let from = memory.as_ptr().align_offset(PAGE);
        Self {
            memory,
            from,
            bytes,
        }
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.from..self.from + self.bytes]
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.from..self.from + self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_begins_with_a_page_and_is_as_long_as_was_asked() {
        for bytes in [0, 1, 128, 4096, 65_537] {
            let mut pages = Pages::of(0x5a, bytes);
            assert_eq!((pages.len(), pages.as_ptr() as usize % PAGE), (bytes, 0));
            pages.fill(1);
            assert!(pages.iter().all(|&byte| byte == 1));
        }
    }
}

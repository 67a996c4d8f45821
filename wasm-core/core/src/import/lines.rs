//! Splits chunks of any size into lines. A line that lies within a chunk is borrowed from it without a copy; the
//! incomplete one at the end of a chunk is carried over to the next.
//!
//! Independent of formats. Both `\n` and `\r\n` end a line.

use memchr::memchr;

/// The splitter, between chunks.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The incomplete line at the end of the last chunk.
    carried: Vec<u8>,
    /// Bytes of the carried line beyond [`Lines::MAX`], which were not kept.
    over: usize,
    /// Whether `carried` was lent out last and must be cleared.
    is_lent: bool,
    /// How many lines were returned.
    count: u64,
}

/// One line without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its bytes.
    pub text: &'a [u8],
    /// Whether it was longer than [`Lines::MAX`] and is truncated.
    pub is_cut: bool,
}

impl Lines {
    /// Limit of a line's length in bytes. Lines of a trace are far shorter (a page of `trace_marker` is 4096 bytes):
    /// longer data is not text, and must not exhaust memory.
    pub const MAX: usize = 64 * 1024;

    /// How many lines were returned.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The next complete line of `chunk`, which shrinks by it; `None` when the rest of the chunk was carried over.
    pub fn next<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Option<TextLine<'a>> {
        self.forget_lent();
        let Some(end) = memchr(b'\n', chunk) else {
            self.carry(chunk);
            *chunk = &[];
            return None;
        };
        let (head, tail) = chunk.split_at(end);
        *chunk = &tail[1..];
        if self.carried.is_empty() {
            self.count += 1;
            let is_cut = head.len() > Self::MAX;
            return Some(TextLine {
                number: self.count,
                text: ended(&head[..head.len().min(Self::MAX)], is_cut),
                is_cut,
            });
        }
        self.carry(head);
        Some(self.lend())
    }

    /// The last line, if the input does not end with a line end.
    pub fn last(&mut self) -> Option<TextLine<'_>> {
        self.forget_lent();
        if self.carried.is_empty() {
            return None;
        }
        Some(self.lend())
    }

    fn carry(&mut self, bytes: &[u8]) {
        let room = (Self::MAX - self.carried.len()).min(bytes.len());
        self.carried.extend_from_slice(&bytes[..room]);
        self.over += bytes.len() - room;
    }

    fn lend(&mut self) -> TextLine<'_> {
        self.is_lent = true;
        self.count += 1;
        let is_cut = self.over > 0;
        TextLine {
            number: self.count,
            text: ended(&self.carried, is_cut),
            is_cut,
        }
    }

    fn forget_lent(&mut self) {
        if self.is_lent {
            self.carried.clear();
            self.over = 0;
            self.is_lent = false;
        }
    }
}

/// Removes the carriage return of a `\r\n`.
fn ended(text: &[u8], is_cut: bool) -> &[u8] {
    match text {
        [head @ .., b'\r'] if !is_cut => head,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(text: &[u8], sizes: &[usize]) -> Vec<(u64, Vec<u8>, bool)> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut rest = text;
        let mut sizes = sizes.iter().copied().cycle();
        while !rest.is_empty() {
            let size = sizes.next().unwrap_or(rest.len()).min(rest.len());
            let mut chunk;
            (chunk, rest) = rest.split_at(size);
            while let Some(line) = lines.next(&mut chunk) {
                found.push((line.number, line.text.to_vec(), line.is_cut));
            }
        }
        if let Some(line) = lines.last() {
            found.push((line.number, line.text.to_vec(), line.is_cut));
        }
        found
    }

    #[test]
    fn every_line_end_counts_and_a_last_line_needs_none() {
        let lines = split(b"one\r\n\ntwo\nthree", &[100]);
        let texts: Vec<_> = lines.iter().map(|line| line.1.as_slice()).collect();
        assert_eq!(texts, [b"one".as_slice(), b"", b"two", b"three"]);
    }

    #[test]
    fn an_overlong_line_is_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; Lines::MAX + 5];
        text.extend_from_slice(b"\nnext\n");
        for size in [usize::MAX, 1000] {
            let lines = split(&text, &[size]);
            assert_eq!(lines[0].1.len(), Lines::MAX);
            assert!(lines[0].2);
            assert_eq!(lines[1], (2, b"next".to_vec(), false));
        }
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(
            text in "[a\r\n]{0,60}",
            sizes in prop::collection::vec(1usize..9, 1..9),
        ) {
            prop_assert_eq!(split(text.as_bytes(), &sizes), split(text.as_bytes(), &[usize::MAX]));
        }
    }
}

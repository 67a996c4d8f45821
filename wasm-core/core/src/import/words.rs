//! A fixed set of words, looked up by their bytes: the names of events and the keys of arguments. Open addressing in
//! a table at most a quarter full; a general hash map takes three times as long for words this short.

/// Words with their meanings.
#[derive(Debug)]
pub(crate) struct Words<T> {
    slots: Vec<Option<(Box<[u8]>, T)>>,
    shift: u32,
}

impl<T: Copy> Words<T> {
    /// A table of these words; the first entry of a duplicate counts.
    pub fn new<'a>(words: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        let words: Vec<_> = words.into_iter().collect();
        let size = (words.len() * 4).next_power_of_two().max(2);
        let mut slots: Vec<Option<(Box<[u8]>, T)>> = Vec::new();
        slots.resize_with(size, || None);
        let mut table = Self {
            slots,
            shift: 64 - size.trailing_zeros(),
        };
        for (word, meaning) in words {
            let mut at = table.place(word.as_bytes());
            while table.slots[at]
                .as_ref()
                .is_some_and(|(known, _)| **known != *word.as_bytes())
            {
                at = table.after(at);
            }
            table.slots[at].get_or_insert_with(|| (word.as_bytes().into(), meaning));
        }
        table
    }

    /// The meaning of a word.
    #[inline]
    pub fn find(&self, word: &[u8]) -> Option<T> {
        let mut at = self.place(word);
        while let Some((known, meaning)) = &self.slots[at] {
            if **known == *word {
                return Some(*meaning);
            }
            at = self.after(at);
        }
        None
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// Fibonacci hashing of the first and last bytes and the length.
    #[inline]
    fn place(&self, word: &[u8]) -> usize {
        let (first, last) = match (word.first_chunk(), word.last_chunk()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => match (word.first_chunk(), word.last_chunk()) {
                (Some(first), Some(last)) => (
                    u64::from(u32::from_le_bytes(*first)),
                    u64::from(u32::from_le_bytes(*last)),
                ),
                _ => match word {
                    [] => (0, 0),
                    [first, .., last] => (u64::from(*first), u64::from(*last)),
                    [only] => (u64::from(*only), 0),
                },
            },
        };
        let mixed = first ^ last.rotate_left(23) ^ (word.len() as u64).rotate_left(51);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_no_other() {
        let words = [
            "",
            "a",
            "sk",
            "skb",
            "len",
            "skbaddr",
            "napi_gro_receive",
            "sk_data_ready",
        ];
        let table = Words::new(words.iter().copied().zip(0..));
        for (place, word) in words.iter().enumerate() {
            assert_eq!(table.find(word.as_bytes()), Some(place));
        }
        for word in ["b", "skc", "skbadds", "napi_gro_recieve"] {
            assert_eq!(table.find(word.as_bytes()), None);
        }
    }
}

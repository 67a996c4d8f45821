//! Converts UTF-16, which `>` of Windows PowerShell writes, to UTF-8. It is recognised by its byte order mark, or
//! without one, as in a part of a file, by its zero bytes.

/// A converter that takes pieces of any size.
#[derive(Debug, Default)]
pub(crate) struct Wide {
    is_big: bool,
    /// The first byte of a code unit.
    half: Option<u8>,
    /// The first of two surrogates.
    high: Option<u16>,
    text: Vec<u8>,
}

impl Wide {
    /// A converter, if a file that begins with these bytes is UTF-16.
    pub fn of(head: &[u8]) -> Option<Self> {
        let is_utf_32 = head.starts_with(b"\xff\xfe\0\0");
        let is_big = match head {
            [0xfe, 0xff, ..] => true,
            [0xff, 0xfe, ..] if !is_utf_32 => false,
            _ if is_ascii_behind(1, head) => false,
            _ if is_ascii_behind(0, head) => true,
            _ => return None,
        };
        Some(Self {
            is_big,
            ..Self::default()
        })
    }

    /// Converts the next bytes to UTF-8, without byte order marks. Invalid code units become U+FFFD.
    pub fn narrow(&mut self, bytes: &[u8]) -> &[u8] {
        self.text.clear();
        for &byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(byte);
                continue;
            };
            let pair = [first, byte];
            let unit = if self.is_big {
                u16::from_be_bytes(pair)
            } else {
                u16::from_le_bytes(pair)
            };
            self.take(unit);
        }
        &self.text
    }

    fn take(&mut self, unit: u16) {
        if matches!(unit, 0xd800..=0xdbff) {
            if self.high.replace(unit).is_some() {
                self.put(char::REPLACEMENT_CHARACTER);
            }
            return;
        }
        let units = self.high.take().into_iter().chain([unit]);
        for character in
            char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER))
        {
            if character != '\u{feff}' {
                self.put(character);
            }
        }
    }

    fn put(&mut self, character: char) {
        let mut bytes = [0; 4];
        let text = character.encode_utf8(&mut bytes);
        self.text.extend_from_slice(text.as_bytes());
    }
}

/// Whether it is ASCII in UTF-16: in nearly every pair of bytes this one is zero and the other is not.
fn is_ascii_behind(zero: usize, head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let is_ascii = |pair: &&[u8; 2]| pair[zero] == 0 && matches!(pair[1 - zero], 1..0x80);
    pairs.len() > 1 && pairs.iter().filter(is_ascii).count() * 10 >= pairs.len() * 9
}

//! A hash of a whole run: what "the same run" means when the native build, the
//! wasm build and every way of cutting the input into chunks are compared, or a
//! run and the file that was written of it. Texts and addresses are hashed as what
//! they are: the order in which they were interned is no part of a run.

use super::Run;
use crate::kernel::{AddrId, Field, FieldKind, NameId};

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv-17 section 2).
pub(crate) struct Fnv(pub(crate) u64);

impl Fnv {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    const PRIME: u64 = 0x0000_0100_0000_01b3;

    /// What so many bytes of zeros do to a hash.
    const ZEROS: [u64; 9] = {
        let mut zeros = [1_u64; 9];
        let mut count = 1;
        while count < zeros.len() {
            zeros[count] = zeros[count - 1].wrapping_mul(Self::PRIME);
            count += 1;
        }
        zeros
    };

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// The same of a number's bytes, the lowest first: the highest are mostly zeros, which are taken together.
    fn number<const SIZE: usize>(&mut self, bytes: [u8; SIZE]) {
        let used = bytes
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        self.bytes(&bytes[..used]);
        self.0 = self.0.wrapping_mul(Self::ZEROS[SIZE - used]);
    }
}

impl Run {
    /// A hash of every column but the line numbers, of every field and every task's command.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::new();
        self.each(|index| {
            let event = self.event(index);
            hash.number(event.time.0.to_le_bytes());
            hash.number(event.cpu.0.to_le_bytes());
            hash.bytes(&[event.context as u8, event.probe as u8]);
            hash.number(event.pid.0.to_le_bytes());
            hash.number(self.address_bytes(event.skb));
            hash.number(self.address_bytes(event.sk));
            hash.number(event.len.to_le_bytes());
            for (field, value) in self.fields(index) {
                hash.bytes(&[field as u8]);
                self.hash_value(field, value, &mut hash);
            }
        });
        for (pid, comm) in &self.comm {
            hash.bytes(&pid.0.to_le_bytes());
            hash.bytes(self.names.text(*comm).as_bytes());
            hash.bytes(&[0]);
        }
        hash.0
    }

    fn hash_value(&self, field: Field, value: u32, hash: &mut Fnv) {
        match field.kind() {
            FieldKind::Name => {
                hash.bytes(self.names.text(NameId(value)).as_bytes());
                hash.bytes(&[0]);
            }
            FieldKind::Addr => hash.number(self.address_bytes(AddrId(value))),
            FieldKind::Number
            | FieldKind::Signed
            | FieldKind::Hex
            | FieldKind::Ipv4
            | FieldKind::Reason => hash.number(value.to_le_bytes()),
        }
    }

    fn address_bytes(&self, id: AddrId) -> [u8; 8] {
        self.addresses.value(id).to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_hashed_as_its_bytes(numbers in prop::collection::vec((any::<u64>(), 0_u32..65), 1..20)) {
            let (mut by_byte, mut at_once) = (Fnv::new(), Fnv::new());
            for (number, shift) in numbers {
                let bytes = number.checked_shr(shift).unwrap_or(0).to_le_bytes();
                by_byte.bytes(&bytes);
                at_once.number(bytes);
            }
            prop_assert_eq!(by_byte.0, at_once.0);
        }
    }
}

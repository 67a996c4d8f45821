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

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Run {
    /// A hash of every column but the line numbers, of every field and every task's command.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::new();
        for index in self.indices() {
            let event = self.event(index);
            hash.bytes(&event.time.0.to_le_bytes());
            hash.bytes(&event.cpu.0.to_le_bytes());
            hash.bytes(&[event.context as u8, event.probe as u8]);
            hash.bytes(&event.pid.0.to_le_bytes());
            hash.bytes(&self.address_bytes(event.skb));
            hash.bytes(&self.address_bytes(event.sk));
            hash.bytes(&event.len.to_le_bytes());
            for (field, value) in self.fields(index) {
                hash.bytes(&[field as u8]);
                self.hash_value(field, value, &mut hash);
            }
        }
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
            FieldKind::Addr => hash.bytes(&self.address_bytes(AddrId(value))),
            FieldKind::Number
            | FieldKind::Signed
            | FieldKind::Hex
            | FieldKind::Ipv4
            | FieldKind::Reason => hash.bytes(&value.to_le_bytes()),
        }
    }

    fn address_bytes(&self, id: AddrId) -> [u8; 8] {
        self.addresses.value(id).to_le_bytes()
    }
}

//! A run as bytes and back: what the simulator's wasm module hands to the reader's.
//!
//! Columns stand as they stand in memory, numbers with the lowest byte first, each after its length,
//! so that an event costs a copy and no more. There is no version in it: both sides are of one build,
//! and nothing else ever reads or keeps it.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::halved::{Halved, Narrow, Step};
use super::records::Records;
use super::{Addresses, Names, Run};
use crate::kernel::{Context, CpuId, NameId, Origin, Pid, Probe};

impl Run {
    /// The run as bytes, for [`Self::from_bytes`] of the same build. Each column is given back as soon as
    /// it is written: at its most this takes the run's memory and its largest column's.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut out = Out(Vec::with_capacity(self.event_bytes() + (1 << 16)));
        out.count(usize::from(self.origin == Origin::Simulated));
        out.count(self.metadata.len());
        for (key, value) in &self.metadata {
            out.bytes(key.as_bytes());
            out.bytes(value.as_bytes());
        }
        out.halved(self.time, u32::to_le_bytes);
        out.column(self.cpu, |cpu| cpu.0.to_le_bytes());
        out.column(self.context, |context| [context as u8]);
        out.column(self.probe, |probe| [probe as u8]);
        out.halved(self.line, u16::to_le_bytes);
        out.column(self.records.from, u32::to_le_bytes);
        out.bytes(&self.records.bytes);
        out.count(self.names.iter().count());
        for text in self.names.iter() {
            out.bytes(text.as_bytes());
        }
        out.column(self.addresses.iter().collect(), u64::to_le_bytes);
        out.column(self.comm.keys().copied().collect(), |pid| {
            pid.0.to_le_bytes()
        });
        out.column(self.comm.into_values().collect(), |name| {
            name.0.to_le_bytes()
        });
        out.0
    }

    /// The run that [`Self::into_bytes`] wrote; nothing where the bytes are no such run.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut bytes = In(bytes);
        let origin = *[Origin::Recorded, Origin::Simulated].get(bytes.count()?)?;
        let mut metadata = BTreeMap::new();
        for _ in 0..bytes.count()? {
            let key = bytes.text()?.to_owned();
            metadata.insert(key, bytes.text()?.to_owned());
        }
        let time = bytes.halved(u32::from_le_bytes)?;
        let cpu = bytes.column(|cpu| Some(CpuId(u16::from_le_bytes(cpu))))?;
        let context = bytes.column(|[index]| Context::from_index(index))?;
        let probe = bytes.column(|[index]| Probe::from_index(index))?;
        let line = bytes.halved(u16::from_le_bytes)?;
        let records = Records {
            from: bytes.column(|place| Some(u32::from_le_bytes(place)))?,
            bytes: bytes.bytes()?.to_vec(),
        };
        let mut names = Names::default();
        for _ in 0..bytes.count()? {
            names.intern(bytes.text()?);
        }
        let mut addresses = Addresses::default();
        for address in bytes.column(|address| Some(u64::from_le_bytes(address)))? {
            addresses.intern(address);
        }
        let pids = bytes.column(|pid| Some(Pid(u32::from_le_bytes(pid))))?;
        let comms = bytes.column(|name| Some(NameId(u32::from_le_bytes(name))))?;
        let is_whole = bytes.0.is_empty() && records.len() == cpu.len() && time.len() == cpu.len();
        is_whole.then(|| Self {
            origin,
            metadata,
            time,
            cpu,
            context,
            probe,
            line,
            records,
            names,
            addresses,
            comm: pids.into_iter().zip(comms).collect(),
        })
    }
}

/// Bytes that are written.
struct Out(Vec<u8>);

impl Out {
    /// How many there are of what follows.
    fn count(&mut self, count: usize) {
        self.0.extend_from_slice(&(count as u32).to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// Values of a fixed size, one after the other.
    fn column<T: Copy, const SIZE: usize>(
        &mut self,
        column: Vec<T>,
        to_bytes: impl Fn(T) -> [u8; SIZE],
    ) {
        self.count(column.len());
        let from = self.0.len();
        self.0.resize(from + SIZE * column.len(), 0);
        let places = self.0[from..].chunks_exact_mut(SIZE);
        for (place, value) in places.zip(column) {
            place.copy_from_slice(&to_bytes(value));
        }
    }

    fn halved<Low: Narrow, const SIZE: usize>(
        &mut self,
        column: Halved<Low>,
        to_bytes: impl Fn(Low) -> [u8; SIZE],
    ) {
        self.column(column.low, to_bytes);
        self.column(column.steps, |step| {
            ((u64::from(step.high) << 32) | u64::from(step.from)).to_le_bytes()
        });
    }
}

/// Bytes that are still to be read.
struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn count(&mut self) -> Option<usize> {
        let (count, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*count) as usize)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.count()?;
        self.take(count)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    fn column<T, const SIZE: usize>(
        &mut self,
        value: impl Fn([u8; SIZE]) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.count()?;
        let (values, _) = self.take(count.checked_mul(SIZE)?)?.as_chunks();
        let mut column = Vec::with_capacity(count);
        for &bytes in values {
            column.push(value(bytes)?);
        }
        Some(column)
    }

    fn halved<Low: Narrow, const SIZE: usize>(
        &mut self,
        low: impl Fn([u8; SIZE]) -> Low,
    ) -> Option<Halved<Low>> {
        let low = self.column(|bytes| Some(low(bytes)))?;
        let steps = self.column(|bytes| {
            let both = u64::from_le_bytes(bytes);
            Some(Step {
                from: both as u32,
                high: (both >> 32) as u32,
            })
        })?;
        Halved::from_parts(low, steps)
    }
}

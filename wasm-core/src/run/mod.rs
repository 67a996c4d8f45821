//! A run: all events of one recording or simulation, as columns sorted by time.
//!
//! A run is built once by a [`RunBuilder`] and never changed. Nothing here knows
//! which importer or which model the events came from; the badge ([`Origin`]) is
//! the only thing that tells.

mod builder;
pub(crate) mod fingerprint;
mod intern;
mod nesting;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::kernel::{
    AddrId, Context, CpuId, Event, EventIdx, Field, NameId, Nanos, Origin, Pid, Probe,
};

pub use builder::RunBuilder;
pub use intern::{Addresses, Names};
pub use nesting::{Level, Nesting};

/// All events of one recording or simulation. Column `i` of each vector is event `i`.
#[derive(Debug, Clone)]
pub struct Run {
    /// Recorded or simulated.
    pub origin: Origin,
    /// What the input said of itself (kernel, machine, clock ...), key and value.
    pub metadata: BTreeMap<String, String>,
    /// When, ascending; equal times keep the order of the input.
    pub time: Vec<Nanos>,
    /// On which CPU.
    pub cpu: Vec<CpuId>,
    /// In which context.
    pub context: Vec<Context>,
    /// What was passed.
    pub probe: Vec<Probe>,
    /// The current task.
    pub pid: Vec<Pid>,
    /// The packet's address.
    pub skb: Vec<AddrId>,
    /// The socket's address.
    pub sk: Vec<AddrId>,
    /// Length in bytes or [`Event::NO_LEN`].
    pub len: Vec<u32>,
    /// Line of the input, from 1; empty where the events are of no input.
    pub line: Vec<u32>,
    /// Where an event's fields start in `field_keys`; one entry more than events.
    pub(crate) fields_from: Vec<u32>,
    pub(crate) field_keys: Vec<Field>,
    pub(crate) field_values: Vec<u32>,
    /// Interned text.
    pub names: Names,
    /// Interned kernel addresses.
    pub addresses: Addresses,
    /// The command of each task, the last one that the recording gives it.
    pub comm: BTreeMap<Pid, NameId>,
}

impl Run {
    /// The number of events.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The event at `index`, put together from its columns.
    pub fn event(&self, index: EventIdx) -> Event {
        let at = index.at();
        Event {
            time: self.time[at],
            cpu: self.cpu[at],
            context: self.context[at],
            probe: self.probe[at],
            pid: self.pid[at],
            skb: self.skb[at],
            sk: self.sk[at],
            len: self.len[at],
            line: self.line.get(at).copied().unwrap_or(0),
        }
    }

    /// The fields of an event in recorded order.
    pub fn fields(&self, index: EventIdx) -> impl Iterator<Item = (Field, u32)> + '_ {
        let range = self.field_range(index);
        self.field_keys[range.clone()]
            .iter()
            .copied()
            .zip(self.field_values[range].iter().copied())
    }

    /// One field of an event, if it has it.
    pub fn field(&self, index: EventIdx, field: Field) -> Option<u32> {
        let range = self.field_range(index);
        let place = self.field_keys[range.clone()]
            .iter()
            .position(|&key| key == field)?;
        Some(self.field_values[range][place])
    }

    /// A field that holds a name, as text.
    pub fn field_name(&self, index: EventIdx, field: Field) -> Option<&str> {
        self.field(index, field)
            .map(|id| self.names.text(NameId(id)))
    }

    /// All events in order.
    pub fn indices(&self) -> impl Iterator<Item = EventIdx> + use<> {
        (0..self.len() as u32).map(EventIdx)
    }

    /// The first event at `time` or later.
    pub fn first_at(&self, time: Nanos) -> EventIdx {
        EventIdx(self.time.partition_point(|&t| t < time) as u32)
    }

    /// The time of the first event; zero for an empty run.
    pub fn start(&self) -> Nanos {
        self.time.first().copied().unwrap_or_default()
    }

    /// The time of the last event; zero for an empty run.
    pub fn end(&self) -> Nanos {
        self.time.last().copied().unwrap_or_default()
    }

    /// The CPUs that recorded something, ascending.
    pub fn cpus(&self) -> Vec<CpuId> {
        let mut seen = std::collections::BTreeSet::new();
        seen.extend(self.cpu.iter().copied().filter(|cpu| cpu.is_known()));
        seen.into_iter().collect()
    }

    /// The command of a task, if the recording names it.
    pub fn comm(&self, pid: Pid) -> Option<&str> {
        self.comm.get(&pid).map(|&id| self.names.text(id))
    }

    /// Bytes of memory that the run takes: what its columns have reserved, and its texts and
    /// addresses.
    pub fn memory_bytes(&self) -> usize {
        fn reserved<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        reserved(&self.time)
            + reserved(&self.cpu)
            + reserved(&self.context)
            + reserved(&self.probe)
            + reserved(&self.pid)
            + reserved(&self.skb)
            + reserved(&self.sk)
            + reserved(&self.len)
            + reserved(&self.line)
            + reserved(&self.fields_from)
            + reserved(&self.field_keys)
            + reserved(&self.field_values)
            + self.names.memory_bytes()
            + self.addresses.memory_bytes()
    }

    fn field_range(&self, index: EventIdx) -> Range<usize> {
        self.fields_from[index.at()] as usize..self.fields_from[index.at() + 1] as usize
    }
}

//! A run: all events of one recording or simulation, as columns sorted by time.
//!
//! A run is built once by a [`RunBuilder`] and never changed. Nothing here depends on which
//! importer or model the events came from; only the [`Origin`] tells a recording from a simulation.

mod builder;
mod bytes;
mod excerpt;
pub(crate) mod fingerprint;
mod halved;
mod intern;
pub mod measured;
mod nesting;
mod records;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::blocks;
use crate::kernel::{
    AddrId, Context, CpuId, Event, EventIdx, Field, FieldKind, NameId, Nanos, Origin, Pid, Probe,
};

use halved::Halved;
use records::{Leading, Records};

pub(crate) use builder::Doubtful;
pub use builder::RunBuilder;
pub use excerpt::Excerpt;
pub(crate) use intern::harmless;
pub use intern::{Addresses, Names, is_format};
pub use nesting::{Level, Nesting};

/// All events of one recording or simulation. Index `i` of each column belongs to event `i`.
/// Values that every event has are columns; the others are packed in the event's record.
#[derive(Debug, Clone)]
pub struct Run {
    /// Recorded or simulated.
    pub origin: Origin,
    /// What the input said of itself (kernel, machine, clock ...), key and value.
    pub metadata: BTreeMap<String, String>,
    /// Time of each event in ns, ascending; equal times keep the order of the input.
    time: Halved<u32>,
    /// The CPU of each event.
    pub cpu: Vec<CpuId>,
    /// The context of each event.
    pub context: Vec<Context>,
    /// The probe that each event passed.
    pub probe: Vec<Probe>,
    /// Line of the input of each event, from 1; empty where no event comes from an input.
    line: Halved<u16>,
    /// The remaining values of each event.
    records: Records,
    /// Interned text.
    pub names: Names,
    /// Interned kernel addresses.
    pub addresses: Addresses,
    /// The command (`comm`) of each task, as last recorded.
    pub comm: BTreeMap<Pid, NameId>,
}

impl Run {
    /// The number of events.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// The scenario (JSON) of a simulated run; `None` for a recording.
    pub fn scenario(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.metadata.get("scenario")?).ok()
    }

    /// Whether the run has no events.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The event at `index`, put together from its columns.
    pub fn event(&self, index: EventIdx) -> Event {
        let at = index.at();
        let Leading { pid, skb, sk, len } = self.records.leading(at);
        Event {
            time: self.time(index),
            cpu: self.cpu[at],
            context: self.context[at],
            probe: self.probe[at],
            pid,
            skb,
            sk,
            len,
            line: self.line(index),
        }
    }

    /// The time of an event.
    #[inline]
    pub fn time(&self, index: EventIdx) -> Nanos {
        Nanos(self.time.at(index.at()))
    }

    /// The times of all events.
    pub fn times(&self) -> impl DoubleEndedIterator<Item = Nanos> + ExactSizeIterator + '_ {
        (0..self.len()).map(|at| Nanos(self.time.at(at)))
    }

    /// The current task of an event.
    pub fn pid(&self, index: EventIdx) -> Pid {
        self.records.pid(index.at())
    }

    /// The address of an event's packet.
    pub fn skb(&self, index: EventIdx) -> AddrId {
        self.records.skb(index.at())
    }

    /// The address of an event's socket.
    pub fn sk(&self, index: EventIdx) -> AddrId {
        self.records.sk(index.at())
    }

    /// An event's length in bytes or [`Event::NO_LEN`].
    pub fn skb_len(&self, index: EventIdx) -> u32 {
        self.records.len_of(index.at())
    }

    /// The line of the input that an event was read from, from 1; 0 if it comes from no input.
    pub fn line(&self, index: EventIdx) -> u32 {
        if index.at() < self.line.len() {
            self.line.at(index.at()) as u32
        } else {
            0
        }
    }

    /// The fields of an event in recorded order.
    pub fn fields(&self, index: EventIdx) -> impl Iterator<Item = (Field, u32)> + '_ {
        self.records.fields(index.at())
    }

    /// One field of an event, if it has it.
    pub fn field(&self, index: EventIdx, field: Field) -> Option<u32> {
        let mut fields = self.records.fields(index.at());
        Some(fields.find(|&(key, _)| key == field)?.1)
    }

    /// A field that holds a name, as text.
    pub fn field_name(&self, index: EventIdx, field: Field) -> Option<&str> {
        self.field(index, field)
            .map(|id| self.names.text(NameId(id)))
    }

    /// Calls `take` with each event in order; use it for a pass over a whole run.
    pub(crate) fn each(&self, mut take: impl FnMut(EventIdx)) {
        blocks::each(self.len(), |place| take(EventIdx(place as u32)));
    }

    /// All events in order.
    pub fn indices(&self) -> impl Iterator<Item = EventIdx> + use<> {
        (0..self.len() as u32).map(EventIdx)
    }

    /// The events between two times, both included, in order.
    pub fn within(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = EventIdx> + use<> {
        let (first, behind) = (self.first_at(from), self.first_where(|at| at > to));
        (first.0..behind.0).map(EventIdx)
    }

    /// The first event at `time` or later.
    pub fn first_at(&self, time: Nanos) -> EventIdx {
        self.first_where(|at| at >= time)
    }

    /// The first event whose time satisfies `is_so`, or the number of events if
    /// none does. `is_so` has to be monotone: once true, true for all later times.
    pub fn first_where(&self, is_so: impl Fn(Nanos) -> bool) -> EventIdx {
        let (mut from, mut to) = (0, self.len() as u32);
        while from < to {
            let middle = from + (to - from) / 2;
            if is_so(self.time(EventIdx(middle))) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        EventIdx(from)
    }

    /// The time of the first event; zero for an empty run.
    pub fn start(&self) -> Nanos {
        self.times().next().unwrap_or_default()
    }

    /// The time of the last event; zero for an empty run.
    pub fn end(&self) -> Nanos {
        self.times().next_back().unwrap_or_default()
    }

    /// The CPUs that recorded something, ascending.
    pub fn cpus(&self) -> Vec<CpuId> {
        let mut is_seen = vec![false; 1 << u16::BITS];
        for cpu in &self.cpu {
            is_seen[usize::from(cpu.0)] = true;
        }
        let all = (0..=u16::MAX).map(CpuId).filter(|cpu| cpu.is_known());
        all.filter(|cpu| is_seen[usize::from(cpu.0)]).collect()
    }

    /// The command of a task, if the recording names it.
    pub fn comm(&self, pid: Pid) -> Option<&str> {
        self.comm.get(&pid).map(|&id| self.names.text(id))
    }

    /// Replaces each address of a packet or socket, in fields too, by what
    /// `renamed` gives. A socket's cookie is not an address and stays.
    pub(crate) fn rename(&mut self, renamed: impl Fn(AddrId) -> AddrId) {
        let mut records = Records::new();
        for at in 0..self.records.len() {
            let leading = self.records.leading(at);
            let leading = Leading {
                skb: renamed(leading.skb),
                sk: renamed(leading.sk),
                ..leading
            };
            let fields = self.records.fields(at).map(|(field, value)| {
                let is_address = field.kind() == FieldKind::Addr && field != Field::Cookie;
                let named = if is_address {
                    renamed(AddrId(value)).0
                } else {
                    value
                };
                (field, named)
            });
            records.push(leading, fields);
        }
        records.shrink_to_fit();
        self.records = records;
    }

    /// Drops the fields of events for which `keeps` does not hold.
    pub(crate) fn retain_fields(&mut self, keeps: impl Fn(EventIdx, Field) -> bool) {
        let mut records = Records::new();
        for at in 0..self.records.len() {
            let index = EventIdx(at as u32);
            let fields = self.records.fields(at);
            let kept = fields.filter(|&(field, _)| keeps(index, field));
            records.push(self.records.leading(at), kept);
        }
        records.shrink_to_fit();
        self.records = records;
    }

    /// Bytes of memory that the run takes: its events, and their texts and addresses.
    pub fn memory_bytes(&self) -> usize {
        self.event_bytes() + self.names.memory_bytes() + self.addresses.memory_bytes()
    }

    /// Bytes of memory that the events take: what their columns have reserved.
    pub fn event_bytes(&self) -> usize {
        fn reserved<T>(column: &Vec<T>) -> usize {
            column.capacity() * size_of::<T>()
        }
        self.time.memory_bytes()
            + reserved(&self.cpu)
            + reserved(&self.context)
            + reserved(&self.probe)
            + self.line.memory_bytes()
            + self.records.memory_bytes()
    }
}

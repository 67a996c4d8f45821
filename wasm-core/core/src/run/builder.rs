//! Builds a run: events are pushed in the order of the input, fields after their
//! event; `finish` sorts by time, stably, so that equal times keep that order.

use std::collections::BTreeMap;

use super::halved::{Halved, grow};
use super::intern::harmless;
use super::records::{Leading, Records};
use super::{Addresses, Excerpt, Names, Run};
use crate::kernel::{AddrId, Event, EventIdx, Field, NameId, Nanos, Origin, Pid, Station};

/// Bytes that no packet exceeds: `skb->len` is an `unsigned int`, but the kernel compares
/// it as an `int` and never allocates that much (`include/linux/skbuff.h`, v6.12).
const LONGEST: u32 = i32::MAX.cast_unsigned();
/// Bytes of the longest name, that of a function (`include/linux/kallsyms.h`:
/// `KSYM_NAME_LEN`, v6.12). The names of devices and tasks have 15 at most.
const LONGEST_NAME: usize = 512;

/// What importers and the simulator write into.
#[derive(Debug, Clone)]
pub struct RunBuilder {
    run: Run,
    /// The event pushed last, which may still be changed, and its fields.
    last: Option<Event>,
    fields: Vec<(Field, u32)>,
    /// Events outside it are discarded.
    excerpt: Excerpt,
    /// Whether the event pushed or changed last was discarded.
    is_left_out: bool,
    doubtful: Doubtful,
    is_sorted: bool,
}

/// Impossible values of the input, which were dropped or cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Doubtful {
    /// A length above `LONGEST` was dropped.
    pub length: bool,
    /// A name above `LONGEST_NAME` was cut.
    pub name: bool,
}

impl RunBuilder {
    /// An empty run of this origin.
    pub fn new(origin: Origin) -> Self {
        Self::resume(Run {
            origin,
            metadata: BTreeMap::new(),
            time: Halved::new(),
            cpu: Vec::new(),
            context: Vec::new(),
            probe: Vec::new(),
            line: Halved::new(),
            records: Records::new(),
            names: Names::default(),
            addresses: Addresses::default(),
            comm: BTreeMap::new(),
        })
    }

    /// Reopens a finished run, to add what another input tells about it.
    pub fn resume(run: Run) -> Self {
        Self {
            run,
            last: None,
            fields: Vec::new(),
            excerpt: Excerpt::default(),
            is_left_out: false,
            doubtful: Doubtful::default(),
            is_sorted: true,
        }
    }

    /// From now on keeps only those of the pushed events that are in this part.
    pub fn only(&mut self, excerpt: Excerpt) {
        self.excerpt = excerpt;
    }

    /// Whether the event pushed or changed last was discarded; resets the answer to false.
    pub(crate) fn take_left_out(&mut self) -> bool {
        std::mem::take(&mut self.is_left_out)
    }

    /// The impossible values since the last call.
    pub(crate) fn take_doubtful(&mut self) -> Doubtful {
        std::mem::take(&mut self.doubtful)
    }

    /// Appends an event and returns its index, which is valid until [`Self::finish`].
    pub fn push(&mut self, mut event: Event) -> EventIdx {
        self.settle();
        self.doubtful.length |= forget_length(&mut event);
        self.is_left_out = !self.excerpt.has(event.time, event.cpu);
        self.last = (!self.is_left_out).then_some(event);
        EventIdx(self.run.len() as u32)
    }

    /// Adds a field to the event pushed last, unless that was left out.
    pub fn field(&mut self, field: Field, value: u32) {
        let Some(event) = &self.last else {
            return;
        };
        let is_copied = field == Field::Count && event.probe.station() == Some(Station::Process);
        if (is_copied || field == Field::Payload) && value > LONGEST {
            self.doubtful.length = true;
        } else {
            self.fields.push((field, value));
        }
    }

    /// Adds a count to the event pushed last. The upper 32 bits, if any, are a field of their own.
    pub fn count(&mut self, count: u64) {
        self.field(Field::Count, count as u32);
        if let high @ 1.. = (count >> 32) as u32 {
            self.field(Field::CountHigh, high);
        }
    }

    /// Changes the event pushed last, for formats whose events continue on later lines. Its time stays.
    pub fn amend(&mut self, change: impl FnOnce(&mut Event)) {
        self.is_left_out = self.last.is_none();
        if let Some(event) = &mut self.last {
            let time = event.time;
            change(event);
            event.time = time;
            self.doubtful.length |= forget_length(event);
        }
    }

    /// Moves the event pushed last into the columns, after which it cannot change.
    fn settle(&mut self) {
        let Some(event) = self.last.take() else {
            return;
        };
        if self.latest().is_some_and(|latest| event.time < latest) {
            self.is_sorted = false;
        }
        let run = &mut self.run;
        if event.line > 0 || !run.line.is_empty() {
            // The events before it came from no input.
            while run.line.len() < run.time.len() {
                run.line.push(0);
            }
            run.line.push(u64::from(event.line));
        }
        run.time.push(event.time.0);
        append(&mut run.cpu, event.cpu);
        append(&mut run.context, event.context);
        append(&mut run.probe, event.probe);
        let leading = Leading {
            pid: event.pid,
            skb: event.skb,
            sk: event.sk,
            len: event.len,
        };
        run.records.push(leading, self.fields.drain(..));
    }

    /// The time of the event that was settled last.
    fn latest(&self) -> Option<Nanos> {
        self.run.time.last().map(Nanos)
    }

    /// Interns a text.
    pub fn name(&mut self, text: &str) -> NameId {
        let text = if text.len() > LONGEST_NAME {
            self.doubtful.name = true;
            &text[..text.floor_char_boundary(LONGEST_NAME)]
        } else {
            text
        };
        self.run.names.intern(text)
    }

    /// Interns a kernel address; zero is none.
    pub fn address(&mut self, address: u64) -> AddrId {
        self.run.addresses.intern(address)
    }

    /// Remembers the command of a task; a later one replaces it.
    pub fn comm(&mut self, pid: Pid, comm: &str) {
        let id = self.name(comm);
        self.run.comm.insert(pid, id);
    }

    /// Remembers what the input says of itself.
    pub fn metadata(&mut self, key: &str, value: &str) {
        let (key, value) = (harmless(key), harmless(value));
        self.run
            .metadata
            .insert(key.into_owned(), value.into_owned());
    }

    /// Sets where the run comes from, for inputs that say so on their way.
    pub fn origin(&mut self, origin: Origin) {
        self.run.origin = origin;
    }

    /// The number of events pushed so far.
    pub fn len(&self) -> usize {
        self.run.len() + usize::from(self.last.is_some())
    }

    /// Whether nothing was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The finished run, sorted by time.
    pub fn finish(mut self) -> Run {
        self.settle();
        if !self.is_sorted {
            self.sort();
        }
        self.give_back();
        self.run
    }

    /// Gives back the unused capacity of the columns.
    fn give_back(&mut self) {
        let run = &mut self.run;
        run.time.shrink_to_fit();
        run.cpu.shrink_to_fit();
        run.context.shrink_to_fit();
        run.probe.shrink_to_fit();
        run.line.shrink_to_fit();
        run.records.shrink_to_fit();
    }

    fn sort(&mut self) {
        let run = &mut self.run;
        let mut order: Vec<u32> = (0..run.time.len() as u32).collect();
        // Events of one moment stay in the order of the recording.
        let times = |index: &u32| run.time.at(*index as usize);
        let back = order
            .windows(2)
            .filter(|pair| times(&pair[1]) < times(&pair[0]));
        let forth = order
            .windows(2)
            .filter(|pair| times(&pair[0]) < times(&pair[1]));
        if back.count() > forth.count().saturating_mul(TIMES_FORTH) {
            order.reverse();
        }
        order.sort_by_key(|&index| run.time.at(index as usize));
        run.time = run.time.in_order(&order);
        permute(&mut run.cpu, &order);
        permute(&mut run.context, &order);
        permute(&mut run.probe, &order);
        if !run.line.is_empty() {
            run.line = run.line.in_order(&order);
        }
        run.records = run.records.in_order(&order);
        self.is_sorted = true;
    }
}

/// A file is read as written from its end to its start if so many times as many events are earlier than the one before
/// as are later.
const TIMES_FORTH: usize = 10;

/// Drops a length that no packet has; whether it was one.
fn forget_length(event: &mut Event) -> bool {
    let is_none = event.len > LONGEST && event.len != Event::NO_LEN;
    if is_none {
        event.len = Event::NO_LEN;
    }
    is_none
}

fn append<T>(column: &mut Vec<T>, value: T) {
    grow(column, 1);
    column.push(value);
}

fn permute<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
    *column = order.iter().map(|&index| column[index as usize]).collect();
}

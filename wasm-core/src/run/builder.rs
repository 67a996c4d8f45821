//! Builds a run: events are pushed in the order of the input, fields after their
//! event; `finish` sorts by time, stably, so that equal times keep that order.

use std::collections::BTreeMap;

use super::{Addresses, Names, Run};
use crate::kernel::{AddrId, Event, EventIdx, Field, NameId, Origin, Pid};

/// What importers and the simulator write into.
#[derive(Debug, Clone)]
pub struct RunBuilder {
    run: Run,
    is_sorted: bool,
}

impl RunBuilder {
    /// An empty run of this origin.
    pub fn new(origin: Origin) -> Self {
        Self {
            run: Run {
                origin,
                metadata: BTreeMap::new(),
                time: Vec::new(),
                cpu: Vec::new(),
                context: Vec::new(),
                probe: Vec::new(),
                pid: Vec::new(),
                skb: Vec::new(),
                sk: Vec::new(),
                len: Vec::new(),
                line: Vec::new(),
                fields_from: vec![0],
                field_keys: Vec::new(),
                field_values: Vec::new(),
                names: Names::default(),
                addresses: Addresses::default(),
                comm: BTreeMap::new(),
            },
            is_sorted: true,
        }
    }

    /// Takes a finished run up again, to add what another input knows of it.
    pub fn resume(run: Run) -> Self {
        Self {
            run,
            is_sorted: true,
        }
    }

    /// Appends an event and gives its place, which holds until [`Self::finish`].
    pub fn push(&mut self, event: Event) -> EventIdx {
        let run = &mut self.run;
        if run.time.last().is_some_and(|&last| event.time < last) {
            self.is_sorted = false;
        }
        let index = EventIdx(run.time.len() as u32);
        run.time.push(event.time);
        run.cpu.push(event.cpu);
        run.context.push(event.context);
        run.probe.push(event.probe);
        run.pid.push(event.pid);
        run.skb.push(event.skb);
        run.sk.push(event.sk);
        run.len.push(event.len);
        if event.line > 0 || !run.line.is_empty() {
            // What came before was of no input.
            run.line.resize(run.time.len() - 1, 0);
            run.line.push(event.line);
        }
        run.fields_from.push(run.field_keys.len() as u32);
        index
    }

    /// Adds a field to the event pushed last.
    pub fn field(&mut self, field: Field, value: u32) {
        debug_assert!(!self.run.time.is_empty(), "a field needs an event");
        self.run.field_keys.push(field);
        self.run.field_values.push(value);
        if let Some(end) = self.run.fields_from.last_mut() {
            *end = self.run.field_keys.len() as u32;
        }
    }

    /// Sets the packet of the event pushed last, for texts that name it late.
    pub fn set_skb(&mut self, skb: AddrId) {
        if let Some(last) = self.run.skb.last_mut() {
            *last = skb;
        }
    }

    /// Changes the event pushed last, for texts that go on later. Its time stays.
    pub fn amend(&mut self, change: impl FnOnce(&mut Event)) {
        let run = &mut self.run;
        let Some(at) = run.time.len().checked_sub(1) else {
            return;
        };
        let mut event = run.event(EventIdx(at as u32));
        change(&mut event);
        run.context[at] = event.context;
        run.skb[at] = event.skb;
        run.sk[at] = event.sk;
        run.len[at] = event.len;
    }

    /// Interns a text.
    pub fn name(&mut self, text: &str) -> NameId {
        self.run.names.intern(text)
    }

    /// Interns a kernel address; zero is none.
    pub fn address(&mut self, address: u64) -> AddrId {
        self.run.addresses.intern(address)
    }

    /// Remembers the command of a task; a later one replaces it.
    pub fn comm(&mut self, pid: Pid, comm: &str) {
        let id = self.run.names.intern(comm);
        self.run.comm.insert(pid, id);
    }

    /// Remembers what the input says of itself.
    pub fn metadata(&mut self, key: &str, value: &str) {
        self.run.metadata.insert(key.to_owned(), value.to_owned());
    }

    /// Sets where the run comes from, for inputs that say so on their way.
    pub fn origin(&mut self, origin: Origin) {
        self.run.origin = origin;
    }

    /// The number of events pushed so far.
    pub fn len(&self) -> usize {
        self.run.len()
    }

    /// Whether nothing was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.run.is_empty()
    }

    /// The finished run, sorted by time.
    pub fn finish(mut self) -> Run {
        if !self.is_sorted {
            self.sort();
        }
        self.give_back();
        self.run
    }

    /// The columns grew by doubling; what they do not use is given back.
    fn give_back(&mut self) {
        let run = &mut self.run;
        run.time.shrink_to_fit();
        run.cpu.shrink_to_fit();
        run.context.shrink_to_fit();
        run.probe.shrink_to_fit();
        run.pid.shrink_to_fit();
        run.skb.shrink_to_fit();
        run.sk.shrink_to_fit();
        run.len.shrink_to_fit();
        run.line.shrink_to_fit();
        run.fields_from.shrink_to_fit();
        run.field_keys.shrink_to_fit();
        run.field_values.shrink_to_fit();
    }

    fn sort(&mut self) {
        let run = &mut self.run;
        let mut order: Vec<u32> = (0..run.time.len() as u32).collect();
        order.sort_by_key(|&index| run.time[index as usize]);

        let mut from = Vec::with_capacity(run.fields_from.len());
        let mut keys = Vec::with_capacity(run.field_keys.len());
        let mut values = Vec::with_capacity(run.field_values.len());
        from.push(0);
        for &index in &order {
            let range = run.field_range(EventIdx(index));
            keys.extend_from_slice(&run.field_keys[range.clone()]);
            values.extend_from_slice(&run.field_values[range]);
            from.push(keys.len() as u32);
        }
        run.fields_from = from;
        run.field_keys = keys;
        run.field_values = values;
        permute(&mut run.time, &order);
        permute(&mut run.cpu, &order);
        permute(&mut run.context, &order);
        permute(&mut run.probe, &order);
        permute(&mut run.pid, &order);
        permute(&mut run.skb, &order);
        permute(&mut run.sk, &order);
        permute(&mut run.len, &order);
        if !run.line.is_empty() {
            permute(&mut run.line, &order);
        }
        self.is_sorted = true;
    }
}

fn permute<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
    *column = order.iter().map(|&index| column[index as usize]).collect();
}

//! Which cache has how many lines of what, and the moves between them.
//!
//! A fill brings lines from memory, a move brings them from another cache, which
//! keeps them (`clone` 1: both only read) or loses them (the mover writes), an
//! eviction takes them out. An eviction that says `taken` is the far side of a move
//! that has said so already. Each says in which state its lines come (`newstate`) or
//! were (`oldstate`); lines that stay and change theirs are told by themselves. CPUs
//! that share a cache (`cache_of` in the run's metadata) have one count; a move within
//! one cache is none.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, EventIdx, Field, LineState, NameId, Nanos, Probe};
use crate::order;
use crate::run::Run;

use super::held::Held;
use super::track::{Sums, Track};
use super::{MachineColumns, Moment};

/// More single moves than this could not be told apart in one picture.
const MOVES_SHOWN: usize = 64;

/// A cache by its place in [`Caches::groups`].
type CacheAt = u16;
/// A kind of object by its place in [`Caches::objects`].
type ObjectAt = u16;

/// The caches of a run.
#[derive(Debug, Clone, Default)]
pub struct Caches {
    /// The CPUs of each cache, by the caches' numbers; empty without a model.
    pub groups: Vec<Vec<CpuId>>,
    /// Lines that a cache holds at most; 0 while unknown.
    pub capacity: u32,
    /// The kinds of objects, in the order in which lines of them were first seen; none
    /// for lines of which nothing is said.
    pub objects: Vec<Option<NameId>>,
    object_at: BTreeMap<Option<NameId>, ObjectAt>,
    held: BTreeMap<(CacheAt, ObjectAt), Track<Held>>,
    /// Lines that a cache lost because another one or a device wrote them.
    invalidated: BTreeMap<(CacheAt, ObjectAt), Sums<1>>,
    /// Whether any state of a line is told.
    pub tells_states: bool,
    moves: Vec<Move>,
    /// Lines and cycles, by CPUs from and to and by kind.
    flows: BTreeMap<(CpuId, CpuId, ObjectAt), Sums<2>>,
    /// Lines and cycles of what came from memory.
    fills: BTreeMap<CpuId, Sums<2>>,
}

/// Lines that went from one cache to another at once.
#[derive(Debug, Clone, Copy)]
struct Move {
    at: Nanos,
    from: CpuId,
    to: CpuId,
    object: ObjectAt,
    lines: u32,
    cycles: u32,
}

/// What went from the cache of one CPU to another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// From whose cache.
    pub from: CpuId,
    /// To whose.
    pub to: CpuId,
    /// A kind of object by its place in [`Caches::objects`].
    pub object: u16,
    /// How many lines.
    pub lines: u64,
    /// At which price.
    pub cycles: u64,
}

/// Lines by cache and kind of object; what is not there is none. The states of lines are counted
/// by kind; where a run does not tell them, all three are 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeldColumns {
    /// A place in [`Caches::groups`].
    pub cache: Vec<u16>,
    /// A place in [`Caches::objects`].
    pub object: Vec<u16>,
    /// How many.
    pub lines: Vec<u32>,
    /// Those that were changed here.
    pub modified: Vec<u32>,
    /// Those that are here only, as in memory.
    pub exclusive: Vec<u32>,
    /// Those that other caches may have, too.
    pub shared: Vec<u32>,
    /// Lines that are not here any more: another cache or a device wrote them just now.
    pub invalidated: Vec<u32>,
}

/// All moves from the cache of one CPU to another's, so far and just now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FlowColumns {
    /// From whose cache.
    pub from: Vec<u16>,
    /// To whose.
    pub to: Vec<u16>,
    /// Lines so far.
    pub lines: Vec<f64>,
    /// Their price so far.
    pub cycles: Vec<f64>,
    /// Lines just now.
    pub recent_lines: Vec<f64>,
    /// Their price.
    pub recent_cycles: Vec<f64>,
}

/// Single moves just now, in order of time; of very many a part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MoveColumns {
    /// From whose cache.
    pub from: Vec<u16>,
    /// To whose.
    pub to: Vec<u16>,
    /// A place in [`Caches::objects`].
    pub object: Vec<u16>,
    /// How many lines.
    pub lines: Vec<u32>,
    /// At which price.
    pub cycles: Vec<u32>,
    /// When.
    pub at: Vec<f64>,
}

/// What each CPU fetched from memory so far; those that did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FillColumns {
    /// Which CPU.
    pub cpu: Vec<u16>,
    /// How many lines.
    pub lines: Vec<f64>,
    /// At which price.
    pub cycles: Vec<f64>,
}

impl Caches {
    /// Reads the caches off the events.
    pub(in crate::replay) fn of(run: &Run) -> Self {
        let events: Vec<EventIdx> = run.indices().filter(|&index| is_ours(run, index)).collect();
        if events.is_empty() {
            return Self::default();
        }
        let number = |key: &str| run.metadata.get(key)?.trim().parse().ok();
        let numbers = numbers(run);
        let (groups, cache_at) = groups(run, &events, &numbers);
        let mut caches = Self {
            groups,
            capacity: number("cache_lines").unwrap_or(0),
            ..Self::default()
        };
        for index in events {
            caches.pass(run, index, &cache_at);
        }
        caches
    }

    /// What moved between two times, both included, by kind and by CPUs.
    pub fn moved(&self, from: Nanos, to: Nanos) -> impl Iterator<Item = Moved> + '_ {
        self.flows.iter().filter_map(move |(&key, sums)| {
            let [lines, cycles] = sums.between(from, to);
            (lines > 0).then_some(Moved {
                from: key.0,
                to: key.1,
                object: key.2,
                lines,
                cycles,
            })
        })
    }

    /// Lines that came from memory between two times, both included, and their price in cycles.
    pub fn filled(&self, from: Nanos, to: Nanos) -> [u64; 2] {
        let sums = self.fills.values().map(|sums| sums.between(from, to));
        sums.fold([0, 0], |all, [lines, cycles]| {
            [all[0] + lines, all[1] + cycles]
        })
    }

    fn pass(&mut self, run: &Run, index: EventIdx, cache_at: &BTreeMap<CpuId, CacheAt>) {
        let number = |field| run.field(index, field);
        let (time, cpu) = (run.time(index), run.cpu[index.at()]);
        let Some(&here) = cache_at.get(&cpu) else {
            return;
        };
        let lines = number(Field::Lines).unwrap_or(1);
        let cycles = number(Field::Cycles).unwrap_or(0);
        let object = self.object(run, index);
        let state = |field| {
            let name = run.field_name(index, field)?;
            LineState::from_name(name)
        };
        let (old, new) = (state(Field::Oldstate), state(Field::Newstate));
        self.tells_states |= old.or(new).is_some();
        match run.probe[index.at()] {
            Probe::CacheLineFill => {
                self.change(here, object, time, |held| held.more(lines, new));
                let fills = self.fills.entry(cpu).or_default();
                fills.add(time, [u64::from(lines), u64::from(cycles)]);
            }
            Probe::CacheLineEvict => {
                self.change(here, object, time, |held| held.less(lines, old));
                let why = run.field_name(index, Field::Name);
                if matches!(why, Some("invalidated" | "dma")) {
                    self.invalidate(here, object, time, lines);
                }
            }
            Probe::CacheLineState => {
                if let (Some(old), Some(new)) = (old, new) {
                    self.change(here, object, time, |held| held.turned(lines, old, new));
                }
            }
            Probe::CacheLineMove => {
                let from = number(Field::FromCpu).map(|from| CpuId(from as u16));
                let Some((from, there)) = from.and_then(|cpu| Some((cpu, *cache_at.get(&cpu)?)))
                else {
                    return;
                };
                if there == here {
                    return;
                }
                if number(Field::Clone) != Some(1) {
                    self.change(there, object, time, |held| held.less(lines, old));
                    self.invalidate(there, object, time, lines);
                }
                self.change(here, object, time, |held| held.more(lines, new));
                let flow = self.flows.entry((from, cpu, object)).or_default();
                flow.add(time, [u64::from(lines), u64::from(cycles)]);
                self.moves.push(Move {
                    at: time,
                    from,
                    to: cpu,
                    object,
                    lines,
                    cycles,
                });
            }
            _ => {}
        }
    }

    fn invalidate(&mut self, cache: CacheAt, object: ObjectAt, time: Nanos, lines: u32) {
        let sums = self.invalidated.entry((cache, object)).or_default();
        sums.add(time, [u64::from(lines)]);
    }

    /// Most lines of each kind that any cache held in the run, by their places in
    /// [`Self::objects`].
    pub fn most(&self) -> Vec<u32> {
        let mut most = vec![0; self.objects.len()];
        for (&(_, object), track) in &self.held {
            let lines = track.values().iter().map(|held| held.lines).max();
            let known = &mut most[usize::from(object)];
            *known = lines.unwrap_or(0).max(*known);
        }
        most
    }

    fn change(&mut self, cache: CacheAt, object: ObjectAt, time: Nanos, by: impl Fn(Held) -> Held) {
        let track = self.held.entry((cache, object)).or_default();
        let held = track.last().copied().unwrap_or_default();
        track.set(time, by(held));
    }

    /// What a file names beyond the last place is counted there.
    fn object(&mut self, run: &Run, index: EventIdx) -> ObjectAt {
        let name = run.field(index, Field::Object).map(NameId);
        let next = ObjectAt::try_from(self.objects.len()).unwrap_or(ObjectAt::MAX);
        if self.objects.len() == usize::from(next) && !self.object_at.contains_key(&name) {
            self.objects.push(name);
        }
        *self.object_at.entry(name).or_insert(next)
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        for (&(cache, object), track) in &self.held {
            let held = track
                .at(moment.time)
                .map_or(Held::default(), |(_, &held)| held);
            let gone = self.invalidated.get(&(cache, object));
            let gone = gone.map_or(0, |sums| sums.since(moment.recent, moment.time)[0]);
            if held.lines > 0 || gone > 0 {
                let row = &mut columns.held;
                row.cache.push(cache);
                row.object.push(object);
                row.lines.push(held.lines);
                row.modified.push(held.in_state(LineState::Modified));
                row.exclusive.push(held.in_state(LineState::Exclusive));
                row.shared.push(held.in_state(LineState::Shared));
                row.invalidated
                    .push(u32::try_from(gone).unwrap_or(u32::MAX));
            }
        }
        self.add_flows(&mut columns.flows, moment);
        self.add_moves(&mut columns.moves, moment);
        for (cpu, sums) in &self.fills {
            let [lines, cycles] = sums.at(moment.time);
            if lines > 0 {
                columns.fills.cpu.push(cpu.0);
                columns.fills.lines.push(lines as f64);
                columns.fills.cycles.push(cycles as f64);
            }
        }
    }

    fn add_flows(&self, columns: &mut FlowColumns, moment: Moment) {
        for (&(from, to, _), sums) in &self.flows {
            let [lines, cycles] = sums.at(moment.time);
            if lines == 0 {
                continue;
            }
            // The kinds of one pair of CPUs follow each other.
            let is_new = columns.from.last() != Some(&from.0) || columns.to.last() != Some(&to.0);
            if is_new {
                columns.from.push(from.0);
                columns.to.push(to.0);
                columns.lines.push(0.0);
                columns.cycles.push(0.0);
                columns.recent_lines.push(0.0);
                columns.recent_cycles.push(0.0);
            }
            let [new_lines, new_cycles] = sums.since(moment.recent, moment.time);
            let row = columns.from.len() - 1;
            columns.lines[row] += lines as f64;
            columns.cycles[row] += cycles as f64;
            columns.recent_lines[row] += new_lines as f64;
            columns.recent_cycles[row] += new_cycles as f64;
        }
    }

    fn add_moves(&self, columns: &mut MoveColumns, moment: Moment) {
        let first = self.moves.partition_point(|one| one.at <= moment.recent);
        let past = self.moves.partition_point(|one| one.at <= moment.time);
        // The same ones from picture to picture: those at a multiple of a power of two.
        let every = past
            .saturating_sub(first)
            .div_ceil(MOVES_SHOWN)
            .next_power_of_two();
        for place in (first.next_multiple_of(every)..past).step_by(every) {
            let one = &self.moves[place];
            columns.from.push(one.from.0);
            columns.to.push(one.to.0);
            columns.object.push(one.object);
            columns.lines.push(one.lines);
            columns.cycles.push(one.cycles);
            columns.at.push(moment.since_start(one.at));
        }
    }
}

fn is_ours(run: &Run, index: EventIdx) -> bool {
    let is_change = match run.probe[index.at()] {
        Probe::CacheLineFill | Probe::CacheLineMove | Probe::CacheLineState => true,
        Probe::CacheLineEvict => run.field_name(index, Field::Name) != Some("taken"),
        _ => false,
    };
    is_change && run.cpu[index.at()].is_known()
}

/// The number of each CPU's cache, as the metadata give them; empty where they do not.
fn numbers(run: &Run) -> Vec<u16> {
    let given = run.metadata.get("cache_of").map_or("", String::as_str);
    let numbers: Result<Vec<u16>, _> = given.split(',').map(|one| one.trim().parse()).collect();
    numbers.unwrap_or_default()
}

/// The CPUs of each cache, and each CPU's place among the caches.
fn groups(
    run: &Run,
    events: &[EventIdx],
    numbers: &[u16],
) -> (Vec<Vec<CpuId>>, BTreeMap<CpuId, CacheAt>) {
    let sources = events
        .iter()
        .filter_map(|&index| run.field(index, Field::FromCpu))
        .filter_map(|cpu| u16::try_from(cpu).ok())
        .map(CpuId)
        .filter(|cpu| cpu.is_known());
    let mut by_number: BTreeMap<u16, Vec<CpuId>> = BTreeMap::new();
    let mut cpus: Vec<CpuId> = run.cpus().into_iter().chain(sources).collect();
    order::sort(&mut cpus);
    cpus.dedup();
    for cpu in cpus {
        let number = numbers.get(usize::from(cpu.0)).copied().unwrap_or(cpu.0);
        by_number.entry(number).or_default().push(cpu);
    }
    let groups: Vec<Vec<CpuId>> = by_number.into_values().collect();
    let cache_at = groups
        .iter()
        .enumerate()
        .flat_map(|(at, cpus)| cpus.iter().map(move |&cpu| (cpu, at as CacheAt)))
        .collect();
    (groups, cache_at)
}

//! Any order of accesses, held against a model that is slow and plain: every line of
//! every object in every cache is an entry of a map, and the oldest is searched for.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::*;

const CAPACITIES: [u32; 4] = [8, 40, 100, 64];
const OBJECTS: u32 = 12;

#[derive(Debug, Clone, Copy)]
enum Step {
    Accessed(u8, u32, bool),
    Range(u8, u32, u32, bool),
    SetLines(u32, u8),
    DmaWrite(u32),
    DmaRead(u32),
    Renew(u32, u8),
}

/// Objects here are numbered as they stand; `Caches` may number them otherwise.
#[derive(Default)]
struct Plain {
    clean_lines_move: bool,
    now: u64,
    lines: BTreeMap<u32, u32>,
    /// (cache, object) -> its lines there.
    present: BTreeMap<(u8, u32), BTreeSet<u32>>,
    accessed: BTreeMap<(u8, u32), u64>,
    modified: BTreeMap<u32, u8>,
}

impl Plain {
    fn access(&mut self, cache: u8, object: u32, is_write: bool) -> Accessed {
        let mut accessed = Accessed::default();
        let wanted = self.lines[&object];
        if wanted == 0 {
            return accessed;
        }
        let others: Vec<u8> = (0..CAPACITIES.len() as u8)
            .filter(|&other| other != cache && self.present.contains_key(&(other, object)))
            .collect();
        let mut mine = self.present.remove(&(cache, object)).unwrap_or_default();
        let supplies = self.clean_lines_move || self.modified.contains_key(&object);
        let source = others
            .iter()
            .rev()
            .max_by_key(|&&other| self.present[&(other, object)].len())
            .filter(|_| supplies);
        for line in 0..wanted {
            if !mine.insert(line) {
                let is_shared = is_write && !others.is_empty();
                *(if is_shared {
                    &mut accessed.upgrades
                } else {
                    &mut accessed.hits
                }) += 1;
            } else if let Some(source) = source
                && self.present[&(*source, object)].contains(&line)
            {
                accessed.transfers += 1;
                accessed.from_cache = *source;
                accessed.source_keeps = !is_write;
            } else {
                accessed.misses += 1;
            }
        }
        if accessed.upgrades > 0 && accessed.transfers == 0 {
            accessed.from_cache = others[0];
        }
        if is_write {
            self.present.retain(|&(_, held), _| held != object);
            self.modified.insert(object, cache);
        } else if !others.is_empty() {
            self.modified.remove(&object);
        }
        while mine.len() as u32 > CAPACITIES[usize::from(cache)] {
            mine.pop_last();
            accessed.evicted += 1;
        }
        self.now += 1;
        self.accessed.insert((cache, object), self.now);
        self.present.insert((cache, object), mine);
        while self.used(cache) > CAPACITIES[usize::from(cache)] {
            let oldest = self
                .present
                .keys()
                .filter(|key| key.0 == cache)
                .min_by_key(|key| self.accessed[key])
                .copied()
                .unwrap();
            accessed.evicted += self.present.remove(&oldest).unwrap().len() as u32;
            if self.modified.get(&oldest.1) == Some(&cache) {
                self.modified.remove(&oldest.1);
            }
        }
        accessed
    }

    fn forget(&mut self, object: u32) -> u32 {
        self.modified.remove(&object);
        let held = |key: &(u8, u32)| key.1 == object;
        let lines = self.present.iter().filter(|(key, _)| held(key));
        let lines = lines.map(|(_, lines)| lines.len() as u32).sum();
        self.present.retain(|key, _| !held(key));
        lines
    }

    fn used(&self, cache: u8) -> u32 {
        let mine = self.present.iter().filter(|(key, _)| key.0 == cache);
        mine.map(|(_, lines)| lines.len() as u32).sum()
    }
}

fn any_step() -> impl Strategy<Value = Step> {
    let cache = 0..CAPACITIES.len() as u8;
    let object = 0..OBJECTS;
    let lines = prop_oneof![0..=8_u8, 0..=64_u8];
    prop_oneof![
        12 => (cache.clone(), object.clone(), any::<bool>())
            .prop_map(|(cache, object, is_write)| Step::Accessed(cache, object, is_write)),
        1 => (cache, object.clone(), 0..4_u32, any::<bool>())
            .prop_map(|(cache, first, count, is_write)| Step::Range(cache, first, count.min(OBJECTS - first), is_write)),
        2 => (object.clone(), lines.clone()).prop_map(|(object, lines)| Step::SetLines(object, lines)),
        1 => object.clone().prop_map(Step::DmaWrite),
        1 => object.clone().prop_map(Step::DmaRead),
        1 => (object, lines).prop_map(|(object, lines)| Step::Renew(object, lines)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn caches_do_what_the_plain_model_does(
        clean_lines_move: bool,
        steps in prop::collection::vec(any_step(), 0..120),
    ) {
        let mut plain = Plain { clean_lines_move, ..Plain::default() };
        let mut caches = Caches::new(&CAPACITIES, clean_lines_move);
        caches.record_evictions(true);
        for object in 0..OBJECTS {
            plain.lines.insert(object, 4);
            // A freed id is the next one given out, so the numbers stay the same.
            prop_assert_eq!(caches.object(4), ObjectId(object));
        }
        let mut ledger = [0_u32; CAPACITIES.len()];
        let mut taken = Vec::new();
        for step in steps {
            match step {
                Step::Accessed(cache, object, is_write) => {
                    let accessed = caches.access(cache, ObjectId(object), is_write);
                    prop_assert_eq!(accessed, plain.access(cache, object, is_write), "{:?}", step);
                    let lines = accessed.hits + accessed.misses + accessed.transfers + accessed.upgrades;
                    prop_assert_eq!(lines, plain.lines[&object]);
                    ledger[usize::from(cache)] += accessed.misses + accessed.transfers;
                }
                Step::Range(cache, first, count, is_write) => {
                    let accessed = caches.access_range(cache, ObjectId(first), count, is_write);
                    let mut sum = Accessed::default();
                    for object in first..first + count {
                        sum.add(plain.access(cache, object, is_write));
                    }
                    prop_assert_eq!(accessed, sum);
                    ledger[usize::from(cache)] += accessed.misses + accessed.transfers;
                }
                Step::SetLines(object, lines) => {
                    caches.set_lines(ObjectId(object), lines);
                    plain.lines.insert(object, u32::from(lines));
                }
                Step::DmaWrite(object) => {
                    prop_assert_eq!(caches.dma_write(ObjectId(object)), plain.forget(object));
                }
                Step::DmaRead(object) => {
                    caches.dma_read(ObjectId(object));
                    plain.modified.remove(&object);
                }
                Step::Renew(object, lines) => {
                    caches.free(ObjectId(object));
                    plain.forget(object);
                    prop_assert_eq!(caches.object(lines), ObjectId(object));
                    plain.lines.insert(object, u32::from(lines));
                }
            }
            caches.take_evictions(&mut taken);
            for eviction in &taken {
                ledger[usize::from(eviction.cache)] -= eviction.lines;
            }
            check_state(&caches, &plain, ledger)?;
        }
    }
}

/// The same lines in the same caches, none over its capacity, and every line accounted
/// for; a modified object in its owner's cache only.
fn check_state(
    caches: &Caches,
    plain: &Plain,
    ledger: [u32; CAPACITIES.len()],
) -> Result<(), TestCaseError> {
    for (cache, capacity) in (0..).zip(CAPACITIES) {
        prop_assert!(caches.owned_lines(cache) <= capacity);
        prop_assert_eq!(caches.owned_lines(cache), plain.used(cache));
        prop_assert_eq!(caches.owned_lines(cache), ledger[usize::from(cache)]);
        for object in 0..OBJECTS {
            let there = plain.present.get(&(cache, object)).map_or(0, BTreeSet::len);
            prop_assert_eq!(caches.lines_in(cache, ObjectId(object)), there as u32);
        }
    }
    for object in 0..OBJECTS {
        let id = ObjectId(object);
        prop_assert_eq!(caches.owner(id), plain.modified.get(&object).copied());
        if let Some(owner) = caches.owner(id) {
            for cache in 0..CAPACITIES.len() as u8 {
                prop_assert_eq!(cache == owner, caches.lines_in(cache, id) > 0);
            }
        }
    }
    Ok(())
}

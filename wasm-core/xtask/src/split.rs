//! Cuts a module in two: what is needed first, and the rest, which is fetched when it is first
//! called.
//!
//! Both halves work on one memory, one table and the same globals, which the first half owns. A
//! call from the first half into the rest goes through a slot of the table. Until the rest is
//! there, the slot holds an import by which JavaScript fetches it (`web/core/rest.ts`); from then on
//! it holds the function itself, as the rest's own segments are written over it.

use std::collections::{BTreeMap, BTreeSet};

use walrus::ir::{self, Instr, InstrSeq, Visitor, VisitorMut};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionId, LocalFunction, Module, TableId,
    TypeId,
};

use crate::half::{Half, Place, Shared};

/// The module whose exports JavaScript gives the first half until it is replaced.
const REST: &str = "rest";
/// The module whose exports the rest is given: the first half.
const FIRST: &str = "first";

/// What a call through the table needs beyond a plain call, in instructions.
const COST_OF_A_CALL: u64 = 2;

/// The two halves of a module.
pub struct Halves {
    pub first: Vec<u8>,
    pub rest: Vec<u8>,
}

/// Cuts a module; `is_first` tells by a function's name (without its hash) which half it is in.
pub fn split(wasm: &[u8], is_first: impl Fn(&str) -> bool) -> Result<Halves, String> {
    let cut = Cut::new(&Half::of(wasm)?, is_first)?;
    let mut rest = Half::of(wasm)?;
    let shared = cut.make_rest(&mut rest)?;
    let mut first = Half::of(wasm)?;
    cut.make_first(&mut first, &shared);
    Ok(Halves {
        first: first.module.emit_wasm(),
        rest: rest.module.emit_wasm(),
    })
}

/// The name of a function without what differs from build to build.
pub fn stable_name(name: &str) -> String {
    let mut stable = String::with_capacity(name.len());
    let mut left = name;
    // A crate's hash stands behind its name: `core[c5930c85a12de822]`.
    while let Some((before, behind)) = left.split_once('[') {
        stable.push_str(before);
        left = match behind.split_once(']') {
            Some((hash, behind)) if is_hash(hash) => behind,
            _ => {
                stable.push('[');
                behind
            }
        };
    }
    stable.push_str(left);
    // Copies of one function are numbered through the whole module: `write_str.181`.
    if let Some((name, number)) = stable.rsplit_once('.')
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        stable.truncate(name.len());
    }
    // A function's own stands at its end: `::h0b2f6b1c2a3d4e5f`.
    match stable.rsplit_once("::h") {
        Some((name, hash)) if is_hash(hash) => name.to_owned(),
        _ => stable,
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Where a module is cut.
struct Cut {
    /// The functions of the rest.
    rest: BTreeSet<Place>,
    /// Of those, the ones that the first half calls, or that something may call through the
    /// table, each with its slots there.
    slots: BTreeMap<Place, Vec<u32>>,
    /// Of those, the ones that JavaScript calls.
    exported: Vec<Place>,
    /// Where the slots begin that functions have for calls alone, and how many there are.
    first_new_slot: u32,
    new_slots: u32,
}

impl Cut {
    fn new(half: &Half, is_first: impl Fn(&str) -> bool) -> Result<Self, String> {
        let module = &half.module;
        let is_of_rest = |id: FunctionId| {
            let name = module.funcs.get(id).name.as_deref().map(stable_name);
            // The binding generator's own have no name: they begin the module.
            name.is_some_and(|name| !is_first(&name))
        };
        let mut rest: BTreeSet<Place> = module
            .funcs
            .iter_local()
            .filter(|&(id, _)| is_of_rest(id))
            .map(|(id, _)| id.index())
            .collect();
        let called = keep_small(module, &mut rest);
        let mut slots: BTreeMap<Place, Vec<u32>> = BTreeMap::new();
        for element in module.elements.iter() {
            let (from, functions) = functions_of(element)?;
            for (slot, function) in (from..).zip(functions) {
                if rest.contains(&function.index()) {
                    slots.entry(function.index()).or_default().push(slot);
                }
            }
        }
        let first_new_slot = module.tables.get(half.table).initial as u32;
        let mut new_slots = 0;
        for place in called {
            slots.entry(place).or_insert_with(|| {
                new_slots += 1;
                vec![first_new_slot + new_slots - 1]
            });
        }
        let exported = module
            .exports
            .iter()
            .filter_map(|export| match export.item {
                ExportItem::Function(id) => Some(id.index()).filter(|place| rest.contains(place)),
                _ => None,
            });
        Ok(Self {
            exported: exported.collect(),
            rest,
            slots,
            first_new_slot,
            new_slots,
        })
    }

    /// The functions of the rest that JavaScript stands in for, until they are there.
    fn stand_ins(&self) -> BTreeSet<Place> {
        let called = self.slots.keys().copied();
        called.chain(self.exported.iter().copied()).collect()
    }

    /// Turns a copy of the module into the rest, and tells what it has of the first half.
    fn make_rest(&self, half: &mut Half) -> Result<Shared, String> {
        if half.module.data.iter().any(walrus::Data::is_passive) {
            return Err("a passive data segment belongs to neither half".to_owned());
        }
        half.clear();
        half.grow_table(self.new_slots);
        for (from, places) in self.runs() {
            half.fill_table(from, &places);
        }
        for place in self.stand_ins() {
            half.export(place);
        }
        let locals = half.module.funcs.iter_local().map(|(id, _)| id.index());
        let firsts: Vec<Place> = locals.filter(|place| !self.rest.contains(place)).collect();
        for place in firsts {
            half.import(FIRST, place);
        }
        walrus::passes::gc::run(&mut half.module);
        Ok(half.share(FIRST))
    }

    /// Turns the module into the first half, which gives the rest what it shares.
    fn make_first(&self, half: &mut Half, shared: &Shared) {
        half.grow_table(self.new_slots);
        for place in self.stand_ins() {
            half.import(REST, place);
        }
        for (from, places) in self.runs() {
            if from >= self.first_new_slot {
                half.fill_table(from, &places);
            }
        }
        let types: BTreeMap<FunctionId, TypeId> = half
            .module
            .funcs
            .iter()
            .map(|function| (function.id(), function.ty()))
            .collect();
        let table = half.table;
        for (id, function) in half.module.funcs.iter_local_mut() {
            if self.rest.contains(&id.index()) {
                continue;
            }
            let entry = function.entry_block();
            let types = &types;
            let mut calls = ThroughTheTable {
                cut: self,
                types,
                table,
            };
            ir::dfs_pre_order_mut(&mut calls, function, entry);
        }
        half.give(shared);
        walrus::passes::gc::run(&mut half.module);
    }

    /// The slots of the rest's functions, in runs without a gap. New slots are a run of their own.
    fn runs(&self) -> Vec<(u32, Vec<Place>)> {
        let slots = self.slots.iter();
        let mut by_slot: Vec<(u32, Place)> = slots
            .flat_map(|(place, slots)| slots.iter().map(|slot| (*slot, *place)))
            .collect();
        by_slot.sort_unstable();
        let mut runs: Vec<(u32, Vec<Place>)> = Vec::new();
        for (slot, place) in by_slot {
            match runs.last_mut() {
                Some((from, run))
                    if *from + run.len() as u32 == slot && slot != self.first_new_slot =>
                {
                    run.push(place);
                }
                _ => runs.push((slot, vec![place])),
            }
        }
        runs
    }
}

/// Where a segment of the table begins, and what it holds.
fn functions_of(element: &walrus::Element) -> Result<(u32, &[FunctionId]), String> {
    match (&element.kind, &element.items) {
        (
            ElementKind::Active {
                offset: ConstExpr::Value(ir::Value::I32(from)),
                ..
            },
            ElementItems::Functions(functions),
        ) => Ok((*from as u32, functions)),
        _ => Err("a segment of the table has no place that is known".to_owned()),
    }
}

/// Takes out of the rest what is smaller than the calls to it are longer through the table; gives
/// what the first half calls of the others.
fn keep_small(module: &Module, rest: &mut BTreeSet<Place>) -> BTreeSet<Place> {
    let sizes: BTreeMap<Place, u64> = module
        .funcs
        .iter_local()
        .map(|(id, function)| (id.index(), function.size()))
        .collect();
    let calls: BTreeMap<Place, Vec<Place>> = module
        .funcs
        .iter_local()
        .map(|(id, function)| (id.index(), calls_in(function)))
        .collect();
    loop {
        let mut counts: BTreeMap<Place, u64> = BTreeMap::new();
        for (caller, calls) in &calls {
            if !rest.contains(caller) {
                for callee in calls.iter().filter(|callee| rest.contains(callee)) {
                    *counts.entry(*callee).or_default() += 1;
                }
            }
        }
        let before = rest.len();
        for (callee, count) in &counts {
            if count * COST_OF_A_CALL >= sizes[callee] {
                rest.remove(callee);
            }
        }
        if rest.len() == before {
            return counts.into_keys().collect();
        }
    }
}

fn calls_in(function: &LocalFunction) -> Vec<Place> {
    struct Calls(Vec<Place>);
    impl Visitor<'_> for Calls {
        fn visit_call(&mut self, call: &ir::Call) {
            self.0.push(call.func.index());
        }
    }
    let mut calls = Calls(Vec::new());
    ir::dfs_in_order(&mut calls, function, function.entry_block());
    calls.0
}

/// Turns calls into the rest into calls through the table.
struct ThroughTheTable<'a> {
    cut: &'a Cut,
    types: &'a BTreeMap<FunctionId, TypeId>,
    table: TableId,
}

impl VisitorMut for ThroughTheTable<'_> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let into_rest = |instr: &Instr| match instr {
            Instr::Call(call) if self.cut.rest.contains(&call.func.index()) => Some(call.func),
            _ => None,
        };
        // Backwards: what is put in moves nothing that is still to be looked at.
        for at in (0..sequence.instrs.len()).rev() {
            let (instr, place) = &sequence.instrs[at];
            let (place, Some(callee)) = (*place, into_rest(instr)) else {
                continue;
            };
            let slot = self.cut.slots[&callee.index()][0];
            let value = ir::Value::I32(slot as i32);
            let call = ir::CallIndirect {
                ty: self.types[&callee],
                table: self.table,
            };
            sequence.instrs[at] = (call.into(), place);
            let slot = ir::Const { value }.into();
            sequence.instrs.insert(at, (slot, place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stable_name;

    #[test]
    fn a_name_is_the_same_in_every_build() {
        for (name, stable) in [
            (
                "<alloc[c5930c85a12de822]::string::String as core[c5930c85a12de823]::fmt::Write>::write_str.181",
                "<alloc::string::String as core::fmt::Write>::write_str",
            ),
            ("sim::run::h0b2f6b1c2a3d4e5f", "sim::run"),
            ("<[u8]>::len", "<[u8]>::len"),
            ("memcpy", "memcpy"),
            ("end.of", "end.of"),
        ] {
            assert_eq!(stable_name(name), stable);
        }
    }
}

//! A module that was read, as it is changed into one half of it ([`crate::split`]).

use std::collections::BTreeSet;

use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind, GlobalKind,
    ImportKind, Module, ModuleConfig, RefType, TableId, ir,
};

/// The place of a function in the module, the same in every copy of it.
pub type Place = usize;

/// A module that was read, in which things are found by their places.
pub struct Half {
    pub module: Module,
    functions: Vec<FunctionId>,
    /// The table of functions.
    pub table: TableId,
}

impl Half {
    /// Reads a module.
    pub fn of(wasm: &[u8]) -> Result<Self, String> {
        // The names are needed for the cut, and by nobody afterwards.
        let module = ModuleConfig::new()
            .generate_name_section(false)
            .generate_producers_section(false)
            .parse(wasm)
            .map_err(|error| format!("the module cannot be read: {error}"))?;
        let table = module
            .tables
            .iter()
            .find(|table| table.element_ty == RefType::FUNCREF)
            .map(walrus::Table::id)
            .ok_or("the module has no table of functions")?;
        Ok(Self {
            functions: module.funcs.iter().map(walrus::Function::id).collect(),
            table,
            module,
        })
    }

    /// Makes a function one of another module.
    pub fn import(&mut self, from: &str, place: Place) {
        let id = self.functions[place];
        let ty = self.module.funcs.get(id).ty();
        let import = self.module.imports.add(from, &name_of(place), id);
        self.module.funcs.get_mut(id).kind =
            FunctionKind::Import(walrus::ImportedFunction { import, ty });
    }

    /// Gives a function to others.
    pub fn export(&mut self, place: Place) {
        let id = self.functions[place];
        self.module.exports.add(&name_of(place), id);
    }

    /// Makes room for more functions at the table's end.
    pub fn grow_table(&mut self, by: u32) {
        let table = self.module.tables.get_mut(self.table);
        table.initial += u64::from(by);
        table.maximum = table.maximum.map(|most| most + u64::from(by));
    }

    /// Has functions written into the table when the module begins.
    pub fn fill_table(&mut self, from: u32, places: &[Place]) {
        let offset = ConstExpr::Value(ir::Value::I32(from as i32));
        let kind = ElementKind::Active {
            table: self.table,
            offset,
        };
        let functions = places.iter().map(|&place| self.functions[place]).collect();
        let id = self
            .module
            .elements
            .add(kind, ElementItems::Functions(functions));
        let table = self.module.tables.get_mut(self.table);
        table.elem_segments.insert(id);
    }

    /// Takes out what stands in memory and in the table when a module begins, what runs then, and
    /// what it gives to others.
    pub fn clear(&mut self) {
        let module = &mut self.module;
        module.start = None;
        for id in ids(module.exports.iter().map(walrus::Export::id)) {
            module.exports.delete(id);
        }
        for id in ids(module.data.iter().map(walrus::Data::id)) {
            module.data.delete(id);
        }
        for memory in module.memories.iter_mut() {
            memory.data_segments.clear();
        }
        for id in ids(module.elements.iter().map(walrus::Element::id)) {
            module.elements.delete(id);
        }
        for table in module.tables.iter_mut() {
            table.elem_segments.clear();
        }
    }

    /// Makes what is left of the module's globals, tables and memories imports, as the functions of
    /// the other module are already, and tells what it has of it.
    pub fn share(&mut self, from: &str) -> Shared {
        let module = &mut self.module;
        let functions = module
            .imports
            .iter()
            .filter_map(|import| match import.kind {
                ImportKind::Function(id) if import.module == from => Some(id.index()),
                _ => None,
            });
        let functions = functions.collect();
        let mut others = BTreeSet::new();
        for id in ids(module.globals.iter().map(walrus::Global::id)) {
            let name = format!("g{}", id.index());
            let import = module.imports.add(from, &name, id);
            module.globals.get_mut(id).kind = GlobalKind::Import(import);
            others.insert(name);
        }
        for id in ids(module.tables.iter().map(walrus::Table::id)) {
            let name = format!("t{}", id.index());
            let import = module.imports.add(from, &name, id);
            module.tables.get_mut(id).import = Some(import);
            others.insert(name);
        }
        for id in ids(module.memories.iter().map(walrus::Memory::id)) {
            let name = format!("m{}", id.index());
            let import = module.imports.add(from, &name, id);
            module.memories.get_mut(id).import = Some(import);
            others.insert(name);
        }
        Shared { functions, others }
    }

    /// Gives another module what it has of this one.
    pub fn give(&mut self, shared: &Shared) {
        for &place in &shared.functions {
            self.export(place);
        }
        let module = &self.module;
        let globals = module.globals.iter().map(walrus::Global::id);
        let tables = module.tables.iter().map(walrus::Table::id);
        let memories = module.memories.iter().map(walrus::Memory::id);
        let all: Vec<(String, ExportItem)> = globals
            .map(|id| (format!("g{}", id.index()), id.into()))
            .chain(tables.map(|id| (format!("t{}", id.index()), id.into())))
            .chain(memories.map(|id| (format!("m{}", id.index()), id.into())))
            .collect();
        for (name, item) in all {
            if shared.others.contains(&name) {
                self.module.exports.add(&name, item);
            }
        }
    }
}

/// What the rest has of the first half: functions by their places, all else by its name.
pub struct Shared {
    functions: Vec<Place>,
    others: BTreeSet<String>,
}

/// What is changed is not walked through at the same time.
fn ids<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect()
}

/// What a function is called between the halves.
fn name_of(place: Place) -> String {
    format!("f{place}")
}

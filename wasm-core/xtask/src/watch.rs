//! Marks which functions of a module run: each sets a byte of its own in a second memory, exported
//! as `ran`.

use walrus::ir::{self, Instr, InstrLocId, MemArg, StoreKind};
use walrus::{FunctionId, Module};

use crate::split::stable_name;

/// Gives the module with its marks, and the names of its functions in the order of the marks.
pub fn watch(wasm: &[u8]) -> Result<(Vec<u8>, Vec<String>), String> {
    let mut module =
        Module::from_buffer(wasm).map_err(|error| format!("the module cannot be read: {error}"))?;
    let functions: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).collect();
    let pages = functions.len().div_ceil(1 << 16) as u64;
    let ran = module.memories.add_local(false, false, pages, None, None);
    module.exports.add("ran", ran);
    let mut names = Vec::new();
    for (mark, id) in functions.into_iter().enumerate() {
        let function = module.funcs.get_mut(id);
        names.push(stable_name(function.name.as_deref().unwrap_or_default()));
        let function = function.kind.unwrap_local_mut();
        let entry = function.entry_block();
        let constant = |value| {
            Instr::Const(ir::Const {
                value: ir::Value::I32(value),
            })
        };
        let store = ir::Store {
            memory: ran,
            kind: StoreKind::I32_8 { atomic: false },
            arg: MemArg {
                align: 1,
                offset: 0,
            },
        };
        let marks = [constant(mark as i32), constant(1), store.into()];
        let place = InstrLocId::default();
        let marks = marks.into_iter().map(|instr| (instr, place));
        function.block_mut(entry).instrs.splice(0..0, marks);
    }
    Ok((module.emit_wasm(), names))
}

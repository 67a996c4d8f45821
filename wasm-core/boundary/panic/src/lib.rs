//! The words of the panic that a module ended with. A panic ends in a trap, which has none; both modules note
//! them here, and the page asks when it met a trap.

#![cfg(target_family = "wasm")]

use std::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes the words of every panic from now on.
pub fn note() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with(|words| *words.borrow_mut() = Some(panic.to_string()));
    }));
}

/// The words of the panic that the module ended with; none where it got no more memory.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    PANIC.with(|words| words.borrow().clone())
}

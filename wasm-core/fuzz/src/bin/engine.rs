//! libFuzzer around one target, which `FUZZ_TARGET` names. All of its options are libFuzzer's.

#![no_main]

use std::sync::LazyLock;

use fuzz::Target;
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    fuzz::named(&name).unwrap_or_else(|| panic!("FUZZ_TARGET={name} is no target"))
});

fuzz_target!(|data: &[u8]| (TARGET.check)(data));

//! What the calls that are measured take in instructions, and so how many cycles the host needs for a
//! thousand of the kernel's.
//!
//! A virtual machine mostly has no counters, and user space may not count the kernel's instructions
//! anyway. So they were counted once, by an emulator: `ringside measure-host` in QEMU 7.2 (`-accel tcg -icount
//! shift=0 -cpu Nehalem`, one CPU), where an instruction takes a nanosecond, under Debian's Linux 6.1.192 with
//! `mitigations=off`: the kernel, and nearly the emulator, in which `counted/` counts function by function.
//! None of the calls is one of the loads that a prediction is held against. What a host adds to a call,
//! by mitigations, by other code of its kernel, by misses in its caches, is in the ratio.

use crate::host::{Call, Host};

/// The calls, and the instructions of each.
const COUNTED: [(Call, f64); 3] = [
    (Call::SystemCall, 326.0),
    (Call::PacketBuffer, 3520.0),
    (Call::Switch, 6449.0),
];

/// Cycles for a thousand instructions of the kernel, of all the calls together, and how that was found;
/// none where one of them could not be measured.
pub fn permille(host: &Host) -> Option<(u64, String)> {
    let (mut all_cycles, mut all_counted, mut each) = (0.0, 0.0, Vec::new());
    for (call, counted) in COUNTED {
        let cycles = host.call(call)?.median / host.cycle.median;
        all_cycles += cycles;
        all_counted += counted;
        each.push(format!("{}: {cycles:.0} for {counted:.0}", call.title()));
    }
    let how = format!(
        "cycles here for the instructions that an emulator counted under Linux 6.1 ({}), together",
        each.join("; ")
    );
    Some(((1000.0 * all_cycles / all_counted).round() as u64, how))
}

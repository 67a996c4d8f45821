//! What the calls that are measured take in instructions and in lines of code, and so how many cycles the host
//! needs for a thousand of the kernel's instructions, and for a line of them that it has to fetch.
//!
//! A virtual machine mostly has no counters, and user space may not count the kernel's instructions
//! anyway. So they were counted once, by an emulator: `ringside measure-host` in QEMU 7.2 (`-accel tcg -icount
//! shift=0 -cpu Nehalem`, one CPU), where an instruction takes a nanosecond, under Debian's Linux 6.1.192 with
//! `mitigations=off`: the kernel, and nearly the emulator, in which `counted/` counts function by function, and
//! tells which lines a first cache of 32 KiB would fetch.
//! None of the calls is one of the loads that a prediction is held against. What a host adds to a call,
//! by mitigations, by other code of its kernel, by misses in its caches of data, is in the ratio.

use crate::host::{Call, Host};

/// Instructions of [`Call::PacketBuffer`]: a byte from a socket to another, without the two system calls. And the lines
/// that it fetches though it is made over and over.
const BUFFER: (f64, f64) = (3520.0, 5.0);
/// Lines that the calls in [`crate::code`] fetch in a row; each of them by itself fetches none.
const ROW_LINES: f64 = 1385.0;

/// Cycles by which code is slower for each line that it has to fetch, and how that was found; none where it could
/// not be measured.
pub fn line_cycles(host: &Host) -> Option<(u64, String)> {
    let more = host.row?.fetched.median / host.cycle.median;
    let cycles = (more / ROW_LINES).max(0.0);
    let how = format!(
        "a row of system calls that drive out each other's code takes {more:.0} cycles more than each of them by \
         itself, for {ROW_LINES:.0} lines of 64 bytes that an emulator counted to be fetched under Linux 6.1: \
         {cycles:.1} cycles"
    );
    Some((cycles.round() as u64, how))
}

/// Cycles for a thousand instructions of the kernel whose code is there, and how that was found; none where it could not
/// be measured.
///
/// An instruction costs more where functions call each other often, above all where each return goes through a thunk
/// (`spec_rstack_overflow: Safe RET` on Zen 3), and `getppid` has few of them. What is made of the same code as a
/// packet's way, short of a network, is a byte that goes from a socket to another. That this, and not the calls of many kinds
/// together, tells what packets take was learnt from loads on one such host (`data/papers/own-zen3.json`): they
/// cannot bear it out.
pub fn permille(host: &Host, line_cycles: u64) -> Option<(u64, String)> {
    let (counted, lines) = BUFFER;
    let sent = host.call(Call::PacketBuffer)?.median / host.cycle.median;
    let cycles = sent - lines * line_cycles as f64;
    let how = format!(
        "cycles here for the instructions that an emulator counted under Linux 6.1, without what they wait for \
         code ({}: {cycles:.0} for {counted:.0})",
        Call::PacketBuffer.title()
    );
    Some(((1000.0 * cycles / counted).round() as u64, how))
}

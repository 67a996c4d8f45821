//! The instructions and lines of code that the measured calls execute, and from them the host's cycles for a
//! thousand kernel instructions and for fetching a line of code.
//!
//! A virtual machine mostly has no performance counters, and user space may not count the kernel's instructions
//! anyway. So an emulator counted them once: `ringside measure-host` in QEMU 7.2 (`-accel tcg -icount shift=0
//! -cpu Nehalem`, one CPU), where an instruction takes a nanosecond, under Debian's Linux 6.1.192 with
//! `mitigations=off`: the kernel, and nearly the emulator, in which `counted/` counts function by function and
//! determines which lines a first-level cache of 32 KiB would fetch. None of the calls is one of the loads with
//! which predictions are compared. What a host adds to a call, by mitigations, by other code of its kernel, by
//! misses in its data caches, is part of the ratio.

use crate::host::{Call, Host};
use crate::statistics::Estimate;

/// Instructions of [`Call::PacketBuffer`] (a byte from a socket to another, without the two system calls), and
/// the lines that it fetches even when repeated.
const BUFFER: (f64, f64) = (3520.0, 5.0);
/// Lines that the calls in [`crate::code`] fetch in sequence; repeated alone, each fetches none.
const ROW_LINES: f64 = 1385.0;

/// Cycles for each line of code that has to be fetched, and how they were determined; `None` if that could not
/// be measured.
pub fn line_cycles(host: &Host) -> Option<(Estimate, String)> {
    let more = host.row?.fetched.times(1.0 / host.cycle.median);
    let how = format!(
        "a row of system calls that drive out each other's code takes {:.0} cycles more than each of them by itself, \
         for {ROW_LINES:.0} lines of 64 bytes that an emulator counted to be fetched under Linux 6.1",
        more.median
    );
    Some((more.times(1.0 / ROW_LINES), how))
}

/// Cycles for a thousand kernel instructions whose code is cached, and how they were determined; `None` if that
/// could not be measured.
///
/// An instruction costs more where functions call each other often, above all if each return goes through a
/// thunk (`spec_rstack_overflow: Safe RET` on Zen 3), and `getppid` makes few calls. The measurement that
/// executes most of the code on a packet's path, without a network, is a byte sent from a socket to another.
/// That this predicts the cost of packets, and the sum of many kinds of calls does not, was learnt from loads
/// on one such host (`data/papers/own-zen3.json`), which therefore cannot confirm it.
pub fn permille(host: &Host, line_cycles: u64) -> Option<(Estimate, String)> {
    let (counted, lines) = BUFFER;
    let sent = host.call(Call::PacketBuffer)?;
    let cycles = sent
        .times(1.0 / host.cycle.median)
        .plus(-lines * line_cycles as f64);
    let how = format!(
        "cycles here for the instructions that an emulator counted under Linux 6.1, without what they wait for \
         code ({}: {:.0} for {counted:.0})",
        Call::PacketBuffer.title(),
        cycles.median
    );
    Some((cycles.times(1000.0 / counted), how))
}

//! What each [`Context`] is.
//!
//! Read in `include/linux/preempt.h` (v6.12), which counts the nesting, and in the
//! functions that enter each.

use super::Entry;
use crate::kernel::Context;

/// The entry of a context.
pub const fn context(context: Context) -> Entry {
    explain!(context, Context {
        Unknown: "The recording does not tell what this CPU was doing.";
        Idle: "The CPU has nothing to run: its idle task waits, often in a power-saving state, for the next interrupt.",
            "kernel/sched/idle.c: do_idle";
        User: "A process runs its own program code, outside the kernel.",
            "include/linux/entry-common.h: exit_to_user_mode";
        Kernel: "The CPU runs kernel code for a process, for example a system call it made, or a thread of the kernel's own.",
            "include/linux/entry-common.h: syscall_enter_from_user_mode";
        Softirq: "The CPU does work that an interrupt put off, such as receiving packets; the task it displaced has to wait.",
            "kernel/softirq.c: handle_softirqs";
        Hardirq: "The CPU runs the short handler of a device's or timer's interrupt; all else on this CPU waits.",
            "kernel/irq/handle.c: __handle_irq_event_percpu";
        Nmi: "The CPU handles an interrupt that cannot be masked, for example from a hardware watchdog or a profiler.",
            "arch/x86/kernel/nmi.c: default_do_nmi";
        Spinning: "The CPU does nothing useful: it turns in a loop until another CPU lets go of a lock.",
            "kernel/locking/qspinlock.c: queued_spin_lock_slowpath";
    })
}

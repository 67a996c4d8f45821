//! What a CPU is doing: the contexts that interrupt each other.
//!
//! Source: `include/linux/preempt.h` (v6.12) and the third flag column of ftrace
//! text, `kernel/trace/trace_output.c: trace_print_lat_fmt` (v6.12). The column
//! says task, softirq or hard interrupt; which task runs, and whether it is in
//! the kernel or in user space, is told by the events themselves.

vocabulary! {
    /// A CPU's execution context, from the outermost to the innermost.
    #[derive(serde::Serialize, serde::Deserialize)]
    pub enum Context {
        /// Nothing recorded says what the CPU did.
        Unknown = "unknown",
        /// The idle task runs.
        Idle = "idle",
        /// A process runs its own code.
        User = "user",
        /// A process runs inside the kernel (a system call, a fault, a kernel thread).
        Kernel = "kernel",
        /// A softirq runs: on the way out of an interrupt or in `ksoftirqd`.
        Softirq = "softirq",
        /// A hard interrupt handler runs.
        Hardirq = "hardirq",
        /// A non-maskable interrupt runs.
        Nmi = "nmi",
        /// The CPU spins on a lock that another CPU holds.
        Spinning = "spinning",
    }
}

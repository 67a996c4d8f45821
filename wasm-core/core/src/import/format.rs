//! The formats that are read, by the names that summaries print.

vocabulary! {
    /// What a file is.
    pub enum Format {
        /// tracefs `trace` and `trace_pipe`.
        Ftrace = "ftrace",
        /// The same with the option `latency-format`.
        FtraceLatency = "ftrace-latency",
        /// `trace-cmd report`.
        TraceCmd = "trace-cmd",
        /// `trace-cmd report -l`.
        TraceCmdLatency = "trace-cmd-latency",
        /// `perf script` of tracepoints.
        PerfScript = "perf-script",
        /// The captures' own bpftrace script (`N id P seq S thread T ns ...`).
        BpftraceKperf = "bpftrace-kperf",
        /// The 2005 toolkit's records.
        Kperf = "kperf",
        /// Our own superset of them (`traces/FORMAT.md`).
        Kperf2 = "kperf2",
        /// A capture of the link.
        Pcap = "pcap",
        /// A capture of the link.
        Pcapng = "pcapng",
    }
}

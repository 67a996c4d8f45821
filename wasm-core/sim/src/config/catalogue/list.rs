//! Which files the catalogue has, by folder. A machine, a kernel or a workload is a file and a name here.

#[cfg(not(target_family = "wasm"))]
macro_rules! text {
    ($path:expr) => {
        Some(include_str!(concat!("../../../../", $path)))
    };
}

#[cfg(target_family = "wasm")]
macro_rules! text {
    ($path:expr) => {
        None
    };
}

macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$((
            concat!("data/", $folder, "/", $name, ".json"),
            text!(concat!("data/", $folder, "/", $name, ".json")),
        )),*]
    };
}

/// Files by their paths, each with its text where that is embedded.
pub type Files = &'static [(&'static str, Option<&'static str>)];

pub const MACHINES: Files = files!("machines":
    "xeon-3.2-dual", "p4-1.6", "piii-500-4way", "piii-700-8way", "piii-700-8way-separate",
    "pii-xeon-400-4way",
    "pii-xeon-450-4way", "piii-xeon-550-8way", "load-generator",
    "via-eden-553", "recorder", "recorder-e1000", "recording-sender", "recorded-wire", "fermilab-pii-350", "fermilab-piii-1000",
    "fermilab-slow-sender", "fermilab-fast-sender", "current-server", "flood-generator", "epyc-zen5-vm",
    "epyc-zen4-vm",
    "epyc-zen5-2cpu-vm",
    "xeon-emerald-rapids-vm",
    "xeon-emerald-rapids-vm-drawn",
    "xeon-emerald-rapids-vm-packets",
    "epyc-zen3-vm",
    "epyc-milan-vm",
    "epyc-milan-vm-drawn",
);
pub const KERNELS: Files = files!("kernels":
    "2.2.14", "2.3.99", "2.4.17", "2.4.20", "2.5.3", "2.6.3", "2.6.3-nat", "2.6.9", "2.6.12", "6.1",
    "6.18",
);
pub const INSTRUMENTATION: Files = files!("instrumentation":
    "kperf-2005", "kperf-kprobes", "receive-path-2006",
);
pub const WORKLOADS: Files = files!("workloads":
    "iperf", "iperf-profiled", "iperf-link", "netperf-stream", "netperf-rr", "connect-close",
    "connect-close-local", "connect-close-ports", "web", "web-files", "chat", "fscache",
    "flood", "bulk-and-request", "paced-tcp", "paced-udp", "recorded-tcp", "recorded-tcp-together",
    "recorded-udp",
    "kperf-generator-tcp", "kperf-generator-tcp-one-thread", "kperf-generator-tcp-one-socket",
    "kperf-generator-udp", "kperf-generator-udp-one-thread", "kperf-generator-udp-one-socket",
    "host-stream", "host-stream-apart", "host-request", "host-request-apart", "host-datagrams",
    "host-datagrams-apart", "host-datagram-request", "host-datagram-request-apart",
    "host-gathered", "host-gathered-apart", "host-scattered", "host-scattered-apart",
    "host-fetched", "host-fetched-apart", "host-stored", "host-stored-apart",
    "host-pipelined", "host-pipelined-apart", "host-undelayed", "host-undelayed-apart",
    "host-datagram-burst", "host-datagram-burst-apart",
    "host-opened", "host-opened-apart", "host-visited", "host-visited-apart",
);
/// In the order of the shelf; the Lab begins with the first.
pub const SCENARIOS: Files = files!("scenarios":
    "ba-fig5-smp-1", "ba-fig5-uni", "ba-fig5-smp-2",
    "ba-fig5-2.4-uni", "ba-fig5-2.4-smp-1", "ba-fig5-2.4-smp-2",
    "ah-affinity-none", "ah-affinity-both", "ah-moderation",
    "go-two-segments", "go-fragments", "br-rr-2.2", "br-rr-2.3",
    "wc-ring", "wc-share", "today-gro", "today-rps", "today-lost-frame",
    "today-flood-socket", "today-flood-firewall", "today-flood-xdp",
    "today-bloat-fifo", "today-bloat-fq-codel", "today-bloat-fq",
    "today-bloat-ecn",
);

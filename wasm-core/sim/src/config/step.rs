//! Steps: what paths of kernels and drivers are made of.

use serde::Deserialize;

/// A piece of code that runs without being split.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The kernel function to which its time is counted.
    pub function: String,
    /// Base cycles.
    #[serde(default)]
    pub cycles: u32,
    /// Time that no faster core shortens, in ns: a device's register is read over its bus.
    #[serde(default)]
    pub ns: u32,
    /// Instructions with a bus lock: each costs the machine's `locked_cycles` where the kernel is
    /// one for several CPUs, and nothing where it is not.
    #[serde(default)]
    pub atomics: u32,
    /// Interrupts sent to CPUs that have halted: each keeps the sender busy for the machine's
    /// `halted_send_ns`.
    #[serde(default)]
    pub halted_sends: u32,
    /// Base cycles for each unit of the path's count (scanned tasks, polled descriptors, fragments).
    #[serde(default)]
    pub cycles_each: u32,
    /// Objects read.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Objects written.
    #[serde(default)]
    pub writes: Vec<String>,
    /// Bytes moved: `from_user`, `to_user`, `checksum`, `checksum_to_user`, `checksum_from_user`, `from_device`, `to_device`.
    #[serde(default)]
    pub copy: Option<Copying>,
    /// A lock taken before.
    #[serde(default)]
    pub lock: Option<String>,
    /// A lock let go after.
    #[serde(default)]
    pub unlock: Option<String>,
    /// The probe passed at its start.
    #[serde(default)]
    pub probe: Option<String>,
    /// The 2005 toolkit's point passed at its start, 1 to 10.
    #[serde(default)]
    pub kperf: Option<u8>,
    /// Base cycles of the probes in this step, where a scenario's `probes` are on.
    #[serde(default)]
    pub probe_cycles: u32,
}

/// What a step does with the packet's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Copying {
    /// User memory to packet.
    FromUser,
    /// Packet to user memory.
    ToUser,
    /// Reads the packet.
    Checksum,
    /// Packet to user memory, summed on the way.
    ChecksumToUser,
    /// User memory to packet, summed on the way.
    ChecksumFromUser,
    /// The driver's receive buffer to packet.
    FromDevice,
    /// Packet to the driver's transmit buffer, summed on the way.
    ToDevice,
}

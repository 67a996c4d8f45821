//! Queueing disciplines of a kernel, and which one a scenario chooses.

use serde::{Deserialize, Deserializer, Serialize, de};

use ringside::kernel::DropReason;

/// A queueing discipline (`tc qdisc`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QdiscKind {
    /// First in, first out.
    PfifoFast,
    /// Flows take turns, and `CoDel` keeps their queues short.
    FqCodel,
}

/// The parameters of `fq_codel` (`net/sched/sch_fq_codel.c: fq_codel_init`); its quantum is a frame of the device.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FqCodel {
    /// Maximum number of packets (`limit`).
    pub limit_packets: u32,
    /// Maximum memory of all packets in bytes (`memory_limit`).
    pub memory_limit_bytes: u32,
    /// Number of queues that flows are hashed to (`flows`).
    pub flows: u32,
    /// The time that a packet may wait, in µs (`target`).
    pub target_us: u64,
    /// For how long packets may wait longer before one is dropped, in µs (`interval`).
    pub interval_us: u64,
    /// Maximum number of packets that are dropped at once for lack of room (`drop_batch`).
    pub drop_batch_packets: u32,
    /// The reason of a drop by `CoDel` (`drop_func`).
    #[serde(deserialize_with = "reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub congested_reason: DropReason,
    /// The reason of a drop for lack of room (`fq_codel_drop`).
    #[serde(deserialize_with = "reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub overlimit_reason: DropReason,
}

/// A drop reason by the kernel's name.
fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DropReason, D::Error> {
    let name = String::deserialize(deserializer)?;
    DropReason::from_name(&name)
        .ok_or_else(|| de::Error::custom(format!("{name} is no reason of a drop")))
}

//! The parameters of `fq_codel`, as a kernel's file has them.

use ringside::kernel::DropReason;
use serde::Deserialize;

/// The parameters of `fq_codel` (`net/sched/sch_fq_codel.c: fq_codel_init`); its quantum is a frame of the device.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "FqCodel"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
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
    /// Whether `CoDel` marks a packet whose transport knows ECN, in the place of a drop (`ecn`).
    pub ecn: bool,
    /// Each packet that waited longer than this is marked if its transport knows ECN, in µs (`ce_threshold`); none: only
    /// where `CoDel` would drop.
    #[serde(default)]
    pub ce_threshold_us: Option<u64>,
    /// Maximum number of packets that are dropped at once for lack of room (`drop_batch`).
    pub drop_batch_packets: u32,
    /// The reason of a drop by `CoDel` (`drop_func`).
    #[serde(deserialize_with = "crate::qdisc::reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub congested_reason: DropReason,
    /// The function that frees such a packet, as `skb:kfree_skb` names its place.
    pub congested_function: String,
    /// The reason of a drop for lack of room (`fq_codel_drop`).
    #[serde(deserialize_with = "crate::qdisc::reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub overlimit_reason: DropReason,
}

impl Parameters {
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), String> {
        if self.flows == 0 {
            return Err("flows: there must be a queue".to_owned());
        }
        Ok(())
    }
}

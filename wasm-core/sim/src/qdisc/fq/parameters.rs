//! The parameters of `fq`, as a kernel's file has them.

use ringside::kernel::DropReason;
use serde::Deserialize;

/// The parameters of `fq` (`net/sched/sch_fq.c: fq_init`).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Fq"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Maximum number of packets (`limit`; from 6.7 on, that of each band, and all packets here are of one).
    pub limit_packets: u32,
    /// Maximum number of packets of a flow (`flow_plimit`).
    pub flow_limit_packets: u32,
    /// What a flow may send in its turn, in frames of the device (`quantum`).
    pub quantum_frames: u32,
    /// What a flow may send in its first turn, in frames of the device (`initial_quantum`).
    pub initial_quantum_frames: u32,
    /// After how long without a packet a flow gets a new turn, in ms (`flow_refill_delay`).
    pub flow_refill_delay_ms: u64,
    /// How far ahead a departure may be, in µs; a packet that is to leave later is dropped (`horizon`,
    /// `horizon_drop`).
    pub horizon_us: u64,
    /// How much later than the next departure the watchdog may go off, in µs (`timer_slack`).
    pub timer_slack_us: u64,
    /// The reason of a drop where there are too many packets.
    #[serde(deserialize_with = "crate::qdisc::reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub limit_reason: DropReason,
    /// The reason of a drop where the flow has too many.
    #[serde(deserialize_with = "crate::qdisc::reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub flow_limit_reason: DropReason,
    /// The reason of a drop where the departure is too far ahead.
    #[serde(deserialize_with = "crate::qdisc::reason")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub horizon_reason: DropReason,
}

impl Parameters {
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), String> {
        if self.quantum_frames == 0 {
            return Err("quantum_frames: a flow without one would never have a turn".to_owned());
        }
        Ok(())
    }
}

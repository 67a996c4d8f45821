//! The parameters of `bic`, as a kernel's file has them.

use serde::Deserialize;

/// The parameters of `bic`: sysctls and constants of `include/net/tcp.h` (2.6.8 to 2.6.12), in segments.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Bic"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The largest window that grows and shrinks as Reno's (`tcp_bic_low_window`).
    pub low_window_segments: u32,
    /// Most segments by which the window grows in a round trip (`BICTCP_MAX_INCREMENT`).
    pub max_increment_segments: u32,
    /// Four times the round trips that a segment takes close to the window of the last loss
    /// (`BICTCP_FUNC_OF_MIN_INCR`).
    pub smooth_part: u32,
    /// What a loss leaves of the window, in 1024ths (`BICTCP_1_OVER_BETA`, later `tcp_bic_beta`).
    pub beta_1024ths: u32,
    /// What is remembered of the window at a loss that came sooner than the one before, in 2048ths
    /// (`tcp_bic_fast_convergence`).
    pub convergence_2048ths: u32,
}

impl Parameters {
    /// What is wrong with them.
    pub fn check(&self) -> Result<(), String> {
        if self.max_increment_segments == 0 {
            return Err("max_increment_segments: a window would never grow".to_owned());
        }
        if self.beta_1024ths > 1024 {
            return Err("beta_1024ths: a loss would leave more than there was".to_owned());
        }
        Ok(())
    }
}

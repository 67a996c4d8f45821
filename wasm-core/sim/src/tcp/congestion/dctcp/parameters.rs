//! The parameters of `dctcp`, as a kernel's file has them.

use serde::Deserialize;

use super::LARGEST_ALPHA;

/// The parameters of `dctcp` (those of the module `tcp_dctcp`).
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Dctcp"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How little one window changes the estimate of the marked share: by 1 / 2 to the power of this
    /// (`dctcp_shift_g`).
    pub shift_g: u32,
    /// The estimate before the first window, in 1024ths (`dctcp_alpha_on_init`).
    pub alpha_on_init_1024ths: u32,
}

impl Parameters {
    /// What is wrong with them.
    pub fn check(self) -> Result<(), String> {
        if self.shift_g > 10 {
            return Err("shift_g: 10 at most, as the estimate has ten digits".to_owned());
        }
        if self.alpha_on_init_1024ths > LARGEST_ALPHA {
            return Err("alpha_on_init_1024ths: more than all would be marked".to_owned());
        }
        Ok(())
    }
}

//! The parameters of `cubic`, as a kernel's file has them.

use serde::Deserialize;

/// The parameters of `cubic` (those of the module `tcp_cubic`).
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Cubic"))]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Whether a growing delay ends slow start (`hystart`).
    pub hystart: bool,
}

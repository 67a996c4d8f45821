//! Devices: frames on the link and in XDP programs, GRO, and devices of this host that pass packets to each other.
//!
//! It uses `packet`, `survey`, `table` and `cpu`.

pub mod cpumap;
pub mod offload;
pub mod pairs;
pub mod receive;
pub mod stacked;
pub mod tunnels;
pub mod wire;
pub mod xdp;

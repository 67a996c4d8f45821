//! The stocks of free packet memory near each CPU, where a kernel has them by size.

use serde::Deserialize;

/// Free buffers near each CPU (`mm/slab.c`, and `net/core/skbuff.c` before 2.6).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Slab {
    /// Packet heads that each CPU keeps in front of the slab allocator
    /// (`sysctl_hot_list_len`); 0: none.
    pub hot_heads: u32,
    /// Heads fetched from or given back to the shared pool at once.
    pub head_batch: u32,
    /// Data buffers at once: the first entry that is large enough; a larger buffer goes
    /// one by one.
    pub data_batches: Vec<DataBatch>,
}

/// A class of data buffers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataBatch {
    /// Largest buffer of the class.
    pub up_to_bytes: u32,
    /// Fetched or given back at once.
    pub batch: u32,
}

//! What an access of an object did, and what left a cache by it or otherwise: counts of
//! lines, for who prices and records them.

use super::ObjectId;

/// "No cache" in [`Accessed::from_cache`].
pub const NO_CACHE: u8 = 255;

/// What one access did, in lines: `hits + misses + transfers + upgrades` are the lines accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accessed {
    /// Were here, and no other cache had to hear of it.
    pub hits: u32,
    /// Came from no other core's cache: from memory, or from the last cache that all share.
    pub misses: u32,
    /// Of these, came from that last cache.
    pub from_shared: u32,
    /// Came from another cache: it had them modified, or the machine moves clean lines too.
    pub transfers: u32,
    /// Were here and shared; a write invalidated the other copies. A bus transaction
    /// without data.
    pub upgrades: u32,
    /// Lines this access pushed out of the cache that has it for want of room.
    pub evicted: u32,
    /// The cache `transfers` came from; if none moved, the lowest cache `upgrades` was shared
    /// with; else [`NO_CACHE`]. Of a range: the first one met.
    pub from_cache: u8,
    /// Whether `from_cache` still has the lines that moved (a read) or lost them (a write).
    pub source_keeps: bool,
}

impl Default for Accessed {
    fn default() -> Self {
        Self {
            hits: 0,
            misses: 0,
            from_shared: 0,
            transfers: 0,
            upgrades: 0,
            evicted: 0,
            from_cache: NO_CACHE,
            source_keeps: false,
        }
    }
}

impl Accessed {
    /// Adds what another access did; the first source met stays the source.
    pub fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.misses += other.misses;
        self.from_shared += other.from_shared;
        self.transfers += other.transfers;
        self.upgrades += other.upgrades;
        self.evicted += other.evicted;
        if self.from_cache == NO_CACHE {
            self.from_cache = other.from_cache;
        }
        self.source_keeps |= other.source_keeps;
    }
}

/// Why lines left a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Room was needed; modified lines were written back.
    Capacity,
    /// A device wrote to the memory under them.
    Dma,
    /// The object is gone.
    Freed,
    /// Another cache's write made the copy worthless.
    Invalidated,
    /// Another cache's write took them along: the far side of [`Accessed::transfers`].
    Taken,
}

impl Why {
    /// The word in a recording.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Dma => "dma",
            Self::Freed => "freed",
            Self::Invalidated => "invalidated",
            Self::Taken => "taken",
        }
    }
}

/// Lines that left a cache. Everything that leaves is told here, so that at any time
/// lines in a cache = its `misses` + its `transfers` - its evictions, to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eviction {
    /// The cache they left.
    pub cache: u8,
    /// Whose lines.
    pub object: ObjectId,
    /// How many.
    pub lines: u32,
    /// Why.
    pub why: Why,
}

//! Which CPU cache holds which lines, and how many lines an access moves.
//!
//! MESI (Intel SDM volume 3A, "Cache Control Protocol"), with its state kept for each *object*
//! instead of each line: a lock word, the hot lines of a socket, the head of an skb, one page
//! of a packet's or a user's bytes. It counts lines; the machine says what a line costs.
//!
//! What is left out, and what a learner would see differently:
//! - **Objects as a whole.** Simplified ("lines in groups"): all lines of an object change state together. Two fields
//!   on one line (false sharing) or two CPUs at two ends of one page are told apart only where the kernel's
//!   description names two objects.
//! - **True LRU over objects, any object anywhere.** Simplified ("which line makes room"): a processor picks by line,
//!   by pseudo-LRU, within a set of 4 to 16 ways; there a working set just below the capacity already misses now and
//!   then, and just above it does not miss at every access.
//! - **No prefetch.** Simplified ("prefetching"): every line of a first read is waited for; a processor that sees a
//!   copy run through a page fetches ahead and hides part of that. The price per line of a copy has to include it.
//! - **Two levels at most.** Simplified ("levels of cache"): each core has one cache; that copies feel a first one in
//!   front of it is told in `engine/memory/first.rs`. Behind them there may be a last-level cache that all cores
//!   share and that holds what the cores' caches evict (a victim cache, AMD PPR, "L3").
//! - **The only copy counts as exclusive.** Simplified ("the only copy left"): after the other sharers lost their
//!   copies, or a device read the lines, a first write is a plain hit; a processor still pays one bus transaction to
//!   learn that nobody else has the line.

mod accessed;
mod lru;
#[cfg(test)]
mod tests;

use ringside::kernel::LineState;

pub use self::accessed::{Accessed, Eviction, NO_CACHE, Why};
pub(crate) use self::lru::Lru;

/// Most caches there can be: holders are bits of a `u32`.
const MAX_CACHES: usize = 32;
/// Most lines of an object: a page of 4 KiB in lines of 64 bytes.
const MAX_LINES: u8 = 64;

/// An object: up to 64 lines that are always accessed as a whole. Dense from 0, used
/// again after [`Caches::free`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// One object's state. Modified in a cache means present in that cache only.
#[derive(Debug, Clone, Copy)]
struct Object {
    /// A bit for each cache that has lines of it.
    holders: u32,
    /// The cache that has it modified.
    owner: Option<u8>,
    /// How many lines an access concerns.
    lines: u8,
    is_live: bool,
}

/// The caches of a machine, one for each physical core: threads of a core share theirs.
#[derive(Debug, Clone)]
pub struct Caches {
    objects: Vec<Object>,
    cores: Vec<Lru>,
    /// The shared last-level cache, a victim cache; `None` if there is none.
    shared: Option<Lru>,
    free: Vec<ObjectId>,
    clean_lines_move: bool,
    records_evictions: bool,
    evictions: Vec<Eviction>,
    /// Lines that each cache lost since the last call of `take_lost`, by invalidation or eviction.
    lost: Vec<u64>,
    /// Lines of each cache that writes of devices invalidated.
    lost_to_devices: Vec<u64>,
}

impl Caches {
    /// Caches of so many lines each, all empty. `clean_lines_move`: whether a cache also
    /// supplies lines it has clean (point-to-point links, a shared last level); on a
    /// front-side bus those come from memory.
    pub fn new(capacity_lines: &[u32], clean_lines_move: bool) -> Self {
        assert!(capacity_lines.len() <= MAX_CACHES, "at most 32 caches");
        Self {
            objects: Vec::new(),
            cores: capacity_lines.iter().copied().map(Lru::new).collect(),
            shared: None,
            free: Vec::new(),
            clean_lines_move,
            records_evictions: false,
            evictions: Vec::new(),
            lost: vec![0; capacity_lines.len()],
            lost_to_devices: vec![0; capacity_lines.len()],
        }
    }

    /// Adds a shared last-level cache of `lines` lines; 0: none.
    #[must_use]
    pub fn with_shared(mut self, lines: u32) -> Self {
        self.shared = (lines > 0).then(|| Lru::new(lines));
        self
    }

    /// A new object of at most 64 lines, in memory only.
    pub fn object(&mut self, lines: u8) -> ObjectId {
        assert!(lines <= MAX_LINES, "an object has at most 64 lines");
        let object = Object {
            holders: 0,
            owner: None,
            lines,
            is_live: true,
        };
        if let Some(id) = self.free.pop() {
            self.objects[id.0 as usize] = object;
            return id;
        }
        self.objects.push(object);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// Forgets the object in every cache; its id may be given out again.
    pub fn free(&mut self, id: ObjectId) {
        assert!(self.objects[id.0 as usize].is_live, "freed twice");
        self.drop_all(id, Why::Freed);
        self.objects[id.0 as usize].is_live = false;
        self.free.push(id);
    }

    /// How many of its lines, counted from the first, the next accesses concern: a page of
    /// which 1448 bytes are used has 23. Lines beyond them stay cached until they age out.
    pub fn set_lines(&mut self, id: ObjectId, lines: u8) {
        assert!(lines <= MAX_LINES, "an object has at most 64 lines");
        self.objects[id.0 as usize].lines = lines;
    }

    /// A CPU under `cache` reads or writes the object's lines.
    #[inline]
    pub fn access(&mut self, cache: u8, id: ObjectId, is_write: bool) -> Accessed {
        let object = &self.objects[id.0 as usize];
        debug_assert!(object.is_live, "accessed after free");
        if !is_write || object.owner == Some(cache) {
            let lru = &mut self.cores[usize::from(cache)];
            let here = lru.lines_of(id);
            // 1 <= lines <= here in one comparison.
            if object.lines.wrapping_sub(1) < here {
                lru.refresh(id);
                return Accessed {
                    hits: u32::from(object.lines),
                    ..Accessed::default()
                };
            }
        }
        self.access_beyond(cache, id, is_write)
    }

    /// Accesses objects with consecutive ids, and sums the outcomes.
    pub fn access_range(
        &mut self,
        cache: u8,
        first: ObjectId,
        count: u32,
        is_write: bool,
    ) -> Accessed {
        let mut sum = Accessed::default();
        for id in first.0..first.0 + count {
            sum.add(self.access(cache, ObjectId(id), is_write));
        }
        sum
    }

    /// A device writes the object's memory: every cached copy is void, and the next reader
    /// fetches from memory. Returns the lines invalidated, over all caches.
    pub fn dma_write(&mut self, id: ObjectId) -> u32 {
        self.drop_all(id, Why::Dma)
    }

    /// A device reads the object: a modified copy is written back and stays, clean.
    pub fn dma_read(&mut self, id: ObjectId) {
        self.objects[id.0 as usize].owner = None;
    }

    /// Lines present in a cache.
    pub fn owned_lines(&self, cache: u8) -> u32 {
        self.cores[usize::from(cache)].used()
    }

    /// Lines of the object present in a cache.
    pub fn lines_in(&self, cache: u8, id: ObjectId) -> u32 {
        u32::from(self.cores[usize::from(cache)].lines_of(id))
    }

    /// The state in which a cache has the object; none while it has no line of it.
    pub fn state(&self, cache: u8, id: ObjectId) -> Option<LineState> {
        let Object { holders, owner, .. } = self.objects[id.0 as usize];
        let mine = 1 << cache;
        if holders & mine == 0 {
            None
        } else if owner == Some(cache) {
            Some(LineState::Modified)
        } else if holders == mine {
            Some(LineState::Exclusive)
        } else {
            Some(LineState::Shared)
        }
    }

    /// The cache that has the object modified.
    pub fn owner(&self, id: ObjectId) -> Option<u8> {
        self.objects[id.0 as usize].owner
    }

    /// Whether evictions and invalidations are recorded for [`Self::take_evictions`]. Off
    /// at first; a caller that turns it on has to take them regularly, as they pile up.
    pub fn record_evictions(&mut self, is_on: bool) {
        self.records_evictions = is_on;
    }

    /// Moves the evictions recorded since the last call into `taken`, oldest first. What `taken`
    /// held is dropped and its memory reused, so a caller that keeps one vector allocates nothing.
    pub fn take_evictions(&mut self, taken: &mut Vec<Eviction>) {
        taken.clear();
        std::mem::swap(taken, &mut self.evictions);
    }

    /// Lines that a cache lost since the last call, by eviction
    /// or by invalidation; those of freed objects do not count.
    #[inline]
    pub fn take_lost(&mut self, cache: u8) -> u64 {
        std::mem::take(&mut self.lost[usize::from(cache)])
    }

    /// Lines that a cache has lost to devices' writes.
    pub fn lost_to_devices(&self, cache: u8) -> u64 {
        self.lost_to_devices[usize::from(cache)]
    }

    /// An access that is not a plain hit of the reader's or the owner's.
    #[inline(never)]
    fn access_beyond(&mut self, cache: u8, id: ObjectId, is_write: bool) -> Accessed {
        let object = self.objects[id.0 as usize];
        let wanted = u32::from(object.lines);
        if wanted == 0 {
            return Accessed::default();
        }
        let mine = 1 << cache;
        let others = object.holders & !mine;
        let here = self.lines_in(cache, id);
        let kept = here.min(wanted);

        let mut accessed = Accessed::default();
        if is_write && others != 0 {
            accessed.upgrades = kept;
        } else {
            accessed.hits = kept;
        }
        if others != 0 && (object.owner.is_some() || self.clean_lines_move) {
            let (source, there) = self.fullest(others, id);
            accessed.transfers = there.min(wanted).saturating_sub(kept);
            if accessed.transfers > 0 {
                accessed.from_cache = source;
                accessed.source_keeps = !is_write;
            }
        }
        accessed.misses = wanted - kept - accessed.transfers;
        accessed.from_shared = self.take_shared(id, accessed.misses);
        if accessed.upgrades > 0 && accessed.transfers == 0 {
            accessed.from_cache = others.trailing_zeros() as u8;
        }

        let object = &mut self.objects[id.0 as usize];
        object.holders |= mine;
        if is_write {
            object.holders = mine;
            object.owner = Some(cache);
            self.invalidate(others, id, accessed);
        } else if others != 0 {
            // An owner among the others wrote back as it supplied the lines.
            object.owner = None;
        }
        accessed.evicted = self.hold(cache, id, here.max(wanted));
        accessed
    }

    /// The cache of `holders` with most lines of the object, the lowest of equals.
    fn fullest(&self, holders: u32, id: ObjectId) -> (u8, u32) {
        let mut fullest = (NO_CACHE, 0);
        for cache in bits(holders) {
            let lines = self.lines_in(cache, id);
            if fullest.1 < lines {
                fullest = (cache, lines);
            }
        }
        fullest
    }

    /// Moves at most `most` lines of the object out of the last-level cache, for a core's
    /// cache. Returns how many it had of them; its other lines of the object stay.
    fn take_shared(&mut self, id: ObjectId, most: u32) -> u32 {
        let Some(shared) = &mut self.shared else {
            return 0;
        };
        let lines = u32::from(shared.lines_of(id));
        if lines == 0 {
            return 0;
        }
        if lines <= most {
            return shared.remove(id);
        }
        shared.hold(id, (lines - most) as u8);
        most
    }

    /// Puts lines that a core's cache evicts into the last-level
    /// cache, beside those that it has of the object.
    fn keep_shared(&mut self, id: ObjectId, lines: u32) {
        let Some(shared) = &mut self.shared else {
            return;
        };
        let both = lines + u32::from(shared.lines_of(id));
        let lines = both.min(u32::from(MAX_LINES));
        shared.hold(id, lines.min(shared.capacity()) as u8);
        while shared.evict().is_some() {}
    }

    /// Invalidates the object in its other holders, for a write.
    fn invalidate(&mut self, holders: u32, id: ObjectId, write: Accessed) {
        for cache in bits(holders) {
            let lines = self.cores[usize::from(cache)].remove(id);
            let taken = if cache == write.from_cache {
                write.transfers
            } else {
                0
            };
            self.note(cache, id, taken, Why::Taken);
            self.note(cache, id, lines - taken, Why::Invalidated);
        }
    }

    /// Puts `lines` lines of the object into a cache, as its most recent, and evicts to make
    /// room. Of an object larger than the cache it keeps what fits. Returns the lines evicted.
    fn hold(&mut self, cache: u8, id: ObjectId, lines: u32) -> u32 {
        let lru = &mut self.cores[usize::from(cache)];
        let fits = lines.min(lru.capacity());
        lru.hold(id, fits as u8);
        let mut evicted = lines - fits;
        self.note(cache, id, lines - fits, Why::Capacity);
        while let Some((victim, lines)) = self.cores[usize::from(cache)].evict() {
            let object = &mut self.objects[victim.0 as usize];
            object.holders &= !(1 << cache);
            if object.owner == Some(cache) {
                object.owner = None;
            }
            if object.holders == 0 {
                self.keep_shared(victim, lines);
            }
            evicted += lines;
            self.note(cache, victim, lines, Why::Capacity);
        }
        evicted
    }

    /// Removes the object from every cache. Returns the lines removed.
    fn drop_all(&mut self, id: ObjectId, why: Why) -> u32 {
        self.take_shared(id, u32::MAX);
        let object = &mut self.objects[id.0 as usize];
        object.owner = None;
        let mut dropped = 0;
        for cache in bits(std::mem::take(&mut object.holders)) {
            let lines = self.cores[usize::from(cache)].remove(id);
            dropped += lines;
            self.note(cache, id, lines, why);
        }
        dropped
    }

    /// Counts lines that left, and keeps the eviction for who asked for them.
    fn note(&mut self, cache: u8, object: ObjectId, lines: u32, why: Why) {
        match why {
            Why::Freed => {}
            Why::Dma => self.lost_to_devices[usize::from(cache)] += u64::from(lines),
            Why::Capacity | Why::Invalidated | Why::Taken => {
                self.lost[usize::from(cache)] += u64::from(lines);
            }
        }
        if self.records_evictions && lines > 0 {
            self.evictions.push(Eviction {
                cache,
                object,
                lines,
                why,
            });
        }
    }
}

/// The numbers of the bits that are set, from the lowest.
fn bits(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as u8);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

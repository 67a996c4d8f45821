//! One cache: how many lines of which object it has, and which it accessed longest ago.
//!
//! A ring of links in one flat vector, indexed by object, so that every operation is a
//! few loads and stores and nothing is allocated on access. It knows nothing of the
//! other caches, nor of who modified what: that is [`super::Caches`].

use super::ObjectId;

/// The link between the most and the least recent object. Object `n` has link `n + 1`.
const RING: usize = 0;

#[derive(Debug, Clone, Copy, Default)]
struct Link {
    /// Towards the least recent.
    older: u32,
    /// Towards the most recent.
    newer: u32,
    /// Lines present; 0 = the object is not in the ring.
    lines: u8,
}

/// The lines of one cache in the order of their last access.
#[derive(Debug, Clone)]
pub struct Lru {
    links: Vec<Link>,
    used: u32,
    capacity: u32,
}

impl Lru {
    /// An empty cache of so many lines, at least one.
    pub fn new(capacity: u32) -> Self {
        assert!(0 < capacity, "a cache has at least one line");
        Self {
            links: vec![Link::default()],
            used: 0,
            capacity,
        }
    }

    /// Lines it can hold.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Lines it holds.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Lines of the object it holds.
    #[inline]
    pub fn lines_of(&self, id: ObjectId) -> u8 {
        self.links
            .get(id.0 as usize + 1)
            .map_or(0, |link| link.lines)
    }

    /// Makes an object that is here the most recent one.
    #[inline]
    pub fn refresh(&mut self, id: ObjectId) {
        let link = id.0 as usize + 1;
        if self.links[RING].older as usize != link {
            self.unlink(link);
            self.link_in_front(link);
        }
    }

    /// Holds so many lines of the object, at least one, as the most recent. May go above
    /// the capacity: [`Self::evict`] until it has nothing left to say.
    pub fn hold(&mut self, id: ObjectId, lines: u8) {
        let link = id.0 as usize + 1;
        if self.links.len() <= link {
            // Most objects of a machine with many CPUs never come to a given cache.
            self.links.resize(link + 1, Link::default());
        }
        let before = std::mem::replace(&mut self.links[link].lines, lines);
        self.used = self.used - u32::from(before) + u32::from(lines);
        if before == 0 {
            self.link_in_front(link);
        } else {
            self.refresh(id);
        }
    }

    /// Removes the least recent object if the cache holds more than it can.
    pub fn evict(&mut self) -> Option<(ObjectId, u32)> {
        if self.used <= self.capacity {
            return None;
        }
        let oldest = ObjectId(self.links[RING].newer - 1);
        Some((oldest, self.remove(oldest)))
    }

    /// Removes an object that is here. Returns how many lines it had.
    pub fn remove(&mut self, id: ObjectId) -> u32 {
        let link = id.0 as usize + 1;
        let lines = u32::from(std::mem::take(&mut self.links[link].lines));
        self.used -= lines;
        self.unlink(link);
        lines
    }

    fn unlink(&mut self, link: usize) {
        let Link { older, newer, .. } = self.links[link];
        self.links[older as usize].newer = newer;
        self.links[newer as usize].older = older;
    }

    fn link_in_front(&mut self, link: usize) {
        let newest = self.links[RING].older;
        self.links[link].older = newest;
        self.links[link].newer = RING as u32;
        self.links[newest as usize].newer = link as u32;
        self.links[RING].older = link as u32;
    }
}

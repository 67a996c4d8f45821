//! The end of a load: its observer asks for it, or the first thread that fails brings it about.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::link::Link;

/// The end of a load.
#[derive(Debug)]
pub struct Stop<'load> {
    links: &'load [Link],
    is_set: AtomicBool,
    has_failed: AtomicBool,
    first: Mutex<Option<io::Error>>,
}

impl<'load> Stop<'load> {
    /// A load over these sockets, which goes on.
    pub const fn of(links: &'load [Link]) -> Self {
        Self {
            links,
            is_set: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            first: Mutex::new(None),
        }
    }

    /// Whether the load is to end.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Whether a thread has failed, so that its peers need not wait for it.
    pub fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Acquire)
    }

    /// Asks the threads to end when they have done what they are at.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::Release);
    }

    /// Ends the load because of an error: threads that wait for a socket return. Errors after the first follow
    /// from it, and are dropped.
    pub fn fail(&self, error: io::Error) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        drop(first);
        self.set();
        self.has_failed.store(true, Ordering::Release);
        self.links.iter().for_each(Link::shut);
    }

    /// The first error, if there was one.
    pub fn error(self) -> Option<io::Error> {
        let first = self.first.into_inner();
        first.unwrap_or_else(PoisonError::into_inner)
    }
}

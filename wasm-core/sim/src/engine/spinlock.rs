//! Spin locks as data: holder and waiters.

use std::collections::VecDeque;

use crate::cache::ObjectId;
use crate::engine::ids::SockId;
use crate::time::SimTime;

/// A CPU that spins.
#[derive(Debug, Clone, Copy)]
pub struct Spin {
    /// Which lock.
    pub lock: LockId,
    /// The site that wants it.
    pub site: u16,
    /// Since when, or since the interrupt that came meanwhile was over.
    pub since: SimTime,
    /// Up to when the spinning is accounted; time in interrupts is left out.
    pub counted: SimTime,
}

/// A lock: one of the host's by index, or a socket's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockId {
    /// Of a host, by index into its names.
    Host(u8, u8),
    /// A socket's spin lock.
    Socket(SockId),
}

impl LockId {
    /// Its index in the kernel's data file; all sockets' locks share one.
    pub const fn number(self) -> u8 {
        match self {
            Self::Host(_, index) => index,
            Self::Socket(_) => 0,
        }
    }
}

/// A spin lock.
#[derive(Debug, Clone, Default)]
pub struct Lock {
    /// The CPU that holds it, among those of all hosts.
    pub holder: Option<u16>,
    /// How often the holder has taken it and not yet released it.
    pub depth: u32,
    /// CPUs that wait, in the order in which they came.
    pub waiting: VecDeque<u16>,
    /// Whether somebody waited during this hold.
    pub is_contended: bool,
}

/// Outcome of an attempt to take a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Another CPU holds it.
    Not {
        /// Which.
        holder: usize,
    },
    /// It was granted to the CPU while that spun.
    Granted,
    /// The CPU has it from now on, or once more.
    Now,
}

/// The locks of a host.
#[derive(Debug)]
pub struct HostLocks {
    /// By their index in the kernel's data file.
    pub all: Vec<Lock>,
    /// The big kernel lock, which a process of an old kernel holds while it is in the kernel.
    pub kernel_lock: Option<u8>,
    /// The lock that bottom halves of an old kernel hold (`global_bh_lock`).
    pub bh_lock: Option<u8>,
    /// Whether `bh_lock` stands in for the spin lock of each socket.
    pub sockets_by_bottom_halves: bool,
    /// A CPU did not get `bh_lock` and still has bottom halves to run.
    pub bottom_halves_wait: bool,
    /// A line for each lock.
    pub objects: ObjectId,
}

impl Lock {
    /// Tries to take the lock for a CPU; `was_spinning` says that it has waited for it.
    pub fn take(&mut self, cpu: usize, was_spinning: bool) -> Taken {
        match self.holder {
            Some(holder) if usize::from(holder) != cpu => Taken::Not {
                holder: usize::from(holder),
            },
            // The depth is 1 already.
            Some(_) if was_spinning => Taken::Granted,
            Some(_) => {
                self.depth += 1;
                Taken::Now
            }
            None => {
                self.holder = Some(cpu as u16);
                self.depth = 1;
                Taken::Now
            }
        }
    }

    /// Appends a CPU to the waiters.
    pub fn wait(&mut self, cpu: usize) {
        self.waiting.push_back(cpu as u16);
        self.is_contended = true;
    }

    /// Gives the lock to a CPU that is no longer among the waiters.
    pub fn grant(&mut self, cpu: usize) {
        self.holder = Some(cpu as u16);
        self.depth = 1;
        self.is_contended = !self.waiting.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_takes_it_again_and_others_wait() {
        let mut lock = Lock::default();
        assert_eq!(lock.take(3, false), Taken::Now);
        assert_eq!(lock.take(3, false), Taken::Now);
        assert_eq!((lock.holder, lock.depth), (Some(3), 2));
        assert_eq!(lock.take(1, false), Taken::Not { holder: 3 });
    }

    #[test]
    fn a_cpu_that_spun_finds_that_it_was_granted_the_lock_once() {
        let mut lock = Lock::default();
        lock.take(0, false);
        lock.wait(1);
        lock.wait(2);
        let next = lock.waiting.pop_front();
        lock.grant(1);
        assert_eq!(next, Some(1));
        assert!(lock.is_contended, "CPU 2 still waits");
        assert_eq!(lock.take(1, true), Taken::Granted);
        assert_eq!(lock.depth, 1);
    }
}

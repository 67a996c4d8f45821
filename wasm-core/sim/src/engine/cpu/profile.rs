//! A host's profile: time, calls and cache lines by site and CPU, locks by who took them, and time
//! by system call. A site is a function on a path.

use std::ops::AddAssign;

use super::charge::SLOTS;
use ringside::run::measured::{CallTime, FunctionTime, LockUse};

/// A system call that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Call {
    /// None, or one that is not measured.
    #[default]
    None,
    /// `socket(2)`.
    Socket,
    /// `bind(2)`.
    Bind,
    /// `listen(2)`.
    Listen,
    /// `connect(2)`.
    Connect,
    /// `accept(2)`.
    Accept,
    /// `close(2)`.
    Close,
    /// `send(2)`.
    Send,
    /// `recv(2)`.
    Receive,
    /// `read(2)` of a file.
    Read,
}

impl Call {
    /// Those that are measured, with the names that measures have for them.
    pub const MEASURED: [(Self, &str); 9] = [
        (Self::Socket, "socket"),
        (Self::Bind, "bind"),
        (Self::Listen, "listen"),
        (Self::Connect, "connect"),
        (Self::Accept, "accept"),
        (Self::Close, "close"),
        (Self::Send, "send"),
        (Self::Receive, "receive"),
        (Self::Read, "read"),
    ];
}

/// What a CPU did at one site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteTime {
    /// Times it ran, by the context that it ran in: [`super::charge::slot`].
    pub calls: [u64; SLOTS],
    /// Time in fs by the same.
    pub fs: [u64; SLOTS],
    /// Cache lines that came into a cache, by the same.
    pub lines: [u64; SLOTS],
    /// Cache lines that left the CPU's cache meanwhile.
    pub lines_out: u64,
}

impl AddAssign for SiteTime {
    fn add_assign(&mut self, other: Self) {
        for slot in 0..SLOTS {
            self.calls[slot] += other.calls[slot];
            self.fs[slot] += other.fs[slot];
            self.lines[slot] += other.lines[slot];
        }
        self.lines_out += other.lines_out;
    }
}

impl SiteTime {
    /// The same over all contexts.
    pub fn in_all(&self) -> FunctionTime {
        FunctionTime {
            calls: self.calls.iter().sum(),
            fs: self.fs.iter().sum(),
            lines: self.lines.iter().sum(),
            lines_out: self.lines_out,
        }
    }
}

/// Time by site and CPU.
#[derive(Debug)]
pub struct Profile {
    /// All sites of the first CPU, then those of the next.
    rows: Vec<SiteTime>,
    sites: usize,
    /// What became of each lock that was wanted: all sites for each lock, all locks for each CPU.
    locks: Vec<LockUse>,
    lock_count: usize,
    calls: [CallTime; Call::MEASURED.len() + 1],
}

/// Sites that stand for something that is not the kernel's code, behind the kernel's own.
pub const OTHERS: [&str; 3] = ["user", "idle", "spin_lock"];

impl Profile {
    /// An empty profile of so many sites, the last ones [`OTHERS`], and locks, on so many CPUs.
    pub fn new(sites: usize, locks: usize, cpus: usize) -> Self {
        Self {
            rows: vec![SiteTime::default(); sites * cpus],
            sites,
            locks: vec![LockUse::default(); sites * locks * cpus],
            lock_count: locks,
            calls: Default::default(),
        }
    }

    /// "Site" of user code: without time, which is measured by itself.
    pub fn user(&self) -> u16 {
        self.sites as u16 - 3
    }

    /// "Site" of idle CPUs.
    pub fn idle(&self) -> u16 {
        self.sites as u16 - 2
    }

    /// Site under which waiting for locks is counted.
    pub fn spin_lock(&self) -> u16 {
        self.sites as u16 - 1
    }

    /// What was done at a site by a CPU of the host.
    #[inline]
    pub fn of(&mut self, cpu: u16, site: u16) -> &mut SiteTime {
        &mut self.rows[usize::from(cpu) * self.sites + usize::from(site)]
    }

    /// What became of a lock, by its number in the kernel's file, that a CPU wanted at a site.
    #[inline]
    pub fn lock(&mut self, cpu: u16, lock: u8, site: u16) -> &mut LockUse {
        let row = usize::from(cpu) * self.lock_count + usize::from(lock);
        &mut self.locks[row * self.sites + usize::from(site)]
    }

    /// The locks that were wanted: CPU, lock, site, and what became of them.
    pub fn locks(&self) -> impl Iterator<Item = (u16, u8, u16, LockUse)> {
        let wanted = self.locks.iter().enumerate();
        wanted
            .filter(|&(_, all)| *all != LockUse::default())
            .map(|(at, &all)| {
                let (row, site) = (at / self.sites, at % self.sites);
                let (cpu, lock) = (row / self.lock_count, row % self.lock_count);
                (cpu as u16, lock as u8, site as u16, all)
            })
    }

    /// What a system call has taken.
    #[inline]
    pub fn call(&mut self, call: Call) -> &mut CallTime {
        &mut self.calls[call as usize]
    }

    /// The measured calls by name.
    pub fn calls(&self) -> impl Iterator<Item = (&'static str, CallTime)> {
        let measured = Call::MEASURED.into_iter();
        measured.map(|(call, name)| (name, self.calls[call as usize]))
    }

    /// What one CPU did, in the order of the sites.
    pub fn row(&self, cpu: usize) -> &[SiteTime] {
        &self.rows[cpu * self.sites..][..self.sites]
    }

    /// The same over all CPUs.
    pub fn sums(&self) -> Vec<SiteTime> {
        let mut sums = vec![SiteTime::default(); self.sites];
        for row in self.rows.chunks(self.sites) {
            for (sum, time) in sums.iter_mut().zip(row) {
                *sum += *time;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_a_line_for_each_cpu_and_their_sum() {
        let mut profile = Profile::new(2 + OTHERS.len(), 3, 2);
        profile.of(0, 1).fs[2] += 3;
        profile.of(1, 1).fs[3] += 4;
        profile.of(1, profile.spin_lock()).calls[5] += 1;
        assert_eq!(profile.row(0)[1].in_all().fs, 3);
        assert_eq!(profile.row(1)[1].in_all().fs, 4);
        assert_eq!(profile.sums()[1].fs, [0, 0, 3, 4, 0, 0]);
        assert_eq!(profile.sums()[1].in_all().fs, 7);
        assert_eq!(profile.sums()[4].calls[5], 1);
    }

    #[test]
    fn a_lock_has_a_line_for_each_cpu_and_site() {
        let mut profile = Profile::new(2 + OTHERS.len(), 3, 2);
        profile.lock(0, 2, 1).holds += 1;
        profile.lock(1, 2, 1).spins += 5;
        let found: Vec<_> = profile.locks().collect();
        let used = |holds, spins| LockUse {
            holds,
            spins,
            fs: 0,
        };
        assert_eq!(found, [(0, 2, 1, used(1, 0)), (1, 2, 1, used(0, 5))]);
    }
}

//! Lines that a cache loses, by what its CPU runs meanwhile: what a profile by the event
//! `L2_LINES_OUT` of the P6 family ("lines removed from the L2 for any reason") shows. The
//! loser is sampled, not who wants the line: an idle CPU loses many.
//!
//! Source: Intel, IA-32 Architecture Software Developer's Manual, volume 3, appendix A.

use crate::engine::core::Core;

/// The site at which a CPU is, an index into the profile.
#[derive(Debug, Clone, Copy, Default)]
pub struct Running {
    /// Now.
    pub now: u16,
    /// What it ran last at each level: an interrupted step goes on.
    pub at_level: [u16; 3],
}

impl Core {
    /// From now on the CPU is at this site; what it lost until now is the earlier one's.
    #[inline]
    pub fn enter(&mut self, cpu: usize, site: u16) {
        self.count_lost(cpu);
        let state = &mut self.cpus[cpu];
        state.running.now = site;
        state.running.at_level[state.level] = site;
    }

    /// The CPU is back at a level whose step was interrupted.
    pub fn enter_again(&mut self, cpu: usize) {
        let state = &self.cpus[cpu];
        self.enter(cpu, state.running.at_level[state.level]);
    }

    /// The CPU runs user code.
    pub fn enter_user(&mut self, cpu: usize) {
        let site = self.host_of(cpu).profile.user();
        self.enter(cpu, site);
    }

    /// The CPU idles.
    pub fn enter_idle(&mut self, cpu: usize) {
        let site = self.host_of(cpu).profile.idle();
        self.enter(cpu, site);
    }

    /// What the CPU's cache lost up to now counts.
    #[inline]
    pub fn count_lost(&mut self, cpu: usize) {
        let state = &self.cpus[cpu];
        let host = &mut self.hosts[state.host];
        if !host.memory.has_caches {
            return;
        }
        let lost = host.memory.caches.take_lost(state.cache);
        if lost > 0 {
            let (local, site) = (state.local, state.running.now);
            host.profile.of(local, site).lines_out += lost;
        }
    }
}

//! Sets of probes.

use super::Probe;

/// A set of probes, to be asked at every event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probes([u64; 4]);

impl Probes {
    /// These probes, each as often as one likes.
    pub const fn of(probes: &[Probe]) -> Self {
        let mut bits = [0; 4];
        let mut at = 0;
        while at < probes.len() {
            let index = probes[at] as usize;
            bits[index / 64] |= 1 << (index % 64);
            at += 1;
        }
        Self(bits)
    }

    /// These probes and others.
    #[must_use]
    pub const fn with(&self, others: &Self) -> Self {
        let [one, two, three, four] = self.0;
        let [also_one, also_two, also_three, also_four] = others.0;
        Self([
            one | also_one,
            two | also_two,
            three | also_three,
            four | also_four,
        ])
    }

    /// Whether a probe is one of them.
    #[inline]
    pub const fn has(&self, probe: Probe) -> bool {
        let index = probe as usize;
        self.0[index / 64] >> (index % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_it_is_of_and_no_other() {
        let some: Vec<Probe> = Probe::ALL.iter().copied().step_by(3).collect();
        let set = Probes::of(&some);
        for &probe in Probe::ALL {
            assert_eq!(set.has(probe), some.contains(&probe), "{probe}");
        }
    }
}

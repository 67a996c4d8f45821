//! Sets of CPUs.

/// A set of CPUs by number.
#[derive(Debug, Default)]
pub struct CpuSet {
    words: Vec<u64>,
}

impl CpuSet {
    /// Takes one in.
    #[inline]
    pub fn insert(&mut self, cpu: usize) {
        if self.words.len() <= cpu / 64 {
            self.words.resize(cpu / 64 + 1, 0);
        }
        self.words[cpu / 64] |= 1 << (cpu % 64);
    }

    /// Keeps those, in ascending order, for which `is_kept`.
    #[inline]
    pub fn retain(&mut self, mut is_kept: impl FnMut(usize) -> bool) {
        for (place, word) in self.words.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !is_kept(place * 64 + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_whom_it_is_told_to_keep_in_order() {
        let mut set = CpuSet::default();
        for cpu in [70, 3, 64, 3] {
            set.insert(cpu);
        }
        let mut seen = Vec::new();
        set.retain(|cpu| {
            seen.push(cpu);
            cpu != 64
        });
        set.retain(|cpu| {
            seen.push(cpu);
            true
        });
        assert_eq!(seen, [3, 64, 70, 3, 70]);
    }
}

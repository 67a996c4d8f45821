//! The CPUs on which loads run.

use std::io;

use crate::host::pairs;
use crate::loads::Place;
use crate::statistics::Estimate;
use crate::windows::WINDOWS;

/// The CPUs on which loads run: those two between which a line takes closest to `ns`, or the first two where the
/// machine has no such time (0). `way` measures it.
pub fn place(
    cpus: &[usize],
    ns: f64,
    way: impl FnMut((usize, usize)) -> io::Result<Option<Estimate>>,
) -> io::Result<Place> {
    let Some(&alone) = cpus.first() else {
        return Err(io::Error::other("no CPU may be used"));
    };
    let pair = if ns > 0.0 {
        closest_pair(&pairs(cpus), ns, way)?
    } else {
        pairs(cpus).first().copied()
    };
    let (first, second) = pair.unzip();
    let first = first.unwrap_or(alone);
    let mut others = cpus.iter().copied();
    Ok(Place {
        first,
        second,
        onlooker: others.find(|cpu| *cpu != first && Some(*cpu) != second),
        line_ns: (ns > 0.0).then_some(ns),
        windows: WINDOWS,
    })
}

/// The pair whose line transfer time is closest to `ns`; `None` if there is no pair.
fn closest_pair(
    pairs: &[(usize, usize)],
    ns: f64,
    mut way: impl FnMut((usize, usize)) -> io::Result<Option<Estimate>>,
) -> io::Result<Option<(usize, usize)>> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for &pair in pairs {
        let off = way(pair)?.map_or(f64::MAX, |way| (way.median / ns).ln().abs());
        if off < least {
            (least, best) = (off, Some(pair));
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line's time that tells its pair: 23 ns between CPU 2 and CPU 3.
    fn ns(pair: (usize, usize)) -> Option<Estimate> {
        Estimate::of(&[(pair.0 * 10 + pair.1) as f64; 6])
    }

    fn placed(cpus: &[usize], line: f64) -> (usize, Option<usize>, Option<usize>) {
        let place = place(cpus, line, |pair| Ok(ns(pair))).unwrap();
        (place.first, place.second, place.onlooker)
    }

    #[test]
    fn the_pair_is_that_whose_lines_take_as_long_as_the_machine_says() {
        assert_eq!(placed(&[1, 2, 3], 22.0), (2, Some(3), Some(1)));
        assert_eq!(placed(&[1, 2, 3], 12.1), (1, Some(2), Some(3)));
    }

    #[test]
    fn without_a_time_of_the_machine_any_two_do() {
        assert_eq!(placed(&[1, 2, 3], 0.0), (1, Some(2), Some(3)));
    }

    #[test]
    fn one_cpu_is_no_pair() {
        assert_eq!(placed(&[4], 22.0), (4, None, None));
        assert_eq!(placed(&[4], 0.0), (4, None, None));
        assert!(place(&[], 22.0, |pair| Ok(ns(pair))).is_err());
    }

    #[test]
    fn of_many_cpus_some_pairs_are_measured() {
        let many: Vec<usize> = (0..256).collect();
        let mut measured = 0;
        let way = |pair| {
            measured += 1;
            Ok(ns(pair))
        };
        assert!(place(&many, 22.0, way).unwrap().second.is_some());
        assert_eq!(measured, 66);
    }
}

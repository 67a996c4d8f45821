//! Noise: intervals for which a CPU is taken away from a thread that only reads the clock
//! (`Documentation/trace/osnoise-tracer.rst`). The kernel's timer interrupt is recognised by its period.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use crate::context::Context;
use crate::cpus::pin;
use crate::statistics::Estimate;

/// Shorter gaps are indistinguishable from jitter of the clock.
const SHORTEST: Duration = Duration::from_nanos(400);
/// Length of a window in which the clock is read, and number of windows on each CPU.
const WINDOW: Duration = Duration::from_millis(40);
const WINDOWS: u32 = 50;
/// Tick periods in ns: `CONFIG_HZ` of 1000, 300, 250 and 100.
const PERIODS: [u64; 4] = [1_000_000, 3_333_333, 4_000_000, 10_000_000];
/// Width in ns of the bins by phase: gaps in one bin have one source.
const PHASE: u64 = 20_000;
/// Minimum share of periods with a tick, in percent; other work hides some.
const LEAST_PERIODS_PERCENT: u64 = 80;
/// Minimum observed time per CPU on average, in ns.
const LEAST: u64 = 200_000_000;

/// A gap in a thread's run time: its start on the host's clock, and its length, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gap {
    at: u64,
    ns: u64,
}

/// Interruptions of similar length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kind {
    /// Number per second.
    pub per_second: f64,
    /// Mean length in ns.
    pub ns: f64,
}

/// The interruptions of CPUs, as a mean over all that were observed.
#[derive(Debug, Clone, PartialEq)]
pub struct Noise {
    /// Total cost of a timer interrupt in ns; `None` if no period was found.
    pub tick: Option<Estimate>,
    /// All other interruptions, shortest first: each kind is up to twice as long as the one before.
    pub kinds: Vec<Kind>,
}

/// The observations of one CPU.
#[derive(Debug, Default)]
struct Seen {
    gaps: Vec<Gap>,
    /// Observed time in ns.
    watched: u64,
}

/// Observes some CPUs one after the other, two seconds each; `None` if other tasks ran there most of that time.
/// The caller remains bound to the last of them.
pub fn measure(cpus: &[usize]) -> io::Result<Option<Noise>> {
    let began = Instant::now();
    let mut all = Vec::new();
    for cpu in cpus {
        pin(*cpu)?;
        let mut seen = Seen::default();
        for _ in 0..WINDOWS {
            let before = switches()?;
            let kept = seen.gaps.len();
            let watched = watch(began, &mut seen.gaps);
            // Another task of this kernel ran in between, which is not noise.
            if switches()? == before {
                seen.watched += watched;
            } else {
                seen.gaps.truncate(kept);
            }
        }
        all.push(seen);
    }
    Ok(noise(&all))
}

/// Reads the clock for a window and adds the gaps; returns its length in ns.
fn watch(began: Instant, gaps: &mut Vec<Gap>) -> u64 {
    let start = Instant::now();
    let mut last = start;
    while last - start < WINDOW {
        let now = Instant::now();
        let gap = now - last;
        if gap > SHORTEST {
            gaps.push(Gap {
                at: (last - began).as_nanos() as u64,
                ns: gap.as_nanos() as u64,
            });
        }
        last = now;
    }
    (last - start).as_nanos() as u64
}

/// The number of involuntary context switches of this thread, as text.
fn switches() -> io::Result<String> {
    let path = "/proc/thread-self/status";
    let status = fs::read_to_string(path).context(|| path.to_owned())?;
    let mut lines = status.lines();
    let line = lines.find(|line| line.starts_with("nonvoluntary_ctxt_switches:"));
    Ok(line.unwrap_or_default().to_owned())
}

/// Separates ticks from other interruptions.
fn noise(all: &[Seen]) -> Option<Noise> {
    let watched: u64 = all.iter().map(|seen| seen.watched).sum();
    if all.is_empty() || watched < LEAST * all.len() as u64 {
        return None;
    }
    let mut ticks = Vec::new();
    let mut others = Vec::new();
    for seen in all {
        let phase = PERIODS.iter().find_map(|&period| phase(seen, period));
        for gap in &seen.gaps {
            let is_tick =
                phase.is_some_and(|(period, from)| (gap.at + period - from) % period < 2 * PHASE);
            if is_tick {
                ticks.push(gap.ns as f64);
            } else {
                others.push(gap.ns);
            }
        }
    }
    let seconds = watched as f64 / 1e9;
    let mut kinds = Vec::new();
    for power in 0..u64::BITS {
        let of_kind = others.iter().filter(|ns| ns.ilog2() == power);
        let (count, sum) = of_kind.fold((0, 0), |(count, sum), ns| (count + 1, sum + ns));
        let per_second = f64::from(count) / seconds;
        // Less than one per second is not listed.
        if per_second >= 1.0 {
            kinds.push(Kind {
                per_second,
                ns: sum as f64 / f64::from(count),
            });
        }
    }
    Some(Noise {
        tick: Estimate::of(&ticks),
        kinds,
    })
}

/// The period and the phase at which an interruption occurs in nearly every period, if there is one.
fn phase(seen: &Seen, period: u64) -> Option<(u64, u64)> {
    let bins = period.div_ceil(PHASE);
    let mut counts = vec![0_u64; bins as usize];
    for gap in &seen.gaps {
        counts[(gap.at % period / PHASE) as usize] += 1;
    }
    let both = |bin: usize| counts[bin] + counts[(bin + 1) % counts.len()];
    let fullest = (0..counts.len()).max_by_key(|&bin| both(bin))?;
    let periods = seen.watched / period;
    let is_told = periods > 0 && both(fullest) * 100 >= periods * LEAST_PERIODS_PERCENT;
    is_told.then_some((period, fullest as u64 * PHASE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn gaps(every: u64, first: u64, ns: u64) -> Vec<Gap> {
        let at = (0..).map(|index| first + index * every);
        let at = at.take_while(|&at| at < SECOND);
        at.map(|at| Gap { at, ns }).collect()
    }

    fn seen(gaps: Vec<Gap>) -> Seen {
        let watched = SECOND;
        Seen { gaps, watched }
    }

    #[test]
    fn ticks_are_told_from_what_comes_at_any_time() {
        let mut both = gaps(4_000_000, 1_234_567, 35_000);
        both.extend(gaps(777_777, 3, 2_500));
        let found = noise(&[seen(both)]).unwrap();
        let tick = found.tick.unwrap();
        assert!((tick.median - 35_000.0).abs() < 1.0, "{tick:?}");
        let [other] = found.kinds[..] else {
            panic!("{found:?}")
        };
        // Some of them coincide with a tick.
        assert!((1240.0..=1286.0).contains(&other.per_second), "{other:?}");
        assert!((other.ns - 2_500.0).abs() < 1.0, "{other:?}");
    }

    #[test]
    fn each_frequency_of_ticks_is_found() {
        for (period, count) in PERIODS.into_iter().zip([1000, 300, 250, 100]) {
            let found = phase(&seen(gaps(period, 500_000, 9_000)), period);
            let (_, from) = found.unwrap();
            assert!((500_000 - from) < 2 * PHASE, "{count} a second: {from}");
            let shorter = PERIODS.into_iter().filter(|&other| other < period);
            for other in shorter {
                let told = phase(&seen(gaps(period, 500_000, 9_000)), other);
                assert_eq!(told, None, "{count} a second");
            }
        }
    }

    #[test]
    fn without_a_period_all_is_noise_in_kinds_of_a_power_of_two() {
        let mut some = gaps(777_777, 3, 700);
        some.extend(gaps(1_313_131, 5, 1_000));
        some.extend(gaps(1_717_171, 7, 2_000));
        let found = noise(&[seen(some)]).unwrap();
        assert!(found.tick.is_none(), "{found:?}");
        // 700 and 1000 ns are of one kind (512 to 1023), 2000 of the next (1024 to 2047).
        let lengths: Vec<f64> = found.kinds.iter().map(|kind| kind.ns.round()).collect();
        assert_eq!(lengths, [812.0, 2_000.0]);
    }

    #[test]
    fn what_is_rarer_than_once_a_second_is_no_kind() {
        let once = seen(vec![Gap { at: 5, ns: 700 }]);
        let never = seen(Vec::new());
        assert!(noise(&[once, never]).unwrap().kinds.is_empty());
    }

    #[test]
    fn a_host_on_which_others_ran_all_the_time_tells_nothing() {
        let gaps = gaps(777_777, 3, 700);
        let watched = LEAST / 2;
        assert_eq!(noise(&[Seen { gaps, watched }]), None);
        assert_eq!(noise(&[]), None);
    }

    #[test]
    fn this_host_is_looked_at_and_its_noise_is_not_longer_than_the_time() {
        let cpus = crate::cpus::allowed().unwrap();
        // While other tests run, there may be no result.
        let found = measure(&cpus[..1]).unwrap();
        let kinds = found.iter().flat_map(|noise| &noise.kinds);
        let share: f64 = kinds.map(|kind| kind.per_second * kind.ns / 1e9).sum();
        assert!((0.0..1.0).contains(&share), "{found:?}");
    }
}

//! Observation of a load: the work of its threads in windows of time, and whether other work used their CPUs
//! meanwhile.
//!
//! The time that other work took from a CPU is the time in which it was neither idle nor ran the load, but at
//! most the time for which the load's threads were runnable without a CPU. Either alone is too much: if each
//! wake-up is an interrupt to a halted CPU, a hypervisor's exits count neither as idle time nor as a thread's,
//! and threads on one CPU wait for each other.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::gettid;

use crate::context::Context;
use crate::counts::{Count, Counts, take};
use crate::cpus::pin;
use crate::quiet::are_alone;
use crate::statistics::Estimate;

/// Length of a window.
const WINDOW: Duration = Duration::from_millis(200);
/// Time for which a connection runs before its window: its receive window grows in its first milliseconds, as
/// far as the timing of its reads happens to allow, and seldom later.
const SETTLING: Duration = Duration::from_millis(300);
/// Number of successive connections that count, each in one window.
pub const CONNECTIONS: usize = 15;
/// Number of windows of a connection, of which the first undisturbed one counts; without any, the connection is
/// given up.
pub const WINDOWS: usize = 10;
/// Resolution of the kernel's idle time in ns (`USER_HZ`).
const TICK_NS: u64 = 10_000_000;
/// Share of a window that other work may take from a CPU of the load. Idle time may be counted in ticks of 10
/// ms, so a smaller share cannot be distinguished from none.
const MOST_OTHERS: f64 = 0.08;

/// The measured results of a load.
#[derive(Debug, Clone)]
pub struct Done {
    /// Bytes, rounds, datagrams or connections per second; `None` if too few windows were undisturbed.
    pub rate: Option<Estimate>,
    /// Number of undisturbed windows, one of a connection at most.
    pub windows: usize,
    /// Number of windows that other work disturbed, or in which nothing was done.
    pub disturbed: usize,
    /// Total number of bytes, rounds, datagrams or connections.
    pub done: u64,
    /// Counts in the undisturbed windows per byte, round, datagram or connection.
    pub counts: BTreeMap<Count, Estimate>,
}

/// The observations of a load so far.
#[derive(Debug, Default)]
pub struct Seen {
    rates: Vec<f64>,
    counts: BTreeMap<Count, Vec<f64>>,
    disturbed: usize,
    done: u64,
}

impl Seen {
    /// Adds the observations of another connection.
    pub fn add(&mut self, other: Self) {
        self.rates.extend(other.rates);
        for (count, turns) in other.counts {
            self.counts.entry(count).or_default().extend(turns);
        }
        self.disturbed += other.disturbed;
        self.done += other.done;
    }

    /// Adds a window between two looks, if other work did not disturb it; returns whether it did not. One in
    /// which nothing was done has no counts per unit of work, and does not count either.
    fn enter(&mut self, before: &Look, now: &Look, was_alone: bool) -> bool {
        let ns = now.at.duration_since(before.at).as_nanos() as f64;
        let done = now.done.saturating_sub(before.done) as f64;
        let counts = was_alone && done > 0.0 && now.others(before) <= MOST_OTHERS * ns;
        if counts {
            self.rates.push(done * 1e9 / ns);
            for (count, now) in &now.counts {
                let more = now.saturating_sub(before.counts[count]);
                let counts = self.counts.entry(*count).or_default();
                counts.push(more as f64 / done);
            }
        } else {
            self.disturbed += 1;
        }
        counts
    }

    /// The medians over the windows.
    pub fn done(self) -> Done {
        let counts = self.counts.into_iter();
        Done {
            rate: Estimate::of(&self.rates),
            windows: self.rates.len(),
            disturbed: self.disturbed,
            done: self.done,
            counts: counts
                .filter_map(|(count, turns)| Some((count, Estimate::of(&turns)?)))
                .collect(),
        }
    }
}

/// The progress of a thread of a load, for the observer.
#[derive(Debug, Default)]
pub struct Worker {
    /// Bytes, rounds, datagrams or connections done.
    done: AtomicU64,
    /// Number of calls that did them.
    calls: AtomicU64,
    /// Its thread id (0 until it runs), and its CPU.
    thread: AtomicI32,
    cpu: AtomicUsize,
    has_ended: AtomicBool,
}

impl Worker {
    /// Runs its work, bound to a CPU.
    pub fn run(&self, cpu: usize, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let bound = pin(cpu);
        self.cpu.store(cpu, Ordering::Relaxed);
        self.thread
            .store(gettid().as_raw_nonzero().get(), Ordering::Release);
        let done = bound.and_then(|()| work());
        self.has_ended.store(true, Ordering::Release);
        done
    }

    /// Whether its work has ended.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire)
    }

    /// Its thread id, or 0 until it runs.
    fn thread(&self) -> i32 {
        self.thread.load(Ordering::Acquire)
    }

    fn cpu(&self) -> usize {
        self.cpu.load(Ordering::Relaxed)
    }

    /// Adds to the work done.
    pub fn count(&self, more: u64) {
        // No other thread writes here.
        let done = self.done.load(Ordering::Relaxed);
        self.done.store(done + more, Ordering::Relaxed);
        let calls = self.calls.load(Ordering::Relaxed);
        self.calls.store(calls + 1, Ordering::Relaxed);
    }
}

/// Observes a load's threads until one of `windows` windows was undisturbed.
pub fn observe(workers: &[Worker], windows: usize, seen: &mut Seen) -> io::Result<()> {
    thread::sleep(SETTLING);
    let mut cpus: Vec<usize> = workers.iter().map(Worker::cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    for _ in 0..windows {
        // The CPUs are probed outside the window: a probe waits until it gets a CPU.
        let was_alone = are_alone(&cpus)?;
        let before = Look::take(workers, &cpus)?;
        thread::sleep(WINDOW);
        let now = Look::take(workers, &cpus)?;
        let was_alone = was_alone && are_alone(&cpus)?;
        seen.done = now.done;
        if seen.enter(&before, &now, was_alone) {
            break;
        }
    }
    Ok(())
}

/// The state at one time.
struct Look {
    at: Instant,
    done: u64,
    counts: Counts,
    /// Idle time of each CPU of the load in ns.
    idle: Vec<u64>,
    /// Run time and waiting time of the load's threads on each CPU, in ns.
    threads: Vec<Scheduled>,
}

/// Times of threads from `/proc/PID/schedstat`: ns on a CPU, and ns runnable without one.
#[derive(Debug, Default, Clone, Copy)]
struct Scheduled {
    ran: u64,
    waited: u64,
}

impl Scheduled {
    /// Adds the times in a thread's file.
    fn add(&mut self, text: &str) {
        let mut numbers = text
            .split_whitespace()
            .map_while(|word| word.parse::<u64>().ok());
        self.ran += numbers.next().unwrap_or(0);
        self.waited += numbers.next().unwrap_or(0);
    }
}

impl Look {
    /// Looks at the workers of a load on these CPUs. The work done is read at once with the clock, and then what
    /// takes calls.
    fn take(workers: &[Worker], cpus: &[usize]) -> io::Result<Self> {
        let at = Instant::now();
        let done = workers.iter().map(|it| it.done.load(Ordering::Relaxed));
        let done = done.sum();
        let calls = workers.iter().map(|it| it.calls.load(Ordering::Relaxed));
        let ids: Vec<i32> = workers.iter().map(Worker::thread).collect();
        let counts = take(&ids, calls.sum())?;
        let idle = idle(cpus)?;
        let mut threads: BTreeMap<usize, Scheduled> = BTreeMap::new();
        for (worker, id) in workers.iter().zip(ids) {
            let path = format!("/proc/self/task/{id}/schedstat");
            let text = fs::read_to_string(&path).context(|| path)?;
            threads.entry(worker.cpu()).or_default().add(&text);
        }
        Ok(Self {
            at,
            done,
            counts,
            idle,
            threads: threads.into_values().collect(),
        })
    }

    /// ns that other work took from a CPU of the load since an earlier look; the maximum over its CPUs.
    fn others(&self, before: &Self) -> f64 {
        let ns = self.at.duration_since(before.at).as_nanos() as u64;
        let now = self.idle.iter().zip(&self.threads);
        let then = before.idle.iter().zip(&before.threads);
        let others = now.zip(then).map(|((idle, now), (idle_then, then))| {
            others_of(
                ns,
                idle.saturating_sub(*idle_then),
                Scheduled {
                    ran: now.ran.saturating_sub(then.ran),
                    waited: now.waited.saturating_sub(then.waited),
                },
            )
        });
        others.max().unwrap_or(0) as f64
    }
}

/// ns that other work took from a CPU in `ns` ns, of which it was idle for `idle`.
fn others_of(ns: u64, idle: u64, threads: Scheduled) -> u64 {
    let unaccounted = ns.saturating_sub(idle).saturating_sub(threads.ran);
    unaccounted.min(threads.waited)
}

/// Idle time of each CPU in ns: from cpuidle, with a resolution of a microsecond, or else in ticks.
fn idle(cpus: &[usize]) -> io::Result<Vec<u64>> {
    let counted: Vec<u64> = cpus.iter().filter_map(|cpu| idle_counted(*cpu)).collect();
    if counted.len() == cpus.len() {
        return Ok(counted);
    }
    let path = "/proc/stat";
    let text = fs::read_to_string(path).context(|| path.to_owned())?;
    let of = |cpu: &usize| {
        let name = format!("cpu{cpu} ");
        let times = text.lines().find_map(|line| line.strip_prefix(&name));
        // user, nice, system, idle, iowait, ... in ticks of USER_HZ.
        let ticks = times
            .into_iter()
            .flat_map(str::split_whitespace)
            .skip(3)
            .take(2);
        let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        ticks * TICK_NS
    };
    Ok(cpus.iter().map(of).collect())
}

/// Idle time of a CPU in ns, summed over the states of cpuidle; `None` if the kernel has none.
fn idle_counted(cpu: usize) -> Option<u64> {
    let states = (0..16).map_while(|state| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpuidle/state{state}/time");
        fs::read_to_string(path).ok()?.trim().parse::<u64>().ok()
    });
    let us: Vec<u64> = states.collect();
    (!us.is_empty()).then(|| us.iter().sum::<u64>() * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(at: Instant, done: u64) -> Look {
        Look {
            at,
            done,
            counts: Counts::from([(Count::Switches, 3 * done)]),
            idle: vec![0],
            threads: vec![Scheduled::default()],
        }
    }

    #[test]
    fn a_window_without_work_spoils_neither_rate_nor_counts() {
        let mut seen = Seen::default();
        let (start, later) = (Instant::now(), Instant::now() + WINDOW);
        for done in [100, 100, 0, 100, 100, 100, 100] {
            let counts = seen.enter(&look(start, 0), &look(later, done), true);
            assert_eq!(counts, done > 0);
        }
        let done = seen.done();
        assert_eq!((done.windows, done.disturbed), (6, 1));
        assert!((done.rate.unwrap().low - 500.0).abs() < 1.0, "{done:?}");
        let counted = done.counts[&Count::Switches];
        assert!((counted.low - 3.0).abs() < 1e-9 && (counted.high - 3.0).abs() < 1e-9);
    }

    #[test]
    fn other_work_is_what_the_load_waited_for() {
        let mut threads = Scheduled::default();
        threads.add("40 55 3\n");
        threads.add("20 40 1");
        assert_eq!((threads.ran, threads.waited), (60, 95));
        // Two threads on one CPU wait for each other, and all time is accounted for.
        assert_eq!(others_of(100, 40, threads), 0);
        // On separate CPUs: 30 ns of exits are unaccounted for, and no thread waited.
        let alone = Scheduled { ran: 50, waited: 0 };
        assert_eq!(others_of(100, 20, alone), 0);
        // The same 30 ns, for which the load waited, went to another task.
        let waited = Scheduled {
            ran: 50,
            waited: 30,
        };
        assert_eq!(others_of(100, 20, waited), 30);
    }
}

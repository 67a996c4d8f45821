//! A load under observation: what its threads did in windows
//! of time, and whether other work had their CPUs meanwhile.
//!
//! Other work had a CPU for as long as that was neither idle nor ran the load, and one of the load's
//! threads waited for it. Either alone says less: where each wake-up is an interrupt to a CPU that halts, a
//! hypervisor's exits are neither idle time nor a thread's, and threads of one CPU wait for each other.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::gettid;

use crate::counts::{Count, Counts, take};
use crate::cpus::pin;
use crate::quiet::are_alone;
use crate::statistics::Estimate;

/// How long a window is.
const WINDOW: Duration = Duration::from_millis(200);
/// How long a connection runs before its window: the window that it offers grows in its first milliseconds, by
/// what chance gives it to read then, and seldom later.
const SETTLING: Duration = Duration::from_millis(300);
/// Connections that count, one after the other, each in one window.
pub const CONNECTIONS: usize = 15;
/// Windows of a connection, of which the first that is undisturbed counts; with none it is given up.
pub const WINDOWS: usize = 10;
/// A tick of the kernel's counts of idle time (`USER_HZ`).
const TICK_NS: u64 = 10_000_000;
/// The part of a window that other work may have had of a CPU of the load. Idle time may be told in
/// ticks of 10 ms, so less cannot be told apart from none.
const MOST_OTHERS: f64 = 0.08;

/// What a load did.
#[derive(Debug, Clone)]
pub struct Done {
    /// Bytes, rounds or datagrams a second; nothing where too few windows were undisturbed.
    pub rate: Option<Estimate>,
    /// Windows that did not count since other work ran.
    pub disturbed: usize,
    /// Bytes, rounds or datagrams in all.
    pub done: u64,
    /// What was counted in the undisturbed windows for each byte, round or datagram.
    pub counts: BTreeMap<Count, Estimate>,
}

/// What was seen of a load in windows so far.
#[derive(Debug, Default)]
pub struct Seen {
    rates: Vec<f64>,
    counts: BTreeMap<Count, Vec<f64>>,
    disturbed: usize,
    done: u64,
}

impl Seen {
    /// With what was seen of a further connection.
    pub fn add(&mut self, other: Self) {
        self.rates.extend(other.rates);
        for (count, turns) in other.counts {
            self.counts.entry(count).or_default().extend(turns);
        }
        self.disturbed += other.disturbed;
        self.done += other.done;
    }

    /// Medians over the windows.
    pub fn done(self) -> Done {
        let counts = self.counts.into_iter();
        Done {
            rate: Estimate::of(&self.rates),
            disturbed: self.disturbed,
            done: self.done,
            counts: counts
                .filter_map(|(count, turns)| Some((count, Estimate::of(&turns)?)))
                .collect(),
        }
    }
}

/// What a thread of a load has done so far, for whoever looks on.
#[derive(Debug, Default)]
pub struct Worker {
    /// Bytes, rounds or datagrams.
    pub done: AtomicU64,
    /// Calls that did it.
    calls: AtomicU64,
    /// Its thread, 0 until it runs, and its CPU.
    thread: AtomicI32,
    cpu: AtomicUsize,
}

impl Worker {
    /// Does its work, bound to a CPU.
    pub fn run(&self, cpu: usize, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let bound = pin(cpu);
        self.cpu.store(cpu, Ordering::Relaxed);
        self.thread
            .store(gettid().as_raw_nonzero().get(), Ordering::Release);
        bound?;
        work()
    }

    /// So much more is done.
    pub fn count(&self, more: u64) {
        // Nobody else writes here.
        let done = self.done.load(Ordering::Relaxed);
        self.done.store(done + more, Ordering::Relaxed);
        let calls = self.calls.load(Ordering::Relaxed);
        self.calls.store(calls + 1, Ordering::Relaxed);
    }
}

/// Looks at a load's threads until one of so many windows was undisturbed.
pub fn look_on(workers: &[Worker], windows: usize, seen: &mut Seen) -> io::Result<()> {
    thread::sleep(SETTLING);
    let mut before = Look::take(workers)?;
    for _ in 0..windows {
        thread::sleep(WINDOW);
        let now = Look::take(workers)?;
        let ns = now.at.duration_since(before.at).as_nanos() as f64;
        let was_alone = before.is_alone && now.is_alone;
        if was_alone && now.others(&before) <= MOST_OTHERS * ns {
            let done = (now.done - before.done) as f64;
            seen.rates.push(done * 1e9 / ns);
            for (count, now) in &now.counts {
                let more = now.saturating_sub(before.counts[count]);
                let counts = seen.counts.entry(*count).or_default();
                counts.push(more as f64 / done);
            }
            before = now;
            break;
        }
        seen.disturbed += 1;
        before = now;
    }
    seen.done += before.done;
    Ok(())
}

/// What has been done at one moment.
struct Look {
    at: Instant,
    /// Whether each CPU of the load had its core for itself then.
    is_alone: bool,
    done: u64,
    counts: Counts,
    /// ns that each CPU of the load was idle.
    idle: Vec<u64>,
    /// ns that threads of the load ran there and waited for it.
    threads: Vec<Scheduled>,
}

/// What `/proc/PID/schedstat` tells of threads: ns on a CPU, and ns runnable without one.
#[derive(Debug, Default, Clone, Copy)]
struct Scheduled {
    ran: u64,
    waited: u64,
}

impl Scheduled {
    /// Adds what the file of a thread says.
    fn add(&mut self, text: &str) {
        let mut numbers = text
            .split_whitespace()
            .map_while(|word| word.parse::<u64>().ok());
        self.ran += numbers.next().unwrap_or(0);
        self.waited += numbers.next().unwrap_or(0);
    }
}

impl Look {
    fn take(workers: &[Worker]) -> io::Result<Self> {
        let mut threads: BTreeMap<usize, Scheduled> = BTreeMap::new();
        let (mut done, mut calls) = (0, 0);
        let mut ids = Vec::new();
        for worker in workers {
            let thread = worker.thread.load(Ordering::Acquire);
            ids.push(thread);
            let text = fs::read_to_string(format!("/proc/self/task/{thread}/schedstat"))?;
            let cpu = worker.cpu.load(Ordering::Relaxed);
            threads.entry(cpu).or_default().add(&text);
            done += worker.done.load(Ordering::Relaxed);
            calls += worker.calls.load(Ordering::Relaxed);
        }
        let cpus: Vec<usize> = threads.keys().copied().collect();
        Ok(Self {
            is_alone: are_alone(&cpus)?,
            idle: idle(&cpus)?,
            counts: take(&ids, calls)?,
            at: Instant::now(),
            done,
            threads: threads.into_values().collect(),
        })
    }

    /// ns that other work had of a CPU of the load since an earlier look, the most of any.
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

/// ns that other work had of a CPU in so many ns, of which it was idle for some.
fn others_of(ns: u64, idle: u64, threads: Scheduled) -> u64 {
    let unaccounted = ns.saturating_sub(idle).saturating_sub(threads.ran);
    unaccounted.min(threads.waited)
}

/// ns for which each CPU has been idle: as cpuidle counts it, to the microsecond, or else in ticks.
fn idle(cpus: &[usize]) -> io::Result<Vec<u64>> {
    let counted: Vec<u64> = cpus.iter().filter_map(|cpu| idle_counted(*cpu)).collect();
    if counted.len() == cpus.len() {
        return Ok(counted);
    }
    let text = fs::read_to_string("/proc/stat")?;
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

/// ns that a CPU spent in the states of cpuidle, where the kernel has it.
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

    #[test]
    fn other_work_is_what_the_load_waited_for() {
        let mut threads = Scheduled::default();
        threads.add("40 55 3\n");
        threads.add("20 40 1");
        assert_eq!((threads.ran, threads.waited), (60, 95));
        // Two threads of one CPU wait for each other, and nothing is missing.
        assert_eq!(others_of(100, 40, threads), 0);
        // Each has its own: 30 ns of exits are nobody's, and nobody waited.
        let alone = Scheduled { ran: 50, waited: 0 };
        assert_eq!(others_of(100, 20, alone), 0);
        // The same 30 ns that the load waited for were another task's.
        let waited = Scheduled {
            ran: 50,
            waited: 30,
        };
        assert_eq!(others_of(100, 20, waited), 30);
    }
}

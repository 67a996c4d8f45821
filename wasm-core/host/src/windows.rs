//! A load as it is looked at: what its threads have done in windows, and whether something else had
//! their CPUs meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::thread::gettid;

use crate::cpus::pin;
use crate::statistics::Estimate;

/// How long a window is.
const WINDOW: Duration = Duration::from_millis(200);
/// Windows that count.
pub const WINDOWS: usize = 21;
/// Windows that do not, for each that does, before a load is given up.
const MOST_DISTURBED: usize = 4;
/// A tick of the kernel's counts of idle time (`USER_HZ`).
const TICK_NS: u64 = 10_000_000;
/// The part of a window that other work may have had of a CPU of the load. Idle time may be told in
/// ticks of 10 ms, so less cannot be told apart from none.
const MOST_OTHERS: f64 = 0.08;

/// What a load did.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    /// Bytes, rounds or datagrams a second; nothing where no window was undisturbed.
    pub rate: Option<Estimate>,
    /// Windows that did not count since other work ran.
    pub disturbed: usize,
    /// Bytes, rounds or datagrams in all.
    pub done: u64,
}

/// What a thread of a load has done so far, for whoever looks on.
#[derive(Debug, Default)]
pub struct Worker {
    /// Bytes, rounds or datagrams.
    pub done: AtomicU64,
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
    }
}

/// Looks at a load's threads until so many windows were undisturbed.
pub fn look_on(workers: &[[Worker; 2]], windows: usize) -> io::Result<Done> {
    thread::sleep(2 * WINDOW);
    let mut rates = Vec::new();
    let mut disturbed = 0;
    let mut before = Look::take(workers)?;
    while rates.len() < windows && disturbed < MOST_DISTURBED * windows {
        thread::sleep(WINDOW);
        let now = Look::take(workers)?;
        let ns = now.at.duration_since(before.at).as_nanos() as f64;
        if now.others(&before) > MOST_OTHERS * ns {
            disturbed += 1;
        } else {
            rates.push((now.done - before.done) as f64 * 1e9 / ns);
        }
        before = now;
    }
    Ok(Done {
        rate: Estimate::of(&rates),
        disturbed,
        done: before.done,
    })
}

/// What has been done at one moment.
struct Look {
    at: Instant,
    done: u64,
    /// ns that each CPU of the load was idle, and that threads of the load ran there.
    idle: Vec<u64>,
    ran: Vec<u64>,
}

impl Look {
    fn take(workers: &[[Worker; 2]]) -> io::Result<Self> {
        let mut ran: BTreeMap<usize, u64> = BTreeMap::new();
        let mut done = 0;
        for worker in workers.iter().flatten() {
            let thread = worker.thread.load(Ordering::Acquire);
            let text = fs::read_to_string(format!("/proc/self/task/{thread}/schedstat"))?;
            let ns = text.split_whitespace().next();
            let ns: u64 = ns.and_then(|ns| ns.parse().ok()).unwrap_or(0);
            *ran.entry(worker.cpu.load(Ordering::Relaxed)).or_default() += ns;
            done += worker.done.load(Ordering::Relaxed);
        }
        let cpus: Vec<usize> = ran.keys().copied().collect();
        Ok(Self {
            idle: idle(&cpus)?,
            at: Instant::now(),
            done,
            ran: ran.into_values().collect(),
        })
    }

    /// ns that other work had of a CPU of the load since an earlier look, the most of any.
    fn others(&self, before: &Self) -> f64 {
        let ns = self.at.duration_since(before.at).as_nanos() as f64;
        let now = self.idle.iter().zip(&self.ran);
        let then = before.idle.iter().zip(&before.ran);
        let others = now.zip(then).map(|((idle, ran), (idle_then, ran_then))| {
            ns - idle.saturating_sub(*idle_then) as f64 - ran.saturating_sub(*ran_then) as f64
        });
        others.fold(0.0, f64::max)
    }
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

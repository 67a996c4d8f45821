//! Runs a load over successive connections, each with its threads and an observer.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::ends::{Work, both};
use super::link::Link;
use super::stop::Stop;
use super::{Ends, Load};
use crate::cpus::pin;
use crate::lines;
use crate::quiet::are_alone;
use crate::windows::{Done, Seen, Worker, observe};

/// The CPUs on which a load runs and is observed.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The CPU of a load for one CPU.
    pub first: usize,
    /// The second of two; `None` if there is none.
    pub second: Option<usize>,
    /// The CPU of the observer; `None` if there is no third.
    pub onlooker: Option<usize>,
    /// Transfer time of a line between the two CPUs in ns, if known. A connection before or after which it
    /// differs much does not count: a hypervisor has moved the CPUs.
    pub line_ns: Option<f64>,
    /// How many windows of a connection are tried until one is undisturbed.
    pub windows: usize,
}

impl Place {
    /// The two CPUs, if there are two.
    pub fn pair(&self) -> Option<(usize, usize)> {
        self.second.map(|second| (self.first, second))
    }

    /// The same, with that CPU first which currently has its core for itself, for a load on one CPU.
    fn for_now(&self, load: &Load) -> io::Result<Self> {
        match self.second {
            Some(second)
                if load.cpus < 2 && !are_alone(&[self.first])? && are_alone(&[second])? =>
            {
                Ok(Self {
                    first: second,
                    second: Some(self.first),
                    ..*self
                })
            }
            _ => Ok(*self),
        }
    }

    /// Whether the transfer time between the CPUs is close to `line_ns`.
    fn is_as_said(&self) -> io::Result<bool> {
        let (Some(said), Some(pair)) = (self.line_ns, self.pair()) else {
            return Ok(true);
        };
        let way = lines::way(pair)?;
        Ok(way.is_none_or(|way| (way.median / said).ln().abs() < FAR_OFF))
    }
}

/// Tolerance for the logarithm of the ratio of transfer times: half as long again, or two thirds.
const FAR_OFF: f64 = 0.4;
/// How often to wait for CPUs to be as far apart as stated, and for how long each time.
const MOST_WAITS: usize = 200;
const WAIT: Duration = Duration::from_secs(1);
/// How long threads may take to end what they are at when a load ends.
const MOST_TO_END: Duration = Duration::from_secs(10);

impl Load {
    /// The CPUs of a connection's client and server, out of a pair.
    pub(super) const fn places(&self, connection: u32, pair: (usize, usize)) -> (usize, usize) {
        match self.ends {
            Ends::Apart => pair,
            Ends::Together if self.cpus > 1 && connection % 2 == 1 => (pair.1, pair.1),
            Ends::Together => (pair.0, pair.0),
        }
    }
}

/// Runs a load over successive connections until `times` of them counted. Fails if there are too few CPUs for
/// it, and with the first error of one of its threads.
pub fn run(load: &Load, place: &Place, times: usize) -> io::Result<Done> {
    if load.cpus > 1 && place.second.is_none() {
        return Err(io::Error::other("there are too few CPUs here"));
    }
    let is_as_said = || Ok::<bool, io::Error>(load.cpus < 2 || place.is_as_said()?);
    let mut seen = Seen::default();
    let (mut counted, mut waits) = (0, 0);
    while counted < times && waits < MOST_WAITS {
        if !is_as_said()? {
            thread::sleep(WAIT);
            waits += 1;
            continue;
        }
        let mut one = Seen::default();
        run_once(load, &place.for_now(load)?, &mut one)?;
        if is_as_said()? {
            seen.add(one);
            counted += 1;
        } else {
            waits += 1;
        }
    }
    Ok(seen.done())
}

/// A thread of a load.
struct Job<'load> {
    worker: &'load Worker,
    cpu: usize,
    work: Work<'load>,
}

fn run_once(load: &Load, place: &Place, seen: &mut Seen) -> io::Result<()> {
    let links = (0..load.connections).map(|_| Link::open(load));
    let links = links.collect::<io::Result<Vec<Link>>>()?;
    let threads = 2 * load.connections + load.hogs;
    let workers: Vec<Worker> = (0..threads).map(|_| Worker::default()).collect();
    let stop = Stop::of(&links);
    let watched = thread::scope(|scope| {
        let (running, ended) = mpsc::channel();
        let mut threads = Vec::new();
        for job in jobs(load, place, &links, &workers, &stop) {
            let (stop, running) = (&stop, mpsc::Sender::clone(&running));
            let work = move || {
                let done = job.worker.run(job.cpu, job.work);
                if let Err(error) = done {
                    stop.fail(error);
                }
                // Nothing is sent: the receiver notices when the last sender is gone.
                drop::<mpsc::Sender<()>>(running);
            };
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                Err(error) => stop.fail(error),
            }
        }
        drop(running);
        let watched = scope.spawn(|| {
            if let Some(cpu) = place.onlooker {
                pin(cpu)?;
            }
            observe(&workers, place.windows, seen)
        });
        let panicked = |_| io::Error::other("a thread of the load panicked");
        let watched = watched.join().map_err(panicked);
        stop.set();
        if ended.recv_timeout(MOST_TO_END) == Err(RecvTimeoutError::Timeout) {
            stop.fail(io::Error::other(if load.does.is_of_datagrams() {
                "a datagram was lost, and both ends waited for one"
            } else {
                "its threads did not end"
            }));
        }
        for thread in threads {
            thread.join().map_err(panicked)?;
        }
        watched?
    });
    // The observer fails too if a thread that it looks at has ended.
    stop.error().map_or(watched, Err)
}

/// What the threads of a load do.
fn jobs<'load>(
    load: &Load,
    place: &Place,
    links: &'load [Link],
    workers: &'load [Worker],
    stop: &'load Stop<'load>,
) -> Vec<Job<'load>> {
    let pair = place.pair().unwrap_or((place.first, place.first));
    let (ends, hogs) = workers.split_at(2 * links.len());
    let mut jobs = Vec::new();
    for ((index, link), ends) in (0..).zip(links).zip(ends.chunks_exact(2)) {
        let (client, server) = (&ends[0], &ends[1]);
        let cpus = load.places(index, pair);
        let [one, other] = both(load, link, (client, server), stop);
        for (worker, cpu, work) in [(client, cpus.0, one), (server, cpus.1, other)] {
            jobs.push(Job { worker, cpu, work });
        }
    }
    jobs.extend(hogs.iter().map(|worker| Job {
        worker,
        cpu: pair.0,
        work: Box::new(move || {
            compute(stop);
            Ok(())
        }),
    }));
    jobs
}

/// Keeps the CPU busy until stopped.
fn compute(stop: &Stop) {
    while !stop.is_set() {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests;

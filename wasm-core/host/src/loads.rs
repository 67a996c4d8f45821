//! Loads over the loopback device, each by threads bound to CPUs, and the rate that this host reaches: our own
//! code over the sockets of the standard library, with default buffers. TCP's congestion control is set to that
//! of the prediction before a connection is opened: a host's default may be BBR, which paces even packets over
//! the loopback device, with a timer for each, and a connection that has begun with it remains paced under any
//! other.
//!
//! A load is measured over successive connections, since a connection's rate may depend on how it began: each
//! runs without pause and is observed in a window. A window in which other work ran on one of the load's CPUs
//! does not count, and the number of such windows is reported.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::cpus::pin;
use crate::lines;
use crate::quiet::are_alone;
use crate::windows::{Done, Seen, Worker, observe};

pub use self::between::BETWEEN_LOADS;
pub use self::bursts::BURST_LOADS;
pub use self::does::{Does, Rate};
use self::ends::{
    accept_all, answer, answer_datagrams, ask, ask_datagrams, connection, datagrams, listening,
    open_all, read_all, receive_all, send_all, write_all,
};
pub use self::fragments::FRAGMENT_LOADS;
pub use self::further::FURTHER_LOADS;
pub use self::list::{LOADS, MORE_LOADS, all};
pub use self::opened::OPENED_LOADS;
pub use self::uneven::UNEVEN_LOADS;

mod between;
mod bursts;
mod counted;
mod does;
mod drawn;
mod ends;
mod fragments;
mod further;
mod list;
mod more_rounds;
mod more_sizes;
mod opened;
mod uneven;

/// The CPUs on which both ends of a connection run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Both on one CPU, and those of the next connection on the next CPU.
    Together,
    /// The client on the first CPU, the server on the second.
    Apart,
}

/// A load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Its name in the command and on the board.
    pub name: &'static str,
    /// Its description.
    pub title: &'static str,
    /// The communication pattern.
    pub does: Does,
    /// Number of connections.
    pub connections: u32,
    /// Number of CPUs.
    pub cpus: u16,
    /// Placement of the two ends.
    pub ends: Ends,
    /// Bytes of a message.
    pub message_bytes: u32,
    /// `SO_RCVBUF` of both ends of a TCP connection, in bytes; `None`: the kernel's default.
    pub receive_buffer: Option<u32>,
    /// `SO_SNDBUF` of both ends, in bytes; `None`: the kernel's default.
    pub send_buffer: Option<u32>,
    /// Number of threads on the first CPU that only compute.
    pub hogs: u32,
    /// Required MTU of the loopback device in bytes, which the user has to set; `None`: the kernel's default.
    pub mtu: Option<u32>,
}

impl Load {
    /// The unit of its rate, and the factor that converts bytes, rounds, datagrams or connections per second to
    /// it.
    pub const fn unit(&self) -> (&'static str, f64) {
        match self.does.rate() {
            Rate::Bytes => ("Gbit/s", 8e-9),
            Rate::Rounds => ("1000 rounds/s", 1e-3),
            Rate::Datagrams => ("1000 packets/s", 1e-3),
            Rate::Connections => ("1000 connections/s", 1e-3),
        }
    }
}

impl Load {
    /// The CPUs of a connection's client and server, out of a pair.
    const fn places(&self, connection: u32, pair: (usize, usize)) -> (usize, usize) {
        match self.ends {
            Ends::Apart => pair,
            Ends::Together if self.cpus > 1 && connection % 2 == 1 => (pair.1, pair.1),
            Ends::Together => (pair.0, pair.0),
        }
    }
}

/// Current MTU of the loopback device in this network namespace, in bytes.
pub fn loopback_mtu() -> io::Result<u32> {
    let text = fs::read_to_string("/sys/class/net/lo/mtu")?;
    text.trim().parse().map_err(io::Error::other)
}

/// The CPUs on which a load runs and is observed.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Two CPUs; a load for one CPU uses only the first.
    pub pair: (usize, usize),
    /// The CPU of the observer; `None` if there is no third.
    pub onlooker: Option<usize>,
    /// Transfer time of a line between the two CPUs in ns, if known. A connection before or after which it
    /// differs much does not count: a hypervisor has moved the CPUs.
    pub line_ns: Option<f64>,
    /// How many windows of a connection are tried until one is undisturbed.
    pub windows: usize,
}

impl Place {
    /// The same, with that CPU first which currently has its core for itself, for a load on one CPU.
    fn for_now(&self, load: &Load) -> io::Result<Self> {
        let (first, second) = self.pair;
        let is_better =
            load.cpus < 2 && !are_alone(&[first])? && first != second && are_alone(&[second])?;
        let pair = if is_better {
            (second, first)
        } else {
            self.pair
        };
        Ok(Self { pair, ..*self })
    }

    /// Whether the transfer time between the CPUs is close to `line_ns`.
    fn is_as_said(&self) -> io::Result<bool> {
        let (Some(said), Some(way)) = (self.line_ns, lines::way(self.pair)?) else {
            return Ok(true);
        };
        Ok((way.median / said).ln().abs() < FAR_OFF)
    }
}

/// Tolerance for the logarithm of the ratio of transfer times: half as long again, or two thirds.
const FAR_OFF: f64 = 0.4;
/// How often to wait for CPUs to be as far apart as stated, and for how long each time.
const MOST_WAITS: usize = 200;
const WAIT: Duration = Duration::from_secs(1);

/// Runs a load over successive connections until `times` of them counted.
pub fn run(load: &Load, place: &Place, times: usize) -> io::Result<Done> {
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

fn run_once(load: &Load, place: &Place, seen: &mut Seen) -> io::Result<()> {
    let &Place {
        pair,
        onlooker,
        windows,
        ..
    } = place;
    let stop = AtomicBool::new(false);
    let threads = 2 * load.connections + load.hogs;
    let workers: Vec<Worker> = (0..threads).map(|_| Worker::default()).collect();
    let (ends, hogs) = workers.split_at(2 * load.connections as usize);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        let stop = &stop;
        for (index, pair_of_ends) in (0..).zip(ends.chunks_exact(2)) {
            let (client, server) = (&pair_of_ends[0], &pair_of_ends[1]);
            let (here, there) = load.places(index, pair);
            let (one, other) = load.does.calls(load.message_bytes as usize);
            let at_once = load.does.at_once();
            match load.does {
                Does::Stream | Does::Gathered | Does::Scattered | Does::Undelayed => {
                    let (near, far) = connection(load)?;
                    near.set_nodelay(load.does == Does::Undelayed)?;
                    let write = move || client.run(here, || write_all(near, one, stop));
                    let read = move || server.run(there, || read_all(far, other, server));
                    threads.extend([scope.spawn(write), scope.spawn(read)]);
                }
                Does::RequestResponse | Does::Fetched | Does::Stored | Does::Pipelined => {
                    let (near, far) = connection(load)?;
                    let asks =
                        move || client.run(here, || ask(near, (one, other), at_once, client, stop));
                    let answers = move || server.run(there, || answer(far, (one, other)));
                    threads.extend([scope.spawn(asks), scope.spawn(answers)]);
                }
                Does::Datagrams => {
                    let (near, far) = datagrams()?;
                    let sends = move || client.run(here, || send_all(&near, one, stop, server));
                    let receives = move || server.run(there, || receive_all(&far, other, server));
                    threads.extend([scope.spawn(sends), scope.spawn(receives)]);
                }
                Does::Opened | Does::Visited => {
                    let listener = listening()?;
                    let port = listener.local_addr()?.port();
                    let opens =
                        move || client.run(here, || open_all(port, (one, other), client, stop));
                    let accepts =
                        move || server.run(there, || accept_all(&listener, (one, other), stop));
                    threads.extend([scope.spawn(opens), scope.spawn(accepts)]);
                }
                Does::DatagramRequest | Does::DatagramBurst => {
                    let (near, far) = datagrams()?;
                    far.connect(near.local_addr()?)?;
                    let asks = move || {
                        client.run(here, || ask_datagrams(&near, one, at_once, client, stop))
                    };
                    let answers = move || server.run(there, || answer_datagrams(&far, other));
                    threads.extend([scope.spawn(asks), scope.spawn(answers)]);
                }
            }
        }
        threads.extend(hogs.iter().map(|hog| {
            scope.spawn(move || {
                hog.run(pair.0, || {
                    compute(stop);
                    Ok(())
                })
            })
        }));
        let watched = scope.spawn(|| {
            if let Some(cpu) = onlooker {
                pin(cpu)?;
            }
            observe(&workers, windows, seen)
        });
        let panicked = |_| io::Error::other("a thread of the load panicked");
        let watched = watched.join().map_err(panicked);
        stop.store(true, Ordering::Release);
        for thread in threads {
            thread.join().map_err(panicked)??;
        }
        watched?
    })
}

/// Keeps the CPU busy until stopped.
fn compute(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::cpus::allowed;

    #[test]
    fn each_kind_of_load_does_something_and_ends() {
        let cpus = allowed().unwrap();
        let place = Place {
            pair: (cpus[0], cpus[cpus.len() - 1]),
            onlooker: None,
            line_ns: None,
            windows: 1,
        };
        let mut seen = BTreeSet::new();
        for load in all().filter(|load| load.mtu.is_none()) {
            let buffers = (load.receive_buffer.is_some(), load.send_buffer.is_some());
            let several = (load.connections > 1, load.hogs > 0);
            let shown = [
                format!("{:?}", load.does),
                format!("{:?}", load.ends),
                format!("buffers {buffers:?}"),
                format!("several {several:?}"),
            ];
            // Of a load that shows nothing new there was one before.
            let is_new = shown.map(|what| seen.insert(what)).contains(&true);
            if !is_new {
                continue;
            }
            let done = run(load, &place, 1).unwrap();
            assert!(done.done > 0, "{}: {done:?}", load.name);
        }
    }

    #[test]
    fn a_load_is_on_as_many_cpus_as_it_says() {
        for load in all() {
            let mut cpus = Vec::new();
            for connection in 0..load.connections {
                let (client, server) = load.places(connection, (3, 5));
                cpus.extend([client, server]);
            }
            cpus.sort_unstable();
            cpus.dedup();
            assert_eq!(cpus.len(), usize::from(load.cpus), "{}", load.name);
        }
    }

    #[test]
    fn names_of_loads_are_different() {
        let mut names: Vec<&str> = all().map(|load| load.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}

//! A few loads over the loopback device, each by threads bound to CPUs, and how much of each this
//! host does: our own code over the sockets of the standard library, with default buffers. TCP's
//! congestion control is set to the one that the prediction has, before there is a connection: a host's
//! own may be BBR, which paces even what goes over the loopback device, with a timer for each
//! packet, and a connection that has begun with it goes on being paced with any other.
//!
//! A load runs without pause and is looked at in windows. A window in which one of the load's CPUs
//! did something else does not count, and how many such there were is told.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::net::sockopt::set_tcp_congestion;
use rustix::net::{AddressFamily, SocketType, connect, socket};

use crate::cpus::pin;
use crate::windows::{Done, Worker, look_on};

pub use self::list::{LOADS, MORE_LOADS, all};

mod list;

/// What a load does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// One side writes messages without end, the other reads whatever there is, over TCP.
    Stream,
    /// A message goes and one comes back, over TCP with `TCP_NODELAY`.
    RequestResponse,
    /// One side sends datagrams without end, the other receives those that are not dropped.
    Datagrams,
}

/// Where the two ends of a connection run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Both on one CPU; the next connection's on the next.
    Together,
    /// The client's on the first CPU, the server's on the second.
    Apart,
}

/// A load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// What the command and the board call it.
    pub name: &'static str,
    /// What it does, in words.
    pub title: &'static str,
    /// What it does.
    pub does: Does,
    /// Connections.
    pub connections: u32,
    /// CPUs.
    pub cpus: u16,
    /// Where their ends run.
    pub ends: Ends,
    /// Bytes of a call.
    pub message_bytes: u32,
}

/// TCP's congestion control in each load, which is that of [`crate::predict::KERNEL`].
const CONGESTION: &str = "cubic";

impl Load {
    /// In what its rate is told, and how many bytes or rounds a second that is.
    pub const fn unit(&self) -> (&'static str, f64) {
        match self.does {
            Does::Stream => ("Gbit/s", 8e-9),
            Does::RequestResponse => ("1000 rounds/s", 1e-3),
            Does::Datagrams => ("1000 packets/s", 1e-3),
        }
    }
}

impl Load {
    /// The CPUs of a connection's client and server, of the two that there are.
    const fn places(&self, connection: u32, pair: (usize, usize)) -> (usize, usize) {
        match self.ends {
            Ends::Apart => pair,
            Ends::Together if self.cpus > 1 && connection % 2 == 1 => (pair.1, pair.1),
            Ends::Together => (pair.0, pair.0),
        }
    }
}

/// Runs a load on two CPUs (the first one only, where it needs one), and looks on from a third one
/// where there is, until so many windows were undisturbed.
pub fn run(
    load: &Load,
    pair: (usize, usize),
    onlooker: Option<usize>,
    windows: usize,
) -> io::Result<Done> {
    let stop = AtomicBool::new(false);
    let workers: Vec<[Worker; 2]> = (0..load.connections).map(|_| Default::default()).collect();
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for (index, [client, server]) in (0..).zip(&workers) {
            let (here, there) = load.places(index, pair);
            let bytes = load.message_bytes as usize;
            let stop = &stop;
            match load.does {
                Does::Stream | Does::RequestResponse => {
                    let (near, far) = connection()?;
                    if load.does == Does::Stream {
                        threads.push(
                            scope.spawn(move || client.run(here, || write_all(near, bytes, stop))),
                        );
                        threads.push(
                            scope.spawn(move || server.run(there, || read_all(far, bytes, server))),
                        );
                    } else {
                        threads
                            .push(scope.spawn(move || {
                                client.run(here, || ask(near, bytes, client, stop))
                            }));
                        threads.push(scope.spawn(move || server.run(there, || answer(far, bytes))));
                    }
                }
                Does::Datagrams => {
                    let (near, far) = datagrams()?;
                    threads.push(
                        scope.spawn(move || {
                            client.run(here, || send_all(&near, bytes, stop, server))
                        }),
                    );
                    threads.push(
                        scope.spawn(move || server.run(there, || receive_all(&far, bytes, server))),
                    );
                }
            }
        }
        let watched = scope.spawn(|| {
            if let Some(cpu) = onlooker {
                pin(cpu)?;
            }
            look_on(&workers, windows)
        });
        let panicked = |_| io::Error::other("a thread of the load panicked");
        let done = watched.join().map_err(panicked);
        stop.store(true, Ordering::Release);
        for thread in threads {
            thread.join().map_err(panicked)??;
        }
        done?
    })
}

fn connection() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    // Accepted connections have the listener's.
    set_tcp_congestion(&listener, CONGESTION)?;
    let near = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    set_tcp_congestion(&near, CONGESTION)?;
    connect(&near, &listener.local_addr()?)?;
    let (far, _) = listener.accept()?;
    Ok((TcpStream::from(near), far))
}

fn datagrams() -> io::Result<(UdpSocket, UdpSocket)> {
    let (near, far) = (
        UdpSocket::bind("127.0.0.1:0")?,
        UdpSocket::bind("127.0.0.1:0")?,
    );
    near.connect(far.local_addr()?)?;
    Ok((near, far))
}

fn write_all(mut stream: TcpStream, bytes: usize, stop: &AtomicBool) -> io::Result<()> {
    let message = vec![0x5a; bytes];
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(&message)?;
    }
    Ok(())
}

fn read_all(mut stream: TcpStream, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = vec![0; bytes];
    loop {
        match stream.read(&mut message)? {
            0 => return Ok(()),
            read => worker.count(read as u64),
        }
    }
}

fn ask(mut stream: TcpStream, bytes: usize, worker: &Worker, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut message = vec![0x5a; bytes];
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(&message)?;
        stream.read_exact(&mut message)?;
        worker.count(1);
    }
    Ok(())
}

fn answer(mut stream: TcpStream, bytes: usize) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut message = vec![0; bytes];
    // Ends when the other side is gone.
    while stream.read_exact(&mut message).is_ok() {
        stream.write_all(&message)?;
    }
    Ok(())
}

/// A datagram of no byte says that it is over; it goes out until it was seen.
const OVER: u64 = 1 << 63;

fn send_all(
    socket: &UdpSocket,
    bytes: usize,
    stop: &AtomicBool,
    receiver: &Worker,
) -> io::Result<()> {
    let message = vec![0x5a; bytes];
    while !stop.load(Ordering::Relaxed) {
        socket.send(&message)?;
    }
    while receiver.done.load(Ordering::Acquire) < OVER {
        // Refused once the other side is gone.
        let _ = socket.send(&[]);
    }
    Ok(())
}

fn receive_all(socket: &UdpSocket, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = vec![0; bytes];
    while socket.recv(&mut message)? > 0 {
        worker.count(1);
    }
    worker.done.fetch_or(OVER, Ordering::Release);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpus::allowed;

    #[test]
    fn each_load_does_something_and_ends() {
        let cpus = allowed().unwrap();
        let pair = (cpus[0], cpus[cpus.len() - 1]);
        for load in all() {
            let done = run(load, pair, None, 1).unwrap();
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
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), LOADS.len() + MORE_LOADS.len());
    }
}

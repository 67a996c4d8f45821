//! The two ends of a load: what each does with its socket until the load ends.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};

use super::link::{Link, connected};
use super::stop::Stop;
use super::{Load, Rate};
use crate::context::Context;
use crate::pages::Pages;
use crate::windows::Worker;

/// What a thread does until the load ends.
pub type Work<'load> = Box<dyn FnOnce() -> io::Result<()> + Send + 'load>;

/// What the two ends of a connection do: the client's work and the server's.
pub fn both<'load>(
    load: &Load,
    link: &'load Link,
    (client, server): (&'load Worker, &'load Worker),
    stop: &'load Stop<'load>,
) -> [Work<'load>; 2] {
    let (one, other) = load.does.calls(load.message_bytes as usize);
    let at_once = load.does.at_once();
    match link {
        Link::Stream(near, far) if load.does.rate() == Rate::Bytes => [
            Box::new(move || write_all(near, one, stop)),
            Box::new(move || read_all(far, other, server)),
        ],
        Link::Stream(near, far) => [
            Box::new(move || ask(near, (one, other), at_once, client, stop)),
            Box::new(move || answer(far, (one, other))),
        ],
        Link::Datagram(near, far) if load.does.rate() == Rate::Datagrams => [
            Box::new(move || send_all(near, one, stop, server)),
            Box::new(move || receive_all(far, other, server)),
        ],
        Link::Datagram(near, far) => [
            Box::new(move || ask_datagrams(near, one, at_once, client, stop)),
            Box::new(move || answer_datagrams(far, other)),
        ],
        Link::Listener(listener, port) => [
            Box::new(move || open_all(*port, (one, other), client, stop)),
            Box::new(move || accept_all(listener, (one, other), stop)),
        ],
    }
}

/// Loopback addresses used in rotation: each connection stays in `TIME_WAIT` for a minute, and one address has
/// only 28,232 ports for the connections opened meanwhile.
const ADDRESSES: u8 = 200;

/// Opens connections one after the other, sends a request in each, and closes it when the server has. The last
/// connection only tells the server that the load has ended.
fn open_all(
    port: u16,
    (request, response): (usize, usize),
    worker: &Worker,
    stop: &Stop,
) -> io::Result<()> {
    let (asked, mut answered) = (Pages::of(0x5a, request), Pages::of(0, response));
    let mut addresses = (1..=ADDRESSES)
        .cycle()
        .map(|last| SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), port)));
    while let Some(at) = addresses.next()
        && !stop.is_set()
    {
        match visit(&at, &asked, &mut answered) {
            Ok(()) => worker.count(1),
            // The server has ended first.
            Err(_) if stop.is_set() => {}
            Err(error) => return Err(error),
        }
    }
    // Refused if the server has ended.
    let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
    Ok(())
}

fn visit(at: &SocketAddr, asked: &[u8], answered: &mut [u8]) -> io::Result<()> {
    let mut stream = connected(at)?;
    if !asked.is_empty() {
        stream.write_all(asked)?;
        stream.read_exact(answered)?;
    }
    match stream.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(io::Error::other("a response is longer than was asked for")),
    }
}

/// Accepts connections one after the other, answers each and closes it.
fn accept_all(
    listener: &TcpListener,
    (request, response): (usize, usize),
    stop: &Stop,
) -> io::Result<()> {
    let (mut asked, answered) = (Pages::of(0, request), Pages::of(0x5a, response));
    loop {
        let accepted = listener.accept();
        if stop.is_set() {
            return Ok(());
        }
        let (mut stream, _) = accepted.context(|| "cannot accept a connection".to_owned())?;
        if request > 0 {
            stream.read_exact(&mut asked)?;
            stream.write_all(&answered)?;
        }
    }
}

fn write_all(mut stream: &TcpStream, bytes: usize, stop: &Stop) -> io::Result<()> {
    let message = Pages::of(0x5a, bytes);
    while !stop.is_set() {
        stream.write_all(&message)?;
    }
    stream.shutdown(Shutdown::Write)
}

fn read_all(mut stream: &TcpStream, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    loop {
        match stream.read(&mut message)? {
            0 => return Ok(()),
            read => worker.count(read as u64),
        }
    }
}

/// Sends `at_once` requests, then reads as many responses, repeatedly.
fn ask(
    mut stream: &TcpStream,
    (request, response): (usize, usize),
    at_once: usize,
    worker: &Worker,
    stop: &Stop,
) -> io::Result<()> {
    let (asked, mut answered) = (Pages::of(0x5a, request), Pages::of(0, response));
    while !stop.is_set() {
        for _ in 0..at_once {
            stream.write_all(&asked)?;
        }
        for _ in 0..at_once {
            stream.read_exact(&mut answered)?;
        }
        worker.count(1);
    }
    stream.shutdown(Shutdown::Write)
}

fn answer(mut stream: &TcpStream, (request, response): (usize, usize)) -> io::Result<()> {
    let (mut asked, answered) = (Pages::of(0, request), Pages::of(0x5a, response));
    loop {
        match stream.read_exact(&mut asked) {
            Ok(()) => stream.write_all(&answered)?,
            // The other side has ended.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

fn ask_datagrams(
    socket: &UdpSocket,
    bytes: usize,
    at_once: usize,
    worker: &Worker,
    stop: &Stop,
) -> io::Result<()> {
    let mut message = Pages::of(0x5a, bytes);
    while !stop.is_set() {
        for _ in 0..at_once {
            socket.send(&message)?;
        }
        for _ in 0..at_once {
            socket.recv(&mut message)?;
        }
        worker.count(1);
    }
    // Nothing is in flight, so the datagram is not dropped.
    socket.send(&[]).map(drop)
}

/// Answers datagrams until one without payload arrives.
fn answer_datagrams(socket: &UdpSocket, bytes: usize) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    while socket.recv(&mut message)? > 0 {
        socket.send(&message)?;
    }
    Ok(())
}

/// Sends datagrams until the load is to end, then ones without payload until the receiver has got one.
fn send_all(socket: &UdpSocket, bytes: usize, stop: &Stop, receiver: &Worker) -> io::Result<()> {
    let message = Pages::of(0x5a, bytes);
    while !stop.is_set() {
        socket.send(&message)?;
    }
    while !receiver.has_ended() && !stop.has_failed() {
        socket.send(&[])?;
    }
    Ok(())
}

/// Receives datagrams until one without payload arrives.
fn receive_all(socket: &UdpSocket, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    while socket.recv(&mut message)? > 0 {
        worker.count(1);
    }
    Ok(())
}

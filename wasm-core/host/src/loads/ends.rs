//! The two ends of a load: what each does with its socket until it is over.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::net::sockopt::{
    set_socket_recv_buffer_size, set_socket_send_buffer_size, set_tcp_congestion,
};
use rustix::net::{AddressFamily, SocketType, connect, socket};

use super::Load;
use crate::pages::Pages;
use crate::windows::Worker;

/// TCP's congestion control in each load, which is that of [`crate::predict::KERNEL`].
const CONGESTION: &str = "cubic";

pub fn connection(load: &Load) -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let near = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    // Accepted connections have the listener's.
    for socket in [listener.as_fd(), near.as_fd()] {
        set_tcp_congestion(socket, CONGESTION)?;
        if let Some(bytes) = load.receive_buffer {
            set_socket_recv_buffer_size(socket, bytes as usize)?;
        }
        if let Some(bytes) = load.send_buffer {
            set_socket_send_buffer_size(socket, bytes as usize)?;
        }
    }
    connect(&near, &listener.local_addr()?)?;
    let (far, _) = listener.accept()?;
    Ok((TcpStream::from(near), far))
}

/// A listening socket of every address of the loopback device.
pub fn listening() -> io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    set_tcp_congestion(listener.as_fd(), CONGESTION)?;
    Ok(listener)
}

/// Addresses of the loopback device that connections go to in turn: each waits for a minute in `TIME_WAIT`, and one
/// address has 28,232 ports for those that come meanwhile.
const ADDRESSES: u8 = 200;

/// Opens connections one after the other, asks in each, and closes it when the other side has; the last one only
/// tells that side that it is over.
pub fn open_all(
    port: u16,
    (request, response): (usize, usize),
    worker: &Worker,
    stop: &AtomicBool,
) -> io::Result<()> {
    let (asked, mut answered) = (Pages::of(0x5a, request), Pages::of(0, response));
    let mut addresses = (1..=ADDRESSES)
        .cycle()
        .map(|last| SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), port)));
    while let Some(at) = addresses.next()
        && !stop.load(Ordering::Relaxed)
    {
        match visit(&at, &asked, &mut answered) {
            Ok(()) => worker.count(1),
            // The other side has gone before.
            Err(_) if stop.load(Ordering::Relaxed) => {}
            Err(error) => return Err(error),
        }
    }
    // Refused where it has.
    let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
    Ok(())
}

fn visit(at: &SocketAddr, asked: &[u8], answered: &mut [u8]) -> io::Result<()> {
    let near = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    set_tcp_congestion(near.as_fd(), CONGESTION)?;
    connect(&near, at)?;
    let mut stream = TcpStream::from(near);
    if !asked.is_empty() {
        stream.write_all(asked)?;
        stream.read_exact(answered)?;
    }
    let more = stream.read(&mut [0])?;
    assert_eq!(more, 0, "the other side closes");
    Ok(())
}

/// Takes connections one after the other, answers each and closes it.
pub fn accept_all(
    listener: &TcpListener,
    (request, response): (usize, usize),
    stop: &AtomicBool,
) -> io::Result<()> {
    let (mut asked, answered) = (Pages::of(0, request), Pages::of(0x5a, response));
    loop {
        let (mut stream, _) = listener.accept()?;
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if request > 0 {
            stream.read_exact(&mut asked)?;
            stream.write_all(&answered)?;
        }
    }
}

pub fn datagrams() -> io::Result<(UdpSocket, UdpSocket)> {
    let (near, far) = (
        UdpSocket::bind("127.0.0.1:0")?,
        UdpSocket::bind("127.0.0.1:0")?,
    );
    near.connect(far.local_addr()?)?;
    Ok((near, far))
}

pub fn write_all(mut stream: TcpStream, bytes: usize, stop: &AtomicBool) -> io::Result<()> {
    let message = Pages::of(0x5a, bytes);
    while !stop.load(Ordering::Relaxed) {
        stream.write_all(&message)?;
    }
    Ok(())
}

pub fn read_all(mut stream: TcpStream, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    loop {
        match stream.read(&mut message)? {
            0 => return Ok(()),
            read => worker.count(read as u64),
        }
    }
}

/// So many requests go at once, then as many responses are read, one after the other.
pub fn ask(
    mut stream: TcpStream,
    (request, response): (usize, usize),
    at_once: usize,
    worker: &Worker,
    stop: &AtomicBool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (asked, mut answered) = (Pages::of(0x5a, request), Pages::of(0, response));
    while !stop.load(Ordering::Relaxed) {
        for _ in 0..at_once {
            stream.write_all(&asked)?;
        }
        for _ in 0..at_once {
            stream.read_exact(&mut answered)?;
        }
        worker.count(1);
    }
    Ok(())
}

pub fn answer(mut stream: TcpStream, (request, response): (usize, usize)) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut asked, answered) = (Pages::of(0, request), Pages::of(0x5a, response));
    // Ends when the other side is gone.
    while stream.read_exact(&mut asked).is_ok() {
        stream.write_all(&answered)?;
    }
    Ok(())
}

pub fn ask_datagrams(
    socket: &UdpSocket,
    bytes: usize,
    at_once: usize,
    worker: &Worker,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut message = Pages::of(0x5a, bytes);
    while !stop.load(Ordering::Relaxed) {
        for _ in 0..at_once {
            socket.send(&message)?;
        }
        for _ in 0..at_once {
            socket.recv(&mut message)?;
        }
        worker.count(1);
    }
    // Nothing is on its way, so that it is not dropped.
    socket.send(&[]).map(drop)
}

/// Ends with a datagram of no byte.
pub fn answer_datagrams(socket: &UdpSocket, bytes: usize) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    while socket.recv(&mut message)? > 0 {
        socket.send(&message)?;
    }
    Ok(())
}

/// A datagram of no byte says that it is over; it goes out until it was seen.
const OVER: u64 = 1 << 63;

pub fn send_all(
    socket: &UdpSocket,
    bytes: usize,
    stop: &AtomicBool,
    receiver: &Worker,
) -> io::Result<()> {
    let message = Pages::of(0x5a, bytes);
    while !stop.load(Ordering::Relaxed) {
        socket.send(&message)?;
    }
    while receiver.done.load(Ordering::Acquire) < OVER {
        // Refused once the other side is gone.
        let _ = socket.send(&[]);
    }
    Ok(())
}

pub fn receive_all(socket: &UdpSocket, bytes: usize, worker: &Worker) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    while socket.recv(&mut message)? > 0 {
        worker.count(1);
    }
    worker.done.fetch_or(OVER, Ordering::Release);
    Ok(())
}

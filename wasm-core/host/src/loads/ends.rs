//! The two ends of a load: what each does with its socket until the load ends.

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

/// TCP's congestion control in every load: that of [`crate::predict::KERNEL`].
const CONGESTION: &str = "cubic";

pub fn connection(load: &Load) -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let near = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    // Accepted connections inherit the listener's.
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

/// A listening socket on all addresses of the loopback device.
pub fn listening() -> io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    set_tcp_congestion(listener.as_fd(), CONGESTION)?;
    Ok(listener)
}

/// Loopback addresses used in rotation: each connection stays in `TIME_WAIT` for a minute, and one address has
/// only 28,232 ports for the connections opened meanwhile.
const ADDRESSES: u8 = 200;

/// Opens connections one after the other, sends a request in each, and closes it when the server has. The last
/// connection only tells the server that the load has ended.
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
            // The server has ended first.
            Err(_) if stop.load(Ordering::Relaxed) => {}
            Err(error) => return Err(error),
        }
    }
    // Refused if the server has ended.
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

/// Accepts connections one after the other, answers each and closes it.
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

/// Sends `at_once` requests, then reads as many responses, repeatedly.
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
    // Ends when the other side has closed.
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
    // Nothing is in flight, so the datagram is not dropped.
    socket.send(&[]).map(drop)
}

/// Answers datagrams until one without payload arrives.
pub fn answer_datagrams(socket: &UdpSocket, bytes: usize) -> io::Result<()> {
    let mut message = Pages::of(0, bytes);
    while socket.recv(&mut message)? > 0 {
        socket.send(&message)?;
    }
    Ok(())
}

/// Flag that a datagram without payload has arrived, which ends the load; it is sent until then.
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
        // Refused once the other side has closed.
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

//! The sockets of a load's connections. They belong to no thread, so that whoever ends a load can wake the
//! threads that wait for them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsFd, OwnedFd};

use rustix::net::sockopt::{
    set_socket_recv_buffer_size, set_socket_send_buffer_size, set_tcp_congestion, set_tcp_nodelay,
};
use rustix::net::{AddressFamily, Shutdown, SocketType, connect, shutdown, socket};

use super::{Does, Load, Rate};
use crate::context::Context;

/// TCP's congestion control in every load: that of [`crate::predict::KERNEL`].
const CONGESTION: &str = "cubic";

/// The sockets of one connection of a load.
#[derive(Debug)]
pub enum Link {
    /// The two ends of a TCP connection.
    Stream(TcpStream, TcpStream),
    /// Two sockets for datagrams, the first of which is connected to the second.
    Datagram(UdpSocket, UdpSocket),
    /// A socket that listens on all addresses of the loopback device, and its port.
    Listener(TcpListener, u16),
}

impl Link {
    /// Opens the sockets that a load's connection needs. Fails with the call that the system refused.
    pub fn open(load: &Load) -> io::Result<Self> {
        match load.does.rate() {
            Rate::Bytes => stream(load, load.does == Does::Undelayed),
            Rate::Rounds if load.does.is_of_datagrams() => datagrams(load, true),
            Rate::Rounds => stream(load, true),
            Rate::Datagrams => datagrams(load, false),
            Rate::Connections => listener(),
        }
    }

    /// Ends all communication over the sockets: calls that wait for them return.
    pub fn shut(&self) {
        // What is not connected is refused with ENOTCONN, but those that wait are woken (`inet_shutdown`).
        let sockets = match self {
            Self::Stream(near, far) => vec![near.as_fd(), far.as_fd()],
            Self::Datagram(near, far) => vec![near.as_fd(), far.as_fd()],
            Self::Listener(listener, _) => vec![listener.as_fd()],
        };
        for socket in sockets {
            let _ = shutdown(socket, Shutdown::Both);
        }
    }
}

/// Sets the congestion control of a TCP socket.
fn set_congestion(socket: &impl AsFd) -> io::Result<()> {
    set_tcp_congestion(socket.as_fd(), CONGESTION)
        .context(|| format!("TCP's congestion control cannot be set to {CONGESTION}"))
}

/// Sets the buffer sizes that a load asks for.
fn set_buffers(load: &Load, socket: &impl AsFd) -> io::Result<()> {
    if let Some(bytes) = load.receive_buffer {
        let set = set_socket_recv_buffer_size(socket.as_fd(), bytes as usize);
        set.context(|| format!("SO_RCVBUF cannot be set to {bytes}"))?;
    }
    if let Some(bytes) = load.send_buffer {
        let set = set_socket_send_buffer_size(socket.as_fd(), bytes as usize);
        set.context(|| format!("SO_SNDBUF cannot be set to {bytes}"))?;
    }
    Ok(())
}

fn stream(load: &Load, is_undelayed: bool) -> io::Result<Link> {
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listener = TcpListener::bind(any).context(|| format!("cannot listen on {any}"))?;
    let near = tcp()?;
    // Accepted connections inherit the listener's.
    set_congestion(&listener)?;
    set_buffers(load, &listener)?;
    set_buffers(load, &near)?;
    let at = listener.local_addr()?;
    connect(&near, &at).context(|| format!("cannot connect to {at}"))?;
    let (far, _) = listener
        .accept()
        .context(|| format!("cannot accept a connection at {at}"))?;
    let near = TcpStream::from(near);
    set_tcp_nodelay(&near, is_undelayed)?;
    // Who answers a request does it at once.
    set_tcp_nodelay(&far, is_undelayed && load.does.rate() == Rate::Rounds)?;
    Ok(Link::Stream(near, far))
}

fn datagrams(load: &Load, is_answered: bool) -> io::Result<Link> {
    let open = || {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        UdpSocket::bind(any).context(|| format!("cannot bind a socket for datagrams to {any}"))
    };
    let (near, far) = (open()?, open()?);
    set_buffers(load, &near)?;
    set_buffers(load, &far)?;
    near.connect(far.local_addr()?)?;
    if is_answered {
        far.connect(near.local_addr()?)?;
    }
    Ok(Link::Datagram(near, far))
}

fn listener() -> io::Result<Link> {
    let any = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let listener = TcpListener::bind(any).context(|| format!("cannot listen on {any}"))?;
    set_congestion(&listener)?;
    let port = listener.local_addr()?.port();
    Ok(Link::Listener(listener, port))
}

/// A TCP socket with the congestion control of all loads.
fn tcp() -> io::Result<OwnedFd> {
    let tcp = socket(AddressFamily::INET, SocketType::STREAM, None);
    let tcp = tcp.context(|| "cannot open a TCP socket".to_owned())?;
    set_congestion(&tcp)?;
    Ok(tcp)
}

/// Connects to an address. A load that opens connections does so for each operation.
pub fn connected(at: &SocketAddr) -> io::Result<TcpStream> {
    let near = tcp()?;
    connect(&near, at).context(|| format!("cannot connect to {at}"))?;
    Ok(TcpStream::from(near))
}

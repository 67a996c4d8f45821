//! A datagram in a datagram socket's receive queue: which packet it is, and what a read of it is recognised by. The
//! queues themselves are in `socket::udp`.

use crate::kernel::{EventIdx, Field, PacketId};
use crate::run::Run;

/// The address family of a socket, if it is known. A socket of AF_INET6 may serve IPv4 packets too, so this is no
/// property of the packet. Both `sk_data_ready` and `sock_recv_length` report the family of their socket, so events of
/// two families are of two sockets.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct SocketFamily(Option<u32>);

impl SocketFamily {
    /// The family that an event of a socket reports.
    pub fn of(run: &Run, index: EventIdx) -> Self {
        Self(run.field(index, Field::Family))
    }

    /// Whether both may be of one socket.
    pub fn may_be(self, other: Self) -> bool {
        self == other || self.0.is_none() || other.0.is_none()
    }
}

/// A datagram that waits to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram {
    pub packet: PacketId,
    /// Its payload in bytes.
    pub bytes: u32,
    /// Hash of its flow, chosen by the sender's socket; 0 where unknown.
    pub hash: u32,
    /// The event at which the first socket got a clone, if several sockets have one each.
    pub share: Option<EventIdx>,
    /// The family of the socket in whose queue it is.
    pub family: SocketFamily,
    /// The event that queued it; earlier datagrams are read first.
    pub ready: EventIdx,
    /// How far it is known which read takes it.
    pub doubt: Doubt,
}

/// How far it is known which read took a datagram, the least doubt first.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// It is known.
    #[default]
    None,
    /// It was one of several reads of one socket by one task.
    Call,
    /// It was one of several reads by one task, not all of one socket.
    Socket,
    /// It was a read of one of several tasks.
    Reader,
}

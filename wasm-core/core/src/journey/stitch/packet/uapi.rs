//! Numbers of the system call interface that events of sockets carry (`include/linux/socket.h`).

/// `MSG_DONTWAIT`: also of a call to a socket with `O_NONBLOCK` (`net/socket.c: __sys_recvfrom`, v6.18).
pub const DONTWAIT: u32 = 0x40;

/// `MSG_PEEK` (`include/linux/socket.h`): the data stays in the queue.
pub const PEEK: u32 = 0x2;

/// `MSG_OOB`: TCP returns its urgent byte, which is part of the stream and is returned by no other read.
pub const OOB: u32 = 0x1;

/// `MSG_ERRQUEUE`: the read returns a report of the kernel about a sent packet.
pub const ERRQUEUE: u32 = 0x2000;

/// `MSG_TRUNC`: TCP discards the bytes instead of copying them.
pub const TRUNC: u32 = 0x20;

/// The family of netlink's sockets (`include/linux/socket.h`).
pub const AF_NETLINK: u32 = 16;

/// The family of packet sockets.
pub const AF_PACKET: u32 = 17;

/// `EAGAIN` (`include/uapi/asm-generic/errno-base.h`) as a call returns it, negated: the queue is empty.
pub const EAGAIN: i32 = -11;

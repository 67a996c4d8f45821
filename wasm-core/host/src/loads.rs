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

use crate::context::Context;

pub use self::does::{Does, Rate};
pub use self::list::{LOADS, all};
pub use self::running::{Place, run};

mod connections;
mod counted;
mod datagrams;
mod does;
mod drawn;
mod ends;
mod link;
mod list;
mod rounds;
mod running;
mod stop;
mod streams;
mod title;

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
    /// `SO_RCVBUF` of both ends, in bytes; `None`: the kernel's default.
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
            Rate::Datagrams => ("1000 datagrams/s", 1e-3),
            Rate::Connections => ("1000 connections/s", 1e-3),
        }
    }
}

/// Current MTU of the loopback device in this network namespace, in bytes.
pub fn loopback_mtu() -> io::Result<u32> {
    let path = "/sys/class/net/lo/mtu";
    let text = fs::read_to_string(path).context(|| path.to_owned())?;
    text.trim().parse().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::expect_file;

    use super::*;

    #[test]
    fn names_of_loads_are_different() {
        let mut names: Vec<&str> = all().map(|load| load.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// Boards and kernels name loads, and what a name stands for was measured.
    #[test]
    fn the_loads_are_those_that_were_measured() {
        let mut text = String::new();
        for load in all() {
            let Load {
                name,
                does,
                connections,
                cpus,
                ends,
                message_bytes,
                receive_buffer,
                send_buffer,
                hogs,
                mtu,
            } = load;
            let _ = writeln!(
                text,
                "{name}: {does:?} {ends:?}, {connections} on {cpus}, {message_bytes} bytes, buffers \
                 {receive_buffer:?} {send_buffer:?}, {hogs} hogs, MTU {mtu:?}"
            );
        }
        expect_file!["loads/all.golden"].assert_eq(&text);
    }
}

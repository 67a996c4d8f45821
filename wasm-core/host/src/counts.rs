//! Counters of the kernel while a load runs, and the model's counters for the same load: context switches,
//! segments sent and coalesced, drops. A model can predict a rate correctly for wrong reasons, but not these
//! counts as well.
//!
//! The kernel's counters are those of the network namespace and of the load's threads, so they include other
//! TCP traffic in the namespace.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use ringside::run::measured::Measured;

use crate::context::Context;
use crate::loads::{Does, Load, Rate};

/// A counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// Context switches of the load's threads: `voluntary_ctxt_switches` and `nonvoluntary_ctxt_switches`.
    Switches,
    /// Receive calls that returned data.
    Reads,
    /// Segments that TCP sent with data or a FIN: `TCPOrigDataSent`.
    DataSegments,
    /// Segments that TCP sent without data: `OutSegs` less `TCPOrigDataSent` and `RetransSegs`.
    PureAcks,
    /// Segments merged into another in a backlog: `TCPBacklogCoalesce`.
    BacklogCoalesce,
    /// Segments merged into another in a receive queue: `TCPRcvCoalesce`.
    ReceiveCoalesce,
    /// Datagrams dropped because the receive buffer was full: `RcvbufErrors`.
    Dropped,
}

/// Counter values so far.
pub type Counts = BTreeMap<Count, u64>;

impl Count {
    /// The counters that apply to a load.
    pub const fn of(does: Does) -> &'static [Self] {
        match does {
            Does::Stream | Does::Gathered | Does::Scattered | Does::Undelayed => &[
                Self::Switches,
                Self::Reads,
                Self::DataSegments,
                Self::PureAcks,
                Self::BacklogCoalesce,
                Self::ReceiveCoalesce,
            ],
            Does::RequestResponse
            | Does::Fetched
            | Does::Stored
            | Does::Pipelined
            | Does::Opened
            | Does::Visited => &[Self::Switches, Self::DataSegments, Self::PureAcks],
            Does::Datagrams | Does::DatagramRequest | Does::DatagramBurst => {
                &[Self::Switches, Self::Dropped]
            }
        }
    }

    /// Its title in the table.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Switches => "switches",
            Self::Reads => "reads",
            Self::DataSegments => "data segments",
            Self::PureAcks => "pure ACKs",
            Self::BacklogCoalesce => "joined in the backlog",
            Self::ReceiveCoalesce => "joined in the queue",
            Self::Dropped => "dropped",
        }
    }

    /// The model's value of the counter.
    pub fn predicted(self, measured: &Measured) -> u64 {
        let tcp = &measured.tcp;
        match self {
            Self::Switches => measured.tasks.values().map(|task| task.switches).sum(),
            Self::Reads => measured.calls.get("receive").map_or(0, |call| call.calls),
            Self::DataSegments => tcp.orig_data_sent,
            Self::PureAcks => tcp.pure_acks(),
            Self::BacklogCoalesce => tcp.backlog_coalesce,
            Self::ReceiveCoalesce => tcp.rcv_coalesce,
            Self::Dropped => measured.dropped,
        }
    }
}

/// The unit of work to which counts of a load are related: its name, and its size in what the load counts.
pub const fn unit(load: &Load) -> (&'static str, f64) {
    match load.does.rate() {
        Rate::Bytes => ("MB", 1e6),
        Rate::Rounds => ("1000 rounds", 1e3),
        Rate::Datagrams => ("1000 datagrams", 1e3),
        Rate::Connections => ("1000 connections", 1e3),
    }
}

/// The kernel's counters now, for these threads of ours, which have made `reads` receive calls.
pub fn take(threads: &[i32], reads: u64) -> io::Result<Counts> {
    let mut switches = 0;
    for thread in threads {
        switches += switches_of(&read(&format!("/proc/self/task/{thread}/status"))?);
    }
    let snmp = tables(&read("/proc/self/net/snmp")?);
    let netstat = tables(&read("/proc/self/net/netstat")?);
    let of = |tables: &Tables, protocol: &str, name: &str| {
        let key = (protocol.to_owned(), name.to_owned());
        tables.get(&key).copied().unwrap_or(0)
    };
    let data = of(&netstat, "TcpExt", "TCPOrigDataSent");
    let sent = of(&snmp, "Tcp", "OutSegs");
    let again = of(&snmp, "Tcp", "RetransSegs");
    Ok(Counts::from([
        (Count::Switches, switches),
        (Count::Reads, reads),
        (Count::DataSegments, data),
        // The files are read one after the other while segments are sent.
        (Count::PureAcks, sent.saturating_sub(data + again)),
        (
            Count::BacklogCoalesce,
            of(&netstat, "TcpExt", "TCPBacklogCoalesce"),
        ),
        (
            Count::ReceiveCoalesce,
            of(&netstat, "TcpExt", "TCPRcvCoalesce"),
        ),
        (Count::Dropped, of(&snmp, "Udp", "RcvbufErrors")),
    ]))
}

fn read(path: &str) -> io::Result<String> {
    fs::read_to_string(path).context(|| path.to_owned())
}

/// Number of context switches of a thread, from its `status` file.
fn switches_of(status: &str) -> u64 {
    let lines = status.lines().filter_map(|line| line.split_once(':'));
    let counts = lines.filter(|(name, _)| name.ends_with("voluntary_ctxt_switches"));
    counts
        .filter_map(|(_, count)| count.trim().parse::<u64>().ok())
        .sum()
}

/// Counters by protocol and name.
type Tables = BTreeMap<(String, String), u64>;

/// Parses `/proc/net/snmp` or `netstat`: lines of names and of numbers alternate, each after its protocol.
fn tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.chunks_exact(2) {
        let (Some((protocol, names)), Some((_, numbers))) =
            (pair[0].split_once(':'), pair[1].split_once(':'))
        else {
            continue;
        };
        for (name, number) in names.split_whitespace().zip(numbers.split_whitespace()) {
            // Some may be negative (`MaxConn`).
            if let Ok(number) = number.parse() {
                tables.insert((protocol.to_owned(), name.to_owned()), number);
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stand_below_their_names() {
        let text = "Tcp: RtoMin MaxConn OutSegs\nTcp: 200 -1 9162\n\
                    Udp: InDatagrams RcvbufErrors\nUdp: 7 3\n";
        let tables = tables(text);
        let of = |protocol: &str, name: &str| {
            let key = (protocol.to_owned(), name.to_owned());
            tables.get(&key).copied()
        };
        assert_eq!(of("Tcp", "OutSegs"), Some(9162));
        assert_eq!(of("Udp", "RcvbufErrors"), Some(3));
        assert_eq!(of("Tcp", "MaxConn"), None);
        assert_eq!(of("Udp", "OutSegs"), None);
    }

    #[test]
    fn switches_are_those_that_a_thread_wanted_and_those_that_it_did_not() {
        let status = "Name:\tringside\nvoluntary_ctxt_switches:\t40\n\
                      nonvoluntary_ctxt_switches:\t2\n";
        assert_eq!(switches_of(status), 42);
    }
}

//! Datagrams in fragments that several sockets receive: of one, and of two of a multicast group's ports whose fragments
//! come by turns from another host, so that neither a hash nor a sender tells them apart.
//!
//! The lines are of kernel 6.18.

use super::datagram_lines::Lines;
use super::few_events::opened;
use crate::kernel::{Pid, Verdict};

impl Lines {
    /// The datagram of this first fragment is complete, and comes to a socket of each of the tasks.
    fn complete(&mut self, first: u32, readers: [u32; 3]) {
        self.received(&format!(
            "consume_skb: skbaddr={first:016x} location=inet_frag_reasm_prepare+0xe2/0x330"
        ));
        for reader in readers {
            self.queued();
            self.received(&format!(
                "sched_waking: comm=r{reader} pid={reader} prio=120 target_cpu=001"
            ));
        }
    }

    /// The task reads what is at the address.
    fn read_from(&mut self, reader: u32, skb: u32, bytes: u32) {
        self.copied(reader, skb, bytes);
        self.read(reader, bytes);
    }
}

/// Two datagrams of so many bytes each, of two full fragments and a rest; three tasks read the one, three the other.
fn read_by_six(lengths: [u32; 2]) -> Lines {
    let mut trace = Lines::default();
    let [one, other] = [0x1000, 0x2000];
    let rest = |bytes: u32| bytes + 8 - 2 * 1480 + 20;
    for at in 0..2 {
        trace.frame(one + at, 1500);
        trace.frame(other + at, 1500);
    }
    trace.frame(one + 2, rest(lengths[0]));
    trace.complete(one, [101, 102, 103]);
    trace.frame(other + 2, rest(lengths[1]));
    trace.complete(other, [201, 202, 203]);
    // The last socket has the datagram itself, the others have clones.
    for (whole, first, bytes) in [(one + 2, 101, lengths[0]), (other + 2, 201, lengths[1])] {
        trace.read_from(first + 2, whole, bytes);
        trace.read_from(first + 1, 0x5000 + first, bytes);
        trace.read_from(first, 0x6000 + first, bytes);
    }
    trace
}

#[test]
fn each_socket_of_two_ports_reads_its_clone_of_what_came_by_turns() {
    for lengths in [[3000, 3000], [3000, 3100], [3400, 3000]] {
        let (_, journeys) = opened(&read_by_six(lengths).text);
        let read = journeys.packets.iter().filter_map(|it| match it.verdict {
            Verdict::Delivered { pid, .. } => Some((pid, it.payload)),
            _ => None,
        });
        let mut read: Vec<(Pid, u32)> = read.collect();
        read.sort();
        let of_port = |first: u32, bytes| (first..first + 3).map(move |pid| (Pid(pid), bytes));
        let expected: Vec<_> = of_port(101, lengths[0])
            .chain(of_port(201, lengths[1]))
            .collect();
        assert_eq!(read, expected);
        let groups: Vec<_> = journeys
            .groups
            .iter()
            .map(|group| (group.fragments, group.bytes - 8))
            .collect();
        assert_eq!(groups, [(3, lengths[0]), (3, lengths[1])]);
        // Two fragments of each are merged into its last, which the first two clones began with.
        let merged = journeys.packets.iter().filter_map(|it| match it.verdict {
            Verdict::Merged { into } => Some(into),
            _ => None,
        });
        let merged: Vec<_> = merged.collect();
        assert_eq!(merged.len(), 4);
        assert_eq!((merged[0], merged[1]), (merged[2], merged[3]));
        assert_ne!(merged[0], merged[1]);
    }
}

/// Of datagrams of two fragments each, the other's first one is all that stands between.
#[test]
fn a_datagrams_first_fragment_is_no_part_of_the_one_before() {
    let mut trace = Lines::default();
    for skb in [0x1000, 0x2000] {
        trace.frame(skb, 1500);
    }
    trace.frame(0x1001, 548);
    trace.complete(0x1000, [101, 102, 103]);
    trace.frame(0x2001, 548);
    trace.complete(0x2000, [201, 202, 203]);
    for (reader, skb) in [(103, 0x1001), (203, 0x2001)] {
        trace.read_from(reader, skb, 2000);
    }
    let (_, journeys) = opened(&trace.text);
    let fragments: Vec<_> = journeys
        .groups
        .iter()
        .map(|it| (it.fragments, it.bytes))
        .collect();
    assert_eq!(fragments, [(2, 2008), (2, 2008)]);
}

/// The last of three sockets has what the copies name, the first a clone: whoever reads first, each reads its own.
#[test]
fn what_a_copy_names_is_not_the_first_sockets_clone() {
    for order in [[103, 102, 101], [101, 102, 103], [102, 103, 101]] {
        let mut trace = Lines::default();
        trace.frame(0x1000, 1500);
        trace.frame(0x1001, 548);
        trace.complete(0x1000, [101, 102, 103]);
        for reader in order {
            let skb = if reader == 103 {
                0x1001
            } else {
                0x5000 + reader
            };
            trace.read_from(reader, skb, 2000);
        }
        let (_, journeys) = opened(&trace.text);
        let read = journeys.packets.iter().filter_map(|it| match it.verdict {
            Verdict::Delivered { pid, .. } => Some(pid),
            _ => None,
        });
        let mut read: Vec<Pid> = read.collect();
        read.sort();
        assert_eq!(read, [101, 102, 103].map(Pid), "{order:?}");
        assert_eq!(journeys.packets.len(), 4);
    }
}

//! Queues of two sockets whose readers run at the same time, in all short runs there are.

use super::super::facts::{QueuedDatagram, RecvCall};
use super::*;
use crate::journey::stitch::packet::datagram::SocketFamily;
use crate::kernel::{CpuId, EventIdx, Pid};

const EVENTS: u32 = 6;

/// All runs of `EVENTS` events in which datagrams arrive and two tasks on two CPUs read two sockets concurrently,
/// as often as datagrams came, less or more often: no read takes a datagram before it came or takes two, and the
/// search terminates.
#[test]
fn whatever_came_is_read_once_and_later() {
    for mut world in 0..5_u32.pow(EVENTS) {
        let mut facts = Facts::default();
        for at in 0..EVENTS {
            let (ready, what) = (EventIdx(at + 1), world % 5);
            world /= 5;
            if what == 0 {
                facts.datagrams.push(QueuedDatagram {
                    ready,
                    bytes: 64,
                    family: SocketFamily::default(),
                    hash: 0,
                    woke: Pid::UNKNOWN,
                    woke_several: false,
                    gone: None,
                    is_odd: false,
                    has_clones: false,
                    is_reassembled: false,
                    cut_after: None,
                    follows_longer: false,
                });
            } else {
                let task = 1 + what % 2;
                facts.reads.push(RecvCall {
                    at: ready,
                    sk: AddrId(what.div_ceil(2)),
                    pid: Pid(task),
                    cpu: CpuId(task as u16),
                    bytes: 64,
                    is_nonblocking: false,
                    family: SocketFamily::default(),
                    since: Some(EventIdx(0)),
                });
            }
        }
        let certain = vec![None; facts.datagrams.len()];
        let queues = Queues::of(&facts, &certain);
        let mut reads = BTreeSet::new();
        for (datagram, read) in facts.datagrams.iter().zip(&queues.by) {
            if let &Some(read) = read {
                assert!(datagram.ready < facts.reads[read].at);
                assert!(reads.insert(read), "one read has two");
            }
        }
    }
}

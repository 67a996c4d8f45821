//! What is known of the heads of sockets' queues.
//!
//! A recording may begin, or lose events, while datagrams stand in a queue. Until those have been read, the oldest
//! datagram that was recorded is not the head. A queue has none of them once it was empty, and once a read has taken
//! a datagram that was recorded, as a queue is read in order.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{AddrId, EventIdx, Pid};

/// The sockets' queues of which the oldest datagram was recorded.
#[derive(Debug, Default)]
pub struct Heads {
    recorded: BTreeSet<AddrId>,
    /// The datagram that woke a task last: the queues on which it waited were empty before that.
    empty_before: BTreeMap<Pid, EventIdx>,
    /// The last loss of events: what was queued before it may have been read unseen.
    lost: Option<EventIdx>,
}

impl Heads {
    /// Nothing is known of a queue but of these sockets, whose queues held nothing when the recording began.
    pub fn of(recorded: BTreeSet<AddrId>) -> Self {
        Self {
            recorded,
            ..Self::default()
        }
    }

    /// The socket's queue was empty, or the oldest in it was a recorded datagram.
    pub fn note(&mut self, sk: AddrId) {
        self.recorded.insert(sk);
    }

    /// A datagram woke a task: no earlier datagram waits in any of the queues on which the task waited
    /// (`net/core/datagram.c: __skb_wait_for_more_packets`, v6.18).
    pub fn woke(&mut self, pid: Pid, ready: EventIdx) {
        self.empty_before.insert(pid, ready);
    }

    /// Events were lost: datagrams may have been queued and read among them.
    pub fn lose(&mut self, index: EventIdx) {
        self.recorded.clear();
        self.lost = Some(index);
    }

    /// The datagram before which the queues on which a task waited were empty.
    pub fn empty_before(&self, reader: Pid) -> Option<EventIdx> {
        self.empty_before.get(&reader).copied()
    }

    /// Whether the oldest datagram in the queue that the task reads was recorded.
    pub fn is_recorded(&self, sk: AddrId, reader: Pid) -> bool {
        self.recorded.contains(&sk)
            || self
                .empty_before(reader)
                .is_some_and(|at| self.is_since_loss(at))
    }

    /// Whether no event was lost since this one.
    pub fn is_since_loss(&self, at: EventIdx) -> bool {
        Some(at) > self.lost
    }
}

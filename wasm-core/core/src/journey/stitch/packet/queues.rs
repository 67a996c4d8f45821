//! The queues behind IP in which a packet waits: netfilter's, a socket's backlog, out-of-order queue and receive queue.

use crate::kernel::AddrId;

/// Where a packet is among its socket's queues of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Data {
    /// In none, as far as an event of the queues shows.
    #[default]
    Outside,
    /// In TCP's out-of-order queue, behind a gap.
    OutOfOrder,
    /// In the receive queue.
    InOrder,
}

/// The queues in which a packet waits, or has waited.
#[derive(Debug, Clone, Default)]
pub struct Queues {
    /// It may be in a netfilter queue, held for a program.
    pub is_held: bool,
    /// It was held with others, and which of them the program accepted first is not recorded.
    pub is_one_of_held: bool,
    /// The socket in whose backlog it waits.
    pub backlog: Option<AddrId>,
    data: Data,
    /// The call that dequeued it from a datagram socket has returned: later copies are of other packets.
    pub is_taken: bool,
}

impl Queues {
    /// It reaches its socket's receive queue, unless it waits behind a gap.
    pub fn enter(&mut self) {
        if self.data == Data::Outside {
            self.data = Data::InOrder;
        }
    }

    /// It waits behind a gap.
    pub const fn enter_out_of_order(&mut self) {
        self.data = Data::OutOfOrder;
    }

    /// The gap before it is filled.
    pub const fn fill_gap(&mut self) {
        self.data = Data::InOrder;
    }

    /// Whether it has reached one of its socket's queues of data.
    pub fn is_queued(&self) -> bool {
        self.data != Data::Outside
    }

    /// Whether it waits in TCP's out-of-order queue.
    pub fn is_out_of_order(&self) -> bool {
        self.data == Data::OutOfOrder
    }
}

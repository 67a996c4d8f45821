//! TCP sockets: byte streams, their queues and backlogs. Where no probe observes the receive queue, which segment a
//! read takes is inferred here.

pub mod acknowledgements;
pub mod backlog;
pub mod closing;
pub mod coalesced;
pub mod copied;
pub mod fastopen;
pub mod lost;
pub mod probed;
pub mod queue;
pub mod readers;
pub mod splice;
pub mod stream;
pub mod subflows;

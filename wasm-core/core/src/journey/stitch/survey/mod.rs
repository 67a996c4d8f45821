//! Passes over the whole run before its journeys are put together. They find out what can be known only from later
//! events: what devices do with packets, which reads take which datagrams, how `tcp_probe` reports segments, which
//! segments copies name, which fragments are another datagram's, which are freed together.
//!
//! It uses `packet`.

pub mod copied_skbs;
pub mod fragment_lists;
pub mod homes;
pub mod interleaved;
pub mod pairs;
pub mod probe_naming;
pub mod read_assignment;
pub mod stacked;
pub mod subflows;
pub mod tunnels;
pub mod unread;

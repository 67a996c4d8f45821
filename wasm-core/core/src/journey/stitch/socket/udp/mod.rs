//! Datagram sockets. With tracepoints only, `sk_data_ready` names no socket and `sock_recv_length` no packet: what waits,
//! and which read takes it, is inferred here.

pub mod clones;
pub mod datagrams;
pub mod foretold;
pub mod known;
pub mod producers;
pub mod queue;
pub mod unread;

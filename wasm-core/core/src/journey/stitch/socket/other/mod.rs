//! Sockets that get clones of packets, and netfilter's queues, by which a program gets a packet before the protocols do.

pub mod netfilter;
pub mod raw;
pub mod shares;

//! Sockets: what waits in their queues, and how it is found out where no probe observes the queue.
//!
//! It uses `packet`, `survey`, `cpu` and `ip`. Of its own rooms, `tcp` and `udp` do not use each other.

pub mod other;
pub mod ready;
pub mod tcp;
pub mod udp;

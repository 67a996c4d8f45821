//! Sockets: what waits in their queues, and how it is found out where no probe observes the queue.
//!
//! It uses `packet`, `survey`, `table`, `cpu`, `ip` and `device`. Of its own rooms, `tcp` uses no
//! other one.

pub mod other;
pub mod ready;
pub mod tcp;
pub mod udp;

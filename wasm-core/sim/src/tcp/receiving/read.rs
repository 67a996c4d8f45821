//! What the socket that holds the received data tells the receiving half: packets that were merged, and reads.

use crate::tcp::{State, Tcb};
use crate::time::SimTime;

impl Tcb {
    /// Whether the ACK for received data may wait for the end of the reader's call.
    pub fn leaves_ack_to_reader(&mut self, now: SimTime) -> bool {
        self.receiver.leaves_ack_to_reader(now)
    }

    /// The last packet received was merged into the one before it and shares its head.
    pub fn coalesces(&mut self) {
        self.receiver.coalesces();
    }

    /// The reader took `bytes` bytes; `read_in_part` bytes were read of a packet that is still queued. Returns
    /// whether an ACK is to be sent now, to open the window or because one was due (`tcp_cleanup_rbuf`).
    pub fn on_read(&mut self, bytes: u32, read_in_part: u32, now: SimTime) -> bool {
        self.receiver.on_read(bytes, read_in_part, now) && self.state != State::Closed
    }
}

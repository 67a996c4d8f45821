//! The link of a traced host: a capture of its frames, and how they join the run.
//!
//! No tracepoint sees a frame enter or overflow the NIC's ring; a capture does. A [`Reader`] takes pcap or pcapng in
//! chunks of any size and keeps the fields of each frame, not its bytes. [`attach`] finds the packet that each frame
//! became and adds `wire_rx`, `wire_tx` and `rx_missed` to the run.

mod attach;
mod clock;
mod dissect;
mod doubles;
mod fate;
mod fit;
mod frame;
mod host;
mod link_type;
mod matching;
mod missed;
mod order;
mod reader;
mod sighting;
#[cfg(test)]
mod tests;
mod unread;
pub mod words;

pub use attach::{Attachment, attach};
pub use frame::{Endpoint, Frame, Ip, Marker, Tcp, Transport};
pub use reader::{NotACapture, Reader};
pub use unread::{Broken, Damage, LeftOut, Unread};

use crate::ledger::Ledger;

/// The frames of a capture file.
#[derive(Debug, Clone, Default)]
pub struct Capture {
    /// The frames whose headers could be read, by time.
    pub frames: Vec<Frame>,
    /// The outcome of every frame of the file; frames are counted as lines.
    pub ledger: Ledger,
    /// Why frames are left out, not counting the one at which a damaged file ends.
    pub left_out: LeftOut,
    /// Where and how the file is damaged, and how many frames before that were kept.
    pub damage: Option<Damage>,
}

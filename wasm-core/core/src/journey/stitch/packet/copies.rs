//! What the copies of a packet's data tell about its payload, and how much of it has been read.

use super::draft::Draft;
use super::headers::{LINK_HEADER, TCP_HEADER, TCP_HEADER_MOST, UDP};
use crate::kernel::{EventIdx, PacketId};

/// A copy of data to a reader: the packet that it names, the event, and how many bytes it takes.
#[derive(Debug, Clone, Copy)]
pub struct CopyOf {
    pub packet: PacketId,
    pub at: EventIdx,
    pub bytes: u32,
}

impl Draft {
    /// Adds a copy of `bytes` bytes. A read of a raw socket or a packet socket takes headers as well. A copy of all of a
    /// datagram once more follows a call that only looked at it (`MSG_PEEK`).
    pub fn add_copy(&mut self, bytes: u32) {
        let before = self.copied.unwrap_or(0);
        let copied = Some(before.saturating_add(bytes));
        let whole = [0, LINK_HEADER].map(|link| self.headers.network_bytes.saturating_add(link));
        let is_untold = before == 0 && self.payload == 0 && !self.queues.is_queued();
        let is_with_headers = is_untold && whole.contains(&bytes);
        let is_datagram = bytes == self.payload && bytes == self.headers.datagram_bytes();
        if is_with_headers {
            (self.copied, self.payload) = (copied, bytes);
        } else if before > 0 && bytes > 0 && is_datagram {
            self.copied = copied;
        } else {
            self.change_copied(copied);
        }
    }

    /// Removes a copy of `bytes` bytes that took nothing: it peeked, or was of another packet.
    pub fn take_copy_back(&mut self, bytes: u32) {
        let left = self.copied.map(|copied| copied.saturating_sub(bytes));
        self.change_copied(left.filter(|&left| left > 0));
    }

    /// Sets how much was copied from it, and its payload where only copies tell it.
    fn change_copied(&mut self, copied: Option<u32>) {
        let is_told = self.is_probed || self.sk.is_some();
        let is_by_copies = !is_told && self.payload == self.payload_of_copies();
        self.copied = copied;
        if !self.queues.is_queued() && (self.payload == 0 || is_by_copies) {
            self.payload = self.payload_of_copies();
        }
    }

    /// The payload that copies tell. They take more from a segment than it has if others were coalesced into it: its
    /// own payload is what its headers leave. Those of a datagram are longer than its last fragment, which has the
    /// headers.
    fn payload_of_copies(&self) -> u32 {
        let copied = self.copied.unwrap_or(0);
        let is_datagram = self.flow.protocol == UDP;
        if is_datagram || self.headers.network_bytes == 0 || copied <= self.headers.datagram_bytes()
        {
            copied
        } else {
            self.headers.tcp_payload(TCP_HEADER)
        }
    }

    /// Whether a read of so many bytes took all that a packet of its length can carry for a socket.
    pub fn is_all_read_by(&self, bytes: u64) -> bool {
        let most = u64::from(self.headers.ip_payload());
        let is_segment = self.may_have_payload() && bytes + u64::from(TCP_HEADER_MOST) >= most;
        bytes > 0 && (is_segment || bytes == u64::from(self.headers.datagram_bytes()))
    }

    /// Whether calls that have returned had copied the whole segment before these `bytes`.
    pub fn is_read_out(&self, bytes: u32) -> bool {
        let is_done = self.outcome.is_delivered() || self.passed_over > 0;
        let is_read = is_done && self.outcome.end.is_some();
        let before = self.copied.unwrap_or(0).saturating_sub(bytes);
        is_read && self.is_probed && self.payload > 0 && self.payload <= before
    }

    /// TCP payload in bytes, with a header of the usual length, of a packet that has not ended yet; else 0.
    pub fn unread_bytes(&self) -> u32 {
        let is_open = self.outcome.is_open();
        if is_open {
            self.headers.tcp_payload(TCP_HEADER)
        } else {
            0
        }
    }
}

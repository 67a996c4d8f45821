//! What a CPU has in its hands while the facts are gathered: packets that the core received and that nothing was told of yet.

use std::collections::VecDeque;

use crate::journey::stitch::draft::UDP_HEADER;
use crate::kernel::{AddrId, Context, EventIdx, Pid};

/// What is known of an `sk_buff` that the core received.
#[derive(Debug, Clone, Copy)]
pub(super) struct Received {
    pub skb: AddrId,
    pub bytes: u32,
    pub hash: u32,
    /// Bytes of each datagram that it holds, if it holds several.
    pub segment: u32,
    /// Bytes of IPv6's header for a fragment, if it is one (RFC 8200 section 4.5).
    pub fragment_header: u32,
    pub sender: Pid,
}

impl Received {
    /// Bytes that IP carries in it, if it is a fragment.
    const fn ip_payload(&self) -> u32 {
        let payload = self.bytes.wrapping_add(UDP_HEADER);
        payload.wrapping_sub(self.fragment_header)
    }

    /// Whether both may be fragments of one datagram, this one not its last (RFC 791 section 3.1).
    fn may_be_before(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.hash, it.fragment_header);
        // What a router that gathers datagrams has cut again was sent by nobody here.
        let is_of_other =
            self.sender != other.sender && ![self.sender, other.sender].contains(&Pid::UNKNOWN);
        key(self) == key(other) && !is_of_other && self.ip_payload().is_multiple_of(8)
    }
}

/// What a CPU is in the middle of.
#[derive(Debug, Default)]
pub(super) struct Hand {
    /// Received, and nothing told of it yet.
    pub received: VecDeque<Received>,
    /// What is left of a packet that is being cut into datagrams.
    pub cutting: Option<Received>,
    /// Nothing was told of what it received before: a fragment, perhaps. What passes another probe is none, as what comes out
    /// of a tunnel (`net/core/gro_cells.c: gro_cells_receive`, v6.18).
    pub silent: VecDeque<Received>,
    /// Something of that came since a reader was told of something.
    pub is_silent: bool,
    /// Bytes of the fragments that came before the one in hand, with which their datagram is whole.
    pub fragments: Option<u32>,
    /// The place of the datagram that was queued last and its address, with the task and the context in which it was.
    pub queued: Option<(usize, AddrId, Pid, Context)>,
    /// When it last had an opportunity to free what others have read, and when before that.
    pub opportunities: [Option<EventIdx>; 2],
    /// The last event of a flush.
    pub flushed: Option<EventIdx>,
    /// The event at which its task last began to run, or came back from a call on a socket.
    pub since: Option<EventIdx>,
}

/// What a device says of an `sk_buff`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Bytes of its IP header.
    pub header: u32,
    pub is_v6: bool,
    /// It comes as one of a list.
    pub is_list: bool,
    pub hash: u32,
    pub segment: u32,
    /// The task that sent it from this host.
    pub sender: Pid,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            header: 20,
            is_v6: false,
            is_list: false,
            hash: 0,
            segment: 0,
            sender: Pid::UNKNOWN,
        }
    }
}

/// More fragments than a datagram of 64 KiB has on a link of the least length (`FRAGMENT_LEAST`).
const MANY: usize = 128;

impl Hand {
    /// Nothing more comes of what was received.
    pub fn let_go(&mut self) {
        self.fall_silent();
        (self.queued, self.cutting, self.fragments) = (None, None, None);
    }

    /// Nothing is told of what was received.
    pub fn fall_silent(&mut self) {
        self.is_silent |= !self.received.is_empty();
        self.silent.append(&mut self.received);
        let surplus = self.silent.len().saturating_sub(MANY);
        self.silent.drain(..surplus);
    }

    /// Something was told of it: it is no datagram that waits.
    pub fn forget(&mut self, skb: AddrId) -> Option<Received> {
        let is_it = |received: &Received| received.skb == skb;
        if let Some(at) = self.silent.iter().rposition(is_it) {
            let silent = self.silent.remove(at);
            self.is_silent &= !self.silent.is_empty();
            return silent;
        }
        let at = self.received.iter().position(is_it)?;
        self.received.remove(at)
    }

    /// The datagram of which this was the first fragment is whole with what is in hand.
    pub fn reassemble(&mut self, first: AddrId) -> Option<Received> {
        let is_first = |received: &Received| received.skb == first;
        let at = self.silent.iter().rposition(is_first)?;
        let mut behind = self.silent.split_off(at);
        let first = behind.pop_front()?;
        let mut bytes = first.ip_payload();
        behind.retain(|part| {
            let is_part = part.may_be_before(&first);
            bytes = bytes.wrapping_add(if is_part { part.ip_payload() } else { 0 });
            !is_part
        });
        self.silent.append(&mut behind);
        self.fragments = Some(bytes);
        Some(first)
    }

    /// What a reader is told of now.
    pub fn next(&mut self) -> Option<Received> {
        let Some(cutting) = &mut self.cutting else {
            return self.received.pop_front();
        };
        let bytes = cutting.segment.min(cutting.bytes);
        cutting.bytes -= bytes;
        let segment = Received {
            bytes,
            skb: AddrId::NONE,
            ..*cutting
        };
        self.cutting.take_if(|cutting| cutting.bytes == 0);
        Some(segment)
    }
}

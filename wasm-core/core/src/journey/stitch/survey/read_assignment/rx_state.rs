//! What each CPU is receiving during the pass: packets that passed `netif_receive_skb` and have no later event yet.
//!
//! `cpu::receiving` follows the same span of a packet's life later, when each event has its packet. Here there are
//! addresses only and nothing is identified, so the two share their steps but neither what they hold nor when they let
//! go of it: a packet leaves this one by its next event, whatever that is.

use std::collections::VecDeque;

use crate::journey::stitch::packet::headers::{FRAGMENT_LEAST, IP_HEADER, UDP_HEADER};
use crate::journey::stitch::survey::interleaved::{Interleaved, Part};
use crate::kernel::{AddrId, Context, EventIdx, Pid};

/// A packet that passed `netif_receive_skb`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Received {
    pub skb: AddrId,
    /// The event with which the core received it.
    pub at: EventIdx,
    pub bytes: u32,
    pub hash: u32,
    /// Bytes of each datagram in a UDP GSO packet; 0 otherwise.
    pub segment: u32,
    pub is_v6: bool,
    /// Bytes of the IPv6 fragment header that are in `bytes`, should it be a fragment (RFC 8200 section 4.5).
    pub fragment_header: u32,
    pub sender: Pid,
}

impl Received {
    /// IP payload in bytes, should it be a fragment.
    const fn ip_payload(&self) -> u32 {
        let payload = self.bytes.wrapping_add(UDP_HEADER);
        payload.wrapping_sub(self.fragment_header)
    }

    /// Payload in bytes, should it be the last fragment of a datagram.
    pub const fn datagram_end(&self) -> u32 {
        self.bytes.wrapping_sub(self.fragment_header)
    }

    /// Whether both may be fragments of one datagram, this one not the last (RFC 791 section 3.1).
    fn may_be_before(&self, other: &Self) -> bool {
        self.is_of_flow(other) && self.ip_payload().is_multiple_of(8)
    }

    /// Whether both may be of one flow.
    fn is_of_flow(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.hash, it.is_v6);
        // Fragments that a router has reassembled and fragmented again have no known sender here.
        let is_of_other =
            self.sender != other.sender && ![self.sender, other.sender].contains(&Pid::UNKNOWN);
        key(self) == key(other) && !is_of_other
    }

    /// Whether it is as long as each fragment but the last.
    pub const fn is_long(&self) -> bool {
        self.ip_payload() > FRAGMENT_LEAST
    }

    /// What tells of it as a fragment.
    const fn part(&self) -> Part {
        Part {
            skb: self.skb,
            came: Some(self.at),
            bytes: self.ip_payload(),
        }
    }
}

/// What a CPU is processing.
#[derive(Debug, Default)]
pub(super) struct CpuRxState {
    /// Received packets without a later event, oldest first.
    received: VecDeque<Received>,
    /// The rest of a packet that is being segmented into datagrams.
    pub cutting: Option<Received>,
    /// Earlier received packets without a later event, possibly fragments. A packet that passes another probe is
    /// removed, such as one that leaves a tunnel (`net/core/gro_cells.c: gro_cells_receive`, v6.18).
    unresolved: VecDeque<Received>,
    /// A packet was added to `unresolved` since the last `sk_data_ready`.
    pub has_newly_unresolved: bool,
    /// IP payload in bytes of the earlier fragments of the datagram that the packet being received completes.
    pub fragments: Option<u32>,
    /// Index and address of the datagram that was queued last, with the task and the context in which that happened.
    pub queued: Option<(usize, AddrId, Pid, Context)>,
    /// The last two events at which the CPU could flush deferred frees, the earlier first.
    pub opportunities: [Option<EventIdx>; 2],
    /// The last event of a flush.
    pub flushed: Option<EventIdx>,
    /// The event at which its task last started to run or returned from a socket call.
    pub since: Option<EventIdx>,
}

/// What a device event reports of an `sk_buff`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Length of its IP header in bytes.
    pub header: u32,
    pub is_v6: bool,
    /// It is received as part of a list.
    pub is_list: bool,
    pub hash: u32,
    pub segment: u32,
    /// The task of this host that sent it.
    pub sender: Pid,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            header: IP_HEADER,
            is_v6: false,
            is_list: false,
            hash: 0,
            segment: 0,
            sender: Pid::UNKNOWN,
        }
    }
}

/// The limit of packets that one CPU is receiving.
const MAX_RECEIVED: usize = 64;
/// Above the number of fragments of a 64 KiB datagram at the lowest path MTU (`FRAGMENT_LEAST`).
const MAX_UNRESOLVED: usize = 128;

impl CpuRxState {
    /// A packet enters the protocols, in a list that GRO passed on or by itself.
    pub fn enter(&mut self, packet: Received, is_list: bool) {
        if !is_list || self.received.len() >= MAX_RECEIVED {
            self.mark_unresolved();
        }
        (self.queued, self.cutting, self.fragments) = (None, None, None);
        self.received.push_back(packet);
    }

    /// Processing of the received packets has ended.
    pub fn let_go(&mut self) {
        self.mark_unresolved();
        (self.queued, self.cutting, self.fragments) = (None, None, None);
    }

    /// Moves the received packets to those without a later event.
    fn mark_unresolved(&mut self) {
        self.has_newly_unresolved |= !self.received.is_empty();
        self.unresolved.append(&mut self.received);
        let surplus = self.unresolved.len().saturating_sub(MAX_UNRESOLVED);
        self.unresolved.drain(..surplus);
    }

    /// Whether the packet at this address is being received.
    pub fn has_in_hand(&self, skb: AddrId) -> bool {
        self.received.iter().any(|received| received.skb == skb)
    }

    /// Removes a packet because of a later event: it is not a datagram that waits.
    pub fn forget(&mut self, skb: AddrId) -> Option<Received> {
        let is_it = |received: &Received| received.skb == skb;
        if let Some(at) = self.unresolved.iter().rposition(is_it) {
            let unresolved = self.unresolved.remove(at);
            self.has_newly_unresolved &= !self.unresolved.is_empty();
            return unresolved;
        }
        let at = self.received.iter().position(is_it)?;
        self.received.remove(at)
    }

    /// Whether the packet may complete a datagram: some packet of its flow waits.
    pub fn may_complete(&self, last: Received) -> bool {
        self.unresolved.iter().any(|part| part.is_of_flow(&last))
    }

    /// Takes the fragments that are freed with the datagram that `last` completes, if all of them wait, and notes their
    /// bytes. Returns the first one, if it came before.
    pub fn gather(
        &mut self,
        first: Option<AddrId>,
        last: Received,
        interleaved: &Interleaved,
    ) -> Option<Received> {
        let together = interleaved.lists.of_whole(last.at)?;
        let is_part = |part: &Received| {
            first == Some(part.skb) || together.contains(&part.skb) && part.is_of_flow(&last)
        };
        let parts = self.unresolved.iter().filter(|part| is_part(part));
        let parts: Vec<Received> = parts.copied().collect();
        let begins = parts.iter().find(|part| first == Some(part.skb)).copied();
        if parts.len() != together.len() || first.is_some() != begins.is_some() {
            return None;
        }
        let bytes = parts.iter().map(Received::ip_payload);
        self.fragments = Some(bytes.fold(0, u32::wrapping_add));
        self.unresolved.retain(|part| !is_part(part));
        begins
    }

    /// Takes the fragments of the datagram that `last` completes and which did not come in the order of their offsets
    /// (`Interleaved::reordered`), and notes their bytes. Returns the first one, if it came before.
    pub fn reorder(
        &mut self,
        first: Option<AddrId>,
        last: Received,
        interleaved: &Interleaved,
    ) -> Option<Received> {
        let is_of_known = last.hash != 0 || last.sender != Pid::UNKNOWN;
        let is_part = |part: &Received| {
            let may_be_end = !part.ip_payload().is_multiple_of(8);
            part.is_of_flow(&last) && (is_of_known || part.is_long() || may_be_end)
        };
        let parts = self.unresolved.iter().filter(|part| is_part(part));
        let parts: Vec<Part> = parts.map(Received::part).collect();
        let count = interleaved.reordered(last.ip_payload(), first, &parts)?;
        let others = parts.len() - count;
        let is_certain = |part: &Part| {
            is_of_known || part.bytes > FRAGMENT_LEAST || interleaved.is_freed_with_head(part)
        };
        if !parts[others..].iter().all(is_certain) {
            return None;
        }
        let bytes = parts[others..].iter().map(|part| part.bytes);
        self.fragments = Some(bytes.fold(0, u32::wrapping_add));
        let mut unresolved = self.unresolved.iter();
        let begins = unresolved.find(|part| first == Some(part.skb)).copied();
        let mut before = 0;
        self.unresolved.retain(|part| {
            before += usize::from(is_part(part));
            !is_part(part) || before <= others
        });
        begins
    }

    /// Removes the fragments of the datagram whose first fragment this is and which the packet being received
    /// completes, and returns the first. `own` says which of several fragments are the datagram's, given the bytes of
    /// its first and its last.
    pub fn reassemble(
        &mut self,
        first: AddrId,
        interleaved: &Interleaved,
        own: impl FnOnce(u32, &[Part]) -> Vec<bool>,
    ) -> Option<Received> {
        let is_first = |received: &Received| received.skb == first;
        let at = self.unresolved.iter().rposition(is_first)?;
        if let Some(&last) = self.received.front() {
            if let Some(begins) = self.gather(Some(first), last, interleaved) {
                return Some(begins);
            }
            let in_order = self.unresolved.range(at..);
            let in_order = in_order.filter(|part| part.may_be_before(&self.unresolved[at]));
            let in_order = in_order.map(Received::ip_payload);
            let bytes = in_order.fold(last.datagram_end(), u32::wrapping_add);
            if !interleaved.is_read(bytes)
                && let Some(begins) = self.reorder(Some(first), last, interleaved)
            {
                return Some(begins);
            }
        }
        let mut behind = self.unresolved.split_off(at);
        let first = behind.pop_front()?;
        let last = self.received.front().map_or(0, Received::datagram_end);
        let parts = behind.iter().filter(|part| part.may_be_before(&first));
        let parts: Vec<Part> = parts.map(Received::part).collect();
        let mut bytes = first.ip_payload();
        let mut own = own(bytes.wrapping_add(last), &parts).into_iter();
        behind.retain(|part| {
            let is_part = part.may_be_before(&first) && own.next() == Some(true);
            bytes = bytes.wrapping_add(if is_part { part.ip_payload() } else { 0 });
            !is_part
        });
        self.unresolved.append(&mut behind);
        self.fragments = Some(bytes);
        Some(first)
    }

    /// The packet, or segment of one, that the current `sk_data_ready` reports.
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

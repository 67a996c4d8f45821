//! Which packets waited longest: a ranking of the waits that mattered to somebody.
//!
//! Only what arrived is ranked: packets that a process read or the NIC took, and those whose
//! data went on inside such a one. What was dropped waited for nothing. A sent packet's time in
//! the transmit ring and on the link is left out where its journey ends there: the record tells
//! when the driver gave the buffer back, which may be long after the frame has left.

use std::cmp::Reverse;

use super::{Journeys, Stay};
use crate::kernel::{PacketId, Verdict};
use crate::order;

/// The longest stretch in which nobody worked on a packet at one station.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Who waited.
    pub packet: PacketId,
    /// Where: which of the packet's stays, from 0.
    pub at: u32,
    /// For how long, in nanoseconds.
    pub nanos: u64,
}

impl Wait {
    /// The stay in which the packet waited.
    pub fn stay(self, journeys: &Journeys) -> &Stay {
        &journeys.stays(self.packet)[self.at as usize]
    }
}

impl Journeys {
    /// The longest wait of each packet that arrived, the longest first; of equal ones that of
    /// the earlier packet. At most `limit` of them.
    pub fn longest_waits(&self, limit: usize) -> Vec<Wait> {
        let arrived = self.ids().filter(|&packet| self.has_arrived(packet));
        let mut waits: Vec<Wait> = arrived.filter_map(|id| self.longest_wait(id)).collect();
        order::sort_by_key(&mut waits, |wait| (Reverse(wait.nanos), wait.packet));
        waits.truncate(limit);
        waits
    }

    /// The longest wait of one packet, however it ended; none if it never waited.
    pub fn longest_wait(&self, packet: PacketId) -> Option<Wait> {
        let stays = self.stays(packet);
        let is_sent = self.packets[packet.at()].verdict == Verdict::Transmitted;
        let is_wait = |&(at, stay): &(usize, &Stay)| {
            let is_given_back = is_sent && at + 1 == stays.len() && stay.is_at_nic();
            stay.wait() > 0 && !is_given_back
        };
        let longest = stays.iter().enumerate().filter(is_wait);
        // The first of equal ones.
        let (at, stay) = longest.max_by_key(|&(at, stay)| (stay.wait(), Reverse(at)))?;
        Some(Wait {
            packet,
            at: at as u32,
            nanos: stay.wait(),
        })
    }

    /// Whether a packet came where it was sent: a process read it or the NIC took it, on its own
    /// or inside the packet that it merged into.
    pub fn has_arrived(&self, packet: PacketId) -> bool {
        let ends = |packet: PacketId| self.packets[packet.at()].verdict;
        let last = self.goes_on_in(packet).last().unwrap_or(packet);
        matches!(ends(last), Verdict::Delivered { .. } | Verdict::Transmitted)
    }
}

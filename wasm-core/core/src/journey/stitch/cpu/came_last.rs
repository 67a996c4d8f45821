//! The packets that all CPUs received last, in order: another CPU may put one into a socket's queue for the CPU that
//! received it (`socket::udp::producers`).

use std::collections::VecDeque;

use crate::kernel::{CpuId, PacketId};

/// The packets received last on any CPU, in order.
#[derive(Debug, Default)]
pub struct CameLast(VecDeque<(CpuId, PacketId)>);

/// How many are searched: more than CPUs receive for one socket concurrently.
const MAX_LISTED: usize = 64;

impl CameLast {
    /// A packet passes `netif_receive_skb`.
    pub fn note(&mut self, cpu: CpuId, packet: PacketId) {
        if self.0.len() == MAX_LISTED {
            self.0.pop_front();
        }
        self.0.push_back((cpu, packet));
    }

    /// They in order.
    pub fn iter(&self) -> impl Iterator<Item = (CpuId, PacketId)> {
        self.0.iter().copied()
    }
}

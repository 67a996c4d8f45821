//! The packets that all CPUs received last.

use std::collections::VecDeque;

use crate::kernel::{CpuId, PacketId};

/// The packets received last on any CPU, in order.
#[derive(Debug, Default)]
pub struct CameLast(pub VecDeque<(CpuId, PacketId)>);

/// How many are searched: more than CPUs receive for one socket concurrently.
const MANY: usize = 64;

impl CameLast {
    /// A packet passes `netif_receive_skb`.
    pub fn note(&mut self, cpu: CpuId, packet: PacketId) {
        if self.0.len() == MANY {
            self.0.pop_front();
        }
        self.0.push_back((cpu, packet));
    }
}

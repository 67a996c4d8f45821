//! Where the kernel lost events.

use super::Stitcher;
use crate::kernel::{CpuId, EventIdx, PacketId};

impl Stitcher<'_> {
    /// The kernel lost events of a CPU: what was under way there cannot be followed on.
    pub(super) fn lose(&mut self, index: EventIdx, cpu: CpuId) {
        self.cpus.remove(&cpu);
        self.lost.insert(cpu, index);
    }

    /// Whether the kernel has lost events of the CPU that had the packet last.
    pub(super) fn is_lost(&self, packet: PacketId) -> bool {
        let entry = self.drafts[packet.at()].entries.last();
        entry.is_some_and(|entry| {
            let lost = self.lost.get(&self.run.cpu[entry.event.at()]);
            lost.is_some_and(|&lost| lost > entry.event)
        })
    }
}

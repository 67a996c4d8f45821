//! What is said about a CPU that spins for a lock while it processes the followed packet.

use super::{Teller, Telling, say};
use crate::kernel::{CpuId, EventIdx, Field, NameId, Probe};

impl Teller<'_> {
    /// The wait for a lock that begins with this event.
    pub(super) fn spins(&self, begin: EventIdx) -> Telling {
        let run = &self.replay.run;
        let cpu = run.cpu[begin.at()];
        let mut ahead = self.on_cpu_after(begin, cpu);
        let end = ahead.find(|event| run.probe[event.at()] == Probe::ContentionEnd);
        let waited = end.map(|end| {
            let told = run.field(end, Field::Waited).map(u64::from);
            told.unwrap_or_else(|| run.time(end).since(run.time(begin)))
        });
        let holder = run.field(begin, Field::FromCpu);
        let holder = holder.and_then(|cpu| u16::try_from(cpu).ok()).map(CpuId);
        let holder = holder.filter(|holder| holder.is_known());
        let lock = run.field(begin, Field::Lock).map(NameId);
        let plain = match (lock.map(|lock| run.names.text(lock).to_owned()), holder) {
            (Some(lock), Some(holder)) => say::spins_for(cpu, lock, holder),
            (Some(lock), None) => say::spins_for_lock(cpu, lock),
            (None, _) => say::spins(cpu),
        };
        (plain, say::short_spins(cpu), waited.map(say::why_spins))
    }
}

//! Which segments stood in their socket's queue by themselves: those that a read's copy names. All others joined the one before
//! them there (`net/ipv4/tcp_input.c: tcp_try_coalesce`, v6.18), or nobody read them.
//!
//! It is looked for before all else, as a segment behind a hole comes long before its read, and others, which fill holes before
//! it, come meanwhile. An address that another packet had in between names nobody.

use std::collections::BTreeMap;

use super::TCP;
use super::probed::is_unnamed;
use crate::kernel::{EventIdx, Field, MPTCP, Pid, Probe};
use crate::run::Run;

/// The events at which `tcp_probe` told of such segments; before v6.10, where that names none, those at which they came.
#[derive(Debug, Default)]
pub(super) struct Heads(Vec<EventIdx>);

impl Heads {
    /// Those of a run.
    pub fn of(run: &Run) -> Self {
        let has = |probe| run.probe.contains(&probe);
        let are_named = !is_unnamed(run);
        let are_told = are_named || has(Probe::SockRecvLength);
        let mut heads = Vec::new();
        let mut told_at: Vec<Option<EventIdx>> = vec![None; run.addresses.len()];
        let mut copied = BTreeMap::<Pid, Vec<EventIdx>>::new();
        for index in run.indices() {
            let probe = run.probe[index.at()];
            if probe == Probe::SockRecvLength {
                let copied = copied.remove(&run.pid(index));
                let is_of_tcp = |proto| proto == u32::from(TCP) || proto == MPTCP;
                if run.field(index, Field::Proto).is_some_and(is_of_tcp) {
                    heads.extend(copied.unwrap_or_default());
                }
                continue;
            }
            let Some(told) = told_at.get_mut(run.skb(index).0 as usize) else {
                continue;
            };
            match probe {
                Probe::TcpProbe => *told = Some(index),
                Probe::NetifReceiveSkb if !are_named => *told = Some(index),
                Probe::SkbCopyDatagramIovec if !are_told => heads.extend(*told),
                Probe::SkbCopyDatagramIovec => {
                    copied.entry(run.pid(index)).or_default().extend(*told);
                }
                // Another CPU gives its memory back when it suits, or comes back from the driver that handed it over.
                Probe::ConsumeSkb | Probe::NetDevXmit => {}
                _ => *told = None,
            }
        }
        heads.sort_unstable();
        Self(heads)
    }

    /// Whether the segment that `tcp_probe` tells of here, or that came here, is one.
    pub fn has(&self, told: EventIdx) -> bool {
        self.0.binary_search(&told).is_ok()
    }
}

//! Segments that began an `sk_buff` of their own in their socket's receive queue: those that a read's copy names. All
//! others were coalesced into the one before them (`net/ipv4/tcp_input.c: tcp_try_coalesce`, v6.18), or were never
//! read.
//!
//! They are collected in a pass of their own, because an out-of-order segment arrives long before its read, and
//! others fill the gap in the meantime. An address that was reused in between identifies no segment.

use std::collections::BTreeMap;

use super::probe_naming::Telling;
use crate::journey::stitch::packet::headers::TCP;
use crate::kernel::{EventIdx, Field, MPTCP, Pid, Probe, Probes};
use crate::run::Run;

/// The `tcp_probe` events of such segments; before v6.10, where `tcp_probe` names no `sk_buff`, the events at which
/// they were received.
#[derive(Debug, Default)]
pub struct Heads(Vec<EventIdx>);

impl Heads {
    /// Collects them for a run; `passed` are the probes that the recording contains.
    pub fn of(run: &Run, telling: Telling, passed: &Probes) -> Self {
        let are_named = !telling.is_unnamed();
        let are_told = are_named || passed.has(Probe::SockRecvLength);
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
                // These do not show that the address was reused: another CPU may free the `sk_buff` late, and a
                // driver's transmit function may return late.
                Probe::ConsumeSkb | Probe::NetDevXmit => {}
                _ => *told = None,
            }
        }
        heads.sort_unstable();
        Self(heads)
    }

    /// Whether the segment that was reported, or received, at this event began an `sk_buff` of its own.
    pub fn has(&self, told: EventIdx) -> bool {
        self.0.binary_search(&told).is_ok()
    }
}

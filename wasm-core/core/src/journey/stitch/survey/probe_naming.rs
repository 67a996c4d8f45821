//! How `tcp_probe` names segments and sockets. Before v6.10 it names no `sk_buff` (`include/trace/events/tcp.h: tcp_probe`,
//! v6.1) and no socket address; the socket cookie serves as one.

use std::collections::BTreeMap;

use crate::kernel::{AddrId, Context, CpuId, Field, Pid, Probe};
use crate::run::Run;

/// The packet that a CPU has just received, with its hash (0 if several are being received), task and context.
type InHand = (AddrId, u32, Pid, Context);

/// How `tcp_probe` reports segments in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// It names each segment.
    ByName,
    /// It names no segment; the order identifies it. `sk_data_ready` shows which segments are in order.
    InOrder,
    /// It names no segment, and `sk_data_ready` is missing: a reported segment is taken to be in its socket's stream.
    InOrderAndInStream,
}

impl Telling {
    /// Whether `tcp_probe` names no segment.
    pub const fn is_unnamed(self) -> bool {
        !matches!(self, Self::ByName)
    }
}

/// Whether `tcp_probe` names no segment in this run.
pub fn is_unnamed(run: &Run) -> bool {
    let mut probes = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::TcpProbe);
    probes.next().is_some_and(|first| !run.skb(first).is_some())
}

/// The socket at which the packets of each hash arrive, by majority of the `tcp_probe` events in softirqs that are
/// receiving a single packet. Computed in a pass of its own, because the first segment of a connection may wait in
/// its backlog.
pub fn sockets_of_hashes(run: &Run) -> BTreeMap<u32, AddrId> {
    let mut hash_of: BTreeMap<AddrId, u32> = BTreeMap::new();
    let mut in_hand: BTreeMap<CpuId, InHand> = BTreeMap::new();
    let mut told: BTreeMap<u32, BTreeMap<AddrId, u32>> = BTreeMap::new();
    for index in run.indices() {
        let event = run.event(index);
        let (skb, place) = (event.skb, (event.pid, event.context));
        match event.probe {
            Probe::NetifReceiveSkb => {
                let hash = hash_of.get(&skb).copied().unwrap_or(0);
                let before = in_hand.get(&event.cpu);
                let is_one = before.is_none_or(|&(other, .., pid, context)| {
                    other == skb || (pid, context) != place
                });
                let hash = if is_one { hash } else { 0 };
                in_hand.insert(event.cpu, (skb, hash, event.pid, event.context));
            }
            Probe::TcpProbe if !skb.is_some() => {
                if let Some((_, hash @ 1.., pid, context)) = in_hand.remove(&event.cpu)
                    && (pid, context) == place
                    && let Some(cookie) = run.field(index, Field::Cookie)
                {
                    *told
                        .entry(hash)
                        .or_default()
                        .entry(AddrId(cookie))
                        .or_default() += 1;
                }
            }
            Probe::NapiPoll | Probe::SoftirqEntry | Probe::SoftirqExit => {
                in_hand.remove(&event.cpu);
            }
            _ => {
                if let Some(hash) = run.field(index, Field::Hash) {
                    hash_of.insert(skb, hash);
                }
            }
        }
    }
    let most = |sockets: BTreeMap<AddrId, u32>| sockets.into_iter().max_by_key(|&(_, times)| times);
    let sockets = told.into_iter();
    sockets
        .filter_map(|(hash, sockets)| most(sockets).map(|(sk, _)| (hash, sk)))
        .collect()
}
